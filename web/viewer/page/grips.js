// Grips on the map: the points of behaviors that take updates are dragged, and posted when they are dropped.

import { fixed, tell } from "./dom.js";

const NEAR = 14; // px

const keyOf = ({ community, behavior }) => `${community} ${behavior}`;

/** The grips of a live run, for `PlanView.grips`. */
export class Grips {
  constructor(page) {
    this.page = page;
    this.moved = new Map(); // key -> {points, from: the drawing that they replace}
    this.held = null;
  }

  /** The points of a behavior: those moved here, else those that the helm draws, else those of its file. */
  points(movable) {
    const { shapes } = this.page.picture;
    const drawn = [...shapes.values()].find(({ community, label, pts }) => pts?.length && community === movable.community && label === movable.label);
    const moved = this.moved.get(keyOf(movable));
    if (moved && (moved.from === drawn || this.held?.movable === movable)) return moved.points;
    const pts = drawn ? drawn.pts.map(([x, y]) => [x, y]) : movable.points;
    const again = pts.length > 1 && pts.length > movable.points.length && pts[0].join() === pts.at(-1).join(); // a route in a circle
    this.moved.set(keyOf(movable), { points: again ? pts.slice(0, -1) : [...pts], from: drawn });
    return this.moved.get(keyOf(movable)).points;
  }

  grab(column, row) {
    const { camera } = this.page.plan;
    let nearest = NEAR;
    this.held = null;
    for (const movable of this.page.picture.hello.movable) {
      this.points(movable).forEach(([x, y], at) => {
        const distance = Math.hypot(camera.column(x) - column, camera.row(y) - row);
        if (distance < nearest) [this.held, nearest] = [{ movable, at, before: [x, y] }, distance];
      });
    }
    return this.held !== null;
  }

  drag(point) {
    this.points(this.held.movable)[this.held.at] = point;
  }

  /** Post the points, or put the point back. */
  async drop(done) {
    const { movable, at, before } = this.held;
    const points = this.points(movable);
    this.held = null;
    const text = points.map((point) => point.map((length) => Number(length.toFixed(2))).join()).join(":");
    const posted = done && await this.page.do("post", { community: movable.community, name: movable.variable, value: `${movable.key} = ${text}` });
    if (posted) tell(`${movable.community}: ${movable.behavior}: point ${at + 1} at ${points[at].map((length) => fixed(length)).join(", ")}`);
    else points[at] = before;
    this.page.plan.refresh();
  }

  draw(ctx, camera, look) {
    for (const movable of this.page.picture.hello.movable) {
      const places = this.points(movable).map(([x, y]) => [camera.column(x), camera.row(y)]);
      ctx.strokeStyle = look.cursor;
      ctx.fillStyle = look.paper;
      ctx.lineWidth = 1.5;
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      for (const place of places) ctx.lineTo(...place);
      if (movable.closed) ctx.closePath();
      ctx.stroke();
      ctx.setLineDash([]);
      for (const [column, row] of places) {
        ctx.fillRect(column - 5, row - 5, 10, 10);
        ctx.strokeRect(column - 5, row - 5, 10, 10);
      }
    }
  }
}
