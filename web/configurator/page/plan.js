// The plan: waypoints, fence and obstacle, seen from above, north up. A click adds a point, a drag
// moves it, Delete or a right click removes it; the panel's table does the same by keyboard.

import { Camera, lengthWords, roundLength } from "./camera.js";
import { byId, compass, disc, line, make, nextFrame, styled } from "./dom.js";
import { KINDS, routeOf, startOf, written } from "./route.js";

const NEAR = 12; // pixels
const LEAST_HULL = 22; // length of the vessel on the plan [pixels]
const INKS = { waypoints: "--brass", geofence: "--good", static_obstacle: "--wrong" };

export default async function plan(page) {
  const view = new PlanView(page);
  page.plan = view;
  return view;
}

class PlanView {
  constructor(page) {
    this.page = page;
    this.box = byId("plan");
    this.camera = new Camera();
    this.kind = "waypoints";
    this.at = -1; // index of the selected point of the kind
    this.adding = true;
    this.drawn = 0;
    this.canvas = make("canvas", { tabIndex: 0, role: "application", aria: { label: "Plan: click to add a point, drag to move it; arrows move the selected point, Delete takes it away; the table has the same" } });
    this.readout = make("p.readout");
    const zoom = (factor) => () => this._zoomed(factor);
    this.box.append(this.canvas, this.readout, make("div.tools", { role: "toolbar", aria: { label: "Plan tools" } },
      make("button", { type: "button", text: "+", aria: { label: "Closer" }, on: { click: zoom(1.5) } }),
      make("button", { type: "button", text: "−", aria: { label: "Farther" }, on: { click: zoom(1 / 1.5) } }),
      make("button", { type: "button", text: "Fit", title: "Show everything", aria: { label: "Fit: show everything" }, on: { click: () => this.fit() } })));
    this._listen();
    new ResizeObserver(() => this._resize()).observe(this.box);
    window.addEventListener("theme", () => this.refresh());
  }

  show() {
    if (this.studio !== this.page.studio) {
      this.studio = this.page.studio;
      const { studio } = this;
      studio.addEventListener("state", () => studio === this.page.studio && this.refresh());
      this.fitted = false;
    }
    this._resize();
    if (!this.fitted) this.fit();
    this.refresh();
  }

  /** The points of all kinds, with a dragged one at its present position. */
  get route() {
    return this.moving ?? routeOf(this.studio);
  }

  choose(kind, at = -1) {
    this.kind = kind;
    this.at = at;
    this.page.events.dispatchEvent(new Event("route"));
    this.refresh();
  }

  /** Write new points of a kind to the files. */
  take(kind, points, what) {
    const edits = written(this.studio, kind, points);
    if (!edits.length) return Promise.resolve();
    return this.page.try(() => this.studio.edit(`${KINDS[kind][0].toLowerCase()}: ${what}`, edits));
  }

  remove(kind, at) {
    const points = routeOf(this.studio)[kind].filter((_, i) => i !== at);
    this.at = Math.min(this.at, points.length - 1);
    return this.take(kind, points, "one less");
  }

  fit() {
    const points = Object.values(routeOf(this.studio)).flat();
    this.fitted = true;
    const start = startOf(this.studio);
    const east = [0, start.east, ...points.map((row) => row[1])];
    const north = [0, start.north, ...points.map((row) => row[0])];
    this.camera.fit({ left: Math.min(...east), right: Math.max(...east), bottom: Math.min(...north), top: Math.max(...north) }, 1.4);
    this.refresh();
  }

  refresh() {
    if (!this.box.hidden) this._redraw();
  }

  _redraw = nextFrame(() => this._draw());

  /** The pixel of a point [north, east]. */
  pixel([north, east]) {
    return [this.camera.column(east), this.camera.row(north)];
  }

  _zoomed(factor, column, row) {
    this.camera.zoom(factor, column, row);
    this.refresh();
  }

