// Driving by hand: thrust and rudder from keys, buttons or a gamepad. It stops when they are released,
// the page loses focus, or the connection is lost (dead-man switch of the server after one second).

import { fixed, make, say, tell } from "./dom.js";

const EVERY = 200; // interval of requests to the server [ms]
const KEY_RATE = { thrust: 60, rudder: 90 }; // percent a second
const QUIET = 0.08; // dead zone of a gamepad's stick

export default function drive(page) {
  const wheel = new Wheel(page);
  return { show: (place) => wheel.show(place), left: () => wheel.stop() };
}

class Wheel {
  constructor(page) {
    this.page = page;
    this.thrust = 0;
    this.rudder = 0;
    this.held = new Set();
    this.timer = null;
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
    window.addEventListener("blur", () => this.stop());
  }

  show(place) {
    this.start_button = make("button", { type: "button", text: "Drive by hand", on: { click: () => (this.timer ? this.stop() : this.start()) } });
    this.words = make("output.mono", { text: "" });
    this.pad = make("div.stack", { tabIndex: -1, aria: { label: "Driving: W and S thrust, A and D rudder, Q stops" }, on: {
      keydown: (event) => this._key(event, true), keyup: (event) => this._key(event, false), focusout: (event) => this._out(event),
    } }, make("div.row", {}, this.start_button, this.words), this._hold());
    place.append(make("h3", { text: "Drive" }), this.pad);
  }

  /** Touch buttons, which act while they are held. */
  _hold() {
    const pad = make("div.row", { hidden: true });
    for (const [key, text, label] of [["a", "◀", "Rudder to port"], ["w", "▲", "More thrust"], ["s", "▼", "Less thrust"], ["d", "▶", "Rudder to starboard"]]) {
      pad.append(make("button", { type: "button", text, aria: { label }, on: {
        pointerdown: () => this.held.add(key), pointerup: () => this.held.delete(key), pointerleave: () => this.held.delete(key),
      } }));
    }
    this.buttons = pad;
    return pad;
  }

  start() {
    const ship = this.page.picture.chosen;
    this.community = ship?.community || this.page.picture.hello.communities[0];
    Object.assign(this, { thrust: 0, rudder: 0, stuck: false });
    this.held.clear();
    this.pad.classList.add("driving");
    this.pad.focus();
    this.buttons.hidden = false;
    say(this.start_button, "Let go (Q)");
    this.start_button.setAttribute("aria-pressed", "true");
    this.timer = setInterval(() => this._tick(), EVERY);
    tell(`Driving ${this.community} by hand: W S thrust, A D rudder, Q stops.`);
    this._tick();
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
    this.pad.classList.remove("driving");
    this.buttons.hidden = true;
    say(this.start_button, "Drive by hand");
    this.start_button.setAttribute("aria-pressed", "false");
    say(this.words, "");
    this.page.wire.do("release", { community: this.community }).catch(() => {});
  }

  _out(event) {
    if (this.timer && !this.pad.contains(event.relatedTarget)) this.stop();
  }

  _key(event, down) {
    if (!this.timer || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = { ArrowUp: "w", ArrowDown: "s", ArrowLeft: "a", ArrowRight: "d" }[event.key] ?? event.key.toLowerCase();
    if (key === "q" || key === "escape") this.stop();
    else if ("wasd".includes(key)) down ? this.held.add(key) : this.held.delete(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _tick() {
    const stick = this._stick();
    if (this.stuck && !stick) {
      tell("Gamepad disconnected; driving by hand has ended.", "wrong");
      return this.stop();
    }
    const seconds = EVERY / 1000;
    if (stick) [this.thrust, this.rudder] = stick;
    else {
      const way = (more, less) => this.held.has(more) - this.held.has(less);
      this.thrust += way("w", "s") * KEY_RATE.thrust * seconds;
      const turn = way("d", "a");
      this.rudder = turn ? this.rudder + turn * KEY_RATE.rudder * seconds : this.rudder * 0.6;
    }
    this.thrust = clip(this.thrust);
    this.rudder = Math.abs(this.rudder) < 1 ? 0 : clip(this.rudder);
    say(this.words, `thrust ${fixed(this.thrust, 0)} %  rudder ${fixed(this.rudder, 0)}`);
    this.page.wire.do("drive", { community: this.community, thrust: this.thrust, rudder: this.rudder }).catch((error) => {
      tell(error.message, "wrong");
      this.stop();
    });
  }

  /** Thrust and rudder of a gamepad: left stick vertical, right stick horizontal; null if unused. */
  _stick() {
    const pad = navigator.getGamepads?.().find((one) => one?.connected);
    if (!pad) return null;
    const thrust = -(pad.axes[1] ?? 0);
    const rudder = pad.axes[2] ?? pad.axes[0] ?? 0;
    if (Math.abs(thrust) < QUIET && Math.abs(rudder) < QUIET && !this.stuck) return null;
    this.stuck = true; // once it has been used, the neutral position is zero, not null
    return [100 * thrust, 100 * rudder];
  }
}

const clip = (value) => Math.min(100, Math.max(-100, value));
