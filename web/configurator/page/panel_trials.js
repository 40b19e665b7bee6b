// Trials panel: figures and curves, compared with the previous version or another vessel; PID gains.

import { fill, make, tell } from "./dom.js";
import { chart } from "./chart.js";
import { work } from "./work.js";

const KINDS = { acceleration: "Straight run from rest", turning_circle: "Turning circle", zigzag_10: "Zig-zag 10°/10°", zigzag_20: "Zig-zag 20°/20°", rudder_step: "Step of the rudder", thrust_step: "Step of thrust", stop: "Stop", crash_stop: "Crash stop", roll_decay: "Roll decay", waves: "Waves of sea state 3" };

export default function trials(box, page) {
  const { studio } = page;
  const kind = make("select", { id: "trial-kind", aria: { label: "Trial" } }, ...Object.entries(KINDS).map(([key, text]) => make("option", { value: key, text })));
  kind.value = page.memory.trial ?? "acceleration";
  const others = [["", "nothing"], ["last", "the version before"], ...(studio.state.origin ? [["saved", "what was saved"]] : []), ...page.home.drafts.filter((one) => one.id !== studio.id).map((one) => [one.id, `${one.name} (being edited)`]), ...page.home.templates.map(({ name }) => [name, name])];
  const beside = make("select", { id: "trial-beside", aria: { label: "Compared with" } }, ...others.map(([value, text]) => make("option", { value, text })));
  beside.value = page.memory.beside ?? "last";
  const status = make("div");
  const shown = make("div", { id: "trial-result" });
  const run = make("button.primary", { type: "button", text: "Run" });
  const gains = make("button", { type: "button", text: "Find PID gains" });
  const doubts = make("button", { type: "button", text: "Plausibility warnings" });
  const kept = (page.memory.trials ??= {});
  const show = () => {
    const record = kept[`${studio.id} ${kind.value}`];
    fill(shown, ...(record ? results(record, beside.selectedOptions[0]?.textContent) : []));
  };
  run.onclick = () => busy([run, gains, doubts], async () => {
    const answer = await work(page, status, { do: "trial", kind: kind.value });
    if (!answer) return;
    const key = `${studio.id} ${kind.value}`;
    const old = kept[key]?.now ?? null;
    let other = beside.value === "last" ? old : null;
    if (beside.value && beside.value !== "last") other = (await work(page, status, { do: "trial", kind: kind.value, of: beside.value }))?.result ?? null;
    kept[key] = { now: answer.result, other };
    show();
  });
  gains.onclick = () => busy([run, gains, doubts], async () => {
    const answer = await work(page, status, { do: "gains" });
    if (answer) fill(shown, make("h3", { text: "pMarinePIDV22 with the gains found" }), make("pre.cast", { text: answer.result }), page.home.read_only ? null : write(page, answer.result));
  });
  doubts.onclick = () => busy([run, gains, doubts], async () => {
    if (studio.findings?.revision !== studio.revision) {
      const answer = await work(page, status, { do: "doubts" });
      if (!answer) return;
      studio.findings = { revision: answer.revision, rows: answer.result };
      studio.dispatchEvent(new Event("check"));
    }
    fill(shown, ...found(studio.findings.rows));
  });
  kind.onchange = () => {
    page.memory.trial = kind.value;
    show();
  };
  beside.onchange = () => (page.memory.beside = beside.value);
  fill(box,
    make("p", { text: "Trials of the vessel as it is now, in calm water except for the waves. The first run of a model is compiled, which may take up to 40 s." }),
    make("div.row", {}, kind, make("label.row", {}, "compared with", beside), run),
    make("div.row", {}, gains, doubts), status, shown);
  show();
  if (page.memory.asked === "doubts") doubts.click();
  delete page.memory.asked;
  return null;
}

/** What plausibility rules say: warnings, and facts that are no fault. */
function found(rows) {
  const list = (kind, style) => rows.filter(([one]) => one === kind).map(([, text]) => make(`li${style}`, { text }));
  const [warnings, facts] = [list("warning", ".mistake"), list("fact", "")];
  return [make("h3", { text: "Warnings" }), warnings.length ? make("ul", {}, ...warnings) : make("p", { text: "None of the rules is broken." }),
    ...(facts.length ? [make("h3", { text: "Facts" }), make("ul", {}, ...facts)] : [])];
}

async function busy(buttons, act) {
  for (const button of buttons) button.disabled = true;
  await act();
  for (const button of buttons) button.disabled = false;
}

function results({ now, other }, besideName) {
  const old = new Map((other?.figures ?? []).map(([name, value]) => [name, value]));
  const limited = now.figures.some(([, , , limit]) => limit !== null);
  const most = (value, unit, limit) => limit === null ? make("td") : make(`td.num${value > limit ? ".wrong" : ""}`, { text: `${words(limit, unit)}${value > limit ? ", exceeded" : ""}` });
  const rows = now.figures.map(([name, value, unit, limit]) => make("tr", {}, make("td", { text: name }), make("td.num", { text: words(value, unit) }), limited ? most(value, unit, limit) : null, other ? make("td.num", { text: old.has(name) ? words(old.get(name), unit) : "–" }) : null));
  const head = make("tr", {}, ...["", "now", ...(limited ? ["IMO limit"] : []), ...(other ? [besideName] : [])].map((text) => make("th", { text })));
  const charts = now.charts.map((one, i) => {
    const before = other?.charts[i]?.curves ?? [];
    return chart(one, [...one.curves.map((curve) => ({ ...curve, name: before.length ? `${curve.name}, now` : curve.name })), ...before.map((curve) => ({ ...curve, name: `${curve.name}, ${besideName}`, old: true }))]);
  });
  const source = limited ? [make("p.hint", { text: "Limits of IMO MSC.137(76) for ships of 100 m and more, by length and speed; smaller craft should do better." })] : [];
  return [make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)), ...source, ...charts];
}

const words = (value, unit) => `${Number(value.toPrecision(4))} ${unit === "1" ? "" : unit}`;

/** The button that writes a controller's block to the vessel's folder. */
function write(page, text) {
  return make("button", { type: "button", text: "Write marine_pid.moos", on: { click: async () => {
    const done = await page.try(() => page.studio.put("marine_pid.moos", new Blob([`${text}\n`])));
    if (done) tell("marine_pid.moos holds the block; it can be undone.");
  } } });
}
