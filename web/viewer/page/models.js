// Objects of the 3-D view: hulls, actuators, trails, the water's surface.

import { roundLength } from "./camera.js";
import { outline } from "./draw.js";
import { placed, pose } from "./attitude.js";
import { calm } from "./dom.js";
import { countUntil } from "./tracks.js";

const TRAIL_POINTS = 4000;
const CATAMARAN = 0.45; // ratio of beam to length above which a vessel is drawn with two hulls

/** Get a JSON document; null if there is none. */
export async function fetched(address) {
  const answer = await fetch(address);
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error("its geometry could not be read");
  return answer.json();
}

/** Get the triangles of a mesh, 9 numbers each, in BODY; null if there is none. */
export async function triangles(address) {
  const answer = await fetch(address);
  return answer.ok ? new Float32Array(await answer.arrayBuffer()) : null;
}

/** A vessel in the scene; the axes of its group are BODY's. */
export class Model {
  constructor(three, ship, known) {
    this.three = three;
    this.ink = ship.ink;
    this.known = known;
    this.name = ship.name;
    this.group = new three.Group();
    this.group.matrixAutoUpdate = false;
    this.length = known?.length || ship.length || 3;
    this.high = known?.draft || 0.12 * this.length;
    this.group.add(known?.mesh ? this._mesh(known.mesh) : this._hull(ship, known), this._bow());
    this.parts = (known?.actuators ?? []).map((about) => actuator(three, about));
    for (const part of this.parts) this.group.add(part.group);
  }

  /** Set the vessel's position and attitude. */
  pose(ship) {
    this.ship = ship;
    this.group.matrix.set(...pose(ship));
    this.group.matrixWorldNeedsUpdate = true;
  }

  /** Turn surfaces, propellers and azimuths: their values in the order of the vessel's actuators. */
  actuate(values, t) {
    const seconds = Math.min(0.1, Math.max(0, t - (this.turned ?? t)));
    this.turned = t;
    let at = 0;
    for (const part of this.parts) at += part.turn(values, at, seconds);
  }

  /** A point above the vessel, for its name. */
  above() {
    const [x, y, z] = placed(this.ship, [0, 0, 0]);
    return [x, y + 0.35 * this.length, z];
  }

  /** Draw the trail up to the present time on the water's surface. */
  trail(ship, picture, scene) {
    const level = ship.track.levels[2];
    const until = picture.replay ? countUntil(level, picture.t) : level.count;
    const from = Math.max(0, until - TRAIL_POINTS);
    const points = [];
    for (let i = from; i < until; i++) {
      const [x, y] = [level.xy[2 * i], level.xy[2 * i + 1]];
      if (Number.isNaN(x)) points.length = 0;
      else points.push(x, -(ship.depth > 0.5 ? ship.depth : -0.01), -y);
    }
    points.push(ship.x, -(ship.depth > 0.5 ? ship.depth : -0.01), -ship.y);
    const { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial } = this.three;
    if (!this.line) {
      this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: this.ink }));
      this.line.frustumCulled = false;
      scene.add(this.line);
    }
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
  }

  /** Free the resources of the graphics card. */
  dispose() {
    this.line?.removeFromParent();
    this.line?.geometry.dispose();
    this.group.traverse((node) => {
      node.geometry?.dispose();
      node.material?.dispose();
    });
  }

  _mesh(numbers) {
    const { BufferGeometry, BufferAttribute, Mesh, MeshLambertMaterial, DoubleSide } = this.three;
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(numbers, 3));
    geometry.computeVertexNormals();
    return new Mesh(geometry, new MeshLambertMaterial({ color: this.ink, side: DoubleSide }));
  }

  /** A hull for a vessel without a mesh, with the outline of the map, so that the bow is visible. */
  _hull(ship, known) {
    const { BufferGeometry, Float32BufferAttribute, Mesh, MeshLambertMaterial, DoubleSide } = this.three;
    const corners = [];
    for (const { ring, top, bottom } of bodies(ship, known, this.length)) extrude(corners, ring, top, bottom);
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(corners, 3));
    geometry.computeVertexNormals();
    return new Mesh(geometry, new MeshLambertMaterial({ color: this.ink, side: DoubleSide, flatShading: true }));
  }

  _bow() {
    const { ConeGeometry, Mesh, MeshLambertMaterial } = this.three;
    const cone = new Mesh(new ConeGeometry(0.03 * this.length, 0.12 * this.length, 12), new MeshLambertMaterial({ color: 0xffffff }));
    cone.rotation.z = -Math.PI / 2; // a cone points along y; the bow is along x
    cone.position.set(0.44 * this.length, 0, -0.09 * this.length);
    return cone;
  }
}

