"""The documentation as a site: every page in it, nothing from elsewhere, readable on a phone."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.web.browsers import PLAIN, start_browser

ROOT = Path(__file__).parents[1]
FROM_ELSEWHERE = re.compile(
    r'<(?:script|img|iframe|source)[^>]+src="?https?:|<link[^>]+href="?https?:'
)
STYLE_FROM_ELSEWHERE = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")
PLACE = re.compile(r'\sid="?([^\s">]+)')
INTO = re.compile(r'\shref="?((?![a-z]+:)[^\s"#>]*)#([^\s">]+)')
LOOKED_AT = (
    "index.html",
    "tutorials/first_mission.html",
    "launching.html",
    "behaviors.html",
    "vessel_keys.html",
    "architecture.html",
)
# What is wider than the window, and what was loaded from another host.
OVERFLOW = "return document.documentElement.scrollWidth - window.innerWidth"
REQUESTS = "return performance.getEntriesByType('resource').map((one) => new URL(one.name).host)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site."""
    folder = tmp_path_factory.mktemp("site") / "site"
    command = (sys.executable, "-m", "docs.build_site", str(folder))
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    """Serve the site; return host and port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.process
def test_the_site_builds_with_every_page_and_no_external_resource(site: Path) -> None:
    pages = {path: path.read_text() for path in site.rglob("*.html")}
    styles = {path: path.read_text() for path in site.rglob("*.css")}
    assert len(pages) > 60
    assert styles
    assert "Steerageway" in pages[site / "index.html"]
    assert not [path for path, text in pages.items() if FROM_ELSEWHERE.search(text)]
    assert not [path for path, text in styles.items() if STYLE_FROM_ELSEWHERE.search(text)]


@pytest.mark.process
def test_every_link_into_a_page_of_the_site_leads_to_a_place_on_it(site: Path) -> None:
    texts = {path: path.read_text() for path in site.rglob("*.html")}
    places = {path: {*PLACE.findall(text)} for path, text in texts.items()}
    links = [
        (path, (path.parent / page).resolve() if page else path, anchor)
        for path, text in texts.items()
        for page, anchor in INTO.findall(text)
    ]
    assert (site / "sensors.html", site / "vessel_keys.html", "sensorsyml") in links
    assert [link for link in links if link[2] not in places.get(link[1], ())] == []


@pytest.mark.process
@pytest.mark.parametrize("size", [(1280, 900), (390, 844)])
def test_pages_fit_a_screen_and_a_phone_and_load_no_external_resource(
    size: tuple[int, int], host: str, tmp_path: Path
) -> None:
    driver = start_browser(tmp_path, PLAIN, size)
    try:
        for page in LOOKED_AT:
            driver.get(f"http://{host}/{page}")
            assert driver.execute_script(OVERFLOW) <= 0, page
            assert set(driver.execute_script(REQUESTS)) == {host}, page
    finally:
        driver.quit()


def test_every_mission_is_on_the_page_of_missions() -> None:
    listed = set(re.findall(r"missions/(\w+)/README\.md", (ROOT / "docs/missions.md").read_text()))
    assert listed == {path.parent.name for path in ROOT.glob("missions/*/README.md")}
