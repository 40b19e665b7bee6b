"""The tutorial of docs/configurator.md, from a mesh to a mission, as written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from steerageway.vessel.tools.place import SHIPPED
from tests.web.browsers import ROOT
from tests.web.configurator.browser.conftest import Page

TEXT = (ROOT / "docs" / "configurator.md").read_text()
TUTORIAL = TEXT.partition("## From a mesh")[2].partition("\n## ")[0]
LAUNCH = re.compile(r"    steerageway (run .*)")


class Follower:
    """Performs the steps; the controls named in the tutorial are pressed in order."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.left = re.findall(r"\*\*(.+?)\*\*", TUTORIAL)

    def press(self, name: str, button: str = "") -> None:
        """Press the control named next."""
        assert self.left.pop(0) == name
        self.page.press(button or name)

    def done(self) -> None:
        """Wait until the last edit counts and is checked."""
        self.page.settled()


def test_the_tutorial_leads_from_a_mesh_to_a_mission(page: Page, tmp_path: Path) -> None:
    [program] = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    follow = Follower(page)
    begun_with_a_hull(follow, tmp_path / "skiff.stl")
    two_thrusters(follow)
    estimated_and_tried(follow)
    routed(follow)
    folder = exported(follow, tmp_path)
    assert follow.left == ["Sail it"]
    [command] = LAUNCH.findall(TUTORIAL)
    words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
    words[1] = str(folder / "simulation_input.yml")
    summary = tmp_path / "told.json"
    words += ["--port", "auto", "--json", str(summary), "--log", str(tmp_path / "log")]
    subprocess.run(
        [sys.executable, "-m", "steerageway", *words],
        cwd=ROOT,
        check=True,
        capture_output=True,
        timeout=300,
    )
    outcome = json.loads(summary.read_text())
    assert outcome["exit_reason"].startswith("until")
    assert outcome["communities"]["skiff"]["distance"] > 15.0


def begun_with_a_hull(follow: Follower, mesh: Path) -> None:
    """Begin a vessel, and give it its hull."""
    page = follow.page
    follow.press("New vessel")
    page.until("document.querySelector('dialog[open] input')")
    page.run("document.querySelector('dialog[open] input').value = 'skiff';")
    follow.press("Begin")
    page.until("probe.studio?.state.name === 'skiff'")
    follow.press("Hull")
    page.until("document.getElementById('mesh-file')")
    assert follow.left.pop(0) == "Add a mesh"
    page.find("#mesh-file").send_keys(str(mesh))
    page.until("document.querySelector('dialog[open] #mesh-unit')")
    assert page.see("document.getElementById('mesh-unit').value") == "mm"
    assert page.see("document.getElementById('mesh-axes').value") == "FLU"
    assert "4.000 m long, 1.600 m broad" in page.words("dialog[open]")
    follow.press("Take it")
    follow.press("Dimensions from its box")
    follow.press("Write")
    page.until("probe.studio.value('geometry.yml', ['length']) === '4'")
    assert page.see("probe.studio.value('geometry.yml', ['draft'])") == "0.35"


def two_thrusters(follow: Follower) -> None:
    """Place the centre of gravity and two thrusters, one by a drag."""
    page = follow.page
    follow.press("Parts")
    follow.press("+ CG")
    page.until("probe.view.chosen?.name === 'CG'")
    for number, value in ((0, "-0.15"), (2, "-0.05")):
        page.enter(page.cell("geometry.yml", "CG.position", number), value)
    follow.press("+ Thruster")
    page.until("probe.view.chosen?.group === 'thrusters'")
    page.enter(page.cell("thrusters.yml", "thrusters.1.D_prop"), "0.15")
    page.enter(page.cell("thrusters.yml", "thrusters.1.n_max"), "1200")
    page.run("probe.view.from(-0.5, 0.2, -1); await new Promise(requestAnimationFrame);")
    page.drag("y", -0.5)
    place = page.see("probe.view.chosen.place")
    assert place[1] == pytest.approx(-0.5, abs=0.25)  # by eye
    page.enter(page.cell("thrusters.yml", "thrusters.1.thruster_location", 1), "-0.5")
    follow.press("Mirror")
    page.until("probe.studio.value('thrusters.yml', ['thrusters'])?.length === 2")
    second = page.see("probe.studio.value('thrusters.yml', ['thrusters', 1])")
    assert second["thruster_location"] == [str(place[0]).removesuffix(".0"), "0.5", "0.175"]
    follow.press("Uploads")
    page.until("document.querySelector('#panel input[type=file]')")
    assert follow.left.pop(0) == "Add files"
    page.find("#panel input[type=file]").send_keys(str(SHIPPED / "mavymini" / "NACA0015.csv"))
    page.until("'NACA0015.csv' in probe.studio.state.files")
    follow.press("Parts")
    follow.press("+ Rudder")
    page.until("probe.view.chosen?.kind === 'surface'")
    area = "control_surfaces.1.control_surface_area"
    page.enter(page.cell("control_surfaces.yml", area), "0.15")
    follow.press("Files")
    page.file("inertia")
    page.enter(page.cell("inertia.yml", "mass"), "1350")


