"""Plots on the viewer's page: expressions, angles, spectra, statistics, layouts; two runs."""

from __future__ import annotations

from math import exp, pi, sin
from pathlib import Path

import pytest

from tests.web.viewer.browser.conftest import Page, Viewer
from tests.web.viewer.browser.logs import Entry, straight, write_log

DECK = "deck"  # of the fixture's page
TALL, LENGTH = 140, 64.0  # least height of a plot [px], of the logs [s]
SAVED = """
let saved; const usual = URL.createObjectURL;
URL.createObjectURL = (blob) => { saved = blob; return usual.call(URL, blob); };
const buttons = [...document.querySelectorAll('#plots button')];
buttons.find((one) => one.textContent === 'Save layout').click();
URL.createObjectURL = usual;
return saved.text();
"""
LOADED = """
const files = new DataTransfer();
files.items.add(new File([given[0]], 'layout.json'));
const input = document.querySelector('#plots input[type=file]');
input.files = files.files;
input.dispatchEvent(new Event('change'));
"""


@pytest.fixture
def both(page: Page, viewer: Viewer, tmp_path: Path) -> Page:
    """Return the page of a log with known signals, opened together with one of half its speed."""
    signals: list[Entry] = []
    for k in range(round(10 * LENGTH)):
        t = k / 10
        signals += [
            (t, "WAVE", 5 + 3 * sin(2 * pi * 0.125 * t)),
            (t, "STEP", float(t >= 10)),
            (t, "DESIRED_HEADING", (340 + t) % 360),
            (t, "WORDS", "calm"),
        ]
    here = write_log(tmp_path / "here", [*straight(LENGTH), *signals])
    there = write_log(tmp_path / "there", straight(LENGTH, speed=0.5))
    page.open(viewer(here, there))
    page.seek(20.0)
    page.run("await probe.plots(true); window.deck = await probe.part('plots');")
    return page


def test_two_logs_are_laid_over_one_another_with_the_values_of_both(both: Page) -> None:
    both.until("probe.memory.other && probe.plan.others.length === 1")
    both.run("await probe.open('compare');")
    both.until("document.querySelector('#panel select').options.length")
    offered = both.see("[...document.querySelectorAll('#panel option')].map((one) => one.text)")
    assert offered == ["there (open)"], "this run itself is not another"
    both.until("document.querySelector('#both tbody tr')")
    rows = "[...document.querySelectorAll('#both tbody tr')]"
    rows += ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    values = {name: sides for name, *sides in both.see(rows)}
    assert values["abe:NAV_X"] == ["20", "10"]
    assert values["abe:NAV_HEADING"] == ["90", "90"]


def test_expressions_angles_and_unknown_variables_are_plotted_as_they_are(both: Page) -> None:
    texts = ["rate(NAV_X)", "lowpass(STEP, 4)", "abe:NAV_X - abe:NAV_X@2", "DESIRED_HEADING"]
    both.run(f"for (const text of given[0]) {DECK}.add(text);", [*texts, "NAV_XQ", "WORDS"])
    both.until(f"{DECK}.curve('abe:NAV_X - abe:NAV_X@2').t.length > 600")
    rate, low, apart = both.see(
        f"['rate(abe:NAV_X)', 'lowpass(abe:STEP, 4)', 'abe:NAV_X - abe:NAV_X@2']"
        f".map((text) => {DECK}.curve(text))"
    )
    assert rate["v"] == pytest.approx([1.0] * len(rate["v"]), abs=1e-4)
    assert low["v"][low["t"].index(14.0)] == pytest.approx(1 - exp(-1), abs=1e-6)
    assert apart["v"][apart["t"].index(30.0)] == pytest.approx(15.0)
    # A heading is drawn from 0 to 360, without a line where it passes north.
    both.until(f"{DECK}.views[3].plot?.data[1].includes(null)")
    scale, drawn = both.see(f"[{DECK}.views[3].plot.scales.y0, {DECK}.views[3].plot.data[1]]")
    assert (scale["min"], scale["max"]) == (0, 360)
    assert drawn[drawn.index(None) - 1] > 359
    assert drawn[drawn.index(None) + 1] < 1
    both.until(f"{DECK}.views[5].note.textContent")
    notes = both.see(f"{DECK}.views.map((view) => view.note.textContent)")
    assert notes[4:] == [
        "abe:NAV_XQ is not a variable of this run",
        "abe:WORDS has texts, no numbers",
    ]
    places = both.see(
        f"{DECK}.views.map(({{plot}}) => [plot.bbox.left, plot.bbox.width, plot.bbox.height])"
    )
    assert len({(left, width) for left, width, _ in places}) == 1, "one time axis"
    assert min(height for *_, height in places) >= TALL
    both.run(f"{DECK}.add('NAV_X -')")
    assert "expected a variable at the end" in both.words("#tidings")


def test_a_spectrum_statistics_and_a_layout_from_a_file(both: Page) -> None:
    both.run(f"{DECK}.add('fft:abe:WAVE'); {DECK}.add('abe:NAV_X'); {DECK}.zoom([10, 20]);")
    both.press("Statistics")
    row = "document.querySelector('.plot-table tbody tr:last-child')"
    both.until(f"{row}?.cells[1]?.textContent === '101'")
    cells = both.see(f"[...{row}.cells].map((cell) => cell.textContent)")
    assert cells[0] == "abe:NAV_X"
    # Of 101 evenly spaced values from 10 to 20 the deviation is 0.1 sqrt((101² - 1) / 12).
    expected = [101, 10, 15, 20, 0.1 * ((101**2 - 1) / 12) ** 0.5]
    assert list(map(float, cells[1:])) == pytest.approx(expected, rel=1e-5)
    both.run(f"{DECK}.zoom(null);")
    whole = f"{DECK}.views[0].spectra?.[0]"  # once all of the curve has come
    both.until(f"{whole}.t[1] < 1 / 63 && Math.max(...{whole}.v) > 2.94")
    (curve,) = both.see(f"{DECK}.views[0].spectra")
    peak = max(range(len(curve["v"])), key=curve["v"].__getitem__)
    assert curve["t"][peak] == pytest.approx(0.125, abs=0.01)
    assert curve["v"][peak] == pytest.approx(3.0, rel=0.02)
    both.run("probe.plan.toggle('vectors');")
    saved = both.run(SAVED)
    both.run(f"{DECK}.arrange([]); probe.plan.toggle('vectors'); await probe.plots(false);")
    both.run(LOADED, saved)
    both.until("!document.getElementById('plots').hidden && probe.plan.options.vectors")
    assert both.see("probe.layout.plots") == ["fft:abe:WAVE", "abe:NAV_X"]
    both.run(LOADED, '{"plots": 3}')
    both.until("document.getElementById('tidings').textContent.includes('expected a layout')")
    both.run("await probe.plots(false); probe.plan.toggle('vectors');")
