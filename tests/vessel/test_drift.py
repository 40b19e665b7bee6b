"""Drift vectors: the manual's section 7."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.vessel.drift import Drift

SPEEDS = st.floats(-10, 10)


def test_a_drift_towards_east_moves_along_x():
    assert Drift.towards(90, 1.5) == pytest.approx((1.5, 0))


def test_vectors_add_and_multiply():
    drift = Drift.towards(90, 1.0).plus(Drift.towards(0, 1.0)).times(2)
    assert drift == pytest.approx((2, 2))
    assert drift.direction == pytest.approx(45)
    assert drift.magnitude == pytest.approx(8**0.5)


@given(SPEEDS, SPEEDS)
def test_minus_one_turns_a_drift_round(x, y):
    drift = Drift(x, y)
    assert drift.times(-1).plus(drift) == (0, 0)
    assert drift.times(-1).magnitude == drift.magnitude


def test_a_gust_that_dies_down_leaves_nothing():
    """The manual's script of section 7.2: five times 0.25 towards 137, and five times back."""
    drift = Drift()
    for magnitude in [0.25] * 5 + [-0.25] * 5:
        drift = drift.plus(Drift.towards(137, magnitude))
    assert drift == pytest.approx((0, 0), abs=1e-15)


def test_no_drift_has_direction_0():
    assert Drift().direction == 0
    assert Drift().times(-1).direction == 0
    assert Drift.towards(180, -0.0).direction == 0
