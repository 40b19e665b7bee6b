// Files panel: a form of all keys of a file with unit, meaning and default, next to its YAML text.

import { hearing, make } from "./dom.js";
import { at, change, field, rebuilt } from "./fields.js";
import { copied } from "./parts.js";
import { FILES, dotted } from "./studio.js";

const TYPING = 500; // delay after the last keystroke until the text is applied [ms]

export default function panelForm(box, page) {
  const panel = new FormPanel(box, page);
  panel.build();
  return panel;
}

class FormPanel {
  constructor(box, page) {
    this.box = box;
    this.page = page;
    this.open = (page.memory.open ??= new Set());
    const again = () => this.build();
    const checked = () => JSON.stringify(page.studio.mistakes) !== this.shown && this.build();
    this._end = hearing([page.studio, "state", again], [page.studio, "check", checked], [page.events, "again", again], [page.events, "select", () => this._selected()]);
  }

  close() {
    this._end();
    if (this.typing) this._typed();
  }

  get file() {
    const { layout, studio } = this.page;
    const known = layout.file && (layout.file in studio.state.files || FILES.includes(layout.file.replace(".yml", "")));
    return known ? layout.file : "geometry.yml";
  }

  /** Rebuild the panel, keeping focus and the text's scroll position. */
  build() {
    this.shown = JSON.stringify(this.page.studio.mistakes);
    const yamlScroll = this.text?.scrollTop ?? 0;
    rebuilt(this.box, () => this._build());
    if (this.text) this.text.scrollTop = yamlScroll;
    this._goto();
  }

  _build() {
    const { studio } = this.page;
    const form = { page: this.page, studio, file: this.file, readOnly: this.page.home.read_only };
    const both = this.page.layout.yaml !== false;
    this.text = null;
    this.box.replaceChildren(this._files(), make(`div.pair${both ? ".both" : ""}`, {}, make("div.form", {}, ...this._form(form)), both ? this._yaml(form) : null));
  }

  _files() {
    const { studio, layout } = this.page;
    const others = Object.keys(studio.state.files).filter((name) => /\.ya?ml$/.test(name) && !FILES.includes(name.replace(".yml", "")));
    const row = make("div.files", { role: "group", aria: { label: "Files" } });
    for (const name of [...FILES.map((one) => `${one}.yml`), ...others]) {
      const wrong = studio.mistakes.filter((one) => one.file === name).length;
      const button = make("button", { type: "button", text: name.replace(".yml", ""), aria: { pressed: name === this.file } });
      button.classList.toggle("absent", !(name in studio.state.files));
      if (wrong) button.append(make("span.count", { text: wrong, aria: { label: `${wrong} mistakes` } }));
      button.onclick = () => {
        if (this.typing) this._typed();
        layout.file = name;
        this.page.keep();
        this.box.scrollTop = 0;
        this.build();
      };
      row.append(button);
    }
    const beside = make("input", { type: "checkbox", checked: layout.yaml !== false });
    beside.onchange = () => {
      layout.yaml = beside.checked;
      this.page.keep();
      this.build();
    };
    row.append(make("span.grow"), make("label.check", {}, beside, "YAML"));
    return row;
  }

  _form(form) {
    const about = form.studio.state.files[form.file];
    if (about?.error) return [make("p.mistake", { text: `line ${about.line}: ${about.error}` }), make("p.empty", { text: "The form comes back when the text can be read again." })];
    if (about && about.text === undefined) return [make("p.empty", { text: "No text." })];
    const keys = form.page.keys[form.file] ?? [];
    const general = form.studio.mistakes.filter((one) => one.file === form.file && !one.key);
    const filter = make("input.filter", { type: "search", placeholder: "Find a key", value: this.sought ?? "", id: "find-key", aria: { label: "Find a key" } });
    filter.oninput = () => {
      this.sought = filter.value;
      this._sift();
    };
    const rest = general.map((one) => make("p.mistake", { text: `${one.line ? `line ${one.line}: ` : ""}${one.text}` }));
    setTimeout(() => this._sift());
    return [filter, ...rest, ...this._keys(form, keys, [])];
  }

