// Cached layers of the map: what changes seldom is drawn once to an offscreen canvas, larger than the
// view, so that a pan only moves it. After a zoom the old tracks are shown scaled while new ones are
// drawn in time slices.

import { countUntil, startOfTrail } from "./tracks.js";

const SLICE = 6; // drawing time per frame [ms]
const POINTS_A_LOOK = 500; // points drawn between checks of the time
const MARGIN = 240; // pixels by which a sheet extends beyond the view on each side during a pan
const NEAR = 80; // distance from the end of a sheet at which the next one is started [px]
const pin = document.createElement("canvas").getContext("2d");

/** An offscreen canvas, in device pixels of a camera. */
class Sheet {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.camera = null;
    this.view = "";
  }

  /** Clear the canvas for a camera, with a margin in pixels around its view. */
  begin(camera, ratio, margin = 0) {
    this.camera = camera.copy();
    this.camera.width += 2 * margin;
    this.camera.height += 2 * margin;
    this.view = camera.key;
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(this.camera.width * ratio));
    this.canvas.height = Math.max(1, Math.round(this.camera.height * ratio));
    this.ctx = this.canvas.getContext("2d");
    this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ctx.lineJoin = "round";
    this.ctx.lineCap = "round";
  }

  /** Discard what was drawn. */
  drop() {
    this.camera = null;
    this.view = "";
    this.canvas.width = this.canvas.height = 1;
  }

  /** Force rasterisation, which browsers defer until a canvas is shown, then doing all of it at once. */
  settle() {
    pin.drawImage(this.canvas, 0, 0, 1, 1, 0, 0, 1, 1);
  }

  /** Whether it covers a camera's view, with some pixels to spare. */
  covers(camera, room = 0) {
    if (this.view === camera.key) return true;
    if (this.camera?.scale !== camera.scale) return false;
    const { left, right, bottom, top } = this.camera.bounds;
    return camera.column(left) <= -room && camera.row(top) <= -room && camera.column(right) >= camera.width + room && camera.row(bottom) >= camera.height + room;
  }

  /** Draw it for another camera: moved by whole pixels, which is fast, or scaled. */
  show(ctx, camera) {
    if (!this.camera) return;
    const { left, top } = this.camera.bounds;
    const scale = camera.scale / this.camera.scale;
    const whole = (pixels) => (scale === 1 ? Math.round(pixels * this.ratio) / this.ratio : pixels);
    const { width, height } = this.canvas;
    ctx.drawImage(this.canvas, whole(camera.column(left)), whole(camera.row(top)), (width / this.ratio) * scale, (height / this.ratio) * scale);
  }
}

/** A layer that is redrawn only when its key has changed. */
export class StillLayer {
  constructor() {
    this.sheet = new Sheet();
    this.key = "";
    this.view = "";
  }

  /**
   * Draw it, or show what was drawn.
   * @param {string} key what it looks like depends on, beside the place of the camera
   * @param {(ctx, camera) => void} draw draws it
   */
  show(ctx, camera, ratio, key, draw) {
    const moved = this.view !== camera.key;
    this.view = camera.key;
    const look = `${key} ${camera.scale} ${camera.width} ${camera.height} ${ratio}`;
    if (look !== this.key) {
      this.key = look;
      this.sheet.drop();
      draw(ctx, camera); // not cached yet: it may change again with the next picture
      return;
    }
    if (!this.sheet.covers(camera)) {
      this.sheet.begin(camera, ratio, moved ? MARGIN : 0);
      draw(this.sheet.ctx, this.sheet.camera);
    }
    this.sheet.show(ctx, camera);
  }
}

/** The tracks of all vessels up to a time, drawn incrementally as they grow. */
export class TrackLayer {
  /** @param {number} opacity of its lines */
  constructor(opacity = 0.75) {
    this.opacity = opacity;
    this.front = new Sheet();
    this.back = new Sheet();
    this.key = "";
    this.job = null;
    this.until = -Infinity;
    this.milliseconds = 0;
  }

