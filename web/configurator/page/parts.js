// Parts with a position in the vessel's files: thrusters, surfaces, sensors, centres.

import { toNumber } from "./studio.js";

const ORIGIN = [0, 0, 0];

/** Lists whose items have a position: file, key, prefix of the item's keys. */
export const LISTS = {
  thrusters: { file: "thrusters.yml", list: "thrusters", prefix: "thruster_" },
  surfaces: { file: "control_surfaces.yml", list: "control_surfaces", prefix: "control_surface_" },
  sensors: { file: "sensors.yml", list: "sensors", prefix: "sensor_" },
};

/** All parts with their positions in the drawing. */
export function partsOf(studio) {
  const parts = [];
  for (const [group, { file, list, prefix }] of Object.entries(LISTS)) {
    const items = studio.value(file, [list]);
    if (!Array.isArray(items)) continue;
    items.forEach((item, i) => {
      if (!item || typeof item !== "object") return;
      if (group === "sensors" && !numbers(item.sensor_location)) return;
      parts.push({
        key: `${list}.${i}`,
        group,
        file,
        path: [list, i],
        placePath: [list, i, `${prefix}location`],
        turnPath: [list, i, `${prefix}orientation`],
        name: nameOf(group, item, i),
        kind: kindOf(group, item),
        place: numbers(item[`${prefix}location`]) ?? ORIGIN,
        angles: numbers(item[`${prefix}orientation`]) ?? ORIGIN,
        item,
      });
    });
  }
  for (const name of ["CG", "CB", "CO"]) {
    const said = studio.value("geometry.yml", [name]);
    const older = Array.isArray(said);
    if (!said && name !== "CO") continue;
    parts.push({
      key: name,
      group: "centres",
      file: "geometry.yml",
      path: [name],
      placePath: older ? [name] : [name, "position"],
      turnPath: name === "CO" && !older ? [name, "orientation"] : null,
      name,
      kind: name,
      place: numbers(older ? said : said?.position) ?? ORIGIN,
      angles: numbers(said?.orientation) ?? ORIGIN,
      item: said ?? {},
    });
  }
  return parts;
}

/** Main dimensions [m], guessed if the files do not contain them. */
export function sizeOf(studio) {
  const told = (key) => studio.number("geometry.yml", [key]);
  const length = told("length") || 1;
  const breadth = told("breadth") || length / 4;
  const depth = told("depth") || told("draft") || length / 8;
  return { length, breadth, depth, draft: told("draft") || depth / 2 };
}

/** A copy of an item on the other side of the drawing's x–z plane through CO. */
export function mirrored(part, studio) {
  const item = copied(part.item);
  const middle = studio.numbers("geometry.yml", ["CO", "position"])?.[1] ?? 0;
  const [place, turn] = [part.placePath.at(-1), part.turnPath.at(-1)];
  item[place] = [part.place[0], tidy(2 * middle - part.place[1]), part.place[2]];
  if (part.angles.some(Boolean)) item[turn] = [tidy(-part.angles[0]), part.angles[1], tidy(-part.angles[2])];
  const { list, prefix, file } = LISTS[part.group];
  const count = studio.value(file, [list]).length;
  for (const id of [`${prefix}id`]) if (id in item) item[id] = nextId(studio.value(file, [list]), id, count);
  for (const name of ["thruster_name", "sensor_topic"]) if (typeof item[name] === "string") item[name] = otherSide(item[name]);
  return item;
}

const nextId = (items, key, count) => {
  const used = items.map((one) => toNumber(one?.[key] ?? "")).filter(Number.isFinite);
  return used.length ? Math.max(...used) + 1 : `${count + 1}`;
};

function otherSide(name) {
  const pairs = [["port", "starboard"], ["left", "right"]];
  for (const [a, b] of pairs) {
    if (name.includes(a)) return name.replace(a, b);
    if (name.includes(b)) return name.replace(b, a);
  }
  return `${name}_2`;
}

/** A number, with -0 as 0. */
const tidy = (value) => value + 0 || 0;

/** A value of a file as one to be written: its texts that are numbers or truth values as such. */
export function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copied(one)]));
  if (value === null) return null;
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) && !/^-?0\d/.test(value) ? number : value === "true" ? true : value === "false" ? false : value;
}

function numbers(value) {
  const list = Array.isArray(value) && value.length >= 3 ? value.slice(0, 3).map((one) => toNumber(one ?? "")) : null;
  return list?.every(Number.isFinite) ? list : null;
}

function nameOf(group, item, i) {
  if (group === "thrusters") return item.thruster_name ?? `thruster ${item.thruster_id ?? i + 1}`;
  if (group === "surfaces") return `${item.control_surface_type ?? "surface"} ${item.control_surface_id ?? i + 1}`;
  return `${item.sensor_type ?? "sensor"} ${i + 1}`;
}

function kindOf(group, item) {
  if (group === "surfaces") return "surface";
  if (group === "sensors") return "sensor";
  if (item.azimuth) return "azimuth";
  const [, pitch, yaw] = numbers(item.thruster_orientation) ?? ORIGIN;
  return Math.abs(Math.sin(yaw) * Math.cos(pitch)) > 0.9 ? "tunnel" : "propeller";
}
