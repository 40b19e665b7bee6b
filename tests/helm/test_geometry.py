"""Plane geometry against values calculated by hand."""

from __future__ import annotations

from math import hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.helm.geometry import (
    bearing,
    distance,
    foot,
    greedy_tour,
    is_past,
    track_point,
)
from steerageway.moos.seglist import project

COORDINATES = st.floats(-1000, 1000).map(lambda v: round(v, 2))
POINTS = st.tuples(COORDINATES, COORDINATES)


@pytest.mark.parametrize(
    ("there", "expected"),
    [((0, 5), 0), ((5, 5), 45), ((5, 0), 90), ((0, -5), 180), ((-5, 0), 270), ((0, 0), 0)],
)
def test_bearing_is_clockwise_from_north(there: tuple[float, float], expected: float) -> None:
    assert bearing((0, 0), there) == pytest.approx(expected)


@given(POINTS, st.floats(0, 359.99), st.floats(1, 500))
def test_projected_point_is_that_far_off_on_that_bearing(
    start: tuple[float, float], heading: float, way: float
) -> None:
    there = project(start, heading, way)
    assert distance(start, there) == pytest.approx(way)
    turn = (bearing(start, there) - heading + 180) % 360 - 180
    assert turn == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
@given(POINTS, POINTS, POINTS, st.floats(0, 1))
def test_foot_is_the_nearest_point_of_the_segment(
    start: tuple[float, float],
    end: tuple[float, float],
    point: tuple[float, float],
    share: float,
) -> None:
    other = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
    assert distance(point, foot(start, end, point)) <= distance(point, other) + 1e-6


@pytest.mark.parametrize(
    ("here", "past"), [((9.9, 50), False), ((10, 3), True), ((11, -4), True), ((0, 0), False)]
)
def test_one_is_past_a_point_when_level_with_it(here: tuple[float, float], past: bool) -> None:
    assert is_past((10, 0), (0, 0), here) is past


@pytest.mark.parametrize(
    ("here", "lead", "damper", "expected"),
    [
        ((20, 10), 10, -1, (30, 0)),  # ahead of the foot
        ((20, 10), 10, 1, (30, 0)),  # too far off for the damper
        ((20, 0), 10, 1, (50, 0)),  # on the line: three times as far
        ((20, 0.5), 10, 1, (40, 0)),  # half way to the line: twice as far
        ((95, 3), 10, -1, (100, 0)),  # never beyond the goal
        ((-5, 3), 10, -1, (10, 0)),  # the line begins at its anchor
        ((150, 3), 10, -1, (100, 0)),
    ],
)
def test_track_point_leads_along_the_line(
    here: tuple[float, float], lead: float, damper: float, expected: tuple[float, float]
) -> None:
    assert track_point((0, 0), (100, 0), here, lead, damper) == pytest.approx(expected, abs=1e-9)


def test_track_point_from_the_start_of_a_slanted_line() -> None:
    expected = (30 * 100 / hypot(100, 10), 10 - 30 * 10 / hypot(100, 10))
    found = track_point((0, 10), (100, 0), (0, 10), 10, 1)
    assert found == pytest.approx(expected)


def test_greedy_tour_goes_to_the_nearest_each_time() -> None:
    points = ((30, 0), (10, 0), (22, 0), (-11, 0))
    assert greedy_tour(points, (0, 0)) == ((10, 0), (22, 0), (30, 0), (-11, 0))
    assert greedy_tour((), (0, 0)) == ()
