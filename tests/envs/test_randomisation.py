"""Domain randomisation: what is drawn has the effect that its closed form or a mission has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import error

from steerageway.envs.randomisation import RANDOMISED, VARIANTS, Transmission
from steerageway.envs.vector import VesselVectorEnv
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.layout import hull_of, mass_of
from steerageway.vessel.fossen.state import NU, PSI, U_, WIND_E, WIND_N
from steerageway.vessel.fossen.variation import damping_terms, varied

EVERYTHING = {
    "offset": (0.0, 1.0),
    "turn": (0.0, 30.0),
    "speed": (0.0, 0.2),
    "current": (0.0, 0.2),
    "wind": (0.0, 8.0),
    "waves": (0.0, 0.5),
    "noise": (0.0, 0.02),
    "delay": (0.0, 0.4),
    "lag": (0.0, 1.0),
    "mass": (0.8, 1.2),
    "damping": (0.7, 1.3),
}


@pytest.mark.parametrize("name", ["otter", "remus100", "wamv"])
def test_a_heavier_vessel_starts_slower_and_one_of_more_damping_loses_more_speed(
    name: str,
) -> None:
    vessel = load(name)
    ones, rest = np.ones(damping_terms(vessel)), np.zeros(len(vessel.commands))
    around, x = vessel.surroundings(), vessel.initial.copy()

    def rate(mass: float, damping: Any) -> Any:
        return varied(vessel, mass, damping).derivative(x, rest, around)[NU]

    assert np.array_equal(rate(1.0, ones), vessel.derivative(x, rest, around)[NU])
    x[12:] = 0.5 * np.array([channel.high for channel in vessel.actuators])
    mass: Any = mass_of(hull_of(vessel.parameters))  # type: ignore[arg-type]
    force = mass.M @ rate(1.0, ones)
    assert np.allclose(mass.M_RB @ rate(1.3, ones) * 1.3 + mass.M_A @ rate(1.3, ones), force)
    x[U_], x[U_ + 1], x[U_ + 5] = 1.2, 0.3, 0.1
    none, once, twice = (rate(1.0, factor * ones) for factor in (0.0, 1.0, 2.0))
    assert np.allclose(twice - once, once - none)
    assert once[0] < none[0]


@pytest.mark.slow
def test_orders_one_step_late_are_those_of_a_mission() -> None:
    given: Any = {"num_envs": 2, "randomise": {"current": (0.1, 0.2)}}
    late: Any = {**given, "randomise": {"current": (0.1, 0.2), "delay": (0.1, 0.1)}}
    batch = VesselVectorEnv("PathFollowing", **late)
    missions = VesselVectorEnv("PathFollowing", engine="mission", **given)
    batch.reset(seed=1)
    missions.reset(seed=1)
    batch._engine.x[:] = missions._engine.x
    batch._engine.surroundings[:, :2] = [  # type: ignore[union-attr]
        (run.get("DRIFT_Y"), run.get("DRIFT_X"))
        for run in missions._engine.missions  # type: ignore[union-attr]
    ]
    for row in np.random.default_rng(2).uniform(-1.0, 1.0, (20, 2, 2)):
        batch.step(row)
        missions.step(row)
        away = batch._engine.x - missions._engine.x
        away[:, PSI] = np.sin(away[:, PSI])
        assert abs(away).max() < 1e-9
    missions.close()


def test_a_lag_approaches_a_new_order_exponentially_after_its_delay() -> None:
    sent = Transmission(3, 1, 0.1, 0.5)
    sent.restart(np.arange(3), np.array([0.0, 0.3, 0.5]), np.array([0.8, 0.0, 0.2]))
    times = 0.1 * np.arange(1, 21)
    got = np.array([sent.through(np.ones((3, 1)))[:, 0] for _ in times])
    assert np.allclose(got[:, 0], 1.0 - np.exp(-times / 0.8))
    assert got[:, 1].tolist() == [0.0] * 3 + [1.0] * 17
    assert np.allclose(got[:, 2], np.where(times > 0.5, 1.0 - np.exp((0.5 - times) / 0.2), 0.0))


@pytest.mark.slow
def test_everything_at_once_is_drawn_by_the_seed() -> None:
    def run(seed: int) -> tuple[Any, Any]:
        env.reset(seed=seed)
        actions = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 20, 2))
        seen = [env.step(row)[0] for row in actions]
        return np.array(seen), [hull_of(model.parameters) for model in env._engine.models]  # type: ignore[union-attr]

    assert set(EVERYTHING) == set(RANDOMISED)
    env = VesselVectorEnv("StationKeeping", "wamv", 20, randomise=EVERYTHING)
    (one, models), (other, _), (again, _) = run(1), run(2), run(1)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    masses = [mass_of(hull).M_RB[0, 0] for hull in models]  # type: ignore[arg-type]
    usual = mass_of(hull_of(load("wamv").parameters)).M_RB[0, 0]  # type: ignore[arg-type]
    assert len(set(masses)) == VARIANTS
    assert 0.8 * usual < min(masses) < max(masses) < 1.2 * usual
    wind = np.hypot(*env._engine.surroundings[:, [WIND_N, WIND_E]].T)  # type: ignore[union-attr]
    assert 0.0 < wind.min() < wind.max() < 8.0


@pytest.mark.parametrize(
    ("vessel", "randomise", "expected"),
    [
        ("otter", {"noise": (1, 0)}, "0 <= low <= high"),
        ("otter", {"delay": (0, 9)}, r"high <= 5 \[s\]"),
        ("otter", {"turn": (0, 200)}, r"high <= 180 \[deg\]"),
        ("otter", {"wind": (0, 5)}, "nothing that the wind moves"),
        ("otter", {"waves": (0, 1)}, "no wave loads"),
        pytest.param(  # which is compiled as a whole
            *("mariner", {"mass": (0.9, 1.1)}, "a published model"), marks=pytest.mark.slow
        ),
    ],
)
def test_what_a_vessel_has_not_is_not_drawn(vessel: str, randomise: Any, expected: str) -> None:
    with pytest.raises(error.Error, match=expected):
        VesselVectorEnv("WaypointRace", vessel, randomise=randomise)


def test_the_page_names_each_quantity_with_its_unit() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    for name, one in RANDOMISED.items():
        assert f"| `{name}` | {one.unit} |" in page


def test_a_start_is_displaced_turned_and_faster_by_what_the_table_says() -> None:
    def starts(randomise: Any) -> Any:
        env = VesselVectorEnv("StationKeeping", num_envs=50, randomise=randomise)
        env.reset(seed=4)
        return env._engine.x, env._task.scale

    (usual, (L, U)) = starts({})
    (moved, _) = starts({"offset": (3.0, 3.0), "turn": (90.0, 90.0), "speed": (0.5, 0.5)})
    away = moved - usual
    assert np.allclose(np.hypot(*away[:, :2].T), 3.0 * L)
    assert np.ptp(np.arctan2(away[:, 1], away[:, 0])) > 4.0
    assert np.allclose(abs(np.sin(away[:, PSI])), 1.0)
    assert set(np.sign(np.sin(away[:, PSI]))) == {-1.0, 1.0}
    assert np.allclose(away[:, U_], 0.5 * U)
