// Artificial horizon of the selected vessel, shown instead of the 3-D view without WebGL.

import { compass, fixed, line, make, sized } from "./dom.js";
import { palette, words } from "./draw.js";

export default function horizon(box, page) {
  const canvas = make("canvas", { role: "img", aria: { label: "Artificial horizon of the selected vessel" } });
  const close = make("div.tools.scene-tools", {}, make("button", { type: "button", text: "×", aria: { label: "Close the view" }, on: { click: () => page.three(false) } }));
  box.append(canvas, make("p.notice", { text: "This browser offers no WebGL: an artificial horizon instead of the 3-D view." }), close);
  return { draw: () => paint(canvas, page.picture.chosen) };
}

function paint(canvas, ship) {
  const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
  if (!wide || !high) return;
  const look = palette();
  const ctx = sized(canvas, wide, high);
  const or0 = (value) => (Number.isFinite(value) ? value : 0);
  const [roll, pitch] = [or0(ship?.roll), or0(ship?.pitch)];
  const reach = Math.min(wide, high) / 2.6;
  const degree = reach / 30;
  ctx.translate(wide / 2, high / 2);
  ctx.save();
  ctx.beginPath();
  ctx.arc(0, 0, reach, 0, 2 * Math.PI);
  ctx.clip();
  // Starboard down makes the horizon turn to port; bow up makes it sink.
  ctx.rotate(-roll);
  ctx.translate(0, ((pitch * 180) / Math.PI) * degree);
  ctx.fillStyle = look.dark ? "#2d5f80" : "#a8d0e6";
  ctx.fillRect(-4 * reach, -8 * reach, 8 * reach, 8 * reach);
  ctx.fillStyle = look.dark ? "#12303f" : "#4f87a0";
  ctx.fillRect(-4 * reach, 0, 8 * reach, 8 * reach);
  ladder(ctx, look, degree);
  ctx.restore();
  ctx.strokeStyle = look.brass;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.moveTo(-0.5 * reach, 0);
  ctx.lineTo(-0.15 * reach, 0);
  ctx.lineTo(0, 0.1 * reach);
  ctx.lineTo(0.15 * reach, 0);
  ctx.lineTo(0.5 * reach, 0);
  ctx.stroke();
  const text = ship ? `${ship.name}  heading ${compass(ship.heading)}  roll ${fixed((roll * 180) / Math.PI)}°  pitch ${fixed((pitch * 180) / Math.PI)}°  depth ${fixed(or0(ship.depth))} m` : "no vessel";
  words(ctx, look, text, 0, reach + 22, { align: "center", font: `13px ${look.mono}` });
}

function ladder(ctx, look, degree) {
  ctx.strokeStyle = look.ink;
  ctx.lineWidth = 1;
  for (let angle = -40; angle <= 40; angle += 10) {
    const half = angle ? 34 : 400;
    line(ctx, -half, -angle * degree, half, -angle * degree);
    if (angle) words(ctx, look, `${Math.abs(angle)}`, half + 14, -angle * degree, { font: `11px ${look.mono}` });
  }
}
