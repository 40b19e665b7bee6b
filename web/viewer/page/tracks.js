// Tracks of vessels at several levels of detail, for fast drawing of hours of many vessels. A level
// keeps a point if the straight line from the last kept point would miss one by more than its tolerance.

const FARTHEST = 1e7; // coordinates that are no position of a vessel [m]
const FINEST = 0.06; // metres; each level is four times coarser
const LEVELS = 6;
const OLDEST = 10; // maximum interval between points of the finest level, to look up times [s]

/** A polyline of points (t, x, y) within a tolerance of all points that were added. */
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

  /** Add a point; the newest is pending until a later one shows whether it is needed. */
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

  /** Whether a line from the last kept point to (x, y) is within tolerance of all points between; narrows the cone of such lines. */
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

/** A box with nothing in it. */
export const nothing = () => ({ left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity });

/** A function that makes a box contain a point, or a circle; of coordinates that are no position it does nothing. */
export function grower(box) {
  return (x, y, radius = 0) => {
    if (!(Math.abs(x) <= FARTHEST && Math.abs(y) <= FARTHEST)) return;
    box.left = Math.min(box.left, x - radius);
    box.right = Math.max(box.right, x + radius);
    box.bottom = Math.min(box.bottom, y - radius);
    box.top = Math.max(box.top, y + radius);
  };
}

/** The track of one vessel at several tolerances. */
export class Track {
  constructor() {
    this.levels = Array.from(
      { length: LEVELS },
      (_, k) => new Level(FINEST * 4 ** k, k ? Infinity : OLDEST),
    );
    this.last = null;
  }

  /** Remove all points. */
  clear() {
    for (const level of this.levels) level.clear();
    this.last = null;
  }

  /** Add the position at time t, NaN to interrupt the trail; ignored if t is not later than the last. */
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

  /** Memory of the kept points [bytes]. */
  get bytes() {
    return this.levels.reduce((sum, level) => sum + level.t.byteLength + level.xy.byteLength, 0);
  }

  /** Box of all points, or null: {left, right, bottom, top}. */
  get box() {
    const { count, xy } = this.levels[0];
    if (!count) return null;
    const box = nothing();
    const grow = grower(box);
    for (let i = 0; i < count; i++) grow(xy[2 * i], xy[2 * i + 1]);
    if (this.last) grow(this.last[1], this.last[2]);
    return box;
  }
}

/** Index of the last of sorted times, or of the first `count` of them, that is not later than t; -1 if there is none. */
export function indexAt(times, when, count = times.length) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= when) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Number of a level's points that are not later than t. */
export const countUntil = (level, t) => indexAt(level.t, t, level.count) + 1;

/** Index of the first point after a level's last interruption before point `until`. */
export function startOfTrail(level, until) {
  for (let i = until - 1; i >= 0; i--) if (Number.isNaN(level.xy[2 * i])) return i + 1;
  return 0;
}
