// The map: a canvas with pan, zoom, measuring, clicks and menu, and its layers.

import { Camera } from "./camera.js";
import { byId, fixed, line, make, nextFrame, say } from "./dom.js";
import * as draw from "./draw.js";
import { StillLayer, TrackLayer } from "./layers.js";
import { PULSES, shape, still } from "./shapes.js";
import { grower, nothing } from "./tracks.js";

const NEAR = 18; // tolerance of a click on a vessel [px]
const FINGER_STILL = 6; // movement of a pointer up to which it is a click [px]
const LONG_PRESS = 550; // duration of a touch that opens the menu [ms]
const LABELS_EVERY = 1000; // least time between placings of the labels of drawings beside moving names [ms]
const TRAILS = { all: Infinity, "10 min": 600, "1 min": 60, none: 0 };

export class PlanView extends EventTarget {
  /** @param {Picture} picture what to show @param {object} options see `defaults` */
  constructor(picture, options) {
    super();
    this.picture = picture;
    this.options = options;
    this.camera = new Camera();
    this.canvas = byId("map");
    this.ctx = this.canvas.getContext("2d");
    this.tracks = new TrackLayer();
    this.ahead = new TrackLayer(0.25); // future tracks of a log, faint
    this.shapes = new StillLayer();
    this.ships = new StillLayer();
    this.others = []; // runs beside this one: here, there (their names), tracks, ships(look), paint(ctx, camera, look)
    this.background = []; // functions that draw below everything
    this.hidden = new Set();
    this.taken = { camera: this.camera, boxes: [] }; // by vessels and their names, as drawn last [px]
    this.beside = { names: "", at: -Infinity }; // what the labels of drawings were placed beside last, and when
    this.line = null;
    this.measuring = false;
    this.grips = null; // of points that can be moved: grab(column, row), drag(point), drop(), draw(ctx, camera, look)
    this.range = null; // the time span of tracks that are drawn; null for all
    this.offset = [0, 0];
    this.touched = false;
    this.drawn = 0;
    this.milliseconds = 0;
    this._pointers = new Map();
    this.restyle();
    new ResizeObserver(() => this._resize()).observe(this.canvas.parentElement);
    this._listen();
    for (const kind of ["scene", "tracks", "shapes", "vessels", "select", "picture"]) picture.addEventListener(kind, () => this.refresh());
    picture.addEventListener("picture", () => this.touched || this.fit());
    picture.addEventListener("vessels", () => this.touched || this.fit());
    picture.addEventListener("tracks", ({ detail }) => detail || this.touched || this.fit());
    this._resize();
  }

  /** The display options, with their defaults. */
  static defaults() {
    return { follow: false, vectors: false, cpa: false, rings: false, trail: "all", labels: true, drawingLabels: true, seconds: 30 };
  }

  /** Update the colours after a change of the theme. */
  restyle() {
    this.look = draw.palette();
    this.theme = document.documentElement.dataset.theme;
    this.picture.paint(this.theme);
    this.refresh();
  }

  /** Request drawing in the next animation frame. */
  refresh = nextFrame(() => this._draw());

  /** Show all vessels, tracks and shapes. */
  fit() {
    const box = boxOf(this.picture, this.others);
    if (!box) return;
    this.camera.fit(box);
    this.offset = [0, 0];
    this.refresh();
  }

  /** Centre the view at a point, from the address or a panel. */
  look_at(x, y, scale) {
    Object.assign(this.camera, { x, y, scale: scale ?? this.camera.scale });
    this.touched = true;
    this.refresh();
  }

  /** Turn following on or off; a pan while it is on shifts the vessel's position in the view. */
  follow(on = !this.options.follow) {
    this.options.follow = on;
    this.offset = [0, 0];
    this.touched = true;
    this._changed();
  }

  /** Turn an option on or off. */
  toggle(name) {
    this.options[name] = !this.options[name];
    this._changed();
  }

  /** Measure with the next drag, or stop measuring. */
  measure(on = !this.measuring) {
    this.measuring = on;
    if (!on) this.line = null;
    this._changed();
  }