  /** The fields of a mapping: set and required keys first, then the others. */
  _keys(form, keys, path) {
    const node = path.length ? form.studio.node(form.file, path) : form.studio.tree(form.file);
    const model = form.studio.value("vessel.yml", ["model"]) ?? "coefficients";
    const there = Object.keys(node?.m ?? {});
    const names = new Set(keys.filter((key) => !key.pattern).map((key) => key.name));
    const patterns = keys.filter((key) => key.pattern);
    const shown = [];
    const others = [];
    for (const key of keys.filter((one) => !one.pattern)) {
      const set = there.includes(key.name);
      if (!set && key.models?.length && !key.models.includes(model)) continue;
      const needed = key.required || key.kind === "list of keys";
      (set || needed ? shown : others).push(this._one(form, key, [...path, key.name]));
    }
    for (const name of there.filter((one) => !names.has(one))) {
      const known = patterns.find((key) => new RegExp(`^(?:${key.pattern})$`).test(name));
      shown.push(this._one(form, known ? { ...known, name, pattern: "", kind: known.kind } : guessed(node.m[name], name), [...path, name]));
    }
    const parts = [...shown];
    if (patterns.length && !form.readOnly) parts.push(this._adder(form, patterns, path));
    if (others.length) {
      const id = `${at(form.file, path)}|rest`;
      const more = this._details("details.rest", id, `${others.length} more ${others.length === 1 ? "key" : "keys"}`, false);
      more.append(...others);
      parts.push(more);
    }
    return parts;
  }

  _one(form, key, path) {
    if (key.kind === "keys") return this._section(form, key, path);
    if (key.kind === "list of keys") return this._list(form, key, path);
    const node = form.studio.node(form.file, path);
    if (node?.m && key.kind !== "keys") return this._section(form, { ...key, keys: key.keys ?? [] }, path);
    return field(form, key, path);
  }

  _section(form, key, path) {
    const node = form.studio.node(form.file, path);
    if (node?.l) return field(form, { ...key, kind: "numbers", size: node.l.length, unit: "" }, path); // Panisim's older [x, y, z]
    const box = make("fieldset", { data: { at: at(form.file, path) } }, make("legend", {}, key.name, make("small", { text: key.meaning ?? "" })));
    for (const one of form.studio.mistakesAt(form.file, path)) box.append(make("p.mistake", { text: one.text }));
    box.append(...this._keys(form, key.keys ?? [], path));
    return box;
  }

  _list(form, key, path) {
    const items = form.studio.node(form.file, path)?.l ?? [];
    const box = make("fieldset", { data: { at: at(form.file, path) } }, make("legend", {}, `${key.name}`, make("small", { text: key.meaning ?? "" })));
    for (const one of form.studio.mistakesAt(form.file, path)) box.append(make("p.mistake", { text: one.text }));
    items.forEach((_, i) => {
      const where = [...path, i];
      const item = this._details("details.item", at(form.file, where), titleOf(form, where), items.length < 3);
      const chosen = this.page.selected;
      item.classList.toggle("chosen", chosen?.file === form.file && dotted(chosen.path) === dotted(where));
      if (!form.readOnly) {
        const drop = make("button.clear", { type: "button", text: "Remove", aria: { label: `Remove ${titleOf(form, where)}` } });
        drop.onclick = (event) => {
          event.preventDefault();
          change(form, where, null, "remove");
        };
        const twin = make("button.clear", { type: "button", text: "Copy", aria: { label: `Copy ${titleOf(form, where)}` } });
        twin.onclick = (event) => {
          event.preventDefault();
          change(form, path, copied(form.studio.value(form.file, where)), "add");
        };
        item.firstElementChild.append(make("span.grow"), twin, drop);
      }
      item.append(...(key.keys?.length ? this._keys(form, key.keys, where) : [field(form, { name: `${i + 1}`, kind: "rows of numbers" }, where)]));
      box.append(item);
    });
    if (!form.readOnly) {
      const add = make("button", { type: "button", text: `Add to ${key.name}` });
      add.onclick = () => change(form, path, first(form, key, items.length), "add");
      box.append(add);
    }
    return box;
  }

  _adder(form, patterns, path) {
    const name = make("input", { placeholder: patterns[0].name, id: `add-${dotted(path)}`, aria: { label: "Name of a coefficient" }, spellcheck: false });
    const value = make("input", { placeholder: "value", inputMode: "decimal", id: `addv-${dotted(path)}`, aria: { label: "Its value" } });
    const add = () => {
      const number = Number(value.value);
      if (name.value.trim() && value.value.trim() && Number.isFinite(number)) change(form, [...path, name.value.trim()], number);
    };
    const button = make("button", { type: "button", text: "Add", on: { click: add } });
    value.addEventListener("keydown", (event) => event.key === "Enter" && add());
    return make("div.field", {}, make("span.label", { text: "one more" }), make("div.line", {}, name, value, button));
  }

