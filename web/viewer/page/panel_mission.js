// Mission panel: the mission's buttons, actions and scopes; posting, resetting, stopping, driving by hand.

import { hearing, hint, keyed, make, say, tell } from "./dom.js";
import { Grips } from "./grips.js";

const ORDERS = { deploy: "Deploy", return: "Return", stay: "Stay" };

export default function mission(box, page) {
  const { picture } = page;
  const blocks = picture.hello.viewer ?? [];
  if (!picture.can("post")) box.append(make("p.empty", { text: picture.hello.read_only ? "This viewer was started with --read-only: it watches." : "This run takes no posts." }));
  const buttons = blocks.filter((block) => block.buttons.length || block.actions.length);
  for (const block of buttons) box.append(...pressing(page, block, blocks.length > 1));
  if (!buttons.length) box.append(hint("The mission has no buttons. A line in a block ProcessConfig = pMarineViewer of its file makes one:", "button_one = DEPLOY # DEPLOY=true"));
  if (picture.can("order") && Object.keys(picture.hello.orders).length) box.append(ordering(page));
  if (picture.can("post") && picture.hello.movable.length) box.append(moving(page));
  const scope = scopes(page, blocks);
  box.append(scope.box, ...(picture.can("post") ? [poking(page)] : []));
  if (picture.can("drive")) byDriving(page, box);
  if (picture.can("run_until")) box.append(running(page));
  for (const block of blocks) for (const text of block.trouble ?? []) box.append(make("p.quiet", { text }));
  return { close: () => { scope.close(); page.parts.drive?.then((drive) => drive.left()); } };
}

function pressing(page, block, several) {
  const title = several ? `Mission: ${block.community}` : "Mission";
  const press = (menu, row) => make("button", {
    type: "button", text: row.label, title: row.posts.join("\n"), disabled: !page.picture.can("press"),
    on: { click: async () => {
      const done = await page.do("press", { community: block.community, menu, n: row.n });
      if (done !== undefined) tell(`${row.label}: ${row.posts.join(", ")}`);
    } },
  });
  const parts = [make("h3", { text: title })];
  const group = make("div.buttons", { role: "group", aria: { label: title } });
  for (const row of block.buttons) {
    const button = press("button", row);
    if (row.color) button.style.borderLeft = `5px solid ${row.color}`;
    group.append(button);
  }
  parts.push(group);
  if (block.actions.length) parts.push(make("h3", { text: "Actions" }), make("div.stack", {}, ...block.actions.map((row) => press("action", row))));
  return parts;
}

/** Orders to a vessel, a group or all. */
function ordering(page) {
  const { picture } = page;
  const { orders } = picture.hello;
  const groups = [...new Set(picture.vessels.map((ship) => ship.group).filter(Boolean))].sort();
  const names = Object.keys(orders).sort(new Intl.Collator("en", { numeric: true }).compare);
  const to = make("select", { aria: { label: "Vessels of the order" } },
    names.length > 1 ? make("option", { value: "all", text: `all ${names.length} vessels` }) : null,
    ...groups.map((name) => make("option", { value: `group ${name}`, text: `group ${name}` })),
    ...names.map((name) => make("option", { value: `one ${name}`, text: name })));
  if (names.includes(picture.selected)) to.value = `one ${picture.selected}`;
  const chosen = (order) => names.filter((name) => orders[name][order] && (to.value === "all" || to.value === `one ${name}` || to.value === `group ${picture.vessel(name)?.group}`));
  const buttons = Object.entries(ORDERS).map(([order, text]) => make("button", { type: "button", text, data: { order }, on: { click: async () => {
    const communities = chosen(order);
    if (await page.do("order", { order, communities })) tell(`${text}: ${communities.join(", ")}`);
  } } }));
  const show = () => buttons.forEach((button) => {
    const communities = chosen(button.dataset.order);
    button.disabled = !communities.length;
    button.title = communities.length ? orders[communities[0]][button.dataset.order].join("\n") : "The helm has no variable for this.";
  });
  to.addEventListener("change", show);
  show();
  return make("div", {}, make("h3", { text: "Orders" }), make("div.row", {}, to, ...buttons));
}

