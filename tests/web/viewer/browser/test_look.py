"""What the page looks like: groups of tabs, names of controls, the start page, many vessels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browsers import MISNAMED
from tests.web.viewer.browser.conftest import Page, Viewer
from tests.web.viewer.browser.logs import Entry, straight, write_log

PANELS = ("vessels", "helm", "values", "casts", "events", "chart", "compare")


@pytest.fixture
def wide(page: Page) -> Iterator[Page]:
    """Return the browser; its window has its usual size again after the test."""
    before = page.driver.get_window_size()
    yield page
    page.driver.set_window_size(before["width"], before["height"])


@pytest.mark.parametrize("width", [1280, 1440])
def test_tabs_are_in_three_groups_of_a_line_each(
    wide: Page, viewer: Viewer, alpha: Path, width: int
) -> None:
    wide.driver.set_window_size(width, 860)
    wide.open(viewer(alpha))
    wide.until("document.querySelectorAll('#tabs [role=tab]').length === 8")
    lines = wide.see(
        "[...document.querySelectorAll('#tabs .group')].map((group) => [group.className,"
        "new Set([...group.querySelectorAll('[role=tab]')].map((tab) => tab.offsetTop)).size])"
    )
    assert lines == [["group watch", 1], ["group inspect", 1], ["group set", 1]]
    assert wide.see("document.getElementById('tabs').offsetHeight") < 80


def test_controls_are_named_as_they_are_seen_and_there_is_one_title(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    titles = "[...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).length"
    for panel in PANELS:
        page.run("await probe.open(given[0]); await probe.plots(true);", panel)
        assert page.see(MISNAMED) == []
        assert page.see(titles) == 1
    page.run("await probe.plots(false); await probe.doors();")
    page.until("document.querySelector('#doors h1')?.checkVisibility()")
    assert page.see(MISNAMED) == []
    assert page.see(titles) == 1


def test_tools_and_times_are_named_by_words(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.until("document.querySelector('.warp .word').innerText === 'Speed'")
    words = page.see("[...document.querySelectorAll('#map-tools button')].map((b) => b.innerText)")
    assert words[:3] == ["Fit", "Follow", "Measure"]
    assert all(word.strip() for word in words)
    page.run("(await probe.part('help')).open();")
    page.until("document.querySelector('dialog[open] .legend')")
    drawn = page.see(
        "[...document.querySelectorAll('.legend canvas')].every((one) => one.getContext('2d')"
        ".getImageData(0, 0, one.width, one.height).data.some((value) => value > 0))"
    )
    assert drawn
    page.run("document.querySelector('dialog[open]').close();")


def test_a_whole_card_of_the_start_page_is_a_link_and_a_log_is_listed_once(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    shown = write_log(tmp_path / "logs" / "shown", straight(30.0))
    other = write_log(tmp_path / "logs" / "other", straight(75.0))
    about = {"files": {"abe": "missions/lane/lane.moos"}, "outcome": "time is over"}
    (other / "run.json").write_text(json.dumps(about))
    page.open(viewer(shown, "--root", tmp_path / "logs"))
    page.run("await probe.doors();")
    page.until("document.querySelector('[aria-label^=Replay]')")
    titles = page.see("[...document.querySelectorAll('.cards b')].map((one) => one.innerText)")
    assert (titles.count("shown"), titles.count("other")) == (1, 1)
    (line,) = [one for one in page.words("#doors").splitlines() if "long" in one and "lane" in one]
    assert line.startswith("lane, 01:15 long, ended: time is over, ")
    link = "document.querySelector('[aria-label=\"Replay other\"]')"
    page.run(
        f"const {{ left, top, height }} = {link}.closest('li').getBoundingClientRect();"
        "document.elementFromPoint(left + 20, top + height / 2).click();"
    )
    page.until("probe.picture.hello?.span[1] === 75")
    page.open(viewer("--root", tmp_path / "logs"), ready="document.querySelector('.cards a')")
    page.run(f"location.assign({link}.href);")  # as in another tab
    page.until("probe.picture.hello?.span[1] === 75")
    assert page.see("location.search") == ""


def many(count: int) -> list[Entry]:
    """Return the log of a vessel that hears of many others, at the datum and around it."""
    entries = straight(20.0, speed=0.01)
    for k in range(count):
        text = f"NAME=v{k},X={k % 20 * 12},Y={k // 20 * 9},SPD=1,HDG={k},DEP=0,TYPE=ship,TIME=1"
        entries.append((1.0, "NODE_REPORT", text))
    return entries


def test_two_hundred_vessels_are_told_apart_sorted_and_filtered(
    page: Page, viewer: Viewer, tmp_path: Path
) -> None:
    page.open(viewer(write_log(tmp_path / "log", many(200))))
    page.seek(15.0)
    page.until("document.querySelectorAll('.roster tbody tr').length === 201")
    names = "[...document.querySelectorAll('.roster tbody .name')].map((one) => one.title)"
    assert page.see(names) == ["abe", *(f"v{k}" for k in range(200))]  # v2 before v10
    page.press("hdg")
    page.until(f"({names})[0] === 'v0'")
    page.press("hdg ↓" if page.see("document.querySelector('[aria-sort=descending]')") else "hdg")
    page.until(f"({names})[0].startsWith('v199') || ({names})[0] === 'abe'")
    page.find("#panel input[type=search]").send_keys("v19")
    page.until("document.querySelectorAll('.roster tbody tr').length === 11")
    inks = page.see("probe.picture.vessels.slice(0, 24).map((ship) => ship.ink)")
    assert len(set(inks)) == 24
    apart = page.run(
        """
        const boxes = probe.plan.taken.boxes.slice(probe.picture.vessels.length);
        const over = (a, b) => a.left < b.right && b.left < a.right
          && a.top < b.bottom && b.top < a.bottom;
        return [boxes.length, boxes.some((a, k) => boxes.some((b, j) => j > k && over(a, b)))];
        """
    )
    assert apart[0] > 5
    assert apart[1] is False
    page.seek(15.0)  # the labels of drawings are placed again beside the names where they are now
    page.until("probe.plan.beside.names.split(' ')[0] === String(probe.picture.scenes)")
    times = page.run(
        """
        const { plan } = probe;
        const taken = [];
        for (let k = 0; k < 30; k++) {
          plan._pan(3, 1);
          await new Promise(requestAnimationFrame);
          taken.push(plan.milliseconds);
        }
        return taken.sort((a, b) => a - b)[15];
        """
    )
    assert times < 33  # half of the frames take less than at 30 a second
