"""Changing weather: the same for all processes that know the same changes."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from steerageway.world.environment import Environment, WindField
from steerageway.world.errors import InvalidValue
from steerageway.world.sea_state import SeaState
from steerageway.world.weather import Change, Weather
from steerageway.world.wind import Wind

SEA = Environment(
    waves=(SeaState("jonswap", 1.0, 5.0, components=8), SeaState("regular", 0.5, 9.0)),
    wind=WindField(5.0, 90.0),
    ramp=4.0,
    seed=3,
)
CHANGES = (
    Change.of_height(10.0, 2.0),
    Change.of_wind(10.0, "spd=9,dir=270"),
    Change.of_height(10.0, 0.5),
    Change.of_height(31.0, 0.0),
    Change.of_height(55.0, 1.5),
)


@pytest.mark.slow
def test_the_order_of_received_changes_does_not_matter() -> None:
    known = []
    for order in permutations(CHANGES[:4]):
        weather = Weather(SEA)
        assert all(weather.take(change) for change in (*order, CHANGES[4]))
        known.append(weather)
    for weather in known[1:]:
        assert np.array_equal(weather.sea.rows, known[0].sea.rows)
        assert weather.wind(11.5) == known[0].wind(11.5)


def test_a_change_received_twice_is_one() -> None:
    weather = Weather(SEA)
    assert weather.take(CHANGES[0])
    assert not weather.take(Change(10.0, "Hs=2"))
    assert weather.place_of(CHANGES[0]) == 1


def test_one_of_two_heights_for_one_second_is_used() -> None:
    both, one = Weather(SEA), Weather(SEA)
    for change in (CHANGES[2], CHANGES[0]):
        both.take(change)
    one.take(max(CHANGES[0], CHANGES[2]))
    t = np.linspace(8.0, 16.0, 41)
    found = [weather.sea.elevation(0.0, 0.0, t).std() for weather in (both, one)]
    assert len(both.sea.rows) == len(one.sea.rows)
    assert found[0] < 3.0 * found[1]


def test_waves_return_after_a_calm_with_the_requested_height() -> None:
    weather = Weather(SEA)
    for change in CHANGES[3:]:
        weather.take(change)
    later = weather.sea.rows[weather.sea.rows[:, 6] == 55.0]
    first, swell = later[:8, 0], later[8:, 0]
    assert 0.5 * (first**2).sum() == pytest.approx(1.5**2 / 16.0)
    assert swell == pytest.approx([0.5 * 0.75])


def test_before_a_change_begins_nothing_is_different() -> None:
    plain, changed = Weather(SEA), Weather(SEA)
    for change in CHANGES:
        changed.take(change)
    t = np.linspace(0.0, 10.0, 101)
    assert np.array_equal(plain.sea.elevation(3.0, 4.0, t), changed.sea.elevation(3.0, 4.0, t))
    assert changed.wind(10.0) == Wind(pytest.approx(5.0), pytest.approx(90.0))
    assert changed.wind(14.0) == Wind(pytest.approx(9.0), pytest.approx(270.0))


@pytest.mark.parametrize("what", ["Hs=-1", "Hs=high", "Hs=1e200", "wind:spd=3", "rain=2", ""])
def test_an_invalid_change_is_refused(what: str) -> None:
    weather = Weather(SEA)
    with pytest.raises(InvalidValue):
        weather.take(Change(5.0, what))
    assert weather.changes == []


def test_a_calm_environment_has_no_height_to_change() -> None:
    with pytest.raises(InvalidValue, match="the environment has no waves"):
        Weather(Environment()).take(CHANGES[0])


@pytest.mark.slow
def test_finished_waves_use_no_memory() -> None:
    weather = Weather(SEA)
    for k in range(40):
        weather.take(Change.of_height(10.0 * k, 1.0 + 0.01 * k))
    assert len(weather.sea.rows) == 9 * 8
