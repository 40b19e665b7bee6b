// The picture on the page: vessels, tracks, shapes, helms, status. It contains nothing but what the
// server sent, so that a new picture frame replaces all of it.

import { Track } from "./tracks.js";

const STALE = 30; // age of a report after which a vessel is drawn as stale [s]
const ROW = ["x", "y", "heading", "speed", "depth", "roll", "pitch", "age"]; // of a vessel, in a frame of the scene

/** Default colours of vessels, distinguishable by colour-blind users (Okabe and Ito 2008). */
const COLORS = {
  dark: ["#e69f00", "#56b4e9", "#33c19a", "#f0e442", "#d98cb8", "#f08048", "#6ba3ff", "#b9c2c8"],
  light: ["#b36b00", "#0072b2", "#00795a", "#8a7f00", "#a13d7c", "#c2410c", "#2f52c8", "#56616a"],
};

const SHADES = { dark: [0, 0.42, -0.38], light: [0, 0.34, -0.42] }; // towards white, or black if below 0

/** The colour of a vessel that has none: 24 that can be told apart, eight hues in three shades. */
export function inkOf(index, theme) {
  const hues = COLORS[theme];
  const shade = SHADES[theme][Math.floor(index / hues.length) % SHADES[theme].length];
  const parts = [1, 3, 5].map((k) => parseInt(hues[index % hues.length].slice(k, k + 2), 16));
  return `#${parts.map((part) => Math.round(part + shade * (shade > 0 ? 255 - part : part)).toString(16).padStart(2, "0")).join("")}`;
}

/** A colour of another run: the one that is farthest from those of the vessels that are shown. */
export function inkBeside(inks, theme) {
  const parts = (ink) => {
    pen.fillStyle = ink;
    return [1, 3, 5].map((k) => parseInt(pen.fillStyle.slice(k, k + 2), 16));
  };
  const used = inks.map(parts);
  const nearest = (ink) => Math.min(...used.map((one) => Math.hypot(...parts(ink).map((part, k) => part - one[k]))));
  return COLORS[theme].map((ink) => [nearest(ink), ink]).sort((a, b) => b[0] - a[0])[0][1];
}

/** The picture of one source. */
export class Picture extends EventTarget {
  constructor() {
    super();
    this.theme = "dark";
    this.shapesVersion = 0;
    this.tracksVersion = 0;
    this.scenes = 0;
    this._forget();
  }

  /** Forget everything: another source will be shown. */
  _forget() {
    this.hello = null;
    this.status = {};
    this.t = 0;
    this.roster = -1;
    this.vessels = [];
    this.rows = new Map();
    this.shapes = new Map();
    this.helms = new Map();
    this.values = new Map();
    this.happened = []; // marks of the run
    this.notes = []; // marks of its viewers
    this.marks = []; // both, by time
    this.actuators = new Map();
    this.selected = "";
    this.troubles = { rows: [], count: 0, thinned: [] };
    this.unpainted = new Map(); // key of a shape -> why it could not be drawn here
    this.shapesVersion += 1;
    this.tracksVersion += 1;
  }

  get replay() {
    return this.hello?.source.kind === "replay";
  }

  /** Whether the server allows a request. */
  can(verb) {
    return Boolean(this.hello?.can?.includes(verb));
  }

  /** The handlers of the server's frames, for a Wire. */
  ears() {
    return {
      hello: (frame) => this._hello(frame),
      progress: (frame) => this._say("progress", frame),
      picture: (frame) => this._picture(frame),
      vessels: (frame) => this._vessels(frame),
      shapes: (frame) => this._shapes(frame),
      status: (frame) => this._status(frame),
      helm: (frame) => this._helm(frame.rows),
      values: (frame) => this._values(frame),
      samples: (frame) => this._say("samples", frame),
      marks: (frame) => this._marks(frame.whole ? [] : this.happened, frame.rows, this.notes),
      notes: (frame) => this._marks(this.happened, [], frame.rows.map(([t, text]) => ({ t, community: "", kind: "note", text }))),
      troubles: (frame) => this._troubles(frame),
      bye: (frame) => this._say("bye", frame),
      lost: () => this._say("lost"),
      scene: (frame) => this._scene(frame),
      tracks: (frame) => this._tracks(frame),
      actuators: (frame) => this._actuators(frame),
    };
  }

  /** Select a vessel for panels and following; "" for none. */
  select(name) {
    if (this.selected === name) return;
    this.selected = name;
    this._say("select");
  }

  vessel(name) {
    return this.rows.get(name);
  }

  /** The vessel that is selected, or the only one. */
  get chosen() {
    return this.rows.get(this.selected) ?? this.vessels[0];
  }