  /** The position of a vessel on the canvas [px], for tests. */
  place(name) {
    const ship = this.picture.vessel(name);
    return ship ? [this.camera.column(ship.x), this.camera.row(ship.y)] : null;
  }

  /** An image of the map. */
  png() {
    this._draw();
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  _changed() {
    this.dispatchEvent(new Event("options"));
    this.refresh();
  }

  _resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement;
    if (!clientWidth || !clientHeight) return;
    const first = this.camera.width <= 1;
    this.ratio = devicePixelRatio || 1;
    this.camera.width = clientWidth;
    this.camera.height = clientHeight;
    const narrow = matchMedia("(max-width: 760px)").matches;
    this.camera.inset = { left: narrow ? 60 : 48, bottom: narrow ? 96 : 0 };
    this.canvas.width = Math.round(clientWidth * this.ratio);
    this.canvas.height = Math.round(clientHeight * this.ratio);
    if (first && !this.touched) this.fit();
    this._draw();
  }

  _draw() {
    const { ctx, camera, look, picture } = this;
    const begun = performance.now();
    this._follow();
    if (!this.touched) this._keepIn();
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    draw.grid(ctx, camera, look);
    for (const paint of this.background) paint(ctx, camera, look);
    const { hidden, options: { drawingLabels: labels } } = this;
    const drawn = `${picture.shapesVersion} ${this.theme} ${labels} ${[...hidden].join()} ${picture.selected} ${picture.roster} ${this.beside.names}`;
    this.shapes.show(ctx, camera, this.ratio, drawn, (on, seen) => still(on, seen, look, picture, { hidden, labels, taken: this._takenIn(seen) }));
    const more = this._tracks();
    for (const what of picture.shapes.values()) if (PULSES.has(what.kind) && !hidden.has(what.kind)) shape(ctx, camera, look, what, picture);
    const { selected, scenes, tracksVersion } = picture;
    const beside = this.others.map(({ there }) => there).join();
    const shown = `${scenes} ${tracksVersion} ${this.theme} ${selected} ${JSON.stringify(this.options)} ${beside}`;
    this.ships.show(ctx, camera, this.ratio, shown, (on, seen) => this._ships(on, seen));
    this._beside();
    this.grips?.draw(ctx, camera, look);
    if (this.line) draw.measured(ctx, camera, look, this.line);
    draw.furniture(ctx, camera, look, camera.inset, this._takenIn(camera));
    this.drawn += 1;
    this.milliseconds = performance.now() - begun;
    if (more) this.refresh();
  }

  _tracks() {
    const { ctx, camera, picture } = this;
    const longest = TRAILS[this.options.trail] ?? Infinity;
    if (!longest) return false;
    const [begin, end] = this.range ?? [-Infinity, Infinity];
    const now = Math.min(end, picture.replay ? picture.t : Infinity);
    const from = Math.max(begin, longest === Infinity ? -Infinity : Math.floor((picture.t - longest) / 5) * 5);
    const scene = { vessels: picture.vessels, version: picture.tracksVersion, until: now, from, theme: this.theme, ratio: this.ratio };
    let more = picture.replay && this.ahead.show(ctx, camera, { ...scene, until: end, from: begin }, this.tracks.job !== null);
    more = this.tracks.show(ctx, camera, scene) || more;
    if (!more && picture.t <= end) for (const ship of picture.vessels) this._tail(ship);
    for (const other of this.others) other.paint(ctx, camera, this.look);
    return more;
  }

  /** Connect the drawn tracks to the vessel, and future ones to the log's last point. */
  _tail(ship) {
    if (Number.isFinite(ship.x)) this._join(this.tracks, ship, [ship.x, ship.y]);
    if (this.picture.replay && ship.track.last) this._join(this.ahead, ship, ship.track.last.slice(1));
  }

  _join(layer, ship, [x, y]) {
    const end = layer.endOf(ship, this.camera);
    if (!end) return;
    const { ctx, camera } = this;
    ctx.strokeStyle = ship.ink;
    ctx.globalAlpha = layer.opacity;
    ctx.lineWidth = 1.6;
    line(ctx, camera.column(end[0]), camera.row(end[1]), camera.column(x), camera.row(y));
    ctx.globalAlpha = 1;
  }

