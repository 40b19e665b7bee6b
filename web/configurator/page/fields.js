// Form fields, one for each kind of value that a key may have.

import { make } from "./dom.js";
import { question } from "./dialogs.js";
import { dotted, toNumber } from "./studio.js";

const DEGREES = 180 / Math.PI;
const BARE = /^-?(0|[1-9]\d{0,14})$/;

/** The id of a field, for tests and for restoring the focus. */
export const at = (file, path) => `${file}|${dotted(path)}`;

/** Typed text as a value of the file: a number if it is one. */
export function typed(text) {
  const word = text.trim();
  const number = toNumber(word);
  return Number.isFinite(number) ? number : word;
}

/** A number with few digits. */
export const short = (number) => (Number.isFinite(number) ? String(Number(number.toPrecision(7))) : "");

/**
 * One field.
 * @param {object} form {page, studio, file, readOnly}
 * @param {object} key its declaration
 * @param {Array} path where it is
 */
export function field(form, key, path) {
  const node = form.studio.node(form.file, path);
  const value = form.studio.value(form.file, path);
  const mistakes = form.studio.mistakesAt(form.file, path);
  const id = `f-${form.file}-${dotted(path)}`;
  const box = make("div.field", { data: { at: at(form.file, path) } });
  box.classList.toggle("set", value !== null);
  box.classList.toggle("wrong", mistakes.length > 0);
  const widget = (WIDGETS[key.kind] ?? plainText)(form, key, path, value, id);
  const { plain, rest } = plainName(key);
  const label = make("label", { htmlFor: id }, ...broken(key.name));
  if (key.unit) label.append(" ", make("span.unit", { text: `[${key.unit}]` }));
  if (node?.a) label.append(" ", make("span.tied", { text: node.x ? `as ${node.a}` : `shared: ${node.a}`, title: "A value that several keys of the file share" }));
  if (plain) label.append(make("span.plain", { text: plain }));
  const line = make("div.line", {}, widget);
  if (value !== null && !form.readOnly) {
    const clear = make("button.clear", { type: "button", text: "×", title: "Remove the key from the file", aria: { label: `Remove ${key.name} from the file` } });
    clear.onclick = () => change(form, path, null, "remove");
    line.append(clear);
  }
  box.append(label, line);
  const twin = key.unit === "rad" ? degrees(form, key, path, value) : null;
  if (twin) box.append(twin);
  const note = describe({ ...key, meaning: rest });
  if (note) box.append(make("p.note", { text: note }));
  for (const one of mistakes) box.append(make("p.mistake", { text: one.text }));
  return box;
}

const LONGEST_NAME = 44; // characters of a meaning that stands beside its key

