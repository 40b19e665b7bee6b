"""The field of missions/obstacles from uFldObstacleSim: reported, or sensed point by point."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.values import pairs

pytestmark = pytest.mark.slow

OBSTACLES = Path(__file__).parents[2] / "missions" / "obstacles"
GIVEN = re.compile(r"  given_obstacle = (\S+)\n")
LEAST = 2.0  # nearer than this it would have been luck [m]
FIELD = """\
region = pts={-40,40:45,40:45,245:-40,245}
min_range = 10
min_size = 6
max_size = 10
"""
SIMULATOR = """
ProcessConfig = uFldObstacleSim
{
  AppTick       = 2
  obstacle_file = field.txt
"""
REPORTER = """
ProcessConfig = pNodeReporter
{
  AppTick            = 2
  node_report_output = NODE_REPORT
}
"""
KINDS = {
    "told": ("  given_max_duration = off\n", "}\n"),
    "sensed": (
        "  point_var = TRACKED_FEATURE_ABE\n  lasso = true\n  lasso_radius = 8\n",
        "  post_points = true\n  sensor_range = 45\n  rate_points = 2\n}\n",
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_simulated_field_is_crossed_without_a_hit(kind: str, tmp_path: Path) -> None:
    text = (OBSTACLES / "obstacles.moos").read_text()
    shapes = GIVEN.findall(text)
    manager, simulator = KINDS[kind]
    block = "ProcessConfig = pObstacleMgr\n{\n"
    text = GIVEN.sub("", text).replace(block, block + manager)
    run_lines = "  Run = uFldObstacleSim\n  Run = pObstacleMgr\n  Run = pNodeReporter\n"
    text = text.replace("  Run = pObstacleMgr\n", run_lines)
    mission = tmp_path / "mission"
    mission.mkdir()
    (mission / "obstacles.moos").write_text(f"{text}{SIMULATOR}{simulator}{REPORTER}")
    (mission / "obstacles.bhv").write_text((OBSTACLES / "obstacles.bhv").read_text())
    (mission / "field.txt").write_text(FIELD + "".join(f"poly = {one}\n" for one in shapes))
    arguments = [str(mission), "--until", "NAV_Y > 260", "--for", "900"]
    arguments += ["--placement", "one", "--warp", "max", "--log", str(tmp_path / "log")]
    outcome = run(plan_launch(parse_options(arguments)).plan, lambda progress: None)
    assert outcome.exit_reason == "until"
    (log,) = (tmp_path / "log").rglob("*.alog")
    assert (log.parent / "field._txt").read_text().startswith("region = ")
    polygons = [parse_polygon(shape) for shape in shapes]
    last: dict[str, float] = {}
    closest, met = 1e9, set()
    for entry in read_entries(log):
        if entry.name in ("NAV_X", "NAV_Y"):
            last[entry.name] = float(entry.value)
        if entry.name == "NAV_Y" and len(last) == 2:
            here = (last["NAV_X"], last["NAV_Y"])
            closest = min(closest, *(polygon.distance(here) for polygon in polygons))
        if entry.name == "OBSTACLE_INFO":
            met.add(dict(pairs(str(entry.value), "#"))["id"])
    assert closest > LEAST
    assert len(met) >= 5  # of the ten, those that lie on its way
