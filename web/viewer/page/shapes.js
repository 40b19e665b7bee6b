// Drawing of a mission's shapes (VIEW_POINT, VIEW_POLYGON, ...) as sent by the server.

import { disc, line } from "./dom.js";
import { FULL, Room, place, rad, words } from "./draw.js";

const SOLID_FILL = 0.18; // default opacity of a fill
const MOST_POINTS = 150_000; // points of lines drawn at once; of more, some are left out
const MOST_LABELS = 400; // labels drawn at once
const FAR_OUT = 0.04; // pixels a metre below which drawings have no labels
const APART = 5; // least distance of a line's vertices that are drawn [px]

/** Kinds whose appearance depends on the time, which are redrawn for each picture. */
export const PULSES = new Set(["range_pulse", "comms_pulse"]);

/** Colours: the drawing's own, its vessel's, or those of its kind. */
function inks(shape, look, own) {
  const style = shape.style ?? {};
  const base = own ?? { seglr: look.accent, circle: look.accent, vector: look.accent, arrow: look.brass, marker: look.brass, point: look.brass }[shape.kind] ?? look.soft;
  const of = (color, fallback) => (color === "none" ? null : color || fallback);
  return {
    edge: of(style.edge, base),
    vertex: of(style.vertex, base),
    fill: of(style.fill, null),
    label: of(style.labelcolor, look.ink),
    width: style.edge_size ?? 1,
    dot: style.vertex_size ?? 3,
    opacity: style.opacity ?? SOLID_FILL,
  };
}

/**
 * Draw a shape at time t; one that cannot be drawn is noted in the picture, and harms no other.
 * @param {Array} labels receives its label, to be drawn by `lettered`; null for none
 */
export function shape(ctx, camera, look, what, picture, labels = null, stride = 1) {
  const draw = KINDS[what.kind];
  if (!draw) return;
  ctx.save();
  try {
    ctx.lineJoin = "round";
    draw({ ctx, camera, look, what, ink: inks(what, look, picture.rows.get(what.community)?.ink), t: picture.t, labels, stride });
  } catch (error) {
    picture.spoilt(what, error.message);
  }
  ctx.restore();
}

function trace({ ctx, camera, stride = 1 }, pts, closed) {
  ctx.beginPath();
  for (let k = 0; k < pts.length; k += stride) ctx.lineTo(camera.column(pts[k][0]), camera.row(pts[k][1]));
  if (closed) ctx.closePath();
}

/** A wider contrasting line under one whose colour has little contrast with the water. */
function casing(ctx, look, ink) {
  const light = brightness(ctx, ink.edge);
  if (look.dark ? light > 0.25 : light < 0.75) return;
  ctx.strokeStyle = look.dark ? "rgb(200 220 230 / 45%)" : "rgb(20 37 47 / 55%)";
  ctx.lineWidth = Math.max(1, ink.width) + 1.5;
  ctx.stroke();
}

/** A mission's colour for text if it is readable on the water, else the page's. */
function readable(ctx, color, look) {
  const light = brightness(ctx, color);
  return (look.dark ? light > 0.25 : light < 0.5) ? color : look.ink;
}

const known = new Map();

