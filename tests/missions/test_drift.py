"""Several vessels in one current that varies with place and depth, in whole runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import Entry, read_entries

pytestmark = pytest.mark.slow

SECONDS = 100
VESSEL = """
Community = {name}
ProcessConfig = ANTLER
{{
  MSBetweenLaunches = 50
  Run = MOOSDB
  Run = pLogger
  Run = uSimMarineV22
  Run = pNodeReporter
  Run = {last}
}}
ProcessConfig = pLogger
{{
  WildCardLogging = true
}}
ProcessConfig = uSimMarineV22
{{
  AppTick = 4
  prefix = NAV
  buoyancy_rate = 0
  start_pos = x={x}, y=0, heading=0, speed=0, depth={depth}
}}
ProcessConfig = pNodeReporter
{{
  AppTick = 4
}}
ProcessConfig = pShare
{{
  Input  = route = localhost:{port}
  Output = src_name = NODE_REPORT_LOCAL, dest_name = NODE_REPORT, route = localhost:9300
}}
"""
SHORE = """
Community = shoreside
ProcessConfig = ANTLER
{
  MSBetweenLaunches = 50
  Run = MOOSDB
  Run = pShare
  Run = uDriftWormhole
}
ProcessConfig = pShare
{
  Input  = route = localhost:9300
  Output = DRIFT_X_ABE -> DRIFT_X:localhost:9301, DRIFT_Y_ABE -> DRIFT_Y:localhost:9301
  Output = DRIFT_X_BEN -> DRIFT_X:localhost:9302, DRIFT_Y_BEN -> DRIFT_Y:localhost:9302
}
"""
MANAGER = """
ProcessConfig = uDriftWormhole
{{
  AppTick = 4
  drift = type=field, file=bay.csv
  vessels = {vessels}
}}
"""
# Eastward 0.2 m/s at the surface and 0.5 at 10 m; northward a hundredth of x a second
FIELD = ["x, y, depth, east, north"] + [
    f"{x}, 0, {depth}, {0.2 + 0.03 * depth}, {0.01 * x}" for x in (-200, 200) for depth in (0, 10)
]


@pytest.mark.parametrize("vessels", ["own", "reported"])
def test_each_vessel_has_the_current_at_its_place_and_depth(vessels: str, tmp_path: Path) -> None:
    (tmp_path / "bay.csv").write_text("\n".join(FIELD))
    last = "uDriftWormhole" if vessels == "own" else "pShare"
    manager = MANAGER.format(vessels=vessels)
    texts = {
        name: VESSEL.format(name=name, x=x, depth=depth, port=9301 + k, last=last) + manager
        for k, (name, x, depth) in enumerate((("abe", 0, 0), ("ben", 50, 10)))
    }
    if vessels == "reported":
        texts["shoreside"] = SHORE + manager
    for name, text in texts.items():
        (tmp_path / f"{name}.moos").write_text(text)
    words = [*(str(tmp_path / f"{name}.moos") for name in texts), "--for", str(SECONDS)]
    words += ["--placement", "one", "--warp", "max", "--log", str(tmp_path / "log")]
    launch = plan_launch(parse_options(words))
    assert run(launch.plan, lambda progress: None).exit_reason == "for"
    t = float(SECONDS)
    for name, east, start in (("abe", 0.2, 0.0), ("ben", 0.5, 50.0)):
        folder = launch.log_folders[name]
        assert folder is not None
        x, y = place(list(read_entries(next(folder.rglob("*.alog")))))
        # x = start + east t; dy/dt = 0.01 x. What is told late by some ticks is told in time
        # for the next: it is behind by its way of a second
        assert x == pytest.approx(start + east * t, abs=1.2 * east)
        north = 0.01 * (start * t + east * t**2 / 2)
        assert y == pytest.approx(north, abs=1.2 * 0.01 * (start + east * t))


def place(entries: list[Entry]) -> tuple[float, float]:
    """Return the position posted last."""
    last = {entry.name: float(entry.value) for entry in entries if entry.name in ("NAV_X", "NAV_Y")}
    return last["NAV_X"], last["NAV_Y"]
