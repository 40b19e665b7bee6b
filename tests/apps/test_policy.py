"""``pPolicy``: a policy in a mission sees and does what it saw and did in its environment."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx_files import linear

from steerageway.launcher import Mission
from steerageway.launcher.errors import LaunchError
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import STATE_NAMES
from steerageway.vessel.tasks import DT, PathFollowing, scale_of

SIMULATOR = """
Community = otter
LatOrigin = 59.9
LongOrigin = 10.7
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uSimMarineV22
  Run = pPolicy
}
ProcessConfig = uSimMarineV22
{
  AppTick = 10
  model = fossen
  vessel = otter
  time_step = 0.1
  prefix = NAV
  start_pos = x=0, y=0, heading=90, speed=0
}
ProcessConfig = pPolicy
{
  AppTick = 10
  vessel = otter
"""
PATH = "40,0:40,-40:80,-40"
# of PathFollowing: cross_track, ahead, sin and cos of the course error and of the next turn, u, v,
# r, speed error; a PD law for the rudder, and a P law for the thrust
LAW = np.array(
    [
        [-0.3, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -4.0],
    ]
)
BIAS = np.array([0.0, 0.4])


def mission(folder: Path, lines: str) -> Path:
    """Write a mission of an Otter that a policy steers."""
    file = folder / "otter.moos"
    file.write_text(SIMULATOR + lines + "\n}\n")
    return file


@pytest.mark.slow
def test_a_policy_sails_the_path_that_its_observations_are_made_of(tmp_path: Path) -> None:
    linear(tmp_path / "law.onnx", LAW, BIAS)
    lines = f"policy = law.onnx\ngoal = {PATH}\nvelocity_filter = 0"
    vessel = load("otter")
    task = PathFollowing(scale_of(vessel, 1), 1, DT)
    points = np.array([[float(v) for v in p.split(",")][::-1] for p in PATH.split(":")])
    task.aim(np.vstack(([0.0, 0.0], points)))
    with Mission(mission(tmp_path, lines)) as run:
        run.register("USM_STATE", "DESIRED_RUDDER", "DESIRED_THRUST", "POLICY_STATE")
        run.post("MOOS_MANUAL_OVERRIDE", "false")
        errors = []
        for k in range(1500):
            run.run_until(run.time + DT)
            if run.get("POLICY_STATE") != "running":
                if k > 40:
                    break
                continue
            pairs = dict(pair.split("=") for pair in run.get("USM_STATE").split(","))
            x = np.array([[float(pairs[name]) for name in STATE_NAMES]])
            seen = task.features(x)
            if k > 40:
                wanted = np.clip(LAW @ task.observed(seen)[0] + BIAS, -1.0, 1.0) * 100.0
                given = run.get("DESIRED_RUDDER"), run.get("DESIRED_THRUST")
                errors.append(np.abs(wanted - given))
                assert abs(seen["cross_track"][0]) < 5.0
        assert run.get("POLICY_STATE") == "reached"
        assert run.get("DESIRED_THRUST") == 0.0
    # its velocities are differences of poses over a tick, and its mail is a tick old
    assert np.median(errors, axis=0).max() < 5.0


@pytest.mark.slow
def test_a_function_of_the_missions_own_is_a_policy_too(tmp_path: Path) -> None:
    (tmp_path / "ahead.py").write_text("def act(observation):\n    return 0.25, 2.0\n")
    with Mission(mission(tmp_path, "policy = ahead:act\ngoal = 900,0")) as run:
        run.register("DESIRED_RUDDER", "DESIRED_THRUST", "POLICY_STATE")
        run.post("MOOS_MANUAL_OVERRIDE", "false")
        run.run_until(4.0)
        assert (run.get("DESIRED_RUDDER"), run.get("DESIRED_THRUST")) == (25.0, 100.0)
        run.post("POLICY_GOAL", "off")
        run.run_until(5.0)
        assert run.get("DESIRED_THRUST") == 0.0
        assert run.get("POLICY_STATE") == "waiting"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", "expected an .onnx file"),
        ("policy = none.onnx", "expected an .onnx file"),
        ("policy = nothing:act", "expected a module that can be imported"),
        ("policy = wide.onnx", "with 10 entries"),
        ("policy = law.onnx\nvessel = ottr", "otter"),
        ("policy = law.onnx\ntask = DepthKeeping", "does not follow elevator"),
        ("policy = law.onnx\ntask = PathFolowing", "PathFollowing"),
    ],
)
def test_a_wrong_block_is_told_by_its_line(lines: str, told: str, tmp_path: Path) -> None:
    linear(tmp_path / "law.onnx", LAW, BIAS)
    linear(tmp_path / "wide.onnx", np.ones((2, 11)), BIAS)
    with pytest.raises(LaunchError, match=told):
        Mission(mission(tmp_path, lines))


@pytest.mark.slow
def test_a_policy_that_fails_stops_the_vessel_and_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def act(observation):\n    return [float('nan'), 0]\n")
    with Mission(mission(tmp_path, "policy = broken:act\ngoal = 900,0")) as run:
        run.register("DESIRED_THRUST", "POLICY_STATE")
        run.post("MOOS_MANUAL_OVERRIDE", "false")
        run.run_until(4.0)
        assert run.get("POLICY_STATE") == "failed"
        assert not run.get("DESIRED_THRUST")
