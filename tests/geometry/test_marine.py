"""The marine convention and the way to Fossen's frames."""

from math import hypot, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.geometry.marine import (
    angle180,
    angle360,
    bearing,
    components,
    heading_of,
    mean_heading,
    ned,
    psi,
)

ANGLES = st.floats(-1e4, 1e4)


@given(ANGLES)
def test_angle360_lies_in_the_circle(angle):
    assert 0 <= angle360(angle) < 360


def test_angle360_of_a_tiny_negative_angle_is_not_360():
    assert angle360(-1e-20) == 0


@given(ANGLES)
def test_angle180_lies_in_the_half_open_circle(angle):
    assert -180 < angle180(angle) <= 180


@pytest.mark.parametrize(
    ("east", "north", "expected"), [(0, 1, 0), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (0, 0, 0)]
)
def test_bearing_turns_clockwise_from_north(east, north, expected):
    assert bearing(east, north) == pytest.approx(expected)


@pytest.mark.slow
@given(st.floats(0, 359), st.floats(0.1, 100))
def test_components_point_along_the_bearing(direction, magnitude):
    east, north = components(direction, magnitude)
    assert hypot(east, north) == pytest.approx(magnitude)
    assert angle180(bearing(east, north) - direction) == pytest.approx(0, abs=1e-9)


def test_the_mean_of_359_and_1_is_0():
    assert mean_heading(359, 1) == pytest.approx(0)


@given(ANGLES)
def test_heading_survives_the_way_through_psi(heading):
    assert -pi < psi(heading) <= pi
    assert angle180(heading_of(psi(heading)) - heading) == pytest.approx(0, abs=1e-9)


def test_east_is_the_second_axis_of_ned():
    assert ned(3, 4, 5) == (4, 3, 5)
