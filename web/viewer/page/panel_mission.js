// Mission panel: the mission's buttons, actions and scopes; posting, resetting, stopping, driving by hand.

import { hint, keyed, make, say, tell } from "./dom.js";

export default function mission(box, page) {
  const { picture } = page;
  const blocks = picture.hello.viewer ?? [];
  if (!picture.can("post")) box.append(make("p.empty", { text: picture.hello.read_only ? "This viewer was started with --read-only: it watches." : "This run takes no posts." }));
  const buttons = blocks.filter((block) => block.buttons.length || block.actions.length);
  for (const block of buttons) box.append(...pressing(page, block, blocks.length > 1));
  if (!buttons.length) box.append(hint("The mission has no buttons. A line in a block ProcessConfig = pMarineViewer of its file makes one:", "button_one = DEPLOY # DEPLOY=true"));
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
  picture.addEventListener("values", show);
  show();
  return { box, close: () => { page.watch("scopes", []); picture.removeEventListener("values", show); } };
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
