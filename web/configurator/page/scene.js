// The 3-D view: hull, water, parts with names and arrows; a gizmo moves and turns the selected part.
// The scene's axes are the drawing's: x forward, y to starboard, z down. Drawn on changes only.

import { byId, drawsScenes, make, nextFrame, styled, tell, trying } from "./dom.js";
import { answered } from "./session.js";
import { mirrored, partsOf, sizeOf } from "./parts.js";
import { plainHull, shapeOf } from "./shapes3d.js";
import { typed } from "./fields.js";

const FREE = 1.12; // margin factor of a view of everything
const TURN_STEP = Math.PI / 36; // 5 degrees
const LETTER = 7; // width of a letter of a part's name [px]
const LINE = 15; // height of a name [px]
const DIGITS = 5; // decimals of lengths [m] and angles [rad] after a drag

export default async function scene(page) {
  const view = new SceneView(page);
  await view.start();
  page.view = view;
  return view;
}

class SceneView {
  constructor(page) {
    this.page = page;
    this.box = byId("scene");
    this.groups = new Map();
    this.labels = new Map();
    this.drawn = 0;
    this.options = { wire: false, clear: true, box: false, grid: true, snap: false, mode: "translate", ...page.layout.scene };
    this.placing = false;
  }

  async start() {
    if (!drawsScenes()) {
      this.box.append(make("p.notice", { text: "This browser has no WebGL: parts are placed by numbers, in Parts and Files." }));
      this.plain = true;
      return;
    }
    this.three = await import("./vendor/three.min.js");
    this._stage();
    this._gizmo();
    this._listen();
  }

  show() {
    if (this.plain) return;
    this._resize();
    if (this.studio !== this.page.studio) this._attach();
    this.build();
  }

  /** Request drawing in the next animation frame. */
  refresh() {
    if (!this.box.hidden && !this.plain) this._redraw();
  }

  _redraw = nextFrame(() => this._draw());

  _attach() {
    this.studio = this.page.studio;
    this.hullOf = null;
    this.parts = [];
    const studio = this.studio;
    studio.addEventListener("state", () => studio === this.page.studio && this.build());
    this.fitted = false;
  }

  _stage() {
    const { WebGLRenderer, Scene, PerspectiveCamera, OrbitControls, HemisphereLight, DirectionalLight, Group } = this.three;
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    const { domElement } = this.renderer;
    domElement.setAttribute("role", "application");
    domElement.setAttribute("aria-label", "3-D view of the vessel: drag to turn, wheel to zoom, N for the next part, arrows to move it");
    domElement.tabIndex = 0;
    this.canvas = domElement;
    this.names = make("div.scene-names", { aria: { hidden: "true" } });
    this.note = make("p.readout");
    this.box.append(domElement, this.names, this.note, this._tools());
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(40, 1, 0.01, 20_000);
    this.camera.up.set(0, 0, -1);
    this.camera.position.set(3, 4, -3);
    this.controls = new OrbitControls(this.camera, domElement);
    this.controls.addEventListener("change", () => this.refresh());
    const sky = new HemisphereLight(0xffffff, 0x446070, 2.1);
    sky.position.set(0, 0, -1);
    const sun = new DirectionalLight(0xfff4e0, 1.5);
    sun.position.set(40, -60, -90);
    this.hull = new Group();
    this.water = new Group();
    this.frame = new Group();
    this.scene.add(sky, sun, this.hull, this.water, this.frame);
    new ResizeObserver(() => this._resize()).observe(this.box);
    window.addEventListener("theme", () => this.build());
  }

  _gizmo() {
    const { TransformControls } = this.three;
    this.gizmo = new TransformControls(this.camera, this.canvas);
    this.gizmo.setSize(0.8);
    this.scene.add(this.gizmo.getHelper());
    this.gizmo.addEventListener("change", () => this.refresh());
    this.gizmo.addEventListener("dragging-changed", (event) => {
      this.controls.enabled = !event.value;
      if (event.value) this.dragged = true;
      else this._dropped();
    });
    this.gizmo.addEventListener("objectChange", () => this._tell());
  }