  _ships(ctx, camera) {
    const { look, picture, options } = this;
    const here = picture.vessels.filter((ship) => Number.isFinite(ship.x));
    const chosen = picture.chosen;
    if (options.rings && chosen && Number.isFinite(chosen.x)) draw.rings(ctx, camera, look, chosen);
    if (options.vectors) draw.velocities(ctx, camera, look, here, options.seconds);
    const size = here.length > 60 ? 15 : 24;
    for (const ship of here) draw.vessel(ctx, camera, look, ship, { selected: ship.name === picture.selected, size });
    const beside = this.others.flatMap((other) => other.ships(look));
    for (const ship of beside) draw.vessel(ctx, camera, look, ship, { size });
    const [other] = this.others;
    const named = other ? [...here.map((ship) => ({ ...ship, label: `${ship.name} (${other.here})` })), ...beside] : here;
    this.taken = { camera: camera.copy(), boxes: draw.names(ctx, camera, look, options.labels, named, picture.selected, size) };
    if (options.cpa && chosen && Number.isFinite(chosen.x)) draw.approaches(ctx, camera, look, chosen, here);
  }

  /** The boxes of vessels and their names for another camera of the same scale. */
  _takenIn(camera) {
    const { camera: from, boxes } = this.taken;
    if (from.scale !== camera.scale) return [];
    const [right, down] = [camera.column(from.x) - from.width / 2, camera.row(from.y) - from.height / 2];
    return boxes.map((box) => ({ left: box.left + right, right: box.right + right, top: box.top + down, bottom: box.bottom + down }));
  }

  /** Have the labels of drawings placed again when names have moved. */
  _beside() {
    const names = `${this.picture.scenes} ${this.camera.scale}`;
    if (names === this.beside.names) return;
    const wait = this.beside.at + LABELS_EVERY - performance.now();
    clearTimeout(this.beside.timer);
    if (wait > 0) this.beside.timer = setTimeout(() => this.refresh(), wait);
    else {
      this.beside = { names, at: performance.now() };
      this.refresh();
    }
  }

  _follow() {
    const ship = this.picture.chosen;
    if (!this.options.follow || !ship || !Number.isFinite(ship.x)) return;
    this.camera.x = ship.x + this.offset[0];
    this.camera.y = ship.y + this.offset[1];
  }

  /** Widen the view when a vessel leaves it, until the user has changed the view. */
  _keepIn() {
    const { left, right, bottom, top } = this.camera.bounds;
    const out = (ship) => ship.x < left || ship.x > right || ship.y < bottom || ship.y > top;
    const box = this.picture.vessels.some(out) && boxOf(this.picture, this.others);
    if (box) this.camera.fit(box, 1.5);
  }

  /** Pan the view; a followed vessel keeps its new position in it. */
  _pan(columns, rows) {
    this.camera.pan(columns, rows);
    this.offset[0] -= columns / this.camera.scale;
    this.offset[1] += rows / this.camera.scale;
    this.touched = true;
    this.refresh();
  }

  _zoom(factor, column, row) {
    const { x, y } = this.camera;
    this.camera.zoom(factor, column, row);
    this.offset[0] += this.camera.x - x;
    this.offset[1] += this.camera.y - y;
    this.touched = true;
    this.refresh();
  }

