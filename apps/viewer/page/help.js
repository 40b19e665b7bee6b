// The help: keys, and what the signs on the map mean.

import { make } from "./dom.js";
import { KEYS } from "./keys.js";

export default function help() {
  const list = make("dl.keys");
  for (const [keys, what] of KEYS) {
    const term = make("dt");
    for (const key of keys.split(" ")) term.append(make("kbd", { text: key }), " ");
    list.append(term, make("dd", { text: what }));
  }
  const close = make("button.primary", { type: "button", text: "Close", on: { click: () => dialog.close() } });
  const dialog = make("dialog", { aria: { label: "Keys and signs" } },
    make("h2", { text: "Keys" }), list,
    make("h2", { text: "Signs" }),
    make("p", { text: "A filled vessel is observed itself; an outline is known from reports only; dashed: no report for 30 s. A click on a vessel chooses it. A click on the water posts nothing by itself: it opens the mission's menu, if there is one." }),
    close);
  document.body.append(dialog);
  return { open: () => dialog.open || dialog.showModal() };
}
