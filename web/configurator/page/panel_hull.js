// Hull panel: import of a mesh with unit, axes and origin; main dimensions from its bounding box.

import { fill, hearing, make, tell } from "./dom.js";
import { ask } from "./session.js";
import { chooser, question } from "./dialogs.js";
import { field, rebuilt } from "./fields.js";

const UNITS = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048 };
const AXES = { FRD: "x forward, y right, z down", FLU: "x forward, y left, z up", LUF: "x left, y up, z forward", RUF: "x right, y up, z forward", RFU: "x right, y forward, z up" };

export default function hull(box, page) {
  const file = chooser({ accept: ".stl,.obj,.gdf,.glb,.gltf", id: "mesh-file", aria: { label: "Mesh file" } }, ([mesh]) => upload(page, mesh));
  const build = () => rebuilt(box, () => render(box, page, file));
  const { studio } = page;
  build();
  return { close: hearing([studio, "state check", build], [page.events, "hull again", build]) };
}

function render(box, page, file) {
  const { studio } = page;
  const can = !page.home.read_only;
  const mesh = studio.value("geometry.yml", ["mesh"]);
  const form = { page, studio, file: "geometry.yml", readOnly: page.home.read_only };
  const keys = Object.fromEntries((page.keys["geometry.yml"] ?? []).map((key) => [key.name, key]));
  const main = ["length", "breadth", "depth", "draft"].filter((name) => keys[name]).map((name) => field(form, keys[name], [name]));
  const meshFields = mesh ? (keys.mesh?.keys ?? []).map((key) => field(form, key, ["mesh", key.name])) : [];
  const floats = studio.value("hydrodynamics.yml", ["hydrostatics"]) === "mesh";
  fill(box,
    make("h3", { text: "Mesh" }),
    make("p", { text: mesh ? `${mesh.file} is the hull.` : "STL, OBJ, GDF or glTF (.glb, or .gltf with its data inside), up to 50 MB and 500 000 triangles; its unit and axes are asked for, as files do not contain them." }),
    mesh ? null : make("p", { text: drawnInstead(page) }),
    can ? make("p.row", {}, make(`button${mesh ? "" : ".primary"}`, { type: "button", text: mesh ? "Another mesh" : "Add a mesh", on: { click: () => file.click() } }), file,
      mesh ? make("button", { type: "button", text: floats ? "Float by coefficients" : "Float by this mesh", title: "Hydrostatics and waves from the mesh, in place of restoring's coefficients", on: { click: () => float(page, !floats) } }) : null,
      mesh || studio.value("geometry.yml", ["geometry_file"]) ? make("button", { type: "button", text: "Place or mend it", title: "Unit, axes, origin; what is wrong with the mesh, and how it is mended", on: { click: () => present(page) } }) : null,
      page.view?.box3 && page.view.meshed ? make("button", { type: "button", text: "Dimensions from its box", on: { click: () => dimensions(page) } }) : null) : null,
    ...meshFields,
    make("h3", { text: "Main dimensions" }),
    ...main);
}

/** Text about what is drawn if no mesh is the hull. */
function drawnInstead(page) {
  const file = page.studio.value("geometry.yml", ["geometry_file"]);
  if (!file || !page.view?.meshed) return "Until there is one, a plain hull of the main dimensions is drawn.";
  const { min, max } = page.view.box3;
  return `Drawn is geometry_file, ${file.split("/").pop()}, taken as metres: ${(max.x - min.x).toPrecision(4)} m long. If that is wrong, add it as a mesh, which asks for its unit.`;
}

