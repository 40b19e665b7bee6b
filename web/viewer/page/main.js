// Main module of the viewer's page: logs in, shows a source or the start page, connects map, panels and
// requests. Modules that are not needed for the first picture are loaded on demand.

import { byId, keyed, make, say, tell, walk } from "./dom.js";
import { PlanView, tools } from "./map.js";
import { Picture } from "./picture.js";
import { ask, comeIn } from "./session.js";
import { Wire } from "./wire.js";

/** Panels by key: title, module, condition for being shown, group of tabs. */
const PANELS = {
  vessels: ["Vessels", "./panel_vessels.js", () => true, "watch"],
  mission: ["Mission", "./panel_mission.js", (picture) => !picture.replay, "watch"],
  helm: ["Helm", "./panel_helm.js", () => true, "inspect"],
  values: ["Values", "./panel_values.js", () => true, "inspect"],
  casts: ["Casts", "./panel_casts.js", (picture) => picture.can("appcast"), "inspect"],
  events: ["Events", "./panel_events.js", () => true, "inspect"],
  senses: ["Senses", "./panel_senses.js", () => true, "inspect"],
  compare: ["Compare", "./panel_compare.js", () => true, "inspect"],
  chart: ["Chart", "./panel_chart.js", () => true, "set"],
};

/** State shared by the parts of the page. */
class Page {
  constructor() {
    this.home = {};
    this.picture = new Picture();
    this.layout = readLayout(location.hash.slice(1));
    this.plan = new PlanView(this.picture, { ...PlanView.defaults(), ...this.layout.plan });
    this.wire = null;
    this.memory = {}; // state of panels while they are closed
    this.parts = {};
    this.errors = [];
    this._watched = new Map();
    this._panel = null;
  }

  /** Send a request to the server; show an error, with undefined as the result. */
  async do(verb, fields = {}) {
    const { wire } = this;
    try {
      return await wire.do(verb, fields);
    } catch (error) {
      if (!wire.closed) tell(error.message, "refused");
      return undefined;
    }
  }

  /** Subscribe a part of the page to the values of some variables; [] for none. */
  watch(owner, patterns) {
    this._watched.set(owner, patterns);
    this._say_watched();
  }

  _say_watched() {
    const patterns = [...new Set([...this._watched.values()].flat())];
    if (this.wire?.open) this.wire.do("watch", { patterns }).catch(() => {});
  }

  /** Load a module of the page once, and call its default export with the page. */
  async part(name) {
    this.parts[name] ??= import(`./${name}.js`).then((module) => module.default(this));
    return this.parts[name];
  }

  /** Show a source instead of what is shown. */
  async show(source) {
    this.wire?.close();
    document.body.classList.remove("at-door");
    byId("doors").hidden = true;
    for (const id of ["title", "plan", "side"]) byId(id).hidden = false;
    byId("stage").classList.remove("wide");
    if (this.layout.source !== source) this.plan.touched = false;
    this.layout.source = source;
    await this.part("transport");
    this.wire = new Wire(source, this.picture.ears());
    this.keep();
  }

  /** Show missions, runs and logs. */
  async doors() {
    document.body.classList.add("at-door");
    byId("doors").hidden = false;
    for (const id of ["title", "plan", "scene", "side", "deck"]) byId(id).hidden = true; // the start page has a title of its own
    byId("stage").classList.add("wide");
    (await this.part("start_page")).show();
  }

