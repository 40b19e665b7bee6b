// Saving, export, test run, and the list of diagnostics.

import { download, make, tell } from "./dom.js";
import { ask } from "./session.js";
import { askName, question } from "./dialogs.js";

export default function saving(page) {
  return {
    save: () => save(page),
    exported: () => exported(page),
    sail: () => sail(page),
    health: () => health(page),
  };
}

async function save(page) {
  const { studio } = page;
  let name = studio.state.name;
  if (!studio.state.origin) {
    name = await askName("Save the vessel", "Name", name, "Save", `It becomes a folder in ${page.home.root}.`);
    if (!name) return;
  }
  await attempt(page, name, false);
}

async function attempt(page, name, force) {
  const { studio } = page;
  try {
    const told = await ask(`${studio.base}/save`, { name, force });
    await studio.take(async () => told.state);
    tell(`Saved in ${told.folder}`);
  } catch (error) {
    if (error.status !== 409) return void tell(error.message, "wrong");
    const own = name === studio.state.name && studio.state.origin;
    const answers = [["Cancel", null], ["Save under another name", "copy"], ...(own ? [["Import their changes as an edit", "adopt"]] : []), ["Overwrite", "force", "danger"]];
    const choice = await question("The files on disk have changed", [error.message, own ? "Another user or program has changed them since they were read here." : "There are files of that name already."], answers);
    if (choice === "force") await attempt(page, name, true);
    if (choice === "adopt") await page.try(() => studio.take(() => ask(`${studio.base}/adopt`, { revision: studio.revision })));
    if (choice === "copy") {
      const other = await askName("Save under another name", "Name", `${name}_2`, "Save");
      if (other) await attempt(page, other, false);
    }
  }
}

async function exported(page) {
  const { studio } = page;
  const answer = await fetch(`${studio.base}/zip`);
  if (!answer.ok) return tell((await answer.json()).error, "wrong");
  download(`${studio.state.name}.zip`, await answer.blob());
  return tell("Exported; the zip was read back and is equal to the draft.");
}

async function sail(page) {
  const { studio } = page;
  if (studio.mistakes.length) {
    const go = await question("The vessel has errors", ["A vessel with errors cannot be run. Diagnostics of vessel check:", mistakes(page, () => {})], [["Close", null, "primary"]]);
    return go;
  }
  const warp = make("select", { aria: { label: "Warp" } }, ...[1, 2, 5, 10, 20, 50].map((one) => make("option", { value: one, text: `×${one}` })));
  warp.value = "10";
  const choice = await question("Sail it", ["Starts a mission with the vessel as it is now, and opens the viewer. Without a guidance.yml it follows a rectangular route.", make("label.row", {}, "at warp", warp)], [["Cancel", null], ["Start", () => warp.value, "primary"]]);
  if (!choice) return null;
  tell("Starting; the first time a model is compiled this takes up to a minute.");
  return page.try(async () => {
    const { address } = await ask(`${studio.base}/sail`, { warp: Number(choice) });
    page.memory.sailing = address;
    const link = make("a.button.primary", { href: address, target: "_blank", rel: "noopener", text: "Open the viewer" });
    const over = await question("The mission is running", ["The mission runs until its last waypoint, or until you end it.", link], [["Continue editing", null], ["End the mission", "end", "danger"]]);
    if (over === "end") await ask("/api/sail/end", {});
  });
}

async function health(page) {
  const { studio } = page;
  if (studio.failed) return void tell(studio.failed, "wrong");
  if (!studio.mistakes.length) {
    page.memory.asked = "doubts";
    return page.open("trials");
  }
  let close = null;
  const list = mistakes(page, () => close?.());
  const asked = question("Diagnostics", [list], [["Close", null, "primary"]]);
  close = () => document.querySelector("dialog[open]")?.close();
  return asked;
}

/** The diagnostics as a list; a click leads to the field. */
function mistakes(page, before) {
  return make("ul.mistakes", {}, ...page.studio.mistakes.map((one) => {
    const place = [one.file, one.line || null].filter(Boolean).join(":");
    const button = make("button", { type: "button" }, make("small", { text: place }), make("span", { text: `${one.key ? `${one.key}: ` : ""}${one.text}` }));
    button.onclick = async () => {
      before();
      page.layout.file = one.file || page.layout.file;
      page.memory.goto = one;
      await page.open("form");
    };
    return make("li", {}, button);
  }));
}
