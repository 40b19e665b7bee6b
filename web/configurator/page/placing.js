// Fields of a selected part: its position, its angles in radians and degrees, and its main keys.

import { field } from "./fields.js";

const MAIN = {
  thrusters: ["D_prop", "n_max", "T_prop", "KT_at_J0", "tp"],
  surfaces: ["control_surface_type", "control_surface_area", "control_surface_delta_max", "control_surface_deltad_max", "control_surface_T", "control_surface_CL_delta", "control_surface_naca_file"],
  sensors: ["sensor_type", "publish_rate"],
  centres: [],
};
const PLAIN = { kind: "text", unit: "", meaning: "", usual: "", default: null, low: null, high: null, above: null };

/** The fields of a part. */
export function fieldsOf(page, part) {
  const form = { page, studio: page.studio, file: part.file, readOnly: page.home.read_only };
  const place = { ...PLAIN, name: part.placePath.at(-1), kind: "numbers", unit: "m", size: 3, default: [0, 0, 0] };
  const turn = { ...place, name: part.turnPath?.at(-1), unit: "rad" };
  const fields = [field(form, place, part.placePath)];
  if (part.turnPath) fields.push(field(form, turn, part.turnPath));
  const keys = (page.keys[part.file] ?? []).find((key) => key.name === part.path[0])?.keys ?? [];
  for (const name of MAIN[part.group]) fields.push(field(form, keys.find((key) => key.name === name) ?? { ...PLAIN, name, meaning: "" }, [...part.path, name]));
  return fields;
}
