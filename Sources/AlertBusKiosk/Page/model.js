// What should be on the screen: the messages of the stream applied to lists, without any drawing.

// An id such as 9007199254740993 would lose its last digit as a number; it stays as it was written.
function parseMessage(text) {
  if (!text.includes('"data"')) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) => {
    if (key !== "id" || typeof value !== "number" || !context?.source || String(value) === context.source) return value;
    return JSON.rawJSON ? JSON.rawJSON(context.source) : value;
  });
}

class ScreenModel {
  constructor(surfaces, slots) {
    this.order = surfaces;
    this.slots = slots;
    this.surfaces = new Map();
    this.link = "reconnecting";
  }

  apply(message) {
    if (message.op === "link") {
      this.link = message.state;
    } else if (message.op === "snapshot") {
      this.link = message.link;
      this.surfaces = new Map(message.surfaces.map((part) => [part.surface, {
        epoch: part.epoch, seq: part.seq,
        alerts: part.shown.map((entry) => this.entry(part.surface, entry.alert, entry.on_top_ms)),
      }]));
    } else {
      this.applyChange(message);
    }
  }

  applyChange(message) {
    const surface = this.surfaces.get(message.surface) ?? { alerts: [] };
    this.surfaces.set(message.surface, surface);
    surface.epoch = message.epoch;
    surface.seq = message.seq;
    if (message.op === "hide") {
      surface.alerts = surface.alerts.filter((entry) => entry.alert.instance !== message.instance);
      return;
    }
    const entry = this.entry(message.surface, message.alert, 0);
    const index = surface.alerts.findIndex((other) => other.alert.instance === entry.alert.instance);
    if (index < 0) surface.alerts.push(entry);
    else surface.alerts[index] = entry;
  }

  entry(surface, alert, onTop) {
    const params = alert.params ?? {};
    const id = JSON.stringify([surface, alert.instance, alert.producer ?? "", alert.key ?? ""]);
    return { id, surface, alert, params, onTop, received: performance.now() };
  }

  // Everything from the bottom to the top, each with `isTop`: nothing on its own surface lies over it.
  stack() {
    const rank = (name) => {
      const index = this.order.findIndex((scope) => scope === "/" || scope === name || (scope.endsWith("/") && name.startsWith(scope)));
      return index < 0 ? this.order.length : index;
    };
    const names = [...this.surfaces.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return names.flatMap((name) => {
      const { alerts } = this.surfaces.get(name);
      return alerts.map((entry, index) => Object.assign(entry, { isTop: index >= alerts.length - this.slots }));
    });
  }
}