/** The luminance of a CSS colour, 0 to 1. */
function brightness(ctx, color) {
  if (!known.has(color)) {
    ctx.fillStyle = color;
    const [r, g, b] = /^#(..)(..)(..)$/.exec(ctx.fillStyle)?.slice(1).map((two) => parseInt(two, 16)) ?? [128, 128, 128];
    known.set(color, (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255);
  }
  return known.get(color);
}

function paint({ ctx, ink, look }, filled = true) {
  if (filled && ink.fill) {
    ctx.globalAlpha = ink.opacity;
    ctx.fillStyle = ink.fill;
    ctx.fill();
    ctx.globalAlpha = 1;
  }
  if (ink.edge && ink.width > 0) {
    casing(ctx, look, ink);
    ctx.strokeStyle = ink.edge;
    ctx.lineWidth = Math.max(1, ink.width);
    ctx.stroke();
  }
}

function dots({ ctx, camera, ink }, pts, least = 0) {
  if (!ink.vertex || ink.dot <= 0) return;
  const radius = Math.max(least, Math.min(ink.dot, 12) / 2 + 0.5);
  let [column, row] = [Infinity, Infinity];
  for (const [x, y] of pts) {
    const [right, down] = [camera.column(x), camera.row(y)];
    if (Math.abs(right - column) + Math.abs(down - row) < APART) continue;
    [column, row] = [right, down];
    disc(ctx, column, row, radius, ink.vertex);
  }
}

// Candidate positions of a label relative to its point: [pixels right, pixels down, align].
const PLACES = [[7, -8, "left"], [7, 9, "left"], [-7, -8, "right"], [-7, 9, "right"]];
const ABOVE = [[0, -8, "center"], [0, 9, "center"]];

function label({ camera, what, ink, labels }, x, y, align = "left") {
  const text = what.msg || what.label;
  if (!text || !ink.label || !labels) return;
  const [column, row] = [camera.column(x), camera.row(y)];
  if (column < -200 || row < -20 || column > camera.width + 200 || row > camera.height + 20) return;
  labels.push({ text, column, row, places: align === "left" ? PLACES : ABOVE, color: ink.label, community: what.community });
}

/** Draw labels where there is room for them, those of the selected vessel first. */
function lettered(ctx, look, labels, selected, room) {
  labels.sort((a, b) => (b.community === selected) - (a.community === selected));
  let left = MOST_LABELS;
  for (const { text, column, row, places, color } of labels) {
    const free = place(room, text, column, row, places);
    if (!free) continue;
    const [dx, dy, align] = free;
    words(ctx, look, text, column + dx, row + dy, { color: readable(ctx, color, look), font: `11px ${look.sans}`, align });
    if (!--left) return;
  }
}

const middle = (pts) => [
  pts.reduce((sum, [x]) => sum + x, 0) / pts.length,
  pts.reduce((sum, [, y]) => sum + y, 0) / pts.length,
];

const area = (closed) => (pen) => {
  const { pts } = pen.what;
  if (!pts?.length) return;
  trace(pen, pts, closed);
  paint(pen, closed);
  dots(pen, pts);
  label(pen, ...(closed ? middle(pts) : pts[0]), closed ? "center" : "left");
};

function point(pen) {
  dots(pen, [[pen.what.x, pen.what.y]], 2);
  label(pen, pen.what.x, pen.what.y);
}

function circle(pen) {
  const { ctx, camera, what } = pen;
  ctx.beginPath();
  ctx.arc(camera.column(what.x), camera.row(what.y), what.radius * camera.scale, 0, FULL);
  paint(pen);
  label(pen, what.x, what.y + what.radius, "center");
}

const MARKS = {
  circle: null,
  square: [[-1, -1], [1, -1], [1, 1], [-1, 1]],
  diamond: [[0, 1.25], [1.25, 0], [0, -1.25], [-1.25, 0]],
  triangle: [[0, 1.2], [1.1, -0.8], [-1.1, -0.8]],
  efield: [[0, 1.3], [0.4, 0.4], [1.3, 0], [0.4, -0.4], [0, -1.3], [-0.4, -0.4], [-1.3, 0], [-0.4, 0.4]],
  gateway: [[-1.2, 1], [-0.6, 1], [0, 0.3], [0.6, 1], [1.2, 1], [1.2, -1], [0.6, -1], [0, -0.3], [-0.6, -1], [-1.2, -1]],
};

function marker(pen) {
  const { ctx, camera, look, what, ink } = pen;
  const [x, y] = [camera.column(what.x), camera.row(what.y)];
  const radius = Math.max(5, (what.width * camera.scale) / 2);
  outlineOf(ctx, what.shape, x, y, radius);
  ctx.fillStyle = what.primary || ink.fill || look.brass;
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = ink.edge ?? look.ink;
  ctx.stroke();
  if (what.secondary) {
    outlineOf(ctx, what.shape, x, y, radius / 2);
    ctx.fillStyle = what.secondary;
    ctx.fill();
  }
  if (what.range > 0) {
    ctx.beginPath();
    ctx.setLineDash([4, 4]);
    ctx.arc(x, y, what.range * camera.scale, 0, FULL);
    ctx.stroke();
    ctx.setLineDash([]);
  }
  label(pen, what.x, what.y);
}

function outlineOf(ctx, form, x, y, radius) {
  ctx.beginPath();
  const corners = MARKS[form];
  if (!corners) ctx.arc(x, y, radius, 0, FULL);
  else for (const [dx, dy] of corners) ctx.lineTo(x + dx * radius, y - dy * radius);
  ctx.closePath();
}

function ray({ ctx, ink }, x, y, angle, pixels, head) {
  const toX = x + pixels * Math.sin(rad(angle));
  const toY = y - pixels * Math.cos(rad(angle));
  ctx.strokeStyle = ink.edge;
  ctx.fillStyle = ink.edge;
  ctx.lineWidth = Math.max(1, ink.width);
  line(ctx, x, y, toX, toY);
  const back = rad(angle) + Math.PI;
  ctx.beginPath();
  ctx.moveTo(toX, toY);
  for (const side of [-0.45, 0.45]) ctx.lineTo(toX + head * Math.sin(back + side), toY - head * Math.cos(back + side));
  ctx.fill();
}

function vector(pen) {
  const { camera, what, ink } = pen;
  if (!ink.edge) return;
  const head = Math.max(6, (what.head || 0) * camera.scale);
  ray(pen, camera.column(what.x), camera.row(what.y), what.angle, what.mag * camera.scale, head);
  label(pen, what.x, what.y);
}

function seglr(pen) {
  const { ctx, camera, what, ink, look } = pen;
  area(false)(pen);
  const end = what.pts?.at(-1);
  if (!end) return;
  if (ink.edge) ray(pen, camera.column(end[0]), camera.row(end[1]), what.ray, (what.ray_len || 0) * camera.scale, Math.max(6, (what.head || 0) * camera.scale));
  if (!what.cpa) return;
  ctx.beginPath();
  ctx.arc(camera.column(what.cpa[0]), camera.row(what.cpa[1]), 4, 0, FULL);
  ctx.strokeStyle = look.cursor;
  ctx.stroke();
}

function textbox({ ctx, camera, look, what, ink }) {
  const size = Math.min(48, Math.max(9, what.size ?? 12));
  const color = readable(ctx, what.color || ink.label || look.ink, look);
  what.lines.forEach((text, k) => words(ctx, look, text, camera.column(what.x), camera.row(what.y) + k * size * 1.3, { color, font: `${size}px ${look.sans}` }));
}

const share = (what, t) => (what.until === null ? 1 : Math.min(1, Math.max(0, (t - what.t) / Math.max(1e-6, what.until - what.t))));

function rangePulse(pen) {
  const { ctx, camera, what, ink, t } = pen;
  const done = share(what, t);
  ctx.beginPath();
  ctx.arc(camera.column(what.x), camera.row(what.y), what.radius * done * camera.scale, 0, FULL);
  ctx.globalAlpha = (what.fill ?? 0.25) * (1 - done);
  ctx.fillStyle = ink.fill ?? "#2fa65a";
  ctx.fill();
  ctx.globalAlpha = Math.max(0.15, 1 - done);
  ctx.strokeStyle = ink.edge ?? "#2fa65a";
  ctx.lineWidth = Math.max(1, ink.width);
  ctx.stroke();
  ctx.globalAlpha = 1;
  label(pen, what.x, what.y + what.radius * done, "center");
}

function commsPulse(pen) {
  const { ctx, camera, what, ink, t } = pen;
  const done = share(what, t);
  const angle = Math.atan2(what.ty - what.sy, what.tx - what.sx);
  const half = what.width / 2;
  trace(pen, [
    [what.sx, what.sy],
    [what.tx - half * Math.sin(angle), what.ty + half * Math.cos(angle)],
    [what.tx + half * Math.sin(angle), what.ty - half * Math.cos(angle)],
  ], true);
  ctx.globalAlpha = (what.fill ?? 0.35) * (1 - done);
  ctx.fillStyle = ink.fill ?? "#2fa65a";
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Colour of a fraction 0..1: from blue to brass, increasing in lightness, readable without hue. */
export function heat(part, dark = true) {
  const p = Math.min(1, Math.max(0, part));
  const from = dark ? [24, 62, 92] : [214, 230, 238];
  const to = dark ? [250, 214, 120] : [138, 70, 0];
  return `rgb(${from.map((low, k) => Math.round(low + (to[k] - low) * p)).join(" ")})`;
}

function cells(pen) {
  const { ctx, camera, look, what } = pen;
  const side = what.size * camera.scale;
  const gap = side > 2 ? 0.5 : 0;
  const range = what.high > what.low ? what.high - what.low : 1;
  ctx.globalAlpha = 0.75;
  for (const [x, y, value] of what.cells) {
    const column = camera.column(x);
    const row = camera.row(y + what.size);
    if (column > camera.width || row > camera.height || column < -side || row < -side) continue;
    ctx.fillStyle = heat((value - what.low) / range, look.dark);
    ctx.fillRect(column, row, side - gap, side - gap);
  }
  ctx.globalAlpha = 1;
  if (what.pts?.length) {
    trace(pen, what.pts, true);
    paint(pen, false);
  }
}

const KINDS = {
  point, circle, marker, vector, seglr, textbox,
  grid: cells,
  seglist: area(false),
  polygon: area(true),
  oval: area(true),
  arrow: area(true),
  wedge: area(true),
  range_pulse: rangePulse,
  comms_pulse: commsPulse,
};

const ORDER = { grid: 0, polygon: 1, oval: 1, wedge: 1, circle: 2, seglist: 3 };

/**
 * Draw the shapes that do not depend on time, areas below lines, and their labels.
 * @param {object} shown {hidden: kinds that are not shown, labels: whether they have labels, taken: boxes of other labels}
 */
export function still(ctx, camera, look, picture, { hidden, labels, taken }) {
  const seen = [...picture.shapes.values()].filter((what) => !PULSES.has(what.kind) && !hidden.has(what.kind));
  seen.sort((a, b) => (ORDER[a.kind] ?? 5) - (ORDER[b.kind] ?? 5));
  const points = seen.reduce((sum, what) => sum + (what.pts?.length ?? 0), 0);
  const stride = Math.max(1, Math.ceil(points / MOST_POINTS));
  const all = labels && camera.scale > FAR_OUT ? [] : null;
  for (const what of seen) shape(ctx, camera, look, what, picture, all, stride);
  if (!all) return;
  const room = new Room();
  for (const box of taken) room.block(box);
  lettered(ctx, look, all, picture.chosen?.community, room);
}
