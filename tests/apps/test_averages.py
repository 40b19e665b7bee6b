"""Averages of numbers, and of angles on a circle."""

from __future__ import annotations

import statistics
from fractions import Fraction
from math import pi, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steerageway.apps.shared.averages import Angles, Numbers, averages_of, unrolled
from steerageway.apps.shared.meanings import Circle, circle_of

COMPASS, YAW = Circle(0.0, 360.0), Circle(-pi, tau)


def averages(name: str, *values: float) -> Numbers | Angles:
    """Return the averages of a variable's values."""
    found = averages_of(name)
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize(
    "name",
    [
        *("NAV_HEADING", "USM_HEADING", "HENRY_HEADING", "USM_GT_HEADING", "DESIRED_HEADING"),
        *("COMPASS_HEADING", "NAV_HEADING_OVER_GROUND", "TRAIL_HEADING", "HYSTER_HDG_AVG"),
        *("COLREGS_CONTACT_HDG_BEN", "SHADOW_CONTACT_HEADING", "NODE_REPORT.HDG"),
        *("NAV_COG", "WIND_DIR", "GPS_COURSE", "MY_BEARING"),  # that no app here declares
    ],
)
def test_courses_lie_on_a_circle_from_0_to_360_degrees(name: str) -> None:
    assert circle_of(name) == COMPASS


@pytest.mark.parametrize(
    ("name", "circle"),
    [
        *((name, YAW) for name in ("NAV_YAW", "USM_YAW", "IMU_YAW", "USM_STATE.psi")),
        *((name, Circle(-180.0, 360.0)) for name in ("NAV_LONG", "GPS_LONG", "NODE_REPORT.LON")),
        ("APPARENT_WIND_ANGLE", Circle(-180.0, 360.0)),
        *((name, None) for name in ("NAV_X", "NAV_LAT", "NAV_PITCH", "DESIRED_ELEVATOR")),
        *((name, None) for name in ("TURN_RATE", "NAV_HEADING_STD", "USM_CS_RUDDER", "MINE")),
        *((name, None) for name in ("USM_STATE.theta", "USM_STATE.u", "PNR_EXTRAP_HDG_GAP")),
    ],
)
def test_the_declared_range_says_whether_a_variable_is_an_angle(
    name: str, circle: Circle | None
) -> None:
    assert circle_of(name) == circle


def test_four_runs_due_north_head_north() -> None:
    found = averages("NAV_HEADING", 359.99, 0.01, 0.02, 359.98)
    assert found.mean is not None
    assert min(found.mean, 360.0 - found.mean) < 1e-9
    assert found.deviation() == pytest.approx(0.0158, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "turn"), [("NAV_HEADING", 360.0), ("NAV_YAW", tau)])
@given(values=st.lists(st.floats(-0.49, 0.49), min_size=2), middle=st.floats(0.0, 1.0))
def test_mean_and_deviation_of_angles_are_those_of_scipy(
    name: str, turn: float, values: list[float], middle: float
) -> None:
    circle = circle_of(name)
    assert circle is not None
    angles = [circle.wrapped((middle + 0.5 * value) * turn) for value in values]
    found = averages(name, *angles)
    mean = stats.circmean(angles, high=circle.low + turn, low=circle.low)
    assert found.mean is not None
    assert abs(circle.turn(found.mean, mean)) < 1e-6 * turn
    deviation = stats.circstd(angles, high=circle.low + turn, low=circle.low)
    assert found.deviation() == pytest.approx(deviation, abs=1e-6 * turn)


def test_angles_that_cancel_out_have_no_mean_and_equal_ones_no_deviation() -> None:
    assert averages("NAV_HEADING", 10.0, 190.0).mean is None
    assert averages("NAV_HEADING", 0.0, 120.0, 240.0).mean is None
    assert averages("NAV_HEADING", 10.0, 190.0).deviation() > 300.0
    same = averages("NAV_HEADING", *[123.4] * 1000)
    assert (same.mean, same.deviation()) == (pytest.approx(123.4, abs=1e-12), 0.0)


def test_a_single_number_has_no_deviation_and_none_no_mean() -> None:
    assert averages("NAV_X", 3.0).deviation(lost=1) == 0.0
    assert averages("NAV_HEADING").mean is None


@pytest.mark.slow
@given(st.lists(st.integers(-(10**7), 10**7).map(lambda k: k / 7), min_size=2))
def test_mean_and_deviation_of_numbers_are_those_of_the_standard_library(
    values: list[float],
) -> None:
    found = averages("NAV_X", *values)
    spread = max(map(abs, values))
    assert found.mean == pytest.approx(statistics.fmean(values), abs=1e-12 * spread)
    assert found.deviation(lost=1) == pytest.approx(statistics.stdev(values), abs=1e-7 * spread)


def test_the_largest_numbers_have_a_mean() -> None:
    found = averages("NAV_X", 1e308, 1.5e308, 1e308)
    assert found.mean == pytest.approx(1.1666666666666667e308)


def test_unrolled_angles_lie_around_their_mean() -> None:
    mean, angles = unrolled(COMPASS, [350.0, 20.0, 355.0, 359.0])
    assert mean == pytest.approx(stats.circmean([350, 20, 355, 359], high=360), abs=1e-9)
    assert angles == pytest.approx([-10.0, 20.0, -5.0, -1.0])


@pytest.mark.slow
@given(st.lists(st.fractions(-1, 1), min_size=2, max_size=20))
def test_numbers_as_large_as_a_float_can_be_have_a_mean_and_a_deviation(
    shares: list[Fraction],
) -> None:
    largest = Fraction(1e308)
    found = averages("LARGE", *(float(share * largest) for share in shares))
    exact = statistics.pstdev(shares) * 1e308
    assert found.mean == pytest.approx(float(statistics.mean(shares) * largest), abs=1e293)
    assert found.deviation() == pytest.approx(exact, rel=1e-6, abs=1e297)


def test_opposite_numbers_of_the_largest_size_average_to_zero() -> None:
    found = averages("LARGE", 1e308, -1e308)
    assert (found.mean, found.deviation()) == (0.0, 1e308)
    assert found.deviation(lost=1) == pytest.approx(2**0.5 * 1e308)
