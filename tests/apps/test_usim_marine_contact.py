"""Contact of the simulated vessel with walls, other vessels and the bottom."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bus import CannotGoOn, ConfigError

ROOT = Path(__file__).parents[2]
DT = 0.1
slow = pytest.mark.slow
QUAY = "contact.walls = [{label: quay, points: [[-20, 4], [20, 4], [20, 6], [-20, 6]]}]"
OTTER = f"model = fossen\nvessel = otter\nenvironment_key = {QUAY}\n"
MISSION = """
Community = alpha
LatOrigin = 43.8
LongOrigin = -70.3
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uSimMarineV22
  Run = pLogger
}
ProcessConfig = uSimMarineV22
{
  AppTick = 10
  start_pos = x=0, y=0, heading=10, speed=0
%s}
ProcessConfig = pLogger
{
  WildcardLogging = true
}
"""


def touched(driven, mail, ticks):
    """Return every touch posted in some ticks; mail comes with the first."""
    found = []
    for k in range(ticks):
        now = (driven.app.iteration + 1) * DT
        posts = driven.tick(now, mail if k == 0 else None)
        if "USM_CONTACT" in posts:
            found.append(posts["USM_CONTACT"])
    return found


@slow
def test_it_is_stopped_by_a_quay_and_reports_it(drive):
    driven = drive(USimMarine, OTTER, folder=ROOT)
    found = touched(driven, {"DESIRED_THRUST": 60.0}, 150)
    assert found[0].startswith("what=quay,depth=0.0")
    assert 2.8 < driven.app.scene.craft.motion.y < 3.1


@slow
def test_a_touch_ends_the_run_where_that_is_requested(drive):
    driven = drive(USimMarine, OTTER + "environment_key = contact.at_walls = end", folder=ROOT)
    with pytest.raises(CannotGoOn, match=r"it touches quay at x = .*, y = 3"):
        touched(driven, {"DESIRED_THRUST": 60.0}, 150)


@slow
def test_a_boat_it_has_reports_of_is_an_obstacle(drive):
    lines = OTTER + "environment_key = contact.at_boats = force"
    driven = drive(USimMarine, lines, folder=ROOT)
    report = "NAME=ben,X=0,Y=2.2,SPD=0,HDG=90,TIME=0,LENGTH=2,BEAM=1"
    found = touched(driven, {"DESIRED_THRUST": 60.0, "NODE_REPORT": report}, 90)
    assert found[0].startswith("what=ben,")


def test_a_vessel_without_a_mass_is_refused(drive):
    with pytest.raises(ConfigError, match="has no mass: expected model = fossen"):
        drive(USimMarine, f"environment_key = {QUAY}", folder=ROOT)


def test_a_vessel_without_a_mass_may_end_the_run_aground(drive):
    lines = "start_depth = 4\nstart_speed = 2\nenvironment_key = contact.at_bottom = end\n"
    driven = drive(USimMarine, lines + "default_water_depth = 5\nbuoyancy_rate = -1", folder=ROOT)
    with pytest.raises(CannotGoOn, match="it touches the ground at x = 0, y = "):
        touched(driven, {"DESIRED_THRUST": 60.0}, 20)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("contact.restitution = 2", "restitution = 2: expected a number from 0 to 1"),
        ("contact.at_walls = bounce", "expected one of force, end, off"),
        ("contact.walls = [{label: a, points: [[0, 0], [1, 1]]}]", "expected at least three"),
        ("contact.wals = []", "did you mean walls"),
    ],
)
def test_a_mistake_is_reported(drive, line, expected):
    with pytest.raises(ConfigError, match=expected):
        drive(USimMarine, f"environment_key = {line}", folder=ROOT)


@pytest.mark.process
def test_placements_give_the_same_contact(tmp_path):
    (tmp_path / "quay.moos").write_text(MISSION % OTTER)
    hashes = set()
    for placement in ("one", "process"):
        file = tmp_path / f"{placement}.json"
        command = [sys.executable, str(ROOT / "launch.py"), "quay.moos", "--placement", placement]
        command += ["--warp", "max", "--for", "12", "--set", "DESIRED_THRUST=60", "--port", "auto"]
        command += ["--log", str(tmp_path / placement), "--json", str(file)]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
        hashes.add(json.loads(file.read_text())["communities"]["alpha"]["log_sha256"])
    assert len(hashes) == 1
    (log,) = (tmp_path / "one").rglob("*.alog")
    assert "what=quay" in log.read_text()
