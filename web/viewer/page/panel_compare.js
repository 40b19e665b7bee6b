// Compare panel: another run's tracks on the map, the distance between vessels, the first difference.

import { clock, every, fixed, hearing, hint, keyed, line, make, say, sized, trying } from "./dom.js";
import * as draw from "./draw.js";
import { inkBeside } from "./picture.js";
import { indexAt } from "./tracks.js";
import { ask } from "./session.js";
import { Wire } from "./wire.js";

export default function compare(box, page) {
  const choice = make("select", { aria: { label: "Another run or log" } });
  const go = make("button.primary", { type: "button", text: "Lay over", on: { click: () => lay(page, JSON.parse(choice.value), redraw) } });
  const clear = make("button", { type: "button", text: "Take away", on: { click: () => { page.memory.other = null; page.plan.others = []; page.plan.refresh(); redraw(); } } });
  const result = make("div.stack");
  const filter = make("input", { type: "search", value: page.memory.besides ?? "NAV_*", aria: { label: "Variables of both runs" }, spellcheck: false, on: { input: () => { page.memory.besides = filter.value; values(); } } });
  const body = make("tbody");
  const both = make("div", { hidden: true }, make("h3", { text: "Values of both" }), filter, make("table.fixed", { id: "both", aria: { label: "Values of both runs" } }, make("thead", {}, make("tr", {}, ...["Variable", "here", "there"].map((text) => make("th", { text, scope: "col" })))), body));
  const values = async () => {
    both.hidden = !page.memory.other;
    if (!page.memory.other) return;
    const patterns = filter.value.split(/[\s,]+/).filter(Boolean);
    const rows = await page.wire?.do("beside", { with: page.memory.other.source, patterns }).catch(() => []);
    keyed(body, rows ?? [], ([community, name]) => `${community}:${name}`, () => make("tr", {}, make("td.variable"), make("td.value"), make("td.value")), (node, [community, name, here, there]) => {
      [`${community}:${name}`, show(here), show(there)].forEach((text, k) => say(node.children[k], text));
      node.classList.toggle("differs", here !== there);
    });
  };
  const chosen = make("div.stack", {}, choice, make("div.row", {}, go, clear));
  const none = hint("There is no other run or log in these folders. Give both at the start:", "steerageway view A.alog B.alog");
  none.hidden = true;
  box.append(make("h3", { text: "Lay another run over this one" }), chosen, none, result, both);
  const redraw = () => {
    clear.disabled = !page.memory.other;
    result.replaceChildren(...(page.memory.other ? told(page, page.memory.other) : [make("p.quiet", { text: "Both are aligned at time 0. The other's tracks are dashed; its vessels are outlines with its name, in a colour of their own." })]));
  };
  fill(choice, page).then(() => {
    const alone = !choice.options.length && !page.memory.other;
    [chosen.hidden, result.hidden, none.hidden] = [alone, alone, !alone];
  });
  redraw();
  const ends = [hearing([page.picture, "overlay", redraw]), every(300, () => page.memory.other && distances(result, page)), every(500, values)];
  return { close: () => ends.forEach((end) => end()) };
}

async function fill(choice, page) {
  page.home = (await trying(() => ask("/api/home"))) ?? page.home;
  const here = page.picture.hello.source.id;
  const all = page.home.sources ?? [];
  const sources = all.filter((source) => source.id !== here);
  const open = all.map((source) => source.path);
  choice.replaceChildren(
    ...sources.map((source) => make("option", { value: JSON.stringify({ source: source.id }), text: `${source.title} (open)` })),
    ...(page.home.logs ?? []).filter(({ path }) => !open.some((one) => `${one}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${one}/`))).map((log) => make("option", { value: JSON.stringify({ logs: [log.path] }), text: log.title })),
  );
}

/** Lay another run over the one that is shown. */
export function lay(page, chosen, show) {
  return trying(async () => {
    const source = chosen.source ?? (await ask("/api/open", { logs: chosen.logs })).source;
    await beingRead(source);
    const { wire } = page;
    const other = await wire.do("compare", { with: source });
    if (wire !== page.wire) return; // another source was opened meanwhile
    page.memory.other = other;
    page.plan.others = [laid(page, other)];
    if (!page.plan.touched) page.plan.fit();
    page.plan.refresh();
    show();
  });
}

/** Wait until the logs of a source have been read: until its first picture. */
function beingRead(source) {
  return new Promise((done, fail) => {
    const leave = (act, value) => {
      wire.close();
      act(value);
    };
    const wire = new Wire(source, { picture: () => leave(done), bye: ({ reason }) => leave(fail, new Error(reason)) });
  });
}

