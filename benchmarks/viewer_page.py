"""Cost of the viewer's page in a browser: ``python benchmarks/viewer_page.py``.

The logs of a fleet, an hour of each vessel, are opened in a headless browser. Memory: the
JavaScript
heap after a garbage collection, the arrays of the trails, and the growth of the page's process
relative to one vessel of a minute. Drawing, until its pixels are complete: median and 90th
percentile
of the frames that show a new scene while the log is played, of those in which the plan is panned,
and
with trails of 20 000 points each; for comparison the time of a bare canvas that draws the same
number
of glyphs and names, so that the ratio holds on a slow machine, too. Layout: the browser's time per
scene for the table of vessels.
"""

from __future__ import annotations

import json
import sys
import tempfile
from math import atan2, cos, degrees, sin
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from benchmarks.viewer import POINTS, children
from steerageway.bus import sleep
from steerageway.moos.alog import EntryFormat, banner
from steerageway.web.viewer.log_set import read_logs
from tests.web.viewer.browser.conftest import PLAIN, Page, start_browser
from tests.web.viewer.viewer_stage import stand

START = 1_767_225_600.2
VESSELS, SECONDS = 200, 3600
FRAMES = 60
PLAYED = 3.0  # wall seconds
INDEXED = 300.0  # maximum wall time of indexing [s]
DRAW = """
const [count, step] = given;
const { plan } = probe;
const took = [];
for (let k = 0; k < count; k += 1) {
  const way = Math.floor(k / 30) % 2 ? -step : step;
  if (step) plan.look_at(plan.camera.x + way / plan.camera.scale, plan.camera.y);
  const before = plan.drawn;
  if (step !== null) plan.refresh();
  while (plan.drawn === before) await new Promise(requestAnimationFrame);
  const begun = performance.now();
  plan.ctx.getImageData(0, 0, 1, 1);
  took.push(plan.milliseconds + performance.now() - begun);
}
took.sort((a, b) => a - b);
return [took[Math.floor(count / 2)], took[Math.floor(0.9 * count)]];
"""
BARE = """
const canvas = document.createElement("canvas");
Object.assign(canvas, {width: probe.plan.canvas.width, height: probe.plan.canvas.height});
const ctx = canvas.getContext("2d");
const took = [];
for (let k = 0; k < given[0]; k += 1) {
  const begun = performance.now();
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  probe.picture.vessels.forEach((ship, n) => {
    const [x, y] = [30 + 60 * (n % 20), 30 + 40 * Math.floor(n / 20) + k % 7];
    ctx.beginPath();
    ctx.moveTo(x, y - 12); ctx.lineTo(x + 5, y + 12); ctx.lineTo(x - 5, y + 12); ctx.closePath();
    ctx.fill(); ctx.stroke();
    ctx.fillText(ship.name, x + 10, y);
  });
  ctx.getImageData(0, 0, 1, 1);
  took.push(performance.now() - begun);
  await new Promise(requestAnimationFrame);
}
return took.sort((a, b) => a - b)[Math.floor(given[0] / 2)];
"""
LONG = """
for (const ship of probe.picture.vessels) {
  const [t0, x0, y0] = ship.track.last;
  for (let k = 1; k <= given[0]; k += 1) {
    ship.track.add(t0 + 10 * k, x0 + 300 * Math.sin(k / 9), y0 + 150 * Math.sin(k / 3.5));
  }
}
"""


