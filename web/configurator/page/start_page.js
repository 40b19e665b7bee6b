// Start page of the configurator: drafts, folders, shipped vessels, uploads, a new vessel.

import { byId, fill, make, tell, whole } from "./dom.js";
import { ask } from "./session.js";
import { askName, chooser, listed, question } from "./dialogs.js";

export default function startPage(page) {
  return {
    show: async () => {
      document.title = "Steerageway configurator";
      page.home = (await page.try(() => ask("/api/home"))) ?? page.home;
      build(byId("doors"), page);
      byId("doors").scrollTop = 0;
    },
  };
}

function build(box, page) {
  const { home } = page;
  const can = !home.read_only;
  const drafts = home.drafts.map((one) => [one.name, one.origin || "not saved yet", "Go on", () => page.try(() => page.show(one.id)), `?draft=${encodeURIComponent(one.id)}`, can && ["Throw away", () => drop(page, one)]]);
  const folders = home.folders.map((one) => [one.name, one.path, can && "Open", () => open(page, { folder: one.path }), `?open=${encodeURIComponent(one.path)}`]);
  const templates = home.templates.map(({ name, about }) => [name, about || "without a word on its source", can && "Copy", () => open(page, { template: name }), `?open=${encodeURIComponent(name)}`]);
  const file = chooser({ accept: ".zip,.json", id: "zip-file", aria: { label: "Zip of a vessel, or Panisim's _config.json" } }, ([given]) => upload(page, given));
  fill(box,
    make("h1", { text: "Vessels" }),
    make("p.lead", { text: "A vessel is a folder of files. Everything you change here can be undone, and is kept until you save it." }),
    can ? make("p.row", {},
      make("button.primary", { type: "button", text: "New vessel", on: { click: () => blank(page) } }),
      make("button", { type: "button", text: "Open a zip or _config.json", on: { click: () => file.click() } }), file) : null,
    make("div.doors-grid", {},
      make("div", {}, section("Being edited", drafts, "Nothing yet: press New vessel, or copy a template."), section("Folders", folders, `None yet: Save puts vessels into ${home.root}.`)),
      make("div", {}, section("Templates, opened as copies", templates, "None."))));
}

function section(title, rows, none) {
  const list = make("ul.cards", { aria: { label: title } });
  for (const [name, about, verb, act, href, second] of rows) {
    const what = make("span.what", {}, make("b", { text: name }), make("small", { text: about, title: about }));
    const drop = second ? make("button.danger", { type: "button", text: second[0], aria: { label: `${second[0]} ${name}` }, on: { click: second[1] } }) : null;
    list.append(make("li", {}, what, verb ? whole(verb, name, act, href) : null, drop));
  }
  return make("section", {}, make("h2", { text: title }), rows.length ? list : make("p.empty", { text: none }));
}

const open = (page, what) => page.try(async () => page.show((await ask("/api/open", what)).id));

async function blank(page) {
  const name = await askName("New vessel", "Name", "my_vessel", "Begin");
  if (name) await open(page, { blank: name });
}

async function upload(page, file) {
  tell(`Reading ${file.name} …`);
  await page.try(async () => {
    const { id, remarks } = await ask(`/api/upload?name=${encodeURIComponent(file.name)}`, file);
    await page.show(id);
    if (remarks?.length) await question(`${file.name} was taken`, ["Changed or left out:", listed(remarks)], [["Close", null, "primary"]]);
  });
}

async function drop(page, draft) {
  const sure = await question(`Throw away ${draft.name}?`, ["What was not saved is lost; what was saved stays in its folder."], [["Keep it", null], ["Throw away", true, "danger"]]);
  if (!sure) return;
  await page.try(() => ask(`/api/draft/${draft.id}/drop`, {}));
  (await page.part("start_page")).show();
}