/** A switch for moving waypoints, polygons and stations on the map. */
function moving(page) {
  const { plan } = page;
  const button = make("button", { type: "button", text: "Move points on the map", aria: { pressed: plan.grips !== null }, on: { click: () => {
    plan.grips = plan.grips ? null : new Grips(page);
    button.setAttribute("aria-pressed", plan.grips !== null);
    plan.refresh();
  } } });
  return make("div", {}, make("h3", { text: "Waypoints, polygons, stations" }), button,
    make("p.quiet", { text: "Drag a square. The points are posted as the behavior's updates when it is dropped." }));
}

function scopes(page, blocks) {
  const { picture } = page;
  const clusters = blocks.flatMap((block) => (block.clusters ?? []).map((cluster) => ({ ...cluster, community: block.community })));
  const names = blocks.flatMap((block) => [...block.scopes, ...(block.clusters ?? []).flatMap((cluster) => cluster.vars)].map((name) => [block.community, name]));
  const box = make("div");
  if (!names.length) return { box, close: () => {} };
  const body = make("tbody");
  const title = clusters.length ? `Scopes: ${clusters.map((cluster) => cluster.key).join(", ")}` : "Scopes";
  box.append(make("h3", { text: title }), make("table", { aria: { label: "Scopes" } }, body));
  const patterns = [...new Set(names.map(([, name]) => name))];
  page.watch("scopes", patterns);
  const show = () => {
    const rows = [...picture.values.values()].filter((entry) => patterns.includes(entry.name));
    keyed(body, rows, (entry) => `${entry.community}:${entry.name}`,
      () => make("tr", {}, make("td"), make("td.value")),
      (node, entry) => {
        say(node.children[0], picture.hello.communities.length > 1 ? `${entry.community}: ${entry.name}` : entry.name);
        say(node.children[1], valueWords(entry.value));
      });
  };
  const end = hearing([picture, "values", show]);
  show();
  return { box, close: () => { page.watch("scopes", []); end(); } };
}

/** A value as text. */
export function valueWords(value) {
  if (typeof value === "number") return String(Number(value.toPrecision(10)));
  return typeof value === "object" && value ? `${value.bytes} bytes` : String(value);
}

function poking(page) {
  const { hello } = page.picture;
  const where = make("select", { aria: { label: "Community" } }, ...hello.communities.map((name) => make("option", { value: name, text: name })));
  where.hidden = hello.communities.length < 2;
  const name = make("input", { placeholder: "VARIABLE", aria: { label: "Variable" }, spellcheck: false, autocapitalize: "characters", required: true });
  const value = make("input", { placeholder: "value", aria: { label: "Value" }, spellcheck: false });
  const form = make("form.row", { on: { submit: async (event) => {
    event.preventDefault();
    const done = await page.do("post", { community: where.value, name: name.value.trim(), value: value.value });
    if (done !== undefined) tell(`Posted ${name.value.trim()} = ${value.value}`);
  } } }, where, name, value, make("button.primary", { type: "submit", text: "Post" }));
  return make("div", {}, make("h3", { text: "Poke" }), form, make("p.quiet", { text: "12 is a number, \"12\" a text." }));
}

function byDriving(page, box) {
  const place = make("div");
  box.append(place);
  page.part("drive").then((drive) => drive.show(place));
}

function running(page) {
  const until = make("input", { type: "number", min: 0, step: 1, placeholder: "seconds", aria: { label: "Run until, seconds" } });
  const form = make("form.row", { on: { submit: (event) => {
    event.preventDefault();
    if (until.value !== "") page.do("run_until", { time: Number(until.value) });
  } } }, until, make("button", { type: "submit", text: "Run until" }));
  const more = make("div.row");
  if (page.picture.can("case")) more.append(make("button", { type: "button", text: "New case", title: "Restart at time 0", on: { click: () => page.do("case", { seed: null }) } }));
  if (page.picture.can("stop")) more.append(ending(page));
  return make("div", {}, make("h3", { text: "Run" }), make("div.stack", {}, form, more));
}

function ending(page) {
  const end = make("button.danger", { type: "button", text: "End the run" });
  end.onclick = () => {
    if (end.dataset.sure) return page.do("stop");
    end.dataset.sure = "1";
    say(end, "Press again to end it");
    setTimeout(() => { delete end.dataset.sure; say(end, "End the run"); }, 4000);
    return undefined;
  };
  return end;
}
