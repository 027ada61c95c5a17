// Keeps the keyboard inside the alert on top, and gives the focus back when that alert is gone.
const focusable = 'button:not([disabled]), input:not([disabled]), [tabindex="0"]';

class FocusKeeper {
  constructor() {
    this.last = new WeakMap();
    document.addEventListener("focusin", (event) => {
      const view = event.target.closest?.(".alert")?.view;
      if (view) this.last.set(view, event.target);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.cycle(event);
      if (event.key === "F6") this.nextAlert(event);
      if (event.key === "Escape" && !event.isComposing) this.escape(event);
    });
  }

  // After each change of the screen: `live` are the blocking alerts on top, the last one foremost.
  settle(live, banners) {
    this.live = live;
    this.banners = banners;
    const top = live.at(-1);
    const inside = document.activeElement?.closest?.(".alert")?.view;
    if (!top || live.includes(inside) || (inside && banners.includes(inside) && top === this.top)) {
      this.top = top;
      return;
    }
    this.top = top;
    const last = this.last.get(top);
    // The alert itself, not its first button: a key pressed for what was there before must not answer this one.
    (last?.isConnected && last.checkVisibility() ? last : top.node).focus({ preventScroll: true });
  }

  cycle(event) {
    const view = document.activeElement?.closest?.(".alert")?.view ?? this.top;
    if (!view?.isBlocking) return;
    const stops = [...view.node.querySelectorAll(focusable)].filter((node) => node.checkVisibility());
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    const isOutside = !view.node.contains(document.activeElement);
    const isAtEdge = document.activeElement === edge || (event.shiftKey && document.activeElement === view.node);
    // A group of radio buttons is one stop, so its last member is not always where the focus leaves.
    const isLastGroup = edge?.type === "radio" && document.activeElement?.name === edge.name;
    if (stops.length > 0 && !isOutside && !isAtEdge && !isLastGroup) return;
    event.preventDefault();
    (stops.length === 0 ? view.node : event.shiftKey ? stops.at(-1) : stops[0]).focus();
  }

  nextAlert(event) {
    const all = [...(this.live ?? []), ...(this.banners ?? [])];
    if (all.length === 0) return;
    event.preventDefault();
    const index = all.findIndex((view) => view.node.contains(document.activeElement));
    const next = all[(index + 1) % all.length];
    (this.last.get(next) ?? next.node).focus();
  }

  escape(event) {
    if (event.target.type === "search" && event.target.value !== "") return;
    const view = document.activeElement?.closest?.(".alert")?.view ?? this.top;
    if (!view || view.node.inert || inputGuard.isGuarded(view)) return;
    event.preventDefault();
    view.dismiss();
  }
}
