// Start page of the viewer: missions, running missions, logs, vessels.

import { byId, clock, hint, make, trying, whole } from "./dom.js";
import { ask } from "./session.js";

const AGAIN = 3000; // refresh interval of the start page [ms]

export default function startPage(page) {
  const box = byId("doors");
  const look = async () => {
    if (!box.hidden) page.home = (await trying(() => ask("/api/home"))) ?? page.home;
  };
  return {
    show: async () => {
      document.title = "Steerageway";
      byId("state").textContent = "start page";
      byId("state").className = "state";
      await look();
      build(box, page);
      clearInterval(page.memory.looking);
      page.memory.looking = setInterval(async () => {
        if (box.hidden) return clearInterval(page.memory.looking);
        const before = JSON.stringify(page.home);
        await look();
        if (JSON.stringify(page.home) !== before && !box.contains(document.activeElement)) build(box, page);
        return undefined;
      }, AGAIN);
    },
  };
}

function build(box, page) {
  const { home } = page;
  const live = home.runs.map((run) => [run.title, run.communities.join(", "), "Watch", () => open(page, { run: run.address }), address("run", run.address)]);
  const shown = home.sources.map((source) => [source.title, source.kind === "live" ? "running" : "log", "Show", () => page.show(source.id), `${location.pathname}#source=${source.id}`]);
  const opened = new Set(home.sources.map((source) => source.path).filter(Boolean));
  const logs = home.logs.filter((log) => !opened.has(log.path)).map((log) => [log.title, aboutLog(log), "Replay", () => open(page, { logs: [log.path] }), address("log", log.path)]);
  const vessels = home.vessels.map((vessel) => [vessel.name, vessel.path, home.read_only ? "" : "Configure", (button) => configure(vessel.path, button)]);
  const warp = make("select", { aria: { label: "Warp to start with" } }, ...[1, 2, 5, 10, 20, 50, "max"].map((value) => make("option", { value, text: value === "max" ? "max" : `×${value}` })));
  warp.value = page.memory.warp ?? "5";
  warp.onchange = () => (page.memory.warp = warp.value);
  const missions = home.missions.map((mission) => [mission.title, mission.about || mission.path, home.read_only ? "" : "Start", (button) => start(page, mission, warp.value, button)]);
  box.replaceChildren(
    make("h1", { text: "Missions, runs and logs" }),
    make("p.lead", { text: "Watch a run, replay a log, or start a mission. Watching changes nothing; what you post is kept with the run." }),
    ...child(page),
    make("div.doors-grid", {},
      make("div", {}, section("Runs", live, hint("No mission is running. Start one here, or in a terminal:", "steerageway run alpha --view")), section("Open here", shown, "", true), section("Logs", logs, hint("No other logs in these folders. A run writes one:", "steerageway run alpha --log logs/alpha"))),
      make("div", {}, section("Missions", missions, hint("No missions in these folders. Give a folder of missions:", "steerageway view --root FOLDER"), false, home.read_only ? null : make("label.row", {}, "at warp", warp))),
      make("div", {}, section("Vessels", vessels, hint("No vessels in these folders. Make one in the configurator, or:", "steerageway new vessel NAME"), false, home.read_only ? null : make("button", { type: "button", text: "Configurator", on: { click: (event) => configure("", event.currentTarget) } })))));
}

function section(title, rows, none, hidden = false, extra = null) {
  if (hidden && !rows.length) return null;
  const list = make("ul.cards", { aria: { label: title } });
  for (const [name, about, verb, act, href] of rows) {
    const what = make("span.what", {}, make("b", { text: name }), make("small", { text: about }));
    list.append(make("li", {}, what, verb ? whole(verb, name, act, href) : null));
  }
  return make("section", {}, make("div.row", {}, make("h2", { text: title }), make("span.grow"), extra), rows.length ? list : none);
}

function child(page) {
  const { child: started } = page.home;
  if (!started) return [];
  const words = started.ended === null ? `${started.mission} was started here and is running.` : `${started.mission}, started here, has ended with ${started.ended}.`;
  const end = started.ended === null && !page.home.read_only ? make("button.danger", { type: "button", text: "End it", on: { click: () => trying(async () => {
    await ask("/api/end", {});
    page.doors();
  }) } }) : null;
  return [make("p.row", {}, make("span", { text: words }), end), started.ended ? make("pre.cast", { text: started.said }) : null].filter(Boolean);
}

const address = (kind, what) => `${location.pathname}?${new URLSearchParams([[kind, what]])}`;

/** Open a run or logs and show them. */
export const open = (page, what) => trying(async () => page.show((await ask("/api/open", what)).source));

/** Open a vessel, or the list of vessels, in the configurator. */
async function configure(vessel, button) {
  button.disabled = true;
  await trying(async () => location.assign((await ask("/api/configure", { vessel })).address));
  button.disabled = false;
}

async function start(page, mission, warp, button) {
  button.disabled = true;
  button.textContent = "Starting …";
  await trying(async () => {
    const { source } = await ask("/api/start", { mission: mission.path, warp: warp === "max" ? "max" : Number(warp), paused: false });
    await page.show(source);
  });
  button.disabled = false;
  button.textContent = "Start";
}

const aboutLog = ({ mission, seconds, outcome, bytes: size, modified, files }) => [
  mission, seconds === null ? "" : `${clock(seconds, 0)} long`, outcome && `ended: ${outcome}`, files > 1 ? `${files} vessels` : "", bytes(size), when(modified),
].filter(Boolean).join(", ");

const bytes = (count) => (count > 1e6 ? `${(count / 1e6).toFixed(1)} MB` : `${Math.ceil(count / 1e3)} kB`);

const when = (text) => new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
