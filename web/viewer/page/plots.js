// Plots of numeric variables over time, or of one over another, below the map. They share the zoom and
// the page's time cursor; the map shows the trails of the zoomed time span.

import { byId, download, fill, make, nextFrame, tell, trying } from "./dom.js";
import { HELP, parse, split } from "./expressions.js";
import { readFile, saveFile } from "./layout_file.js";
import { SpectrumPlot, TimePlot, XYPlot } from "./plot_views.js";
import { Series } from "./series.js";
import { answered } from "./session.js";
import { statistics, within } from "./signals.js";

const KINDS = [["xy:", XYPlot], ["fft:", SpectrumPlot], ["", TimePlot]]; // prefix of a plot's text, and its view
const EVERY = 1000; // ms between two tables of statistics
const STATISTICS = ["count", "min", "mean", "max", "std"];

/** Kind and curves of a plot's text: "xy:alpha:NAV_X,alpha:NAV_Y". */
function readPlot(text) {
  const [prefix, View] = KINDS.find(([start]) => text.startsWith(start));
  return { prefix, View, names: split(text.slice(prefix.length)) };
}

export default async function plots(page) {
  await library();
  const deck = new Deck(page);
  return deck;
}

/** uPlot is a plain script: it is loaded as one. */
function library() {
  if (window.uPlot) return Promise.resolve();
  return Promise.all([["link", { rel: "stylesheet", href: "vendor/uplot.min.css" }], ["script", { src: "vendor/uplot.min.js" }]].map(([tag, fields]) => new Promise((done, fail) => {
    document.head.append(make(tag, { ...fields, on: { load: done, error: () => fail(new Error("the plots could not be loaded")) } }));
  })));
}

class Deck {
  constructor(page) {
    this.page = page;
    this.box = byId("plots");
    this.series = new Series(page);
    this.views = [];
    this._curves = new Map();
    this.range = null;
    this.sliding = 0;
    this.source = page.picture.hello?.source.id;
    this._head();
    this.row = make("div.plot-row");
    this.table = make("div.plot-table", { hidden: true });
    this.box.append(this.table, this.row);
    this._drop(this.row, (name) => this.add(name));
    this.arrange(page.layout.plots);
    const { picture } = page;
    picture.addEventListener("hello", ({ detail }) => this._hello(detail.source.id));
    picture.addEventListener("samples", ({ detail }) => { this.series.append(detail.series); this.refresh(); });
    for (const kind of ["scene", "status"]) picture.addEventListener(kind, () => this.refresh());
    window.addEventListener("theme", () => this.arrange(this.page.layout.plots));
    new ResizeObserver(() => this.views.forEach((view) => view.resize())).observe(this.box);
  }

  _hello(source) {
    this.series.forget();
    if (this.source !== source) this.zoom(null);
    this.source = source;
    this._names();
    this.arrange(this.page.layout.plots);
  }

  show(on) {
    this.box.hidden = !on;
    byId("map-tools").querySelector("[data-tool=plots]").setAttribute("aria-pressed", on);
    if (on) this._names();
    this.refresh();
  }

  /** Plot a variable or an expression, in an existing plot by its number or in a new one. */
  add(text, at = -1) {
    const { layout, picture } = this.page;
    let names;
    try {
      const kind = readPlot(text);
      names = kind.names.map((name) => parse(name, picture.chosen?.community || picture.hello.communities[0]).text);
      text = kind.prefix + names.join();
    } catch (error) {
      tell(error.message, "wrong");
      return false;
    }
    const plots = [...layout.plots];
    if (at < 0) plots.push(text);
    else plots[at] = [plots[at], ...names.filter((name) => !readPlot(plots[at]).names.includes(name))].join();
    this.arrange(plots);
    return true;
  }

