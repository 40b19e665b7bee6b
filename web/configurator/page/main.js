// Main module of the configurator's page: logs in, shows the start page or a draft, connects forms and view.

import { byId, make, say, tell, walk } from "./dom.js";
import { ask, comeIn } from "./session.js";
import { Studio } from "./studio.js";

/** Panels by key: title, module, the view shown next to it. */
const PANELS = {
  form: ["Files", "./panel_form.js", "scene"],
  parts: ["Parts", "./panel_parts.js", "scene"],
  hull: ["Hull", "./panel_hull.js", "scene"],
  estimates: ["Estimates", "./panel_estimates.js", "scene"],
  trials: ["Trials", "./panel_trials.js", "scene"],
  guidance: ["Guidance", "./panel_guidance.js", "plan"],
  more: ["Uploads", "./panel_uploads.js", "scene"],
};

/** State shared by the parts of the page. */
class Page {
  constructor() {
    this.home = {};
    this.keys = {};
    this.studio = null;
    this.layout = read();
    this.memory = {};
    this.selected = null; // {file, list, at} or {file, path}: what is chosen in view and forms
    this.errors = [];
    this.events = new EventTarget();
    this._parts = {};
    this._panel = null;
  }

  /** Call a function; show an error of the server, with undefined as the result. */
  async try(act) {
    try {
      return await act();
    } catch (error) {
      if (error.status === 409 && /changed elsewhere/.test(error.message)) await this.stale(error.message);
      else tell(error.message, "wrong");
      this.studio?.dispatchEvent(new Event("state")); // fields show the valid values again
      return undefined;
    }
  }

  /** The draft was changed elsewhere, e.g. in another tab: report that, and load it again. */
  async stale(message) {
    const { question } = await import("./dialogs.js");
    await question("Changed elsewhere", [message, "Your last edit was rejected. The page now shows the vessel's present state."], [["Show it", true, "primary"]]);
    await this.studio.take(() => ask(this.studio.base));
  }

  /** Load a part of the page once. */
  async part(name) {
    this._parts[name] ??= import(`./${name}.js`).then((module) => module.default(this));
    return this._parts[name];
  }

  /** Show a draft. */
  async show(id) {
    const studio = new Studio(id);
    await studio.open();
    this.studio = studio;
    this.selected = null;
    this.layout.draft = id;
    for (const key of ["vessel", "actions", "side", "health"]) byId(key).hidden = false;
    byId("doors").hidden = true;
    studio.addEventListener("state", () => this.studio === studio && this._state());
    studio.addEventListener("check", () => this.studio === studio && this._health());
    this._state();
    await this.open(this.layout.tab ?? "form");
  }

  /** Show the start page. */
  async doors() {
    this._turn = (this._turn ?? 0) + 1;
    this._panel?.close?.();
    this._panel = null;
    byId("panel").replaceChildren();
    this.studio = null;
    this.layout.draft = null;
    this.keep();
    for (const key of ["vessel", "actions", "side", "health", "scene", "plan"]) byId(key).hidden = true;
    byId("doors").hidden = false;
    byId("stage").classList.add("wide");
    await (await this.part("start_page")).show();
  }

  /** Open a panel by its key. */
  async open(key) {
    const [title, path, view] = PANELS[key] ?? PANELS.form;
    this.layout.tab = PANELS[key] ? key : "form";
    byId("stage").classList.remove("wide");
    this._tabs();
    byId(`tab-${this.layout.tab}`).scrollIntoView({ block: "nearest", inline: "nearest" });
    const turn = (this._turn = (this._turn ?? 0) + 1);
    const [module] = await Promise.all([import(path), this._view(view)]);
    if (turn !== this._turn || !this.studio) return;
    this._panel?.close?.();
    const box = byId("panel");
    box.replaceChildren();
    box.setAttribute("aria-label", title);
    this._panel = module.default(box, this) ?? null;
    this.keep();
  }

  /** Select a part of the vessel in the view and in the forms; null for none. */
  select(what) {
    this.selected = what;
    this.events.dispatchEvent(new Event("select"));
  }

  async _view(name) {
    for (const key of ["scene", "plan"]) byId(key).hidden = key !== name;
    (await this.part(name)).show();
  }

  _state() {
    const { state } = this.studio;
    const unsaved = state.unsaved.length;
    byId("vessel").replaceChildren(make("h1", { text: state.name }), make("small", { text: state.changed.length ? "changed on disk" : unsaved ? `${unsaved} ${unsaved === 1 ? "file" : "files"} to save` : "saved" }));
    document.title = `${unsaved ? "• " : ""}${state.name} – Steerageway`;
    const doable = (id, title, word) => {
      byId(id).disabled = !title || this.home.read_only;
      byId(id).title = title ? `${word} ${title}` : `Nothing to ${word.toLowerCase()}`;
    };
    doable("undo", state.undo, "Undo");
    doable("redo", state.redo, "Redo");
    for (const id of ["save", "sail"]) byId(id).disabled = this.home.read_only;
    if (state.changed.length && !this.memory.told) {
      this.memory.told = true;
      tell(`Changed on disk since it was read: ${state.changed.join(", ")}. Save offers the options.`);
    }
    if (!state.changed.length) this.memory.told = false;
    this._health();
  }