/** The hull as rings of [x, y] in BODY, star-shaped about their centres, with top and bottom. */
function bodies(ship, known, length) {
  const [top, bottom] = [-0.07 * length, known?.draft || 0.08 * length];
  const ringOf = (type, half, aside = 0) => {
    const shape = outline(type);
    const widest = Math.max(...shape.map(([, right]) => Math.abs(right)));
    return shape.map(([ahead, right]) => [ahead * length, aside + (right / widest) * half]);
  };
  const beam = known?.beam || ship.beam;
  const broad = known ? known.beam / known.length > CATAMARAN : /otter|heron|wam-?v|cat|twin/.test(ship.type);
  if (!broad) return [{ ring: ringOf(/heron|otter/.test(ship.type) ? "" : ship.type, beam / 2 || 0.19 * length), top, bottom }];
  const wide = beam || 0.5 * length;
  const deck = [[0.22, 0.38], [-0.34, 0.38], [-0.34, -0.38], [0.22, -0.38]].map(([x, y]) => [x * length, y * wide]);
  const hulls = [-1, 1].map((side) => ({ ring: ringOf("ship", 0.13 * wide, side * 0.37 * wide), top, bottom }));
  return [...hulls, { ring: deck, top: top - 0.04 * length, bottom: top + 0.005 * length }];
}

/** Add the triangles of a ring extruded from top to bottom, slightly narrower there. */
function extrude(corners, ring, top, bottom) {
  const [cx, cy] = [0, 1].map((k) => ring.reduce((sum, point) => sum + point[k], 0) / ring.length);
  const low = ([x, y]) => [x, cy + 0.8 * (y - cy)];
  ring.forEach((point, k) => {
    const next = ring[(k + 1) % ring.length];
    corners.push(...point, top, ...next, top, ...low(next), bottom, ...point, top, ...low(next), bottom, ...low(point), bottom);
    corners.push(cx, cy, top, ...next, top, ...point, top, cx, cy, bottom, ...low(point), bottom, ...low(next), bottom);
  });
}

/** A surface, propeller or azimuth; `turn` applies its values and returns how many it used. */
function actuator(three, about) {
  const group = new three.Group();
  group.position.set(...about.place);
  return about.kind === "surface" ? surface(three, about, group) : propeller(three, about, group);
}

function surface(three, about, group) {
  const { BoxGeometry, Mesh, MeshLambertMaterial, Vector3, Quaternion } = three;
  const [chord, span] = [about.chord || 0.1, about.span || 0.15];
  const axis = new Vector3(...about.axis).normalize();
  const blade = new Mesh(new BoxGeometry(chord, 0.12 * chord, span), new MeshLambertMaterial({ color: 0xd8552f }));
  blade.position.x = -0.25 * chord; // it turns about the quarter chord
  group.add(blade);
  const rest = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), axis);
  group.quaternion.copy(rest);
  const turn = (values, at) => {
    group.quaternion.setFromAxisAngle(axis, values[at] || 0).multiply(rest);
    return 1;
  };
  return { group, turn, about };
}

function propeller(three, about, group) {
  const { BoxGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Vector3, Quaternion } = three;
  const radius = (about.diameter || 0.1) / 2;
  const material = () => new MeshLambertMaterial({ color: 0xd9b44a });
  const wheel = new Group();
  for (let k = 0; k < 3; k++) {
    const arm = new Group();
    const blade = new Mesh(new BoxGeometry(0.12 * radius, 0.45 * radius, radius), material());
    blade.position.z = radius / 2;
    blade.rotation.z = 0.5;
    arm.add(blade);
    arm.rotation.x = (k * 2 * Math.PI) / 3;
    wheel.add(arm);
  }
  const hub = new Mesh(new CylinderGeometry(0.16 * radius, 0.16 * radius, 0.5 * radius, 12), material());
  hub.rotation.z = Math.PI / 2;
  wheel.add(hub);
  const rest = new Quaternion().setFromUnitVectors(new Vector3(1, 0, 0), new Vector3(...(about.axis ?? [1, 0, 0])).normalize());
  group.quaternion.copy(rest);
  group.add(wheel);
  const down = new Vector3(0, 0, 1);
  const turn = (values, at, seconds) => {
    if (!calm()) wheel.rotation.x += (values[at] || 0) * seconds;
    if (about.kind !== "azimuth") return 1;
    group.quaternion.setFromAxisAngle(down, values[at + 1] || 0).multiply(rest);
    return 2;
  };
  return { group, turn, about };
}

/**
 * The water: a plane that follows the view, with lines each 1, 2 or 5 times a power of ten metres.
 * A sea surface sets the heights of `plane`.
 */
export function water(three) {
  const { BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, DoubleSide } = three;
  const group = new Group();
  const plane = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ transparent: true, opacity: 0.32, side: DoubleSide, depthWrite: false }));
  plane.rotation.x = -Math.PI / 2;
  const points = [];
  // In short pieces: a long line that passes the camera is dropped by some software renderers.
  for (let k = -40; k <= 40; k++) for (let j = -40; j < 40; j += 2) points.push(k, 0, j, k, 0, j + 2, j, 0, k, j + 2, 0, k);
  const lines = new LineSegments(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3)), new LineBasicMaterial({ transparent: true, opacity: 0.3 }));
  group.add(plane, lines);
  const under = (target, far) => {
    const step = roundLength(Math.max(0.5, far / 5));
    lines.scale.set(step, 1, step);
    lines.position.set(Math.round(target.x / step) * step, 0, Math.round(target.z / step) * step);
    plane.scale.setScalar(80 * step);
    plane.position.set(lines.position.x, 0, lines.position.z);
  };
  const paint = (accent, light) => {
    plane.material.color.set(light ? "#8fbdd0" : "#1d5672");
    lines.material.color.set(light ? "#4d89a3" : accent);
  };
  return { group, plane, under, paint };
}
