// Helm panel: state, mode, decision, behaviors; and objective functions as a polar map.

import { clock, compass, every, fixed, hearing, keyed, line, make, offered, say, sized } from "./dom.js";
import { heat } from "./shapes.js";
import { palette } from "./draw.js";

const EVERY = 1000;

export default function helms(box, page) {
  const { picture } = page;
  const list = make("div.stack");
  const empty = make("p.empty", { text: "No helm has reported." });
  const why = make("div");
  box.append(why, empty, list);
  const show = () => {
    const rows = order(picture);
    empty.hidden = rows.length > 0;
    keyed(list, rows, (helm) => helm.community, card, fill);
  };
  const deaf = hearing([picture, "helm select picture", show]);
  show();
  const polar = picture.can("ipf") ? functions(why, page) : null;
  return { close: () => {
    deaf();
    polar?.close();
  } };
}

function order(picture) {
  const first = picture.chosen?.community;
  return [...picture.helms.values()].sort((a, b) => (b.community === first) - (a.community === first));
}

const card = () => make("section", {}, make("h3"), make("dl.facts"));

function fill(node, helm) {
  say(node.firstChild, helm.community);
  const decision = [["course", compass(helm.course)], ["speed", `${fixed(helm.speed, 2)} m/s`], ["depth", `${fixed(helm.depth)} m`]]
    .filter(([key]) => Number.isFinite(helm[key])).map(([key, text]) => `${key} ${text}`).join(", ");
  const facts = {
    State: `${helm.state || "–"}${helm.allstop && helm.allstop !== "clear" ? `, all stop: ${helm.allstop}` : ""}`,
    Mode: helm.mode || "–",
    Decides: decision || "nothing",
    Active: many(helm.active),
    Running: many(helm.running),
    Idle: many(helm.idle),
    Completed: many(helm.completed),
    Iteration: `${helm.iteration ?? "–"} at ${clock(helm.t)}`,
  };
  keyed(node.lastChild, Object.entries(facts).flatMap(([key, text]) => [["dt", key, key], ["dd", `${key} is`, text]]), ([, key]) => key, ([tag]) => make(tag), (part, [, , text]) => say(part, text));
}

const many = (names) => (names?.length ? names.join(", ") : "none");

function functions(box, page) {
  const { picture } = page;
  const which = make("select", { aria: { label: "Behavior" } }, make("option", { value: "", text: "all together" }));
  const now = make("button", { type: "button", text: "Compute for this moment", hidden: true });
  const sentence = make("p", { id: "explained", text: "" });
  const body = make("tbody");
  const table = make("table.costs", { hidden: true, aria: { label: "What the decision costs each behavior" } },
    make("thead", {}, make("tr", {}, ...["Behavior", "wants", "loses"].map((text) => make("th", { text, scope: "col" })))), body);
  const canvas = make("canvas.polar", { role: "img", hidden: true, aria: { label: "Objective function over course and speed" } });
  const words = make("p.quiet", { text: "" });
  box.append(make("h3", { text: "Why this course?" }), sentence, table, make("div.row", {}, which, now), canvas, words);
  let asking = false;
  let wanted = null; // {t, recompute}: the moment of a run for which functions are computed
  const show = async () => {
    const community = picture.chosen?.community || picture.hello.communities[0];
    if (asking || !page.wire.open || !community) return;
    asking = true;
    try {
      const told = await page.wire.do("ipf", { community, behavior: which.value, ...(wanted ?? {}) });
      now.hidden = picture.replay || !(told.on_request || told.recomputed);
      if (told.working !== undefined) say(words, `The helm runs again on the log's mail: ${Math.round(100 * told.working)} %`);
      else if (told.on_request) say(words, "The helm does not post its functions. They can be computed from the log of this run.");
      else tellFunctions(told);
    } catch (error) {
      canvas.hidden = table.hidden = true;
      say(sentence, "");
      say(words, error.message);
    }
    asking = false;
  };
  const tellFunctions = (told) => {
    offered(which, "all together", told.behaviors);
    say(sentence, told.explained);
    table.hidden = !told.costs.length;
    keyed(body, told.costs, ({ name }) => name, () => make("tr", {}, make("td"), make("td"), make("td.num")), costRow);
    canvas.hidden = !told.values;
    if (told.values) polar(canvas, told);
    const origin = told.recomputed ? "computed by the helm's own code from the log's mail" : "as posted";
    const light = document.documentElement.dataset.theme === "light" ? "Dark" : "Light";
    const line = told.values ? `: chosen ${compass(told.chosen.course ?? NaN)}, ${fixed(told.chosen.speed ?? NaN, 2)} m/s (the line). ${light} is good.` : ".";
    say(words, `Iteration at ${clock(told.t, 2)}, ${origin}${line}`);
  };
  now.onclick = () => {
    wanted = { t: picture.t, recompute: true };
    show();
  };
  which.onchange = show;
  return { close: every(EVERY, show) };
}

