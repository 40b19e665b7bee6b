// Backgrounds of the map: GeoJSON and images with bounds, from the server or from a file that the
// user chooses. Nothing is fetched from other sites.

import { trying } from "./dom.js";
import { words } from "./draw.js";
import { plane } from "./geodesy.js";
import { answered } from "./session.js";

/** Make a function that paints a GeoJSON document, given the datum; throws if it is none. */
export function geojson(document, datum) {
  const project = plane(datum);
  const place = ([lon, lat]) => project(lat, lon);
  const features = document.type === "FeatureCollection" ? document.features : [document.type === "Feature" ? document : { geometry: document, properties: {} }];
  const parts = features.flatMap((feature) => simple(feature.geometry, place, feature.properties ?? {}));
  if (!parts.length) throw new Error("This file holds no GeoJSON points, lines or polygons.");
  return (ctx, camera, look) => parts.forEach((part) => paint(ctx, camera, look, part));
}

function simple(geometry, place, about) {
  if (!geometry) return [];
  const { type, coordinates } = geometry;
  const name = String(about.name ?? about.OBJNAM ?? "");
  switch (type) {
    case "Point": return [{ point: place(coordinates), name }];
    case "MultiPoint": return coordinates.map((one) => ({ point: place(one), name }));
    case "LineString": return [{ rings: [coordinates.map(place)], closed: false, name }];
    case "MultiLineString": return coordinates.map((one) => ({ rings: [one.map(place)], closed: false, name }));
    case "Polygon": return [{ rings: coordinates.map((ring) => ring.map(place)), closed: true, name }];
    case "MultiPolygon": return coordinates.map((one) => ({ rings: one.map((ring) => ring.map(place)), closed: true, name }));
    case "GeometryCollection": return geometry.geometries.flatMap((one) => simple(one, place, about));
    default: return [];
  }
}

function paint(ctx, camera, look, { point, rings, closed, name }) {
  if (point) {
    const [x, y] = [camera.column(point[0]), camera.row(point[1])];
    ctx.fillStyle = look.soft;
    ctx.fillRect(x - 2, y - 2, 4, 4);
    if (name) words(ctx, look, name, x + 6, y, { color: look.soft, font: `11px ${look.sans}` });
    return;
  }
  ctx.beginPath();
  for (const ring of rings) {
    ring.forEach(([x, y], k) => (k ? ctx.lineTo(camera.column(x), camera.row(y)) : ctx.moveTo(camera.column(x), camera.row(y))));
    if (closed) ctx.closePath();
  }
  if (closed) {
    ctx.fillStyle = look.dark ? "rgb(120 108 74 / 45%)" : "rgb(233 217 167 / 85%)";
    ctx.fill("evenodd");
  }
  ctx.lineWidth = 1;
  ctx.strokeStyle = look.dark ? "#8f8460" : "#8a7a45";
  ctx.stroke();
}

/** Make a function that paints a picture, given [x, y] of its upper left, upper right and lower left corner in metres. */
export async function picture(address, corners) {
  const answer = await answered(address, {}, "The background picture could not be read.");
  const image = await createImageBitmap(await answer.blob());
  return (ctx, camera, look) => {
    const [origin, along, down] = corners.map(([x, y]) => [camera.column(x), camera.row(y)]);
    const edge = (end, pixels) => end.map((value, k) => (value - origin[k]) / pixels);
    ctx.save();
    ctx.globalAlpha = look.dark ? 0.6 : 0.9;
    ctx.transform(...edge(along, image.width), ...edge(down, image.height), ...origin);
    ctx.drawImage(image, 0, 0);
    ctx.restore();
  };
}

/** Show the server's backgrounds on the map. */
export async function offered(page) {
  const { picture: shown, plan } = page;
  const { datum, source, backgrounds } = shown.hello;
  for (const { n, kind, corners } of backgrounds ?? []) {
    const address = `/api/source/${encodeURIComponent(source.id)}/file/${n}`;
    const paint = await trying(async () => {
      if (kind === "image") return picture(address, corners);
      return kind === "geojson" && datum ? geojson(await (await fetch(address)).json(), datum) : null;
    });
    if (page.shown !== source.id) return; // another source was opened meanwhile
    if (paint) plan.background.push(paint);
  }
  plan.refresh();
}
