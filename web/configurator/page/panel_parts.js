// Parts panel: thrusters, surfaces, sensors and centres with their positions; adding new ones.

import { fill, hearing, make } from "./dom.js";
import { rebuilt } from "./fields.js";
import { fieldsOf } from "./placing.js";
import { partsOf } from "./parts.js";

const KINDS = {
  propeller: ["Thruster", "thrusters", (size, n) => ({ thruster_id: n, thruster_location: [-0.45 * size.length, 0, 0.5 * size.draft], D_prop: round(0.1 * size.breadth), KT_at_J0: 0.4, n_max: 1500, T_prop: 0.3 })],
  azimuth: ["Azimuth", "thrusters", (size, n) => ({ ...KINDS.propeller[2](size, n), azimuth: { angle_max: 180, rate_max: 60 } })],
  tunnel: ["Tunnel", "thrusters", (size, n) => ({ ...KINDS.propeller[2](size, n), thruster_location: [0.4 * size.length, 0, 0.5 * size.draft], thruster_orientation: [0, 0, Math.PI / 2] })],
  rudder: ["Rudder", "surfaces", (size, n, polar) => ({ control_surface_type: "Rudder", control_surface_id: n, control_surface_location: [-0.48 * size.length, 0, 0.6 * size.draft], control_surface_orientation: [-Math.PI / 2, 0, 0], control_surface_area: round(0.02 * size.length * size.draft), control_surface_T: 0.1, control_surface_delta_max: 35, control_surface_deltad_max: 20, ...(polar ? { control_surface_naca_file: polar } : { control_surface_CL_delta: 3 }) })],
  fin: ["Fin", "surfaces", (size, n, polar) => ({ ...KINDS.rudder[2](size, n, polar), control_surface_type: "Fins", control_surface_orientation: [0, 0, 0] })],
  sensor: ["Sensor", "sensors", () => ({ sensor_type: "IMU", sensor_location: [0, 0, 0], sensor_orientation: [0, 0, 0], publish_rate: 10 })],
  CG: ["CG", "CG", null],
  CB: ["CB", "CB", null],
};

const round = (value) => Number(value.toPrecision(2));

export default function panelParts(box, page) {
  let shown = "";
  const build = () => {
    shown = JSON.stringify(page.studio.mistakes);
    rebuilt(box, () => render(box, page));
  };
  const checked = () => JSON.stringify(page.studio.mistakes) !== shown && build();
  const { studio } = page;
  build();
  return { close: hearing([studio, "state", build], [studio, "check", checked], [page.events, "select again", build]) };
}

function render(box, page) {
  const parts = partsOf(page.studio);
  const can = !page.home.read_only;
  const there = new Set(parts.map((part) => part.key));
  const adders = Object.entries(KINDS).filter(([key]) => !there.has(key)).map(([key, [title]]) => make("button", { type: "button", text: `+ ${title}`, title: `Add ${title}`, on: { click: () => add(page, key) } }));
  const { selected } = page;
  const rows = parts.map((part) => {
    const chosen = selected && selected.file === part.file && String(selected.path) === String(part.path);
    const name = make("button", { type: "button", text: part.name, aria: { pressed: Boolean(chosen) } });
    name.onclick = () => page.select(chosen ? null : { file: part.file, path: part.path });
    const item = make("section.part", { data: { part: part.key } }, make("div.row", {}, name, make("span.quiet", { text: part.kind === part.name ? "" : part.kind }), make("span.grow"), ...(chosen && can ? tools(page, part) : [])));
    if (chosen) item.append(...fieldsOf(page, part));
    return item;
  });
  fill(box,
    make("p", { text: "Choose a part here or in the view. Places are metres in the drawing: x forward, y to starboard, z down; angles are roll, pitch, yaw." }),
    can ? make("div.row", { role: "group", aria: { label: "New parts" } }, ...adders) : null,
    ...(rows.length ? rows : [make("p.empty", { text: "No parts yet: add a thruster or a rudder by the buttons above, then drag it in the view." })]));
}

function tools(page, part) {
  const { view } = page;
  const button = (text, act, style = "") => make(`button${style}`, { type: "button", text, aria: { label: `${text} ${part.name}` }, on: { click: act } });
  const of_list = part.group !== "centres";
  return [
    view && !view.plain ? button("Place on hull", () => view.place()) : null,
    of_list && view && !view.plain ? button("Mirror", () => view.mirror()) : null,
    button("All keys", () => {
      page.layout.file = part.file;
      page.memory.open?.add(`${part.file}|${part.path.map((step) => (typeof step === "number" ? step + 1 : step)).join(".")}`);
      page.open("form");
    }),
    of_list ? button("Remove", async () => {
      page.select(null);
      await page.try(() => page.studio.edit(`without ${part.name}`, [{ do: "remove", file: part.file, path: part.path }]));
    }, ".danger") : null,
  ].filter(Boolean);
}

async function add(page, key) {
  const { studio } = page;
  const [title, group, make_] = KINDS[key];
  const { LISTS, sizeOf } = await import("./parts.js");
  if (!make_) {
    await page.try(() => studio.edit(title, [{ do: "set", file: "geometry.yml", path: [key, "position"], value: [0, 0, 0] }]));
    page.select({ file: "geometry.yml", path: [key] });
    return;
  }
  const { file, list } = LISTS[group];
  const items = studio.value(file, [list]) ?? [];
  const value = tidy(make_(sizeOf(studio), items.length + 1, polarOf(studio)));
  const done = await page.try(() => studio.edit(`add ${title}`, [{ do: "add", file, path: [list], value }]));
  if (done) page.select({ file, path: [list, studio.value(file, [list]).length - 1] });
}

/** The file of an uploaded foil polar; undefined for none. */
const polarOf = (studio) => Object.entries(studio.state.files).find(([name, about]) => name.endsWith(".csv") && /^\s*alpha,\s*cl/i.test(about.text ?? ""))?.[0];

/** An item with its location rounded to three decimals. */
function tidy(item) {
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, Array.isArray(value) && /location/.test(key) ? value.map((one) => Number(one.toFixed(3)) + 0) : value]));
}
