// Guidance panel: the points of the plan as a table, the datum, and simulation parameters.

import { fill, hearing, make } from "./dom.js";
import { field, rebuilt } from "./fields.js";
import { GUIDANCE, KINDS, MAIN, datumOf, routeOf, whole } from "./route.js";
import { toNumber } from "./studio.js";

const PLAIN = { kind: "number", unit: "", meaning: "", usual: "", default: null, low: null, high: null, above: null };
const STEERING = [
  { ...PLAIN, name: "guidance_type", kind: "one of", choices: ["los", "pure_pursuit"], default: "los", meaning: "guidance law: line of sight, or straight at the point" },
  { ...PLAIN, name: "lookahead_distance", unit: "m", meaning: "how far ahead on the line it steers" },
  { ...PLAIN, name: "acceptance_radius", unit: "m", usual: "3", meaning: "a point is reached within it" },
];
const WORLD = [
  { ...PLAIN, name: "sim_time", unit: "s", meaning: "how long it sails at most" },
  { ...PLAIN, name: "time_step", unit: "s", meaning: "of the simulator" },
  { ...PLAIN, name: "density", unit: "kg/m³", usual: "the vessel's", meaning: "of the water" },
  { ...PLAIN, name: "gravity", unit: "m/s²", usual: "the vessel's" },
  { ...PLAIN, name: "gps_datum", kind: "numbers", unit: "deg, deg, m", size: 3, default: [59.9, 10.7, 0], meaning: "latitude, longitude, height of north = east = 0" },
  { ...PLAIN, name: "world_size", kind: "list of words", unit: "m", usual: "no end", meaning: "how far from the datum, north, east, down; Inf: no end" },
  { ...PLAIN, name: "nagents", kind: "whole number", meaning: "how many of the agents there are" },
];

export default function guidance(box, page) {
  const { studio } = page;
  const build = () => rebuilt(box, () => render(box, page));
  build();
  return { close: hearing([studio, "state check", build], [page.events, "route again", build]) };
}

function render(box, page) {
  const { studio } = page;
  const can = !page.home.read_only;
  const kind = page.plan?.kind ?? "waypoints";
  const points = routeOf(studio)[kind];
  const kinds = make("div.row", { role: "group", aria: { label: "Points of" } }, ...Object.entries(KINDS).map(([key, [title]]) => make("button", { type: "button", text: title, aria: { pressed: key === kind }, on: { click: () => page.plan.choose(key) } })));
  const form = (file) => ({ page, studio, file, readOnly: !can });
  const main = studio.tree(MAIN);
  const { lat, lon } = datumOf(studio);
  fill(box,
    make("p", { text: `Click the plan to add a point; drag it, or write its place here. Metres from the datum, ${lat.toFixed(4)}°, ${lon.toFixed(4)}°.` }),
    kinds,
    table(page, kind, points, can),
    can ? make("p.row", {}, make("button", { type: "button", text: "Add a point", on: { click: () => page.plan.take(kind, [...points, next(points)], "one more") } })) : null,
    make("h3", { text: "Steering, guidance.yml" }),
    ...STEERING.map((key) => field(form(GUIDANCE), key, [key.name])),
    make("h3", { text: "Simulation, simulation_input.yml" }),
    ...(main ? WORLD.map((key) => field(form(MAIN), key, [key.name])) : [make("p", { text: "There is none yet: Panisim's main file, which steerageway run starts. A fence or an obstacle makes one, too." }), can ? make("button", { type: "button", text: "Make one", on: { click: () => page.try(() => studio.edit("main file", whole(studio))) } }) : null]),
    main ? make("p", { text: "Its agents are in Files, simulation_input." }) : null);
}

function table(page, kind, points, can) {
  const columns = kind === "waypoints" ? ["north", "east", "down"] : ["north", "east"];
  const head = make("tr", {}, ...["", ...columns.map((one) => `${one} [m]`), ""].map((text) => make("th", { text })));
  const rows = points.map((point, i) => make("tr", { aria: { selected: page.plan?.at === i } }, make("td", { text: i + 1 }),
    ...columns.map((column, k) => {
      const input = make("input", { defaultValue: String(Number(point[k].toFixed(3))), inputMode: "decimal", disabled: !can, aria: { label: `${KINDS[kind][0]} ${i + 1} ${column}` } });
      input.onchange = () => {
        const value = toNumber(input.value);
        if (Number.isFinite(value)) page.plan.take(kind, points.map((row, n) => (n === i ? row.map((one, m) => (m === k ? value : one)) : row)), "moved");
        else page.events.dispatchEvent(new Event("again"));
      };
      return make("td", {}, input);
    }),
    make("td", {}, can ? make("button", { type: "button", text: "×", aria: { label: `Remove ${KINDS[kind][0]} ${i + 1}` }, on: { click: () => page.plan.remove(kind, i) } }) : null)));
  return points.length ? make("table.points", {}, make("thead", {}, head), make("tbody", {}, ...rows)) : make("p.empty", { text: "None yet: click the plan where it shall go, or press Add a point." });
}

/** A point beyond the last one, in the direction of the last leg. */
function next(points) {
  const last = points.at(-1) ?? [0, 0, 0];
  const before = points.at(-2) ?? [last[0] - 20, last[1], last[2]];
  return [2 * last[0] - before[0], 2 * last[1] - before[1], last[2] ?? 0];
}
