// What takes long: asked for, shown while it goes on, cancelled.

import { make, say } from "./dom.js";
import { ask } from "./session.js";

const LOOK = 700; // ms between two looks how far it is

/**
 * Have a job done for the draft.
 * @returns {Promise<object|null>} {revision, result}; null when it failed, which box says
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
