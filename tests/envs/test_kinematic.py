"""The kinematic vessel of learning environments: the motion of missions, and what it lacks."""

from __future__ import annotations

from math import radians, sin
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env

from steerageway.envs import TASKS
from steerageway.envs.kinematic import SPEED, KinematicBatch
from steerageway.envs.single import VesselEnv
from steerageway.envs.vector import DT, VesselVectorEnv
from steerageway.launcher import Mission
from steerageway.vessel.fossen.state import PSI, R_, U_, V_, X_, Y_

BLIND = {"DepthKeeping": "elevator", "TerrainFollowing": "elevator", "Identification": "damping"}
STEPS = 80


def drawn(seed: int, count: int) -> tuple[KinematicBatch, Any, Any]:
    """Return vessels that have begun, their headings (N,) [deg], and actions (steps, N, 2).

    Actions are held for some steps, so that speeds are reached, and go to both ends.
    """
    random = np.random.default_rng(seed)
    batch = KinematicBatch(count, DT)
    headings, x = random.uniform(0.0, 360.0, count), np.zeros((count, SPEED + 1))
    x[:, :2] = random.uniform(-50.0, 50.0, (count, 2))
    x[:, PSI], x[:, U_] = np.radians(headings), random.uniform(0.0, 4.0, count)
    current = random.uniform(-0.5, 0.5, (count, 2))
    batch.restart(np.arange(count), x, current, np.zeros((count, 2)), random)
    held = np.clip(random.uniform(-1.4, 1.4, (STEPS // 8, count, 2)), -1.0, 1.0)
    return batch, headings, np.repeat(held, 8, axis=0)


@pytest.mark.parametrize("seed", range(6))
def test_it_moves_as_in_a_mission_with_the_same_orders(seed: int, tmp_path: Path) -> None:
    batch, headings, actions = drawn(seed, 3)
    i = seed % 3  # the vessel of the mission
    x, (north, east), heading = batch.x[i].tolist(), batch.current[i].tolist(), float(headings[i])
    file = tmp_path / "alone.moos"
    file.write_text(
        "Community = alone\nLatOrigin = 0\nLongOrigin = 0\n"
        "ProcessConfig = ANTLER\n{\n  Run = MOOSDB\n  Run = uSimMarineV22\n}\n"
        f"ProcessConfig = uSimMarineV22\n{{\n  AppTick = {1.0 / DT:g}\n"
        f"  start_pos = x={x[Y_]!r},y={x[X_]!r},heading={heading!r},speed={x[SPEED]!r}\n"
        f"  drift_x = {east!r}\n  drift_y = {north!r}\n}}\n"
    )
    mission = Mission(file)
    mission.reset()
    while mission.get("USM_X") is None:
        mission.step()
    began, standing = mission.time, np.zeros((3, 2))
    batch.step(standing)  # it posts first when it has made a step
    for k, given in enumerate(actions):
        batch.step(standing)
        standing = given  # a post acts from the next instant
        mission.post("DESIRED_RUDDER", 100.0 * given[i, 0])
        mission.post("DESIRED_THRUST", 100.0 * given[i, 1])
        mission.run_until(began + (k + 1) * DT)
        names = ("USM_X", "USM_Y", "USM_HEADING", "USM_SPEED")
        east, north, heading, speed = (mission.get(name) for name in names)
        x = batch.x[i].tolist()
        assert (x[X_], x[Y_], x[SPEED]) == pytest.approx((north, east, speed), abs=1e-9)
        assert abs(sin(x[PSI] - radians(heading))) < 1e-9
    mission.close()


def test_its_velocities_are_those_over_ground() -> None:
    """Differences of the place, as the steps become short."""
    batch, _, actions = drawn(1, 3)
    batch.dt = 1e-6
    before = batch.x.copy()
    batch.step(actions[0])
    north, east = ((batch.x - before)[:, :2] / batch.dt).T
    c, s = np.cos(batch.x[:, PSI]), np.sin(batch.x[:, PSI])
    assert np.allclose(batch.x[:, U_], c * north + s * east, atol=1e-5)
    assert np.allclose(batch.x[:, V_], c * east - s * north, atol=1e-5)
    assert np.allclose(batch.x[:, R_], (batch.x - before)[:, PSI] / batch.dt, atol=1e-5)
    # 70 % of rudder * 2 * thrust deg/s
    rates = np.radians(0.7 * 100.0 * actions[0, :, 0] * 2.0 * actions[0, :, 1])
    assert np.allclose(batch.x[:, R_], rates)


@pytest.mark.filterwarnings("ignore:.*infinity.*")
@pytest.mark.parametrize("task", [task for task in TASKS if task not in BLIND])
def test_gymnasium_accepts_it(task: str) -> None:
    one = gymnasium.make(f"steerageway/{task}-v0", vessel="kinematic")
    assert one.get_wrapper_attr("orders") == ["rudder", "thrust"]
    check_env(VesselEnv(task, "kinematic", randomise={"current": (0.0, 0.2)}), None, True)
    many = gymnasium.make_vec(f"steerageway/{task}-v0", num_envs=20, vessel="kinematic")
    seen, _ = many.reset(seed=1)
    for _ in range(30):
        assert many.observation_space.contains(seen)
        seen, rewards, *_ = many.step(many.action_space.sample())
        assert np.isfinite(rewards).all()


@pytest.mark.parametrize(("task", "lacks"), BLIND.items())
def test_tasks_that_it_cannot_do_are_refused(task: str, lacks: str) -> None:
    with pytest.raises(error.Error, match=lacks):
        gymnasium.make(f"steerageway/{task}-v0", vessel="kinematic")


@pytest.mark.parametrize("name", ["wind", "waves", "mass", "damping"])
def test_forces_are_not_randomised(name: str) -> None:
    with pytest.raises(error.Error, match=f"randomise {name}: kinematic has no forces"):
        VesselVectorEnv("PathFollowing", "kinematic", randomise={name: (0.1, 1.0)})


def test_a_mission_is_refused() -> None:
    with pytest.raises(error.Error, match="expected engine = 'batch'"):
        VesselVectorEnv("PathFollowing", "kinematic", engine="mission")
