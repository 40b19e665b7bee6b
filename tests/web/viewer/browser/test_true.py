"""What a panel shows belongs to the source and to the time cursor; no drawing blanks the map."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tests.web.viewer.browser.conftest import Page, Viewer
from tests.web.viewer.browser.logs import Entry, straight, write_log

# All that panels are made of, as text that does not depend on the order of messages.
SEEN = """
const seen = (picture) => JSON.stringify({
  values: [...picture.values].sort(([a], [b]) => (a < b ? -1 : 1)),
  shapes: [...picture.shapes].sort(([a], [b]) => (a < b ? -1 : 1)),
  helms: [...picture.helms].sort(),
  events: picture.events,
  troubles: picture.troubles.rows,
  time: picture.t,
  vessels: picture.vessels.map((v) => [v.name, v.x, v.y, v.heading, v.speed, v.age, v.stale]),
});
"""
# What a page shows that is opened now, and goes to a time first.
FRESH = (
    SEEN
    + """
const [{ Picture }, { Wire }] = await Promise.all([import("/picture.js"), import("/wire.js")]);
const picture = new Picture();
let wire;
const shown = new Promise((done) => {
  const ears = picture.ears();
  let sought = false;
  wire = new Wire(given[0], { ...ears, picture: async (frame) => {
    ears.picture(frame);
    if (sought) return;
    sought = true;
    await wire.do("watch", { patterns: ["*"] });
    await wire.do("seek", { t: given[1] });
    setTimeout(done, 900);
  } });
});
await shown;
wire.close();
return seen(picture);
"""
)
GO = (
    SEEN
    + """
