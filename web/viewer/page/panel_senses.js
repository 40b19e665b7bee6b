// Sensors panel: point clouds and tracks on the map, images of cameras and sonar in the panel.

import { clock, hint, keyed, make, say } from "./dom.js";
import { cloudPainter, trackPainter } from "./senses_paint.js";
import { ask } from "./session.js";

const EVERY = 250; // refresh interval of measurements [ms]
const LIST_EVERY = 3000; // refresh interval of the list [ms]
const PATTERNS = ["TRACKS", "LIDAR_*", "DEPTH_*", "RGB_*", "SEMANTIC_*", "INSTANCE_*", "SONAR_*"];

export default function senses(box, page) {
  const memory = (page.memory.senses ??= { off: new Set() });
  const list = make("div.stack");
  const none = hint("There are no measurements of a LiDAR, camera or sonar. A mission that has some:", "steerageway run harbour_lidar --view");
  const tracks = make("p.quiet");
  box.append(none, tracks, list);
  const painters = new Map();
  const paint = (ctx, camera, look) => painters.forEach((one) => one(ctx, camera, look));
  page.plan.background.push(paint);
  page.watch("senses", PATTERNS);
  let closed = false;
  let asked = -Infinity;
  let rows = [];

  const look = async () => {
    if (closed) return;
    const { picture } = page;
    const source = encodeURIComponent(page.layout.source);
    try {
      if (performance.now() - asked > LIST_EVERY) {
        asked = performance.now();
        rows = (await ask(`/api/source/${source}/senses?t=${picture.t}`)).senses;
      }
      none.hidden = rows.length > 0;
      keyed(list, rows, (row) => `${row.community}:${row.name}`, (row) => section(row, memory, painters, page), () => {});
      follow(page, painters, tracks);
      for (const node of list.children) await node.refresh(source, picture.t);
    } catch (error) {
      say(tracks, error.message);
    }
    if (!closed) {
      page.plan.refresh();
      setTimeout(look, EVERY);
    }
  };
  look();
  return {
    close: () => {
      closed = true;
      page.watch("senses", []);
      page.plan.background = page.plan.background.filter((one) => one !== paint);
      page.plan.refresh();
      for (const node of list.children) node.release();
    },
  };
}

/** Make the part of the panel that shows one sensor. */
function section(row, memory, painters, page) {
  const key = `${row.community}:${row.name}`;
  const lidar = row.kind === "lidar";
  const several = page.picture.hello.communities.length > 1;
  const on = make("input", { type: "checkbox", checked: !memory.off.has(key) });
  const about = make("small.quiet");
  const image = lidar ? null : make("img.sense", { alt: `${row.kind} image of ${row.name}` });
  const node = make("section", {}, make("label.row", {}, on, make("b", { text: several ? key : row.name }), make("span.grow"), about), image);
  let address = "";
  let last = NaN;
  on.onchange = () => {
    memory.off[on.checked ? "delete" : "add"](key);
    last = NaN;
    if (!on.checked) painters.delete(key);
  };
  node.release = () => address && URL.revokeObjectURL(address);
  node.refresh = async (source, t) => {
    if (image) image.hidden = !on.checked;
    if (!on.checked || t === last) return;
    last = t;
    const answer = await fetch(`/api/source/${source}/sense/${encodeURIComponent(row.community)}/${encodeURIComponent(row.name)}?t=${t}`);
    if (answer.status !== 200) {
      painters.delete(key);
      say(about, "nothing now");
      return;
    }
    if (lidar) {
      const points = new Float32Array(await answer.arrayBuffer());
      if (!on.checked) return; // switched off while it was loading
      painters.set(key, cloudPainter(points));
      say(about, `${points.length / 3} returns, ${clock(t)}`);
      return;
    }
    node.release();
    address = URL.createObjectURL(await answer.blob());
    image.src = address;
    say(about, clock(t));
  };
  return node;
}

/** Draw the latest tracks of each community; return their number. */
function follow(page, painters, words) {
  let count = 0;
  let moving = 0;
  for (const entry of page.picture.values.values()) {
    if (entry.name !== "TRACKS" || typeof entry.value !== "string") continue;
    const { tracks } = JSON.parse(entry.value);
    count += tracks.length;
    moving += tracks.filter((track) => track.moving).length;
    painters.set(`tracks ${entry.community}`, trackPainter(tracks));
  }
  say(words, count ? `${count} tracks, ${moving} of them move. Vessels on the plan are the truth beside them.` : "");
}
