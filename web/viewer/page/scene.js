// The 3-D view: hulls with their attitude, moving actuators, water, trails. Drawn on changes only.
// Without WebGL an artificial horizon is shown instead.

import { placed } from "./attitude.js";
import { byId, drawsScenes, make, nextFrame, styled, tell } from "./dom.js";

const TRAIL_EVERY = 500; // interval of drawing trails [ms]
const NAMES = 40; // limit of vessels with names

export default async function scene(page) {
  const view = new SceneView(page);
  await view.start();
  return view;
}

class SceneView {
  constructor(page) {
    this.page = page;
    this.box = byId("scene");
    this.models = new Map();
    this.geometry = new Map();
    this.labels = new Map();
    this.drawn = 0;
    this.shown = false;
    this.source = page.picture.hello?.source.id;
  }

  /** Load three.js, or the artificial horizon without WebGL. */
  async start() {
    if (!drawsScenes()) {
      const module = await import("./horizon.js");
      this.plain = module.default(this.box, this.page);
    } else {
      this.three = await import("./vendor/three.min.js");
      this.kit = await import("./models.js");
      this._stage();
    }
    const { picture } = this.page;
    for (const kind of ["scene", "actuators", "picture", "vessels", "select", "tracks"]) picture.addEventListener(kind, () => this.refresh());
    picture.addEventListener("hello", ({ detail }) => this._hello(detail.source.id));
    window.addEventListener("theme", () => this._colors());
  }

  show(on) {
    this.shown = on;
    this.box.hidden = !on;
    byId("map-tools").querySelector("[data-tool=three]").setAttribute("aria-pressed", on);
    this._watch();
    this._resize();
  }

  /** Request drawing in the next animation frame. */
  refresh() {
    if (this.shown) this._redraw();
  }

  _redraw = nextFrame(() => (this.plain ? this.plain.draw() : this._draw()));

  /** Transform points of a vessel's BODY to the scene, for tests. */
  place(name, point) {
    return placed(this.page.picture.vessel(name), point);
  }

  _hello(source) {
    if (this.source !== source) this._forget();
    this.source = source;
    if (this.shown) this._watch();
  }

  _forget() {
    for (const [name, model] of this.models) this._remove(name, model);
    this.geometry.clear();
    this.at = null;
  }

  _watch() {
    const { wire, picture } = this.page;
    if (wire?.open && picture.can("watch3d")) wire.do("watch3d", { on: this.shown }).catch(() => {});
  }

  _stage() {
    const { WebGLRenderer, Scene, PerspectiveCamera, OrbitControls, HemisphereLight, DirectionalLight } = this.three;
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    const { domElement } = this.renderer;
    domElement.setAttribute("role", "img");
    domElement.setAttribute("aria-label", "3-D view: drag to turn, wheel to zoom, arrows to turn");
    domElement.tabIndex = 0;
    this.names = make("div.scene-names", { aria: { hidden: "true" } });
    this.note = make("p.readout");
    this.box.append(domElement, this.names, this.note, this._buttons());
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(45, 1, 0.05, 20_000);
    this.camera.position.set(-8, 6, 10);
    this.controls = new OrbitControls(this.camera, domElement);
    this.controls.maxPolarAngle = 0.93 * Math.PI;
    this.controls.listenToKeyEvents(domElement);
    this.controls.keyPanSpeed = 20;
    this.controls.addEventListener("change", () => this.refresh());
    this.sky = new HemisphereLight(0xffffff, 0x446070, 1.9);
    this.sun = new DirectionalLight(0xfff4e0, 1.7);
    this.sun.position.set(-60, 90, 40);
    this.scene.add(this.sky, this.sun);
    this.water = this.kit.water(this.three);
    this.scene.add(this.water.group);
    this._colors();
    new ResizeObserver(() => this._resize()).observe(this.box);
  }

  _buttons() {
    const press = (text, title, act) => make("button", { type: "button", text, title: `${text}: ${title}`, aria: { label: `${text}: ${title}` }, on: { click: act } });
    return make("div.tools.scene-tools", { role: "toolbar", aria: { label: "3-D tools" } },
      press("Vessel", "look at the selected one", () => { this.at = null; this.refresh(); }),
      press("Top", "from above", () => this._from(0.01, 1, 0.02)),
      press("Side", "from starboard", () => this._from(1, 0.12, 0)),
      press("Aft", "from astern", () => this._from(-1, 0.35, 0)),
      press("Close", "end the 3-D view", () => this.page.three(false)));
  }

  /** Look at the selected vessel from a direction [ahead, up, starboard]. */
  _from(ahead, up, right) {
    const ship = this.page.picture.chosen;
    if (!ship) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const angle = ((ship.heading || 0) * Math.PI) / 180;
    const east = ahead * Math.sin(angle) + right * Math.cos(angle);
    const north = ahead * Math.cos(angle) - right * Math.sin(angle);
    const size = Math.hypot(east, up, north);
    const { x, y, z } = this.controls.target;
    this.camera.position.set(x + (distance * east) / size, y + (distance * up) / size, z - (distance * north) / size);
    this.controls.update();
    this.refresh();
  }

