// The time left on screen. It runs only while nothing lies over the alert, as it does in the arbiter.
class CountdownView {
  constructor() {
    this.text = element("span", { class: "left", dir: "auto" });
    this.bar = element("span", { class: "bar" });
    this.node = element("div", { class: "countdown", role: "timer", hidden: true }, this.text, element("span", { class: "track" }, this.bar));
  }

  // `left` counts from now on; `given` is what was left at first. The bar is full at the longest time that was ever given.
  start(given, left, isRunning) {
    this.total = given > 0 ? Math.max(given, this.total ?? 0) : 0;
    this.left = Math.max(0, left);
    this.since = isRunning ? performance.now() : undefined;
    this.node.hidden = !(given > 0);
    this.tick();
  }

  run(isRunning) {
    if (isRunning === (this.since !== undefined)) return;
    if (isRunning) {
      this.since = performance.now();
    } else {
      this.left = this.now();
      this.since = undefined;
    }
    this.node.classList.toggle("paused", !isRunning);
  }

  now() {
    return this.since === undefined ? this.left : Math.max(0, this.left - (performance.now() - this.since));
  }

  tick() {
    if (this.node.hidden) return;
    const left = this.now();
    this.bar.style.transform = `scaleX(${(left / this.total).toFixed(4)})`;
    setText(this.text, say("left", { time: this.format(left) }, this.spoken));
  }

  format(milliseconds) {
    const seconds = Math.ceil(milliseconds / 1000);
    const unit = (value, name) => new Intl.NumberFormat(this.spoken.tag, { style: "unit", unit: name, unitDisplay: "long" }).format(value);
    if (seconds < 60) return unit(seconds, "second");
    return seconds < 3600 ? unit(Math.ceil(seconds / 60), "minute") : unit(Math.ceil(seconds / 3600), "hour");
  }
}
