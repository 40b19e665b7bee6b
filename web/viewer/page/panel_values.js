// Values panel: variables and their last values, as in uXMS: filtered, watched, dragged to a plot.

import { clock, every, keyed, make, say } from "./dom.js";
import { valueWords } from "./panel_mission.js";

const MOST = 400; // rows that are shown
const LONGEST = 160; // characters of a value that are shown
const EVERY = 500; // ms
const byName = new Intl.Collator("en", { numeric: true }); // V2 before V10

export default function values(box, page) {
  const { picture } = page;
  const filter = make("input", { type: "search", value: page.memory.filter ?? "", placeholder: "NAV_*  or part of a name", aria: { label: "Filter variables" }, spellcheck: false });
  const body = make("tbody");
  const count = make("p.quiet");
  const head = make("tr", {}, ...["Variable, when, from", "Value"].map((text) => make("th", { text, scope: "col" })));
  box.append(make("div.row", {}, filter), make("p.quiet", { text: "Drag a number to a plot, or press Enter on it." }), make("table.fixed", { aria: { label: "Variables" } }, make("thead", {}, head), body), count);
  const several = picture.hello.communities.length > 1;
  const show = () => {
    const fits = matcher(filter.value);
    const rows = [...picture.values.values()].filter((entry) => fits(`${entry.community}:${entry.name}`, entry.name)).sort((a, b) => byName.compare(a.name, b.name) || byName.compare(a.community, b.community));
    keyed(body, rows.slice(0, MOST), (entry) => `${entry.community}:${entry.name}`, (entry) => row(page, entry), (node, entry) => fill(node, entry, several, picture.t));
    say(count, rows.length > MOST ? `${MOST} of ${rows.length} variables are shown; filter for the rest.` : `${rows.length} variables`);
  };
  filter.oninput = () => {
    page.memory.filter = filter.value;
    show();
  };
  page.watch("values", ["*"]);
  const end = every(EVERY, show);
  return { close: () => { end(); page.watch("values", []); } };
}

function matcher(text) {
  const word = text.trim().toLowerCase();
  if (!word) return () => true;
  if (!word.includes("*")) return (full) => full.toLowerCase().includes(word);
  const pattern = new RegExp(`^${word.split("*").map((part) => part.replace(/[^\w:]/g, "\\$&")).join(".*")}$`);
  return (full, name) => pattern.test(name.toLowerCase()) || pattern.test(full.toLowerCase());
}

function row(page, entry) {
  const full = `${entry.community}:${entry.name}`;
  const numeric = typeof entry.value === "number";
  const node = make("tr", { title: full }, make("td.variable", {}, make("span"), make("small.quiet")), make("td.value"));
  if (!numeric) return node;
  node.tabIndex = 0;
  node.draggable = true;
  node.classList.add("drag");
  node.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", full);
    event.dataTransfer.effectAllowed = "copy";
    page.plots(true);
  });
  node.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    await page.plots(true);
    (await page.part("plots")).add(full);
  });
  return node;
}

function fill(node, entry, several, now) {
  const [about, value] = node.children;
  const [name, origin] = about.children;
  say(name, several ? `${entry.community}:${entry.name}` : entry.name);
  const text = valueWords(entry.value);
  say(value, text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  if (text.length > LONGEST) value.title = text;
  say(origin, `${clock(entry.t)} ${entry.source ?? ""}`);
  node.classList.toggle("fresh", now - entry.t < 1);
}