  _colors() {
    if (!this.three) return;
    const { Color, Fog } = this.three;
    const light = document.documentElement.dataset.theme === "light";
    this.scene.background = new Color(light ? "#d9e8ef" : "#0e2230");
    this.scene.fog = new Fog(this.scene.background, 60, 900);
    this.water.paint(styled("--accent"), light);
    this.refresh();
  }

  _resize() {
    if (this.plain) return this.plain.draw();
    const { clientWidth, clientHeight } = this.box;
    if (!this.three || !clientWidth || !clientHeight) return undefined;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    return this.refresh();
  }

  _draw() {
    const { picture } = this.page;
    const here = picture.vessels.filter((ship) => Number.isFinite(ship.x));
    for (const [name, model] of this.models) if (!picture.vessel(name)) this._remove(name, model);
    for (const ship of here) this._pose(ship);
    this._follow(picture.chosen);
    this._trails(here);
    this.water.under(this.controls.target, this.camera.position.distanceTo(this.controls.target));
    const far = this.camera.position.distanceTo(this.controls.target);
    this.scene.fog.near = 4 * far;
    this.scene.fog.far = 40 * far + 200;
    this.renderer.render(this.scene, this.camera);
    this._names(here);
    this.drawn += 1;
  }

  _pose(ship) {
    let model = this.models.get(ship.name);
    if (!model || model.ink !== ship.ink || model.known !== this.geometry.get(ship.name)) model = this._build(ship, model);
    model.pose(ship);
    const values = this.page.picture.actuators.get(ship.name);
    if (values) model.actuate(values, this.page.picture.t);
  }

  _build(ship, old) {
    if (old) this._remove(ship.name, old);
    const known = this.geometry.get(ship.name);
    const model = new this.kit.Model(this.three, ship, known);
    this.models.set(ship.name, model);
    this.scene.add(model.group);
    if (!this.geometry.has(ship.name)) this._ask(ship);
    return model;
  }

  _remove(name, model) {
    this.scene.remove(model.group);
    model.dispose();
    this.models.delete(name);
    this.labels.get(name)?.remove();
    this.labels.delete(name);
  }

  async _ask(ship) {
    this.geometry.set(ship.name, null);
    this.models.get(ship.name).known = null;
    if (!ship.model) return;
    const { source } = this;
    const base = `/api/source/${encodeURIComponent(source)}`;
    try {
      const about = await this.kit.fetched(`${base}/vessel/${encodeURIComponent(ship.name)}`);
      const mesh = about?.mesh ? await this.kit.triangles(`${base}/mesh/${encodeURIComponent(ship.name)}`) : null;
      if (about && source === this.source) this.geometry.set(ship.name, { ...about, mesh });
    } catch (error) {
      tell(`${ship.name}: ${error.message}`, "wrong");
    }
    this.refresh();
  }

  /** Move the camera with the selected vessel, keeping the user's rotation and zoom. */
  _follow(ship) {
    if (!ship || !Number.isFinite(ship.x)) return;
    const [x, y, z] = placed(ship, [0, 0, 0]);
    const { target } = this.controls;
    if (!this.at || this.at.name !== ship.name) {
      const size = Math.max(1, this.geometry.get(ship.name)?.length || ship.length || 3);
      if (!this.at || Math.abs(Math.log(size / this.at.size)) > 1) this.camera.position.set(x - 1.6 * size, y + 1.5 * size, z + 2.6 * size);
      else this.camera.position.add({ x: x - target.x, y: y - target.y, z: z - target.z });
      this.at = { name: ship.name, size };
    } else this.camera.position.add({ x: x - target.x, y: y - target.y, z: z - target.z });
    target.set(x, y, z);
    this.camera.lookAt(target);
  }

  _trails(here) {
    const now = performance.now();
    if (now - (this.trailed ?? 0) < TRAIL_EVERY) return;
    this.trailed = now;
    for (const ship of here) this.models.get(ship.name).trail(ship, this.page.picture, this.scene);
  }

  _names(here) {
    const { clientWidth, clientHeight } = this.box;
    for (const ship of here.slice(0, NAMES)) {
      let label = this.labels.get(ship.name);
      if (!label) {
        label = make("span", { text: ship.name });
        this.labels.set(ship.name, label);
        this.names.append(label);
      }
      const model = this.models.get(ship.name);
      const [x, y, z] = model.above();
      const point = new this.three.Vector3(x, y, z).project(this.camera);
      label.hidden = point.z > 1 || Math.abs(point.x) > 1.1 || Math.abs(point.y) > 1.1;
      label.style.transform = `translate(${((point.x + 1) / 2) * clientWidth}px, ${((1 - point.y) / 2) * clientHeight}px) translate(-50%, -110%)`;
    }
  }
}
