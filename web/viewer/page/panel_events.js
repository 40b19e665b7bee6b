// Events panel: mode changes, warnings, cases, posts by hand, errors.

import { clock, make } from "./dom.js";

const MOST = 300;

export default function events(box, page) {
  const { picture } = page;
  const list = make("ul.events");
  const empty = make("p.empty", { text: "Nothing yet. Changes of mode, warnings and posts by hand appear here." });
  box.append(empty, list);
  const add = (entry) => {
    empty.hidden = true;
    const text = `${picture.hello.communities.length > 1 && entry.community ? `${entry.community}: ` : ""}${entry.text}`;
    list.prepend(make("li", {}, make("time", { text: clock(entry.t) }),
      make(/warning|refused|error/.test(entry.kind) ? "span.wrong" : "span", {}, make("span.quiet", { text: `${entry.kind} ` }), text)));
    while (list.children.length > MOST) list.lastElementChild.remove();
  };
  for (const entry of picture.events.slice(-MOST)) add(entry);
  const hear = (event) => add(event.detail);
  picture.addEventListener("event", hear);
  return { close: () => picture.removeEventListener("event", hear) };
}
