// Drawing of point clouds and tracks on the map.

import { line } from "./dom.js";
import { words } from "./draw.js";

const AHEAD = 10; // prediction time of a track's velocity line [s]
const LOW = 0; // height of the first colour, above the water [m]
const HIGH = 8; // height of the last colour [m]

/** Make a function that draws points [x, y, height, ...], coloured by height. */
export function cloudPainter(points) {
  return (ctx, camera) => {
    const size = camera.scale > 4 ? 3 : 2;
    for (let i = 0; i < points.length; i += 3) {
      const share = Math.min(1, Math.max(0, (points[i + 2] - LOW) / (HIGH - LOW)));
      ctx.fillStyle = `hsl(${210 - 210 * share} 90% 55%)`;
      ctx.fillRect(camera.column(points[i]) - size / 2, camera.row(points[i + 1]) - size / 2, size, size);
    }
  };
}

/** Make a function that draws tracks: boxes, velocity lines, and numbers. */
export function trackPainter(tracks) {
  return (ctx, camera, look) => {
    for (const track of tracks) {
      const color = track.moving ? "#e0559a" : look.soft;
      ctx.strokeStyle = color;
      ctx.lineWidth = 1.5;
      outline(ctx, camera, track);
      if (track.moving) line(ctx, camera.column(track.x), camera.row(track.y), camera.column(track.x + AHEAD * track.vx), camera.row(track.y + AHEAD * track.vy));
      words(ctx, look, String(track.id), camera.column(track.x) + 8, camera.row(track.y) - 8, { color, font: `11px ${look.sans}` });
    }
  };
}

/** Draw a track's box: angle from north, clockwise, of its longer side. */
function outline(ctx, camera, { x, y, length, breadth, angle }) {
  const turn = (angle * Math.PI) / 180;
  const [ax, ay] = [Math.sin(turn), Math.cos(turn)];
  const [u, v] = [Math.max(length, 0.5) / 2, Math.max(breadth, 0.5) / 2];
  ctx.beginPath();
  for (const [along, across] of [[u, v], [u, -v], [-u, -v], [-u, v]]) {
    ctx.lineTo(camera.column(x + along * ax + across * ay), camera.row(y + along * ay - across * ax));
  }
  ctx.closePath();
  ctx.stroke();
}