  /**
   * Bring the layer up to date and show it.
   * @param {object} scene {vessels, version, until, from, theme, ratio}
   * @param {boolean} waits whether another layer draws in this frame, so that this one does not
   * @returns {boolean} whether more is to be done in the next frame
   */
  show(ctx, camera, scene, waits = false) {
    const key = `${scene.version} ${scene.from} ${scene.theme} ${scene.ratio}`;
    const begun = performance.now();
    const other = key !== this.key || scene.until < this.until;
    // While the view keeps moving, a started drawing is finished: it is closer to the view than the old one.
    if (other || (!this.job && !this.front.covers(camera, NEAR))) this._begin(key, camera, scene);
    this.until = scene.until;
    if (!this.job) this._append(scene);
    else if (!waits) this._work(begun);
    this.milliseconds = performance.now() - begun;
    this.front.show(ctx, camera);
    return this.job !== null || !this.front.covers(camera, NEAR);
  }

  _begin(key, camera, scene) {
    const moved = key === this.key && camera.scale === this.front.camera?.scale;
    this.key = key;
    this.back.begin(camera, scene.ratio, moved ? MARGIN : 0);
    this.job = { scene: { ...scene, vessels: [...scene.vessels] }, vessel: 0, drawn: new Map() };
  }

  _work(begun) {
    const { scene, drawn } = this.job;
    let points = 0;
    while (this.job.vessel < scene.vessels.length) {
      const count = this._extend(this.back, scene.vessels[this.job.vessel], drawn, scene, POINTS_A_LOOK);
      if (count < POINTS_A_LOOK) this.job.vessel += 1;
      points += count;
      if (points < POINTS_A_LOOK) continue;
      points = 0;
      this.back.settle();
      if (performance.now() - begun > SLICE) break;
    }
    if (this.job.vessel < scene.vessels.length) return;
    [this.front, this.back] = [this.back, this.front];
    this.back.drop();
    this.drawn = drawn;
    this.job = null;
  }

  _append(scene) {
    for (const vessel of scene.vessels) this._extend(this.front, vessel, this.drawn, scene, Infinity);
  }

  /** Draw new points of a vessel's track, up to a limit; return their number. */
  _extend(sheet, vessel, drawn, scene, most) {
    const level = vessel.track.levelFor(sheet.camera.scale);
    const end = scene.until === Infinity ? level.count : countUntil(level, scene.until);
    const begun = drawn.get(vessel.name) ?? firstOf(level, end, scene.from);
    const stop = Math.min(end, begun + most);
    if (stop - begun > 0 && stop > 1) stroke(sheet, level, Math.max(0, begun - 1), stop, vessel.ink, this.opacity);
    drawn.set(vessel.name, stop);
    return stop - begun;
  }

  /** The last point of a vessel that is drawn here, [x, y], or null. */
  endOf(vessel, camera) {
    const level = vessel.track.levelFor(camera.scale);
    const count = this.drawn?.get(vessel.name) ?? 0;
    if (!count || count > level.count) return null;
    const at = 2 * (count - 1);
    return Number.isNaN(level.xy[at]) ? null : [level.xy[at], level.xy[at + 1]];
  }
}

const firstOf = (level, end, from) => Math.max(startOfTrail(level, end), from > -Infinity ? countUntil(level, from) : 0);

function stroke(sheet, level, from, to, ink, opacity) {
  const { ctx, camera } = sheet;
  const { xy } = level;
  ctx.strokeStyle = ink;
  ctx.globalAlpha = opacity;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  let pen = false;
  for (let i = from; i < to; i++) {
    const x = xy[2 * i];
    if (Number.isNaN(x)) {
      pen = false;
      continue;
    }
    if (pen) ctx.lineTo(camera.column(x), camera.row(xy[2 * i + 1]));
    else ctx.moveTo(camera.column(x), camera.row(xy[2 * i + 1]));
    pen = true;
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}
