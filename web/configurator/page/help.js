// Help of the configurator: keys, and the meaning of arrows in the view.

import { helpDialog } from "./help_dialog.js";

const KEYS = [
  ["Ctrl Z", "undo; with Shift, or Ctrl Y: redo"],
  ["Ctrl S", "save"],
  ["Tab", "from field to field; in the view from part to part"],
  ["G R", "in the view: move, turn the selected part"],
  ["Arrows", "in the view: move the selected part by a step along x and y; Page up, down: z"],
  ["Esc", "clear the selection; end placing"],
  ["W T B", "in the view: wireframe, transparent, box with dimensions"],
  ["F", "in the view: show everything"],
  ["?", "this help"],
];

const SIGNS = "Axes are the drawing's: x forward (red), y to starboard (green), z down (blue). An arrow of a thruster shows where it pushes the vessel; of a surface, its chord and its span. Angles are roll, pitch and yaw, turned about z, then y, then x; files have radians. All of this is described in docs/configurator.md.";

export default function help() {
  return helpDialog(KEYS, SIGNS);
}
