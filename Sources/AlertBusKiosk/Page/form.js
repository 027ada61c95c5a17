// The text input and the buttons of an alert.
class FormView {
  constructor(id, act) {
    this.id = id;
    this.act = act;
    this.input = element("input", { class: "text", id: `${id}-input`, dir: "auto", autocomplete: "off" });
    this.label = element("label", { class: "text-label", for: `${id}-input`, dir: "auto" });
    this.field = element("div", { class: "field", hidden: true }, this.label, this.input);
    this.buttons = element("footer", { class: "buttons" });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      this.buttons.querySelector(".primary, .danger, button")?.click();
    });
  }

  update(params, needsAnswer, isDismissible, spoken) {
    this.updateInput(params.input, spoken);
    let actions = asList(params.actions).filter((action) => action && action.id !== undefined);
    const isMade = actions.length === 0;
    if (isMade && needsAnswer) actions = [{ id: "ok", label: say("ok", {}, spoken), style: "primary" }];
    else if (isMade && isDismissible) actions = [{ dismiss: true, label: say("ok", {}, spoken), style: "primary" }];
    const seen = JSON.stringify(actions);
    if (seen === this.seen) return;
    this.seen = seen;
    const focused = this.buttons.contains(document.activeElement) ? document.activeElement.dataset.action : undefined;
    const hasStyle = actions.some((action) => action.style && action.style !== "default");
    this.buttons.replaceChildren(...actions.map((action, index) => this.button(action, hasStyle || index > 0 ? undefined : "primary")));
    this.buttons.hidden = actions.length === 0;
    if (focused) [...this.buttons.children].find((button) => button.dataset.action === focused)?.focus();
  }

  updateInput(input, spoken) {
    this.field.hidden = !input;
    if (!input) return;
    const label = asText(input.label ?? input.placeholder) || say("answer", {}, spoken);
    setText(this.label, label);
    setAttribute(this.input, "placeholder", input.placeholder === undefined ? null : asText(input.placeholder));
    const types = ["text", "number", "password", "tel", "email", "url", "date", "time"];
    setAttribute(this.input, "type", types.includes(input.type) ? input.type : "text");
    this.input.maxLength = 4096;
  }

  button(action, fallback) {
    const styles = { primary: "primary", danger: "danger", destructive: "danger" };
    const style = styles[action.style] ?? fallback ?? "plain";
    const button = element("button", { type: "button", class: `button ${style}`, dir: "auto" }, asText(action.label ?? action.id));
    button.dataset.action = action.dismiss ? "" : asText(action.id);
    button.addEventListener("click", () => this.act(action));
    return button;
  }

  get text() { return this.field.hidden ? undefined : this.input.value; }
}
