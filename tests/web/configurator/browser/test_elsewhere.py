"""The configurator's page with other programs, other processes, and on a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener
from zipfile import ZipFile

import numpy as np
import pytest

from steerageway.bus import sleep, wall
from steerageway.vessel.tools.place import SHIPPED
from steerageway.web.configurator.meshes import triangles
from steerageway.world import shapes
from tests.web import browsers
from tests.web.browsers import PATIENCE
from tests.web.configurator.browser.conftest import Page

HYDRA = SHIPPED / "sookshma" / "HydRA"
PHONE = (390, 844)

# Whether the hull's box lies in the view, and the view above the forms.
HULL_SEEN = """\
(() => {
  const view = probe.view.box.getBoundingClientRect();
  const {min, max} = probe.view.box3;
  const seen = [min, max].map(({x, y, z}) => probe.view.onScreen([x, y, z]));
  return view.bottom <= document.getElementById("side").getBoundingClientRect().top
    && seen.every(([x, y]) => x > 0 && x < view.width && y > 0 && y < view.height);
})()"""


def downloaded(page: Page, name: str) -> bytes:
    """Return a file that the page offered."""
    path = page.downloads / name
    for _ in range(200):
        if path.exists():
            break
        page.run("await new Promise((done) => setTimeout(done, 50));")
    return path.read_bytes()


def test_panisims_config_is_opened_and_returned(page: Page, tmp_path: Path) -> None:
    given = {"name": "punt", "type": "usv", "geometry": {"length": 3.0}, "inertia": {"mass": 40}}
    file = tmp_path / "punt_config.json"
    file.write_text(json.dumps(given))
    page.until("document.getElementById('zip-file')")
    page.find("#zip-file").send_keys(str(file))
    page.until("probe.studio?.state.name === 'punt'")
    page.settled()
    page.file("inertia")
    page.enter(page.cell("inertia.yml", "mass"), "41.5")
    page.tab("Uploads")
    page.press("Get _config.json")
    back = json.loads(downloaded(page, "punt_config.json"))
    assert (back["geometry"], back["inertia"]) == ({"length": 3}, {"mass": 41.5})


def test_hydras_zip_is_added_by_a_press(page: Page, tmp_path: Path) -> None:
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.write(HYDRA / "matlab" / "sookshma_hydra.json", "HydRA/matlab/a_hydra.json")
        archive.write(HYDRA / "input" / "sookshma.gdf", "HydRA/input/a.gdf")
    (tmp_path / "hydra.zip").write_bytes(stream.getvalue())
    page.template("otter")
    page.tab("Uploads")
    page.until("document.getElementById('hydra-file')")
    page.find("#hydra-file").send_keys(str(tmp_path / "hydra.zip"))
    page.until("'HydRA/matlab/a_hydra.json' in probe.studio.state.files")
    page.until("probe.studio.value('hydrodynamics.yml', ['hydra_file'])")


def test_an_open_hull_in_inches_is_mended_by_a_click_each(page: Page, tmp_path: Path) -> None:
    """160 by 60 by 40 inches, without its deck, its normals inward: 6.293 m³ when it is closed."""
    corners = shapes.box(160.0, 60.0, 40.0, 20.0).corners
    hull = corners[corners[:, :, 2].min(1) < 19.9][:, ::-1]
    places = np.arange(3 * len(hull)).reshape(-1, 3)
    shapes.write_stl(shapes.Mesh(hull.reshape(-1, 3), places), tmp_path / "boat.stl")
    page.begun("boat")
    page.tab("Hull")
    page.until("document.getElementById('mesh-file')")
    chosen = page.find("#mesh-file")
    page.run("await probe.studio.check();")  # the panel is drawn again
    for again in (True, False):  # the same file a second time, too
        chosen.send_keys(str(tmp_path / "boat.stl"))
        page.until("document.querySelector('dialog[open] #mesh-unit')")
        if again:
            page.press("Cancel")
            page.until("!document.querySelector('dialog[open]')")
    units = page.see("[...document.getElementById('mesh-unit').options].map((o) => o.textContent)")
    assert {"m: 160.0 m long", "in: 4.064 m long"} <= set(units)
    assert "as likely are m, cm, in, ft" in page.words("dialog[open]")
    page.run(
        "const unit = document.getElementById('mesh-unit'); unit.value = 'in';"
        "unit.dispatchEvent(new Event('change'));"
    )
    said = "document.querySelector('dialog[open]').innerText"
    page.until(f"{said}.includes('4.064 m long, 1.524 m broad, 1.016 m high')")
    for repair in ("Close the openings", "Turn the normals outward"):
        page.press(repair)
        page.until(f"!{said}.includes('{repair}')")
    assert "1.016 m high, 6.293 m³" in page.words("dialog[open]")
    page.find("#mesh-draught").send_keys("0.3")
    page.until(f"{said}.includes('z -0.716 to 0.300')")
    page.press("Take it")
    page.until("probe.studio.value('geometry.yml', ['mesh'])?.file === 'boat_mended.stl'")
    assert page.see("probe.studio.numbers('geometry.yml', ['mesh', 'origin'])") == [0, 0, 0.208]
    page.press("Place or mend it")
    page.until("document.getElementById('mesh-unit')?.value === 'in'")
    assert page.see("document.getElementById('mesh-z').value") == "0.208"
    page.press("Cancel")


def test_the_hull_is_some_parts_of_a_mesh(page: Page, tmp_path: Path) -> None:
    hull, mast = shapes.box(4.0, 1.5, 1.0), shapes.box(0.1, 0.1, 3.0)
    corners = np.concatenate((hull.corners, mast.corners + np.array([0.0, 0.0, -2.5])))
    places = np.arange(3 * len(corners)).reshape(-1, 3)
    shapes.write_stl(shapes.Mesh(corners.reshape(-1, 3), places), tmp_path / "boat.stl")
    page.begun("boat")
    page.tab("Hull")
    page.until("document.getElementById('mesh-file')")
    page.find("#mesh-file").send_keys(str(tmp_path / "boat.stl"))
    page.until("document.querySelectorAll('dialog[open] .parts input').length === 2")
    page.run("[...document.querySelectorAll('dialog[open] .parts input')][1].click();")
    page.press("These are the hull")
    page.until("document.querySelector('dialog[open] #mesh-unit')")
    assert "12 triangles; 4.000 m long, 1.500 m broad, 1.000 m high" in page.words("dialog[open]")
    page.press("Take it")
    page.until("probe.studio.value('geometry.yml', ['mesh'])?.file === 'boat_part.stl'")


class Viewer:
    """What a viewer answers to a page that has its address."""

    def __init__(self, address: str) -> None:
        self.base, _, token = address.partition("/#")
        self._opener = build_opener(HTTPCookieProcessor())
        session = Request(f"{self.base}/session", token.encode(), {"Origin": self.base})
        self._opener.open(session).close()

    def get(self, path: str) -> bytes:
        """Return an answer, once there is one: the viewer is attached to the run at some time."""
        end = wall() + PATIENCE
        while True:
            try:
                with self._opener.open(f"{self.base}/api/{path}") as answer:
                    return bytes(answer.read())
            except HTTPError:
                assert wall() < end
            sleep(0.1)


def test_sail_it_starts_a_mission_with_the_vessels_own_hull(page: Page) -> None:
    page.template("sookshma")
    page.press("Sail it")
    page.until("document.querySelector('dialog[open] select')")
    page.press("Start")
    viewer = Viewer(page.until("document.querySelector('dialog[open] a.button')?.href", 120.0))
    [source] = json.loads(viewer.get("home"))["sources"]
    hull = np.frombuffer(viewer.get(f"source/{source['id']}/mesh/my_sookshma"), "<f4")
    drawn = np.frombuffer(triangles(SHIPPED / "sookshma"), "<f4")  # CO is the drawing's origin
    assert np.sort(hull) == pytest.approx(np.sort(drawn))
    about = "(await (await fetch('/api/sail')).json())"
    assert page.see(f"{about}.ended") is None
    page.press("End the mission")
    page.until(f"{about}.ended !== null")
    assert page.see(f"{about}.name") == "my_sookshma"


@pytest.fixture
def phone(server: tuple[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser that plays a phone, at the shelf."""
    folder = tmp_path_factory.mktemp("phone")
    page = Page(browsers.start_browser(folder, browsers.WEBGL, PHONE))
    page.begin(server[0])
    page.run("if (probe.studio) await probe.doors(); probe.layout = {};")
    yield page
    warnings = page.browser_errors()
    page.driver.quit()
    assert warnings == []


def test_a_vessel_is_changed_on_a_phone(phone: Page) -> None:
    assert phone.see("[innerWidth, matchMedia('(pointer: coarse)').matches]") == [390, True]
    phone.template("otter")
    for panel in ("Files", "Parts", "Hull", "Estimates", "Trials", "Guidance", "Uploads"):
        phone.tab(panel)
        assert phone.see("document.documentElement.scrollWidth <= innerWidth"), panel
        assert phone.see(
            "document.getElementById('panel').scrollWidth"
            " <= document.getElementById('panel').clientWidth + 1"
        ), panel
        small = phone.see(
            "[...document.querySelectorAll('button')].filter((e) => e.checkVisibility()"
            " && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML.slice(0, 80))"
        )
        assert small == [], panel
    phone.until("probe.view.drawn > 0")
    assert phone.see(HULL_SEEN)
    phone.tab("Files")
    phone.file("inertia")
    phone.enter(phone.cell("inertia.yml", "mass"), "61.5")
    assert phone.see("probe.studio.value('inertia.yml', ['mass'])") == "61.5"
