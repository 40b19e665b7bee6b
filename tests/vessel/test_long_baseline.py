"""A place by ranges: against the place from which the ranges were computed."""

from __future__ import annotations

from math import dist
from random import Random

import pytest

from steerageway.vessel.long_baseline import fix


@pytest.mark.parametrize("seed", range(20))
def test_exact_ranges_give_the_place_and_no_residual(seed: int) -> None:
    random = Random(seed)
    there = (random.uniform(-500, 500), random.uniform(-500, 500), random.uniform(0, 80))
    places = [(800.0 * x, 700.0 * y, random.uniform(40, 90)) for x in (-1, 1) for y in (-1, 1)]
    rows = [(place, dist(place, there)) for place in places[: 3 + seed % 2]]
    found = fix(rows, there[2])
    assert found == pytest.approx((*there[:2], 0.0), abs=1e-6)


def test_errors_of_the_ranges_are_in_the_residual_and_reach_the_place_as_geometry_has_it() -> None:
    """Four beacons on the axes: each coordinate is half the difference of two ranges."""
    places = [(1000.0, 0.0, 0.0), (-1000.0, 0.0, 0.0), (0.0, 1000.0, 0.0), (0.0, -1000.0, 0.0)]
    x, y, residual = fix(list(zip(places, (1001.0, 999.0, 999.5, 1000.5), strict=True)), 0.0) or ()
    assert (x, y) == pytest.approx((-1.0, 0.5), abs=2e-3)
    assert residual == pytest.approx(0.0, abs=2e-3)
    both = [1001.0] * 4  # a speed of sound that is too high: no other place, a residual of 1 m
    assert fix(list(zip(places, both, strict=True)), 0.0) == pytest.approx((0, 0, 1), abs=1e-6)


@pytest.mark.parametrize(
    "places",
    [[(0.0, 0.0, 10.0), (100.0, 0.0, 10.0)], [(k * 100.0, k * 50.0, 10.0) for k in range(4)], []],
)
def test_two_beacons_and_beacons_in_a_line_give_no_place(
    places: list[tuple[float, float, float]],
) -> None:
    assert fix([(place, 200.0) for place in places], 5.0) is None
