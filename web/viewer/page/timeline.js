// Time line of a log: a slider, with the helm's modes and active behaviors as bands.

import { byId, clock, hearing, make, say, sized } from "./dom.js";
import { palette } from "./draw.js";

const HIGH = 24; // of the canvas: bands, and marks below them [px]
/** Colours of marks by kind, the most important last. */
const KINDS = [
  [/^(mode|active|behavior|case|time|all-stop)$/, "soft"], [/^(poke|button)$/, "accent"], [/^(alert|near miss|breach|warning)$/, "brass"],
  [/^(note)$/, "ink"], [/^(error|refused|collision|aground)$/, "wrong"],
];
const BANDS = ["#5e8fb0", "#c58b3f", "#5fa384", "#a878ad", "#b46a6a", "#86895a", "#6f7fc4", "#9b8f80"];

export default function timeline(page, bar) {
  return new Line(page, bar);
}

class Line {
  constructor(page, bar) {
    this.page = page;
    this.bar = bar;
    this.modes = [];
    const [first, last] = page.picture.hello.span;
    this.span = [first, Math.max(last ?? first, first + 0.1)];
    this.slider = make("input", {
      type: "range", min: this.span[0], max: this.span[1], step: 0.1, value: page.picture.t,
      aria: { label: "Time cursor" }, on: { input: () => this._drag(), keydown: (event) => event.key !== "Tab" && event.stopPropagation() },
    });
    this.canvas = make("canvas", { role: "img", aria: { label: "Modes of the helm over time" } });
    this.canvas.addEventListener("click", (event) => bar.seek(this._time(event.offsetX)));
    this.canvas.addEventListener("pointermove", (event) => (this.canvas.title = this._words(this._time(event.offsetX))));
    this.begin = make("span.num.quiet", { text: clock(this.span[0], 0) });
    this.end = make("span.num.quiet", { text: clock(this.span[1], 0) });
    byId("timeline").replaceChildren(this.begin, make("div", {}, this.canvas, this.slider), this.end);
    new ResizeObserver(() => this._paint()).observe(this.canvas);
    this._load();
    const { picture } = page;
    /** Stop hearing of the picture: another source is shown. */
    this.close = hearing([picture, "select", () => this._load()], [picture, "vessels", () => this.modes.length || this._load()], [picture, "marks", () => this._paint()]);
  }

  /** Show the time cursor, unless it is being dragged. */
  now(t) {
    if (!this.slider.matches(":active")) this.slider.value = t;
    this.slider.setAttribute("aria-valuetext", clock(t));
  }

  _drag() {
    const t = Number(this.slider.value);
    say(byId("clock"), clock(t));
    if (this.busy) {
      this.wanted = t;
      return;
    }
    this.busy = true;
    this.bar.seek(t).then(() => {
      this.busy = false;
      if (this.wanted === undefined) return;
      this.wanted = undefined;
      this._drag();
    });
  }

  async _load() {
    const { picture, wire } = this.page;
    const community = picture.chosen?.community || picture.hello.communities[0];
    if (!community || community === this.community || !wire.open || !picture.can("helm_history")) return;
    this.community = community;
    try {
      const told = await wire.do("helm_history", { community });
      this.modes = told.t.map((t, k) => ({ t, mode: told.mode[k], active: told.active[k] ?? [] }));
    } catch {
      this.modes = [];
    }
    this._paint();
  }

  _time(column) {
    const [first, last] = this.span;
    return first + (column / this.canvas.clientWidth) * (last - first);
  }

  _at(t) {
    return this.modes.findLast((entry) => entry.t <= t);
  }

  _words(t) {
    const entry = this._at(t);
    const band = entry ? `${clock(t)}  ${entry.mode}${entry.active.length ? `: ${entry.active.join(", ")}` : ""}` : clock(t);
    return [band, ...this._near(t)].join("\n");
  }

  _paint() {
    const { canvas } = this;
    const wide = canvas.clientWidth;
    if (!wide) return;
    const ctx = sized(canvas, wide, HIGH);
    const [first, last] = this.span;
    const kinds = [...new Set(this.modes.map(keyOf))];
    this.modes.forEach((entry, k) => {
      const from = ((entry.t - first) / (last - first)) * wide;
      const to = k + 1 < this.modes.length ? ((this.modes[k + 1].t - first) / (last - first)) * wide : wide;
      ctx.fillStyle = BANDS[kinds.indexOf(keyOf(entry)) % BANDS.length];
      ctx.fillRect(from, 2, Math.max(1, to - from - 0.5), 12);
      label(ctx, entry.active[0] ?? entry.mode, from, to);
    });
    this._paintMarks(ctx, wide);
  }

  /** Ticks below the bands: the most important kinds are drawn last. */
  _paintMarks(ctx, wide) {
    const [first, last] = this.span;
    const { marks } = this.page.picture;
    const look = palette();
    for (const [pattern, color] of KINDS) {
      ctx.fillStyle = look[color];
      for (const { t, kind } of marks) if (pattern.test(kind)) ctx.fillRect(((t - first) / (last - first)) * wide - 1, 16, 2, HIGH - 16);
    }
  }

  /** The marks near a time, as text. */
  _near(t) {
    const [first, last] = this.span;
    const reach = (4 / this.canvas.clientWidth) * (last - first);
    return this.page.picture.marks.filter((mark) => Math.abs(mark.t - t) <= reach).slice(0, 8).map((mark) => `${clock(mark.t)}  ${mark.kind}: ${mark.text}`);
  }
}

const keyOf = (entry) => `${entry.mode} ${entry.active.map((name) => name.split("$")[0]).join()}`;

function label(ctx, text, from, to) {
  ctx.font = "10px sans-serif";
  const short = text.split("$")[0];
  if (ctx.measureText(short).width > to - from - 8) return;
  ctx.fillStyle = "#000";
  ctx.textBaseline = "middle";
  ctx.fillText(short, from + 4, 8.5);
}
