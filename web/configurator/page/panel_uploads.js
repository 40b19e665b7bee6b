// Uploads panel: files without a form, as polars, HydRA's results, meshes, missions.

import { download, fill, hearing, make } from "./dom.js";
import { chooser, listed, question } from "./dialogs.js";
import { ask } from "./session.js";

export default function uploads(box, page) {
  const { studio } = page;
  const file = chooser({ multiple: true, aria: { label: "Files to add" } }, (files) => take(page, files));
  const zip = chooser({ accept: ".zip", id: "hydra-file", aria: { label: "HydRA's zip" } }, ([given]) => page.try(() => studio.hydra(given.name, given)));
  const build = () => {
    const can = !page.home.read_only;
    const rows = Object.entries(studio.state.files).filter(([name]) => !/\.ya?ml$/.test(name)).map(([name, about]) => {
      const size = about.bytes ?? about.text.length;
      return make("li", {}, make("span.what", {}, make("b", { text: name }), make("small", { text: `${size} bytes` })),
        make("button", { type: "button", text: "Get", aria: { label: `Get ${name}` }, on: { click: () => get(page, name) } }),
        can ? make("button.danger", { type: "button", text: "Remove", aria: { label: `Remove ${name}` }, on: { click: () => page.try(() => studio.drop(name)) } }) : null);
    });
    fill(box,
      make("p", { text: "Files that the forms name: polars of foils (alpha,cl,cd), open-water curves (J,KT), resistance, HydRA's and WAMIT's results. A hull's mesh is better added in Hull, which asks for its unit and axes." }),
      can ? make("p.row", {}, make("button", { type: "button", text: "Add files", on: { click: () => file.click() } }), file,
        make("button", { type: "button", text: "Add HydRA's zip", on: { click: () => zip.click() } }), zip) : null,
      make("p.row", {}, make("button", { type: "button", text: "Get _config.json", title: "For Panisim's configurator", on: { click: () => page.try(() => config(page)) } })),
      make("ul.cards", { aria: { label: "Files" } }, ...rows));
  };
  build();
  return { close: hearing([studio, "state", build]) };
}

async function take(page, files) {
  for (const file of files) {
    if (file.name in page.studio.state.files) {
      const sure = await question(`Replace ${file.name}?`, ["There is a file of that name."], [["Keep the old one", null], ["Replace", true, "primary"]]);
      if (!sure) continue;
    }
    await page.try(() => page.studio.put(file.name, file));
  }
}

/** Export the vessel in the format of Panisim's configurator, and show what is left out. */
async function config(page) {
  const { name, text, remarks } = await ask(`${page.studio.base}/config`);
  download(name, new Blob([text], { type: "application/json" }));
  if (remarks.length) await question(name, ["Left out, or not read by Panisim; Export has everything:", listed(remarks)], [["Close", null, "primary"]]);
}

async function get(page, name) {
  const answer = await fetch(`${page.studio.base}/file?name=${encodeURIComponent(name)}`);
  if (answer.ok) download(name.split("/").at(-1), await answer.blob());
}