def estimated_and_tried(follow: Follower) -> None:
    """Write estimates where nothing is entered, and turn a circle."""
    page = follow.page
    follow.press("Estimates")
    page.until("document.getElementById('panel').getAttribute('aria-label') === 'Estimates'")
    assert follow.left.pop(0) == "Estimate"
    page.run("document.querySelector('#panel .primary').click();")
    page.until("document.querySelectorAll('.estimate').length > 10")
    badges = "[one.getAttribute('aria-label'), one.querySelectorAll('.mark').length]"
    groups = page.see(f"[...document.querySelectorAll('.estimates')].map((one) => {badges})")
    assert groups == [[name, 1] for name in ("hydrostatics", "inertia", "speed", "damping")]
    follow.press("Write all", page.see(
        "[...document.querySelectorAll('#panel button')].find((one) =>"
        " one.textContent.startsWith('Write all')).textContent"
    ))  # fmt: skip
    page.until("probe.studio.state.undo.includes('estimates')")
    written = page.see("probe.studio.state.files['hydrodynamics.yml'].text")
    assert "# estimate: " in written
    assert page.see("probe.studio.value('inertia.yml', ['mass'])") == "1350"
    assert page.mistakes() == []
    follow.press("Trials")
    page.until("document.getElementById('trial-kind')")
    page.run(
        "const kind = document.getElementById('trial-kind'); kind.value = 'turning_circle';"
        "kind.dispatchEvent(new Event('change'));"
    )
    follow.press("Run")
    page.until("document.querySelector('#trial-result table, #panel .mistake')", 120.0)
    assert "tactical diameter" in page.words("#trial-result")
    length = float(page.see("probe.studio.value('geometry.yml', ['length'])"))
    advance = page.see(
        "[...document.querySelectorAll('#trial-result tr')].find((row) =>"
        " row.cells[0].textContent === 'advance').cells[2].textContent"
    )
    assert float(advance.split()[0]) == pytest.approx(4.5 * length, rel=1e-3)
    page.press("valid")
    page.until(
        "/Warnings[^]*Facts/i.test(document.getElementById('trial-result').innerText)", 120.0
    )
    assert "Y_v N_r - N_v (Y_r - m U) = " in page.words("#trial-result")
    assert page.words("#health").startswith("valid, ")  # until the vessel changes
    page.run("await probe.studio.undo();")
    page.until("!document.getElementById('health').innerText.startsWith('valid, ')")
    page.run("await probe.studio.redo();")


def routed(follow: Follower) -> None:
    """Click three waypoints."""
    from selenium.webdriver.common.action_chains import ActionChains

    page = follow.page
    follow.press("Guidance")
    page.until("probe.plan?.drawn > 0")
    canvas = page.find("#plan canvas")
    for count, (x, y) in enumerate(((0, -60), (0, -160), (80, -160)), 1):
        ActionChains(page.driver, duration=20).move_to_element_with_offset(
            canvas, x, y
        ).click().perform()
        page.until(f"probe.studio.value('guidance.yml', ['waypoints'])?.length === {count}")
    start = page.see("probe.plan.start")
    assert (start["north"], start["east"], start["text"]) == (0, 0, "start, 000°")
    assert start["at"] == page.see("probe.plan.pixel([0, 0])")
    follow.press("Make one")
    page.until("probe.studio.tree('simulation_input.yml')")
    assert page.mistakes() == []


def exported(follow: Follower, folder: Path) -> Path:
    """Save and export; return the vessel's folder, unpacked."""
    page = follow.page
    follow.press("Save")
    page.until("document.querySelector('dialog[open]')")
    page.press("Save")
    page.until("probe.studio.state.unsaved.length === 0")
    assert (page.folder / "vessels" / "skiff" / "skiff.stl").is_file()
    path = page.downloads / "skiff.zip"
    follow.press("Export")
    for _ in range(200):
        if path.exists():
            break
        page.run("await new Promise((done) => setTimeout(done, 50));")
    with ZipFile(path) as archive:
        archive.extractall(folder)
    return folder / "skiff"
