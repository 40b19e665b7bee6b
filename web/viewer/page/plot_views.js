// One plot: over time or frequency by uPlot, or one variable over another on a canvas.

import { roundLength } from "./camera.js";
import { clock, disc, fixed, line, make, say, sized } from "./dom.js";
import { palette } from "./draw.js";
import { spectrum, valueAt, within, wrapped } from "./signals.js";
import { indexAt } from "./tracks.js";

const INKS = ["#e69f00", "#56b4e9", "#33c19a", "#e8703a", "#d98cb8", "#9aa7f0"];
const LIGHT_INKS = ["#9a6200", "#0b6a94", "#0b7a5a", "#b3441a", "#9c3f78", "#4450b8"];
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];
const MOST_AXES = 3;
const AXIS = 56; // width of an axis with its figures [px]
const MARGIN = 8; // right of the last figure of the time axis [px]
const DEGREES = [1, 2, 5, 10, 15, 30, 45, 90, 180]; // between the figures of an axis of angles

const inkOf = (look, k) => (look.dark ? INKS : LIGHT_INKS)[k % INKS.length];

/** Which variables share an axis: those whose ranges overlap by a fifth of the wider; null has none. */
export function axesOf(ranges) {
  const axes = [];
  return ranges.map((range) => {
    if (!range) return 0; // there is nothing to be drawn
    const [low, high] = range;
    const at = axes.findIndex(([bottom, top]) => Math.min(high, top) - Math.max(low, bottom) >= 0.2 * Math.max(high - low, top - bottom));
    if (at >= 0) {
      axes[at] = [Math.min(low, axes[at][0]), Math.max(high, axes[at][1])];
      return at;
    }
    if (axes.length === MOST_AXES) return MOST_AXES - 1;
    return axes.push([low, high]) - 1;
  });
}

function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}

/** Angles within their circle, with a gap at each jump from one end to the other. */
function unbroken(series) {
  const { t, v, circle } = series;
  if (!circle) return series;
  const result = { t: [], v: [] };
  let last = NaN;
  t.forEach((when, k) => {
    const value = wrapped(v[k], circle);
    if (Math.abs(value - last) > circle[1] / 2) {
      result.t.push((when + result.t.at(-1)) / 2);
      result.v.push(null);
    }
    result.t.push(when);
    result.v.push((last = value));
  });
  return result;
}

/** The line of angles: none across a gap, even if its ends are in one column of pixels. */
function broken(plot, series, first, last) {
  const stroke = new Path2D();
  const values = plot.data[series];
  let drawing = false;
  for (let k = first; k <= last; k++) {
    if (values[k] === undefined) continue; // a time of another curve
    const place = values[k] === null ? null : [plot.valToPos(plot.data[0][k], "x", true), plot.valToPos(values[k], plot.series[series].scale, true)];
    if (place) stroke[drawing ? "lineTo" : "moveTo"](...place);
    drawing = place !== null;
  }
  return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 1 };
}

const figures = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "–");

/** What a plot by uPlot can do, over time or over frequency. */
class UPlotView {
  resize() {
    this.plot?.setSize(this._size());
  }

  png() {
    const { canvas } = this.plot.ctx;
    const copy = make("canvas", { width: canvas.width, height: canvas.height });
    const ctx = copy.getContext("2d");
    ctx.fillStyle = palette().paper;
    ctx.fillRect(0, 0, copy.width, copy.height);
    ctx.drawImage(canvas, 0, 0);
    return new Promise((done) => copy.toBlob(done, "image/png"));
  }

  close() {
    this.plot?.destroy();
    this.plot = null;
  }
}

export class TimePlot extends UPlotView {
  constructor(deck, names) {
    super();
    this.deck = deck;
    this.names = names;
    this.note = make("p.wrong.plot-note");
    this.box = make("div.plot", { role: "group", aria: { label: `Plot of ${names.join(", ")} over time` } }, this.note);
    this.key = "";
  }

  /** Read the curves; return the number of axes on the right. */
  read() {
    this.all = this.names.map((name) => this.deck.curve(name));
    this.axes = axesOf(this.all.map(({ t, v, circle }) => (!t.length ? null : circle ? [circle[0], circle[0] + circle[1]] : rangeOf(v))));
    return Math.max(...this.axes);
  }

  /**
   * Draw it.
   * @param {number[]} span of time
   * @param {number} now the time cursor
   * @param {number} rights number of axes on the right for which there is room, as in the other plots
   * @param {boolean} last whether it bears the figures of the time axis
   */
  draw(span, now, rights, last) {
    const { all, axes } = this;
    const trouble = all.map((one, k) => (one.trouble ? `${this.names[k]} ${one.trouble}` : "")).filter(Boolean).join("; ");
    const key = `${axes} ${rights} ${last} ${trouble} ${all.map(({ circle }) => circle)}`;
    say(this.note, trouble);
    if (!this.plot || key !== this.key) this._build(axes, rights, last);
    else if (this._size().height !== this.plot.height) this.resize();
    this.key = key;
    this.now = now;
    const length = all.map(({ t }) => `${t.length} ${t[0]} ${t.at(-1)}`).join();
    if (length !== this.length) {
      this.length = length;
      this.plot.setData(window.uPlot.join(all.map(unbroken).map(({ t, v }) => [t, v])), false);
    }
    this.plot.setScale("x", { min: span[0], max: span[1] });
    if (this.plot.cursor.left < 0) this.plot.setLegend({ idx: indexAt(this.plot.data[0], now) });
  }

