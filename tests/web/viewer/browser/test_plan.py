"""The map: positions of logs, and that texts of missions are not interpreted as markup."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.web.viewer.browser.conftest import Page, Viewer
from tests.web.viewer.browser.logs import DRAWINGS, straight, write_log

ONLY_GLYPHS = (
    "probe.plan.options.labels = false; probe.plan.options.trail = 'none';"
    "for (const shape of probe.picture.shapes.values()) probe.plan.hidden.add(shape.kind);"
    "probe.picture.select('');"
)
CENTRE = """
const canvas = document.getElementById("map");
const ctx = canvas.getContext("2d");
const {data, width, height} = ctx.getImageData(0, 0, canvas.width, canvas.height);
let [count, x, y] = [0, 0, 0];
for (let k = 0; k < width * height; k++) {
  if (data[4 * k] < 240 || data[4 * k + 1] < 240 || data[4 * k + 2] > 30) continue;
  count += 1; x += k % width; y += Math.floor(k / width);
}
return [count, x / count, y / count];
"""


def positions(log: Path) -> dict[str, list[tuple[float, float]]]:
    """Read NAV_X and NAV_Y of a log, by time since the run began, without any code of ours."""
    found: dict[str, list[tuple[float, float]]] = {"NAV_X": [], "NAV_Y": []}
    text = log.read_text()
    begun = float(re.findall(r"^(\S+)\s+DB_TIME", text, re.MULTILINE)[0])
    for when, name, value in re.findall(
        r"^(-?[\d.]+)\s+(NAV_[XY])\s+\S+\s+(\S+)", text, re.MULTILINE
    ):
        found[name].append((float(when) - begun, float(value)))
    return found


def at(track: list[tuple[float, float]], t: float) -> float:
    """Return the last value of a track that is not later than t."""
    return [value for when, value in track if when <= t + 1e-6][-1]


def test_glyphs_are_at_the_positions_of_the_log(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    track = positions(next(alpha.rglob("*.alog")))
    page.run("probe.theme('dark');" + ONLY_GLYPHS)
    for t in (20.0, 60.0, 110.0, 170.0):
        page.seek(t)
        page.run(ONLY_GLYPHS)
        page.drawn()
        for moved in (0.0, 37.5, -60.0):  # pixels: what is kept is shown moved, and drawn anew
            page.run(
                "const c = probe.plan.camera; probe.plan.look_at(c.x + given[0] / c.scale, c.y);",
                moved,
            )
            page.drawn()
            count, column, row = page.run(CENTRE)
            view = page.see("probe.plan.camera")
            across, up = at(track["NAV_X"], t) - view["x"], at(track["NAV_Y"], t) - view["y"]
            assert count > 20
            assert abs(column - view["width"] / 2 - across * view["scale"]) < 3
            assert abs(row - view["height"] / 2 + up * view["scale"]) < 3


def test_north_is_up_and_east_is_right(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    for heading, (across, down) in {0.0: (0, -1), 90.0: (1, 0)}.items():
        log = write_log(tmp_path / f"{heading:.0f}", straight(20.0, heading))
        page.open(viewer(log))
        page.seek(2.0)
        page.run("probe.plan.look_at(0, 0, 4);")
        before = page.see("probe.plan.place('abe')")
        page.seek(12.0)
        after = page.see("probe.plan.place('abe')")
        assert after[0] - before[0] == pytest.approx(40 * across, abs=1)
        assert after[1] - before[1] == pytest.approx(40 * down, abs=1)


def drawn_log(folder: Path) -> Path:
    """Write a log: all is drawn at 2 s, points again at 6 s, lines are erased at 8 s."""
    entries = straight(20.0)
    for variable, (text, _) in DRAWINGS.items():
        entries.append((2.0, variable, text))
    entries += [
        (6.0, "VIEW_POINT", "x=15,y=15,label=p"),
        (8.0, "VIEW_SEGLIST", "pts={0,0:9,0:0,9},active=false,label=s"),
        (2.0, "VIEW_CIRCLE", "x=0,y=-40,radius=5,label=brief,time=2,duration=3"),
        (9.0, "VIEW_GRID_DELTA", "psg@replace@0,10"),
    ]
    return write_log(folder, entries)


def keys(page: Page) -> list[str]:
    return list(page.see("[...probe.picture.shapes.values()].map((s) => `${s.kind} ${s.label}`)"))


def test_every_drawing_changes_the_plan(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    page.open(viewer(drawn_log(tmp_path / "log")))
    page.seek(4.0)
    page.run("probe.plan.look_at(0, 0, 4);")
    assert set(page.see("[...probe.picture.shapes.values()].map((s) => s.kind)")) == {
        kind for _, kind in DRAWINGS.values()
    }
    for _, kind in DRAWINGS.values():
        with_it, without = page.run(
            """
            const all = [...probe.picture.shapes.values()];
            const image = async () => {
              const before = probe.plan.drawn; probe.plan.refresh();
              while (probe.plan.drawn === before) await new Promise(requestAnimationFrame);
              return document.getElementById("map").toDataURL();
            };
            for (const shape of all) probe.plan.hidden.add(shape.kind);
            const without = await image();
            probe.plan.hidden.delete(given[0]);
            return [await image(), without];
            """,
            kind,
        )
        assert with_it != without, f"nothing is seen of {kind}"


def test_drawings_are_replaced_erased_and_expire(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(drawn_log(tmp_path / "log")))
    page.seek(4.0)
    assert "seglist s" in keys(page)
    assert "circle brief" in keys(page)
    point = "[...probe.picture.shapes.values()].find((s) => s.kind === 'point' && s.label === 'p')"
    assert page.see(f"{point}.x") == 10
    page.seek(7.0)
    assert "circle brief" not in keys(page)
    assert page.see(f"{point}.x") == 15
    page.seek(8.5)
    assert "seglist s" not in keys(page)
    cells = "[...probe.picture.shapes.values()].find((s) => s.kind === 'grid').cells"
    before = page.see(cells)
    page.seek(10.0)
    assert page.see(cells) != before


def test_markup_of_a_mission_is_text(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    evil = "<img src=x onerror=window.broken=1>"
    entries = straight(10.0)
    entries += [(1.0, "EVIL", evil), (1.0, "VIEW_POINT", f"x=1,y=1,label={evil}")]
    page.open(viewer(write_log(tmp_path / "log", entries)))
    page.seek(5.0)
    page.run("await probe.open('values');")
    page.until("document.getElementById('panel').textContent.includes('onerror')")
    page.run("await probe.open('chart');")
    assert page.see("document.querySelector('#panel img, #panel script')") is None
    assert page.see("window.broken ?? 'whole'") == "whole"


def test_following_keeps_where_a_pan_put_the_vessel(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(20.0))))
    page.seek(2.0)
    page.run("probe.plan.look_at(0, 0, 5); probe.plan.follow(true);")
    page.drawn()
    middle = page.see("[probe.plan.camera.width / 2, probe.plan.camera.height / 2]")
    assert page.see("probe.plan.place('abe')") == pytest.approx(middle, abs=1)
    drag(page, 120, 60)
    page.drawn()
    moved = page.see("probe.plan.place('abe')")
    assert moved == pytest.approx([middle[0] + 120, middle[1] + 60], abs=2)
    page.seek(15.0)
    assert page.see("probe.plan.place('abe')") == pytest.approx(moved, abs=1)
    page.run("probe.plan.follow(false);")


def drag(page: Page, across: int, down: int) -> None:
    """Drag on the plan."""
    from selenium.webdriver.common.action_chains import ActionChains

    canvas = page.find("#map")
    chain: Any = ActionChains(page.driver).move_to_element_with_offset(canvas, 50, 150)
    chain.click_and_hold().move_by_offset(across // 2, down // 2)
    chain.move_by_offset(across - across // 2, down - down // 2).release().perform()


def test_measuring_reports_length_and_bearing(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(20.0))))
    page.run("probe.plan.look_at(0, 0, 4); document.getElementById('map').focus();")
    page.keys("m")
    drag(page, 120, 0)
    line = page.see("probe.plan.line")
    assert line[1][0] - line[0][0] == pytest.approx(30, abs=0.6)
    assert re.search(r"(29|30)\.\d m\s+0(89|90|91)°", page.words("#cursor"))
    page.keys("m")


def test_a_background_in_degrees_is_placed_by_geodesy(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(5.0))))
    for x, y in ((0.0, 0.0), (350.0, -120.0), (-2000.0, 900.0)):
        reported = page.run(
            "const {plane} = await import('./geodesy.js');"
            "const {lat, lon} = await probe.wire.do('latlon', {x: given[0], y: given[1]});"
            "return plane(probe.picture.hello.datum)(lat, lon);",
            x,
            y,
        )
        assert reported == pytest.approx([x, y], abs=0.01)


ISLAND = """
const {lat, lon} = await probe.wire.do("latlon", {x: 0, y: 0});
const north = (y) => lat + y / 111_400;
const east = (x) => lon + x / (111_400 * Math.cos(lat * Math.PI / 180));
const ring = (half) => [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]
  .map(([x, y]) => [east(half * x), north(half * y)]);
