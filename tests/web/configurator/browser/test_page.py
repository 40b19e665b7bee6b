"""Use of the configurator's page: editing, undo, saving, conflicts."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from steerageway.vessel.tools.place import SHIPPED
from steerageway.web.configurator.names import files_of
from tests.web.browsers import MISNAMED
from tests.web.configurator.browser.conftest import Page


def export(page: Page, name: str) -> dict[str, bytes]:
    """Export the vessel; return its files."""
    path = page.downloads / f"{name}.zip"
    path.unlink(missing_ok=True)
    page.press("Export")
    page.until(
        "[...document.querySelectorAll('.tiding')].some((e) => /Exported/.test(e.textContent))"
    )
    for _ in range(100):
        if path.exists():
            break
        page.run("await new Promise((done) => setTimeout(done, 50));")
    with ZipFile(path) as archive:
        return {one.partition("/")[2]: archive.read(one) for one in archive.namelist()}


def test_a_vessel_edited_and_undone_is_exported_byte_for_byte(page: Page) -> None:
    page.template("mavymini")
    there = {name: path.read_bytes() for name, path in files_of(SHIPPED / "mavymini").items()}
    assert export(page, "my_mavymini") == there
    page.file("geometry")
    page.enter(page.cell("geometry.yml", "length"), "1.25")
    page.enter(page.cell("geometry.yml", "CG.position", 2), "0.02894159583")
    text = page.see("probe.studio.state.files['geometry.yml'].text")
    changed = there["geometry.yml"].decode().replace("length: 1\n", "length: 1.25\n")
    start, _, end = changed.partition("CG:\n  position: [0.0, 0.0, 0.0]")
    assert text == f"{start}CG:\n  position: [0.0, 0.0, 0.02894159583]{end}"
    page.driver.refresh()
    page.until("window.probe?.ready && probe.studio?.state.name === 'my_mavymini'")
    page.run("document.getElementById('panel').focus();")
    page.control("z")
    page.until("probe.studio.state.undo.includes('length')")
    page.press("Undo")
    page.until("probe.studio.state.undo === ''")
    assert export(page, "my_mavymini") == there


def test_a_change_of_a_shared_value_is_confirmed(page: Page) -> None:
    page.template("sookshma")
    page.file("control_surfaces")
    key = "control_surfaces.1.control_surface_area"
    field = page.find(page.cell("control_surfaces.yml", key))
    from selenium.webdriver.common.keys import Keys

    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("0.02", Keys.TAB)
    page.until("document.querySelector('dialog[open]')")
    page.press("Change this one only")
    page.until("probe.studio.revision === 1")
    text = page.see("probe.studio.state.files['control_surfaces.yml'].text")
    assert "control_surface_area: 0.02" in text
    assert "area: &area 0.1 " in text


def test_parts_are_dragged_turned_and_mirrored_in_the_view(page: Page) -> None:
    page.template("otter")
    page.tab("Parts")
    page.until("probe.view.drawn > 0")
    assert page.see("probe.view.renderer.getContext() instanceof WebGL2RenderingContext")
    page.press("port")
    page.until("probe.view.chosen")
    before = page.see("probe.view.chosen.place")
    page.drag("x", 0.2)
    after = page.see("probe.view.chosen.place")
    assert after[0] - before[0] == pytest.approx(0.2, abs=0.1)  # by eye
    assert after[1:] == before[1:]
    page.press("Mirror port")
    page.until("probe.view.parts.filter((one) => one.group === 'thrusters').length === 3")
    chosen = page.see("({place: probe.view.chosen.place, name: probe.view.chosen.name})")
    assert chosen["place"] == [after[0], -after[1], after[2]]
    page.run("document.querySelector('#scene canvas').focus();")
    page.keys("r")
    from selenium.webdriver.common.keys import Keys

    revision = page.see("probe.studio.revision")
    page.keys(Keys.ARROW_LEFT)
    page.until(f"probe.studio.revision > {revision}")
    assert page.see("probe.view.chosen.angles") != [0, 0, 0]
    page.press("Undo")
    page.press("Undo")
    page.press("Undo")
    page.until("probe.studio.state.undo === ''")


def test_errors_are_shown_at_their_fields_and_yaml_next_to_the_form(page: Page) -> None:
    page.template("otter")
    page.file("inertia")
    page.enter(page.cell("inertia.yml", "mass"), "heavy")
    assert [one["key"] for one in page.mistakes()].count("mass") == 1
    page.until("document.querySelector('[data-at=\"inertia.yml|mass\"] .mistake')")
    assert "mistake" in page.words("#health")
    area = page.find("#yaml")
    text = area.get_attribute("value").replace("heavy", "55.5")
    page.run(
        "const box = document.getElementById('yaml'); box.value = given[0];"
        "box.dispatchEvent(new Event('input'));",
        text,
    )
    page.until("document.querySelector('[data-at=\"inertia.yml|mass\"] input').value === '55.5'")
    assert page.mistakes() == []


def test_a_second_tab_that_changed_the_vessel_is_shown(page: Page) -> None:
    page.template("otter")
    page.file("inertia")
    page.run(
        "const edits = [{do: 'set', file: 'inertia.yml', path: ['mass'], value: 77}];"
        "const body = JSON.stringify({revision: 0, title: 'other', edits});"
        "await fetch(`${probe.studio.base}/edit`, {method: 'POST', body});"
    )
    field = page.find(page.cell("inertia.yml", "mass"))
    from selenium.webdriver.common.keys import Keys

    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("99", Keys.TAB)
    page.until("document.querySelector('dialog[open]')?.textContent.includes('changed elsewhere')")
    page.press("Show it")
    page.until("document.querySelector('[data-at=\"inertia.yml|mass\"] input').value === '77'")
    page.run("await fetch('/api/home');")
    page.driver.get_log("browser")  # the refusal is told there, too


def test_values_lost_by_panisims_configurator_are_entered_and_read_back(page: Page) -> None:
    page.press("New vessel")
    page.until("document.querySelector('dialog[open]')")
    page.press("Begin")
    page.until("probe.studio?.state.name === 'my_vessel'")
    for file, adder, fields in CASE:
        page.file(file)
        if adder:
            page.press(adder)
            page.until("probe.studio.state.undo.startsWith(given)".replace("given", f"'{file}'"))
        for key, number, value in fields:
            page.settled()  # a check may build the form again
            page.run(
                "for (const one of document.querySelectorAll('.form details')) one.open = true;"
            )
            page.enter(page.cell(f"{file}.yml", key, number), value)
    files = {name: data.decode() for name, data in export(page, "my_vessel").items()}
    for file, _, fields in CASE:
        for key, _, value in fields:
            shown = f'"{value}"' if value == "0012" else value
            [line] = [one for one in files[f"{file}.yml"].splitlines() if leaf(key) in one][:1]
            assert shown in line, (key, line)


def leaf(key: str) -> str:
    """Return the last word of a dotted key."""
    return f"{key.rpartition('.')[2]}:"


SURFACE, THRUSTER = "control_surfaces.1.control_surface_", "thrusters.1."
CASE = [
    ("control_surfaces", "Add to control_surfaces", [
        (f"{SURFACE}area", 0, "0.02"), (f"{SURFACE}delta_max", 0, "20"),
        (f"{SURFACE}deltad_max", 0, "15"), (f"{SURFACE}NACA", 0, "0012"), (f"{SURFACE}T", 0, "0"),
    ]),
    ("thrusters", "Add to thrusters", [
        (f"{THRUSTER}T_prop", 0, "0"), (f"{THRUSTER}tp", 0, "0"), (f"{THRUSTER}n_max", 0, "1500"),
        (f"{THRUSTER}KT_at_J0", 0, "0.45"),
    ]),
    ("geometry", "", [("CG.position", 0, "0.02894159583")]),
    ("vessel", "", [("U", 0, "1.5")]),
]  # fmt: skip


def test_files_that_changed_on_disk_are_a_shown_conflict(
    page: Page, server: tuple[str, Path]
) -> None:
    page.template("otter")
    page.press("Save")
    page.until("document.querySelector('dialog[open]')")
    page.run("document.querySelector('dialog[open] .primary').click();")
    page.until("probe.studio.state.unsaved.length === 0")
    file = server[1] / "vessels" / "my_otter" / "inertia.yml"
    file.write_text("mass: 1\n")
    page.file("inertia")
    page.enter(page.cell("inertia.yml", "mass"), "60")
    page.press("Save")
    page.until("document.querySelector('dialog[open]')?.textContent.includes('changed on disk')")
    page.press("Import their changes as an edit")
    page.until("probe.studio.state.files['inertia.yml'].text === 'mass: 1\\n'")
    assert page.see("probe.studio.state.undo") == "changes on disk"
    page.driver.get_log("browser")


# Keys of the form whose words are broken: of a text between two breaks on more than one line.
BROKEN = """[...document.querySelectorAll(".field > label")].filter((one) => one.checkVisibility())
.flatMap((label) => [...label.childNodes]).filter((node) => node.nodeType === Node.TEXT_NODE)
.filter((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map((box) => box.top)).size > 1;
}).map((node) => node.textContent)
"""


def test_controls_and_keys_are_named_as_they_are_seen(page: Page) -> None:
    page.template("sookshma")
    titles = "[...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).length"
    for panel in ("Files", "Parts", "Hull", "Estimates", "Trials", "Guidance", "Uploads"):
        page.tab(panel)
        nameless = page.see(
            "[...document.querySelectorAll('button, input, select, textarea, canvas')]"
            ".filter((e) => e.checkVisibility() && !(e.getAttribute('aria-label') ||"
            "e.textContent.trim() || e.labels?.length || e.title))"
            ".map((e) => e.outerHTML.slice(0, 80))"
        )
        assert nameless == [], panel
        assert page.see(MISNAMED) == [], panel
        assert page.see(titles) == 1, panel
    page.tab("Files")
    page.file("control_surfaces")
    page.run("for (const one of document.querySelectorAll('.form details')) one.open = true;")
    assert page.see(BROKEN) == []
    key = "control_surfaces.1.control_surface_area"
    label = page.words(f'[data-at="control_surfaces.yml|{key}"] label')
    assert label.splitlines()[0].startswith("control_surface_area")
    assert "area" in label.splitlines()[-1]
    page.run("await probe.doors();")
    page.until("document.querySelector('[aria-label=\"Go on my_sookshma\"]')")
    assert page.see(MISNAMED) == []
    page.run(
        "const {left, top, height} = document.querySelector('[aria-label=\"Go on my_sookshma\"]')"
        ".closest('li').getBoundingClientRect();"
        "document.elementFromPoint(left + 20, top + height / 2).click();"
    )
    page.until("probe.studio?.state.name === 'my_sookshma'")
