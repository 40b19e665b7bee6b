// Estimates panel: parameters from mesh, mass and main dimensions, with their source and validity.
// Buttons write estimates where no value was entered; entered values are kept.

import { fill, hearing, make } from "./dom.js";
import { chart } from "./chart.js";
import { work } from "./work.js";

export default function estimates(box, page) {
  const status = make("div");
  const list = make("div");
  const run = make("button.primary", { type: "button", text: "Estimate" });
  fill(box,
    make("p", { text: "Estimates from the mesh, the mass and the main dimensions, by published formulas: a first approximation, to be replaced by results of trials and tank tests." }),
    make("p.row", {}, run), status, list);
  const { studio } = page;
  const show = () => page.memory.estimates?.id === studio.id && render(page, list);
  run.onclick = async () => {
    run.disabled = true;
    const answer = await work(page, status, { do: "estimates" });
    run.disabled = false;
    if (answer) page.memory.estimates = { id: studio.id, ...answer };
    show();
  };
  show();
  return { close: hearing([studio, "state", show]) };
}

function render(page, list) {
  const { studio } = page;
  const { result, revision } = page.memory.estimates;
  const open = result.estimates.filter((one) => writable(studio, one));
  const all = make("button", { type: "button", text: open.length ? `Write all ${open.length} where nothing is entered` : "Nothing left to write", disabled: !open.length || page.home.read_only });
  all.onclick = () => write(page, open);
  fill(list,
    revision === studio.revision ? null : make("p.note", { text: "These are of the vessel before the last edit; Estimate updates them." }),
    make("p.row", {}, all),
    ...groups(page, result.estimates),
    result.gz.length ? chart({ title: "Righting lever", x: "heel [°]", y: "GZ [m]" }, [{ name: "GZ", points: result.gz }]) : null,
    ...result.lacking.map((text) => make("p.quiet", { text: `not estimated: ${text}` })));
}

/** The estimates by what they are about, each group under a heading with the badge. */
function groups(page, estimates) {
  const names = [...new Set(estimates.map((one) => one.group))];
  return names.map((name) => {
    const some = estimates.filter((one) => one.group === name);
    const free = some.filter((one) => writable(page.studio, one));
    const all = make("button", { type: "button", text: `Write ${free.length}`, aria: { label: `Write ${free.length} of ${name}` }, disabled: !free.length || page.home.read_only, on: { click: () => write(page, free) } });
    return make("section.estimates", { aria: { label: name } },
      make("div.row", {}, make("h3", { text: name }), make("span.mark", { text: some.length === 1 ? "estimate" : "estimates" }), make("span.grow"), free.length > 1 ? all : null),
      ...some.map((one) => row(page, one)));
  });
}

function row(page, one) {
  const { studio } = page;
  const there = entered(studio, one);
  const doubt = { true: "", false: "This vessel is outside of that.", null: "" }[String(one.inside)];
  const apply = make("button", { type: "button", text: "Write", aria: { label: `Write ${one.name}` }, disabled: !writable(studio, one) || page.home.read_only, on: { click: () => write(page, [one]) } });
  return make("div.estimate", { data: { key: one.key } },
    make("div.row", {}, make("span", { text: one.name }), make("b", { text: `${tidy(one.value)} ${one.unit === "1" ? "" : one.unit}` }), make("span.grow"), one.key ? apply : null),
    make("small", { text: `${one.source}. Holds for ${one.valid}. ${doubt}` }),
    one.key && there !== null ? make("small", { text: `entered: ${there}; it stays` }) : null);
}

const tidy = (value) => Number(value.toPrecision(4));

/** The destination of an estimate: file, path of the value, and index in a vector. */
function place({ key }) {
  const [file, ...path] = key.split(".");
  const last = path.at(-1);
  const at = /^\d+$/.test(last) ? Number(path.pop()) - 1 : null;
  return { file: `${file}.yml`, path, at };
}

/** The value in the files; null for none. */
function entered(studio, one) {
  if (!one.key) return null;
  const { file, path, at } = place(one);
  const value = studio.value(file, path);
  return at === null || value === null ? value : String(value[at] ?? "");
}

/** Whether it may be written: no value is entered, and the files allow one. */
function writable(studio, one) {
  if (!one.key || one.written === null || entered(studio, one) !== null) return false;
  const { path } = place(one);
  if (path[0] === "restoring" && studio.value("hydrodynamics.yml", ["hydrostatics"])) return false;
  return !(one.key.startsWith("hydrodynamics.") && studio.value("hydrodynamics.yml", ["dim_flag"]) === "false");
}

async function write(page, some) {
  const { studio } = page;
  const vectors = new Map();
  const edits = [];
  for (const one of some) {
    const { file, path, at } = place(one);
    const note = `estimate: ${one.source}`;
    if (at === null) {
      if (!edits.some((edit) => edit.file === file && String(edit.path) === String(path))) edits.push({ do: "set", file, path, value: tidy(one.written), note });
      continue;
    }
    const name = `${file} ${path}`;
    if (!vectors.has(name)) {
      const whole = page.memory.estimates.result.estimates.filter((other) => other.key && place(other).at !== null && `${place(other).file} ${place(other).path}` === name);
      const value = whole.sort((a, b) => place(a).at - place(b).at).map((other) => tidy(other.written));
      vectors.set(name, { do: "set", file, path, value, note });
    }
  }
  await page.try(() => studio.edit(some.length > 1 ? `${some.length} estimates` : `estimate of ${some[0].name}`, [...edits, ...vectors.values()]));
}
