// Time controls of the page: pause, step, warp for a run; play, step, seek for a log.

import { byId, clock, make, say, times, trying } from "./dom.js";
import { ask } from "./session.js";

const WARPS = [1, 2, 5, 10, 20, 50, 100, "max"];
const BACK = 30; // how far a run is rewound at first [s]
const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100];

export default function transport(page) {
  const { picture } = page;
  const bar = new Bar(page);
  for (const kind of ["hello", "status", "scene", "picture", "lost", "progress"]) picture.addEventListener(kind, (event) => bar.show(kind, event.detail));
  return bar;
}

class Bar {
  constructor(page) {
    this.page = page;
    this.picture = page.picture;
    this.speed = 1;
    this.lost = false;
    byId("play").onclick = () => this.play();
    byId("step").onclick = () => this.step(1);
    byId("rewind").onclick = () => this.rewind();
    byId("warp").onchange = (event) => this.warp(event.target.value === "max" ? "max" : Number(event.target.value));
  }

  /** Whether time is running, by the last status. */
  get going() {
    const { status } = this.picture;
    return this.picture.replay ? Boolean(status.playing) : !status.paused && !status.ended;
  }

  /** Pause or resume. */
  play() {
    if (!this.picture.replay) return this.page.do(this.going ? "pause" : "resume");
    if (this.going) return this.page.do("play", { speed: 0 });
    const [first, last] = this.picture.status.span ?? this.picture.hello.span;
    const again = this.picture.t >= last - 1e-6 ? this.page.do("seek", { t: first }) : Promise.resolve();
    return again.then(() => this.page.do("play", { speed: this.speed }));
  }

  /** Step: an instant of the run; a second of a log, or an iteration of its helm. */
  step(count, unit = "second") {
    return this.page.do("step", this.picture.replay ? { unit, count } : { count });
  }

  /** Show the log of a run that goes on, from a while ago; again: the run itself. */
  async rewind() {
    const { page, picture } = this;
    const { id, folder } = picture.hello.source;
    if (picture.replay) return page.show(this.live);
    page.layout.time = Math.max(0, picture.t - BACK);
    return this._replay(folder, () => (this.live = id));
  }

  /** Set the warp of a run, or the speed of a log. */
  async warp(factor) {
    if (!this.picture.replay) return this.page.do("warp", { factor });
    this.speed = factor;
    if (this.going) await this.page.do("play", { speed: factor });
    this.show("status");
  }

  /** Set the next higher or lower warp. */
  faster(step) {
    const all = this.picture.replay ? SPEEDS : WARPS;
    const now = this.picture.replay ? this.speed : this.picture.status.warp;
    let at = all.indexOf(now);
    if (at < 0) at = all.findIndex((factor) => factor > now) - (step > 0 ? 1 : 0);
    return this.warp(all[Math.min(all.length - 1, Math.max(0, at + step))]);
  }

  seek(t) {
    return this.page.do("seek", { t });
  }

  show(kind, detail) {
    if (kind === "hello") this._hello();
    if (kind === "lost") this.lost = true;
    else if (kind !== "progress") this.lost = false;
    say(byId("clock"), clock(this.picture.t));
    if (kind === "scene") return this.line?.now(this.picture.t);
    if (kind === "status") this._over();
    if (kind === "progress") return say(byId("state"), detail.share ? `${detail.text} ${Math.round(100 * detail.share)} %` : detail.text);
    this._buttons();
    this._state();
    this.line?.now(this.picture.t);
  }

  async _hello() {
    const { picture } = this;
    say(byId("source-name"), `${picture.hello.source.title}${picture.replay ? " (log)" : ""}`);
    byId("timeline").hidden = !picture.replay;
    say(document.querySelector(".warp .word"), picture.replay ? "Speed" : "Warp");
    this.line?.close();
    this.line = null;
    if (!picture.replay) return;
    const shown = picture.hello;
    const module = await import("./timeline.js");
    if (shown === picture.hello) this.line = module.default(this.page, this);
  }

  /** Offer the log of a run that has ended. */
  _over() {
    const { hello, status } = this.picture;
    const box = byId("source");
    const folder = hello?.source.folder;
    const old = box.querySelector("button");
    const rewind = byId("rewind");
    rewind.hidden = this.picture.replay ? this.log !== hello?.source.id : Boolean(status.ended || !folder);
    say(rewind, this.picture.replay ? "Back to live" : "Rewind");
    rewind.title = this.picture.replay ? "Show the run as it is now" : `Show the last ${BACK} s again, while the run goes on`;
    if (!status.ended || !folder || this.picture.replay) return old?.remove();
    if (!old) box.append(make("button", { type: "button", text: "Replay it", on: { click: () => this._replay(folder) } }));
    return undefined;
  }

  _replay(folder, opened = () => (this.live = "")) {
    return trying(async () => {
      byId("source").querySelector("button")?.remove();
      const { source } = await ask("/api/open", { logs: [folder] });
      opened();
      this.log = this.live ? source : "";
      await this.page.show(source);
    });
  }

  _buttons() {
    const { picture } = this;
    const { status } = picture;
    const may = picture.replay ? picture.can("play") : picture.can("pause") && !status.ended;
    const play = byId("play");
    play.disabled = this.lost || !may;
    play.classList.toggle("playing", this.going);
    play.setAttribute("aria-label", this.going ? "Pause" : picture.replay ? "Play" : "Resume");
    byId("step").disabled = this.lost || !picture.can("step") || Boolean(!picture.replay && status.ended);
    this._warps(picture.replay ? SPEEDS : WARPS, picture.replay ? this.speed : status.warp, may);
    say(byId("achieved"), !picture.replay && this.going && status.achieved ? `really ${times(status.achieved)}` : "");
  }

  _warps(all, now, may) {
    const box = byId("warp");
    const known = all.includes(now) || now === undefined || now === null ? all : [...all.filter(Number), now].sort((a, b) => a - b).concat("max");
    const key = known.join();
    if (box.dataset.key !== key) {
      box.dataset.key = key;
      box.replaceChildren(...known.map((factor) => make("option", { value: factor, text: factor === "max" ? "max" : times(factor) })));
    }
    if (document.activeElement !== box) box.value = String(now);
    box.disabled = this.lost || !may || !(this.picture.replay || this.picture.can("warp"));
  }

  _state() {
    const [words, look] = this._words();
    const box = byId("state");
    say(box, words);
    box.className = `state ${look}`;
  }

  _words() {
    const { status, replay } = this.picture;
    if (this.lost) return ["connection lost", "lost"];
    if (replay) return status.playing ? [`replay ${times(status.speed)}`, "going"] : ["replay", "paused"];
    if (status.ended) return [`ended: ${status.ended}`, "ended"];
    if (status.silent) return ["no answer", "lost"];
    const thin = status.thinned ? `, ${status.thinned} thinned` : "";
    return status.paused ? [`paused${thin}`, "paused"] : [`running${thin}`, "going"];
  }
}
