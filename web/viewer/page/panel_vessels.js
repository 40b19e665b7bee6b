// Vessels panel: table of all vessels, the map's contents as text, and details of the selected one.

import { compass, every, fixed, keyed, make, offered, say } from "./dom.js";

const EVERY = 200; // refresh interval [ms]
const MANY = 6; // vessels from which on they can be filtered

/** Columns: title, and what they are sorted by. */
const COLUMNS = [["Vessel", null], ["x m", "x"], ["y m", "y"], ["hdg", "heading"], ["m/s", "speed"], ["depth", "depth"]];
const byName = new Intl.Collator("en", { numeric: true }); // v2 before v10

export default function vessels(box, page) {
  const { picture } = page;
  const memory = (page.memory.vessels ??= { filter: "", group: "", column: 0, down: false });
  const { filters, show: showFilters } = filtering(picture, memory, () => show());
  // Rows of separate layout, as browsers lay out a whole table when one number changes. So it is not a
  // table element, and has ARIA roles instead.
  const head = make("tr", { role: "row" }, ...COLUMNS.map(([text], column) => make(column ? "th.num" : "th", { role: "columnheader" },
    make("button.sorter", { type: "button", text, title: `Sort by ${text}`, on: { click: () => sortBy(column) } }))));
  const body = make("tbody", { role: "rowgroup" });
  const table = make("table.roster", { role: "table", aria: { label: "Vessels" } }, make("thead", { role: "rowgroup" }, head), body);
  const about = make("div");
  const empty = make("p.empty", { text: "No vessel has reported yet. They appear automatically." });
  box.append(filters, table, empty, about);
  const sortBy = (column) => {
    memory.down = memory.column === column && !memory.down;
    memory.column = column;
    show();
  };
  const show = () => {
    empty.hidden = picture.vessels.length > 0;
    table.hidden = !empty.hidden;
    showFilters();
    [...head.children].forEach((cell, column) => cell.setAttribute("aria-sort", column !== memory.column ? "none" : memory.down ? "descending" : "ascending"));
    keyed(body, listed(picture.vessels, memory), (ship) => ship.name, (ship) => row(page, ship), (node, ship) => fill(node, ship, picture.selected));
    detail(about, picture.chosen, page);
  };
  return { close: every(EVERY, show) };
}

/** The vessels that a filter and a group leave, sorted. */
export function listed(ships, { filter, group, column, down }) {
  const word = filter.trim().toLowerCase();
  const left = ships.filter((ship) => (!word || `${ship.name} ${ship.type ?? ""}`.toLowerCase().includes(word)) && (!group || ship.group === group));
  const key = COLUMNS[column][1];
  const known = (ship) => (Number.isFinite(ship[key]) ? ship[key] : Infinity);
  const order = (a, b) => (key && known(a) - known(b)) || byName.compare(a.name, b.name);
  left.sort(down ? (a, b) => order(b, a) : order);
  return left;
}

/** Filter and group, where there are many vessels. */
function filtering(picture, memory, show) {
  const filter = make("input", { type: "search", value: memory.filter, placeholder: "Filter vessels", aria: { label: "Filter vessels" }, on: { input: () => { memory.filter = filter.value; show(); } } });
  const group = make("select", { aria: { label: "Group of vessels" }, on: { change: () => { memory.group = group.value; show(); } } });
  const filters = make("div.row", {}, filter, group);
  return { filters, show: () => {
    const groups = [...new Set(picture.vessels.map((ship) => ship.group).filter(Boolean))].sort(byName.compare);
    filters.hidden = picture.vessels.length < MANY && !memory.filter && !memory.group;
    group.hidden = !groups.length;
    memory.group = offered(group, "all groups", groups, memory.group);
  } };
}

function row(page, ship) {
  const swatch = make("span.swatch", { aria: { hidden: "true" } });
  const choose = () => page.picture.select(ship.name);
  return make("tr", {
    role: "row",
    tabIndex: 0,
    on: {
      click: choose,
      dblclick: () => page.plan.follow(true),
      keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), choose()),
    },
  }, make("td.name", { role: "cell", title: ship.name }, swatch, make("span")), ...Array.from({ length: 5 }, () => make("td.num", { role: "cell" })));
}

function fill(node, ship, selected) {
  const [name, x, y, heading, speed, depth] = node.children;
  say(name.lastChild, ship.name);
  const swatch = name.firstChild;
  swatch.style.background = ship.kind === "own" ? ship.ink : "transparent";
  swatch.style.border = `2px solid ${ship.ink}`;
  node.classList.toggle("stale", ship.stale);
  node.setAttribute("aria-selected", ship.name === selected);
  say(x, metres(ship.x));
  say(y, metres(ship.y));
  say(heading, compass(ship.heading));
  say(speed, fixed(ship.speed, 2));
  say(depth, fixed(ship.depth));
}

const metres = (length) => fixed(length, Math.abs(length) < 9999.9 ? 1 : 0);

function detail(box, ship, page) {
  if (!ship) {
    delete box.dataset.of;
    return box.replaceChildren();
  }
  if (box.dataset.of !== ship.name) {
    box.dataset.of = ship.name;
    const follow = make("button", { type: "button", text: "Follow", on: { click: () => { page.picture.select(ship.name); page.plan.follow(); } } });
    box.replaceChildren(make("h3", { text: ship.name }), make("dl.facts"), make("p.row", {}, follow));
  }
  const degrees = (angle) => `${fixed((angle * 180) / Math.PI)}°`;
  const helm = page.picture.helms.get(ship.community);
  const facts = {
    Type: ship.type || "not said",
    Known: ship.kind === "own" ? "observed directly" : "from reports",
    Group: ship.group,
    Size: ship.length ? `${fixed(ship.length)} m${ship.beam ? ` × ${fixed(ship.beam)} m` : ""}` : "",
    "Roll, pitch": Number.isFinite(ship.roll) ? `${degrees(ship.roll)}, ${degrees(ship.pitch)}` : "",
    "Last report": Number.isFinite(ship.age) ? `${fixed(ship.age)} s ago${ship.stale ? " (stale)" : ""}` : "",
    Helm: helm ? `${helm.state} ${helm.mode ?? ""}` : "",
  };
  keyed(box.querySelector("dl"), Object.entries(facts).filter(([, text]) => text).flatMap(([key, text]) => [["dt", key, key], ["dd", `${key} is`, text]]),
    ([, key]) => key, ([tag]) => make(tag), (node, [, , text]) => say(node, text));
}