  /** {t, v, circle, trouble} of a curve, a variable or an expression, as it is drawn. */
  curve(text) {
    const { names, plain, of } = this._parsed(text);
    if (plain) return this.series.of(names[0]);
    const have = names.map((name) => this.series.of(name));
    const trouble = have.map((one, k) => (one.trouble ? `${names[k]} ${one.trouble}` : "")).filter(Boolean).join("; ");
    const key = have.map(({ t }) => `${t.length} ${t[0]} ${t.at(-1)}`).join();
    const known = this._curves.get(text);
    if (known?.key === key) return known;
    const series = { ...of((name) => this.series.means(name)), trouble, key };
    this._curves.set(text, series);
    return series;
  }

  /** Curves computed of all values in a time span. */
  async exact(texts, span) {
    const parsed = texts.map((text) => this._parsed(text));
    const all = await this.series.exact([...new Set(parsed.flatMap(({ names }) => names))], span);
    return parsed.map(({ of }) => of((name) => all.get(name)));
  }

  /** The expression of a curve's text; of one from an address that cannot be read, its error as a series. */
  _parsed(text) {
    try {
      return parse(text, this.page.picture.hello?.communities[0] ?? "");
    } catch (error) {
      return { names: [], plain: false, of: () => ({ t: [], v: [], trouble: error.message }) };
    }
  }

  /** Request drawing in the next animation frame. */
  refresh() {
    if (!this.box.hidden) this._redraw();
  }