  _size() {
    const rest = 20 + this.note.offsetHeight + (this.box.querySelector(".u-legend")?.offsetHeight ?? 24);
    return { width: Math.max(120, this.box.clientWidth - 4), height: Math.max(80, this.box.clientHeight - rest) };
  }

  _build(axes, rights, last) {
    this.close();
    this.length = "";
    const look = palette();
    const series = this.names.map((name, k) => ({
      label: name, scale: `y${axes[k]}`, stroke: inkOf(look, k), width: 1.5, dash: DASHES[Math.floor(k / INKS.length) % DASHES.length], ...(this.all[k].circle ? { paths: broken } : {}),
      value: (plot, value, _, at) => figures(value ?? valueAt(this.deck.curve(name), plot.data[0][at] ?? this.now)), points: { show: false },
    }));
    const lines = { stroke: look.grid, width: 1 };
    const y = [...new Set(axes)].sort().map((at) => ({
      scale: `y${at}`, side: at ? 1 : 3, size: AXIS, font: `11px ${look.sans}`, grid: { ...lines, show: at === 0 }, ticks: lines,
      stroke: axes.filter((one) => one === at).length === 1 ? inkOf(look, axes.indexOf(at)) : look.soft,
      ...(this._circle(at)?.[1] === 360 ? { incrs: DEGREES } : {}),
    }));
    const scales = Object.fromEntries(y.map(({ scale }, at) => [scale, { range: (plot, low, high) => this._range(at, low, high) }]));
    const x = { stroke: look.soft, font: `11px ${look.sans}`, grid: lines, ticks: lines, size: last ? 30 : 6, values: (_, ticks) => ticks.map((t) => (last ? clock(t, t % 1 ? 1 : 0) : "")) };
    this.plot = new window.uPlot({
      ...this._size(), padding: [6, MARGIN + AXIS * (rights - Math.max(...axes)), 0, 0], scales: { x: { time: false }, ...scales }, series: [{ label: "t", value: (_, t) => clock(t ?? this.now, 2) }, ...series], axes: [x, ...y],
      cursor: { sync: { key: "time" }, drag: { x: true, y: false, setScale: false }, bind: { dblclick: () => () => this.deck.zoom(null) } },
      hooks: { draw: [(plot) => this._cursor(plot, look)], setSelect: [(plot) => this._select(plot)] },
    }, [[], ...this.names.map(() => [])], this.box);
    this.plot.over.addEventListener("click", () => this._click());
    this.deck.refresh(); // then the legend has its height
  }

  /** The range of an axis: of angles the circle; without values one, so that the plots stay aligned. */
  _range(at, low, high) {
    const circle = this._circle(at);
    if (circle) return [circle[0], circle[0] + circle[1]];
    return low === null || low > high ? [0, 1] : window.uPlot.rangeNum(low, high, 0.1, true);
  }

  /** The circle of an axis on which all are angles. */
  _circle(axis) {
    const those = this.all.filter((_, k) => this.axes[k] === axis);
    return those.every(({ circle }) => circle) ? those[0]?.circle : undefined;
  }

  _cursor(plot, look) {
    const column = Math.round(plot.valToPos(this.now, "x", true));
    const { left, width, top, height } = plot.bbox;
    if (column < left || column > left + width) return;
    plot.ctx.fillStyle = look.cursor;
    plot.ctx.fillRect(column, top, 1.5 * devicePixelRatio, height);
  }

  _select(plot) {
    const { left, width } = plot.select;
    if (width < 5) return;
    const range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
    plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.zoomed = performance.now();
    this.deck.zoom(range);
  }

  /** A click moves the time cursor of a log. */
  _click() {
    const { page } = this.deck;
    if (!page.picture.replay || performance.now() - (this.zoomed ?? -1e9) < 300) return;
    const t = this.plot.posToVal(this.plot.cursor.left, "x");
    if (Number.isFinite(t)) page.do("seek", { t });
  }
}

/** The amplitudes of curves in the shown time over frequency. */
export class SpectrumPlot extends UPlotView {
  constructor(deck, names) {
    super();
    this.deck = deck;
    this.names = names;
    this.box = make("div.plot", { role: "group", aria: { label: `Spectrum of ${names.join(", ")}` } });
  }

