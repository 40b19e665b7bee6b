// Appcasts panel: the report of a selected app, requested once a second while it is shown.

import { every, make, say } from "./dom.js";

const EVERY = 1000;

export default function casts(box, page) {
  const { picture } = page;
  const apps = Object.entries(picture.hello.apps ?? {}).flatMap(([community, names]) => names.map((app) => ({ community, app })));
  const choice = make("select", { aria: { label: "App" } }, ...apps.map(({ community, app }, k) =>
    make("option", { value: k, text: picture.hello.communities.length > 1 ? `${community}: ${app}` : app })));
  const text = make("pre.cast", { tabIndex: 0, aria: { label: "Appcast" }, text: "…" });
  const note = make("p.quiet");
  box.append(make("div.row", {}, choice), note, text);
  if (!apps.length) {
    say(text, "No apps are known.");
    return null;
  }
  choice.value = String(Math.min(page.memory.cast ?? preferred(apps), apps.length - 1));
  let asking = false;
  const show = async () => {
    if (asking || !page.wire.open) return;
    asking = true;
    const { community, app } = apps[choice.value];
    try {
      const result = await page.wire.do("appcast", { community, app });
      if (result.working !== undefined) say(note, `${app} runs again on the log's mail: ${Math.round(100 * result.working)} %`);
      else {
        say(note, result.recomputed ? `Made by ${app} from the log's mail, as it was at the time cursor.` : "");
        say(text, result.lines.length ? result.lines.join("\n") : `${app} reports nothing.`);
      }
    } catch (error) {
      say(note, "");
      say(text, error.message);
    }
    asking = false;
  };
  choice.onchange = () => {
    page.memory.cast = Number(choice.value);
    show();
  };
  return { close: every(EVERY, show) };
}

const preferred = (apps) => Math.max(0, apps.findIndex(({ app }) => /helm/i.test(app)));
