// Stateless drawing functions for the map's canvas: grid, scale, vessels, range rings, CPA, rulers.
// Labels get places on it: greedy, the most important first, none over another.

import { lengthWords, roundLength } from "./camera.js";
import { compass, disc, fixed, line, styled } from "./dom.js";

export const FULL = 2 * Math.PI;
const CELL = 64; // edge of the cells of the index of taken places [px]
const LETTER = 6.4; // approximate width of a letter [px]
export const rad = (degrees) => (degrees * Math.PI) / 180;

/** The colours and fonts of the style sheet, for the canvas. */
export function palette() {
  const of = (name) => styled(`--${name}`);
  return {
    water: of("water"), grid: of("grid"), strong: of("grid-strong"), ink: of("ink"), soft: of("soft"), halo: of("halo"),
    accent: of("accent"), brass: of("brass"), cursor: of("cursor"), wrong: of("wrong"), paper: of("paper"),
    sans: of("sans"), mono: of("mono"), dark: document.documentElement.dataset.theme !== "light",
  };
}

/** Text with a halo, readable on any background. */
export function words(ctx, look, text, x, y, { color = look.ink, font = `12px ${look.sans}`, align = "left", base = "middle" } = {}) {
  ctx.font = font;
  ctx.textAlign = align;
  ctx.textBaseline = base;
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = look.halo;
  ctx.strokeText(text, x, y);
  ctx.fillStyle = color;
  ctx.fillText(text, x, y);
}

/** Water, and lines each 1, 2 or 5 times a power of ten metres. */
export function grid(ctx, camera, look) {
  ctx.fillStyle = look.water;
  ctx.fillRect(0, 0, camera.width, camera.height);
  const step = roundLength(90 / camera.scale);
  ctx.lineWidth = 1;
  lines(ctx, camera, step / 5, look.grid, 0.55);
  lines(ctx, camera, step, look.strong, 1);
}

function lines(ctx, camera, step, color, alpha) {
  const { left, right, bottom, top } = camera.bounds;
  ctx.strokeStyle = color;
  ctx.globalAlpha = alpha;
  ctx.beginPath();
  for (let i = Math.ceil(left / step); i * step <= right; i++) {
    const column = Math.round(camera.column(i * step)) + 0.5;
    ctx.moveTo(column, 0);
    ctx.lineTo(column, camera.height);
  }
  for (let i = Math.ceil(bottom / step); i * step <= top; i++) {
    const row = Math.round(camera.row(i * step)) + 0.5;
    ctx.moveTo(0, row);
    ctx.lineTo(camera.width, row);
  }
  ctx.stroke();
  ctx.globalAlpha = 1;
}

/** Figures at the edges, the datum, a scale bar and north. */
export function furniture(ctx, camera, look, inset, taken) {
  const step = roundLength(90 / camera.scale);
  const { left, right, bottom, top } = camera.bounds;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const font = `11px ${look.mono}`;
  for (let i = Math.ceil(left / step); i * step <= right; i++) {
    const column = camera.column(i * step);
    if (column > 70 && column < camera.width - 120) words(ctx, look, fixed(i * step, digits), column, 9, { color: look.soft, font, align: "center" });
  }
  for (let i = Math.ceil(bottom / step); i * step <= top; i++) {
    const row = camera.row(i * step);
    if (row > 22 && row < camera.height - 70 - inset.bottom) words(ctx, look, fixed(i * step, digits), camera.width - 5, row, { color: look.soft, font, align: "right" });
  }
  datum(ctx, camera, look, taken);
  scaleBar(ctx, camera, look, inset);
  north(ctx, camera, look);
}