function costRow(node, { name, weight, wants, cost }) {
  say(node.children[0], `${name} (${weight})`);
  say(node.children[1], wants || "nothing in particular");
  say(node.children[2], cost === null ? "–" : `${fixed(100 * cost, 0)} %`);
}

/** Draw values over course (angle, north up) and speed (radius). */
export function polar(canvas, told) {
  const look = palette();
  const side = canvas.clientWidth || 300;
  const ctx = sized(canvas, side, side);
  ctx.translate(side / 2, side / 2);
  const reach = side / 2 - 16;
  disc(ctx, told, reach, look.dark);
  for (const [text, x, y] of [["N", 0, -1], ["E", 1, 0], ["S", 0, 1], ["W", -1, 0]]) {
    ctx.fillStyle = look.soft;
    ctx.font = `600 11px ${look.sans}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, x * (reach + 9), y * (reach + 9));
  }
  if (Number.isFinite(told.chosen?.course)) chosen(ctx, told, look, reach);
}

/** Colour each pixel by the value at the nearest course and speed, between the lowest and the highest. */
function disc(ctx, { course, speed, values, low, high }, reach, dark) {
  const side = Math.ceil(2 * reach * devicePixelRatio);
  const image = new ImageData(side, side);
  const inks = Array.from({ length: 101 }, (_, k) => heat(k / 100, dark).match(/\d+/g).map(Number));
  const step = 360 / course.length;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [x, y] = [(2 * column + 1) / side - 1, 1 - (2 * row + 1) / side];
      const radius = Math.hypot(x, y);
      if (radius > 1) continue;
      const degrees = (Math.atan2(x, y) * 180) / Math.PI - course[0];
      const value = values[Math.min(speed.length - 1, Math.floor(radius * speed.length))][Math.round((degrees + 360) / step) % course.length];
      const part = high > low ? (value - low) / (high - low) : 0.5;
      image.data.set([...inks[Math.round(100 * Math.min(1, Math.max(0, part)))], 255], 4 * (row * side + column));
    }
  }
  const sheet = document.createElement("canvas");
  sheet.width = sheet.height = side;
  sheet.getContext("2d").putImageData(image, 0, 0);
  ctx.drawImage(sheet, -reach, -reach, 2 * reach, 2 * reach);
}

function chosen(ctx, { chosen: { course, speed }, speed: speeds }, look, reach) {
  const angle = (course * Math.PI) / 180;
  const ring = Number.isFinite(speed) ? speeds.findLastIndex((one) => one <= speed + 1e-9) + 0.5 : speeds.length;
  const far = Math.min(reach, (ring / speeds.length) * reach);
  const [x, y] = [far * Math.sin(angle), -far * Math.cos(angle)];
  for (const [color, width] of [["rgb(6 18 26 / 85%)", 5], [look.dark ? "#ffffff" : look.cursor, 2.5]]) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width;
    line(ctx, 0, 0, x, y);
    ctx.beginPath();
    ctx.arc(x, y, 5, 0, 2 * Math.PI);
    ctx.stroke();
  }
}
