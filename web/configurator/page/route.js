// The route, fence and obstacle of a vessel's guidance.yml and simulation_input.yml, in metres
// north and east of the datum. The files have a fence as latitudes and longitudes.

import { plane } from "./geodesy.js";
import { toNumber } from "./studio.js";

export const MAIN = "simulation_input.yml";
export const GUIDANCE = "guidance.yml";
const START = "initial_conditions.yml";
const DATUM = [59.9, 10.7, 0];
const DEGREE = 111_000; // length of a degree of latitude, roughly [m]
const ROUNDS = 6;

/** Kinds of points: title, least number, whether they form a closed ring. */
export const KINDS = {
  waypoints: ["Waypoints", 1, false],
  geofence: ["Fence", 3, true],
  static_obstacle: ["Obstacle", 3, true],
};

/** The datum {lat, lon}, degrees. */
export function datumOf(studio) {
  const [lat, lon] = studio.numbers(MAIN, ["gps_datum"]) ?? DATUM;
  return { lat, lon };
}

/** A function from metres east and north to [lat, lon]: the inverse of geodesy's tangent plane. */
export function back(datum) {
  const to = plane(datum);
  const shrink = Math.cos((datum.lat * Math.PI) / 180) || 1e-9;
  return (x, y) => {
    let [lat, lon] = [datum.lat + y / DEGREE, datum.lon + x / (DEGREE * shrink)];
    for (let round = 0; round < ROUNDS; round++) {
      const [px, py] = to(lat, lon);
      lat += (y - py) / DEGREE;
      lon += (x - px) / (DEGREE * shrink);
    }
    return [lat, lon];
  };
}

/** The points of each kind: [north, east, down] in metres. */
export function routeOf(studio) {
  const to = plane(datumOf(studio));
  const rows = (file, path) => (studio.value(file, path) ?? []).map?.((row) => (Array.isArray(row) ? row.map((one) => toNumber(one ?? "")) : [NaN])) ?? [];
  const local = ([lat, lon]) => {
    const [x, y] = to(lat, lon);
    return [y, x, 0];
  };
  const whole = (row) => row.every(Number.isFinite);
  const type = studio.value(GUIDANCE, ["waypoints_type"]) ?? "XYZ";
  const points = rows(GUIDANCE, ["waypoints"]).filter(whole);
  const height = studio.numbers(MAIN, ["gps_datum"])?.[2] ?? 0;
  return {
    waypoints: type === "LLA" ? points.map((row) => [...local(row).slice(0, 2), height - row[2]]) : points,
    geofence: rows(MAIN, ["geofence"]).filter(whole).map(local),
    static_obstacle: rows(MAIN, ["static_obstacle"]).filter(whole).map(local),
  };
}

/** The vessel at its start: north, east [m], heading [deg], length and breadth [m]. */
export function startOf(studio) {
  const [north, east] = studio.numbers(START, ["start_location"]) ?? [0, 0];
  const yaw = studio.numbers(START, ["start_orientation"])?.[2] ?? 0;
  const length = studio.number("geometry.yml", ["length"]) ?? 1;
  const heading = ((((yaw * 180) / Math.PI) % 360) + 360) % 360;
  return { north, east, heading, length, breadth: studio.number("geometry.yml", ["breadth"]) ?? length / 4 };
}

/** The edits that write the points of a kind. */
export function written(studio, kind, points) {
  const tidy = (value, digits) => Number(value.toFixed(digits)) + 0;
  if (kind === "waypoints") {
    const value = points.map((row) => row.map((one) => tidy(one, 3)));
    const edits = [{ do: "set", file: GUIDANCE, path: ["waypoints"], value }];
    if (studio.value(GUIDANCE, ["waypoints_type"]) !== "NED") edits.push({ do: "set", file: GUIDANCE, path: ["waypoints_type"], value: "NED" });
    return edits;
  }
  const from = back(datumOf(studio));
  const value = points.map(([north, east]) => from(east, north).map((one) => tidy(one, 8)));
  const begin = studio.tree(MAIN) ? [] : whole(studio);
  if (!value.length) return studio.node(MAIN, [kind]) ? [{ do: "remove", file: MAIN, path: [kind] }] : [];
  return [...begin, { do: "set", file: MAIN, path: [kind], value }];
}

/** A Panisim main file for this vessel. */
export function whole(studio) {
  const { name } = studio.state;
  const set = (key, value) => ({ do: "set", file: MAIN, path: [key], value });
  const speed = studio.number("vessel.yml", ["U"]);
  const agent = { name, type: studio.value("vessel.yml", ["type"]) ?? "usv", ...(speed ? { U: speed } : {}) };
  for (const key of ["geometry", "inertia", "hydrodynamics", "control_surfaces", "thrusters", "initial_conditions", "sensors", "guidance", "control"]) if (`${key}.yml` in studio.state.files || key === "guidance") agent[key] = `${key}.yml`;
  const known = (key, usual) => studio.number("vessel.yml", [key]) ?? usual;
  return [set("sim_time", 600), set("time_step", 0.05), set("density", known("density", 1025)), set("gravity", known("gravity", 9.81)), set("world_size", ["Inf", "Inf", "Inf"]), set("gps_datum", DATUM), set("nagents", 1), set("agents", [agent])];
}
