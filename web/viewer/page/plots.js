// Plots of numeric variables over time, or of one over another, below the map. They share the zoom and
// the page's time cursor; the map shows the trails of the zoomed time span.

import { byId, download, make, tell } from "./dom.js";
import { TimePlot, XYPlot } from "./plot_views.js";
import { Series } from "./series.js";

const XY = "xy:";

export default async function plots(page) {
  await library();
  const deck = new Deck(page);
  return deck;
}

/** uPlot is a plain script: it is loaded as one. */
function library() {
  if (window.uPlot) return Promise.resolve();
  document.head.append(make("link", { rel: "stylesheet", href: "vendor/uplot.min.css" }));
  return new Promise((done, fail) => {
    document.head.append(make("script", { src: "vendor/uplot.min.js", on: { load: done, error: () => fail(new Error("the plots could not be loaded")) } }));
  });
}

class Deck {
  constructor(page) {
    this.page = page;
    this.box = byId("plots");
    this.series = new Series(page);
    this.views = [];
    this.range = null;
    this.sliding = 0;
    this.source = page.picture.hello?.source.id;
    this._head();
    this.row = make("div.plot-row");
    this.box.append(this.row);
    this._drop(this.row, (name) => this.add(name));
    this._rebuild(page.layout.plots);
    const { picture } = page;
    picture.addEventListener("hello", ({ detail }) => this._hello(detail.source.id));
    picture.addEventListener("samples", ({ detail }) => { this.series.append(detail.series); this.refresh(); });
    for (const kind of ["scene", "status"]) picture.addEventListener(kind, () => this.refresh());
    window.addEventListener("theme", () => this._rebuild(this.page.layout.plots));
    new ResizeObserver(() => this.views.forEach((view) => view.resize())).observe(this.box);
  }

  _hello(source) {
    this.series.forget();
    if (this.source !== source) this.zoom(null);
    this.source = source;
    this._names();
    this._rebuild(this.page.layout.plots);
  }

  show(on) {
    this.box.hidden = !on;
    byId("map-tools").querySelector("[data-tool=plots]").setAttribute("aria-pressed", on);
    if (on) this._names();
    this.refresh();
  }

  /** Plot a variable ("henry:NAV_X"), in an existing plot by its number or in a new one. */
  add(name, at = -1) {
    const { layout } = this.page;
    const specs = [...layout.plots];
    if (at < 0) specs.push(name);
    else if (!specs[at].split(",").includes(name)) specs[at] += `,${name}`;
    this._rebuild(specs);
  }

  /** Request drawing in the next animation frame. */
  refresh() {
    if (this.box.hidden || this._asked) return;
    this._asked = true;
    requestAnimationFrame(() => {
      this._asked = false;
      const span = this.span();
      for (const view of this.views) view.draw(span, this.page.picture.t);
    });
  }

  /** The visible time span: zoomed, sliding, or all. */
  span() {
    if (this.range) return this.range;
    const now = this.page.picture.t;
    return this.sliding ? [now - this.sliding, now] : null;
  }

  /** Show a part of time in all plots, and its trail on the map; null for all. */
  zoom(range) {
    this.range = range;
    this.page.plan.range = range;
    this.page.plan.refresh();
    this.whole.disabled = !range;
    clearTimeout(this._finer);
    this._finer = setTimeout(() => this.series.load(this._variables(), range).then(() => this.refresh()), 250);
    this.refresh();
  }