  /** Open a panel by its key. */
  async open(key) {
    if (!this.picture.hello) return;
    const row = PANELS[key] && PANELS[key][2](this.picture) ? PANELS[key] : PANELS.vessels;
    this.layout.tab = row === PANELS[key] ? key : "vessels";
    this._tabs();
    byId(`tab-${this.layout.tab}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    const turn = (this._turn = (this._turn ?? 0) + 1);
    const module = await import(row[1]);
    if (turn !== this._turn) return; // another panel was opened meanwhile
    this._panel?.close?.();
    const box = byId("panel");
    box.replaceChildren();
    box.setAttribute("aria-label", row[0]);
    this._panel = module.default(box, this) ?? null;
    this.keep();
  }

  /** Show or hide the 3-D view. */
  async three(on = byId("scene").hidden) {
    this.layout.three = on;
    (await this.part("scene")).show(on);
    this.keep();
  }

  /** Show or hide the plots. */
  async plots(on = byId("plots").hidden) {
    this.layout.plotting = on;
    (await this.part("plots")).show(on);
    this.keep();
  }

  /** Set the theme, dark or light. */
  theme(name) {
    document.documentElement.dataset.theme = name;
    localStorage.setItem("theme", name);
    this.plan.restyle();
    window.dispatchEvent(new Event("theme"));
  }

  _tabs() {
    const box = byId("tabs");
    const rows = Object.entries(PANELS).filter(([, row]) => row[2](this.picture));
    const create = ([key, [title]]) =>
      make("button", { type: "button", role: "tab", id: `tab-${key}`, text: title, on: { click: () => this._press(key), keydown: (event) => walk(event, [...box.querySelectorAll("[role=tab]")]) } });
    for (const group of box.children) {
      const place = group.querySelector("div") ?? make("div", { role: "presentation" });
      if (!place.parentElement) group.append(place);
      keyed(place, rows.filter(([, row]) => group.classList.contains(row[3])), ([key]) => key, create, (node, [key]) => {
        const chosen = key === this.layout.tab;
        node.setAttribute("aria-selected", chosen);
        node.tabIndex = chosen ? 0 : -1;
      });
    }
    byId("panel").setAttribute("aria-labelledby", `tab-${this.layout.tab}`);
  }

  _press(key) {
    this.sheet(true);
    this.open(key);
  }

  /** On a narrow page: open or close the panels. */
  sheet(open = !byId("side").classList.contains("open")) {
    byId("side").classList.toggle("open", open);
    byId("grip").setAttribute("aria-expanded", open);
  }

  /** Write the layout to the address, so that it can be saved and shared. */
  keep() {
    clearTimeout(this._keeping);
    this._keeping = setTimeout(() => history.replaceState(null, "", `#${placeText(this)}`), 300);
  }

  /** The layout as text, without source and time. */
  layoutText() {
    return layoutText(this).toString();
  }

  /** Apply a layout that is given as text. */
  async apply(text) {
    const { source, plots: shown, ...layout } = readLayout(text);
    Object.assign(this.layout, layout, { source: this.layout.source, time: null, at: null, plots: shown });
    Object.assign(this.plan.options, PlanView.defaults(), layout.plan);
    this.plan.dispatchEvent(new Event("options"));
    if (layout.at) this.plan.look_at(...layout.at);
    await this.open(layout.tab || "vessels");
    await this.three(layout.three);
    (await this.part("plots")).arrange(shown);
    await this.plots(layout.plotting);
  }
}

/** The layout in the address: #source=1&tab=helm&at=10,20,3&on=vectors,rings&... */
function readLayout(text) {
  const fields = new URLSearchParams(text.includes("=") ? text : "");
  const plan = {};
  if (fields.has("on")) for (const name of fields.get("on").split(",")) if (name in PlanView.defaults()) plan[name] = true;
  if (fields.has("trail")) plan.trail = fields.get("trail");
  const at = fields.get("at")?.split(",").map(Number);
  return {
    source: fields.get("source") ?? "",
    tab: fields.get("tab") ?? "",
    vessel: fields.get("vessel") ?? "",
    at: at?.length === 3 && at.every(Number.isFinite) ? at : null,
    three: fields.has("three"),
    plots: fields.getAll("plot"),
    plotting: fields.has("plot"),
    time: fields.has("t") ? Number(fields.get("t")) : null,
    plan,
  };
}

function layoutText(page) {
  const { layout, plan, picture } = page;
  const fields = new URLSearchParams();
  if (layout.tab && layout.tab !== "vessels") fields.set("tab", layout.tab);
  if (picture.selected) fields.set("vessel", picture.selected);
  if (plan.touched) fields.set("at", [plan.camera.x, plan.camera.y, plan.camera.scale].map((v) => Number(v.toPrecision(6))).join());
  const usual = PlanView.defaults();
  const on = Object.keys(plan.options).filter((name) => plan.options[name] === true && !usual[name]);
  if (on.length) fields.set("on", on.join());
  if (plan.options.trail !== "all") fields.set("trail", plan.options.trail);
  if (layout.three) fields.set("three", "1");
  for (const plot of layout.plotting ? layout.plots : []) fields.append("plot", plot);
  return fields;
}

/** The layout, with source and time. */
function placeText(page) {
  const fields = layoutText(page);
  if (page.layout.source) fields.set("source", page.layout.source);
  if (page.picture.replay) fields.set("t", page.picture.t.toFixed(1));
  return fields.toString();
}

function listen(page) {
  const { picture, plan } = page;
  byId("home").onclick = () => page.doors();
  byId("grip").onclick = () => page.sheet();
  byId("light").onclick = () => page.theme(document.documentElement.dataset.theme === "light" ? "dark" : "light");
  byId("help").onclick = async () => (await page.part("help")).open();
  picture.addEventListener("hello", () => hello(page));
  picture.addEventListener("vessels", () => {
    if (page.layout.vessel && picture.vessel(page.layout.vessel)) {
      picture.select(page.layout.vessel);
      page.layout.vessel = "";
    }
  });
  picture.addEventListener("select", () => page.keep());
  plan.addEventListener("options", () => page.keep());
  plan.canvas.addEventListener("pointerup", () => page.keep());
  plan.canvas.addEventListener("wheel", () => page.keep(), { passive: true });
  plan.addEventListener("menu", async ({ detail }) => (await page.part("menu")).open(detail));
  plan.addEventListener("cursor", ({ detail }) => degrees(page, detail));
  plan.addEventListener("measured", ({ detail }) => say(byId("cursor"), detail));
  picture.addEventListener("bye", ({ detail }) => tell(`The server closed the connection: ${detail.reason}`, "note"));
  for (const kind of ["error", "unhandledrejection"]) {
    window.addEventListener(kind, (event) => {
      const text = event.message ?? event.reason?.message ?? kind;
      page.errors.push(text);
      tell(text, "wrong");
    });
  }
}

async function hello(page) {
  const { picture, plan, layout } = page;
  document.title = `${picture.hello.source.title} – Steerageway`;
  byId("title").textContent = `Steerageway: ${picture.hello.source.title}`;
  byId("title").hidden = false;
  byId("deck").hidden = false;
  if (page.shown !== picture.hello.source.id) forget(page);
  for (const note of picture.hello.notes ?? []) tell(note);
  page._say_watched();
  if (layout.at) plan.look_at(...layout.at);
  layout.at = null;
  await page.open(layout.tab || (picture.replay ? "vessels" : firstPanel(picture)));
  if (layout.three) page.three(true);
  if (layout.plotting) page.plots(true);
  const { overlay } = page.home;
  if (overlay && picture.hello.source.id === page.home.default && !page.memory.other) {
    const { lay } = await import("./panel_compare.js");
    lay(page, { source: overlay }, () => picture.dispatchEvent(new Event("overlay")));
  }
  if (layout.time !== null && picture.replay) page.wire.do("seek", { t: layout.time }).catch(() => {});
  layout.time = null;
}

/** Forget what was shown of another source. */
function forget(page) {
  const { picture, plan } = page;
  page.shown = picture.hello.source.id;
  plan.background = [];
  plan.others = [];
  plan.line = plan.range = plan.grips = null;
  plan.degrees = "";
  plan.hidden.clear();
  byId("tidings").replaceChildren();
  page.memory.video?.stop();
  page.memory = { filter: page.memory.filter, warp: page.memory.warp };
  if (picture.hello.backgrounds?.length) import("./background.js").then((module) => module.offered(page));
}

const firstPanel = (picture) => (picture.hello.viewer?.some((block) => block.buttons.length) ? "mission" : "vessels");

let lastAsked = 0;
async function degrees(page, { x, y }) {
  if (!page.picture.hello?.datum || performance.now() - lastAsked < 250 || !page.wire?.open) return;
  lastAsked = performance.now();
  try {
    const { lat, lon } = await page.wire.do("latlon", { x, y });
    page.plan.degrees = `${Math.abs(lat).toFixed(6)}° ${lat < 0 ? "S" : "N"}  ${Math.abs(lon).toFixed(6)}° ${lon < 0 ? "W" : "E"}`;
  } catch {
    page.plan.degrees = "";
  }
}

function start_tools(page) {
  tools(page.plan, [
    ["three", "3-D", "3-D view", "3-D view (3)", "M12 3 20 7.5v9L12 21 4 16.5v-9ZM4 7.5l8 4.5 8-4.5M12 12v9", () => page.three()],
    ["plots", "Plots", "Plots", "Plots (p)", "M4 4v16h16M7 15l4-5 3 3 5-7", () => page.plots()],
    ["png", "Save", "Save picture", "Save the map as a PNG picture", "M12 4v10M8 11l4 4 4-4M5 19h14", async () => {
      const { download } = await import("./dom.js");
      download("map.png", await page.plan.png());
    }],
  ]);
}

async function start() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  const page = new Page();
  window.probe = page;
  listen(page);
  start_tools(page);
  page.part("troubles");
  import("./keys.js").then((module) => module.default(page));
  try {
    await comeIn();
    page.home = await ask("/api/home");
  } catch (error) {
    tell(error.status === 401 ? "Open the address that the server printed: it ends in a token after the # sign." : error.message, "wrong");
    say(byId("state"), "no entry");
    byId("state").className = "state lost";
    return;
  }
  const known = page.home.sources.map((source) => source.id);
  const source = known.includes(page.layout.source) ? page.layout.source : page.home.default;
  const asked = new URLSearchParams(location.search);
  if (asked.has("run") || asked.has("log")) {
    history.replaceState(null, "", location.pathname + location.hash);
    await page.doors(); // stays if it cannot be opened
    const { open } = await import("./start_page.js");
    await open(page, asked.has("run") ? { run: asked.get("run") } : { logs: asked.getAll("log") });
  } else if (source) await page.show(source);
  else await page.doors();
}

start();