  _listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this._down(event));
    canvas.addEventListener("pointermove", (event) => this._move(event));
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => this._up(event));
    canvas.addEventListener("pointerleave", () => say(byId("cursor"), ""));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this._zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this._menu("right", event.offsetX, event.offsetY);
    });
    canvas.addEventListener("dblclick", (event) => this._zoom(2, event.offsetX, event.offsetY));
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  _down(event) {
    if (event.button !== 0) return;
    this.canvas.focus({ preventScroll: true });
    this.canvas.setPointerCapture(event.pointerId);
    this._pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this._start = { x: event.offsetX, y: event.offsetY, still: true };
    if (this.grips?.grab(event.offsetX, event.offsetY)) {
      this._start.held = true;
      return;
    }
    if (this.measuring || event.shiftKey) {
      const point = this.camera.point(event.offsetX, event.offsetY);
      this.line = [point, point];
    } else if (event.pointerType === "touch") {
      this._start.timer = setTimeout(() => this._start?.still && this._menu("right", event.offsetX, event.offsetY), LONG_PRESS);
    }
  }

  _move(event) {
    this._say(event.offsetX, event.offsetY);
    const old = this._pointers.get(event.pointerId);
    if (!old || !this._start) return;
    const [dx, dy] = [event.offsetX - old[0], event.offsetY - old[1]];
    if (this._start.still && Math.hypot(event.offsetX - this._start.x, event.offsetY - this._start.y) < FINGER_STILL) return;
    this._start.still = false;
    if (this._start.held) {
      this.grips?.drag(this.camera.point(event.offsetX, event.offsetY));
      this.refresh();
      return;
    }
    const before = this._spread();
    this._pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (this._pointers.size === 2) this._pinch(before);
    else if (this.measuring || event.shiftKey) this._stretch(event);
    else this._pan(dx, dy);
  }

  _stretch(event) {
    if (!this.line) return;
    this.line[1] = this.camera.point(event.offsetX, event.offsetY);
    this.dispatchEvent(new CustomEvent("measured", { detail: draw.measureWords(...this.line) }));
    this.refresh();
  }

  _spread() {
    const [a, b] = [...this._pointers.values()];
    return b && { distance: Math.hypot(a[0] - b[0], a[1] - b[1]), x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2 };
  }

  _pinch(before) {
    const now = this._spread();
    this._pan(now.x - before.x, now.y - before.y);
    this._zoom(now.distance / Math.max(1, before.distance), now.x, now.y);
  }

  _up(event) {
    this._pointers.delete(event.pointerId);
    clearTimeout(this._start?.timer);
    const start = this._start;
    if (!this._pointers.size) this._start = null;
    if (start?.held) {
      if (!start.still) this.grips?.drop(event.type === "pointerup");
      return;
    }
    if (event.type !== "pointerup" || !start?.still || this.measuring || event.shiftKey) return;
    const ship = this._hit(event.offsetX, event.offsetY);
    if (ship) this.picture.select(ship.name);
    else if (this.contexts("left").length) this._menu("left", event.offsetX, event.offsetY);
  }

  _hit(column, row) {
    let best = null;
    let nearest = NEAR;
    for (const ship of this.picture.vessels) {
      const distance = Math.hypot(this.camera.column(ship.x) - column, this.camera.row(ship.y) - row);
      if (distance < nearest) [best, nearest] = [ship, distance];
    }
    return best;
  }

  /** The mission's click contexts of a side: [{community, context}]. */
  contexts(side) {
    const blocks = this.picture.hello?.viewer ?? [];
    return blocks.flatMap(({ community, contexts }) => (contexts?.[side] ?? []).map((context) => ({ community, context })));
  }

  _menu(side, column, row) {
    const [x, y] = this.camera.point(column, row);
    const detail = { side, column, row, x, y, vessel: this._hit(column, row)?.name ?? this.picture.selected };
    this.dispatchEvent(new CustomEvent("menu", { detail }));
  }

  _say(column, row) {
    const [x, y] = this.camera.point(column, row);
    this.dispatchEvent(new CustomEvent("cursor", { detail: { x, y } }));
    say(byId("cursor"), `x ${fixed(x, 1).padStart(8)}  y ${fixed(y, 1).padStart(8)} m${this._degrees ?? ""}`);
  }

  /** Latitude and longitude at the cursor, as text. */
  set degrees(text) {
    this._degrees = text ? `\n${text}` : "";
    const readout = byId("cursor");
    if (readout.textContent) say(readout, readout.textContent.split("\n")[0] + this._degrees);
  }

  _key(event) {
    const far = event.shiftKey ? 160 : 40;
    const moves = { ArrowLeft: [far, 0], ArrowRight: [-far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (moves[event.key]) this._pan(...moves[event.key]);
    else if (event.key === "+" || event.key === "PageUp") this._zoom(1.3);
    else if (event.key === "_" || event.key === "PageDown") this._zoom(1 / 1.3);
    else if (event.key === "Enter" || event.key === "ContextMenu") this._menu(event.key === "Enter" ? "left" : "right", this.camera.width / 2, this.camera.height / 2);
    else if (event.key === "Escape") this.measure(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * The box of all that is in a picture, or null when there is nothing. A drawing that would make the
 * view many times larger than the others, as one far away, is left out.
 */
export function boxOf(picture, others = []) {
  const box = shipsBox(picture);
  for (const { x, y } of others.flatMap(({ tracks }) => tracks)) x.forEach((east, k) => grower(box)(east, y[k]));
  const drawings = [...picture.shapes.values()].map(shapeBox).filter((one) => one.right >= one.left);
  drawings.sort((a, b) => sizeOf(a) - sizeOf(b));
  for (const one of drawings) {
    const both = joined(box, one);
    if (box.right >= box.left && sizeOf(both) > Math.max(FAR, TOO_FAR * sizeOf(box))) continue;
    Object.assign(box, both);
  }
  return box.right >= box.left ? box : null;
}

const FAR = 20_000; // extent of a view that is not too large in any case [m]
const TOO_FAR = 10; // how many times larger a drawing may make a view
const sizeOf = (box) => Math.max(box.right - box.left, box.top - box.bottom);
const joined = (a, b) => ({ left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), bottom: Math.min(a.bottom, b.bottom), top: Math.max(a.top, b.top) });

function shipsBox(picture) {
  const box = nothing();
  const grow = grower(box);
  for (const ship of picture.vessels) {
    grow(ship.x, ship.y);
    const track = ship.track.box;
    if (track) {
      grow(track.left, track.bottom);
      grow(track.right, track.top);
    }
  }
  return box;
}

function shapeBox(what) {
  const box = nothing();
  const grow = grower(box);
  for (const [x, y] of what.pts ?? []) grow(x, y);
  grow(what.x, what.y, what.radius ?? 0);
  return box;
}

/** The buttons beside the map. */
export function tools(plan, more) {
  const rows = [
    ["fit", "Fit", "Fit", "Show everything (f)", "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", () => plan.fit()],
    ["follow", "Follow", "Follow", "Follow the selected vessel (c)", "M12 3v4M12 17v4M3 12h4M17 12h4M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", () => plan.follow()],
    null,
    ["measure", "Measure", "Measure", "Measure: drag (m)", "M3 17 17 3l4 4L7 21ZM7 13l2 2M10 10l2 2M13 7l2 2", () => plan.measure()],
    ["rings", "Rings", "Range rings", "Range rings around the selected vessel (r)", "M12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0M12 12m-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0", () => plan.toggle("rings")],
    ["vectors", "Vectors", "Velocity vectors", "Where each vessel is in 30 s (v)", "M5 19 19 5M11 5h8v8", () => plan.toggle("vectors")],
    ["cpa", "Closest", "Closest approach", "Closest points of approach (x)", "M4 4 10 10M20 4 14 10M12 12v8M9 17l3 3 3-3", () => plan.toggle("cpa")],
    null,
    ...more,
  ];
  const box = byId("map-tools");
  for (const row of rows) box.append(row ? tool(row) : make("hr"));
  const mark = () => {
    const on = { ...plan.options, measure: plan.measuring };
    for (const button of box.querySelectorAll("button[data-tool]")) {
      if (typeof on[button.dataset.tool] === "boolean") button.setAttribute("aria-pressed", on[button.dataset.tool]);
    }
  };
  plan.addEventListener("options", mark);
  mark();
}

function tool([name, word, label, title, path, act]) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "line");
  svg.setAttribute("aria-hidden", "true");
  const icon = document.createElementNS(svg.namespaceURI, "path");
  icon.setAttribute("d", path);
  svg.append(icon);
  return make("button", { type: "button", aria: { label }, title, data: { tool: name }, on: { click: act } }, svg, make("span", { text: word }));
}