/** The other run as the plan shows it: dashed tracks, and outlines with the run's name, in a colour of its own. */
function laid(page, other) {
  const { picture, home } = page;
  const [here, there] = [picture.hello.source.id, other.source].map((id) => home.sources?.find((one) => one.id === id));
  const names = namesOf([here?.path || picture.hello.source.title, there?.path || other.title]);
  const ink = (look) => inkBeside(picture.vessels.map((own) => own.ink), look.dark ? "dark" : "light");
  const ships = (look) => other.vessels.map((ship) => at(ship, picture, names[1], ink(look))).filter(Boolean);
  return { here: names[0], there: names[1], tracks: other.vessels, ships, paint: (ctx, camera, look) => {
    ctx.lineWidth = 1.4;
    ctx.strokeStyle = ink(look);
    ctx.setLineDash([5, 4]);
    for (const { x, y } of other.vessels) {
      ctx.beginPath();
      x.forEach((east, k) => ctx.lineTo(camera.column(east), camera.row(y[k])));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    for (const ship of ships(look)) {
      const own = picture.vessel(ship.name);
      if (!Number.isFinite(own?.x)) continue;
      ctx.strokeStyle = own.ink;
      ctx.lineWidth = 1;
      line(ctx, camera.column(own.x), camera.row(own.y), camera.column(ship.x), camera.row(ship.y));
    }
  } };
}

/** The first parts in which two paths differ; "1" and "2" of equal ones. */
function namesOf(paths) {
  const [one, two] = paths.map((path) => path.split("/"));
  const k = one.findIndex((part, i) => part !== two[i]);
  return k < 0 || !two[k] ? ["1", "2"] : [one[k], two[k]];
}

/** A vessel of the other run at the present time; null before its first position. */
function at(ship, picture, run, ink) {
  const k = indexAt(ship.t, picture.t);
  if (k < 0) return null;
  const { type, length } = picture.vessel(ship.name) ?? {};
  return { name: ship.name, label: `${ship.name} (${run})`, x: ship.x[k], y: ship.y[k], heading: headingOf(ship, k), kind: "contact", ink, type, length, stale: false, beside: true };
}

function headingOf(ship, at) {
  const from = Math.max(0, at - 1);
  const to = Math.min(ship.t.length - 1, from + 1);
  return (Math.atan2(ship.x[to] - ship.x[from], ship.y[to] - ship.y[from]) * 180) / Math.PI;
}

function told(page, other) {
  const { first } = other;
  const parts = [make("h3", { text: `Against ${other.title}` })];
  if (first) {
    const side = (variable, value) => (variable ? `${variable} = ${show(value)}` : "nothing");
    const words = `First difference at ${clock(first.t, 3)} s: ${first.community}: ${side(first.here_variable, first.here)} here, ${side(first.there_variable, first.there)} there.`;
    parts.push(make("p", { id: "first-difference", text: words, data: { t: first.t } }));
    if (page.picture.replay) parts.push(make("div.row", {}, make("button", { type: "button", text: "Go there", on: { click: () => page.do("seek", { t: first.t }) } })));
  } else parts.push(make("p", { id: "first-difference", text: "No difference: the two are equal." }));
  parts.push(make("table", { aria: { label: "Distances" } }, make("thead", {}, make("tr", {}, make("th", { text: "Vessel", scope: "col" }), make("th.num", { text: "now", scope: "col" }), make("th.num", { text: "most", scope: "col" }))), make("tbody.distances")));
  parts.push(...met(other).map((ship) => curve(ship, page)));
  return parts;
}

const show = (value) => (value === null || value === undefined ? "nothing" : String(value).slice(0, 60));

function distances(box, { memory, picture }) {
  const body = box.querySelector(".distances");
  if (!body) return;
  keyed(body, met(memory.other), (ship) => ship.name, () => make("tr", {}, make("td"), make("td.num"), make("td.num")), (node, ship) => {
    const at = indexAt(ship.t, picture.t);
    say(node.children[0], ship.name);
    say(node.children[1], at < 0 ? "–" : `${fixed(ship.distance[at] ?? NaN, 2)} m`);
    say(node.children[2], `${fixed(most(ship.distance), 2)} m`);
  });
  for (const canvas of box.querySelectorAll("canvas.curve")) canvas.repaint();
}

/** The vessels of another run that are in this one, too. */
const met = (other) => other.vessels.filter(({ distance }) => distance.some(Number.isFinite));

const most = (values) => values.reduce((best, value) => (value > best ? value : best), 0);

function curve(ship, page) {
  const canvas = make("canvas.curve", { role: "img", aria: { label: `Distance between the two of ${ship.name} over time` } });
  canvas.repaint = () => paintCurve(canvas, ship, page.picture.t);
  canvas.addEventListener("click", (event) => {
    if (page.picture.replay) page.do("seek", { t: ship.t[0] + (event.offsetX / canvas.clientWidth) * (ship.t.at(-1) - ship.t[0]) });
  });
  requestAnimationFrame(canvas.repaint);
  return make("figure", {}, make("figcaption.quiet", { text: `${ship.name}: distance, m` }), canvas);
}

function paintCurve(canvas, ship, now) {
  const look = draw.palette();
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  if (!wide || !ship.t.length) return;
  const ctx = sized(canvas, wide, high);
  const [first, last] = [ship.t[0], ship.t.at(-1)];
  const top = most(ship.distance) || 1;
  const column = (t) => ((t - first) / Math.max(1e-9, last - first)) * wide;
  ctx.strokeStyle = look.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ship.t.forEach((t, k) => Number.isFinite(ship.distance[k]) && ctx.lineTo(column(t), high - 4 - (ship.distance[k] / top) * (high - 18)));
  ctx.stroke();
  ctx.fillStyle = look.cursor;
  ctx.fillRect(column(now), 0, 1, high);
  draw.words(ctx, look, `${fixed(top, 2)} m`, 3, 8, { color: look.soft, font: `10px ${look.mono}` });
}