/** Offer the lengths of the mesh's box as main dimensions; those already entered need a tick. */
async function dimensions(page) {
  const { studio } = page;
  const { min, max } = page.view.box3;
  const found = { length: max.x - min.x, breadth: max.y - min.y, depth: max.z - min.z };
  if (max.z > 0 && min.z < 0) found.draft = max.z;
  const lines = Object.entries(found).map(([key, value]) => {
    const there = studio.number("geometry.yml", [key]);
    const tick = make("input", { type: "checkbox", checked: there === null });
    return [key, value, tick, make("label.check", {}, tick, `${key}: ${value.toFixed(4)} m${there === null ? "" : ` (entered: ${there} m)`}`)];
  });
  const sure = await question("Dimensions from the box", [make("div.stack", {}, ...lines.map((one) => one[3]))], [["Cancel", null], ["Write", true, "primary"]]);
  const edits = lines.filter(([, , tick]) => tick.checked).map(([key, value]) => ({ do: "set", file: "geometry.yml", path: [key], value: Number(value.toFixed(4)) }));
  if (sure && edits.length) await page.try(() => studio.edit("dimensions from the box", edits));
}

async function float(page, on) {
  const { studio } = page;
  const edits = [on ? { do: "set", file: "hydrodynamics.yml", path: ["hydrostatics"], value: "mesh" } : { do: "remove", file: "hydrodynamics.yml", path: ["hydrostatics"] }];
  if (on && studio.node("hydrodynamics.yml", ["restoring"])) edits.push({ do: "remove", file: "hydrodynamics.yml", path: ["restoring"] });
  await page.try(() => studio.edit(on ? "float by the mesh" : "float by coefficients", edits));
}

async function upload(page, file) {
  const { studio } = page;
  tell(`Reading ${file.name} …`);
  const length = studio.number("geometry.yml", ["length"]) ?? 0;
  const told = await page.try(() => ask(`${studio.base}/mesh?name=${encodeURIComponent(file.name)}&length=${length}`, file));
  const parts = told && told.parts.length > 1 ? await chosenParts(page, told) : told;
  if (parts) await confirm(page, parts);
}

/** Ask again where the hull's mesh is placed, as it is now. */
async function present(page) {
  const told = await page.try(() => ask(`${page.studio.base}/mesh/present`, {}));
  if (told) await confirm(page, told);
}

/** Ask which parts of a mesh are the hull; return the description of these, or null. */
async function chosenParts(page, told) {
  const size = (part) => part.high.map((value, i) => (value - part.low[i]).toPrecision(3)).join(" × ");
  const ticks = told.parts.map((part, number) => {
    const tick = make("input", { type: "checkbox", checked: true });
    const row = make("label.check", {}, tick, `part ${number + 1}: ${size(part)}, ${part.triangles} triangles`);
    return { tick, row };
  });
  const kept = () => ticks.map(({ tick }, number) => (tick.checked ? number : -1)).filter((number) => number >= 0);
  const sure = await question(`${told.name} has ${told.parts.length} parts`, [
    "Which of them are the hull? Sizes are in the file's unit and axes; parts share no corner.",
    make("div.stack.parts", {}, ...ticks.map(({ row }) => row)),
  ], [["Cancel", null], ["These are the hull", () => (kept().length ? kept() : undefined), "primary"]]);
  if (!sure) return null;
  if (sure.length === ticks.length) return told;
  return page.try(() => ask(`${page.studio.base}/mesh/parts`, { name: told.name, parts: sure }));
}

const REPAIRS = {
  merge: ["Merge doubled corners", "corners that lie on each other become one"],
  cap: ["Close the openings", "every ring of open edges gets a lid"],
  flip: ["Turn the normals outward", "neighbouring triangles agree, and the volume is positive"],
};

/** The units of a mesh, the likely ones first, each with the length that it gives. */
function unitChoice(first) {
  const extent = Math.max(...first.high.map((value, i) => value - first.low[i])) / first.scale;
  const words = Object.fromEntries([...first.units, ...Object.keys(UNITS).filter((one) => !first.units.includes(one))].map((one) => [one, `${one}: ${(extent * UNITS[one]).toPrecision(4)} m long`]));
  const known = Object.keys(UNITS).find((one) => UNITS[one] === first.scale);
  if (!known) words[""] = `its unit times ${first.scale}: ${(extent * first.scale).toPrecision(4)} m long`;
  const likely = first.units.length > 1 ? make("p.note", { text: `The file does not say its unit; as likely are ${first.units.join(", ")}.` }) : null;
  return { words, known: known ?? "", likely };
}

