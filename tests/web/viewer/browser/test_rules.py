"""Rules for the whole page: size, no other origins, keyboard use, phones, accessibility."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web.viewer.browser.conftest import ROOT, Launch, Page, Viewer

WEB = Path(__file__).parents[4] / "web"
PAGES, SHARED = (WEB / "viewer" / "page", WEB / "configurator" / "page"), WEB / "page"
LARGEST = 350_000  # bytes of all page code, compressed
MOST_REQUESTS = 14  # until something is seen
LEAST_CONTRAST = 4.5


def test_page_code_is_small_and_names_no_other_host() -> None:
    files = [
        file
        for folder in (*PAGES, SHARED)
        for file in folder.rglob("*")
        if file.suffix in (".js", ".css", ".html", ".svg")
    ]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) < LARGEST
    for file in files:
        if file.parent.name != "vendor":
            hosts = set(re.findall(r"https?://[\w.]+", file.read_text()))
            assert hosts <= {"http://www.w3.org"}, file.name


def test_libraries_are_those_of_the_registry() -> None:
    for line in (SHARED / "vendor" / "HASHES").read_text().splitlines():
        known, name = line.split()
        assert hashlib.sha256((SHARED / "vendor" / name).read_bytes()).hexdigest() == known, name


def test_no_markup_and_no_code_is_made_of_text() -> None:
    for folder in (*PAGES, SHARED):
        for file in folder.glob("*.js"):
            text = file.read_text()
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
                assert word not in text, f"{file.name}: {word}"
    for folder in PAGES:
        page = (folder / "index.html").read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|\bon\w+=", page), folder


def luminance(color: str) -> float:
    """Return the relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_text_has_contrast_to_its_background(theme: str) -> None:
    style = (SHARED / "base.css").read_text()
    block = re.search(rf'\[data-theme="{theme}"\] {{(.*?)}}', style, re.DOTALL)
    assert block
    colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block[1]))
    for ink in ("ink", "soft", "brass", "good", "wrong", "cursor"):
        for ground in ("paper", "raised", "water"):
            high, low = sorted((luminance(colors[ink]), luminance(colors[ground])), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= LEAST_CONTRAST, f"{theme}: {ink} on {ground}"


@pytest.mark.wall  # a late paint would count what follows it
def test_the_first_paint_needs_few_requests_and_all_are_ours(
    page: Page, viewer: Viewer, alpha: Path
) -> None:
    page.open(viewer(alpha))
    page.until("performance.getEntriesByName('first-contentful-paint').length")
    before = page.see(
        "performance.getEntriesByType('resource').filter((e) => e.startTime <"
        "performance.getEntriesByName('first-contentful-paint')[0].startTime).length"
    )
    assert 1 + before <= MOST_REQUESTS


def test_every_control_has_an_accessible_name(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    for panel in ("vessels", "helm", "values", "events", "chart", "compare"):
        page.run("await probe.open(given[0]);", panel)
        nameless = page.see(
            "[...document.querySelectorAll('button, input, select, canvas, [role]')].filter((e) =>"
            "e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim() ||"
            "e.labels?.length || e.title || e.placeholder || e.getAttribute('aria-labelledby')))"
            ".map((e) => e.outerHTML.slice(0, 80))"
        )
        assert [one for one in nameless if "log" not in one] == []


def test_all_of_a_run_is_done_by_keyboard(
    page: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    run = live(waiting, "--warp", "5")
    page.open(viewer(run.folder))
    page.until("document.querySelector('.buttons button')")
    page.run("document.getElementById('tab-mission').focus();")
    for _ in range(20):
        page.keys(Keys.TAB)
        if page.see("document.activeElement.textContent") == "DEPLOY":
            break
    page.keys(Keys.ENTER)
    page.until("probe.picture.vessels[0].speed > 0.5")
    assert next(entry["name"] for entry in run.inputs()) == "DEPLOY"
    page.run("document.getElementById('tab-mission').focus();")
    page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.until("document.querySelector('.cast')?.textContent.includes('pHelmIvP')")
    page.run("document.getElementById('map').focus();")
    before = page.see("probe.plan.camera.x")
    page.keys(Keys.ARROW_RIGHT)
    assert page.see("probe.plan.camera.x") > before
    page.keys("?")
    page.until("document.querySelector('dialog[open]')")
    page.keys(Keys.ESCAPE)
    page.until("!document.querySelector('dialog[open]')")


def test_a_phone_pauses_warps_deploys_and_reads(
    phone: Page, viewer: Viewer, live: Launch, waiting: Path
) -> None:
    run = live(waiting, "--warp", "5")
    phone.open(viewer(run.folder))
    phone.until("document.querySelector('.buttons button')")
    assert phone.see("document.documentElement.scrollWidth") <= 390
    phone.press("Pause")
    phone.until("probe.picture.status.paused")
    phone.press("Resume")
    phone.until("!probe.picture.status.paused")
    phone.run(
        "const warp = document.getElementById('warp'); warp.value = '10';"
        "warp.dispatchEvent(new Event('change'));"
    )
    phone.until("probe.picture.status.warp === 10")
    phone.press("Open or close the panels")
    phone.until("document.getElementById('side').classList.contains('open')")
    phone.until("document.getElementById('side').getAnimations().length === 0")
    phone.press("DEPLOY")
    phone.until("probe.picture.vessels[0].speed > 0.5")
    phone.run("document.getElementById('tab-casts').click();")
    phone.until("document.querySelector('.cast')?.textContent.includes('pHelmIvP')")
    assert phone.see("document.documentElement.scrollWidth") <= 390
    small = phone.see(
        "[...document.querySelectorAll('#bar button, #map-tools button, #tabs button')]"
        ".filter((b) => b.checkVisibility() && b.getBoundingClientRect().height < 43)"
        ".map((b) => b.outerHTML)"
    )
    assert small == []


def touch(phone: Page, kind: str, *points: tuple[float, float]) -> None:
    """Lay fingers on the plan, move them, or lift them all."""
    fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    command = {"type": f"touch{kind}", "touchPoints": fingers}
    phone.driver.execute_cdp_cmd("Input.dispatchTouchEvent", command)


def test_fingers_reach_the_slider_and_move_and_zoom_the_plan(
    phone: Page, viewer: Viewer, alpha: Path
) -> None:
    phone.open(viewer(alpha))
    phone.seek(60.0)
    slider = phone.see(
        "(() => { const {left, top, width, height} ="
        "document.querySelector('#timeline input').getBoundingClientRect();"
        "return document.elementFromPoint(left + width / 2, top + height / 2).tagName; })()"
    )
    assert slider == "INPUT"  # nothing lies over it
    top = phone.see("document.getElementById('map').getBoundingClientRect().top")
    middle = (195.0, top + 250)
    under = f"probe.plan.camera.point({middle[0]}, {middle[1] - top})"
    before = phone.see(under)
    scale = phone.see("probe.plan.camera.scale")
    touch(phone, "Start", (middle[0] - 40, middle[1]), (middle[0] + 40, middle[1]))
    for spread in range(45, 81, 5):
        touch(phone, "Move", (middle[0] - spread, middle[1]), (middle[0] + spread, middle[1]))
    touch(phone, "End")
    phone.drawn()
    assert phone.see("probe.plan.camera.scale") == pytest.approx(2 * scale, rel=0.15)
    assert phone.see(under) == pytest.approx(before, abs=12 / scale)
    assert phone.see("visualViewport.scale") == 1  # the plan is zoomed, not the page
    here = phone.see(under)
    touch(phone, "Start", middle)
    for step in range(10, 61, 10):
        touch(phone, "Move", (middle[0] + step, middle[1] - step))
    touch(phone, "End")
    phone.drawn()
    scale = phone.see("probe.plan.camera.scale")
    moved = phone.see(under)
    assert moved[0] == pytest.approx(here[0] - 60 / scale, abs=12 / scale)
    assert moved[1] == pytest.approx(here[1] - 60 / scale, abs=12 / scale)


def test_no_part_of_the_page_requests_another_host(page: Page, viewer: Viewer, alpha: Path) -> None:
    page.open(viewer(alpha))
    page.seek(60.0)
    for panel in ("vessels", "mission", "helm", "values", "casts", "events", "chart", "compare"):
        page.run("await probe.open(given[0]);", panel)
    page.run("await probe.plots(true); await probe.three(true);")
    page.until("document.querySelector('#scene .notice')")
    names = page.see("performance.getEntriesByType('resource').map((entry) => entry.name)")
    own = page.see("location.origin")
    assert len(names) > 20  # each panel, the plots and the 3-D view are files of their own
    assert {name[: len(own)] for name in names} == {own}
    page.run("await probe.plots(false); await probe.three(false);")


ALONE = """
import sys
from pathlib import Path
from tests.web.viewer.browser.conftest import Page
from tests.web.browsers import PLAIN, start_browser
from tests.web.viewer.viewer_stage import stand

with stand(Path(sys.argv[1])) as stage:
    viewer = stage.view(sys.argv[2])
    page = Page(start_browser(Path(sys.argv[1]) / "profile", PLAIN))
    try:
        page.open(f"{viewer.base}/#{viewer.token}")
        page.seek(60.0)
        print(page.see("probe.picture.vessels[0].name"), page.browser_errors())
    finally:
        page.driver.quit()
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare, as on Linux")
def test_the_page_is_complete_with_a_loopback_network_only(
    browser: Page, tmp_path: Path, alpha: Path
) -> None:
    inside = f'ip link set lo up && exec "{sys.executable}" -c "$0" "$@"'
    command = ["unshare", "--user", "--map-root-user", "--net", "sh", "-c", inside, ALONE]
    result = subprocess.run(
        [*command, str(tmp_path), str(alpha)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if "unshare" in result.stderr or "ip: not found" in result.stderr:
        pytest.skip("this machine lets nobody make a network of their own")
    assert result.stdout == "alpha []\n", result.stderr
