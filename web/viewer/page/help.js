// Help of the viewer: keys, and a legend of the map's symbols.

import { make } from "./dom.js";
import { palette, vessel } from "./draw.js";
import { helpDialog } from "./help_dialog.js";
import { KEYS } from "./keys.js";

const SIGNS = "A click on a vessel selects it. A click on the water posts nothing by itself: it opens the mission's menu, if there is one. All of this is described in docs/viewer.md.";
const SIDE = 26; // of a symbol [px]

/** Symbols and their meaning; each is drawn by the map's own functions. */
const LEGEND = [
  [(ctx, look, camera) => ship(ctx, look, camera, { kind: "own" }), "a vessel that is observed directly"],
  [(ctx, look, camera) => ship(ctx, look, camera, { kind: "contact" }), "a vessel known from reports only"],
  [(ctx, look, camera) => ship(ctx, look, camera, { kind: "own", stale: true }), "no report for 30 s"],
  [(ctx, look) => line(ctx, look.accent, 0.75), "the track so far"],
  [(ctx, look) => line(ctx, look.accent, 0.25), "of a log, the track to come"],
  [(ctx, look) => tick(ctx, look.soft), "on the time line: a change of mode or of active behaviors"],
  [(ctx, look) => tick(ctx, look.accent), "a button or a post by hand"],
  [(ctx, look) => tick(ctx, look.brass), "a warning, an alert or a near miss"],
  [(ctx, look) => tick(ctx, look.wrong), "an error, a refused post or a collision"],
];

const ship = (ctx, look, camera, about) => vessel(ctx, camera, look, { x: 0, y: 0, heading: 40, ink: look.accent, stale: false, ...about });

function line(ctx, ink, opacity) {
  ctx.globalAlpha = opacity;
  ctx.strokeStyle = ink;
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.moveTo(3, SIDE - 6);
  ctx.quadraticCurveTo(SIDE / 2, 2, SIDE - 3, SIDE / 2);
  ctx.stroke();
}

function tick(ctx, ink) {
  ctx.fillStyle = ink;
  ctx.fillRect(SIDE / 2 - 1, 6, 2, SIDE - 12);
}

function legend() {
  const camera = { column: () => SIDE / 2, row: () => SIDE / 2, width: SIDE, height: SIDE, scale: 1 };
  const rows = LEGEND.map(([paint, text]) => {
    const canvas = make("canvas", { width: SIDE * devicePixelRatio, height: SIDE * devicePixelRatio, aria: { hidden: "true" } });
    return { canvas, paint, node: make("li", {}, canvas, text) };
  });
  const show = () => {
    for (const { canvas, paint } of rows) {
      const ctx = canvas.getContext("2d");
      ctx.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      ctx.clearRect(0, 0, SIDE, SIDE);
      ctx.save();
      paint(ctx, palette(), camera);
      ctx.restore();
    }
  };
  return { box: make("ul.legend", {}, ...rows.map(({ node }) => node)), show };
}

export default function help() {
  const symbols = legend();
  const dialog = helpDialog(KEYS, SIGNS, symbols.box);
  return { open: () => { symbols.show(); dialog.open(); } };
}