  _health() {
    const { mistakes, checked, revision, failed } = this.studio;
    const box = byId("health");
    box.className = `health ${failed || mistakes.length ? "wrong" : checked === revision ? "good" : ""}`;
    say(box, failed ? "not checked" : checked !== revision && !mistakes.length ? "checking …" : mistakes.length ? counted(mistakes.length, "mistake") : `valid${this._doubts()}`);
    box.title = failed || (mistakes.length ? "What vessel check says; press to read it" : "No errors; press for what plausibility rules say");
  }

  /** What the plausibility rules said of the vessel as it is now; "" if they were not applied. */
  _doubts() {
    const { findings, revision } = this.studio;
    if (findings?.revision !== revision) return "";
    const count = findings.rows.filter(([kind]) => kind === "warning").length;
    return count ? `, ${counted(count, "warning")}` : ", plausible";
  }

  _tabs() {
    byId("tabs").replaceChildren(...Object.entries(PANELS).map(([key, [title]]) => {
      const chosen = key === this.layout.tab;
      const tab = make("button", { type: "button", role: "tab", id: `tab-${key}`, text: title, tabIndex: chosen ? 0 : -1, aria: { selected: chosen, controls: "panel" } });
      tab.onclick = () => {
        this.open(key);
        sheet(true);
      };
      return tab;
    }));
  }

  keep() {
    sessionStorage.setItem("configurator", JSON.stringify(this.layout));
    const { draft, tab } = this.layout;
    history.replaceState(null, "", draft ? `?draft=${draft}&tab=${tab}` : location.pathname);
  }
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function read() {
  let kept = {};
  try {
    kept = JSON.parse(sessionStorage.getItem("configurator") ?? "{}");
  } catch {
    kept = {};
  }
  const asked = new URLSearchParams(location.search);
  if (asked.has("draft")) kept.draft = asked.get("draft");
  if (asked.has("tab")) kept.tab = asked.get("tab");
  return kept;
}

function sheet(open) {
  byId("side").classList.toggle("open", open);
  byId("grip").setAttribute("aria-expanded", open);
}

function connect(page) {
  byId("home").onclick = () => page.doors();
  byId("undo").onclick = () => page.try(() => page.studio.undo());
  byId("redo").onclick = () => page.try(() => page.studio.redo());
  for (const [id, verb] of [["save", "save"], ["export", "exported"], ["sail", "sail"], ["health", "health"]]) byId(id).onclick = async () => (await page.part("saving"))[verb]();
  byId("grip").onclick = () => sheet(!byId("side").classList.contains("open"));
  byId("light").onclick = () => {
    const theme = document.documentElement.dataset.theme === "light" ? "dark" : "light";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
    window.dispatchEvent(new Event("theme"));
  };
  byId("help").onclick = async () => (await page.part("help")).open();
  byId("tabs").addEventListener("keydown", (event) => walk(event, [...byId("tabs").children]));
  document.addEventListener("keydown", (event) => {
    if (!page.studio || document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("textarea, input:not([type=checkbox])");
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "s") byId("save").click();
    else if ((event.ctrlKey || event.metaKey) && !typing && key === "z") byId(event.shiftKey ? "redo" : "undo").click();
    else if ((event.ctrlKey || event.metaKey) && !typing && key === "y") byId("redo").click();
    else if (key === "?" && !typing) byId("help").click();
    else return;
    event.preventDefault();
  });
}

async function begin() {
  const theme = localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  document.documentElement.dataset.theme = theme;
  const page = new Page();
  window.probe = page;
  for (const event of ["error", "unhandledrejection"]) window.addEventListener(event, (one) => page.errors.push(String(one.reason ?? one.message)));
  document.addEventListener("securitypolicyviolation", (one) => page.errors.push(`${one.violatedDirective} ${one.blockedURI}`));
  connect(page);
  try {
    await comeIn();
    [page.home, page.keys] = await Promise.all([ask("/api/home"), ask("/api/keys")]);
    const wanted = page.layout.draft ?? page.home.default;
    const asked = new URLSearchParams(location.search).get("open");
    if (asked) await page.show((await ask("/api/open", asked.includes("/") ? { folder: asked } : { template: asked })).id);
    else if (wanted && page.home.drafts.some((one) => one.id === wanted)) await page.show(wanted);
    else await page.doors();
  } catch (error) {
    byId("doors").hidden = false;
    byId("doors").replaceChildren(make("h1", { text: "Not connected" }), make("p.lead", { text: error.message }));
  }
  page.ready = true;
}

begin();
