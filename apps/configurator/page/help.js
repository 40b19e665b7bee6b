// Keys, and what the arrows in the view mean.

import { make } from "./dom.js";

const KEYS = [
  ["Ctrl Z", "undo; with Shift, or Ctrl Y: do it again"],
  ["Ctrl S", "save"],
  ["Tab", "from field to field; in the view from part to part"],
  ["G R", "in the view: move, turn the chosen part"],
  ["Arrows", "in the view: move the chosen part by a step along x and y; Page up, down: z"],
  ["Esc", "choose nothing; end placing"],
  ["W T B", "in the view: wireframe, transparent, box with dimensions"],
  ["F", "in the view: show everything"],
  ["?", "this help"],
];

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
    make("p", { text: "Axes are the drawing's: x forward (red), y to starboard (green), z down (blue). An arrow of a thruster shows where it pushes the vessel; of a surface, its chord and its span. Angles are roll, pitch and yaw, turned about z, then y, then x; files have radians." }),
    close);
  document.body.append(dialog);
  return { open: () => dialog.open || dialog.showModal() };
}