  _head() {
    this.list = make("datalist", { id: "numbers" });
    const field = make("input", { placeholder: "Add a variable", aria: { label: "Variable to plot" }, spellcheck: false });
    field.setAttribute("list", "numbers");
    const form = make("form.row", { on: { submit: (event) => {
      event.preventDefault();
      if (field.value.trim()) this.add(this._full(field.value.trim()));
      field.value = "";
    } } }, field, make("button", { type: "submit", text: "Add" }));
    this.whole = make("button", { type: "button", text: "All time", disabled: true, on: { click: () => this.zoom(null) } });
    const slide = make("select", { aria: { label: "Window of time" }, on: { change: () => { this.sliding = Number(slide.value); this.zoom(null); } } },
      ...[["0", "all"], ["30", "last 30 s"], ["120", "last 2 min"], ["600", "last 10 min"]].map(([value, text]) => make("option", { value, text })));
    const hint = make("span.quiet", { text: "Drag across to zoom, a double click shows all. Drop a variable on a plot to add it." });
    this.box.append(make("div.plot-head", {}, form, this.list, slide, this.whole,
      make("button", { type: "button", text: "CSV", title: "All values of these variables", on: { click: () => this._csv() } }),
      make("button", { type: "button", text: "Close", on: { click: () => this.page.plots(false) } }), hint));
  }

  _full(name) {
    if (name.includes(":")) return name;
    const { picture } = this.page;
    return `${picture.chosen?.community || picture.hello.communities[0]}:${name}`;
  }

  async _names() {
    const names = await this.page.wire?.do("names").catch(() => null);
    if (!names) return;
    const numbers = names.filter(([, , type]) => type === "number");
    this.list.replaceChildren(...numbers.map(([community, name]) => make("option", { value: `${community}:${name}` })));
  }

  _variables() {
    return [...new Set(this.page.layout.plots.flatMap((spec) => spec.replace(XY, "").split(",")))];
  }

  _rebuild(specs) {
    const { page } = this;
    page.layout.plots = specs.filter(Boolean);
    for (const view of this.views) view.close();
    this.views = page.layout.plots.map((spec, k) => this._view(spec, k));
    this.row.replaceChildren(...this.views.map((view) => view.box));
    if (!this.views.length) this.row.append(make("p.empty", { text: "Nothing is plotted. Add a variable here, or drag one from Values." }));
    this.series.want(this._variables()).then(() => this.refresh());
    page.keep();
    this.refresh();
  }

  _view(spec, k) {
    const names = spec.replace(XY, "").split(",");
    const View = spec.startsWith(XY) ? XYPlot : TimePlot;
    const view = new View(this, names);
    view.box.append(this._tools(spec, names, k, view));
    this._drop(view.box, (name) => this.add(name, k));
    return view;
  }

  _tools(spec, names, k, view) {
    const press = (text, label, act) => make("button", { type: "button", text, title: label, aria: { label }, on: { click: act } });
    const replace = (now) => this._rebuild(this.page.layout.plots.flatMap((old, at) => (at === k ? now : [old])));
    const swap = spec.startsWith(XY) ? press("time", "Plot over time", () => replace([names.join()])) : names.length > 1 ? press("x–y", "x–y: plot the second over the first", () => replace([XY + names.join()])) : null;
    return make("div.plot-tools", {}, swap,
      press("PNG", "Save as a PNG picture", async () => download(`${names.join("_").replaceAll(":", "_")}.png`, await view.png())),
      press("×", `Remove the plot of ${names.join(", ")}`, () => replace([])));
  }

  _drop(box, take) {
    box.addEventListener("dragover", (event) => {
      event.preventDefault();
      box.classList.add("over");
    });
    box.addEventListener("dragleave", () => box.classList.remove("over"));
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      event.stopPropagation();
      box.classList.remove("over");
      const name = event.dataTransfer.getData("text/plain");
      if (/^[^:,]+:[^,]+$/.test(name)) take(name);
    });
  }

  async _csv() {
    const fields = new URLSearchParams(this._variables().map((name) => ["var", name]));
    if (this.range) for (const [key, value] of [["from", this.range[0]], ["to", this.range[1]]]) fields.set(key, value);
    const answer = await fetch(`/api/source/${encodeURIComponent(this.page.layout.source)}/csv?${fields}`);
    if (answer.ok) download("values.csv", await answer.blob());
    else tell((await answer.json().catch(() => ({}))).error ?? "The values could not be read.", "wrong");
  }
}
