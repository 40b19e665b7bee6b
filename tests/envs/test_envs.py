"""Learning environments: Gymnasium's rules, vessels that do not meet, equality to missions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env

from steerageway.envs import TASKS as NAMES
from steerageway.envs.batch import Batch
from steerageway.envs.single import VesselEnv
from steerageway.envs.vector import DT, VesselVectorEnv
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.state import PSI, U_, X_, Y_
from steerageway.vessel.games import GAMES
from steerageway.vessel.tasks_around import ALL_TASKS

ROOT = Path(__file__).parents[2]
ALONE = ["PathFollowing", "StationKeeping", "WaypointRace", "Docking"]
STEERED = [*ALONE, "Formation", "Encounter"]


def actions(env: VesselVectorEnv, seed: int, steps: int) -> Any:
    """Return actions (steps, N, orders) from -1 to 1."""
    shape = (steps, env.num_envs, len(env.orders))
    return np.random.default_rng(seed).uniform(-1.0, 1.0, shape)


def test_every_task_is_registered() -> None:
    assert set(NAMES) == set(ALL_TASKS)


@pytest.mark.slow
@pytest.mark.parametrize("task", [*STEERED, "Identification"])
@pytest.mark.filterwarnings("ignore:.*infinity.*")
def test_gymnasium_accepts_the_environment(task: str) -> None:
    check_env(VesselEnv(task, randomise={"current": (0.0, 0.2)}), skip_render_check=True)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*infinity.*")
@pytest.mark.parametrize("task", ["DepthKeeping", "TerrainFollowing"])
def test_a_torpedo_dives_and_an_otter_has_no_elevator(task: str) -> None:
    env = VesselEnv(task, "remus100")
    assert env.orders == ["rudder", "thrust", "elevator"]
    check_env(env, skip_render_check=True)
    with pytest.raises(error.Error, match="does not follow elevator"):
        VesselEnv(task, "otter")


@pytest.mark.slow
def test_gymnasium_makes_the_environments_by_name_once_the_package_is_imported() -> None:
    program = (
        "import gymnasium, steerageway.envs\n"
        "env = gymnasium.make('steerageway/PathFollowing-v0', vessel='otter')\n"
        "print(env.action_space.shape)\n"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert found.stdout == "(2,)\n", found.stderr


@pytest.mark.parametrize("task", STEERED)
def test_the_same_seed_gives_the_same_episodes_and_another_seed_others(task: str) -> None:
    def run(seed: int) -> Any:
        env = VesselVectorEnv(task, num_envs=5, randomise={"current": (0, 0.2), "noise": (0, 0.1)})
        first, _ = env.reset(seed=seed)
        rows = [env.step(row) for row in actions(env, 7, 30)]
        return [first, *(row[0] for row in rows)], [row[1] for row in rows]

    one, again, other = run(3), run(3), run(4)
    assert np.array_equal(one[0], again[0])
    assert np.array_equal(one[1], again[1])
    assert not np.array_equal(one[0], other[0])


def test_a_vessel_is_not_moved_by_its_neighbours() -> None:
    vessel = load("otter")
    many, few = Batch(vessel, 7, DT), Batch(vessel, 2, DT)
    chosen = [2, 5]
    given = np.random.default_rng(1).uniform(-1.0, 1.0, (50, 7, 2))
    for row in given:
        assert not many.step(row).any()
        few.step(row[chosen])
    assert np.array_equal(many.x[chosen], few.x)


def test_a_vessel_that_fails_is_told_and_the_others_go_on() -> None:
    vessel = load("otter")
    whole, broken = Batch(vessel, 6, DT), Batch(vessel, 6, DT)
    broken.x[[1, 4], U_] = 150.0  # beyond any vessel's envelope
    before = broken.x[[1, 4]].copy()
    given = np.full((6, 2), 0.5)
    assert not whole.step(given).any()
    assert broken.step(given).tolist() == [False, True, False, False, True, False]
    others = [0, 2, 3, 5]
    assert np.array_equal(broken.x[others], whole.x[others])
    assert np.array_equal(broken.x[[1, 4], :6], before[:, :6])


@pytest.mark.parametrize("count", [500, 512])
def test_paths_are_drawn_as_the_page_says(count: int) -> None:
    """Legs of 10 to 20 lengths, turns of up to 60 degrees, starts within three lengths beside."""
    env = VesselVectorEnv("PathFollowing", num_envs=count)
    env.reset(seed=1)
    points, x, (L, U) = env._task.points, env._engine.x, env._task.scale
    legs = np.diff(points, axis=1)
    lengths, courses = np.hypot(*legs.T).T / L, np.arctan2(legs[..., 1], legs[..., 0])
    turns = np.angle(np.exp(1j * np.diff(courses, axis=1)))
    off = np.angle(np.exp(1j * (x[:, PSI] - courses[:, 0])))
    beside = np.hypot(x[:, X_], x[:, Y_]) / L
    assert legs.shape == (count, 4, 2)
    assert not points[:, 0].any()
    for values, low, high in (
        (lengths, 10.0, 20.0),
        (turns, -np.pi / 3, np.pi / 3),
        (courses[:, 0], -np.pi, np.pi),
        (env.features["cross_track"] / L, -3.0, 3.0),
        (off, -0.8, 0.8),
        (x[:, U_] / U, 0.0, 0.5),
    ):
        spread = 0.02 * (high - low)  # of some hundred numbers
        assert low <= values.min() < low + spread
        assert high - spread < values.max() <= high
    assert np.allclose(abs(env.features["cross_track"]) / L, beside)
    assert (abs(x[:, PSI]) <= np.pi).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "vessel", "seed"),
    [("PathFollowing", "otter", 3), ("DepthKeeping", "remus100", 4), ("StationKeeping", "wamv", 5)],
)
def test_the_batch_is_the_mission_with_the_same_orders(task: str, vessel: str, seed: int) -> None:
    given: Any = {"vessel": vessel, "num_envs": 2, "randomise": {"current": (0.1, 0.2)}}
    batch = VesselVectorEnv(task, **given)
    missions = VesselVectorEnv(task, engine="mission", **given)
    batch.reset(seed=seed)
    missions.reset(seed=seed)
    standing = np.zeros((2, len(batch.orders)))
    batch._engine.step(standing)  # a mission's episode begins with its simulator's first step
    for row in actions(batch, seed, 30):
        # a post is committed at the next instant, one step after the present one
        stepped, (seen, rewards, *_) = batch.step(standing), missions.step(row)
        standing = row
        turns = np.arange(batch._engine.x.shape[1]) == PSI  # a mission's heading starts in 0 to 360
        away = batch._engine.x - missions._engine.x
        assert abs(np.where(turns, np.sin(away), away)).max() < 1e-9
        assert np.allclose(seen, stepped[0], atol=1e-6)
        assert np.allclose(rewards, stepped[1], atol=1e-8)
    assert abs(batch._engine.x[0, U_]) > 0.01
    missions.close()


@pytest.mark.slow
def test_a_mission_with_all_its_apps_is_an_environment() -> None:
    env = VesselEnv(
        "PathFollowing",
        engine="mission",
        mission="otter_survey",
        mission_options={"skip": ["pMarinePIDV22"]},
        randomise={"current": (0.0, 0.2)},
    )
    first, _ = env.reset(seed=1)
    seen = [env.step([0.1, 1.0])[0] for _ in range(20)]
    assert abs(seen[-1][env.shown.index("u")]) > 0.1  # it goes ahead by the orders
    (run,) = env._all._engine.missions
    assert run.get("IVPHELM_STATE") is not None
    again, _ = env.reset(seed=1)
    assert np.array_equal(first, again)
    assert np.array_equal(seen[0], env.step([0.1, 1.0])[0])
    env.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"mission": "nope"}, "nope: expected a mission file"),
        ({"mission": "alpha"}, "model = fossen and vessel = "),
        ({"mission": "otter_survey", "vessel": "remus100"}, "vessel = remus100"),
        ({"engine": "missions"}, "did you mean mission?"),
        ({"engine": "batch", "mission": "alpha"}, "expected engine = 'mission'"),
    ],
)
def test_a_mission_that_is_no_environment_is_refused(given: Any, expected: str) -> None:
    with pytest.raises(error.Error, match=re.escape(expected)):
        VesselVectorEnv("PathFollowing", **{"engine": "mission", **given}).reset(seed=1)


@pytest.mark.parametrize("task", ALONE)
def test_a_course_may_be_turned_and_moved_without_change(task: str) -> None:
    env = VesselVectorEnv(task, num_envs=4)
    env.reset(seed=5)
    x, turn, move = env._engine.x.copy(), 2.1, np.array([300.0, -80.0])
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    before = {k: v.copy() for k, v in env._task.features(x).items()}
    for name in ("points", "goal"):
        if hasattr(env._task, name):
            goal = getattr(env._task, name)
            goal[..., :2] = goal[..., :2] @ R.T + move
            if name == "goal":
                goal[:, 2] += turn
    x[:, : Y_ + 1] = x[:, : Y_ + 1] @ R.T + move
    x[:, PSI] += turn
    after = env._task.features(x)
    for name, values in before.items():
        if name not in ("course_error", "heading_error", "bearing", "progress"):
            assert np.allclose(after[name], values, atol=1e-9), name


@pytest.mark.slow
def test_a_vessel_steered_at_the_path_arrives_and_one_that_is_not_does_not() -> None:
    env = VesselVectorEnv("PathFollowing", num_envs=16)
    env.reset(seed=11)
    total, arrived, failed = np.zeros(16), np.zeros(16, bool), np.zeros(16, bool)
    for _ in range(1100):
        f = env.features
        aim = np.arctan2(-f["cross_track"], 3.0 * env._task.scale.length)  # line of sight
        error_ = np.arctan2(np.sin(aim - f["course_error"]), np.cos(aim - f["course_error"]))
        speed = 0.6 * env._task.scale.speed
        thrust = np.clip(0.5 + 0.6 * (speed - f["u"]), -1.0, 1.0)
        rudder = np.clip(0.8 * error_ - 0.6 * f["r"], -1.0, 1.0)
        columns = {"rudder": rudder, "thrust": thrust}
        _, rewards, _, _, info = env.step(np.stack([columns[name] for name in env.orders], axis=-1))
        total += rewards
        arrived |= info["reached"]
        failed |= info["failed"]
    assert arrived.all()
    assert not failed.any()
    assert total.min() > 250.0
    env.reset(seed=11)
    idle = sum(env.step(np.zeros((16, 2)))[1] for _ in range(600))
    assert idle.max() < 0.5 * total.min()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_an_episode_that_is_over_begins_anew_in_gymnasium_s_manner(mode: str) -> None:
    env = VesselVectorEnv("PathFollowing", num_envs=3, autoreset_mode=mode)
    env.reset(seed=1)
    env._steps[1] = env._last - 2
    still = np.zeros((3, 2))
    assert not env.step(still)[3].any()
    observed, _, _, truncated, info = env.step(still)
    assert truncated.tolist() == [False, True, False]
    if mode == "SameStep":
        assert info["_final_obs"].tolist() == [False, True, False]
        assert not np.array_equal(info["final_obs"][1], observed[1])
        assert np.array_equal(info["final_obs"][0], observed[0])
        env.step(still)
    elif mode == "NextStep":
        rows = env.step(still)
        assert rows[1][1] == 0.0
        assert env._steps.tolist() == [3, 0, 3]
        env.step(still)
    else:
        with pytest.raises(error.ResetNeeded):
            env.step(still)
        env.reset(options={"reset_mask": truncated})
        assert env._steps.tolist() == [2, 0, 2]
        env.step(still)


@pytest.mark.parametrize("task", [*STEERED, "Identification"])
def test_an_episode_that_begins_in_the_same_step_does_not_touch_the_others(task: str) -> None:
    def run(*, ends: bool) -> Any:
        env = VesselVectorEnv(task, num_envs=3, autoreset_mode="SameStep")
        env.reset(seed=3)
        if hasattr(env._task, "points"):  # passes waypoints in successive steps
            at = env._engine.x[0, :2]
            env._task.points[0] = at + np.arange(5.0)[:, None] * [0.5 * env._task.scale.length, 0]
        seen = []
        for row in actions(env, 2, 2):
            if ends:
                env._steps[1] = env._last - 1
            rows, rewards, ended, cut, _ = env.step(row)
            assert (ended | cut).tolist() == [False, ends, False]
            seen.append([*rows[0], rewards[0], *(f[0] for f in env.features.values())])
        return np.array(seen)

    assert np.array_equal(run(ends=True), run(ends=False))


@pytest.mark.slow
def test_an_episode_of_a_ship_lasts_until_it_can_have_sailed_its_path() -> None:
    boat, ship = (VesselVectorEnv("PathFollowing", name)._task for name in ("otter", "kvlcc2"))
    assert boat.longest == 120.0
    assert 300.0 < ship.scale.length < 350.0  # KVLCC2: 320 m and 15.5 knots at design
    assert 6.0 < ship.scale.speed < 10.0
    path = ship.LEGS * ship.LENGTHS[1] * ship.scale.length  # type: ignore[attr-defined]
    assert ship.longest > path / (0.6 * ship.scale.speed)


def test_a_reward_of_ones_own_is_a_function_of_the_features() -> None:
    env = VesselVectorEnv("PathFollowing", num_envs=4, reward=lambda f: -abs(f["cross_track"]))
    env.reset(seed=2)
    rewards = env.step(np.full((4, 2), 0.3))[1]
    assert np.array_equal(rewards, -abs(env.features["cross_track"]))
    assert (rewards < 0.0).all()


def test_a_reward_may_use_an_angle_of_which_sine_and_cosine_are_shown() -> None:
    env = VesselVectorEnv("PathFollowing", num_envs=40, reward=lambda f: f["course_error"])
    env.reset(seed=2)
    rewards = env.step(np.full((40, 2), 0.3))[1]
    north, east = (env._task.points[:, 1] - env._task.points[:, 0]).T
    off = env._engine.x[:, PSI] - np.arctan2(east, north)
    assert np.allclose(rewards, np.angle(np.exp(1j * off)), atol=1e-9)
    wrong = VesselVectorEnv("PathFollowing", reward=lambda f: f["course_eror"])
    wrong.reset(seed=2)
    with pytest.raises(error.Error, match="did you mean course_error"):
        wrong.step(np.zeros((1, 2)))


@pytest.mark.parametrize("task", [*ALL_TASKS, *GAMES.values()])
def test_every_observation_lies_in_its_space(task: Any) -> None:
    vessel = "remus100" if "elevator" in ALL_TASKS.get(task, task).orders else "otter"
    env = VesselVectorEnv(task, vessel, num_envs=6)
    seen = [env.reset(seed=3)[0], *(env.step(row)[0] for row in actions(env, 1, 60))]
    assert all(env.observation_space.contains(rows) for rows in seen)
    assert env.action_space.contains(env.action_space.sample())


def test_the_programs_of_the_page_run() -> None:
    page = (ROOT / "docs" / "learning.md").read_text()
    for program in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(program, {})
    for task in (*NAMES, *GAMES):
        assert f"`{task}`" in page
