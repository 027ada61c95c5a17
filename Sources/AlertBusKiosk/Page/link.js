// Follows the server's event stream and comes back by itself, whatever breaks.
class EventLink {
  constructor(model, screen) {
    this.model = model;
    this.screen = screen;
    this.isOpen = false;
    this.delay = 300;
    this.heard = performance.now();
    this.open();
    setInterval(() => this.watch(), 500);
  }

  open() {
    this.source = new EventSource("/events");
    this.heard = performance.now();
    this.on("hello", (text) => this.greet(JSON.parse(text)));
    this.on("snapshot", (text) => {
      this.isOpen = true;
      this.delay = 300;
      this.screen.forgetReports();
      this.take(text);
    });
    this.on("change", (text) => this.take(text));
    this.on("beat", () => {});
    this.source.onerror = () => this.reopen();
  }

  on(name, handle) {
    this.source.addEventListener(name, (event) => {
      this.heard = performance.now();
      handle(event.data);
    });
  }

  greet(hello) {
    token = hello.token;
    // The server was replaced by one with another page; once is enough if something between holds the old one.
    if (hello.build === settings.build || sessionStorage.getItem("build") === hello.build) return;
    sessionStorage.setItem("build", hello.build);
    location.reload();
  }

  take(text) {
    try {
      this.model.apply(parseMessage(text));
    } catch (error) {
      // A message that cannot be drawn must not take the others with it.
      console.error("alertbus: a message cannot be drawn", error);
    }
    this.screen.schedule();
    this.showState();
  }

  reopen() {
    this.source.close();
    this.isOpen = false;
    this.showState();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(3000, this.delay * 1.6);
  }

  watch() {
    if (this.source.readyState !== EventSource.CLOSED && performance.now() - this.heard > settings.heartbeat * 3 + 1000) this.reopen();
    this.showState();
  }

  // The bar appears when the state has been bad for half a second, and goes at once.
  showState() {
    const isConnected = this.isOpen && this.model.link === "connected";
    this.screen.isConnected = isConnected;
    if (isConnected) this.badSince = undefined;
    else this.badSince ??= performance.now();
    const isLost = !isConnected && performance.now() - this.badSince >= 500;
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    document.body.classList.toggle("lost", isLost);
    const bar = document.getElementById("lost");
    bar.replaceChildren(...(isLost ? [icon("offline"), element("span", {}, say("lost"))] : []));
    setText(document.getElementById("health-text"), isLost ? "" : say("connected"));
    this.screen.schedule();
  }
}