await probe.wire.do("seek", { t: given[0] });
await new Promise((done) => setTimeout(done, 900));
return seen(probe.picture);
"""
)


def eventful(name: str, seed: int) -> list[Entry]:
    """Return the log of a vessel with variables, drawings and a helm that come and go."""
    chance = random.Random(seed)
    entries = [(t, v, x) for t, v, x in straight(60.0) if v != "NODE_REPORT_LOCAL"]
    for k in range(60):
        entries.append((0.5 + k, f"{name.upper()}_LATE_{k:02}", float(k)))
        entries.append((0.6 + k, "IVPHELM_STATE", chance.choice(["PARK", "DRIVE"])))
        entries.append((0.7 + k, "IVPHELM_BHV_ACTIVE", chance.choice(["survey", "return", ""])))
        label, lasts = chance.choice("abc"), chance.choice([3, 20])
        x = chance.choice(["5", "-5", "what", "1e308"])
        text = f"x={x},y=1,radius={chance.choice([4, -4])},label={label},duration={lasts}"
        entries.append((0.8 + k, chance.choice(["VIEW_POINT", "VIEW_CIRCLE"]), text))
        entries.append((0.9 + k, "BHV_WARNING", f"warning {k // 7}"))
    return [(t, v, x) for t, v, x in entries if not (v == "VIEW_POINT" and "radius" in str(x))]


def test_wherever_the_cursor_was_before_a_page_shows_what_a_new_one_shows(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", eventful("abe", 3))))
    page.run("await probe.open('values');")
    source = page.see("probe.layout.source")
    times = random.Random(5).sample([k / 4 for k in range(240)], 5)
    for time in [55.0, *times, 0.0]:
        assert json.loads(page.run(GO, time)) == json.loads(page.run(FRESH, source, time))
        shown = page.until("document.querySelectorAll('#panel tbody tr').length")
        assert shown == page.see("probe.picture.values.size")


def test_after_a_second_log_is_opened_nothing_of_the_first_remains(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    first = write_log(tmp_path / "abe", eventful("abe", 1), "abe")
    second = write_log(tmp_path / "ben", eventful("ben", 2), "ben")
    page.open(viewer(first, second))
    titles = {one["id"]: one["title"] for one in page.see("probe.home.sources")}
    assert page.see("probe.picture.hello.communities") == ["abe"]
    page.seek(50.0)
    page.run("await probe.open('values'); probe.picture.select('abe');")
    page.until("probe.picture.values.size > 50")
    other = next(id_ for id_, title in titles.items() if title == "ben")
    page.run("await probe.show(given[0]);", other)
    page.until("probe.picture.hello?.communities[0] === 'ben'")
    page.seek(10.0)
    page.until("document.querySelectorAll('#panel tbody tr').length > 5")
    assert page.see("[...probe.picture.values.values()].map((one) => one.community)").count(
        "ben"
    ) == page.see("probe.picture.values.size")
    assert json.loads(page.run(SEEN + "return seen(probe.picture);"))["events"]
    for part in ("document.body.innerText", SEEN_OF_ALL):
        assert "abe" not in page.see(part).lower().replace("label", "")


SEEN_OF_ALL = (
    "JSON.stringify([...probe.picture.rows.keys(), ...probe.picture.shapes.keys(),"
    " ...probe.picture.helms.keys(), probe.picture.selected, ...probe.picture.events,"
    " ...probe.picture.actuators.keys()])"
)


def colored(page: Page) -> int:
    """Return how many pixels of the map have the colour of the drawing in the middle."""
    found = page.run(
        """
        const { canvas } = probe.plan;
        const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
        let count = 0;
        for (let k = 0; k < data.length; k += 4)
          count += data[k] > 200 && data[k + 1] < 80 && data[k + 2] > 200;
        return count;
        """
    )
    assert isinstance(found, int)
    return found


def test_the_details_of_a_vessel_come_back_with_the_vessel(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(30.0))))
    page.run("await probe.open('vessels');")
    page.until("document.querySelector('#panel dl dt')")
    # For a moment a run that is rewound has no vessel.
    page.run("probe.had = [probe.picture.rows, probe.picture.vessels];")
    page.run("probe.picture.rows = new Map(); probe.picture.vessels = [];")
    page.until("!document.querySelector('#panel dl')")
    page.run("[probe.picture.rows, probe.picture.vessels] = probe.had;")
    page.until("document.querySelector('#panel dl dt')")


BAD = (
    ("VIEW_CIRCLE", "x=0,y=0,radius=-5,label=negative"),
    ("VIEW_CIRCLE", "x=0,y=0,radius=1e308,label=vast"),
    ("VIEW_POINT", "x=1e300,y=0,label=far"),
    ("VIEW_SEGLIST", "pts={0,0:1e20,5},label=line"),
    ("VIEW_POLYGON", "format=radial,x=0,y=0,radius=5,pts=1000000000,label=many"),
    ("VIEW_GRID", "pts={0,0:1e6,0:1e6,1e6:0,1e6},cell_size=0.01,cell_vars=x:0,label=fine"),
)


def test_drawings_that_cannot_be_shown_are_named_and_harm_no_other(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    good = "pts={-20,-20:20,-20:20,20:-20,20},label=good,edge_color=magenta,edge_size=3"
    entries: list[Entry] = [*straight(30.0, speed=0.1), (1.0, "VIEW_POLYGON", good)]
    entries += [(2.0 + k, name, text) for k, (name, text) in enumerate(BAD)]
    page.open(viewer(write_log(tmp_path / "log", entries)))
    page.seek(1.5)
    before = colored(page)
    assert before > 100
    page.seek(20.0)
    page.until(f"document.getElementById('troubles').innerText.startsWith('{len(BAD)} drawings')")
    page.drawn()
    assert colored(page) == before  # the view is not zoomed out, and the rest is drawn
    page.press(f"{len(BAD)} drawings are not shown")
    page.until("document.getElementById('troubles-list')")
    told = page.words("#troubles-list")
    for word in ("radius = -5", "1e+308", "VIEW_GRID", "VIEW_POLYGON", "VIEW_SEGLIST"):
        assert word in told
    # What a server should never send is no end of the map, either.
    page.run(
        "const bad = { key: 'z', community: 'abe', kind: 'circle', x: 0, y: 0, radius: -1 };"
        "probe.picture.ears().shapes({ put: [bad], drop: [] });"
    )
    page.drawn()
    assert colored(page) == before
    page.until(f"document.getElementById('troubles').innerText.startsWith('{len(BAD) + 1} ')")


def test_of_very_many_drawings_the_latest_are_shown_at_once(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    entries = straight(30.0)
    for k in range(20_000):
        text = f"x={k % 200},y={k // 200},label=point_{k},vertex_size=4"
        entries.append((1.0 + k / 1000, "VIEW_POINT", text))
    page.open(viewer(write_log(tmp_path / "log", entries)))
    page.seek(25.0)
    page.until("document.getElementById('troubles').innerText.includes('only the latest')")
    assert page.see("probe.picture.shapes.size") == 5000
    assert page.see("probe.picture.shapes.has('abe VIEW_POINT point_19999')")
    assert page.see("probe.plan.milliseconds") < 2000
    labels: list[Any] = page.run(
        """
        const drawn = [];
        const { fillText } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
          const wide = this.measureText(text).width;
          if (text.startsWith("point_")) drawn.push([x, y, wide, this.textAlign]);
          return fillText.call(this, text, x, y);
        };
        probe.plan.shapes.key = "";
        probe.plan._draw();
        CanvasRenderingContext2D.prototype.fillText = fillText;
        return drawn;
        """
    )
    assert 10 < len(labels) <= 400
    boxes = [(x if side == "left" else x - wide, y, wide) for x, y, wide, side in labels]
    for k, (x, y, wide) in enumerate(boxes):
        for other_x, other_y, other_wide in boxes[:k]:
            apart = x + wide <= other_x + 1 or other_x + other_wide <= x + 1
            assert apart or abs(y - other_y) >= 11