  _redraw = nextFrame(() => {
    const { t } = this.page.picture;
    const timed = this.views.filter((view) => view instanceof TimePlot);
    const rights = Math.max(0, ...timed.map((view) => view.read()));
    const span = this.span() ?? whole(this.views.flatMap(({ names }) => names.map((name) => this.curve(name).t)), t);
    for (const view of this.views) view.draw(span, t, rights, view === timed.at(-1));
    if (!this.table.hidden) this._statistics(span);
  });

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
    const field = make("input", { placeholder: "Variable or expression", title: HELP, aria: { label: "Variable to plot" }, spellcheck: false });
    field.setAttribute("list", "numbers");
    const form = make("form.row", { on: { submit: (event) => {
      event.preventDefault();
      if (field.value.trim() && this.add(field.value.trim())) field.value = "";
    } } }, field, make("button", { type: "submit", text: "Add" }));
    this.whole = make("button", { type: "button", text: "All time", disabled: true, on: { click: () => this.zoom(null) } });
    const slide = make("select", { aria: { label: "Window of time" }, on: { change: () => { this.sliding = Number(slide.value); this.zoom(null); } } },
      ...[["0", "all"], ["30", "last 30 s"], ["120", "last 2 min"], ["600", "last 10 min"]].map(([value, text]) => make("option", { value, text })));
    const load = make("input", { type: "file", accept: ".json,application/json", hidden: true, aria: { label: "File of a layout" }, on: { change: () => readFile(this.page, load) } });
    const table = make("button", { type: "button", text: "Statistics", title: "Of the shown time", aria: { pressed: "false" }, on: { click: () => {
      this.table.hidden = !this.table.hidden;
      table.setAttribute("aria-pressed", !this.table.hidden);
      this.refresh();
    } } });
    const hint = make("span.quiet", { text: "Drag across to zoom, a double click shows all. Drop a variable on a plot to add it." });
    this.box.append(make("div.plot-head", {}, form, this.list, slide, this.whole,
      table,
      make("button", { type: "button", text: "Save layout", title: "Save plots, map and panel as a file", on: { click: () => saveFile(this.page) } }),
      make("button", { type: "button", text: "Load layout", title: "Load a file that was saved here", on: { click: () => load.click() } }), load,
      make("button", { type: "button", text: "CSV", title: "All values of these variables", on: { click: () => this._csv() } }),
      make("button", { type: "button", text: "Close", on: { click: () => this.page.plots(false) } }), hint));
  }

  async _names() {
    const { wire, picture, home } = this.page;
    const others = (home.sources ?? []).filter(({ id, kind }) => id !== picture.hello?.source.id && kind === "replay").slice(0, 3).map(({ id }) => id);
    const told = await Promise.all(["", ...others].map(async (of) => (await wire?.do("names", { of }).catch(() => null) ?? []).map((row) => [...row, of])));
    const numbers = told.flat().filter(([, , type]) => type === "number");
    this.list.replaceChildren(...numbers.map(([community, name, , , of]) => make("option", { value: `${community}:${name}${of && `@${of}`}` })));
  }

  /** The variables of all curves. */
  _variables() {
    return [...new Set(this.page.layout.plots.flatMap((text) => readPlot(text).names.flatMap((name) => this._parsed(name).names)))];
  }

  /** Show statistics of the curves in the shown time. */
  async _statistics(span) {
    const names = [...new Set(this.page.layout.plots.flatMap((text) => readPlot(text).names))];
    if (this._counting || performance.now() - (this._counted ?? -1e9) < EVERY) {
      this._later ??= setTimeout(() => { this._later = null; this.refresh(); }, EVERY);
      return;
    }
    this._counting = true;
    const curves = await this.exact(names, span).finally(() => (this._counting = false));
    this._counted = performance.now();
    const cells = (row) => STATISTICS.map((key) => make("td.num", { text: row ? String(Number(row[key].toPrecision(6))) : "–" }));
    const rows = curves.map((curve, k) => make("tr", {}, make("th", { text: names[k], scope: "row" }), ...cells(statistics(within(curve, span)))));
    const head = make("tr", {}, make("th", { text: `${span.map((t) => t.toFixed(1)).join(" to ")} s`, scope: "col" }), ...STATISTICS.map((text) => make("th.num", { text, scope: "col" })));
    fill(this.table, make("table", { aria: { label: "Statistics" } }, make("thead", {}, head), make("tbody", {}, ...rows)));
  }

  /** Set the plots, by their texts. */
  arrange(plots) {
    const { page } = this;
    page.layout.plots = plots.filter((text) => readPlot(text).names.length);
    for (const view of this.views) view.close();
    this._curves.clear();
    this.views = page.layout.plots.map((text, k) => this._view(text, k));
    this.row.replaceChildren(...this.views.map((view) => view.box));
    this.box.style.setProperty("--plots", Math.max(1, this.views.length));
    if (!this.views.length) this.row.append(make("p.empty", { text: "Nothing is plotted. Add a variable here, or drag one from Values." }));
    this.series.want(this._variables()).then(() => this.refresh());
    page.keep();
    this.refresh();
  }

  _view(text, k) {
    const { View, names } = readPlot(text);
    const view = new View(this, names);
    view.box.append(this._tools(text, k, view));
    this._drop(view.box, (name) => this.add(name, k));
    return view;
  }

  _tools(text, k, view) {
    const { prefix, names } = readPlot(text);
    const press = (words, label, act) => make("button", { type: "button", text: words, title: label, aria: { label }, on: { click: act } });
    const replace = (now) => this.arrange(this.page.layout.plots.flatMap((old, at) => (at === k ? now : [old])));
    const as = (kind) => () => replace([kind + names.join()]);
    return make("div.plot-tools", {},
      prefix ? press("time", "Plot over time", as("")) : null,
      !prefix && names.length > 1 ? press("x–y", "x–y: plot the second over the first", as("xy:")) : null,
      prefix === "fft:" ? null : press("FFT", "FFT: amplitudes over frequency, of the shown time", as("fft:")),
      press("PNG", "Save as a PNG picture", async () => download(`${names.join("_").replace(/[^\w.-]+/g, "_")}.png`, await view.png())),
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
    const own = this._variables().filter((name) => !name.includes("@"));
    const fields = new URLSearchParams(own.map((name) => ["var", name]));
    if (this.range) for (const [key, value] of [["from", this.range[0]], ["to", this.range[1]]]) fields.set(key, value);
    const answer = await trying(() => answered(`/api/source/${encodeURIComponent(this.page.layout.source)}/csv?${fields}`, {}, "The values could not be read."));
    if (answer) download("values.csv", await answer.blob());
  }
}

/** The time of all curves: from the first to the last value. */
function whole(times, now) {
  const [first, last] = [Math.min(now, ...times.map((t) => t[0] ?? now)), Math.max(now, ...times.map((t) => t.at(-1) ?? now))];
  return last > first ? [first, last] : [first, first + 1];
}
