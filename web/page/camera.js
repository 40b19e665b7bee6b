// Camera of the map: metres east (x) and north (y) of the datum to pixels (y down) and back.

export const CLOSEST = 400; // pixels a metre
export const WIDEST = 1e-4;
const NARROWEST = 40; // least extent of a view of everything [m]

/** A plan seen from above, north up. */
export class Camera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 2; // pixels a metre
    this.width = 1;
    this.height = 1;
    this.inset = { left: 0, bottom: 0 }; // pixels that are covered by other elements
  }

  /** Pixel column of a point x metres east. */
  column(x) {
    return this.width / 2 + (x - this.x) * this.scale;
  }

  /** Pixel row of a point y metres north. */
  row(y) {
    return this.height / 2 - (y - this.y) * this.scale;
  }

  /** The point under a pixel, [x, y] in metres. */
  point(column, row) {
    return [this.x + (column - this.width / 2) / this.scale, this.y - (row - this.height / 2) / this.scale];
  }

  /** The visible area: {left, right, bottom, top} in metres. */
  get bounds() {
    const [left, top] = this.point(0, 0);
    const [right, bottom] = this.point(this.width, this.height);
    return { left, right, bottom, top };
  }

  /** Zoom by a factor so that the point under a pixel stays there. */
  zoom(factor, column = this.width / 2, row = this.height / 2) {
    const [x, y] = this.point(column, row);
    this.scale = Math.min(CLOSEST, Math.max(WIDEST, this.scale * factor));
    this.x = x - (column - this.width / 2) / this.scale;
    this.y = y + (row - this.height / 2) / this.scale;
  }

  /** Pan by pixels. */
  pan(columns, rows) {
    this.x -= columns / this.scale;
    this.y += rows / this.scale;
  }

  /** Show a box {left, right, bottom, top} whole, with a margin. */
  fit(box, margin = 1.25) {
    const wide = Math.max(box.right - box.left, NARROWEST);
    const high = Math.max(box.top - box.bottom, NARROWEST);
    const { left, bottom } = this.inset;
    const fitting = Math.min((this.width - left) / wide, (this.height - bottom) / high);
    this.scale = Math.min(CLOSEST, Math.max(WIDEST, fitting / margin));
    this.x = (box.left + box.right - left / this.scale) / 2;
    this.y = (box.bottom + box.top - bottom / this.scale) / 2;
  }

  /** A key of the present view, for caches. */
  get key() {
    return `${this.x} ${this.y} ${this.scale} ${this.width} ${this.height}`;
  }

  /** A copy of this camera. */
  copy() {
    return Object.assign(new Camera(), this);
  }
}

/** The smallest of 1, 2, 5 times a power of ten that is not below a length. */
export function roundLength(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const step of [1, 2, 5]) if (step * power >= least * 0.999999) return step * power;
  return 10 * power;
}

/** A length in words: 50 m, 2 km. */
export const lengthWords = (metres) =>
  metres >= 1000 ? `${Number((metres / 1000).toPrecision(3))} km` : `${Number(metres.toPrecision(3))} m`;
