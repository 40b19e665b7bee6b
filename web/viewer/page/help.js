// Help of the viewer: keys, and the meaning of symbols on the map.

import { helpDialog } from "./help_dialog.js";
import { KEYS } from "./keys.js";

const SIGNS = "A filled vessel is observed directly; an outline is known from reports only; dashed: no report for 30 s. A click on a vessel selects it. A click on the water posts nothing by itself: it opens the mission's menu, if there is one.";

export default function help() {
  return helpDialog(KEYS, SIGNS);
}
