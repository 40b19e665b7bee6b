// The draft that is open: its state as the server has it, and everything that may be done to it.

import { ask } from "./session.js";

const SETTLE = 300; // ms after an edit until the files are checked

/** Files that every vessel has a form for, in order. */
export const FILES = ["vessel", "geometry", "inertia", "hydrodynamics", "control_surfaces", "thrusters", "initial_conditions", "sensors", "guidance", "control"];

/** One draft; events: "state" (something changed), "check" (mistakes are known). */
export class Studio extends EventTarget {
  constructor(id) {
    super();
    this.id = id;
    this.base = `/api/draft/${id}`;
    this.state = null;
    this.mistakes = [];
    this.checked = -1; // the revision that the mistakes are of
    this._turn = Promise.resolve();
  }

  /** Read everything. */
  async open() {
    this._take(await ask(this.base));
    return this;
  }

  get revision() {
    return this.state.revision;
  }

  /** The tree of a file's values; null of an absent or unreadable one. */
  tree(file) {
    return this.state.files[file]?.tree ?? null;
  }

  /** The node at a path of a file; null for none. */
  node(file, path) {
    let node = this.tree(file);
    for (const step of path) node = (typeof step === "number" ? node?.l?.[step] : node?.m?.[step]) ?? null;
    return node;
  }

  /** What a path of a file says: text, nested arrays and objects of texts; null for nothing. */
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

  /** Do edits at once; each {do, file, path, value, everywhere}. */
  edit(title, edits) {
    return this._post("edit", () => ({ revision: this.revision, title, edits }));
  }

  /** Set one value. */
  set(file, path, value, everywhere = false) {
    return this.edit(`${file.replace(".yml", "")}: ${dotted(path)}`, [{ do: "set", file, path, value, everywhere }]);
  }

  undo() {
    return this._post("undo", () => ({ revision: this.revision }));
  }

  redo() {
    return this._post("redo", () => ({ revision: this.revision }));
  }

  /** Take a file's text as it was typed. */
  text(file, text) {
    return this._post("text", () => ({ revision: this.revision, file, text }));
  }

  /** Upload a file into the draft. */
  put(name, blob) {
    return this._turned(async () => this._take(await send(`${this.base}/put?revision=${this.revision}&name=${encodeURIComponent(name)}`, blob)));
  }

  /** Take HydRA's zip: its results and mesh, named in the files. */
  hydra(name, blob) {
    return this._turned(async () => this._take(await send(`${this.base}/hydra?revision=${this.revision}&name=${encodeURIComponent(name)}`, blob)));
  }

  /** Take a file away. */
  drop(name) {
    return this._turned(async () => this._take(await send(`${this.base}/remove?revision=${this.revision}&name=${encodeURIComponent(name)}`, "")));
  }

  /** Ask for something that answers with the draft's state. */
  _post(what, body) {
    return this._turned(async () => this._take(await ask(`${this.base}/${what}`, body())));
  }

  /** One after the other, so that each is made of the revision before. */
  _turned(act) {
    const done = this._turn.then(act);
    this._turn = done.catch(() => {});
    return done;
  }

  /** Do something that answers with a state, after what is under way. */
  take(act) {
    return this._turned(async () => this._take(await act()));
  }

  _take(state) {
    this.state = state.files ? state : { ...this.state, ...state };
    this.dispatchEvent(new Event("state"));
    clearTimeout(this._timer);
    this._timer = setTimeout(() => this.check(), SETTLE);
    return this.state;
  }

  /** Have the files checked; what was typed meanwhile is checked after. */
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

  /** The mistakes at a field, and at those below it. */
  mistakesAt(file, path) {
    const key = dotted(path);
    return this.mistakes.filter((one) => one.file === file && one.key === key);
  }
}

/** A path as messages write it: places in lists from 1. */
export const dotted = (path) => path.map((step) => (typeof step === "number" ? step + 1 : step)).join(".");

/** Send bytes. */
export async function send(address, blob) {
  const answer = await fetch(address, { method: "POST", body: blob });
  const told = await answer.json().catch(() => ({ error: `The server answered with status ${answer.status}.` }));
  if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
  return told;
}

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