  _details(tag, id, title, open) {
    const box = make(tag, { data: { at: id } }, make("summary", {}, title));
    box.open = this.open.has(id) || (open && !this.open.has(`-${id}`));
    box.addEventListener("toggle", () => {
      this.open.delete(box.open ? `-${id}` : id);
      this.open.add(box.open ? id : `-${id}`);
    });
    return box;
  }

  _sift() {
    const word = (this.sought ?? "").trim().toLowerCase();
    for (const one of this.box.querySelectorAll(".form .field")) one.hidden = Boolean(word) && !one.textContent.toLowerCase().includes(word);
    if (word) for (const one of this.box.querySelectorAll(".form details")) one.open = one.querySelector(".field:not([hidden])") !== null;
  }

  _yaml(form) {
    const about = form.studio.state.files[form.file];
    const where = make("p.where", { text: form.file });
    this.text = make("textarea", { id: "yaml", defaultValue: about?.text ?? "", spellcheck: false, readOnly: form.readOnly, wrap: "off", aria: { label: `YAML of ${form.file}` } });
    const line = () => (where.textContent = `${form.file}, line ${this.text.value.slice(0, this.text.selectionStart).split("\n").length}`);
    for (const event of ["keyup", "click", "focus"]) this.text.addEventListener(event, line);
    this.text.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this._typed(), TYPING);
    });
    return make("div.yaml", {}, where, this.text);
  }

  _typed() {
    clearTimeout(this.typing);
    this.typing = 0;
    const [file, text] = [this.file, this.text?.value];
    if (text === undefined) return;
    this.page.try(() => this.page.studio.text(file, text));
  }

  /** Go to the field of a selected diagnostic. */
  _goto() {
    const { goto } = this.page.memory;
    if (!goto) return;
    delete this.page.memory.goto;
    const found = this.box.querySelector(`[data-at="${CSS.escape(`${goto.file}|${goto.key}`)}"]`);
    for (let up = found; up; up = up.parentElement?.closest("details")) up.open = true;
    const target = found?.querySelector("input, select");
    if (target) {
      target.focus();
      target.scrollIntoView({ block: "center" });
    } else if (this.text && goto.line) {
      const start = this.text.value.split("\n").slice(0, goto.line - 1).join("\n").length + (goto.line > 1 ? 1 : 0);
      this.text.focus();
      this.text.setSelectionRange(start, start);
    }
  }

  _selected() {
    const { selected } = this.page;
    if (!selected?.path) return;
    const id = at(selected.file, selected.path);
    this.open.delete(`-${id}`);
    this.open.add(id);
    if (selected.file !== this.file) this.page.layout.file = selected.file;
    this.build();
    this.box.querySelector(`[data-at="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" });
  }
}

/** The title of a list item. */
function titleOf(form, path) {
  const item = form.studio.value(form.file, path);
  const number = path.at(-1) + 1;
  if (!item || typeof item !== "object") return `${number}`;
  const name = item.thruster_name ?? item.control_surface_type ?? item.sensor_type ?? item.name ?? "";
  const id = item.thruster_id ?? item.control_surface_id ?? item.actuator_id ?? number;
  return `${name} ${id}`.trim();
}

/** A declaration for an undeclared key, from its value. */
function guessed(node, name) {
  const numbers = node?.l?.length && node.l.every((one) => one?.s !== undefined);
  const kind = node?.m ? "keys" : node?.l ? (node.l.some((one) => one?.m) ? "list of keys" : numbers ? "numbers" : "rows of numbers") : "text";
  return { name, kind, undeclared: true, meaning: "", unit: "", low: null, high: null, above: null, keys: [] };
}

/** The initial value of a new item: its number, if it has one. */
function first(form, key, count) {
  const id = key.keys?.find((one) => /_id$/.test(one.name))?.name;
  const place = key.keys?.find((one) => /_location$/.test(one.name))?.name;
  return { ...(id ? { [id]: count + 1 } : {}), ...(place ? { [place]: [0, 0, 0] } : {}), ...(id || place ? {} : { [key.keys?.[0]?.name ?? "name"]: "" }) };
}
