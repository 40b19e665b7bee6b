// Charts: curves on a canvas with labelled axes.

import { roundLength } from "./camera.js";
import { line, make, sized, styled } from "./dom.js";

const INKS = ["--accent", "--brass", "--good", "--cursor", "--wrong"];
const MARGIN = { left: 52, right: 10, top: 10, bottom: 30 };

/**
 * A figure of curves.
 * @param {object} about {title, x, y: names of axes, equal: whether both have one scale}
 * @param {Array<{name: string, points: Array<[number, number]>, old: boolean}>} curves
 */
export function chart(about, curves) {
  const canvas = make(`canvas.chart${about.equal ? ".square" : ""}`, { role: "img", aria: { label: `${about.title}: ${curves.map((curve) => curve.name).join(", ")}` } });
  const legend = make("div.legend", {}, ...curves.map((curve, i) => {
    const line = make("i");
    line.style.background = styled(INKS[i % INKS.length]);
    return make("span", {}, line, curve.name);
  }));
  const figure = make("figure", {}, make("h3", { text: about.title }), canvas, curves.length > 1 ? legend : null);
  const paint = () => draw(canvas, about, curves);
  requestAnimationFrame(paint);
  new ResizeObserver(paint).observe(canvas);
  return figure;
}

function draw(canvas, about, curves) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (!width) return;
  const ctx = sized(canvas, width, height);
  const scale = fitted(curves, about.equal, width, height);
  if (!scale) return;
  axes(ctx, about, scale, width, height);
  curves.forEach((curve, i) => {
    ctx.strokeStyle = styled(INKS[i % INKS.length]);
    ctx.lineWidth = curve.old ? 1.2 : 2;
    ctx.setLineDash(curve.old ? [5, 4] : []);
    ctx.beginPath();
    curve.points.forEach(([x, y], k) => (k ? ctx.lineTo(scale.column(x), scale.row(y)) : ctx.moveTo(scale.column(x), scale.row(y))));
    ctx.stroke();
  });
  ctx.setLineDash([]);
}

function fitted(curves, equal, width, height) {
  const points = curves.flatMap((curve) => curve.points).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (!points.length) return null;
  const span = (k) => {
    const values = points.map((point) => point[k]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return high - low > 1e-12 ? [low, high] : [low - 0.5, high + 0.5];
  };
  let [[left, right], [bottom, top]] = [span(0), span(1)];
  const [wide, high] = [width - MARGIN.left - MARGIN.right, height - MARGIN.top - MARGIN.bottom];
  let [sx, sy] = [wide / (right - left), high / (1.08 * (top - bottom))];
  const middle = (top + bottom) / 2;
  if (equal) sx = sy = Math.min(sx, sy);
  bottom = middle - high / sy / 2;
  const centre = (left + right) / 2;
  left = centre - wide / sx / 2;
  return { left, bottom, sx, sy, wide, high, column: (x) => MARGIN.left + (x - left) * sx, row: (y) => MARGIN.top + high - (y - bottom) * sy };
}

function axes(ctx, about, scale, width, height) {
  ctx.font = "11px sans-serif";
  ctx.fillStyle = styled("--soft");
  ctx.strokeStyle = styled("--grid-strong");
  ctx.lineWidth = 1;
  const across = roundLength(70 / scale.sx);
  ctx.textAlign = "center";
  for (let i = Math.ceil(scale.left / across); i * across <= scale.left + scale.wide / scale.sx; i++) {
    line(ctx, scale.column(i * across), MARGIN.top, scale.column(i * across), MARGIN.top + scale.high);
    ctx.fillText(Number((i * across).toPrecision(6)), scale.column(i * across), height - 16);
  }
  const up = roundLength(34 / scale.sy);
  ctx.textAlign = "right";
  for (let i = Math.ceil(scale.bottom / up); i * up <= scale.bottom + scale.high / scale.sy; i++) {
    line(ctx, MARGIN.left, scale.row(i * up), width - MARGIN.right, scale.row(i * up));
    ctx.fillText(Number((i * up).toPrecision(6)), MARGIN.left - 5, scale.row(i * up) + 4);
  }
  ctx.fillText(about.x, width - MARGIN.right, height - 3);
  ctx.textAlign = "left";
  ctx.fillText(about.y, 4, 12);
}