def fleet(folder: Path, vessels: int, seconds: int) -> Path:
    """Write the logs of vessels on winding tracks, a position per second."""
    folder.mkdir()
    line = EntryFormat(0.0).line
    for number in range(vessels):
        name, lines = f"v{number:03}", []
        east, north = 400.0 * (number % 20), 200.0 * (number // 20)
        lines.append(line("DB_TIME", START, -0.2, f"MOOSDB_{name}"))
        for tick in range(seconds):
            time = float(tick)
            x, y = east + 300 * sin(time / 90 + number), north + 150 * sin(time / 35)
            lines.append(line("NAV_X", x, time, "uSimMarineV22"))
            lines.append(line("NAV_Y", y, time, "uSimMarineV22"))
            course = degrees(atan2(10 / 3 * cos(time / 90 + number), 30 / 7 * cos(time / 35)))
            lines.append(line("NAV_HEADING", course % 360, time, "uSimMarineV22"))
        (folder / f"{name}.alog").write_text(banner(name, START, START) + "".join(lines))
    return folder


def held(page: Page) -> dict[str, float]:
    """Return the memory of a page after a garbage collection [MB]."""
    page.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    heap = counted(page, "JSHeapUsedSize")
    arrays = page.see("probe.picture.vessels.reduce((sum, v) => sum + v.track.bytes, 0)")
    return {"heap": heap / 1e6, "trails": arrays / 1e6, "process": _process_of(page) / 1e6}


def counted(page: Page, name: str) -> float:
    """Return one of the browser's performance metrics of a page."""
    page.driver.execute_cdp_cmd("Performance.enable", {})
    metrics = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return float({one["name"]: one["value"] for one in metrics}[name])


def _process_of(page: Page) -> float:
    """Return the private memory of the browser's largest renderer process [bytes]."""
    largest = 0
    for pid in children(page.driver.service.process.pid):
        if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
            rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            private = [int(row.split()[1]) for row in rows if row.startswith("Private_")]
            largest = max(largest, 1024 * sum(private))
    return float(largest)


def opened(page: Page, viewer: Any, vessels: int, last: float) -> None:
    """Open a viewer's logs, wait until all trails have arrived, then seek to the end."""
    page.open(f"{viewer.base}/#{viewer.token}", ready=False)
    page.until("probe.picture.hello && probe.picture.roster >= 0", patience=INDEXED)
    page.run("await probe.wire.do('seek', {t: given[0]});", last)
    page.until(
        f"probe.picture.vessels.length === {vessels} &&"
        f" probe.picture.vessels.every((v) => v.track.last?.[0] >= {last - 20})",
        patience=INDEXED,
    )
    page.run("probe.plan.fit();")


def measured(folder: Path) -> dict[str, Any]:
    """Measure a page with one vessel of a minute, then one with the fleet."""
    small, large = fleet(folder / "small", 1, 60), fleet(folder / "large", VESSELS, SECONDS)
    last = read_logs(large).span[1]
    with stand(folder) as stage:
        page = start_browser(folder / "profile", PLAIN)
        try:
            opened(page, stage.view(small), 1, 59.0)
            before = held(page)
            opened(page, stage.view(large), VESSELS, last)
            page.run("await probe.wire.do('seek', {t: 1000});")
            page.run("await probe.wire.do('play', {speed: 60});")
            sleep(PLAYED)
            before_layout = counted(page, "LayoutDuration")
            played = page.run(DRAW, FRAMES // 2, None)
            layout = 1e3 * (counted(page, "LayoutDuration") - before_layout) / (FRAMES // 2)
            page.run("await probe.wire.do('play', {speed: 0});")
            page.run(DRAW, FRAMES, 0)  # until the whole plan is drawn
            moved = page.run(DRAW, 2 * FRAMES, 7)
            bare = page.run(BARE, FRAMES)
            after = held(page)
            page.run(LONG, POINTS)
            page.run(DRAW, FRAMES, 0)
            longer = page.run(DRAW, FRAMES, 0)
        finally:
            page.driver.quit()
    return {
        "vessel_hours": VESSELS * SECONDS / 3600,
        "heap_MB": after["heap"],
        "trails_MB": after["trails"],
        "process_grew_MB": after["process"] - before["process"],
        "bare_canvas_ms": bare,
        "layout_of_a_scene_ms": layout,
        "played_ms": played,
        "moved_ms": moved,
        "long_trails_ms": longer,
        "played_times_bare": played[0] / bare,
        "moved_times_bare": moved[0] / bare,
        "long_trails_times_bare": longer[0] / bare,
    }


def main() -> None:
    """Measure, print and write."""
    options = options_of(__doc__ or "", "viewer_page").parse_args()
    figures: dict[str, Any] = load_before()
    with tempfile.TemporaryDirectory() as name:
        figures |= measured(Path(name))
    print(json.dumps(figures, indent=1))
    write(figures, options.json)


if __name__ == "__main__":
    main()
