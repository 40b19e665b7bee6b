"""Takes the documentation's screenshots and the README's animation: ``make pictures``.

Missions are run, and Debian's chromium (or any other) opens the viewer under chromedriver.
Colours are reduced to a palette to keep the files small.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steerageway.bus import sleep, wall
from tests.web.browsers import WEBGL, start_browser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
WIDE, HIGH = 1280, 800
PALETTE = 256  # colours of a picture
FRAMES, FRAME = 44, 130  # of the animation: number of frames, and the time of each [ms]
SMALLER = 0.6  # scale of the animation
PATIENCE = 60.0  # wall seconds


class Camera:
    """A browser with a page of the viewer or configurator, for screenshots."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def open(
        self, address: str, ready: str = "probe.picture.hello && probe.picture.roster >= 0"
    ) -> None:
        """Open an address and wait for a JavaScript condition, by default a viewer source."""
        self._driver.get("about:blank")
        self._driver.get(address)
        self.until(ready)

    def run(self, script: str) -> Any:
        """Run JavaScript in the page as the body of an asynchronous function."""
        wrapped = (
            "const done = arguments[arguments.length - 1];"
            f"(async () => {{ {script} }})().then((v) => done(v ?? null), (e) => done(null))"
        )
        return self._driver.execute_async_script(wrapped)

    def until(self, expression: str) -> None:
        """Wait until a JavaScript expression is true."""
        limit = wall() + PATIENCE
        while not self.run(f"return {expression};"):
            if wall() > limit:
                raise TimeoutError(f"{expression} did not come")
            sleep(0.1)

    def seek(self, t: float) -> None:
        """Move a log's time cursor."""
        self.run(f"await probe.wire.do('seek', {{t: {t}}});")
        self.until(f"Math.abs(probe.picture.t - {t}) < 0.06")

    def size(self, wide: int, high: int) -> None:
        """Set the size of the page."""
        metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": False}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def picture(self) -> Any:
        """Return a screenshot, after the page has been drawn."""
        from PIL import Image

        frames = "await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));"
        self.run(f"probe.plan?.refresh?.(); {frames}")
        return Image.open(io.BytesIO(self._driver.get_screenshot_as_png())).convert("RGB")

    def save(self, name: str) -> None:
        """Save a screenshot as docs/NAME.png."""
        from PIL.Image import Dither, Quantize

        path = DOCS / f"{name}.png"
        colours = self.picture().quantize(PALETTE, Quantize.MEDIANCUT, dither=Dither.NONE)
        colours.save(path, optimize=True)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


@contextmanager
def camera() -> Iterator[Camera]:
    """Start a browser."""
    with tempfile.TemporaryDirectory() as profile:
        browser = start_browser(Path(profile), (*WEBGL, "--hide-scrollbars"))
        browser.set_script_timeout(PATIENCE)
        try:
            seen = Camera(browser)
            seen.size(WIDE, HIGH)
            yield seen
        finally:
            browser.quit()


@contextmanager
def viewer(*targets: str | Path) -> Iterator[str]:
    """Start the viewer on some logs and return its address."""
    with page_of("apps.viewer", *targets) as address:
        yield address


