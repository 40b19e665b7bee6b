// Keyboard shortcuts of the page, ignored while an input field has the focus.

import { byId } from "./dom.js";

/** Shortcuts: keys and text for the help, action, key values. */
export const KEYS = [
  ["Space", "pause or resume", (page, bar) => bar.play(), [" "]],
  [".", "one step", (page, bar) => bar.step(1), ["."]],
  ["- =", "slower, faster", (page, bar, key) => bar.faster(key === "-" ? -1 : 1), ["-", "="]],
  ["[ ]", "a second back, on (logs)", (page, bar, key) => page.picture.replay && bar.step(key === "[" ? -1 : 1), ["[", "]"]],
  ["< >", "a helm iteration back, on (logs)", (page, bar, key) => page.picture.replay && bar.step(key === "<" ? -1 : 1, "helm"), ["<", ">"]],
  ["f", "fit: show everything", (page) => page.plan.fit(), ["f"]],
  ["c", "follow the selected vessel; a pan shifts its place in the view", (page) => page.plan.follow(), ["c"]],
  ["n N", "select the next, the previous vessel", (page, bar, key) => next(page, key === "n" ? 1 : -1), ["n", "N"]],
  ["m", "measure (or drag with Shift)", (page) => page.plan.measure(), ["m"]],
  ["r", "range rings", (page) => page.plan.toggle("rings"), ["r"]],
  ["v", "velocity vectors", (page) => page.plan.toggle("vectors"), ["v"]],
  ["x", "closest points of approach", (page) => page.plan.toggle("cpa"), ["x"]],
  ["3", "3-D view", (page) => page.three(), ["3"]],
  ["p", "plots", (page) => page.plots(), ["p"]],
  ["d", "dark or light", () => byId("light").click(), ["d"]],
  ["Arrows, + _", "on the map: move, zoom; Enter: menu", null, []],
  ["W A S D", "while driving: thrust and rudder; Q stops", null, []],
  ["?", "this help", () => byId("help").click(), ["?"]],
];

export default function keys(page) {
  document.addEventListener("keydown", async (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog, [role=menu], .driving")) return;
    if (event.key === " " && event.target.closest("button, a, [tabindex='0'][role=row], tr")) return;
    const row = KEYS.find(([, , , all]) => all.includes(event.key));
    if (!row) return;
    event.preventDefault();
    const shown = page.picture.hello && byId("doors").hidden;
    if (shown || "?d".includes(event.key)) row[2](page, shown ? await page.part("transport") : null, event.key);
  });
}

function next(page, step) {
  const { vessels, selected } = page.picture;
  if (!vessels.length) return;
  const at = vessels.findIndex((ship) => ship.name === selected);
  page.picture.select(vessels[(at + step + vessels.length) % vessels.length].name);
}