function datum(ctx, camera, look, taken) {
  const x = Math.round(camera.column(0)) + 0.5;
  const y = Math.round(camera.row(0)) + 0.5;
  ctx.strokeStyle = look.brass;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    ctx.moveTo(x + 3 * dx, y + 3 * dy);
    ctx.lineTo(x + 10 * dx, y + 10 * dy);
  }
  ctx.stroke();
  const room = new Room();
  for (const box of taken) room.block(box);
  const free = place(room, "datum", x, y, [[9, 12, "left"], [9, -12, "left"], [-9, 12, "right"], [-9, -12, "right"]]);
  if (free) words(ctx, look, "datum", x + free[0], y + free[1], { color: look.brass, font: `10px ${look.sans}`, align: free[2] });
}

function scaleBar(ctx, camera, look, inset) {
  const metres = roundLength(70 / camera.scale);
  const pixels = metres * camera.scale;
  const x = Math.min(inset.left, 60) + 18;
  const y = camera.height - 16 - inset.bottom;
  for (let part = 0; part < 4; part++) {
    ctx.fillStyle = part % 2 ? look.halo : look.ink;
    ctx.fillRect(x + (part * pixels) / 4, y - 4, pixels / 4, 4);
  }
  ctx.strokeStyle = look.ink;
  ctx.lineWidth = 1;
  ctx.strokeRect(x + 0.5, y - 4.5, pixels, 4);
  words(ctx, look, lengthWords(metres), x + pixels + 8, y - 2, { font: `11px ${look.mono}` });
}

function north(ctx, camera, look) {
  const x = camera.width - 64;
  const y = 30;
  ctx.lineWidth = 1;
  ctx.fillStyle = ctx.strokeStyle = look.brass;
  for (const [half, paint] of [[6, "fill"], [-6, "stroke"]]) {
    ctx.beginPath();
    ctx.moveTo(x, y - 15);
    ctx.lineTo(x + half, y + 9);
    ctx.lineTo(x, y + 4);
    ctx.closePath();
    ctx[paint]();
  }
  words(ctx, look, "N", x, y + 18, { color: look.brass, font: `600 11px ${look.sans}`, align: "center" });
}

// Outlines of vessels seen from above: [forward, starboard] in lengths, the bow at 0.5.
const OUTLINES = {
  boat: [[0.5, 0], [0.28, 0.15], [-0.05, 0.19], [-0.44, 0.15], [-0.5, 0.1], [-0.5, -0.1], [-0.44, -0.15], [-0.05, -0.19], [0.28, -0.15]],
  kayak: [[0.5, 0], [0.2, 0.13], [-0.15, 0.14], [-0.5, 0], [-0.15, -0.14], [0.2, -0.13]],
  ship: [[0.5, 0], [0.38, 0.1], [0.25, 0.14], [-0.46, 0.14], [-0.5, 0.11], [-0.5, -0.11], [-0.46, -0.14], [0.25, -0.14], [0.38, -0.1]],
  twin: [[0.42, 0.1], [0.5, 0.19], [0.42, 0.28], [-0.5, 0.28], [-0.5, 0.12], [-0.2, 0.1], [-0.2, -0.1], [-0.5, -0.12], [-0.5, -0.28], [0.42, -0.28], [0.5, -0.19], [0.42, -0.1], [0.2, -0.08], [0.2, 0.08]],
  torpedo: [[0.5, 0], [0.45, 0.07], [0.36, 0.1], [-0.3, 0.1], [-0.38, 0.24], [-0.5, 0.24], [-0.45, 0.05], [-0.5, 0], [-0.45, -0.05], [-0.5, -0.24], [-0.38, -0.24], [-0.3, -0.1], [0.36, -0.1], [0.45, -0.07]],
  wing: [[0.5, 0], [-0.5, 0.4], [-0.25, 0], [-0.5, -0.4]],
};
const FORMS = [
  [/kayak|canoe|mokai|swimmer/, "kayak"],
  [/ship|tanker|cargo|container|ferry|tug|vessel/, "ship"],
  [/heron|wamv|wam-v|otter|cat|twin|usv/, "twin"],
  [/auv|uuv|glider|torpedo|remus|sub|bluefin/, "torpedo"],
  [/uav|plane|aerial|wing|drone/, "wing"],
];

