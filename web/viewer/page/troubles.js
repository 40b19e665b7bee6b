// Drawings that cannot be shown, or of which there are too many: a notice on the map, texts for the panel.

import { byId, say } from "./dom.js";

/** A sentence about each drawing or report that is not shown. */
export function troublesOf({ troubles, unpainted }) {
  const thinned = troubles.thinned.map((community) => `${community}: only the latest ${troubles.most} drawings are shown`);
  return [...thinned, ...troubles.rows.map(([text, count]) => (count > 1 ? `${text} (${count} times)` : text)), ...unpainted.values()];
}

/** Keep the notice on the map up to date; it opens the panel that lists them. */
export default function notice(page) {
  const { picture } = page;
  const box = byId("troubles");
  box.onclick = () => page.open("chart");
  const show = () => {
    const { troubles, unpainted } = picture;
    const count = troubles.count + unpainted.size;
    const words = [count && `${count} drawing${count > 1 ? "s are" : " is"} not shown`, troubles.thinned.length && "only the latest drawings are shown"].filter(Boolean);
    box.hidden = !words.length;
    say(box, words.join("; "));
  };
  for (const kind of ["troubles", "picture", "hello"]) picture.addEventListener(kind, show);
  return { show };
}
