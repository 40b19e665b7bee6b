// The help of a page: its keys, and what its signs mean.

import { make } from "./dom.js";

/** Make the dialog of keys, each a row of keys and what they do, and of a text about signs. */
export function helpDialog(keys, signs) {
  const list = make("dl.keys");
  for (const [pressed, what] of keys) {
    const term = make("dt");
    for (const key of pressed.split(" ")) term.append(make("kbd", { text: key }), " ");
    list.append(term, make("dd", { text: what }));
  }
  const close = make("button.primary", { type: "button", text: "Close", on: { click: () => dialog.close() } });
  const dialog = make("dialog", { aria: { label: "Keys and signs" } },
    make("h2", { text: "Keys" }), list,
    make("h2", { text: "Signs" }), make("p", { text: signs }),
    close);
  document.body.append(dialog);
  return { open: () => dialog.open || dialog.showModal() };
}