@contextmanager
def page_of(module: str, *options: str | Path) -> Iterator[str]:
    """Start a web application and return its address."""
    command = [sys.executable, "-m", module, *map(str, options), "--port", "auto"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        if found is None:
            sys.exit(f"{module} did not start")
        yield found[0]
    finally:
        process.terminate()
        process.wait()


def sail(folder: Path, mission: str, *options: str) -> Path:
    """Run a mission at full speed and return its log's folder."""
    command = [sys.executable, "launch.py", mission, "--warp", "max", "--placement", "one"]
    where = ["--port", "auto", "--log", str(folder)]
    done = subprocess.run([*command, *where, *options], cwd=ROOT, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    return folder


def plan(seen: Camera, logs: Path) -> None:
    """Show a fleet on the plan: dark with vectors, and light with plots."""
    log = sail(logs / "fleet", "missions/fleet", "--vessels", "5", "--for", "260")
    with viewer(log) as address:
        seen.open(address)
        seen.seek(150.0)
        seen.run("probe.theme('dark'); probe.plan.fit(); probe.plan.toggle('vectors');")
        seen.run(
            "await probe.open('vessels'); probe.picture.select(probe.picture.vessels[1].name);"
        )
        sleep(1.0)
        seen.save("viewer_plan")
        seen.run("probe.theme('light'); probe.plan.toggle('vectors'); await probe.open('helm');")
        name = "${probe.picture.vessels[1].community}"
        seen.run(
            "await probe.plots(true); const deck = await probe.part('plots');"
            f"deck.add(`{name}:NAV_SPEED`); deck.add(`{name}:DESIRED_RUDDER`, 0);"
            f"deck.add(`xy:{name}:NAV_X,{name}:NAV_Y`);"
        )
        sleep(2.0)
        seen.run("probe.plan.fit();")
        seen.save("viewer_plots")


def compared(seen: Camera, logs: Path) -> None:
    """Show the comparison of two runs."""
    until = ("--until", "MISSION = complete")
    fast = sail(logs / "alpha", "missions/alpha", *until)
    slow = sail(
        logs / "slow_turn", "missions/alpha", *until, "--config", "uSimMarineV22.turn_rate=35"
    )
    with viewer(fast, slow) as address:
        seen.open(address)
        seen.seek(96.0)
        seen.run("probe.theme('dark'); await probe.open('compare');")
        seen.until("document.querySelector('#panel select').options.length")
        seen.run(
            "const choice = document.querySelector('#panel select');"
            "choice.selectedIndex = [...choice.options].findIndex((o) => /slow/.test(o.text));"
            "document.querySelector('#panel button.primary').click();"
        )
        seen.until("document.getElementById('first-difference')")
        seen.run("probe.plan.fit();")
        sleep(1.0)
        seen.save("viewer_compare")
        moving(seen)


def moving(seen: Camera) -> None:
    """Record the README's animation: a replay of alpha."""
    seen.size(980, 620)
    seen.run("await probe.open('helm'); probe.plan.fit();")
    frames = []
    for k in range(FRAMES):
        seen.seek(4.0 + 4.6 * k)
        frames.append(seen.picture())
    size = (round(SMALLER * frames[0].width), round(SMALLER * frames[0].height))
    small = [frame.resize(size) for frame in frames]
    path = DOCS / "viewer.webp"
    small[0].save(
        path, save_all=True, append_images=small[1:], duration=FRAME, loop=0, quality=60, method=6
    )
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")
    seen.size(WIDE, HIGH)


def solid(seen: Camera, logs: Path) -> None:
    """Show an Otter in the 3D view."""
    log = sail(logs / "otter", "missions/otter_survey", "--for", "90")
    with viewer(log) as address:
        seen.open(address)
        seen.seek(31.0)
        seen.run("probe.theme('dark'); await probe.three(true); await probe.open('vessels');")
        model = "(await probe.part('scene')).models.get('otter')"
        seen.until(f"{model}?.known?.mesh !== undefined")
        seen.run("await probe.wire.do('step', {unit: 'second', count: 1});")
        sleep(4.0)
        seen.run("probe.plan.fit();")
        seen.save("viewer_solid")


def phone(seen: Camera, logs: Path) -> None:
    """Show the viewer at the size of a phone."""
    log = sail(logs / "berta", "missions/berta", "--for", "200")
    with viewer(log) as address:
        seen.size(390, 844)
        seen.open(address)
        seen.seek(120.0)
        seen.run("probe.theme('light'); probe.plan.fit();")
        sleep(1.0)
        seen.save("viewer_phone")
        seen.size(WIDE, HIGH)


def senses(seen: Camera, logs: Path) -> None:
    """Show the LiDAR and camera data of a harbour."""
    log = sail(logs / "dataset", "missions/dataset", "--for", "45")
    with viewer(log) as address:
        seen.open(address)
        seen.seek(40.0)
        seen.run("probe.theme('dark'); await probe.open('senses');")
        seen.until("document.querySelectorAll('img.sense').length === 4")
        seen.until("[...document.querySelectorAll('img.sense')].every((one) => one.naturalWidth)")
        seen.until("document.getElementById('panel').textContent.includes('returns')")
        seen.run(
            "for (const row of document.querySelectorAll('#panel label.row'))"
            " if (/DEPTH|INSTANCE/.test(row.textContent)) row.querySelector('input').click();"
        )
        seen.run("probe.plan.fit();")
        sleep(1.0)
        seen.save("viewer_senses")


def configurator(seen: Camera, folder: Path) -> None:
    """Show the configurator: parts on a hull, the plan, and a trial."""
    kept = ("--drafts", folder / "drafts", "--root", folder / "vessels")
    with page_of("apps.configurator", *kept) as address:
        seen.open(address, "window.probe?.ready")
        copied(seen, "wamv")
        press(seen, "Parts")
        seen.until("probe.view.meshed")
        seen.run("probe.select({file: 'thrusters.yml', path: ['thrusters', 1]});")
        seen.run("probe.view.from(-0.6, 1.1, -0.7);")
        sleep(2.0)
        seen.save("configurator_parts")
        press(seen, "Guidance")
        seen.until("probe.plan?.drawn > 0")
        seen.run(
            "await probe.studio.edit('route', [{do: 'set', file: 'guidance.yml',"
            " path: ['waypoints'], value: [[0, 0, 0], [60, 0, 0], [60, 50, 0], [0, 50, 0]]}]);"
            "probe.plan.fit();"
        )
        sleep(1.0)
        seen.save("configurator_guidance")
        seen.run("await probe.doors();")
        copied(seen, "remus100")
        press(seen, "Trials")
        seen.until("document.getElementById('trial-kind')")
        seen.run(
            "const kind = document.getElementById('trial-kind'); kind.value = 'turning_circle';"
            "kind.dispatchEvent(new Event('change'));"
        )
        press(seen, "Run")
        seen.until("document.querySelector('#trial-result table')")
        sleep(1.0)
        seen.save("configurator_trials")


def copied(seen: Camera, name: str) -> None:
    """Open a copy of a shipped vessel, with the light theme."""
    press(seen, f"Copy {name}")
    seen.until("probe.studio && probe.studio.checked === probe.studio.revision")
    seen.run("document.documentElement.dataset.theme = 'light';")
    sleep(1.0)


def press(seen: Camera, name: str) -> None:
    """Wait for the button with a text or accessible name, and press it."""
    seen.until(
        "(() => { const found = [...document.querySelectorAll('button')].find((one) =>"
        f" [one.textContent, one.getAttribute('aria-label')].includes('{name}'));"
        " found?.click(); return Boolean(found); })()"
    )


TAKEN: dict[str, Callable[[Camera, Path], None]] = {
    "plan": plan,
    "compare": compared,
    "solid": solid,
    "phone": phone,
    "senses": senses,
    "configurator": configurator,
}


def main() -> None:
    """Take the pictures named on the command line, or all."""
    parser = ArgumentParser(description="Make the pictures of the pages.")
    parser.add_argument("which", nargs="*", choices=[[], *TAKEN], help="default: all")
    names = parser.parse_args().which or list(TAKEN)
    with camera() as seen, tempfile.TemporaryDirectory() as logs:
        for name in names:
            TAKEN[name](seen, Path(logs))


if __name__ == "__main__":
    main()
