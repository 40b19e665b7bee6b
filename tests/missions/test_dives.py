"""Dives with gains whose pitch loop has a rate term, by both pairs of simulator and controller."""

from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

MISSION = """
Community  = diver
LatOrigin  = 50
LongOrigin = 1

ProcessConfig = ANTLER
{{
  MSBetweenLaunches = {gap}
  Run = MOOSDB
  Run = uSimMarine{pair}
  Run = pMarinePID{pair}
  Run = pLogger
}}

ProcessConfig = uSimMarine{pair}
{{
  AppTick = 10
  prefix  = NAV
  max_depth_rate = 4
}}

ProcessConfig = pMarinePID{pair}
{{
  AppTick       = 20
  active_start  = true
  depth_control = true
  speed_factor  = 20
  maxrudder     = 100
  maxthrust     = 100
  maxpitch      = 15
  maxelevator   = 13
  tardy_helm_threshold = 1000
{gains}
}}

ProcessConfig = pLogger
{{
  AsyncLog = true
  Log = NAV_DEPTH @ 0
}}
"""

LOOPS = {
    "yaw": (0.5, 0.0, 0.0, 0.0),
    "speed": (1.0, 0.0, 0.0, 0.0),
    "z_to_pitch": (0.12, 0.0, 0.004, 0.05),
    "pitch": (1.5, 1.0, 0.0, 0.0),
}


def depths_of(folder: Path, pair: str, gap: int) -> list[float]:
    """Return the depths [m] of the last minute of a dive to 20 m."""
    names = ("kp", "kd", "ki", "integral_limit")
    gains = "\n".join(
        f"  {loop}_pid_{name} = {value}"
        for loop, values in LOOPS.items()
        for name, value in zip(names, values, strict=True)
    )
    file = folder / "dive.moos"
    file.write_text(MISSION.format(pair=pair, gap=gap, gains=gains))
    options = [str(file), "--placement", "one", "--warp", "max", "--for", "300"]
    options += ["--set", "MOOS_MANUAL_OVERRIDE=false"]
    for desired in ("HEADING=90", "SPEED=1.5", "DEPTH=20"):
        options += ["--set", f"@1:DESIRED_{desired}"]
    launch = plan_launch(parse_options([*options, "--log", str(folder / "log")]))
    run(launch.plan, lambda progress: None)
    (log,) = folder.rglob("*.alog")
    return [float(one.value) for one in read_entries(log) if one.time > 240]


@pytest.mark.slow
@pytest.mark.parametrize("gap", [200, 100, 203])
@pytest.mark.parametrize("pair", ["", "V22"])
def test_a_depth_is_kept_for_any_launch_offsets(tmp_path: Path, pair: str, gap: int) -> None:
    depths = depths_of(tmp_path, pair, gap)
    assert depths
    assert all(abs(depth - 20) < 3 for depth in depths)
