// Events panel: the marks up to the time cursor, the latest first, by kind.

import { clock, every, keyed, make, offered, say } from "./dom.js";

const MOST = 300; // rows that are shown
const EVERY = 250; // ms

export default function events(box, page) {
  const { picture } = page;
  const memory = (page.memory.events ??= { kind: "" });
  const kinds = make("select", { aria: { label: "Kind of events" }, on: { change: () => { memory.kind = kinds.value; show(); } } });
  const list = make("ul.events");
  const empty = make("p.empty");
  box.append(make("div.row", {}, kinds), ...(picture.can("note") ? [noting(page)] : []), empty, list);
  let shown = "";
  const show = () => {
    memory.kind = offered(kinds, "all events", [...new Set(picture.marks.map(({ kind }) => kind))].sort(), memory.kind);
    const now = picture.events.filter((mark) => !memory.kind || mark.kind === memory.kind);
    const key = `${picture.marks.length} ${now.length} ${memory.kind} ${picture.notes.length}`;
    if (key === shown) return;
    shown = key;
    empty.hidden = now.length > 0;
    say(empty, picture.marks.length ? "No event of this kind up to the time cursor." : "No events yet: changes of mode, warnings, posts by hand, alerts, collisions and ends of behaviors appear here.");
    keyed(list, now.slice(-MOST).reverse(), (mark) => `${mark.t} ${mark.community} ${mark.kind} ${mark.text}`, (mark) => row(page, mark));
  };
  return { close: every(EVERY, show) };
}

function noting(page) {
  const text = make("input", { placeholder: "A note at this time", aria: { label: "Note" }, maxLength: 300, required: true });
  return make("form.row", { on: { submit: async (event) => {
    event.preventDefault();
    const done = await page.do("note", { t: page.picture.t, text: text.value });
    if (done !== undefined) text.value = "";
  } } }, text, make("button", { type: "submit", text: "Add note" }));
}

function row(page, { t, community, kind, text }) {
  const { picture } = page;
  const where = picture.hello.communities.length > 1 && community ? `${community}: ` : "";
  const time = picture.replay
    ? make("button.when", { type: "button", text: clock(t), title: "Go there", on: { click: () => page.do("seek", { t }) } })
    : make("time", { text: clock(t) });
  const remove = kind === "note" && picture.can("unnote")
    ? make("button.when", { type: "button", text: "×", title: "Remove", aria: { label: `Remove the note ${text}` }, on: { click: () => page.do("unnote", { t, text }) } }) : null;
  return make("li", {}, time, make(/warning|refused|error|collision/.test(kind) ? "span.wrong" : "span", {}, make("span.quiet", { text: `${kind} ` }), `${where}${text}`), remove);
}