return JSON.stringify({type: "FeatureCollection", features: [
  {type: "Feature", properties: {name: "atoll"},
   geometry: {type: "Polygon", coordinates: [ring(60), ring(20)]}},
  {type: "Feature", properties: {name: "<b>buoy</b>"},
   geometry: {type: "Point", coordinates: [east(80), north(0)]}},
]});
"""
COLOUR = """
const [column, row] = [probe.plan.camera.column(given[0]), probe.plan.camera.row(given[1])];
const ctx = document.getElementById("map").getContext("2d");
return [...ctx.getImageData(column, row, 1, 1).data];
"""


def test_a_geojson_file_is_painted_under_the_plan(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(5.0))))
    page.run("probe.plan.look_at(10, 10, 3);")
    page.drawn()
    places = {"land": (-41, 41), "lagoon": (-11, 13), "sea": (-73, 47), "buoy": (80, 0)}
    before = {name: page.run(COLOUR, *place) for name, place in places.items()}
    file = tmp_path / "atoll.geojson"
    file.write_text(page.run(ISLAND))
    page.run("await probe.open('chart');")
    page.find("#panel input[type=file]").send_keys(str(file))
    page.until("document.getElementById('tidings').textContent.includes('is shown on the map')")
    page.drawn()
    after = {name: page.run(COLOUR, *place) for name, place in places.items()}
    changed = {name for name in places if after[name] != before[name]}
    assert changed == {"land", "buoy"}
    assert page.see("document.querySelector('b')") is None
    file.write_text("{}")
    page.find("#panel input[type=file]").send_keys(str(file))
    page.until("document.getElementById('tidings').textContent.includes('no GeoJSON')")


def test_a_background_that_the_mission_names_is_painted(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "plain", straight(5.0))))
    text = page.run(ISLAND)
    block = "ProcessConfig = pMarineViewer\n{\n  tiff_file = atoll.geojson\n}\n"
    folder = write_log(tmp_path / "log", straight(5.0), mission=block)
    (folder / "atoll.geojson").write_text(text)
    page.open(viewer(folder))
    page.until("probe.plan.background.length === 1")
    page.run("probe.plan.look_at(10, 10, 3);")
    page.drawn()
    assert page.run(COLOUR, -41, 41) != page.run(COLOUR, -73, 47)


def test_pictures_lie_at_their_coordinates(page: Page, viewer: Viewer, tmp_path: Path) -> None:
    """A chart of the mission, and one named for the viewer: half of each is green."""
    chart = Image.new("RGB", (100, 60), (0, 255, 0))
    chart.paste((255, 0, 0), (0, 0, 50, 60))
    block = "ProcessConfig = pMarineViewer\n{\n  tiff_file = bay.tif\n}\n"
    folder = write_log(tmp_path / "log", straight(5.0), mission=block)
    page.open(viewer(folder))
    place = "const {lat, lon} = await probe.wire.do('latlon', {x: given[0], y: given[1]});"
    corner = f"{place} return [lat, lon];"
    (north, west), (south, east) = page.run(corner, -50, 80), page.run(corner, 50, 20)
    chart.save(folder / "bay.tif")
    words = f"lat_north={north}\nlat_south={south}\nlon_east={east}\nlon_west={west}\n"
    (folder / "bay.info").write_text(words)
    chart.transpose(Image.Transpose.ROTATE_180).save(tmp_path / "own.png")
    (north, west), (south, east) = page.run(corner, -50, -20), page.run(corner, 50, -80)
    words = f"lat_north={north}\nlat_south={south}\nlon_east={east}\nlon_west={west}\n"
    (tmp_path / "own.info").write_text(words)
    page.open(viewer(folder, "--chart", str(tmp_path / "own.png")))
    page.until("probe.plan.background.length === 2")
    page.run("probe.plan.look_at(0, 0, 3);")
    page.drawn()
    for x, y, green in ((-4, 75, 0), (4, 75, 1), (-4, 25, 0), (4, -25, 0), (-4, -75, 1)):
        red, blue = page.run(COLOUR, x, y)[:2]
        assert (blue > red) == bool(green), (x, y)
    outside = [page.run(COLOUR, *place) for place in ((-53, 50), (53, 50), (0, 83), (0, -83))]
    assert all(abs(red - green) < 60 for red, green, *_ in outside)


def test_ten_hours_of_a_vessel_are_kept_within_a_tolerance(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", straight(5.0))))
    size, count, worst = page.run(
        """
        const {Track} = await import("./tracks.js");
        const track = new Track();
        const place = (t) => [300 * Math.sin(t / 90), 150 * Math.sin(t / 35)];
        for (let t = 0; t < 36000; t += 1) track.add(t, ...place(t));
        const {xy, t, count} = track.levels[0];
        let [worst, k] = [0, 0];
        for (let s = 0; s < 35000; s += 1) {
          while (t[k + 1] < s) k += 1;
          const [x, y] = place(s);
          const [ax, ay, bx, by] = xy.slice(2 * k, 2 * k + 4);
          const across = (bx - ax) * (ay - y) - (ax - x) * (by - ay);
          worst = Math.max(worst, Math.abs(across) / Math.hypot(bx - ax, by - ay));
        }
        return [track.bytes, count, worst];
        """
    )
    assert worst < 0.15  # metres; the finest level is within 0.06 m of its cone
    assert size < 1.5e6  # bytes: 200 such vessels would take 300 MB, an hour of them 30 MB
    assert count < 36000


INK = """
const [x, y] = given, {plan} = probe, {camera} = plan;
const corner = [camera.column(x) - 4, camera.row(y) - 4];
const box = [...corner, 9, 9].map((one) => Math.round(one * plan.ratio));
const {data} = plan.ctx.getImageData(...box);
const ink = plan.others[0].ships(plan.look)[0].ink;
const wanted = [1, 3, 5].map((k) => parseInt(ink.slice(k, k + 2), 16));
const near = (k) => wanted.every((part, j) => Math.abs(data[4 * k + j] - part) < 12);
return [...Array(data.length / 4).keys()].some(near);
"""


def test_two_runs_are_told_apart_by_names_and_colours_and_both_are_whole(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    """The other's vessel goes on for 40 s, 60 m to the north; there is one that is not here."""
    write_log(tmp_path / "calm" / "run", straight(30.0))
    other = tmp_path / "gale" / "run"
    write_log(other / "LOG_ABE", straight(70.0, heading=0.0))
    write_log(other / "LOG_EVE", straight(30.0, heading=180.0), name="eve")
    page.open(viewer(tmp_path / "calm" / "run", other))
    page.until("probe.plan.others.length === 1")
    page.seek(20.0)
    ships = "probe.plan.others[0].ships(probe.plan.look)"
    assert page.see(f"{ships}.map((ship) => [ship.label, ship.x, ship.y])") == [
        ["abe (gale)", pytest.approx(0.0, abs=1e-6), pytest.approx(20.0)],
        ["eve (gale)", pytest.approx(0.0, abs=1e-6), pytest.approx(-20.0)],
    ]
    assert page.see("probe.plan.others[0].here") == "calm"
    assert page.see(f"{ships}[0].ink !== probe.picture.vessel('abe').ink")
    page.drawn()
    assert page.see("probe.plan.taken.boxes.length") == 6  # three vessels, three names
    assert page.run(INK, 0.0, 35.0)
    assert page.run(INK, 0.0, 62.0)  # after the run that is shown has ended
    assert not page.run(INK, 15.0, 30.0)


def test_names_of_vessels_that_meet_are_all_shown_at_every_zoom(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    entries = straight(10.0)
    for k in range(9):
        report = f"NAME=v{k},X={0.4 * k},Y={0.3 * k},SPD=1,HDG=90,TYPE=kayak,LENGTH=4,TIME=5"
        entries.append((5.0, "NODE_REPORT", report))
    page.open(viewer(write_log(tmp_path / "meet", entries)))
    page.seek(6.0)
    page.until("probe.picture.vessels.filter((ship) => Number.isFinite(ship.x)).length === 10")
    for scale in (20, 2, 0.2, 20):
        page.run(f"probe.plan.look_at(2, 1, {scale});")
        page.drawn()
        boxes = page.see("probe.plan.taken.boxes")
        names = boxes[10:]
        assert len(names) == 10, scale
        for i, one in enumerate(names):
            assert not any(
                one["left"] < two["right"]
                and two["left"] < one["right"]
                and one["top"] < two["bottom"]
                and two["top"] < one["bottom"]
                for two in names[:i]
            )
