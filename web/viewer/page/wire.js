// WebSocket connection to a source (docs/viewer_protocol.md): requests, and decoding of frames.

import { Refused } from "./session.js";

const HEADER = 16; // bytes: kind u8, version u8, count u16, number u32, time f64
const SCENE = 1;
const TRACKS = 2;
const ACTUATORS = 3;
const FLOATS_A_VESSEL = 8;
const LONGEST_WAIT = 30_000; // timeout of a request [ms]
const SLOWEST_RETRY = 8000; // maximum interval of reconnection attempts [ms]

/** The WebSocket of a source; reconnects automatically, and then receives the whole picture. */
export class Wire {
  /**
   * @param {string} source its id
   * @param {object} hear functions by kind of frame: hello, picture, scene, tracks, ..., lost
   */
  constructor(source, hear) {
    this.source = source;
    this.hear = hear;
    this.closed = false;
    this.bytes = 0;
    this._waiting = new Map();
    this._next = 1;
    this._retry = 500;
    this._connect();
  }

  /** Whether frames can be sent now. */
  get open() {
    return this._socket?.readyState === WebSocket.OPEN;
  }

  /** Send a request; resolves with the result, or rejects with Refused. */
  do(verb, fields = {}) {
    if (!this.open) return Promise.reject(new Refused("There is no connection to the server now."));
    const id = this._next++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this._answer({ id, ok: false, error: `No answer to "${verb}".` }), LONGEST_WAIT);
      this._waiting.set(id, { resolve, reject, timer });
      this._socket.send(JSON.stringify({ id, do: verb, ...fields }));
    });
  }

  /** Close the connection without reconnecting. */
  close() {
    this.closed = true;
    this._socket.close();
  }

  _connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?source=${encodeURIComponent(this.source)}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => (this._retry = 500);
    socket.onmessage = (message) => this._take(message.data);
    socket.onclose = () => this._lost();
    this._socket = socket;
  }

  _lost() {
    for (const id of [...this._waiting.keys()]) this._answer({ id, ok: false, error: "The connection was lost." });
    if (this.closed) return;
    this.hear.lost?.();
    setTimeout(() => this.closed || this._connect(), this._retry);
    this._retry = Math.min(2 * this._retry, SLOWEST_RETRY);
  }

  _take(data) {
    if (this.closed) return; // what was on its way when another source was opened
    if (typeof data === "string") {
      this.bytes += data.length;
      const frame = JSON.parse(data);
      if (frame.k === "reply") this._answer(frame);
      else this.hear[frame.k]?.(frame);
      return;
    }
    this.bytes += data.byteLength;
    const frame = decode(data);
    if (frame) this.hear[frame.k]?.(frame);
  }

  _answer(frame) {
    const waiting = this._waiting.get(frame.id);
    if (!waiting) return;
    this._waiting.delete(frame.id);
    clearTimeout(waiting.timer);
    if (frame.ok) waiting.resolve(frame.result);
    else waiting.reject(new Refused(frame.error ?? "It was refused without a reason."));
  }
}

/** Read a binary frame; null for a kind that is not known. */
export function decode(buffer) {
  const view = new DataView(buffer);
  const head = { count: view.getUint16(2, true), roster: view.getUint32(4, true), t: view.getFloat64(8, true) };
  switch (view.getUint8(0)) {
    case SCENE:
      return { k: "scene", ...head, rows: new Float32Array(buffer, HEADER, head.count * FLOATS_A_VESSEL) };
    case TRACKS:
      return { k: "tracks", ...head, pieces: pieces(view, buffer, head.count) };
    case ACTUATORS:
      return { k: "actuators", ...head, rows: actuators(view, head.count) };
    default:
      return null;
  }
}

function pieces(view, buffer, count) {
  const result = [];
  let at = HEADER + 8 * count;
  for (let i = 0; i < count; i++) {
    const head = HEADER + 8 * i;
    const n = view.getUint32(head + 4, true);
    // Pieces follow one another without padding, so a float64 need not be aligned: copy.
    const t = new Float64Array(buffer.slice(at, at + 8 * n));
    const x = new Float32Array(buffer.slice(at + 8 * n, at + 12 * n));
    const y = new Float32Array(buffer.slice(at + 12 * n, at + 16 * n));
    at += 16 * n;
    result.push({ row: view.getUint16(head, true), fresh: (view.getUint16(head + 2, true) & 1) === 1, t, x, y });
  }
  return result;
}

function actuators(view, count) {
  const result = [];
  let at = HEADER;
  for (let i = 0; i < count; i++) {
    const n = view.getUint16(at + 2, true);
    const values = Array.from({ length: n }, (_, k) => view.getFloat32(at + 4 + 4 * k, true));
    result.push({ row: view.getUint16(at, true), values });
    at += 4 + 4 * n;
  }
  return result;
}