/** Ask for unit, axes and origin, and show the resulting size, problems, and repairs. */
async function confirm(page, first) {
  const { studio } = page;
  const select = (id, words, value, label) => {
    const node = make("select", { id, aria: { label } }, ...Object.entries(words).map(([key, text]) => make("option", { value: key, text })));
    node.value = value;
    return node;
  };
  const { words, known, likely } = unitChoice(first);
  const unit = select("mesh-unit", words, known, "Its unit is");
  const axes = select("mesh-axes", AXES, first.axes, "Its axes point");
  const number = (id, value, label) => make("input", { id, value, inputMode: "decimal", aria: { label } });
  const origin = ["x", "y", "z"].map((axis, i) => number(`mesh-${axis}`, String(first.origin?.[i] ?? 0), `Origin ${axis}`));
  const draught = number("mesh-draught", "", "Draught above the keel");
  const says = make("div.stack", { aria: { live: "polite" } });
  let last = first;
  const placing = () => ({ name: last.name, scale: UNITS[unit.value] ?? first.scale, axes: first.asks_axes ? axes.value : "FRD" });
  const again = async (what = "look", more = {}) => {
    const told = await page.try(() => ask(`${studio.base}/mesh/${what}`, { ...placing(), ...more }));
    if (told) show((last = { ...told, name: told.name ?? last.name }));
  };
  const show = (told) => {
    const move = origin.map((one) => Number(one.value) || 0);
    const [low, high] = [told.low.map((value, i) => value - move[i]), told.high.map((value, i) => value - move[i])];
    const size = high.map((value, i) => value - low[i]);
    fill(says,
      make("p", { text: `${told.triangles} triangles; ${size[0].toFixed(3)} m long, ${size[1].toFixed(3)} m broad, ${size[2].toFixed(3)} m high${told.volume ? `, ${told.volume.toPrecision(4)} m³` : ""}.` }),
      make("p", { text: `x ${low[0].toFixed(3)} to ${high[0].toFixed(3)}, y ${low[1].toFixed(3)} to ${high[1].toFixed(3)}, z ${low[2].toFixed(3)} to ${high[2].toFixed(3)} m (down is positive; the water is at z = 0).` }),
      ...told.problems.filter((one) => !(move[2] && /waterline|above z/.test(one))).map((one) => make("p.mistake", { text: one })),
      told.repairs.length ? make("div.row", { role: "group", aria: { label: "Repairs" } }, ...told.repairs.map((one) => make("button", { type: "button", text: REPAIRS[one][0], title: REPAIRS[one][1], on: { click: () => again("mend", { repair: one }) } }))) : null);
  };
  unit.onchange = () => again();
  axes.onchange = () => again();
  for (const one of origin) one.oninput = () => show(last);
  draught.oninput = () => {
    if (!(Number(draught.value) > 0)) return;
    origin[2].value = String(Number((last.high[2] - Number(draught.value)).toFixed(4)));
    show(last);
  };
  show(first);
  const labelled = (text, node) => make("label.stack", {}, make("span", { text }), node);
  const rows = [labelled("Its unit is", unit), likely];
  if (first.asks_axes) rows.push(labelled("Its axes point", axes));
  rows.push(make("div.stack", {}, make("span", { text: "The drawing's origin in it [m], as x forward, y starboard, z down" }), make("div.row", {}, ...origin)),
    labelled("or its height by the draught above the keel [m]", draught), says);
  const take = await question(`The hull: ${first.name}`, rows.filter(Boolean), [["Cancel", null], ["Take it", true, "primary"]]);
  if (!take) return;
  const given = { ...placing(), origin: origin.map((one) => Number(one.value) || 0) };
  await page.try(() => studio.take(() => ask(`${studio.base}/mesh/take`, { revision: studio.revision, ...given })));
}
