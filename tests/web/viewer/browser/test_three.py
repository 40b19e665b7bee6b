"""The 3-D view: frames, hulls, actuators, and the artificial horizon without WebGL."""

from __future__ import annotations

import shutil
from math import radians
from pathlib import Path

import pytest

from tests.web.viewer.browser.conftest import ROOT, Page, Viewer
from tests.web.viewer.browser.logs import Entry, straight, write_log

BOW, STARBOARD = "[1, 0, 0]", "[0, 1, 0]"
PIXELS = """
const gl = document.querySelector("#scene canvas").getContext("webgl2");
const shown = await probe.part("scene");
shown.renderer.render(shown.scene, shown.camera);
const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
const data = new Uint8Array(4 * w * h);
gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
const colors = new Set();
for (let k = 0; k < 4 * w * h; k += 28) colors.add(data.slice(k, k + 3).join());
return [colors.size, gl.getParameter(gl.VERSION)];
"""


def attitudes() -> list[Entry]:
    """Return a log: heading north, bow up at 5 s, starboard down at 10 s; at 15 s it dives."""
    entries = straight(20.0, 0.0, 0.0)
    for t, pitch, roll in ((0.0, 0, 0), (5.0, 20, 0), (6.0, 0, 0), (10.0, 0, 30), (11.0, 0, 0)):
        entries += [(t, "NAV_PITCH", radians(pitch)), (t, "NAV_ROLL", radians(roll))]
    return entries + [(15.0 + k / 10, "NAV_DEPTH", 7.0) for k in range(50)]


def otter(folder: Path) -> Path:
    """Write a log of an Otter that turns its propellers."""
    mission = "ProcessConfig = uSimMarineV22\n{\n  vessel = inputs/otter\n}\n"
    state = "t={0},x=0,y=0,r_dot=0,n_1={1},n_2={1}"
    entries = straight(10.0) + [
        (k / 10, "USM_STATE", state.format(k / 10, 50.0)) for k in range(100)
    ]
    return write_log(folder, entries, mission=mission)


@pytest.fixture
def deep(solid: Page, viewer: Viewer) -> Page:
    """Return the browser that has WebGL."""
    solid.driver.get_log("browser")
    return solid


def place(page: Page, point: str) -> list[float]:
    """Return where a point of BODY is in the scene: east, up, south of the datum."""
    return list(page.see(f"(await probe.part('scene')).place('abe', {point})"))


def test_frames_are_right_side_up(deep: Page, viewer: Viewer, tmp_path: Path) -> None:
    deep.open(viewer(write_log(tmp_path / "log", attitudes())))
    deep.seek(2.0)
    deep.run("await probe.three(true);")
    origin = place(deep, "[0, 0, 0]")
    assert place(deep, BOW) == pytest.approx([origin[0], 0, origin[2] - 1], abs=1e-6)
    assert place(deep, STARBOARD) == pytest.approx([origin[0] + 1, 0, origin[2]], abs=1e-6)
    deep.seek(5.5)
    assert place(deep, BOW)[1] > 0.3
    assert place(deep, STARBOARD)[1] == pytest.approx(0, abs=1e-6)
    deep.seek(10.5)
    assert place(deep, STARBOARD)[1] == pytest.approx(-0.5, abs=1e-3)
    assert place(deep, BOW)[1] == pytest.approx(0, abs=1e-6)
    deep.seek(16.0)
    assert place(deep, "[0, 0, 0]")[1] == pytest.approx(-7)
    deep.run("await probe.three(false);")


def test_a_turn_to_starboard_takes_the_bow_east(deep: Page, viewer: Viewer, tmp_path: Path) -> None:
    deep.open(viewer(write_log(tmp_path / "log", straight(5.0, 30.0, 0.0))))
    deep.seek(2.0)
    deep.run("await probe.three(true);")
    bow = place(deep, BOW)
    assert bow[0] == pytest.approx(0.5, abs=1e-6)
    assert bow[2] == pytest.approx(-(3**0.5) / 2, abs=1e-6)


def test_webgl_draws_a_hull_and_propellers_that_turn(
    deep: Page, viewer: Viewer, tmp_path: Path
) -> None:
    deep.open(viewer(otter(tmp_path / "log")))
    deep.seek(2.0)
    deep.run("await probe.three(true);")
    model = "(await probe.part('scene')).models.get('abe')"
    deep.until(f"{model}?.known?.actuators?.length >= 2")
    deep.until("(await probe.part('scene')).drawn > 0")
    colors, version = deep.run(PIXELS)
    assert "WebGL 2" in version
    assert colors > 20
    turned = f"{model}.parts[0].group.children[0].rotation.x"
    before = deep.see(turned)
    deep.run("await probe.wire.do('play', {speed: 1});")
    deep.until(f"Math.abs({turned} - {before}) > 0.2")
    deep.run("await probe.wire.do('play', {speed: 0}); await probe.three(false);")


def test_without_webgl_an_artificial_horizon_is_shown(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", attitudes())))
    page.seek(5.5)
    page.run("await probe.three(true);")
    page.until("document.querySelector('#scene .notice')?.textContent.includes('WebGL')")
    page.until("document.querySelector('#scene canvas').width > 100")
    page.run("await probe.three(false);")


def box(draft: float) -> str:
    """Return a WAMIT mesh: bottom and side of a box of 2 m by 0.6 m, the rest by symmetry."""
    bottom = (-1, 0, -draft, 1, 0, -draft, 1, 0.3, -draft, -1, 0.3, -draft)
    side = (-1, 0.3, -draft, 1, 0.3, -draft, 1, 0.3, 0, -1, 0.3, 0)
    rows = "\n".join(" ".join(map(str, panel)) for panel in (bottom, side))
    return f"a box\n1.0 9.81\n0 1\n2\n{rows}\n"


def test_the_mesh_of_the_files_is_the_hull(deep: Page, viewer: Viewer, tmp_path: Path) -> None:
    vessel = tmp_path / "meshed"
    shutil.copytree(ROOT / "inputs" / "otter", vessel)
    (vessel / "hull.gdf").write_text(box(0.2))
    geometry = vessel / "geometry.yml"
    geometry.write_text(geometry.read_text() + "\ngeometry_file: hull.gdf\n")
    mission = f"ProcessConfig = uSimMarineV22\n{{\n  vessel = {vessel}\n}}\n"
    deep.open(viewer(write_log(tmp_path / "log", straight(10.0), mission=mission)))
    deep.seek(2.0)
    deep.run("await probe.three(true);")
    deep.until("(await probe.part('scene')).models.get('abe')?.known?.mesh")
    numbers = deep.see("[...(await probe.part('scene')).models.get('abe').known.mesh]")
    assert len(numbers) == 4 * 2 * 9  # both sides of two panels, two triangles each
    assert max(numbers[2::3]) == pytest.approx(0.2)  # z is down: the bottom lies at the draft
    assert min(numbers[1::3]) == pytest.approx(-0.3)
    deep.run("await probe.three(false);")
