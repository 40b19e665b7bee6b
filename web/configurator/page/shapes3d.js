// 3-D shapes of parts; the axes of each group are those of the part.

const CHORDS = 1.5; // aspect ratio of a surface, of which files contain the area only

/** Colours by kind. */
export const INKS = { propeller: 0xecbb58, azimuth: 0xf0935a, tunnel: 0xd6a4ff, surface: 0x7ed09b, sensor: 0x6cc3e8, CG: 0xff8f82, CB: 0x6cc3e8, CO: 0xcccccc };

/** The three.js group of a part. */
export function shapeOf(three, part, size) {
  const group = new three.Group();
  const ink = INKS[part.kind];
  const paint = () => new three.MeshLambertMaterial({ color: ink, transparent: true, opacity: 0.85, side: three.DoubleSide });
  const unit = 0.06 * size.length;
  const add = (geometry) => {
    const mesh = new three.Mesh(geometry, paint());
    group.add(mesh);
    return mesh;
  };
  if (part.group === "thrusters") thruster(three, part, size, add, group);
  else if (part.kind === "surface") surface(three, part, size, add, group);
  else if (part.kind === "sensor") {
    add(new three.BoxGeometry(0.6 * unit, 0.6 * unit, 0.6 * unit));
    group.add(axes(three, unit));
  } else {
    add(new three.SphereGeometry(part.kind === "CO" ? 0.12 * unit : 0.28 * unit, 16, 12));
    if (part.kind === "CO") group.add(axes(three, 1.6 * unit));
  }
  group.traverse((node) => {
    node.userData.part = part.key;
  });
  return group;
}

function thruster(three, part, size, add, group) {
  const diameter = Number(part.item.D_prop) || 0.12 * size.breadth;
  const disc = add(new three.CylinderGeometry(diameter / 2, diameter / 2, 0.12 * diameter, 24));
  disc.rotation.z = Math.PI / 2; // a cylinder's axis is y; the propeller's is x
  if (part.kind === "azimuth") {
    const ring = add(new three.TorusGeometry(0.62 * diameter, 0.04 * diameter, 8, 28));
    ring.position.z = -0.1 * diameter;
  }
  if (part.kind === "tunnel") {
    const tube = add(new three.CylinderGeometry(0.56 * diameter, 0.56 * diameter, 1.4 * diameter, 24, 1, true));
    tube.rotation.z = Math.PI / 2;
  }
  group.add(arrow(three, [1, 0, 0], Math.max(1.6 * diameter, 0.1 * size.length), INKS[part.kind]));
}

function surface(three, part, size, add, group) {
  const area = Number(part.item.control_surface_area) || 0.004 * size.length * size.breadth;
  const chord = Math.sqrt(area / CHORDS);
  const span = area / chord;
  add(new three.BoxGeometry(chord, span, 0.08 * chord));
  group.add(arrow(three, [1, 0, 0], 1.1 * chord, 0xff8f82), arrow(three, [0, 1, 0], 0.9 * span, 0x7ed09b));
}

/** An arrow from the origin. */
export function arrow(three, direction, length, color) {
  const group = new three.Group();
  const along = new three.Vector3(...direction);
  const turn = new three.Quaternion().setFromUnitVectors(new three.Vector3(0, 1, 0), along);
  const material = new three.MeshBasicMaterial({ color });
  const shaft = new three.Mesh(new three.CylinderGeometry(0.012 * length, 0.012 * length, 0.8 * length, 8), material);
  const tip = new three.Mesh(new three.ConeGeometry(0.05 * length, 0.2 * length, 12), material);
  shaft.position.y = 0.4 * length;
  tip.position.y = 0.9 * length;
  group.add(shaft, tip);
  group.quaternion.copy(turn);
  return group;
}

function axes(three, length) {
  const group = new three.Group();
  group.add(arrow(three, [1, 0, 0], length, 0xff5a4f), arrow(three, [0, 1, 0], length, 0x54c66e), arrow(three, [0, 0, 1], length, 0x4f8cff));
  return group;
}

/** The triangles of a simple hull for a vessel without a mesh, in the drawing's frame. */
export function plainHull(size, dives) {
  return dives ? spindle(size) : boat(size);
}

/** A body of revolution about x: a round nose, a middle of one diameter, a tail that tapers. */
function spindle({ length, breadth }) {
  const outline = [[0.5, 0], [0.49, 0.45], [0.46, 0.72], [0.41, 0.92], [0.36, 1], [-0.18, 1], [-0.32, 0.78], [-0.44, 0.4], [-0.5, 0.12], [-0.5, 0]];
  const at = ([x, radius], turn) => [x * length, 0.5 * breadth * radius * Math.sin(turn), 0.5 * breadth * radius * Math.cos(turn)];
  const corners = [];
  const [around, step] = [24, Math.PI / 12];
  for (let i = 0; i + 1 < outline.length; i++) {
    for (let j = 0; j < around; j++) {
      const [a, b, c, d] = [at(outline[i], j * step), at(outline[i], (j + 1) * step), at(outline[i + 1], (j + 1) * step), at(outline[i + 1], j * step)];
      corners.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
  }
  return new Float32Array(corners);
}

function boat(size) {
  const { length, breadth, draft, depth } = size;
  const [top, bottom] = [-(Math.max(depth, draft) - draft || 0.4 * draft), draft];
  const ring = [[0.5, 0], [0.3, 0.36], [0, 0.5], [-0.45, 0.46], [-0.5, 0.4], [-0.5, -0.4], [-0.45, -0.46], [0, -0.5], [0.3, -0.36]].map(([x, y]) => [x * length, y * breadth]);
  const corners = [];
  ring.forEach(([x, y], i) => {
    const [u, v] = ring[(i + 1) % ring.length];
    const [a, b, c, d] = [[x, y, top], [u, v, top], [0.94 * u, 0.75 * v, bottom], [0.94 * x, 0.75 * y, bottom]];
    corners.push(...a, ...c, ...b, ...a, ...d, ...c, 0, 0, top, ...a, ...b, 0, 0, bottom, ...c, ...d);
  });
  return new Float32Array(corners);
}
