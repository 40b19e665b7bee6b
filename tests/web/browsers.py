"""Pages of the web applications in a real browser.

Debian's chromium and chromedriver are looked for; without them tests are skipped, or fail where
``STEERAGEWAY_BROWSER=required`` says that they must run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import sleep, wall

ROOT = Path(__file__).parents[2]
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
# Finds the button or link that is seen with a text or name, at once: a page may redraw it.
SEEN = """
const [name] = given;
return [...document.querySelectorAll("button, a")].find((one) => one.checkVisibility()
  && [one.innerText.trim(), one.getAttribute("aria-label")].includes(name));
"""
# Controls whose accessible name lacks the words that are seen (WCAG 2.5.3, label in name).
MISNAMED = """[...document.querySelectorAll("button, a, summary, [role=tab]")].filter((one) => {
  const seen = one.innerText.trim().toLowerCase();
  const name = (one.getAttribute("aria-label") ?? seen).toLowerCase();
  return one.checkVisibility() && /[a-z0-9?]/.test(seen) && !name.includes(seen);
}).map((one) => one.outerHTML.slice(0, 120))
"""
PATIENCE = 30.0  # wall seconds; a busy machine is no failure
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def required(text: str) -> None:
    """Skip, saying why; fail where the browser must be there."""
    if os.environ.get("STEERAGEWAY_BROWSER") == "required":
        pytest.fail(text)
    pytest.skip(text)


class Page:
    """A page in a browser.

    Attributes:
        driver: selenium's.
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str, ready: str = "window.probe") -> None:
        """Open an address, until something holds there."""
        self.driver.get("about:blank")
        self.driver.get(address)
        self.until(ready)

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
        """Return the value of an expression of the page."""
        return self.run(f"return {expression};")

    def until(self, expression: str, patience: float = PATIENCE) -> Any:
        """Wait until an expression of the page holds; return its value."""
        end = wall() + patience
        while True:
            try:
                value = self.see(expression)
            except AssertionError as error:
                value = None
                message = str(error)
            else:
                message = repr(value)
            if value:
                return value
            assert wall() < end, f"{expression} did not come: {message}"
            sleep(0.05)

    def find(self, selector: str) -> Any:
        """Return the element of a CSS selector."""
        return self.driver.find_element("css selector", selector)

    def button(self, name: str) -> Any:
        """Return the button that is seen, with this text or accessible name."""
        found = self.run(SEEN, name)
        assert found, f"no button {name!r} is seen"
        return found

    def press(self, name: str) -> None:
        """Press the button with this text or name, once it is there; a page may redraw it."""
        from selenium.common.exceptions import StaleElementReferenceException

        end = wall() + PATIENCE
        while True:
            try:
                return self.button(name).click()
            except (AssertionError, StaleElementReferenceException):
                if wall() > end:
                    raise
            sleep(0.05)

    def keys(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def words(self, selector: str) -> str:
        """Return the text of an element."""
        return str(self.see(f"document.querySelector({json.dumps(selector)}).innerText"))

    def browser_errors(self) -> list[str]:
        """Console errors, reports of the content policy, requests elsewhere."""
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
) -> Any:
    """Start a browser with a separate profile; return selenium's driver.

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
    return driver


def read_address(line: str) -> str:
    """Return the address in a line that a viewer printed."""
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
