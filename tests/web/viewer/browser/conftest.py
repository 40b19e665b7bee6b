"""Fixtures: the viewer's page in a real browser, for logs and running missions."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.shared.run_files import begun_by
from steerageway.bus import sleep, wall
from tests.web import browsers
from tests.web.browsers import PATIENCE, PLAIN, ROOT, WEBGL, end, read_address

READY = "probe.picture.hello && probe.picture.roster >= 0 && probe.home.version"
LAUNCH = (sys.executable, "launch.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these start processes."""
    for item in items:
        if item.nodeid.startswith("tests/web/viewer/browser/"):
            item.add_marker(pytest.mark.process)


class Page(browsers.Page):
    """A page of the viewer in a browser."""

    def open(self, address: str, ready: str = READY) -> None:
        """Open the viewer's address, by default until a picture of its source is there."""
        super().open(address, ready)

    def seek(self, t: float) -> None:
        """Move a log's time cursor, and wait until it is drawn there."""
        self.run("await probe.wire.do('seek', {t: given[0]});", t)
        self.until(f"Math.abs(probe.picture.t - {t}) < 0.06")
        self.drawn()

    def drawn(self) -> None:
        """Wait until the plan has been drawn again."""
        self.run(
            "const before = probe.plan.drawn; probe.plan.refresh();"
            "while (probe.plan.drawn === before) await new Promise(requestAnimationFrame);"
        )


Viewer = Callable[..., str]
Launch = Callable[..., "Live"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return the browser in which plans are looked at; it has no WebGL."""
    page = Page(browsers.start_browser(tmp_path_factory.mktemp("profile"), PLAIN))
    yield page
    page.driver.quit()


@pytest.fixture
def page(browser: Page, viewer: Viewer, live: Launch) -> Iterator[Page]:
    """Return the browser, and check, before viewers and runs end, that nothing went wrong in it."""
    browser.driver.get("about:blank")  # a page of an earlier test may still ask for its viewer
    browser.driver.get_log("browser")
    yield browser
    warnings = browser.browser_errors()
    browser.driver.get("about:blank")
    assert warnings == []


@pytest.fixture(scope="session")
def solid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser with WebGL, drawn by software."""
    page = Page(browsers.start_browser(tmp_path_factory.mktemp("profile"), WEBGL))
    yield page
    page.driver.quit()


@pytest.fixture(scope="session")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser that plays a phone."""
    page = Page(browsers.start_browser(tmp_path_factory.mktemp("profile"), PLAIN, (390, 844)))
    yield page
    page.driver.quit()


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    """Return a function that starts a viewer of runs and logs, and gives the address it prints."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str | Path) -> str:
        module = ["-m", "steerageway.web.viewer"]
        command = [sys.executable, *module, *map(str, arguments), "--port", "auto"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return read_address(process.stdout.readline())

    yield start
    end(started)


class Live:
    """A run that goes on.

    Attributes:
        folder: of its log.
        address: of its broker.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, ""

    def inputs(self) -> list[dict[str, Any]]:
        """Return the posts made by hand."""
        files = sorted(self.folder.rglob("inputs.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Launch]:
    """Return a function that launches a mission, which goes on until the test ends."""
    started: list[subprocess.Popen[str]] = []

    def launch(mission: Path, *options: str) -> Live:
        folder = tmp_path / "run"
        kept = () if "--no-log" in options else ("--log", str(folder))
        command = [*LAUNCH, str(mission), "--port", "auto", *kept, *options]
        with (tmp_path / "said").open("w") as file:
            process = subprocess.Popen(
                command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, text=True
            )
        started.append(process)
        run = Live(folder)
        limit = wall() + PATIENCE
        while not (begun_by(process.pid) and (not kept or (folder / "run.json").exists())):
            assert process.poll() is None, (tmp_path / "said").read_text()
            assert wall() < limit, "the run did not start"
            sleep(0.05)
        run.address = begun_by(process.pid).removeprefix("tcp://")
        return run

    yield launch
    end(started)


def sail(folder: Path, *options: str) -> Path:
    """Run alpha to its end; return the log's folder."""
    until = ("--until", "MISSION = complete")
    where = ("--port", "auto", "--log", str(folder))
    command = [*LAUNCH, "missions/alpha", "--warp", "max", "--placement", "one", *until, *where]
    subprocess.run([*command, *options], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of alpha."""
    return sail(tmp_path_factory.mktemp("logs") / "alpha")


@pytest.fixture(scope="session")
def slow_turn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of alpha when it turns at half its rate."""
    folder = tmp_path_factory.mktemp("logs") / "slow_turn"
    return sail(folder, "--config", "uSimMarineV22.turn_rate=35")


BUTTONS = """
ProcessConfig = pMarineViewer
{
  button_one = DEPLOY # DEPLOY = true # MOOS_MANUAL_OVERRIDE = false # color=green
  button_two = RETURN # RETURN = true
  action = MENU_KEY=speeds # SPEED_UPDATE = speed=2
  left_context[go] = GO_TO = $(XPOS),$(YPOS)
  right_context[mark] = MARK = x=$(XPOS),y=$(YPOS)
  scope = DEPLOY
}
"""


@pytest.fixture
def waiting(tmp_path: Path) -> Path:
    """Return alpha with a viewer's block, waiting to be deployed."""
    folder = tmp_path / "alpha"
    shutil.copytree(ROOT / "missions" / "alpha", folder)
    behaviors = folder / "alpha.bhv"
    behaviors.write_text(behaviors.read_text().replace("DEPLOY = true\n", "DEPLOY = false\n", 1))
    file = folder / "alpha.moos"
    file.write_text(file.read_text().partition("// For viewers")[0] + BUTTONS)
    return file
