// Arithmetic with time series {t, v, circle}: a variable keeps its value until the next message. A circle
// [low, period] says that the values are angles.

import { indexAt } from "./tracks.js";

const MOST_POINTS = 8192; // of a spectrum, a power of two

/** The value at a time: that of the last sample not later; NaN before the first. */
export function valueAt({ t, v }, when) {
  const at = indexAt(t, when);
  return at < 0 ? NaN : v[at];
}

/** Two operands, series or numbers, combined at the times of both, from the first at which both have a value. */
export function combine(a, b, act) {
  if (typeof a === "number" && typeof b === "number") return act(a, b);
  if (typeof b === "number") return { t: a.t, v: a.v.map((value) => act(value, b)) };
  if (typeof a === "number") return { t: b.t, v: b.v.map((value) => act(a, value)) };
  const result = { t: [], v: [] };
  for (let i = -1, j = -1; i + 1 < a.t.length || j + 1 < b.t.length;) {
    const when = Math.min(a.t[i + 1] ?? Infinity, b.t[j + 1] ?? Infinity);
    while (a.t[i + 1] <= when) i++;
    while (b.t[j + 1] <= when) j++;
    if (i < 0 || j < 0) continue;
    result.t.push(when);
    result.v.push(act(a.v[i], b.v[j]));
  }
  return result;
}

/** The difference; of two angles on the same circle the shorter turn. */
export function difference(a, b) {
  const period = a.circle && b.circle && a.circle[1] === b.circle[1] ? a.circle[1] : 0;
  return combine(a, b, (x, y) => (period ? x - y - period * Math.round((x - y) / period) : x - y));
}

/** Angles without jumps. */
export function unwrap({ t, v, circle }) {
  const period = circle?.[1] ?? 360;
  let last = v[0];
  return { t, v: v.map((value) => (last = value - period * Math.round((value - last) / period))) };
}

/** Angles within their circle. */
export const wrapped = (value, [low, period]) => low + ((((value - low) % period) + period) % period);

/** The rate of change per second, from the neighbours of each sample; of angles without jumps. */
export function rate(series) {
  const { t, v } = series.circle ? unwrap(series) : series;
  const result = { t: [], v: [] };
  for (let k = 1; k + 1 < t.length; k++) {
    const span = t[k + 1] - t[k - 1];
    if (span <= 0) continue;
    result.t.push(t[k]);
    result.v.push((v[k + 1] - v[k - 1]) / span);
  }
  return result;
}

/** A low-pass filter of first order with a time constant, exact for a value that is kept between messages. */
export function lowpass(series, seconds) {
  const { t, v } = series.circle ? unwrap(series) : series;
  let state = v[0];
  const filtered = v.map((value, k) => (state = k ? v[k - 1] + (state - v[k - 1]) * Math.exp((t[k - 1] - t[k]) / seconds) : value));
  return { t, v: series.circle ? filtered.map((value) => wrapped(value, series.circle)) : filtered, circle: series.circle };
}

/** The part of a series in a time span; null for all. */
export function within({ t, v, circle }, span) {
  if (!span) return { t, v, circle };
  const [first, end] = [indexAt(t, span[0] - 1e-9) + 1, indexAt(t, span[1] + 1e-9) + 1];
  return { t: t.slice(first, end), v: v.slice(first, end), circle };
}

/** Number of samples, and their minimum, mean, maximum and standard deviation; null without samples. */
export function statistics(series) {
  const { v } = series.circle ? unwrap(series) : series;
  const count = v.length;
  if (!count) return null;
  const mean = v.reduce((sum, value) => sum + value, 0) / count;
  const spread = Math.sqrt(v.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
  const ends = [v.reduce((a, b) => Math.min(a, b)), mean, v.reduce((a, b) => Math.max(a, b))];
  const [min, average, max] = series.circle ? ends.map((value) => wrapped(value, series.circle)) : ends;
  return { count, min, mean: average, max, std: spread };
}

/** Amplitudes over frequencies [Hz]: of the series without its mean, evenly sampled, with Hann's window. */
export function spectrum(series) {
  const { t, v } = series.circle ? unwrap(series) : series;
  const size = Math.min(MOST_POINTS, 2 ** Math.floor(Math.log2(t.length)));
  const long = t.at(-1) - t[0];
  if (!(size >= 8 && long > 0)) return { t: [], v: [] };
  const step = long / size;
  const re = Float64Array.from({ length: size }, (_, k) => between({ t, v }, t[0] + k * step));
  const mean = re.reduce((sum, value) => sum + value, 0) / size;
  for (let k = 0; k < size; k++) re[k] = (re[k] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * k) / size));
  const im = new Float64Array(size);
  transform(re, im);
  const bins = Array.from({ length: size / 2 }, (_, k) => k);
  return { t: bins.map((k) => k / long), v: bins.map((k) => (4 * Math.hypot(re[k], im[k])) / size) };
}

/** The value at a time, on the straight line between two samples. */
function between({ t, v }, when) {
  const at = Math.min(Math.max(0, indexAt(t, when)), t.length - 2);
  const span = t[at + 1] - t[at];
  return span > 0 ? v[at] + ((v[at + 1] - v[at]) * (when - t[at])) / span : v[at];
}

/** The fast Fourier transform of a power of two of complex numbers, in place (Cooley and Tukey, 1965). */
function transform(re, im) {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i < j) for (const list of [re, im]) [list[i], list[j]] = [list[j], list[i]];
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const [cos, sin] = [Math.cos((-2 * Math.PI * k) / length), Math.sin((-2 * Math.PI * k) / length)];
      for (let first = k; first < size; first += length) {
        const second = first + length / 2;
        const [x, y] = [re[second] * cos - im[second] * sin, re[second] * sin + im[second] * cos];
        [re[second], im[second]] = [re[first] - x, im[first] - y];
        re[first] += x;
        im[first] += y;
      }
    }
  }
}
