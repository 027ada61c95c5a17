// One alert on the screen. `update` changes what differs and leaves what a person has typed, chosen and focused.
let alertCount = 0;

class AlertView {
  constructor(entry, act) {
    this.id = `alert-${++alertCount}`;
    this.report = act;
    this.form = new FormView(this.id, (action) => this.activate(action));
    this.lists = new ListsView(this.id);
    this.countdown = new CountdownView();
    this.build();
    this.update(entry);
  }

  build() {
    this.icon = element("span", { class: "icon", "aria-hidden": "true" });
    this.mark = element("span", { class: "mark" });
    this.word = element("span", { dir: "auto" });
    this.title = element("h2", { class: "title", id: `${this.id}-title`, dir: "auto" });
    this.close = element("button", { type: "button", class: "close", }, icon("close"));
    this.close.addEventListener("click", () => this.dismiss());
    this.body = element("p", { class: "body", id: `${this.id}-body`, dir: "auto" });
    this.progress = element("div", { class: "progress", role: "progressbar", "aria-labelledby": `${this.id}-title`, hidden: true },
      element("span", { class: "bar" }));
    this.content = element("div", { class: "content" }, this.body, this.progress, this.form.field, this.lists.node);
    this.head = element("header", { class: "head" }, this.icon,
      element("div", { class: "titles" }, element("p", { class: "priority", id: `${this.id}-word` }, this.mark, this.word), this.title));
    // Long texts scroll as one; the buttons stay.
    this.main = element("div", { class: "main" }, this.head, this.content);
    this.node = element("section", { class: "alert", tabindex: "-1", "aria-labelledby": `${this.id}-word ${this.id}-title`, "aria-describedby": `${this.id}-body` },
      element("div", { class: "edge", "aria-hidden": "true" }),
      this.main, this.close, this.form.buttons, this.countdown.node);
    this.node.view = this;
  }

  update(entry) {
    if (this.entry === entry) return;
    const { alert, params } = entry;
    this.entry = entry;
    this.presentation = ["banner", "sheet", "over_full_screen"].includes(alert.presentation) ? alert.presentation : "modal";
    this.isDismissible = params.dismissible !== false;
    const spoken = findLanguage([params.lang]) ?? language;
    const hasLists = Object.keys(alert.data ?? {}).length > 0;
    const needsAnswer = hasLists || Boolean(params.input);
    this.drawHead(alert, params, spoken);
    setAttribute(this.close, "aria-label", say("dismiss", {}, spoken));
    this.drawRole(alert, needsAnswer);
    setText(this.body, asText(params.body));
    this.body.hidden = !this.body.textContent;
    this.drawProgress(params, spoken);
    this.lists.update(alert.data, params, spoken);
    this.form.update(params, needsAnswer, this.isDismissible && this.presentation !== "banner", spoken);
    this.content.hidden = [...this.content.children].every((child) => child.hidden);
    this.close.hidden = !this.isDismissible || (this.presentation !== "banner" && Boolean(this.form.buttons.querySelector('[data-action=""]')));
    this.countdown.spoken = spoken;
    // What was left when the message was made.
    const left = Number(alert.display_ms);
    this.countdown.start(left, left - entry.onTop - (entry.isTop ? performance.now() - entry.received : 0), entry.isTop);
    this.setPending(false);
  }

  drawHead(alert, params, spoken) {
    const level = levelOf(alert.priority ?? 1);
    const title = asText(params.title) || asText(alert.key);
    const name = asText(params.icon) || levelIcons[level];
    this.node.dataset.level = level;
    this.node.dataset.presentation = this.presentation;
    this.node.dataset.key = asText(alert.key);
    this.node.dataset.instance = alert.instance;
    this.node.dataset.revision = alert.revision;
    this.node.dataset.surface = this.entry.surface;
    this.node.dir = directionOf(`${title}\n${asText(params.body)}`);
    setAttribute(this.node, "lang", typeof params.lang === "string" ? params.lang : null);
    setText(this.title, title);
    setText(this.word, priorityWord(alert.priority ?? 1, spoken));
    if (this.drawnIcon !== name + level) {
      this.drawnIcon = name + level;
      this.icon.replaceChildren(iconOrText(name));
      this.mark.replaceChildren(icon(levelMarks[level]));
    }
  }

  drawRole(alert, needsAnswer) {
    const isBanner = this.presentation === "banner";
    // A banner is announced without taking the focus; one that asks for an answer is a form, not a dialog.
    const role = isBanner ? ((alert.priority ?? 1) >= 3 ? "alert" : "status") : needsAnswer ? "dialog" : "alertdialog";
    setAttribute(this.node, "role", role);
    setAttribute(this.node, "aria-modal", isBanner ? null : "true");
  }

  drawProgress(params, spoken) {
    this.progress.hidden = params.progress === undefined;
    if (this.progress.hidden) return;
    const value = params.progress === null ? undefined : Math.min(1, Math.max(0, Number(params.progress) || 0));
    this.progress.classList.toggle("indeterminate", value === undefined);
    setAttribute(this.progress, "aria-valuenow", value === undefined ? null : Math.round(value * 100));
    setAttribute(this.progress, "aria-valuetext", value === undefined ? say("working", {}, spoken) : null);
    this.progress.firstChild.style.transform = value === undefined ? "" : `scaleX(${value.toFixed(4)})`;
  }

  activate(action) {
    if (action.dismiss) {
      this.dismiss();
      return;
    }
    const answer = { action: action.id };
    if (this.form.text !== undefined) answer.text = this.form.text;
    if (this.lists.lists.length > 0) answer.selected = this.lists.selection();
    this.report(this, { kind: "answer", answer });
  }

  dismiss() {
    if (this.isDismissible) this.report(this, { kind: "dismiss" });
  }

  setPending(isPending) {
    this.isPending = isPending;
    setAttribute(this.node, "aria-busy", isPending ? "true" : null);
  }

  get isBlocking() { return this.presentation !== "banner"; }
}
