"""Games of several vessels: PettingZoo's checks, and each game's rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import error
from pettingzoo.test import parallel_api_test, parallel_seed_test

from steerageway.envs.parallel import FleetEnv
from steerageway.vessel.fossen.state import PSI, U_, X_, Y_
from steerageway.vessel.games import GAMES, AreaDefence
from steerageway.vessel.tasks import Scale


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_the_game(game: str) -> None:
    parallel_api_test(FleetEnv(game), num_cycles=100)
    parallel_seed_test(lambda: FleetEnv(game, vessels=4), num_cycles=30)


def defence(places: Any, count: int = 2) -> tuple[AreaDefence, Any]:
    """Return a game, and the states (N, 12) of vessels at places (N, 2), east and north [m]."""
    return AreaDefence(Scale(1.3, 3.0), count, 0.1), states(places)


def states(places: Any, heading: Any = 0.0) -> Any:
    """Return states (N, 12) of vessels at rest at places (N, 2), east and north [m]."""
    x = np.zeros((len(places), 12))
    x[:, [Y_, X_]], x[:, PSI] = places, heading
    return x


def play(game: AreaDefence, time: float, places: Any) -> dict[str, list[float]]:
    """Play the rules at a time [s] with vessels at places; return what each vessel shows."""
    game.time = np.full(game.count, time)
    return {name: values.tolist() for name, values in game.features(states(places)).items()}


def test_a_flag_is_taken_carried_and_captured_on_the_own_half() -> None:
    game, _ = defence([[60.0, 40.0], [100.0, 70.0]])
    assert play(game, 0.0, [[60, 40], [100, 70]])["has_flag"] == [0.0, 0.0]
    assert play(game, 1.0, [[129.9, 40], [100, 70]])["has_flag"] == [0.0, 0.0]
    taken = play(game, 2.0, [[130.1, 40], [100, 70]])
    assert taken["has_flag"] == [1.0, 0.0]
    assert taken["grabs"] == [1.0, 0.0]
    assert play(game, 3.0, [[80.1, 40], [100, 70]])["captures"] == [0.0, 0.0]
    won = play(game, 4.0, [[79.9, 40], [100, 70]])
    assert won["captures"] == [1.0, 0.0]
    assert won["conceded"] == [0.0, 1.0]
    assert (won["team_score"], won["opponent_score"]) == ([1.0, 0.0], [0.0, 1.0])
    assert won["has_flag"] == [0.0, 0.0]


def test_a_tagged_vessel_loses_the_flag_until_it_is_home_and_its_tagger_waits_a_minute() -> None:
    game, _ = defence([[60.0, 40.0], [100.0, 70.0]])
    play(game, 0.0, [[131, 40], [100, 70]])
    tagged = play(game, 1.0, [[120, 40], [129, 40]])
    assert (tagged["is_tagged"], tagged["has_flag"]) == ([1.0, 0.0], [0.0, 0.0])
    assert (tagged["tags"], tagged["tagging_cooldown"]) == ([0.0, 1.0], [60.0, 0.0])
    assert play(game, 2.0, [[140, 40], [100, 70]])["has_flag"] == [0.0, 0.0]
    home = play(game, 3.0, [[29.9, 40], [100, 70]])
    assert home["is_tagged"] == [0.0, 0.0]
    assert play(game, 60.9, [[95, 40], [100, 40]])["is_tagged"] == [0.0, 0.0]
    assert play(game, 61.1, [[95, 40], [100, 40]])["is_tagged"] == [1.0, 0.0]
    assert play(game, 62.0, [[29, 40], [160.1, 40]])["is_tagged"] == [0.0, 1.0]


def test_an_area_defence_looks_the_same_from_both_ends() -> None:
    random = np.random.default_rng(3)
    places = random.uniform([-5.0, -5.0], [165.0, 85.0], (4, 2))
    x = states(places, random.uniform(-np.pi, np.pi, 4))
    x[:, U_] = random.uniform(0.0, 3.0, 4)
    turned = x[[2, 3, 0, 1]]  # the field turned by 180 degrees, with the teams exchanged
    turned[:, [Y_, X_]] = [160.0, 80.0] - turned[:, [Y_, X_]]
    turned[:, PSI] += np.pi
    one, other = defence(places, 4)[0], defence(places, 4)[0]
    seen, swapped = one.observed(one.features(x)), other.observed(other.features(turned))
    assert np.allclose(seen, swapped[[2, 3, 0, 1]], atol=1e-12)


def test_the_observations_of_an_area_defence_are_pyquaticus_ones() -> None:
    game, x = defence([[50.0, 40.0], [110.0, 40.0]])
    x[:, PSI] = np.radians([90.0, 0.0])
    seen = game.features(x)
    expected = {
        "opponent_home_bearing": [0.0, -90.0],
        "opponent_home_distance": [90.0, 90.0],
        "own_home_distance": [30.0, 30.0],
        "wall_0_bearing": [90.0, 0.0],
        "wall_1_distance": [50.0, 50.0],
        "wall_3_bearing": [0.0, -90.0],
        "scrimmage_line_distance": [30.0, 30.0],
        "opponent_0_bearing": [0.0, -90.0],
        "opponent_0_relative_heading": [90.0, 0.0],
    }
    for name, values in expected.items():
        assert np.allclose(seen[name], values), name
    row = dict(zip((one.feature for one in game.shown), game.observed(seen)[0], strict=True))
    assert row["opponent_home_distance"] == pytest.approx(2 * 90.0 / np.hypot(160.0, 80.0) - 1.0)
    assert row["tagging_cooldown"] == 1.0
    assert row["has_flag"] == -1.0


@pytest.mark.slow
def test_a_convoy_that_steers_by_the_vessel_ahead_holds_together() -> None:
    env = FleetEnv("Convoy", "otter")
    env.reset(seed=2)
    length, total = env._all._task.scale.length, 0.0
    for _ in range(800):
        f = env._all.features
        pace = 0.5 + 0.4 * (f["gap"] / length - 4.0) + 0.5 * (f["lead_speed"] - f["u"])
        turn = f["bearing"] - 0.6 * f["r"]
        columns = {"rudder": turn, "thrust": pace}
        rows = np.stack([np.clip(columns[name], -1.0, 1.0) for name in env.orders], axis=-1)
        _, rewards, over, *_ = env.step(dict(zip(env.agents, rows, strict=True)))
        assert not any(over.values())
        total += min(rewards.values())
    assert total > 500.0


def test_a_pursuit_ends_for_all_when_the_evader_is_caught() -> None:
    env = FleetEnv("Pursuit", "otter")
    env.reset(seed=2)
    x, length = env._all._engine.x, env._all._task.scale.length
    x[0, : Y_ + 1] = x[2, : Y_ + 1] + [1.5 * length, 0.0]
    x[1, : Y_ + 1] = [25.0 * length, 0.0]
    still = dict.fromkeys(env.agents, np.zeros(2))
    _, rewards, over, _, infos = env.step(still)
    assert list(over.values()) == [True, True, True]
    assert rewards["pursuer_0"] > 99.0
    assert rewards["evader"] < -99.0
    assert infos["evader"]["caught"] == 1.0
    assert env.agents == []
    with pytest.raises(error.ResetNeeded):
        env.step(still)