  _listen() {
    this.page.events.addEventListener("select", () => this.build());
    let down = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY];
      this.dragged = false;
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!down || this.dragged || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      this._clicked(event);
    });
    this.canvas.addEventListener("keydown", (event) => this._key(event));
  }

  _tools() {
    const press = (text, title, act) => make("button", { type: "button", text, title, aria: { label: `${text}: ${title}` }, on: { click: act } });
    const toggle = (key, text, title) => {
      const button = press(text, title, () => this.toggle(key));
      button.dataset.option = key;
      return button;
    };
    const mode = (key, text, title) => {
      const button = press(text, title, () => this.mode(key));
      button.dataset.mode = key;
      return button;
    };
    return make("div.tools", { role: "toolbar", aria: { label: "3-D tools", orientation: "vertical" } },
      mode("translate", "Move", "Move the selected part (G)"), mode("rotate", "Turn", "Turn the selected part (R)"),
      toggle("snap", "Snap", "Move and turn in steps"), press("Place", "Click the hull to put the selected part there (P)", () => this.place()),
      press("Mirror", "Copy the selected part to the other side (M)", () => this.mirror()), make("hr"),
      toggle("clear", "Glass", "Hull transparent (T)"), toggle("wire", "Wire", "Hull as wireframe (W)"), toggle("box", "Box", "Box with dimensions (B)"), toggle("grid", "Grid", "Grid in the water plane"), make("hr"),
      press("Fit", "Show everything (F)", () => this.fit()), press("Side", "From starboard", () => this.from(0, 1, -0.12)), press("Top", "From above", () => this.from(0, 0.02, -1)), press("Aft", "From astern", () => this.from(-1, 0, -0.25)));
  }

  toggle(key) {
    this.options[key] = !this.options[key];
    this._keep();
  }

  mode(key) {
    this.options.mode = key;
    this._keep();
  }

  _keep() {
    this.page.layout.scene = { ...this.options };
    this.page.keep();
    this.build();
  }

  /** The selected part. */
  get chosen() {
    const { selected } = this.page;
    return this.parts?.find((part) => selected && part.file === selected.file && String(part.path) === String(selected.path));
  }

  /** Rebuild the scene from the files. */
  build() {
    if (this.plain || this.box.hidden || !this.page.studio) return;
    const { studio } = this;
    this.parts = partsOf(studio);
    this.size = sizeOf(studio);
    this._hull();
    this._water();
    this._parts();
    for (const button of this.box.querySelectorAll("[data-option]")) button.setAttribute("aria-pressed", Boolean(this.options[button.dataset.option]));
    for (const button of this.box.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", this.options.mode === button.dataset.mode);
    this._tell();
    if (!this.fitted) this.fit();
    this.refresh();
  }

  /** Load the hull's mesh if it has changed, and show it by the options. */
  async _hull() {
    const { studio } = this;
    const files = studio.state.files;
    const mesh = studio.value("geometry.yml", ["mesh"]);
    const named = mesh?.file ?? studio.value("geometry.yml", ["geometry_file"]);
    const about = JSON.stringify([studio.id, mesh, named, files[named]?.bytes, studio.state.revision * (named ? 0 : 1), named ? null : [this.size, studio.value("vessel.yml", ["type"])]]);
    if (about !== this.hullOf) {
      this.hullOf = about;
      const numbers = named ? await this._triangles() : null;
      if (about !== this.hullOf || studio !== this.page.studio) return;
      this.meshed = Boolean(numbers);
      this._solid(numbers ?? plainHull(this.size, studio.value("vessel.yml", ["type"]) === "auv"));
      if (!this.fitted || this.hullName !== named) this.fit();
      this.hullName = named;
      this._box();
      this.page.events.dispatchEvent(new Event("hull"));
    }
    const solid = this.hull.children[0];
    if (solid) {
      Object.assign(solid.material, { wireframe: this.options.wire, transparent: this.options.clear, opacity: this.options.clear ? 0.42 : 1, depthWrite: !this.options.clear });
      solid.material.needsUpdate = true;
    }
    this._box();
    this.refresh();
  }

  async _triangles() {
    const answer = await trying(() => answered(`${this.studio.base}/hull`));
    return answer ? new Float32Array(await answer.arrayBuffer()) : null;
  }

  _solid(numbers) {
    const { BufferGeometry, BufferAttribute, Mesh, MeshLambertMaterial, DoubleSide } = this.three;
    for (const old of this.hull.children) {
      old.geometry.dispose();
      old.material.dispose();
    }
    this.hull.clear();
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(numbers, 3));
    geometry.computeVertexNormals();
    geometry.computeBoundingBox();
    this.hull.add(new Mesh(geometry, new MeshLambertMaterial({ color: styled("--soft") || "#9fb4c0", side: DoubleSide })));
  }

  _water() {
    const { GridHelper, Mesh, MeshBasicMaterial, PlaneGeometry, DoubleSide, Color } = this.three;
    this.scene.background = new Color(styled("--water"));
    const size = 1.6 * Math.max(this.size.length, this.size.breadth);
    for (const old of this.water.children) old.geometry.dispose();
    this.water.clear();
    const level = this.studio.numbers("geometry.yml", ["CO", "position"])?.[2] ?? 0;
    const plane = new Mesh(new PlaneGeometry(size, size), new MeshBasicMaterial({ color: styled("--accent"), transparent: true, opacity: 0.13, side: DoubleSide, depthWrite: false }));
    this.water.add(plane);
    if (this.options.grid) {
      const grid = new GridHelper(size, 16, styled("--grid-strong"), styled("--grid-strong"));
      grid.rotation.x = Math.PI / 2; // its own plane is x–z
      this.water.add(grid);
    }
    this.water.position.set(0, 0, level);
  }

  /** The hull's bounding box with labelled dimensions. */
  _box() {
    const { BufferGeometry, Float32BufferAttribute, LineSegments, LineBasicMaterial } = this.three;
    for (const old of this.frame.children) old.geometry.dispose();
    this.frame.clear();
    const box = this.hull.children[0]?.geometry.boundingBox;
    this.box3 = box ?? null;
    if (!this.options.box || !box) return;
    const { min, max } = box;
    const corner = (i) => [i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z];
    const lines = [];
    for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) lines.push(...corner(i), ...corner(i | bit));
    const geometry = new BufferGeometry().setAttribute("position", new Float32BufferAttribute(lines, 3));
    this.frame.add(new LineSegments(geometry, new LineBasicMaterial({ color: styled("--brass") })));
  }

  _parts() {
    const { chosen } = this;
    const there = new Set(this.parts.map((part) => part.key));
    for (const [key, group] of this.groups) {
      if (there.has(key) && group.userData.about === about(this.parts.find((part) => part.key === key), this.size)) continue;
      this._remove(key, group);
    }
    for (const part of this.parts) {
      let group = this.groups.get(part.key);
      if (!group) {
        group = shapeOf(this.three, part, this.size);
        group.userData.about = about(part, this.size);
        this.groups.set(part.key, group);
        this.scene.add(group);
      }
      if (this.gizmo.dragging && part.key === chosen?.key) continue;
      group.position.set(...part.place);
      group.rotation.set(...part.angles, "ZYX");
    }
    this._hold(chosen);
  }

  _hold(part) {
    const group = part && !this.page.home.read_only ? this.groups.get(part.key) : null;
    if (!group) {
      this.gizmo.detach();
      return;
    }
    const mode = part.turnPath ? this.options.mode : "translate";
    this.gizmo.setMode(mode);
    this.gizmo.setSpace(mode === "rotate" ? "local" : "world");
    this.gizmo.setTranslationSnap(this.options.snap ? this.step : null);
    this.gizmo.setRotationSnap(this.options.snap ? TURN_STEP : null);
    this.gizmo.attach(group);
  }

  /** The step of arrow keys and snapping: a power of ten near a hundredth of the length [m]. */
  get step() {
    return 10 ** Math.round(Math.log10(this.size.length / 100));
  }

  _remove(key, group) {
    if (this.gizmo.object === group) this.gizmo.detach();
    this.scene.remove(group);
    group.traverse((node) => {
      node.geometry?.dispose();
      node.material?.dispose();
    });
    this.groups.delete(key);
    this.labels.get(key)?.remove();
    this.labels.delete(key);
  }

  /** Write the new position or angles of a dragged part as one edit. */
  _dropped() {
    const part = this.chosen;
    const group = part && this.groups.get(part.key);
    if (!group) return;
    if (this.gizmo.mode === "translate") this._move(part, group.position.toArray());
    else {
      const { x, y, z } = group.rotation.reorder("ZYX");
      this._turn(part, [x, y, z]);
    }
  }

  _move(part, place) {
    return this._set(`move ${part.name}`, part.file, part.placePath, place, part.place);
  }

  _turn(part, angles) {
    return this._set(`turn ${part.name}`, part.file, part.turnPath, angles, part.angles);
  }

  /** Set three numbers; unchanged ones keep their text in the file. */
  _set(title, file, path, values, old) {
    const rounded = values.map((value, i) => (Math.abs(value - old[i]) < 1e-9 ? typed(String(old[i])) : Number(value.toFixed(DIGITS)) + 0));
    return this.page.try(() => this.studio.edit(title, [{ do: "set", file, path, value: rounded }]));
  }

  /** Select a part by a click; or, while placing, move the selected part to the clicked point. */
  _clicked(event) {
    if (this.placing) return this._put(event);
    const hit = this._hits(event, [...this.groups.values()])[0];
    const part = hit && this.parts.find((one) => one.key === hit.object.userData.part);
    if (part) this.page.select({ file: part.file, path: part.path });
    else if (!this._hits(event, [this.gizmo.getHelper()]).length || !this.chosen) this.page.select(null);
    return undefined;
  }

  _hits(event, objects) {
    const { Raycaster, Vector2 } = this.three;
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const ray = (this._ray ??= new Raycaster());
    ray.setFromCamera(new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2), this.camera);
    return ray.intersectObjects(objects, true).filter((hit) => hit.object.userData.part || objects[0] === this.hull);
  }

  _put(event) {
    const hit = this._hits(event, [this.hull])[0];
    const part = this.chosen;
    this.placing = false;
    this.canvas.style.cursor = "";
    if (hit && part) this._move(part, hit.point.toArray());
    else tell("The click missed the hull; the part was not moved.");
    this._tell();
  }

  /** Place the selected part by the next click on the hull. */
  place() {
    if (!this.chosen) return void tell("Choose a part first: click it, or in Parts.");
    this.placing = true;
    this.canvas.style.cursor = "crosshair";
    this.canvas.focus();
    return void tell(`Click the hull to put ${this.chosen.name} there; Esc cancels.`);
  }

  /** Add a mirrored copy of the selected part. */
  async mirror() {
    const part = this.chosen;
    if (!part || part.group === "centres") return void tell("Choose a thruster, surface or sensor first.");
    const [list] = part.path;
    const done = await this.page.try(() => this.studio.edit(`mirror ${part.name}`, [{ do: "add", file: part.file, path: [list], value: mirrored(part, this.studio) }]));
    if (done) this.page.select({ file: part.file, path: [list, this.studio.value(part.file, [list]).length - 1] });
    return undefined;
  }

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { chosen } = this;
    const moves = { ArrowUp: [1, 0, 0], ArrowDown: [-1, 0, 0], ArrowRight: [0, 1, 0], ArrowLeft: [0, -1, 0], PageUp: [0, 0, -1], PageDown: [0, 0, 1] };
    const move = moves[event.key];
    const acts = { g: () => this.mode("translate"), r: () => this.mode("rotate"), w: () => this.toggle("wire"), t: () => this.toggle("clear"), b: () => this.toggle("box"), f: () => this.fit(), p: () => this.place(), m: () => this.mirror(), n: () => this._next(event.shiftKey ? -1 : 1) };
    if (event.key === "Escape") {
      this.placing = false;
      this.canvas.style.cursor = "";
      this.page.select(null);
    } else if (move && chosen && this.options.mode === "rotate" && chosen.turnPath) this._turn(chosen, chosen.angles.map((angle, i) => angle + [move[1], move[0], -move[2]][i] * TURN_STEP));
    else if (move && chosen) this._move(chosen, chosen.place.map((value, i) => value + move[i] * this.step));
    else if (move) this._orbit(move);
    else if (acts[event.key.toLowerCase()]) acts[event.key.toLowerCase()]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _next(by) {
    if (!this.parts.length) return;
    const at = this.parts.indexOf(this.chosen);
    const part = this.parts[(at + by + this.parts.length) % this.parts.length];
    this.page.select({ file: part.file, path: part.path });
  }

  _orbit([up, right]) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    arm.applyAxisAngle(this.camera.up, 0.12 * right);
    arm.z = Math.max(-0.98 * arm.length(), Math.min(0.98 * arm.length(), arm.z - 0.12 * up * arm.length()));
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
  }

  /** Show everything. */
  fit() {
    const box = this.hull.children[0]?.geometry.boundingBox;
    if (!box) return;
    this.fitted = true;
    const { Vector3 } = this.three;
    const middle = box.getCenter(new Vector3());
    const reach = box.getSize(new Vector3()).length();
    const far = FREE * reach / 2 / Math.sin(this._angle()); // a sphere around the hull fits the view
    this.controls.target.copy(middle);
    const arm = this.camera.position.clone().sub(middle);
    if (!Number.isFinite(arm.length()) || arm.length() < 1e-9) arm.set(1, 1, -1);
    this.camera.position.copy(middle).add(arm.normalize().multiplyScalar(far));
    this.camera.near = reach / 500;
    this.camera.far = reach * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.refresh();
  }

  /** Half the field of view across the narrower side [rad]. */
  _angle() {
    return Math.atan(Math.tan(Math.PI * this.camera.fov / 360) * Math.min(1, this.camera.aspect));
  }

  /** Look at the vessel from a direction [ahead, starboard, down]. */
  from(x, y, z) {
    const { Vector3 } = this.three;
    const far = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).add(new Vector3(x, y, z).normalize().multiplyScalar(far));
    this.controls.update();
    this.refresh();
  }

  /** Project a point of the drawing to the view [px]. */
  onScreen(place) {
    const point = new this.three.Vector3(...place).project(this.camera);
    const { clientWidth, clientHeight } = this.box;
    return [((point.x + 1) / 2) * clientWidth, ((1 - point.y) / 2) * clientHeight, point.z];
  }

  _tell() {
    const part = this.chosen;
    const group = part && this.groups.get(part.key);
    if (!group) {
      const box = this.options.box && this.box3;
      this.note.textContent = box ? `${["x", "y", "z"].map((axis) => `${axis} ${(box.max[axis] - box.min[axis]).toFixed(3)} m`).join("  ")}` : "";
      return;
    }
    const place = group.position.toArray().map((value) => value.toFixed(3)).join(", ");
    const turned = group.rotation.clone().reorder("ZYX");
    const angles = [turned.x, turned.y, turned.z].map((value) => `${((value * 180) / Math.PI).toFixed(1)}°`).join(", ");
    const steep = Math.abs(Math.abs(turned.y) - Math.PI / 2) < 0.05 ? "\npitch near 90°: roll and yaw turn about one axis" : "";
    const co = this.studio.numbers("geometry.yml", ["CO", "position"]) ?? [0, 0, 0];
    const turnedCo = (this.studio.numbers("geometry.yml", ["CO", "orientation"]) ?? []).some(Boolean);
    const body = co.some(Boolean) && !turnedCo ? `\nfrom CO ${group.position.toArray().map((value, i) => (value - co[i]).toFixed(3)).join(", ")} m` : "";
    this.note.textContent = `${part.name}\n${place} m${body}${part.turnPath ? `\n${angles}` : ""}${steep}${this.placing ? "\nclick the hull" : ""}`;
  }

  _resize() {
    const { clientWidth, clientHeight } = this.box;
    if (!clientWidth || !clientHeight || this.plain) return;
    this.renderer.setSize(clientWidth, clientHeight, false);
    const before = Math.sin(this._angle());
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    const { target } = this.controls; // the distance to it is changed to keep the visible extent
    this.camera.position.sub(target).multiplyScalar(before / Math.sin(this._angle())).add(target);
    this.refresh();
  }

  _draw() {
    if (this.box.hidden) return;
    this.renderer.render(this.scene, this.camera);
    this._names();
    this.drawn += 1;
  }

  _names() {
    const { clientWidth, clientHeight } = this.box;
    const chosen = this.chosen?.key;
    const written = [];
    for (const part of this.parts ?? []) {
      let label = this.labels.get(part.key);
      if (!label) {
        label = make("span");
        this.labels.set(part.key, label);
        this.names.append(label);
      }
      label.textContent = part.name;
      label.classList.toggle("chosen", part.key === chosen);
      const [x, y, z] = this.onScreen(this.groups.get(part.key)?.position.toArray() ?? part.place);
      label.hidden = z > 1 || x < -50 || y < -20 || x > clientWidth + 50 || y > clientHeight + 20;
      label.style.transform = `translate(${x}px, ${label.hidden ? y : freeLine(written, x, y, part.name)}px) translate(-50%, -180%)`;
    }
  }
}

/** The height at which a name does not overlap the earlier ones; it is added to these. */
function freeLine(written, x, y, name) {
  const half = (LETTER * name.length) / 2;
  let line = y;
  const covers = (other) => Math.abs(other.x - x) < other.half + half && Math.abs(other.line - line) < LINE - 1;
  for (let other = written.find(covers); other; other = written.find(covers)) line = other.line - LINE;
  written.push({ x, line, half });
  return line;
}

const about = (part, size) => JSON.stringify([part?.kind, part?.item.D_prop, part?.item.control_surface_area, size.length, size.breadth]);
