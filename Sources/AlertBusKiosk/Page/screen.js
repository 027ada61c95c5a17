// Draws the model: at most once per animation frame, however many messages came.
class Screen {
  constructor(model) {
    this.model = model;
    this.views = new Map();
    this.focus = new FocusKeeper();
    this.drawn = new DrawnReporter();
    this.reported = new Map();
    this.banners = document.getElementById("banners");
    this.stage = document.getElementById("stage");
    this.banners.setAttribute("aria-label", say("notices"));
    this.stage.setAttribute("aria-label", say("alerts"));
    this.afterPaint = new MessageChannel();
    this.afterPaint.port1.onmessage = () => this.confirm();
    setInterval(() => { for (const view of this.views.values()) view.countdown.tick(); }, 250);
    addEventListener("resize", () => this.schedule());
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.render();
    });
  }

  render() {
    const stack = this.model.stack();
    const ids = new Set(stack.map((entry) => entry.id));
    const gone = [...this.views.values()].filter((view) => !ids.has(view.entry.id));
    for (const view of gone) this.remove(view, gone.length > 4);
    const views = stack.map((entry) => this.place(entry));
    const banners = views.filter((view) => !view.isBlocking);
    const blocking = views.filter((view) => view.isBlocking);
    // Of the blocking alerts only those on top of the topmost surface that has one can be acted on.
    const topSurface = blocking.at(-1)?.entry.surface;
    const live = blocking.filter((view) => view.entry.surface === topSurface).slice(-this.model.slots);
    const firstLive = views.indexOf(live[0]);
    for (const view of blocking) this.setLive(view, live.includes(view));
    for (const view of banners) this.setLive(view, firstLive < 0 || views.indexOf(view) > firstLive);
    for (const view of views) view.countdown.run(view.entry.isTop);
    this.arrange(this.banners, banners.toReversed());
    this.arrange(this.stage, blocking);
    this.layOut(blocking, live);
    this.focus.settle(live, banners.filter((view) => !view.node.inert));
    inputGuard.settle(views.filter((view) => !view.node.inert));
    for (const view of views) this.makeScrollable(view);
    document.body.classList.toggle("blocked", live.length > 0);
    document.body.classList.toggle("full", live.some((view) => view.presentation === "over_full_screen"));
    document.body.dataset.seq = JSON.stringify(Object.fromEntries([...this.model.surfaces].map(([name, { epoch, seq }]) => [name, [epoch, seq]])));
    this.toConfirm = [...this.model.surfaces].map(([name, { epoch, seq }]) => [name, { epoch, seq }]);
    // A task that is queued in a frame runs after that frame has been painted.
    this.afterPaint.port2.postMessage(0);
  }

  place(entry) {
    let view = this.views.get(entry.id);
    if (view) {
      view.update(entry);
    } else {
      view = new AlertView(entry, (from, report) => send(from, report, this.isConnected));
      this.views.set(entry.id, view);
    }
    return view;
  }

  remove(view, atOnce) {
    this.views.delete(view.entry.id);
    view.isLeaving = true;
    view.node.inert = true;
    if (atOnce || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches || this.stage.querySelectorAll(".leaving").length > 4) {
      view.node.remove();
      return;
    }
    setAttribute(view.node, "aria-hidden", "true");
    // Out of the layout, so that what follows takes its place at once.
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = view.node;
    Object.assign(view.node.style, { position: "absolute", left: `${offsetLeft}px`, top: `${offsetTop}px`, width: `${offsetWidth}px`, height: `${offsetHeight}px` });
    view.node.classList.add("leaving");
    setTimeout(() => view.node.remove(), 220);
  }

  setLive(view, isLive) {
    if (view.node.inert === isLive) view.node.inert = !isLive;
    view.node.classList.toggle("under", !isLive);
  }

  // Puts the nodes in order and moves only those that are not where they belong: moving a node takes its focus away.
  arrange(parent, views) {
    let at = parent.firstElementChild;
    for (const { node } of views) {
      while (at?.classList.contains("leaving")) at = at.nextElementSibling;
      if (at === node) at = at.nextElementSibling;
      else parent.insertBefore(node, at);
    }
  }

  // Those on top stand side by side; those under look out behind them, up to three deep.
  layOut(blocking, live) {
    this.stage.style.setProperty("--side", Math.max(1, live.length));
    live.forEach((view, index) => {
      view.node.style.setProperty("--place", index + 1);
      view.node.style.setProperty("--lift", "0px");
      view.node.style.setProperty("--depth", 0);
    });
    const under = blocking.filter((view) => !live.includes(view)).toReversed();
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const edge = live.length > 0 ? Math.min(...live.map((view) => view.node.offsetTop)) : 0;
    under.forEach((view, index) => {
      const depth = index + 1;
      const wanted = edge - rem * (index === 0 ? 5.7 : 5.7 + 0.9 * index);
      const lift = view.node.offsetTop > wanted ? Math.max(wanted, rem * 0.5) - view.node.offsetTop : 0;
      view.node.style.setProperty("--depth", depth);
      view.node.style.setProperty("--lift", `${Math.round(lift)}px`);
      view.node.classList.toggle("deep", depth > 3);
    });
  }

  // A text that scrolls must be reachable with the keyboard.
  makeScrollable(view) {
    const { main } = view;
    const scrolls = main.scrollHeight > main.clientHeight + 1;
    setAttribute(main, "tabindex", scrolls ? "0" : null);
    setAttribute(main, "role", scrolls ? "group" : null);
    setAttribute(main, "aria-labelledby", scrolls ? view.title.id : null);
  }

  confirm() {
    const news = this.toConfirm.filter(([name, { epoch, seq }]) => this.reported.get(name) !== `${epoch}/${seq}`);
    for (const [name, { epoch, seq }] of news) this.reported.set(name, `${epoch}/${seq}`);
    this.drawn.report(news);
  }

  // A new connection has not heard what this page has drawn.
  forgetReports() {
    this.reported.clear();
  }
}