  _say(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  _hello(frame) {
    if (frame.source.id !== this.hello?.source.id) this._forget();
    this.hello = frame;
    this._say("hello", frame);
  }

  _picture(frame) {
    this.t = frame.t;
    for (const part of [this.helms, this.values, this.actuators, this.unpainted]) part.clear();
    this.shapes = new Map(frame.shapes.map((shape) => [shape.key, shape]));
    this.shapesVersion += 1;
    this._list(frame.vessels, frame.roster);
    this._helm(frame.helm ?? []);
    if (frame.status) this._status(frame.status);
    this._say("picture");
    this._say("shapes");
  }

  _vessels(frame) {
    this._list(frame.vessels, frame.roster);
  }

  /** Set the list of vessels; existing ones keep their tracks and positions. */
  _list(vessels, roster) {
    const old = this.rows;
    this.roster = roster;
    this.rows = new Map();
    this.vessels = vessels.map((about, index) => {
      const vessel = old.get(about.name) ?? unknown(about.name);
      Object.assign(vessel, about, { index });
      this.rows.set(about.name, vessel);
      return vessel;
    });
    this.paint(this.theme);
    this._say("vessels");
  }

  /** Set the vessels' colours for the light or dark theme. */
  paint(theme) {
    this.theme = theme;
    for (const vessel of this.vessels) vessel.ink = vessel.color && !this._again(vessel) ? legible(vessel.color, theme) : inkOf(vessel.index, theme);
    this.tracksVersion += 1;
  }

  /** Whether a vessel is that of a further log of a community: "abe_2" beside "abe", whose colour it has. */
  _again({ name, color }) {
    const first = /^(.+)_\d+$/.exec(name);
    return Boolean(first) && this.rows.get(first[1])?.color === color;
  }

  _scene(frame) {
    if (frame.roster !== this.roster) return;
    this.t = frame.t;
    this.scenes += 1;
    for (let i = 0; i < Math.min(frame.count, this.vessels.length); i++) {
      const vessel = this.vessels[i];
      ROW.forEach((key, k) => (vessel[key] = frame.rows[ROW.length * i + k]));
      vessel.stale = vessel.age > STALE;
    }
    this._say("scene");
  }

  _tracks(frame) {
    if (frame.roster !== this.roster) return;
    let fresh = false;
    for (const piece of frame.pieces) {
      const vessel = this.vessels[piece.row];
      if (!vessel) continue;
      if (piece.fresh) {
        vessel.track.clear();
        fresh = true;
        this.tracksVersion += 1;
      }
      for (let i = 0; i < piece.t.length; i++) vessel.track.add(piece.t[i], piece.x[i], piece.y[i]);
    }
    this._say("tracks", !fresh);
  }

  _shapes(frame) {
    for (const key of frame.drop ?? []) this.shapes.delete(key);
    for (const shape of frame.put ?? []) this.shapes.set(shape.key, shape);
    this.shapesVersion += 1;
    this._say("shapes");
  }

  _status(frame) {
    this.status = frame;
    if (Number.isFinite(frame.time)) this.t = frame.time;
    this._say("status");
  }

  _helm(rows) {
    for (const row of rows) this.helms.set(row.community, row);
    this._say("helm");
  }

  _values({ whole, rows }) {
    if (whole) this.values.clear();
    for (const [community, name, value, t, source, aux] of rows) {
      this.values.set(`${community}:${name}`, { community, name, value, t, source, aux });
    }
    this._say("values", rows);
  }

  /** The marks up to the present time: a log's later ones have not happened yet. */
  get events() {
    return this.replay ? this.marks.filter((mark) => mark.t <= this.t + 1e-6) : this.marks;
  }

  _marks(before, rows, notes) {
    this.happened = [...before, ...rows.map(([t, community, kind, text]) => ({ t, community, kind, text }))];
    this.notes = notes;
    this.marks = [...this.happened, ...notes].sort((a, b) => a.t - b.t);
    this._say("marks");
  }

  _troubles(frame) {
    this.troubles = frame;
    this._say("troubles");
  }

  /** Note that a shape could not be drawn. */
  spoilt({ key, community, kind, label }, why) {
    if (this.unpainted.has(key)) return;
    this.unpainted.set(key, `${community}: ${kind} ${label}: ${why}`);
    this._say("troubles");
  }

  _actuators(frame) {
    if (frame.roster !== this.roster) return;
    for (const { row, values } of frame.rows) {
      const vessel = this.vessels[row];
      if (vessel) this.actuators.set(vessel.name, values);
    }
    this._say("actuators");
  }
}

const unknown = (name) => ({ name, ...Object.fromEntries(ROW.map((key) => [key, NaN])), stale: false, track: new Track() });

const LIGHTEST = 0.38; // maximum luminance of a colour on light water
const DARKEST = 0.08; // minimum luminance on dark water
const pen = document.createElement("canvas").getContext("2d");

/** A vessel's colour, darkened or lightened for contrast with the theme's water. */
export function legible(color, theme) {
  pen.fillStyle = color;
  const parts = [1, 3, 5].map((k) => (parseInt(pen.fillStyle.slice(k, k + 2), 16) / 255) ** 2.2);
  const [red, green, blue] = parts;
  const light = 0.21 * red + 0.72 * green + 0.07 * blue;
  const mixed = (part) => {
    if (theme === "light" && light > LIGHTEST) return (part * LIGHTEST) / light;
    if (theme === "dark" && light < DARKEST) return part + ((DARKEST - light) / (1 - light)) * (1 - part);
    return part;
  };
  return `rgb(${parts.map((part) => Math.round(255 * mixed(part) ** (1 / 2.2))).join(" ")})`;
}
