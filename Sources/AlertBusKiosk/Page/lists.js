// The lists of an alert with data: search, single or multiple selection, rows drawn as they are needed.
const rowsAtOnce = 150;

// Two ids are the same when they are written the same: 1 and "1" are not.
const idText = (id) => JSON.stringify(id);

class ListView {
  constructor(owner, name, source, { isMultiple, chosen, label, spoken }) {
    this.spoken = spoken;
    this.rows = asList(source).map((row) => ({
      id: row?.id, text: asText(row?.name ?? row?.label ?? row?.title ?? row?.id), detail: asText(row?.detail),
      wasSelected: row?.selected === true,
    }));
    for (const row of this.rows) row.find = `${row.text}\n${row.detail}`.toLocaleLowerCase();
    this.name = name;
    this.isMultiple = isMultiple;
    const known = new Set(this.rows.map((row) => idText(row.id)));
    const ids = (chosen ?? this.rows.filter((row) => row.wasSelected).map((row) => idText(row.id))).filter((id) => known.has(id));
    this.chosen = new Set(isMultiple ? ids : ids.slice(0, 1));
    this.group = `${owner}-${name}`;
    this.build(label);
    this.filter("");
  }

  build(label) {
    this.count = element("span", { class: "count", "aria-live": "polite", dir: "auto" });
    this.box = element("div", { class: "rows" });
    this.node = element("fieldset", { class: "list" },
      element("legend", {}, element("span", { dir: "auto" }, label), this.count));
    if (this.rows.length > 8) {
      this.search = element("input", {
        type: "search", class: "search", placeholder: say("search", {}, this.spoken), dir: "auto", autocomplete: "off",
        "aria-label": `${say("search", {}, this.spoken)}: ${label}`,
      });
      this.search.addEventListener("input", () => this.filter(this.search.value));
      this.node.append(this.search);
    }
    this.node.append(this.box);
    this.box.addEventListener("change", (event) => this.choose(event.target));
  }

  filter(text) {
    const needle = text.trim().toLocaleLowerCase();
    this.found = this.rows.filter((row) => row.find.includes(needle));
    this.drawn = 0;
    this.box.replaceChildren();
    this.drawMore();
    if (this.found.length === 0) this.box.append(element("p", { class: "nothing" }, say("nothing", {}, this.spoken)));
    this.showCount();
  }

  drawMore() {
    this.box.querySelector(".more")?.remove();
    const next = this.found.slice(this.drawn, this.drawn + rowsAtOnce);
    this.drawn += next.length;
    this.box.append(...next.map((row) => this.row(row)));
    const rest = this.found.length - this.drawn;
    if (rest > 0) {
      const more = element("button", { type: "button", class: "more" }, say("more", { n: Math.min(rest, rowsAtOnce) }, this.spoken));
      more.addEventListener("click", () => {
        const first = this.box.querySelectorAll("input").length;
        this.drawMore();
        this.box.querySelectorAll("input")[first]?.focus();
      });
      this.box.append(more);
    }
  }

  row(row) {
    const id = idText(row.id);
    const input = element("input", { type: this.isMultiple ? "checkbox" : "radio", name: this.group });
    input.checked = this.chosen.has(id);
    input.dataset.id = id;
    const text = element("span", { class: "row-text", dir: "auto" }, row.text);
    if (row.detail) text.append(element("small", { dir: "auto" }, row.detail));
    return element("label", { class: "row" }, input, text);
  }

  choose(input) {
    const { id } = input.dataset;
    if (!this.isMultiple) this.chosen = new Set([id]);
    else if (input.checked) this.chosen.add(id);
    else this.chosen.delete(id);
    this.showCount();
  }

  showCount() {
    setText(this.count, this.chosen.size > 0 ? say("selected", { n: this.chosen.size }, this.spoken) : "");
  }

  // In the order of the rows, each id exactly as it came.
  selection() {
    return this.rows.filter((row) => this.chosen.has(idText(row.id))).map((row) => row.id);
  }
}

class ListsView {
  constructor(owner) {
    this.owner = owner;
    this.node = element("div", { class: "lists" });
    this.lists = [];
  }

  update(data, params, spoken) {
    const sources = Object.entries(data ?? {});
    const seen = JSON.stringify([sources, params.selection, params.labels, spoken.tag]);
    if (seen === this.seen) return;
    this.seen = seen;
    const before = new Map(this.lists.map((list) => [list.name, list.chosen]));
    this.lists = sources.map(([name, source]) => {
      const mode = typeof params.selection === "object" ? params.selection?.[name] : params.selection;
      const chosen = before.has(name) ? [...before.get(name)] : undefined;
      const label = asText(params.labels?.[name] ?? name.charAt(0).toLocaleUpperCase() + name.slice(1));
      return new ListView(this.owner, name, source, { isMultiple: mode !== "single", chosen, label, spoken });
    });
    this.node.replaceChildren(...this.lists.map((list) => list.node));
    this.node.dataset.count = this.lists.length;
    this.node.hidden = this.lists.length === 0;
  }

  selection() {
    return Object.fromEntries(this.lists.map((list) => [list.name, list.selection()]));
  }
}
