"""Thrust allocation: the forces asked for are made, by the least that makes them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from steerageway.vessel.allocation import allocate, allocPseudoinverse, thrConfig
from steerageway.vessel.errors import InvalidValue

FORCES = arrays(float, 3, elements=st.floats(-100, 100))
modest = settings(max_examples=30)


@modest
@given(st.floats(-np.pi, np.pi), st.floats(-20, 20), st.floats(-5, 5))
def test_a_thruster_pushes_and_turns_as_a_force_at_its_place(angle, x, y):
    force = np.array([np.cos(angle), np.sin(angle), 0])
    moment = np.cross([x, y, 0], force)[2]
    np.testing.assert_allclose(thrConfig([angle], [x], [y])[:, 0], [*force[:2], moment])


@modest
@given(FORCES)
def test_azimuth_thrusters_make_any_force_with_thrust_ahead(tau):
    l_x, l_y = [-40.0, -40.0, 35.0], [-7.0, 7.0, 0.0]
    thrusts, angles = allocate(["A", "A", "T"], l_x, l_y, tau)
    made = thrConfig([*angles[:2], "T"], l_x, l_y) @ thrusts
    np.testing.assert_allclose(made, tau, atol=1e-9)
    assert (thrusts[:2] >= 0).all()
    assert angles[2] == pytest.approx(np.pi / 2)


def test_a_fixed_thruster_keeps_its_angle_and_may_push_back():
    thrusts, angles = allocate(["M", "M", 0.0], [-20, -20, 5], [5, -5, 0], [-30, 0, 0])
    np.testing.assert_allclose(thrusts, -10)
    np.testing.assert_array_equal(angles, 0)


def test_the_costlier_thruster_does_less_and_the_total_cost_is_minimal():
    T = thrConfig(["M", "M", "T", "T"], [-20, -20, 10, 15], [5, -5, 0, 0])
    tau, W = np.array([10.0, 4.0, 50.0]), np.array([1.0, 4.0, 1.0, 2.0])
    f = allocPseudoinverse(T, tau, W)
    np.testing.assert_allclose(T @ f, tau, atol=1e-12)
    least = minimize(
        lambda f: f @ (W * f),
        np.zeros(4),
        constraints={"type": "eq", "fun": lambda f: T @ f - tau},
        method="SLSQP",
    )
    np.testing.assert_allclose(f, least.x, atol=1e-4)


def test_unreachable_forces_are_approximated_as_closely_as_possible():
    T = thrConfig(["M", "M"], [-1, -1], [0.4, -0.4])
    np.testing.assert_allclose(T @ allocPseudoinverse(T, [2.0, 5.0, 1.0]), [2, 0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: thrConfig(["Q"], [0], [0]), "'Q': expected 'M', 'T' or an angle"),
        (lambda: allocPseudoinverse(np.eye(3), [1, 1, 1], [1, 0, 1]), "above zero"),
    ],
)
def test_an_invalid_thruster_is_refused(call, expected):
    with pytest.raises(InvalidValue, match=expected):
        call()