  _listen() {
    const { canvas } = this;
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      held = { x: event.offsetX, y: event.offsetY, hit: this._hit(event.offsetX, event.offsetY), moved: false };
      if (held.hit) this.choose(...held.hit);
    });
    canvas.addEventListener("pointermove", (event) => {
      this._where(event.offsetX, event.offsetY);
      if (!held) return;
      const [dx, dy] = [event.offsetX - held.x, event.offsetY - held.y];
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      held.moved = true;
      if (held.hit && !this.page.home.read_only) this._drag(held.hit, event.offsetX, event.offsetY);
      else {
        this.camera.pan(event.movementX, event.movementY);
        this.refresh();
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      const done = held;
      held = null;
      if (!done) return;
      if (done.moved && this.moving) this._dropped(done.hit);
      else if (!done.moved && !done.hit) this._add(event.offsetX, event.offsetY);
    });
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const hit = this._hit(event.offsetX, event.offsetY);
      if (hit && !this.page.home.read_only) this.remove(...hit);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this._zoomed(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  _key(event) {
    const step = roundLength(20 / this.camera.scale);
    const move = { ArrowUp: [step, 0], ArrowDown: [-step, 0], ArrowRight: [0, step], ArrowLeft: [0, -step] }[event.key];
    const points = routeOf(this.studio)[this.kind];
    const chosen = points[this.at];
    if (move && chosen) this.take(this.kind, points.map((row, i) => (i === this.at ? [row[0] + move[0], row[1] + move[1], row[2]] : row)), "moved");
    else if (move) {
      this.camera.pan(-40 * Math.sign(move[1]), 40 * Math.sign(move[0]));
      this.refresh();
    } else if (event.key === "Delete" && chosen) this.remove(this.kind, this.at);
    else if (event.key === "+") this._zoomed(1.5);
    else if (event.key === "-") this._zoomed(1 / 1.5);
    else return;
    event.preventDefault();
  }

  _drag([kind, at], column, row) {
    const [x, y] = this.camera.point(column, row);
    this.moving ??= routeOf(this.studio);
    this.moving[kind] = this.moving[kind].map((point, i) => (i === at ? [y, x, point[2] ?? 0] : point));
    this.refresh();
  }

  async _dropped([kind]) {
    const points = this.moving[kind];
    await this.take(kind, points, "moved");
    this.moving = null;
    this.refresh();
  }

  _add(column, row) {
    if (this.page.home.read_only) return;
    const [x, y] = this.camera.point(column, row);
    const points = routeOf(this.studio)[this.kind];
    const down = this.kind === "waypoints" ? (points.at(-1)?.[2] ?? 0) : 0;
    this.at = points.length;
    this.take(this.kind, [...points, [y, x, down]], "one more");
  }

  _hit(column, row) {
    const all = this.route;
    for (const kind of [this.kind, ...Object.keys(KINDS)]) {
      const at = all[kind].findIndex((point) => {
        const [x, y] = this.pixel(point);
        return Math.hypot(x - column, y - row) < NEAR;
      });
      if (at >= 0) return [kind, at];
    }
    return null;
  }

  _where(column, row) {
    const [x, y] = this.camera.point(column, row);
    this.readout.textContent = `north ${y.toFixed(1)} m  east ${x.toFixed(1)} m`;
  }

  _resize() {
    const { clientWidth, clientHeight } = this.box;
    if (!clientWidth) return;
    const ratio = Math.min(2, devicePixelRatio);
    this.canvas.width = clientWidth * ratio;
    this.canvas.height = clientHeight * ratio;
    this.camera.width = clientWidth;
    this.camera.height = clientHeight;
    this.refresh();
  }

  _draw() {
    const ctx = this.canvas.getContext("2d");
    const ratio = this.canvas.width / this.camera.width;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.fillStyle = styled("--water");
    ctx.fillRect(0, 0, this.camera.width, this.camera.height);
    this._grid(ctx);
    this._start(ctx);
    for (const kind of Object.keys(KINDS)) this._points(ctx, kind, this.route[kind]);
    this.drawn += 1;
  }

  _grid(ctx) {
    const { camera } = this;
    const step = roundLength(90 / camera.scale);
    const { left, right, bottom, top } = camera.bounds;
    ctx.lineWidth = 1;
    ctx.font = "11px sans-serif";
    ctx.fillStyle = styled("--soft");
    const ink = (i) => styled(i ? "--grid" : "--grid-strong");
    for (let i = Math.ceil(left / step); i * step <= right; i++) {
      ctx.strokeStyle = ink(i);
      line(ctx, camera.column(i * step), 0, camera.column(i * step), camera.height);
      ctx.fillText(lengthWords(i * step), camera.column(i * step) + 3, camera.height - 4);
    }
    for (let i = Math.ceil(bottom / step); i * step <= top; i++) {
      ctx.strokeStyle = ink(i);
      line(ctx, 0, camera.row(i * step), camera.width, camera.row(i * step));
    }
  }

  /** The vessel at its start, in its size or enlarged, the way it heads, and the way to the first point. */
  _start(ctx) {
    const start = startOf(this.studio);
    const [x, y] = this.pixel([start.north, start.east]);
    const first = this.route.waypoints[0];
    ctx.strokeStyle = ctx.fillStyle = styled("--accent");
    ctx.lineWidth = 1.2;
    if (first) {
      ctx.setLineDash([2, 4]);
      line(ctx, x, y, ...this.pixel(first));
      ctx.setLineDash([]);
    }
    const long = Math.max(LEAST_HULL, start.length * this.camera.scale);
    const half = Math.max(5, (long * start.breadth) / start.length / 2);
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate((start.heading * Math.PI) / 180);
    ctx.beginPath();
    ctx.moveTo(0, -long / 2);
    ctx.quadraticCurveTo(half, -long / 4, half, 0);
    ctx.lineTo(half, long / 2);
    ctx.lineTo(-half, long / 2);
    ctx.lineTo(-half, 0);
    ctx.quadraticCurveTo(-half, -long / 4, 0, -long / 2);
    ctx.globalAlpha = 0.4;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.moveTo(0, -long / 2);
    ctx.lineTo(0, -long / 2 - 26);
    ctx.stroke();
    ctx.restore();
    ctx.font = "12px sans-serif";
    this.start = { ...start, text: `start, ${compass(start.heading)}`, at: [x, y] };
    ctx.fillText(this.start.text, x + half + 8, y + long / 2 + 4);
  }

  _points(ctx, kind, points) {
    const ink = styled(INKS[kind]);
    const pixels = points.map((point) => this.pixel(point));
    ctx.strokeStyle = ink;
    ctx.lineWidth = kind === this.kind ? 2 : 1.2;
    ctx.setLineDash(kind === "geofence" ? [7, 4] : []);
    ctx.beginPath();
    pixels.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
    if (KINDS[kind][2] && pixels.length > 2) ctx.closePath();
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.font = "12px sans-serif";
    pixels.forEach(([x, y], i) => {
      const chosen = kind === this.kind && i === this.at;
      disc(ctx, x, y, chosen ? 7 : 5, chosen ? styled("--cursor") : ink);
      if (kind === "waypoints") ctx.fillText(i + 1, x + 8, y - 8);
    });
  }
}
