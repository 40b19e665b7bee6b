// Helpers for DOM elements, canvases, number formats and messages. Text from a mission enters the page only as
// textContent, so that it is never interpreted as markup.

/** An element of the page by its id. */
export const byId = (id) => document.getElementById(id);

/**
 * Make an element.
 * @param {string} tag its name, with an optional class: "button.primary"
 * @param {object} props properties (text, on: {event: listener}, aria: {...}, data: {...}) or attributes
 * @param {...(Node|string)} children
 */
export function make(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(props)) set(node, key, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function set(node, key, value) {
  if (value === undefined || value === null) return;
  if (key === "text") node.textContent = value;
  else if (key === "on") for (const [event, hear] of Object.entries(value)) node.addEventListener(event, hear);
  else if (key === "aria") for (const [name, is] of Object.entries(value)) node.setAttribute(`aria-${name}`, is);
  else if (key === "data") Object.assign(node.dataset, value);
  else if (key in node && key !== "list" && key !== "form") node[key] = value;
  else node.setAttribute(key, value);
}

/** Replace an element's children; null is skipped. */
export function fill(node, ...children) {
  node.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** Replace an element's text only if it differs, to avoid announcements and layout. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Update a container's children to keyed items, reusing existing ones. */
export function keyed(container, items, keyOf, create, update) {
  const old = new Map([...container.children].map((child) => [child.dataset.key, child]));
  let place = container.firstElementChild;
  for (const item of items) {
    const key = String(keyOf(item));
    let node = old.get(key);
    if (node) old.delete(key);
    else {
      node = create(item);
      node.dataset.key = key;
    }
    if (node !== place) container.insertBefore(node, place);
    else place = place.nextElementSibling;
    update?.(node, item);
  }
  for (const node of old.values()) node.remove();
}

/** Offer names in a select, below an entry for all of them; the choice is kept if it is still offered, and returned. */
export function offered(box, all, names, chosen = box.value) {
  if (box.dataset.key === names.join()) return chosen;
  box.dataset.key = names.join();
  box.replaceChildren(make("option", { value: "", text: all }), ...names.map((name) => make("option", { value: name, text: name })));
  return (box.value = names.includes(chosen) ? chosen : "");
}

/** Listen, by rows [target, kinds of events with blanks between, function]; returns a function that ends it. */
export function hearing(...rows) {
  const over = new AbortController();
  for (const [target, kinds, act] of rows) for (const kind of kinds.split(" ")) target.addEventListener(kind, act, { signal: over.signal });
  return () => over.abort();
}

/** Call a function now and in intervals [ms]; returns a function that ends it. */
export function every(interval, act) {
  const timer = setInterval(act, interval);
  act();
  return () => clearInterval(timer);
}

/** Open the next or the previous of some tabs by the arrow keys. */
export function walk(event, tabs) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.click();
  byId(next.id).focus(); // the tabs may have been made again
}

/** A number with a fixed number of decimals and a true minus sign; a dash for none. */
export function fixed(value, digits = 1) {
  if (!Number.isFinite(value)) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

/** A compass angle as three digits. */
export function compass(degrees) {
  if (!Number.isFinite(degrees)) return "–";
  return String(Math.round(((degrees % 360) + 360) % 360) % 360).padStart(3, "0") + "°";
}

/** Simulated seconds as [h:]mm:ss with tenths (or more digits, when time is stepped finely). */
export function clock(seconds, digits = 1) {
  if (!Number.isFinite(seconds)) return "–";
  const scale = 10 ** digits;
  let rest = Math.round(Math.abs(seconds) * scale) / scale;
  const hours = Math.floor(rest / 3600);
  rest -= hours * 3600;
  const minutes = Math.floor(rest / 60);
  const text = (rest - minutes * 60).toFixed(digits).padStart(digits ? 3 + digits : 2, "0");
  const head = hours ? `${hours}:${String(minutes).padStart(2, "0")}` : String(minutes).padStart(2, "0");
  return `${seconds < 0 ? "\u2212" : ""}${head}:${text}`;
}

/** A speed-up: ×1, ×2.5, ×80. */
export const times = (factor) => (Number.isFinite(factor) ? `×${Number(factor.toPrecision(3))}` : "–");

/** Have the browser download a file. */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The value of a colour or a length that the style sheet defines. */
export const styled = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Set a canvas to a size in CSS pixels, in which its context, returned, then draws. */
export function sized(canvas, wide, high) {
  canvas.width = wide * devicePixelRatio;
  canvas.height = high * devicePixelRatio;
  const ctx = canvas.getContext("2d");
  ctx.scale(devicePixelRatio, devicePixelRatio);
  return ctx;
}

/** A function that has `draw` called in the next animation frame, once however often it is called. */
export function nextFrame(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}

/** Draw a filled circle. */
export function disc(ctx, x, y, radius, color) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = color;
  ctx.fill();
}

/** Draw a straight line from one pixel to another. */
export function line(ctx, x, y, toX, toY) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

/** Whether the browser has WebGL. */
export function drawsScenes() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

/** Whether the user prefers reduced motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What to do where there is nothing yet: a sentence and a command, with a button that copies it. */
export function hint(text, command) {
  const copy = make("button", { type: "button", text: "Copy", aria: { label: `Copy ${command}` }, on: { click: async () => {
    try {
      await navigator.clipboard.writeText(command);
      tell("Copied.");
    } catch {
      tell(`The browser does not copy here: ${command}`);
    }
  } } });
  return make("div", {}, make("p.empty", { text }), make("p.command", {}, make("code", { text: command }), copy));
}

const LONGEST_MESSAGE = 300; // characters

/** Show a message on the page, and announce it to screen readers: a note, what is wrong, or refused. */
export function tell(text, kind = "note") {
  const box = byId("tidings");
  const note = make(`p.tiding.${kind}`, { text: text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text });
  box.append(note);
  while (box.children.length > 4) box.firstElementChild.remove();
  setTimeout(() => note.remove(), kind === "note" ? 5000 : 12_000);
}

/** Call a function; show its error, with undefined as the result. */
export async function trying(act) {
  try {
    return await act();
  } catch (error) {
    return tell(error.message, "wrong");
  }
}

/** The link or, for what starts something, the button that a whole card is; a plain click acts here. */
export function whole(text, name, act, href = "") {
  const aria = { label: `${text} ${name}` };
  if (!href) return make("button.whole", { type: "button", text, aria, on: { click: (event) => act(event.currentTarget) } });
  return make("a.button.whole", { href, text, aria, on: { click: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab or window
    event.preventDefault();
    act(event.currentTarget);
  } } });
}
