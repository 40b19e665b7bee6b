// Help dialog of a page: its keys, and the meaning of its symbols.

import { make } from "./dom.js";

/** Make the dialog of keys, as rows [keys, action], and a text about symbols, with a legend. */
export function helpDialog(keys, signs, legend = null) {
  const list = make("dl.keys");
  for (const [pressed, what] of keys) {
    const term = make("dt");
    for (const key of pressed.split(" ")) term.append(make("kbd", { text: key }), " ");
    list.append(term, make("dd", { text: what }));
  }
  const close = make("button.primary", { type: "button", text: "Close", on: { click: () => dialog.close() } });
  const dialog = make("dialog", { aria: { label: "Keys and signs" } },
    make("h2", { text: "Keys" }), list,
    make("h2", { text: "Signs" }), legend, make("p", { text: signs }),
    close);
  document.body.append(dialog);
  return { open: () => dialog.open || dialog.showModal() };
}
