// A layout as a file: what the page's address contains, without source and time.

import { download, tell } from "./dom.js";

const LONGEST = 20_000; // characters

/** Save the present layout. */
export function saveFile(page) {
  const text = JSON.stringify({ "steerageway layout": page.layoutText() }, null, 1);
  download("layout.json", new Blob([text], { type: "application/json" }));
}

/** Apply the file that was chosen in an input. */
export async function readFile(page, input) {
  const [file] = input.files;
  input.value = ""; // else choosing the same file again gives no event
  let text;
  try {
    text = JSON.parse(await file.text())["steerageway layout"];
  } catch {
    text = null;
  }
  if (typeof text !== "string" || text.length > LONGEST) tell(`${file.name}: expected a layout that was saved here`, "wrong");
  else await page.apply(text);
}
