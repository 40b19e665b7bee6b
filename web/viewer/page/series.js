// Time series of plotted variables: history from the server, followed by live samples.

const MOST = 200_000; // samples kept of a live variable

export class Series {
  constructor(page) {
    this.page = page;
    this.all = new Map(); // name -> {t, v, toldTo: the last time of the history}
  }

  /** {t, v} of a variable; empty until it has been received. */
  of(name) {
    return this.all.get(name) ?? { t: [], v: [] };
  }

  /** Clear all series: another source is shown. */
  forget() {
    this.all.clear();
  }

  /** Set the variables: request their history, and samples as they arrive. */
  async want(names) {
    const { wire, picture } = this.page;
    if (!wire?.open) return;
    for (const name of [...this.all.keys()]) if (!names.includes(name)) this.all.delete(name);
    if (picture.can("plot")) wire.do("plot", { vars: names }).catch(() => {});
    const added = names.filter((name) => !this.all.has(name));
    for (const name of added) this.all.set(name, { t: [], v: [], toldTo: -Infinity });
    await this.load(added, null);
  }

  /** Request the values of a time span, or of all. */
  async load(names, range) {
    await Promise.all(names.map(async (name) => {
      const fields = { var: name, from: range?.[0] ?? null, to: range?.[1] ?? null, points: 4000 };
      const told = await this.page.do("history", fields);
      const have = this.all.get(name);
      if (!told || !have) return;
      const past = spread(told);
      const toldTo = past.t.at(-1) ?? -Infinity;
      const later = indexAt(have.t, toldTo) + 1; // live samples that arrived during the request
      this.all.set(name, { t: past.t.concat(have.t.slice(later)), v: past.v.concat(have.v.slice(later)), toldTo });
    }));
  }

  /** Append live samples. */
  append(series) {
    for (const { var: name, t, v } of series) {
      const have = this.all.get(name);
      if (!have) continue;
      const last = have.t.at(-1) ?? -Infinity;
      t.forEach((at, k) => {
        if (at < last || at <= have.toldTo || typeof v[k] !== "number") return;
        have.t.push(at);
        have.v.push(v[k]);
      });
      if (have.t.length > MOST) for (const list of [have.t, have.v]) list.splice(0, MOST / 4);
    }
  }
}

/** Minimum and maximum of thinned intervals as two points each, so that the line covers the range. */
function spread({ t, v, low, high }) {
  if (!low) return { t: [...t], v: [...v] };
  const result = { t: [], v: [] };
  t.forEach((at, k) => {
    const half = ((t[k + 1] ?? at) - at) / 2;
    result.t.push(at, at + half);
    result.v.push(low[k], high[k]);
  });
  return result;
}

/** Index of the last of sorted times that is not later than t; -1 if there is none. */
export function indexAt(times, when) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= when) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value at a time: that of the last sample not later; NaN before the first. */
export function valueAt({ t, v }, when) {
  const at = indexAt(t, when);
  return at < 0 ? NaN : v[at];
}
