"""What happens on bad use of every environment: an error of Gymnasium's, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import error

from steerageway.envs import TASKS
from steerageway.envs.parallel import FleetEnv
from steerageway.envs.single import VesselEnv
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.games import GAMES
from steerageway.vessel.tasks_around import ALL_TASKS

pytestmark = pytest.mark.slow

ENVIRONMENTS = [*TASKS, *GAMES]
NUMBERS = (np.nan, np.inf, -np.inf, np.nextafter(1.0, 2.0), np.nextafter(-1.0, -2.0), 37.5)


class Vessels:
    """An environment of any interface, stepped by actions (N, orders)."""

    def __init__(self, env: Any) -> None:
        self.env, self.game = env, isinstance(env, FleetEnv)
        whole = getattr(env, "_all", env)
        self.shape = whole.action_space.shape
        self.alone = isinstance(env, VesselEnv)

    def step(self, actions: Any) -> Any:
        if self.game:
            rows = dict(zip(self.env.possible_agents, actions, strict=True))
            return list(self.env.step(rows)[0].values())
        return self.env.step(actions[0] if self.alone else actions)[0]


def fresh(kind: str, name: str) -> Vessels:
    """Return an environment of a kind and name."""
    if name in GAMES:
        return Vessels(FleetEnv(name, "otter"))
    vessel = "remus100" if "elevator" in ALL_TASKS[name].orders else "otter"
    if kind == "single":
        return Vessels(gymnasium.make(f"steerageway/{name}-v0", vessel=vessel).unwrapped)
    return Vessels(gymnasium.make_vec(f"steerageway/{name}-v0", num_envs=3, vessel=vessel))


made = cache(fresh)  # one of each for all tests of this process
KINDS = [(kind, name) for kind in ("single", "vector") for name in TASKS]
EACH = [*KINDS, *(("game", name) for name in GAMES)]


@pytest.mark.parametrize(("kind", "name"), EACH)
def test_a_wrong_action_is_refused_and_changes_nothing(kind: str, name: str) -> None:
    vessels = made(kind, name)
    random = np.random.default_rng(5)
    good = random.uniform(-1.0, 1.0, (4, *vessels.shape))

    def run(between: Callable[[], None]) -> Any:
        vessels.env.reset(seed=9)
        seen = []
        for actions in good:
            between()
            seen.append(vessels.step(actions))
        return np.array(seen)

    def wrong() -> None:
        for number in NUMBERS:
            actions = random.uniform(-1.0, 1.0, vessels.shape)
            actions[tuple(random.integers(vessels.shape))] = number
            with pytest.raises(error.InvalidAction, match="-1 to 1"):
                vessels.step(actions)
        one = good[0]
        for actions in ([None] * len(one), [["ahead"] * one.shape[1]] * len(one), one + 0j):
            with pytest.raises(error.InvalidAction, match="expected an array of numbers"):
                vessels.step(actions)
        for actions in (one[:, :-1], np.concatenate((one, one), axis=1)):
            with pytest.raises(error.InvalidAction, match="shape"):
                vessels.step(actions)

    assert np.array_equal(run(wrong), run(lambda: None))
    assert vessels.step(np.ones(vessels.shape)) is not None  # the ends of the range are in it


@pytest.mark.parametrize(("kind", "name"), EACH)
def test_a_step_before_reset_or_after_close_is_refused(kind: str, name: str) -> None:
    vessels = fresh(kind, name)
    still = np.zeros(vessels.shape)
    with pytest.raises(error.ResetNeeded, match=r"call reset\(\)"):
        vessels.step(still)
    vessels.env.reset(seed=1)
    vessels.step(still)
    vessels.env.close()
    vessels.env.close()
    with pytest.raises(error.ClosedEnvironmentError):
        vessels.step(still)
    with pytest.raises(error.ClosedEnvironmentError):
        vessels.env.reset(seed=1)


@pytest.mark.parametrize(("kind", "name"), EACH)
def test_two_environments_of_one_vessel_do_not_meet(kind: str, name: str) -> None:
    one, other = made(kind, name), fresh(kind, name)
    given = np.random.default_rng(3).uniform(-1.0, 1.0, (5, 2, *one.shape))
    first = one.env.reset(seed=4)
    other.env.reset(seed=5)
    between = [(one.step(mine), other.step(theirs)) for mine, theirs in given]
    assert repr(first) == repr(one.env.reset(seed=4))
    for (seen, _), (mine, _) in zip(between, given, strict=True):
        assert np.array_equal(seen, one.step(mine))


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_an_unknown_vessel_is_refused_with_the_nearest_name(name: str) -> None:
    for kind in (FleetEnv,) if name in GAMES else (VesselEnv, VesselVectorEnv):
        with pytest.raises(error.Error, match="did you mean otter"):
            kind(name, "oter")


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"vessel": "no/such/folder"}, "no/such/folder"),
    ({"reward": 5}, "expected a function"),
    ({"randomise": {"curent": (0, 1)}}, "did you mean current"),
    ({"randomise": {"current": 0.2}}, "expected two numbers"),
    ({"randomise": {"current": (0.0, np.nan)}}, "0 <= low <= high"),
    ({"engine": "bach"}, "did you mean batch"),
    ({"engine": None}, "expected batch or mission|batch"),
    ({"mission": "alpha"}, "expected engine = 'mission'"),
    ({"render_mode": "ansi"}, "'human' or 'rgb_array'"),
    ({"vesel": "heron"}, "argument = 'vesel': did you mean vessel"),
]


@pytest.mark.parametrize(("given", "expected"), MISTAKES)
def test_a_wrong_argument_is_refused(given: dict[str, Any], expected: str) -> None:
    options = {"vessel": "otter", **given}
    for kind, name in ((FleetEnv, "Convoy"), (VesselEnv, "Docking"), (VesselVectorEnv, "Docking")):
        with pytest.raises(error.Error, match=expected):
            kind(name, **options)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: VesselVectorEnv("PathFolowing"), "did you mean PathFollowing"),
        (lambda: VesselVectorEnv(3), "task = 3"),  # type: ignore[arg-type]
        (lambda: VesselVectorEnv("Docking", num_envs=0), "at least 1"),
        (lambda: VesselVectorEnv("Docking", num_envs=1.5), "whole number"),  # type: ignore[arg-type]
        (lambda: VesselVectorEnv("Docking", autoreset_mode="Never"), "autoreset_mode"),
        (lambda: gymnasium.make("steerageway/Docking-v9"), "v9"),
        (lambda: FleetEnv("Convoi"), "did you mean Convoy"),
        (lambda: FleetEnv("AreaDefence", vessels=3), "2 teams of equal size"),
        (lambda: FleetEnv("Convoy", vessels=1), "at least 2"),
        (lambda: made("vector", "Docking").env.reset(seed=-1), "[Ss]eed"),
        (lambda: _masked(np.ones(2, bool)), r"bool \(2,\): expected booleans \(3,\)"),
        (lambda: _masked([1, 0, 1]), "expected booleans"),
        (lambda: VesselVectorEnv("Docking", num_envs=2).reset(options=_some), "without it"),
        (lambda: _played({}), "expected one of each of vessel_0, vessel_1"),
        (lambda: _played(7), "actions of 7"),
        (lambda: _played({"vessel_0": [0.0, 0.0], "vessel_1": [0.0]}), "shapes"),
        (lambda: _rewarded(lambda f: np.zeros(3)), r"shape \(3,\): expected \(1,\)"),
        (lambda: _rewarded(lambda f: f["u"] * np.nan), "that are not finite"),
        (
            lambda: _rewarded(lambda f: f["heading_eror"]),
            "'heading_eror': did you mean heading_error",
        ),
        (lambda: _steered([0.0, 1.5]), "thrust = 1.5: expected a number from -1 to 1"),
        (lambda: _steered([0.0]), r"shape \(1,\): expected \(2,\): rudder, thrust"),
    ],
)
def test_a_mistake_is_an_error_of_gymnasium_s(make: Any, expected: str) -> None:
    with pytest.raises(error.Error, match=expected):
        make()


_some = {"reset_mask": np.array([True, False])}


def _masked(mask: Any) -> None:
    made("vector", "Docking").env.reset(options={"reset_mask": mask})


def _played(actions: Any) -> None:
    env = FleetEnv("Convoy", "otter", vessels=2)
    env.reset(seed=0)
    env.step(actions)


def _rewarded(reward: Any) -> None:
    _steered([0.0, 0.0], reward)


def _steered(action: Any, reward: Any = None) -> None:
    env = VesselEnv("Docking", reward=reward)
    env.reset(seed=0)
    env.step(action)


@pytest.mark.parametrize("name", TASKS)
def test_ten_thousand_vessels_are_stepped_together(name: str) -> None:
    vessel = "remus100" if "elevator" in ALL_TASKS[name].orders else "otter"
    env = VesselVectorEnv(name, vessel, 10_000)
    env.reset(seed=1)
    seen, rewards, *_ = env.step(np.zeros(env.action_space.shape))
    assert env.observation_space.contains(seen)
    assert np.isfinite(rewards).all()