/** The outline for a vessel's type. */
export function outline(type) {
  const word = (type ?? "").toLowerCase();
  return OUTLINES[FORMS.find(([pattern]) => pattern.test(word))?.[1] ?? "boat"];
}

/** Length of a vessel's glyph in pixels: to scale, but not below a readable size. */
export const glyphLength = (vessel, camera, size = 24) => Math.max(size, (vessel.length || 0) * camera.scale);

/** A vessel: filled if its community is one of the run, an outline for a contact, dashed if stale. */
export function vessel(ctx, camera, look, ship, { selected = false, size = 24 } = {}) {
  const x = camera.column(ship.x);
  const y = camera.row(ship.y);
  const length = glyphLength(ship, camera, size);
  if (x < -length || y < -length || x > camera.width + length || y > camera.height + length) return;
  ctx.save();
  ctx.translate(x, y);
  if (selected) ring(ctx, look, 0.72 * length);
  path(ctx, ship, length);
  ctx.lineJoin = "round";
  ctx.lineWidth = 4;
  ctx.strokeStyle = look.halo;
  ctx.stroke();
  const solid = ship.kind === "own" && !ship.stale;
  ctx.fillStyle = solid ? ship.ink : look.water;
  ctx.globalAlpha = ship.stale ? 0.6 : 1;
  ctx.fill();
  ctx.lineWidth = 1.6;
  ctx.strokeStyle = solid ? contour(look) : ship.ink;
  if (ship.stale) ctx.setLineDash([3, 3]);
  ctx.stroke();
  ctx.restore();
}

const contour = (look) => (look.dark ? "rgb(0 0 0 / 55%)" : "rgb(10 25 35 / 75%)");

