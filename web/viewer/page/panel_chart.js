// Chart panel: display options of the map, backgrounds, and export of image and address.

import { download, hearing, keyed, make, say, tell, trying } from "./dom.js";
import { geojson } from "./background.js";
import { answered } from "./session.js";
import { troublesOf } from "./troubles.js";

const KIND_WORDS = {
  point: "points", seglist: "lines", polygon: "polygons", circle: "circles", oval: "ovals", marker: "markers", vector: "vectors", arrow: "arrows",
  wedge: "wedges", seglr: "lines with a ray", textbox: "texts", range_pulse: "range pulses", comms_pulse: "message pulses", grid: "grids",
};

export default function chart(box, page) {
  const { plan, picture } = page;
  const kinds = make("div.stack");
  const troubles = make("div.stack", { id: "troubles-list" });
  box.append(
    make("h3", { text: "Vessels" }),
    make("div.stack", {}, trail(page), check("Names", () => plan.options.labels, () => plan.toggle("labels")),
      check("Range rings", () => plan.options.rings, () => plan.toggle("rings")), check("Closest points of approach", () => plan.options.cpa, () => plan.toggle("cpa")),
      check("Velocity vectors", () => plan.options.vectors, () => plan.toggle("vectors")), ahead(page)),
    make("h3", { text: "Drawings" }), check("Labels of drawings", () => plan.options.drawingLabels, () => plan.toggle("drawingLabels")), kinds, troubles,
    make("h3", { text: "Background" }), background(page),
    make("h3", { text: "Take along" }), takeAlong(page),
  );
  const show = () => drawings(kinds, page);
  const showTroubles = () => troubled(troubles, picture);
  show();
  showTroubles();
  return { close: hearing([picture, "shapes", show], [picture, "troubles", showTroubles]) };
}

function check(text, get, act) {
  return make("label.check", {}, make("input", { type: "checkbox", checked: get(), on: { change: act } }), text);
}

function trail({ plan }) {
  const box = make("select", { on: { change: () => {
    plan.options.trail = box.value;
    plan.dispatchEvent(new Event("options"));
    plan.refresh();
  } } }, ...["all", "10 min", "1 min", "none"].map((text) => make("option", { value: text, text })));
  box.value = plan.options.trail;
  return make("label.row", {}, "Trails", box);
}

function ahead({ plan }) {
  const box = make("input", { type: "number", min: 1, max: 3600, value: plan.options.seconds, aria: { label: "Seconds of the velocity vectors" }, on: { change: () => {
    plan.options.seconds = Math.max(1, Number(box.value) || 30);
    plan.refresh();
  } } });
  return make("label.row", {}, "reach, s", box);
}

function drawings(box, { plan, picture }) {
  const counts = new Map();
  for (const { kind } of picture.shapes.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (box.classList.contains("empty") && counts.size) box.replaceChildren(); // the words about none
  const create = ([kind]) => check("", () => !plan.hidden.has(kind), (event) => {
    if (event.target.checked) plan.hidden.delete(kind);
    else plan.hidden.add(kind);
    plan.refresh();
  });
  keyed(box, [...counts].sort(), ([kind]) => kind, create, (node, [kind, count]) => {
    const text = `${KIND_WORDS[kind] ?? kind} (${count})`;
    if (node.lastChild === node.firstChild) node.append(text);
    else if (node.lastChild.data !== text) node.lastChild.data = text;
  });
  box.classList.toggle("empty", !counts.size);
  if (!counts.size) say(box, "The mission has drawn nothing yet.");
}

/** Drawings that are not shown, and why. */
function troubled(box, picture) {
  const rows = troublesOf(picture);
  box.replaceChildren(...(rows.length ? [make("h3", { text: "Not shown" }), make("ul.events", {}, ...rows.map((text) => make("li.wrong", { text })))] : []));
}

function background(page) {
  const { datum } = page.picture.hello;
  const file = make("input", { type: "file", accept: ".json,.geojson,application/geo+json", aria: { label: "GeoJSON file" }, disabled: !datum, on: { change: async () => {
    try {
      page.plan.background.push(geojson(JSON.parse(await file.files[0].text()), datum));
      page.plan.refresh();
      tell(`${file.files[0].name} is shown on the map.`);
    } catch (error) {
      tell(error instanceof SyntaxError ? "This file is not JSON." : error.message, "wrong");
    }
    file.value = ""; // else choosing the same file again, after a change, gives no event
  } } });
  const note = datum ? "A GeoJSON file of this machine; it stays in this page. Other charts: steerageway view --chart FILE." : "Without a datum (LatOrigin, LongOrigin) degrees cannot be placed.";
  return make("div.stack", {}, file, make("p.quiet", { text: note }));
}

function takeAlong(page) {
  const png = make("button", { type: "button", text: "Map as PNG", on: { click: async () => download("map.png", await page.plan.png()) } });
  const link = make("button", { type: "button", text: "Copy the address of this layout", on: { click: async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      tell("The address is copied. It opens this viewer with the same layout.");
    } catch {
      tell(`The address: ${location.href}`);
    }
  } } });
  const tracks = ["GeoJSON", "GPX", "KML"].map((kind) => make("button", { type: "button", text: `Tracks as ${kind}`, on: { click: () => trying(async () => {
    const name = kind.toLowerCase();
    const answer = await answered(`/api/source/${encodeURIComponent(page.layout.source)}/tracks/${name}`, {}, "The tracks could not be read.");
    download(`tracks.${name}`, await answer.blob());
  }) } }));
  return make("div.buttons", {}, png, video(page), ...tracks, link);
}

/** A switch that records the map as a video. */
function video({ memory, plan }) {
  const button = make("button", { type: "button", aria: { pressed: "false" }, on: { click: () => {
    if (memory.video) return memory.video.stop();
    const recorder = new MediaRecorder(plan.canvas.captureStream(), { mimeType: "video/webm" });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      memory.video = null;
      download("map.webm", new Blob(parts, { type: "video/webm" }));
      show();
    };
    memory.video = recorder;
    recorder.start();
    return show();
  } } });
  const show = () => {
    say(button, memory.video ? "Stop and save the video" : "Record a video");
    button.setAttribute("aria-pressed", Boolean(memory.video));
  };
  show();
  return button;
}
