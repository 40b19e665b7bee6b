// The open draft: its state on the server, and requests that edit, upload, undo and check.

import { ask } from "./session.js";

const SETTLE = 300; // delay of the check after an edit [ms]

/** Files that every vessel has a form for, in order. */
export const FILES = ["vessel", "geometry", "inertia", "hydrodynamics", "control_surfaces", "thrusters", "initial_conditions", "sensors", "guidance", "control"];

/** A draft; events: "state" (it has changed), "check" (new diagnostics). */
export class Studio extends EventTarget {
  constructor(id) {
    super();
    this.id = id;
    this.base = `/api/draft/${id}`;
    this.state = null;
    this.mistakes = [];
    this.findings = null; // {revision, rows} of the plausibility rules
    this.checked = -1; // the revision of the diagnostics
    this._turn = Promise.resolve();
  }

  /** Load the state from the server. */
  async open() {
    this._take(await ask(this.base));
    return this;
  }

  get revision() {
    return this.state.revision;
  }

  /** The YAML tree of a file; null if it does not exist or is not valid. */
  tree(file) {
    return this.state.files[file]?.tree ?? null;
  }

  /** The node at a path of a file; null for none. */
  node(file, path) {
    let node = this.tree(file);
    for (const step of path) node = (typeof step === "number" ? node?.l?.[step] : node?.m?.[step]) ?? null;
    return node;
  }

  /** The value at a path of a file: text, nested arrays and objects of texts; null for none. */
  value(file, path) {
    return plain(this.node(file, path));
  }

  /** Numbers at a path; null unless all are. */
  numbers(file, path) {
    const found = this.value(file, path);
    const list = Array.isArray(found) ? found.map(toNumber) : null;
    return list?.every(Number.isFinite) ? list : null;
  }

  /** A number at a path; null for none. */
  number(file, path) {
    const found = this.value(file, path);
    const number = typeof found === "string" ? toNumber(found) : NaN;
    return Number.isFinite(number) ? number : null;
  }

  /** Apply edits as one entry of the journal; each {do, file, path, value, everywhere}. */
  edit(title, edits) {
    return this._post("edit", () => ({ revision: this.revision, title, edits }));
  }

  undo() {
    return this._post("undo", () => ({ revision: this.revision }));
  }

  redo() {
    return this._post("redo", () => ({ revision: this.revision }));
  }

  /** Replace a file's text. */
  text(file, text) {
    return this._post("text", () => ({ revision: this.revision, file, text }));
  }

  /** Upload a file into the draft. */
  put(name, blob) {
    return this._send("put", name, blob);
  }

  /** Import HydRA's results from a zip. */
  hydra(name, blob) {
    return this._send("hydra", name, blob);
  }

  /** Remove a file. */
  drop(name) {
    return this._send("remove", name, new Blob());
  }

  _send(what, name, blob) {
    return this.take(() => ask(`${this.base}/${what}?revision=${this.revision}&name=${encodeURIComponent(name)}`, blob));
  }

  /** Send a request whose response is the draft's state. */
  _post(what, body) {
    return this.take(() => ask(`${this.base}/${what}`, body()));
  }

  /** Call a function that returns a new state, after pending ones, so that each refers to the revision of the one before. */
  take(act) {
    const done = this._turn.then(act).then((state) => this._take(state));
    this._turn = done.catch(() => {});
    return done;
  }

  _take(state) {
    this.state = state.files ? state : { ...this.state, ...state };
    this.dispatchEvent(new Event("state"));
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.check(), SETTLE);
    return this.state;
  }

  /** Have the files checked; if they change meanwhile, check again. */
  async check() {
    if (this._checking) {
      this._again = true;
      return;
    }
    this._checking = true;
    try {
      const told = await ask(`${this.base}/check`);
      this.mistakes = told.mistakes;
      this.checked = told.revision;
      this.failed = "";
    } catch (error) {
      this.failed = error.message;
    }
    this._checking = false;
    this.dispatchEvent(new Event("check"));
    if (this._again || (this.checked !== this.revision && !this.failed)) {
      this._again = false;
      this.check();
    }
  }

  /** The diagnostics of a field, and of those below it. */
  mistakesAt(file, path) {
    const key = dotted(path);
    return this.mistakes.filter((one) => one.file === file && one.key === key);
  }
}

/** A path as in diagnostics: indices of lists from 1. */
export const dotted = (path) => path.map((step) => (typeof step === "number" ? step + 1 : step)).join(".");

/** A number as files write it. */
export const toNumber = (text) => {
  const word = String(text).trim().toLowerCase();
  if (/^[-+]?\.?inf$/.test(word)) return word.startsWith("-") ? -Infinity : Infinity;
  return word === "" ? NaN : Number(word);
};

function plain(node) {
  if (!node) return null;
  if (node.m) return Object.fromEntries(Object.entries(node.m).map(([key, one]) => [key, plain(one)]));
  if (node.l) return node.l.map(plain);
  return !node.q && ["", "none", "null", "~"].includes(node.s.toLowerCase()) ? null : node.s;
}