function ring(ctx, look, radius) {
  ctx.beginPath();
  ctx.arc(0, 0, radius, 0, FULL);
  ctx.strokeStyle = look.accent;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function path(ctx, ship, length) {
  ctx.beginPath();
  if (!Number.isFinite(ship.heading)) {
    ctx.arc(0, 0, length / 4, 0, FULL);
    return;
  }
  const angle = rad(ship.heading);
  const sin = Math.sin(angle) * length;
  const cos = Math.cos(angle) * length;
  // Forward is (sin, -cos) on the canvas, starboard (cos, sin): rows grow southward.
  for (const [ahead, right] of outline(ship.type)) ctx.lineTo(ahead * sin + right * cos, right * sin - ahead * cos);
  ctx.closePath();
}

// Candidate positions of a name: [lengths right, lengths down, align], beyond the vessel's glyph.
const BESIDE = [[0.4, -0.3, "left"], [0.4, 0.3, "left"], [-0.4, -0.3, "right"], [-0.4, 0.3, "right"]];
const FURTHER = [0, 16, -16, 32, -32, 48, -48]; // the same, as much further down, where those are taken [px]
const CROWD = 60; // vessels in view above which names only stand where there is room beside their vessels
const WIDE = 6.8; // width of a letter of a name [px]

/**
 * Names of vessels where there is room, the selected one's first, then fresh ones.
 * @param {boolean} named whether names are drawn
 * @returns {Array} the boxes that vessels and names take
 */
export function names(ctx, camera, look, named, ships, selected, size) {
  const room = new Room();
  const taken = [];
  const inView = ships.filter((ship) => {
    const [x, y] = [camera.column(ship.x), camera.row(ship.y)];
    return x > -80 && x < camera.width + 80 && y > -20 && y < camera.height + 20;
  });
  for (const ship of inView) {
    const [x, y] = [camera.column(ship.x), camera.row(ship.y)];
    const box = { left: x - size / 4, right: x + size / 4, top: y - size / 4, bottom: y + size / 4 };
    taken.push(box);
    room.block(box);
  }
  if (!named) return taken;
  inView.sort((a, b) => (b.name === selected) - (a.name === selected) || a.stale - b.stale || (a.kind === "contact") - (b.kind === "contact"));
  for (const ship of inView) {
    const name = ship.label ?? ship.name;
    const text = ship.stale ? `${name} (${Math.round(ship.age)} s ago)` : name;
    const length = glyphLength(ship, camera, size);
    const [x, y] = [camera.column(ship.x), camera.row(ship.y)];
    const beside = BESIDE.map(([right, down, align]) => [right * length + (right > 0 ? 7 : -7), down * length + (down > 0 ? 3 : -3), align]);
    const rows = inView.length > CROWD ? [0] : FURTHER;
    const free = place(room, text, x, y, rows.flatMap((row) => beside.map(([dx, dy, align]) => [dx, dy + row, align])), WIDE);
    if (!free) continue;
    if (!beside.some(([, dy]) => dy === free[1])) { // a thin line leads to a name that is not next to its vessel
      ctx.strokeStyle = ship.ink;
      ctx.lineWidth = 0.8;
      line(ctx, x, y, x + free[0], y + free[1]);
    }
    taken.push(boxOf(text, x + free[0], y + free[1], free[2], WIDE));
    words(ctx, look, text, x + free[0], y + free[1], { color: ship.beside ? ship.ink : look.ink, font: `${ship.name === selected && !ship.beside ? 700 : 500} 12px ${look.sans}`, align: free[2] });
  }
  return taken;
}

/** Velocity vectors: to the position after some seconds at present course and speed. */
export function velocities(ctx, camera, look, ships, seconds) {
  ctx.lineWidth = 1.5;
  for (const ship of ships) {
    if (!(ship.speed > 0.01)) continue;
    const angle = rad(ship.heading);
    const ahead = ship.speed * seconds * camera.scale;
    const x = camera.column(ship.x);
    const y = camera.row(ship.y);
    arrowTo(ctx, x, y, x + ahead * Math.sin(angle), y - ahead * Math.cos(angle), ship.ink, 6);
  }
}

function arrowTo(ctx, x, y, toX, toY, color, head) {
  const angle = Math.atan2(toY - y, toX - x);
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  line(ctx, x, y, toX, toY);
  ctx.beginPath();
  ctx.moveTo(toX, toY);
  ctx.lineTo(toX - head * Math.cos(angle - 0.4), toY - head * Math.sin(angle - 0.4));
  ctx.lineTo(toX - head * Math.cos(angle + 0.4), toY - head * Math.sin(angle + 0.4));
  ctx.fill();
}

/**
 * The closest point of approach of two vessels that hold course and speed.
 * @returns {{seconds: number, distance: number, own: number[], other: number[]}} seconds 0 if they are already diverging
 */
export function closestApproach(own, other) {
  const rate = (ship) => [ship.speed * Math.sin(rad(ship.heading)), ship.speed * Math.cos(rad(ship.heading))];
  const [u, v] = rate(own);
  const [p, q] = rate(other);
  const dx = other.x - own.x;
  const dy = other.y - own.y;
  const du = p - u;
  const dv = q - v;
  const square = du * du + dv * dv;
  const seconds = square > 1e-9 ? Math.max(0, -(dx * du + dy * dv) / square) : 0;
  return {
    seconds,
    distance: Math.hypot(dx + du * seconds, dy + dv * seconds),
    own: [own.x + u * seconds, own.y + v * seconds],
    other: [other.x + p * seconds, other.y + q * seconds],
  };
}

/** Closest points of approach of a vessel to those it is approaching, the nearest dozen. */
export function approaches(ctx, camera, look, own, ships) {
  const all = ships.filter((ship) => ship !== own && !ship.stale && Number.isFinite(ship.x)).map((ship) => closestApproach(own, ship));
  for (const cpa of all.filter(({ seconds }) => seconds > 0).sort((a, b) => a.distance - b.distance).slice(0, 12)) {
    const [x, y] = [camera.column(cpa.own[0]), camera.row(cpa.own[1])];
    const [toX, toY] = [camera.column(cpa.other[0]), camera.row(cpa.other[1])];
    ctx.strokeStyle = look.cursor;
    ctx.lineWidth = 1.2;
    ctx.setLineDash([4, 3]);
    line(ctx, x, y, toX, toY);
    ctx.setLineDash([]);
    for (const [column, row] of [[x, y], [toX, toY]]) disc(ctx, column, row, 2.5, look.cursor);
    words(ctx, look, `CPA ${fixed(cpa.distance, 1)} m in ${Math.round(cpa.seconds)} s`, (x + toX) / 2 + 6, (y + toY) / 2, { color: look.cursor, font: `11px ${look.mono}` });
  }
}

/** Rings of equal range around a vessel. */
export function rings(ctx, camera, look, ship) {
  const step = roundLength(70 / camera.scale);
  const x = camera.column(ship.x);
  const y = camera.row(ship.y);
  for (let k = 1; k <= 5; k++) {
    ctx.strokeStyle = look.accent;
    ctx.lineWidth = 1;
    ctx.globalAlpha = 0.9 - 0.1 * k;
    ctx.beginPath();
    ctx.arc(x, y, k * step * camera.scale, 0, FULL);
    ctx.stroke();
    ctx.globalAlpha = 1;
    words(ctx, look, lengthWords(k * step), x, y - k * step * camera.scale, { color: look.accent, font: `11px ${look.mono}`, align: "center" });
  }
}

/** A measured line with its length and bearing. */
export function measured(ctx, camera, look, [from, to]) {
  const [x, y] = [camera.column(from[0]), camera.row(from[1])];
  const [toX, toY] = [camera.column(to[0]), camera.row(to[1])];
  ctx.lineWidth = 1.5;
  ctx.setLineDash([6, 3]);
  arrowTo(ctx, x, y, toX, toY, look.cursor, 9);
  ctx.setLineDash([]);
  disc(ctx, x, y, 3, look.cursor);
  words(ctx, look, measureWords(from, to), (x + toX) / 2 + 9, (y + toY) / 2 - 9, { color: look.cursor, font: `600 12px ${look.mono}` });
}

/** Length and bearing from one point to another, as text. */
export function measureWords([x, y], [toX, toY]) {
  const distance = Math.hypot(toX - x, toY - y);
  const bearing = (Math.atan2(toX - x, toY - y) * 180) / Math.PI;
  return `${distance >= 1000 ? `${fixed(distance / 1000, 3)} km` : `${fixed(distance, 1)} m`}  ${compass(bearing)}`;
}

/** The places that are taken by labels and vessels. */
export class Room {
  constructor() {
    this.cells = new Map();
  }

  /** Take a box {left, right, top, bottom} [px] if it is free; return whether it was. */
  take(box) {
    const keys = [...cellsOf(box)];
    if (keys.some((key) => this.cells.get(key)?.some((other) => overlap(box, other)))) return false;
    this.block(box, keys);
    return true;
  }

  /** Take a box in any case. */
  block(box, keys = cellsOf(box)) {
    for (const key of keys) {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    }
  }
}

function* cellsOf({ left, right, top, bottom }) {
  for (let column = Math.floor(left / CELL); column <= right / CELL; column++) {
    for (let row = Math.floor(top / CELL); row <= bottom / CELL; row++) yield column * 65536 + row;
  }
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The box of a text at a place: align is left, center or right. */
export function boxOf(text, column, row, align = "left", letter = LETTER) {
  const width = letter * text.length;
  const left = column - { left: 0, center: width / 2, right: width }[align];
  return { left, right: left + width, top: row - 7, bottom: row + 7 };
}

/** The first free of several places [pixels right, pixels down, align] for a text, or null. */
export function place(room, text, column, row, places, letter) {
  return places.find(([dx, dy, align]) => room.take(boxOf(text, column + dx, row + dy, align, letter))) ?? null;
}
