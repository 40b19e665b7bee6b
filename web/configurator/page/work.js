// Long jobs on the server (estimates, trials, gains): start, progress, cancel.

import { make, say } from "./dom.js";
import { ask } from "./session.js";

const LOOK = 700; // polling interval of the progress [ms]

/**
 * Run a job for the draft, showing its progress in a box.
 * @returns {Promise<object|null>} {revision, result}; null if it failed: the box shows the error
 */
export async function work(page, box, job) {
  const { studio } = page;
  const said = make("span", { text: "working …" });
  const stop = make("button", { type: "button", text: "Cancel", on: { click: () => ask("/api/cancel", {}) } });
  box.replaceChildren(make("p.row", { role: "status" }, said, stop));
  const timer = setInterval(async () => {
    const told = await ask("/api/work").catch(() => ({}));
    if (told.said) say(said, told.said);
  }, LOOK);
  try {
    const answer = await ask(`${studio.base}/work`, job);
    box.replaceChildren();
    return answer;
  } catch (error) {
    box.replaceChildren(make("p.mistake", { text: error.message.replaceAll(`${error.message.match(/\S*\/vessel\//)?.[0] ?? "\u0000"}`, "") }));
    return null;
  } finally {
    clearInterval(timer);
  }
}
