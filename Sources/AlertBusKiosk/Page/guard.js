// No action counts until an alert has stood still, on top, for a moment: nobody answers what they have not seen.
class InputGuard {
  constructor(milliseconds) {
    this.delay = milliseconds;
    this.places = new WeakMap();
    for (const name of ["click", "submit"]) document.addEventListener(name, (event) => this.stopEarly(event), true);
    // Enter and Space become clicks; this also keeps them from going to another alert while they are held down.
    document.addEventListener("keydown", (event) => {
      if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    }, true);
  }

  stopEarly(event) {
    const view = event.target.closest?.(".alert")?.view;
    if (!view || !event.target.closest("button")) return;
    // More rows of a list are no action.
    if (event.target.closest(".more")) return;
    if (!this.isGuarded(view)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  isGuarded(view) {
    return performance.now() < (this.places.get(view)?.until ?? Infinity);
  }

  // Called after each change with the alerts that can be acted on.
  settle(views) {
    const now = performance.now();
    const live = new Set(views);
    for (const view of this.known ?? []) if (!live.has(view)) this.places.delete(view);
    this.known = views;
    for (const view of views) {
      const { node } = view;
      const { buttons } = view.form;
      // Layout, not transforms: an animation on the way does not count as another place.
      const corner = InputGuard.origin(node);
      const place = [corner.left, corner.top, node.offsetWidth, buttons.offsetTop + corner.top, buttons.offsetLeft + corner.left, buttons.offsetWidth];
      const before = this.places.get(view);
      const hasMoved = !before || before.actions !== view.form.seen || place.some((value, index) => Math.abs(value - before.place[index]) > 8);
      if (hasMoved) this.places.set(view, { place, actions: view.form.seen, until: now + this.delay });
    }
  }

  static origin(node) {
    let left = 0;
    let top = 0;
    for (let at = node; at; at = at.offsetParent) {
      left += at.offsetLeft;
      top += at.offsetTop;
    }
    return { left, top };
  }
}

const inputGuard = new InputGuard(settings.inputGuard);
