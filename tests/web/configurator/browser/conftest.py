"""Fixtures: the configurator's page in a real browser, with the real server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web import browsers
from tests.web.browsers import WEBGL, end, read_address


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of these start processes."""
    for item in items:
        if item.nodeid.startswith("tests/web/configurator/browser/"):
            item.add_marker(pytest.mark.process)


class Page(browsers.Page):
    """A page of the configurator.

    Attributes:
        downloads: the folder of what it gives.
        folder: where the server works.
    """

    downloads: Path
    folder: Path
    address: str

    def begin(self, address: str) -> None:
        """Open the configurator's address, until something can be pressed."""
        self.address = address
        self.open(address, "window.probe?.ready")

    def template(self, name: str) -> None:
        """Open a copy of a bundled vessel."""
        self.until(f"document.querySelector('[aria-label=\"Copy {name}\"]')")
        self.press(f"Copy {name}")
        self.until(f"probe.studio?.state.name === 'my_{name}'")
        self.settled()

    def begun(self, name: str) -> None:
        """Begin a vessel without files."""
        self.press("New vessel")
        self.until("document.querySelector('dialog[open] input')")
        self.run("document.querySelector('dialog[open] input').value = given[0];", name)
        self.press("Begin")
        self.until(f"probe.studio?.state.name === '{name}'")

    def press(self, name: str) -> None:
        """Press the button with this text or name, when it is there."""
        self.until(PRESSED.replace("NAME", name))

    def tab(self, name: str) -> None:
        """Open a panel."""
        self.press(name)
        self.until(f"document.getElementById('panel').getAttribute('aria-label') === '{name}'")

    def file(self, name: str) -> None:
        """Show a file's form, when the list of files is there."""
        self.until(SHOWN.replace("NAME", name))

    def enter(self, selector: str, text: str) -> None:
        """Type into a field, and leave it; wait until the edit counts."""
        from selenium.webdriver.common.keys import Keys

        self.settled()
        revision = self.see("probe.studio.revision")
        field = self.find(selector)
        field.clear() if not field.get_attribute("value") else field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text, Keys.TAB)
        self.until(f"probe.studio.revision > {revision}")

    def cell(self, file: str, key: str, number: int = 0) -> str:
        """Return the selector of a field, or of one of its cells."""
        return f'[data-at="{file}|{key}"] .line input:nth-of-type({number + 1})'

    def control(self, letter: str) -> None:
        """Press a letter with Control."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        chain = ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(letter)
        chain.key_up(Keys.CONTROL).perform()

    def settled(self) -> None:
        """Wait until the files as they are now have been checked."""
        self.until("probe.studio.checked === probe.studio.revision")

    def mistakes(self) -> Any:
        """Return the present errors of the vessel."""
        self.settled()
        return self.see("probe.studio.mistakes")

    def drag(self, axis: str, metres: float) -> None:
        """Drag the gizmo's arrow along an axis of the drawing."""
        from selenium.webdriver.common.action_chains import ActionChains

        start, stop = self.run(GRIP, axis, metres)
        box = self.find("#scene canvas").rect
        middle = (box["width"] / 2, box["height"] / 2)
        canvas = self.find("#scene canvas")
        offsets = [[round(point[i] - middle[i]) for i in range(2)] for point in (start, stop)]
        revision = self.see("probe.studio.revision")
        chain = ActionChains(self.driver, duration=20)
        chain.move_to_element_with_offset(canvas, *offsets[0]).click_and_hold()
        half = [(a + b) // 2 for a, b in zip(*offsets, strict=True)]
        chain.move_to_element_with_offset(canvas, *half)
        chain.move_to_element_with_offset(canvas, *offsets[1]).release().perform()
        self.until(f"probe.studio.revision > {revision}")


# Presses the button or link that is seen with a text or name, in front of a dialog that is open.
PRESSED = """\
(() => {
  const top = document.querySelector("dialog[open]") ?? document;
  const button = [...top.querySelectorAll("button, a")].find((one) => one.checkVisibility()
    && !one.disabled && [one.textContent, one.getAttribute("aria-label")].includes("NAME"));
  button?.scrollIntoView({block: "center"});
  button?.click();
  return Boolean(button);
})()"""

# Presses a file of the list, until it is the one that is shown.
SHOWN = """\
(() => {
  const files = [...document.querySelectorAll(".files button")];
  const file = files.find((one) => one.firstChild.textContent === "NAME");
  const shown = file?.getAttribute("aria-pressed") === "true";
  if (!shown) file?.click();
  return shown;
})()"""

# Where the gizmo's arrow is on the screen, and where it is when its part has moved so far.
GRIP = """
const [axis, metres] = given;
const view = probe.view;
const group = view.groups.get(view.chosen.key);
const far = view.camera.position.distanceTo(group.position);
const wide = Math.min(1.9 * Math.tan(Math.PI * view.camera.fov / 360), 7);
const size = far * wide * view.gizmo.size / 4;
const along = {x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1]}[axis];
const from = group.position.toArray();
const at = (reach) => view.onScreen(from.map((one, i) => one + along[i] * reach));
return [at(0.45 * size), at(0.45 * size + metres)];
"""


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Return a browser with WebGL, drawn by software."""
    folder = tmp_path_factory.mktemp("profile")
    page = Page(browsers.start_browser(folder, WEBGL))
    page.downloads = folder / "downloads"
    yield page
    page.driver.quit()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Return the address of a configurator, and the folder that it works in."""
    folder = tmp_path_factory.mktemp("configurator")
    command = [sys.executable, "-m", "steerageway.web.configurator", "--port", "auto"]
    kept = ("--drafts", str(folder / "drafts"), "--root", str(folder / "vessels"))
    process = subprocess.Popen([*command, *kept], cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield read_address(process.stdout.readline()), folder
    end([process])


@pytest.fixture
def page(browser: Page, server: tuple[str, Path]) -> Iterator[Page]:
    """Return the browser at the shelf, and check afterwards that nothing went wrong in it."""
    browser.driver.get_log("browser")
    browser.begin(server[0])
    browser.folder = server[1]
    browser.run("if (probe.studio) await probe.doors(); probe.layout = {};")
    yield browser
    warnings = browser.browser_errors()
    browser.driver.get("about:blank")
    assert warnings == []
