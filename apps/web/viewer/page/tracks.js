// Where vessels have been: points of a track, thinned to tolerances so that hours of many vessels
// are kept and drawn. A level keeps a point when the straight line from the point kept before
// would pass further from it than the level's tolerance.

const FINEST = 0.06; // metres; each level is four times coarser
const LEVELS = 6;
const OLDEST = 10; // seconds between two points of the finest level, so that time can be told

/** Points (t, x, y) in the order of time, within a tolerance of all points that were added. */
class Level {
  constructor(tolerance, longest) {
    this.tolerance = tolerance;
    this.longest = longest;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.t = new Float32Array(64);
    this.xy = new Float32Array(128);
    this._pending = null;
  }

  /** Take a point; the newest is pending until one after it shows whether it is needed. */
  add(t, x, y) {
    if (!this.count || Number.isNaN(this.xy[2 * this.count - 2])) return this._keep(t, x, y);
    const pending = this._pending;
    if (pending && !this._reaches(x, y, t)) {
      this._keep(...pending);
      this._reaches(x, y, t);
    }
    this._pending = [t, x, y];
  }

  /** End the line here: the next point begins another. */
  cut(t) {
    if (this._pending) this._keep(...this._pending);
    if (this.count) this._keep(t, NaN, NaN);
  }

  _keep(t, x, y) {
    if (this.count === this.t.length) this._grow();
    this.t[this.count] = t;
    this.xy.set([x, y], 2 * this.count);
    this.count += 1;
    this._low = -Infinity;
    this._high = Infinity;
    this._axis = null;
    this._pending = null;
  }

  _grow() {
    const grown = (old) => {
      const wider = new Float32Array(2 * old.length);
      wider.set(old);
      return wider;
    };
    this.t = grown(this.t);
    this.xy = grown(this.xy);
  }

  /** Whether a line from the last point kept to (x, y) passes all points between; narrows the cone of such lines. */
  _reaches(x, y, t) {
    const at = 2 * (this.count - 1);
    if (t - this.t[this.count - 1] > this.longest) return false;
    const east = x - this.xy[at];
    const north = y - this.xy[at + 1];
    const distance = Math.hypot(east, north);
    if (distance <= this.tolerance) return this._axis === null;
    this._axis ??= Math.atan2(north, east);
    const angle = turn(Math.atan2(north, east) - this._axis);
    if (angle < this._low || angle > this._high) return false;
    const half = Math.asin(this.tolerance / distance);
    this._low = Math.max(this._low, angle - half);
    this._high = Math.min(this._high, angle + half);
    return true;
  }
}

const turn = (angle) => Math.atan2(Math.sin(angle), Math.cos(angle));

/** The track of one vessel at several tolerances. */
export class Track {
  constructor() {
    this.levels = Array.from(
      { length: LEVELS },
      (_, k) => new Level(FINEST * 4 ** k, k ? Infinity : OLDEST),
    );
    this.last = null;
  }

  /** Forget all points. */
  clear() {
    for (const level of this.levels) level.clear();
    this.last = null;
  }

  /** Add where the vessel is at time t, NaN where its trail is broken; nothing when t is not later than the last. */
  add(t, x, y) {
    if (this.last && t < this.last[0]) return;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      for (const level of this.levels) level.cut(t);
      return;
    }
    if (this.last && t === this.last[0]) return;
    this.last = [t, x, y];
    for (const level of this.levels) level.add(t, x, y);
  }

  /** The coarsest level whose tolerance is below half a pixel. */
  levelFor(scale) {
    let best = this.levels[0];
    for (const level of this.levels) if (level.tolerance * scale <= 0.5) best = level;
    return best;
  }

  /** Bytes of the points kept. */
  get bytes() {
    return this.levels.reduce((sum, level) => sum + level.t.byteLength + level.xy.byteLength, 0);
  }

  /** Box of all points, or null: {left, right, bottom, top}. */
  get box() {
    const { count, xy } = this.levels[0];
    if (!count) return null;
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    const grow = (x, y) => {
      if (Number.isNaN(x)) return;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.bottom = Math.min(box.bottom, y);
      box.top = Math.max(box.top, y);
    };
    for (let i = 0; i < count; i++) grow(xy[2 * i], xy[2 * i + 1]);
    if (this.last) grow(this.last[1], this.last[2]);
    return box;
  }
}

/** How many of a level's points are not later than t. */
export function countUntil(level, t) {
  let low = 0;
  let high = level.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (level.t[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first point after the last break of a level that is not later than point `until`. */
export function startOfTrail(level, until) {
  for (let i = until - 1; i >= 0; i--) if (Number.isNaN(level.xy[2 * i])) return i + 1;
  return 0;
}
