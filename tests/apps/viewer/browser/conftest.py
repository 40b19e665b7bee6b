"""The page in a real browser, before the real viewer: of logs, and of runs that go on.

Debian's chromium and chromedriver are looked for; without them these tests are skipped, or fail
where ``STEERAGEWAY_BROWSER=required`` says that they must run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.run_files import begun_by
from steerageway.bus import sleep, wall

ROOT = Path(__file__).parents[4]
ADVICE = ("GPU stall", "willReadFrequently")  # what Chromium says to these tests, not to the page
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,860",
    "--force-device-scale-factor=1",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
PLAIN = ("--disable-gpu", "--disable-3d-apis")
WEBGL = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
PATIENCE = 30.0  # wall seconds; a busy machine is no failure
LAUNCH = (sys.executable, "launch.py")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these start processes."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.process)


def required(text: str) -> None:
    """Skip, saying why; fail where the browser must be there."""
    if os.environ.get("STEERAGEWAY_BROWSER") == "required":
        pytest.fail(text)
    pytest.skip(text)


class Page:
    """A page of the viewer in a browser.

    Attributes:
        driver: selenium's.
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str, *, ready: bool = True) -> None:
        """Open the viewer's address, by default until a picture of its source is there."""
        self.driver.get("about:blank")
        self.driver.get(address)
        if ready:
            self.until("probe.picture.hello && probe.picture.roster >= 0 && probe.home.version")

    def run(self, script: str, *values: Any) -> Any:
        """Run a function's body in the page; ``await`` may be used."""
        wrapped = (
            "const done = arguments[arguments.length - 1]; const given = [...arguments];"
            f"(async () => {{ {script} }})()"
            ".then((v) => done([true, v ?? null]), (e) => done([false, String(e)]))"
        )
        right, value = self.driver.execute_async_script(wrapped, *values)
        assert right, value
        return value

    def see(self, expression: str) -> Any:
        """Give the value of an expression of the page."""
        return self.run(f"return {expression};")

    def until(self, expression: str, patience: float = PATIENCE) -> Any:
        """Wait until an expression of the page holds; give its value."""
        end = wall() + patience
        while True:
            try:
                value = self.see(expression)
            except AssertionError as error:
                value = None
                said = str(error)
            else:
                said = repr(value)
            if value:
                return value
            assert wall() < end, f"{expression} did not come: {said}"
            sleep(0.05)

    def find(self, selector: str) -> Any:
        """Give the element of a CSS selector."""
        return self.driver.find_element("css selector", selector)

    def button(self, name: str) -> Any:
        """Give the button that is seen, with this text or accessible name."""
        for one in self.driver.find_elements("css selector", "button"):
            if one.is_displayed() and name in (one.text, one.get_attribute("aria-label")):
                return one
        raise AssertionError(f"no button {name!r} is seen")

    def press(self, name: str) -> None:
        """Press the button with this text or name."""
        self.button(name).click()

    def keys(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def words(self, selector: str) -> str:
        """Give the text of an element."""
        return str(self.find(selector).text)

    def seek(self, t: float) -> None:
        """Move a log's time cursor, and wait until it is drawn there."""
        self.run("await probe.wire.do('seek', {t: given[0]});", t)
        self.until(f"Math.abs(probe.picture.t - {t}) < 0.06")
        self.drawn()

    def drawn(self) -> None:
        """Wait until the plan has been drawn once more."""
        self.run(
            "const before = probe.plan.drawn; probe.plan.refresh();"
            "while (probe.plan.drawn === before) await new Promise(requestAnimationFrame);"
        )

    def complaints(self) -> list[str]:
        """What went wrong: console errors, reports of the content policy, requests elsewhere."""
        errors = [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("SEVERE", "WARNING")
            and not any(words in entry["message"] for words in ADVICE)
        ]
        elsewhere = self.see(
            "performance.getEntriesByType('resource').map((e) => e.name)"
            ".filter((name) => new URL(name).origin !== location.origin)"
        )
        return [*errors, *elsewhere, *self.see("probe.errors")]


def start_browser(
    folder: Path, flags: tuple[str, ...], phone: tuple[int, int] | None = None
) -> Page:
    """Start a browser of its own profile.

    Args:
        folder: for its profile.
        flags: how it draws.
        phone: width and height of the phone that it plays.
    """
    binary = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    driver_path = shutil.which("chromedriver")
    if binary is None or driver_path is None:
        required("no browser is installed: apt-get install chromium chromium-driver")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        required("selenium is not installed: pip install -e '.[dev]'")
    options = webdriver.ChromeOptions()
    options.binary_location = str(binary)
    for flag in (*FLAGS, *flags, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.add_experimental_option(
        "prefs", {"download.default_directory": str(folder / "downloads")}
    )
    if phone:
        metrics = {"width": phone[0], "height": phone[1], "pixelRatio": 1, "touch": True}
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(driver_path))
    driver.set_script_timeout(PATIENCE)
    return Page(driver)


Viewer = Callable[..., str]
Launch = Callable[..., "Live"]


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Give the browser in which plans are looked at; it has no WebGL."""
    page = start_browser(tmp_path_factory.mktemp("profile"), PLAIN)
    yield page
    page.driver.quit()


@pytest.fixture
def page(browser: Page, viewer: Viewer, live: Launch) -> Iterator[Page]:
    """Give the browser, and check, before viewers and runs end, that nothing went wrong in it."""
    browser.driver.get_log("browser")
    yield browser
    complaints = browser.complaints()
    browser.driver.get("about:blank")
    assert complaints == []


@pytest.fixture(scope="session")
def solid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Give a browser with WebGL, drawn by software."""
    page = start_browser(tmp_path_factory.mktemp("profile"), WEBGL)
    yield page
    page.driver.quit()


@pytest.fixture(scope="session")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Give a browser that plays a phone."""
    page = start_browser(tmp_path_factory.mktemp("profile"), PLAIN, (390, 844))
    yield page
    page.driver.quit()


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    """Give a function that starts a viewer of runs and logs, and gives the address it prints."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str | Path) -> str:
        module = ["-m", "steerageway.apps.viewer"]
        command = [sys.executable, *module, *map(str, arguments), "--port", "auto"]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return read_address(process.stdout.readline())

    yield start
    end(started)


def read_address(line: str) -> str:
    """Give the address in a line that a viewer printed."""
    found = re.search(r"http://\S+", line)
    assert found, f"expected an address, not {line!r}"
    return found[0]


def end(processes: list[subprocess.Popen[str]]) -> None:
    """End processes, the last first."""
    for process in reversed(processes):
        process.terminate()
    for process in processes:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()


class Live:
    """A run that goes on.

    Attributes:
        folder: of its log.
        address: of its broker.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, ""

    def inputs(self) -> list[dict[str, Any]]:
        """Give what was posted into it by hand."""
        files = sorted(self.folder.rglob("inputs.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Launch]:
    """Give a function that launches a mission, which goes on until the test ends."""
    started: list[subprocess.Popen[str]] = []

    def launch(mission: Path, *options: str) -> Live:
        folder = tmp_path / "run"
        kept = () if "--no-log" in options else ("--log", str(folder))
        command = [*LAUNCH, str(mission), "--port", "auto", *kept, *options]
        with (tmp_path / "said").open("w") as said:
            process = subprocess.Popen(
                command, cwd=ROOT, stdout=said, stderr=subprocess.STDOUT, text=True
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
    """Run alpha to its end; give the log's folder."""
    until = ("--until", "MISSION = complete")
    where = ("--port", "auto", "--log", str(folder))
    command = [*LAUNCH, "missions/alpha", "--warp", "max", "--placement", "one", *until, *where]
    subprocess.run([*command, *options], cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the log of alpha."""
    return sail(tmp_path_factory.mktemp("logs") / "alpha")


@pytest.fixture(scope="session")
def slow_turn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the log of alpha when it turns at half its rate."""
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
    """Give alpha with a viewer's block, waiting to be deployed."""
    folder = tmp_path / "alpha"
    shutil.copytree(ROOT / "missions" / "alpha", folder)
    behaviors = folder / "alpha.bhv"
    behaviors.write_text(behaviors.read_text().replace("DEPLOY = true\n", "DEPLOY = false\n", 1))
    file = folder / "alpha.moos"
    file.write_text(file.read_text() + BUTTONS)
    return file