/** A key's plain name, the first words of its meaning, and the rest of that. */
function plainName({ meaning }) {
  const at = (meaning ?? "").search(/[;:(]/);
  const plain = (at < 0 ? meaning ?? "" : meaning.slice(0, at)).trim();
  if (plain.length > LONGEST_NAME) return { plain: "", rest: meaning };
  return { plain, rest: at < 0 ? "" : meaning.slice(meaning[at] === "(" ? at : at + 1).trim() };
}

/** A key, which may be broken behind its underscores only. */
const broken = (name) => name.split(/(?<=_)/).flatMap((part, i) => (i ? [make("wbr"), part] : [part]));

/** Rebuild a box, keeping focus, caret and unfinished input. */
export function rebuilt(box, build) {
  const active = document.activeElement;
  const back = box.contains(active) ? { id: active.id, label: active.getAttribute("aria-label"), from: active.selectionStart, to: active.selectionEnd, text: active.value, dirty: active.matches("input, textarea") && active.value !== active.defaultValue } : null;
  const scrolled = box.scrollTop;
  build();
  box.scrollTop = scrolled;
  if (!back) return;
  const same = back.id ? document.getElementById(back.id) : [...box.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === back.label);
  if (!same || same === document.activeElement) return;
  same.focus({ preventScroll: true });
  if (back.dirty) same.value = back.text;
  if (Number.isInteger(back.from) && same.setSelectionRange) same.setSelectionRange(back.from, back.to);
}

function describe(key) {
  const usual = key.usual || (key.default === null || key.default === undefined || key.default === "" ? "" : shown(key.default));
  const limits = key.low !== null && key.high !== null ? `${key.low} to ${key.high}` : key.low !== null ? `${key.low} or more` : key.above !== null ? `above ${key.above}` : key.high !== null ? `at most ${key.high}` : "";
  const parts = [key.meaning, limits, usual !== "" && `without it: ${usual}`, key.undeclared && "not declared: kept as it is"];
  return parts.filter(Boolean).join("; ");
}

const shown = (value) => (Array.isArray(value) ? value.join(", ") : String(value));

/** Edit one value; for a shared value (YAML alias) ask whether to change all of them. */
export async function change(form, path, value, verb = "set") {
  const { page, studio, file } = form;
  const node = studio.node(file, path);
  let everywhere = false;
  if (verb === "set" && node?.a && !Array.isArray(value)) {
    everywhere = node.x ? await whose(node.a) : true;
    if (everywhere === null) return page.events.dispatchEvent(new Event("again"));
  }
  const title = `${file.replace(".yml", "")}: ${dotted(path)}`;
  return page.try(() => studio.edit(title, [{ do: verb, file, path, value, everywhere }]));
}

const whose = (anchor) => question("A shared value", [`Several keys of this file take this value from "${anchor}".`], [["Cancel", null], ["Change this one only", false], ["Change all of them", true, "primary"]]);

function input(form, id, text, placeholder, name, hear) {
  const node = make("input", { id, defaultValue: text, placeholder, spellcheck: false, autocomplete: "off", disabled: form.readOnly, aria: { label: name } });
  node.addEventListener("change", () => hear(node.value));
  return node;
}

const hint = (key) => (key.usual ? `(${key.usual})` : key.default !== null && key.default !== undefined ? `(${shown(key.default)})` : "");

function plainText(form, key, path, value, id) {
  const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return input(form, id, text, hint(key), key.name, (said) => {
    if (said.trim() === "") return change(form, path, null, "remove");
    return change(form, path, BARE.test(said.trim()) ? Number(said) : said.trim());
  });
}

function numberField(form, key, path, value, id) {
  const node = input(form, id, typeof value === "string" ? value : value === null ? "" : JSON.stringify(value), hint(key), key.name, (said) => {
    if (said.trim() === "") return change(form, path, null, "remove");
    return change(form, path, typed(said));
  });
  node.inputMode = "decimal";
  return node;
}

function choice(form, key, path, value, id, words = key.choices) {
  const options = [["", hint(key) || "–"], ...words.map((word) => [word, word])];
  if (value !== null && !words.includes(value)) options.push([value, value]);
  const node = make("select", { id, disabled: form.readOnly, aria: { label: key.name } }, ...options.map(([word, text]) => make("option", { value: word, text })));
  node.value = value ?? "";
  node.addEventListener("change", () => {
    if (node.value === "") return change(form, path, null, "remove");
    const said = node.value === "true" ? true : node.value === "false" ? false : node.value;
    return change(form, path, said);
  });
  return node;
}

const flag = (form, key, path, value, id) => choice(form, key, path, value, id, ["true", "false"]);

function fileField(form, key, path, value, id) {
  const names = Object.keys(form.studio.state.files).filter((name) => !name.endsWith(".yml") && (!key.suffixes?.length || key.suffixes.some((end) => name.toLowerCase().endsWith(end))));
  const list = make("datalist", { id: `${id}-files` }, ...names.map((name) => make("option", { value: name })));
  const node = plainText(form, key, path, value, id);
  node.setAttribute("list", list.id);
  return make("span", {}, node, list);
}

function numbers(form, key, path, value, id) {
  const given = Array.isArray(value) ? value : null;
  const size = key.size || given?.length || 0;
  if (!size) return rows(form, key, path, value, id);
  if (given && given.length !== size) return rows(form, key, path, value, id);
  const fallback = Array.isArray(key.default) ? key.default : Array(size).fill(0);
  const cells = make("span.cells", { role: "group", aria: { label: key.name } });
  for (let i = 0; i < size; i++) {
    const text = given ? (given[i] ?? "") : "";
    const cell = input(form, i ? `${id}-${i}` : id, text, given ? "" : `(${shown(fallback[i] ?? 0)})`, `${key.name} ${i + 1}`, (said) => set(i, said));
    cell.inputMode = "decimal";
    cells.append(cell);
  }
  const set = (i, said) => {
    const entry = said.trim() === "" ? (fallback[i] ?? 0) : typed(said);
    if (given && form.studio.node(form.file, path)?.l) return change(form, [...path, i], entry);
    return change(form, path, Array.from({ length: size }, (_, k) => (k === i ? entry : given ? typed(String(given[k])) : (fallback[k] ?? 0))));
  };
  return cells;
}

function matrix(form, key, path, value, id) {
  const size = key.size || 6;
  const given = Array.isArray(value) && value.length === size && value.every((row) => Array.isArray(row) && row.length === size) ? value : null;
  const cells = make("span.cells.matrix", { role: "group", aria: { label: key.name } });
  for (let i = 0; i < size; i++) {
    const row = make("span.cells");
    for (let k = 0; k < size; k++) {
      row.append(input(form, i || k ? `${id}-${i}-${k}` : id, given ? (given[i][k] ?? "") : "", "", `${key.name} row ${i + 1} column ${k + 1}`, (said) => {
        const entry = said.trim() === "" ? 0 : typed(said);
        if (given) return change(form, [...path, i, k], entry);
        return change(form, path, Array.from({ length: size }, (_, a) => Array.from({ length: size }, (__, b) => (a === i && b === k ? entry : 0))));
      }));
    }
    cells.append(row);
  }
  return cells;
}

/** Lists of any length, on one line: 1, 2, 3 or [[1, 2], [3, 4]]. */
function rows(form, key, path, value, id) {
  const text = value === null ? "" : JSON.stringify(loose(value)).replaceAll(",", ", ").replace(/^\[(.*)\]$/s, "$1");
  return input(form, id, text, hint(key) || "1, 2, 3", key.name, (said) => {
    if (said.trim() === "") return change(form, path, null, "remove");
    let list;
    try {
      list = JSON.parse(`[${said}]`);
    } catch {
      list = said.split(",").map(typed);
    }
    return change(form, path, list);
  });
}

const loose = (value) => (Array.isArray(value) ? value.map(loose) : value === null ? null : typed(String(value)));

/** The same angles in degrees, which sets the radians of the file. */
function degrees(form, key, path, value) {
  const list = Array.isArray(value) ? value : value === null && key.size ? Array(key.size).fill("0") : [value ?? ""];
  const twin = make("div.twin", { aria: { label: `${key.name} in degrees` }, role: "group" });
  list.forEach((one, i) => {
    const radians = toNumber(one ?? "");
    twin.append(input(form, undefined, Number.isFinite(radians) ? short(radians * DEGREES) : "", "", `${key.name} ${list.length > 1 ? `${i + 1} ` : ""}in degrees`, (said) => {
      const turned = toNumber(said) / DEGREES;
      if (!Number.isFinite(turned)) return form.page.events.dispatchEvent(new Event("again"));
      if (!Array.isArray(value)) return change(form, path, key.size ? list.map((old, k) => (k === i ? turned : toNumber(old) || 0)) : turned);
      return change(form, [...path, i], turned);
    }));
  });
  twin.append(make("span", { text: "°" }));
  return twin;
}

const WIDGETS = {
  number: numberField,
  "whole number": numberField,
  "true or false": flag,
  text: plainText,
  "one of": choice,
  file: fileField,
  numbers,
  matrix,
  "rows of numbers": rows,
  "list of words": rows,
};
