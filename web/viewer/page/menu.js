// Context menu of the map: mouse contexts of the mission's pMarineViewer block, and map tools.

import { byId, compass, fixed, make, tell } from "./dom.js";

export default function menu(page) {
  let box = null;
  const close = () => {
    box?.remove();
    box = null;
  };
  document.addEventListener("pointerdown", (event) => box && !box.contains(event.target) && close());
  return { open: (detail) => { close(); box = build(page, detail, close); }, close };
}

function build(page, detail, close) {
  const { side, x, y, vessel } = detail;
  const box = make("div.menu", { role: "menu", aria: { label: `Menu at ${fixed(x)}, ${fixed(y)}` } });
  box.append(make("p", { text: `x ${fixed(x)}  y ${fixed(y)} m${vessel ? `, ${vessel}` : ""}` }));
  const item = (text, act) => box.append(make("button", { type: "button", role: "menuitem", text, on: { click: () => { close(); act(); } } }));
  if (page.picture.can("click")) {
    for (const from of side === "right" ? ["right", "left"] : ["left"]) {
      for (const { community, context } of page.plan.contexts(from)) {
        item(`Post: ${context}${from === side ? "" : " (left)"}`, () => post(page, { community, side: from, context, x, y, vname: vessel || "" }));
      }
    }
  }
  if (side === "right") more(page, detail, item);
  keys(box, close);
  place(box, detail);
  box.querySelector("button")?.focus();
  return box;
}

async function post(page, fields) {
  const result = await page.do("click", fields);
  if (result !== undefined) tell(`Posted: ${[result?.posted ?? result].flat().map(words).join("; ")}`);
}

const words = (entry) => (typeof entry === "string" ? entry : Array.isArray(entry) ? entry.join(" = ") : `${entry.name} = ${entry.value}`);

function more(page, { x, y, vessel }, item) {
  const { plan, picture } = page;
  item("Centre here", () => plan.look_at(x, y));
  item("Measure from here", () => {
    plan.measure(true);
    plan.line = [[x, y], [x, y]];
  });
  const chosen = picture.chosen;
  if (chosen && Number.isFinite(chosen.x)) {
    const [dx, dy] = [x - chosen.x, y - chosen.y];
    item(`${fixed(Math.hypot(dx, dy))} m, ${compass((Math.atan2(dx, dy) * 180) / Math.PI)} from ${chosen.name}`, () => {
      plan.line = [[chosen.x, chosen.y], [x, y]];
      plan.refresh();
    });
  }
  if (vessel) item(`Follow ${vessel}`, () => { picture.select(vessel); plan.follow(true); });
}

function keys(box, close) {
  box.addEventListener("keydown", (event) => {
    const all = [...box.querySelectorAll("button")];
    const at = all.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) all[(at + step + all.length) % all.length].focus();
    else if (event.key === "Escape") {
      close();
      byId("map").focus();
    } else return;
    event.preventDefault();
  });
}

function place(box, { column, row }) {
  const view = byId("plan");
  view.append(box);
  box.style.left = `${Math.max(4, Math.min(column, view.clientWidth - box.offsetWidth - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(row, view.clientHeight - box.offsetHeight - 4))}px`;
}
