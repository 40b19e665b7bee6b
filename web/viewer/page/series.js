// Time series of plotted variables ("alpha:NAV_X", "alpha:NAV_X@2" of source 2): history from the server,
// followed by live samples.

import { indexAt } from "./tracks.js";

const MOST = 200_000; // samples kept of a live variable, and requested for exact figures
const NONE = { t: [], v: [] };

export class Series {
  constructor(page) {
    this.page = page;
    this.all = new Map(); // name -> {t, v, mean, circle, trouble, toldTo: the last time of the history}
  }

  /** {t, v, circle} of a variable, to be drawn; empty until it has been received. */
  of(name) {
    return this.all.get(name) ?? NONE;
  }

  /** {t, v, circle} of a variable, to be computed with: of thinned intervals the mean. */
  means(name) {
    const { mean = null, ...have } = this.of(name);
    if (!mean) return have;
    const later = indexAt(have.t, have.toldTo) + 1;
    return { ...have, t: mean.t.concat(have.t.slice(later)), v: mean.v.concat(have.v.slice(later)) };
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
    if (picture.can("plot")) wire.do("plot", { vars: names.filter((name) => !name.includes("@")) }).catch(() => {});
    const added = names.filter((name) => !this.all.has(name));
    for (const name of added) this.all.set(name, { t: [], v: [], toldTo: -Infinity });
    await this.load(added, null);
  }

  /** Request the values of a time span, or of all. */
  async load(names, range) {
    await Promise.all(names.map(async (name) => {
      let told;
      try {
        told = await this._history(name, range, 4000);
      } catch (error) {
        if (this.all.has(name)) this.all.get(name).trouble = error.message;
        return;
      }
      const have = this.all.get(name);
      if (!have) return;
      const past = told.text ? { t: [], v: [] } : spread(told);
      const toldTo = past.t.at(-1) ?? -Infinity;
      const later = indexAt(have.t, toldTo) + 1; // live samples that arrived during the request
      this.all.set(name, {
        t: past.t.concat(have.t.slice(later)), v: past.v.concat(have.v.slice(later)), mean: told.low ? { t: told.t, v: told.v } : null,
        circle: told.circle, trouble: told.text ? "has texts, no numbers" : past.t.length || have.t.length ? "" : await this._why(name), toldTo,
      });
    }));
  }

  /** All values of some variables in a time span, up to ``MOST`` each. */
  async exact(names, range) {
    const told = await Promise.all(names.map((name) => this._history(name, range, MOST).catch(() => NONE)));
    return new Map(names.map((name, k) => [name, told[k].text ? NONE : told[k]]));
  }

  /** Why a variable has no values. */
  async _why(name) {
    const [variable, source] = name.split("@");
    const names = (await this.page.wire.do("names", { of: source ?? "" }).catch(() => [])).map(([community, one]) => `${community}:${one}`);
    return names.includes(variable) ? "has no values in this time" : "is not a variable of this run";
  }

  async _history(name, range, points) {
    const [variable, source] = name.split("@");
    const told = await this.page.wire.do("history", { var: variable, of: source ?? "", from: range?.[0] ?? null, to: range?.[1] ?? null, points });
    return { ...told, text: told.v.some((value) => typeof value !== "number") };
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
        have.trouble = "";
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