  async draw(span) {
    const key = `${span} ${this.names.map((name) => this.deck.curve(name).t.length)}`;
    if (key === this.key || this.reading) return;
    this.reading = true;
    const curves = await this.deck.exact(this.names, span).finally(() => (this.reading = false));
    this.key = key;
    this.spectra = curves.map((curve) => spectrum(within(curve, span)));
    if (!this.plot) this._build();
    this.plot.setData(window.uPlot.join(this.spectra.map(({ t, v }) => [t, v])));
    this.resize();
    this.deck.refresh(); // the span may have changed meanwhile
  }

  _size() {
    return { width: Math.max(120, this.box.clientWidth - 4), height: Math.max(80, this.box.clientHeight - 46) };
  }

  _build() {
    const look = palette();
    const axis = { stroke: look.soft, font: `11px ${look.sans}`, grid: { stroke: look.grid, width: 1 }, ticks: { stroke: look.grid, width: 1 } };
    const series = this.names.map((name, k) => ({ label: `amplitude of ${name}`, stroke: inkOf(look, k), width: 1.5, value: (_, value) => figures(value), points: { show: false } }));
    this.plot = new window.uPlot({
      ...this._size(), scales: { x: { time: false } }, axes: [{ ...axis, size: 30 }, { ...axis, size: AXIS }],
      series: [{ label: "Hz", value: (_, value) => figures(value) }, ...series],
    }, [[], ...this.names.map(() => [])], this.box);
  }
}

export class XYPlot {
  constructor(deck, names) {
    this.deck = deck;
    this.names = names.slice(0, 2);
    this.canvas = make("canvas", { role: "img", aria: { label: `${names[1]} over ${names[0]}` } });
    this.words = make("p.quiet.plot-words");
    this.box = make("div.plot.xy", { role: "group", aria: { label: `${names[1]} over ${names[0]}` } }, this.canvas, this.words);
  }

  resize() {
    this.deck.refresh();
  }

  draw(span, now) {
    const [a, b] = this.names.map((name) => this.deck.curve(name));
    const points = paired(a, b, span);
    const { canvas } = this;
    const [wide, high] = [this.box.clientWidth, this.box.clientHeight - 42];
    if (wide < 20 || high < 20) return;
    paintXY(sized(canvas, wide, high), palette(), this.names, points, [wide, high], [valueAt(a, now), valueAt(b, now)]);
    say(this.words, `${this.names[1]} over ${this.names[0]}`);
  }

  png() {
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  close() {}
}

function paired(a, b, span) {
  const points = [];
  a.t.forEach((t, k) => {
    if (span && (t < span[0] || t > span[1])) return;
    const y = valueAt(b, t);
    if (Number.isFinite(y)) points.push([a.v[k], y]);
  });
  return points;
}

function paintXY(ctx, look, names, points, [wide, high], [x, y]) {
  ctx.fillStyle = look.paper;
  ctx.fillRect(0, 0, wide, high);
  if (!points.length) return;
  const [left, bottom] = [54, 24];
  const across = padded(rangeOf(points.map(([u]) => u)));
  const along = padded(rangeOf(points.map(([, v]) => v)));
  if (alike(names)) level(across, along, (wide - left - 8) / (high - bottom - 8));
  const column = (u) => left + ((u - across[0]) / (across[1] - across[0])) * (wide - left - 8);
  const row = (v) => high - bottom - ((v - along[0]) / (along[1] - along[0])) * (high - bottom - 8);
  ctx.font = `11px ${look.sans}`;
  ctx.fillStyle = look.soft;
  ctx.strokeStyle = look.grid;
  ctx.textAlign = "center";
  for (const tick of ticks(across, wide / 80)) {
    line(ctx, column(tick), 8, column(tick), high - bottom);
    ctx.fillText(figure(tick, across), column(tick), high - 8);
  }
  ctx.textAlign = "right";
  for (const tick of ticks(along, high / 40)) {
    line(ctx, left, row(tick), wide - 8, row(tick));
    ctx.fillText(figure(tick, along), left - 6, row(tick) + 4);
  }
  ctx.strokeStyle = inkOf(look, 0);
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (const [u, v] of points) ctx.lineTo(column(u), row(v));
  ctx.stroke();
  disc(ctx, column(x), row(y), 4.5, look.cursor);
}

/** Whether two variables are the coordinates of one place, to be drawn without distortion. */
const alike = ([a, b]) => /X$/.test(a) && /Y$/.test(b);

function level(across, along, shape) {
  const want = (range, size) => {
    const more = (size - (range[1] - range[0])) / 2;
    range[0] -= more;
    range[1] += more;
  };
  const [width, height] = [across[1] - across[0], along[1] - along[0]];
  if (width / height < shape) want(across, height * shape);
  else want(along, width / shape);
}

const figure = (value, [low, high]) => fixed(value, Math.max(0, Math.ceil(1 - Math.log10(high - low))));

const padded = ([low, high]) => (high > low ? [low - 0.04 * (high - low), high + 0.04 * (high - low)] : [low - 0.5, high + 0.5]);

function ticks([low, high], most) {
  const step = roundLength((high - low) / Math.max(2, most));
  const result = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) result.push(k * step);
  return result;
}
