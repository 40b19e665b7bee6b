"""Cross-flow drag against SciPy's integrals, and the strip sum of the references."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.integrate import quad

from steerageway.vessel.cross_flow import (
    Hoerner,
    box_drag,
    cross_flow_drag,
    crossFlowDrag,
    cylinder_coefficient,
    section_strips,
)
from steerageway.vessel.errors import InvalidValue

L, B, T, RHO = 4.0, 1.2, 0.5, 1025.0
VELOCITIES = arrays(float, 6, elements=st.floats(-3, 3))
modest = settings(max_examples=30)


def integrals(area_per_length, rate_of, turn):
    """Return SciPy's force and first moment of a hull whose sections move at rate + x turn."""

    def section(x):
        speed = rate_of + x * turn
        return -0.5 * RHO * area_per_length * abs(speed) * speed

    kink = [] if abs(rate_of) >= abs(turn) * L / 2 else [-rate_of / turn]
    at = {"points": kink} if kink else {}
    force = quad(section, -L / 2, L / 2, **at)[0]
    return force, quad(lambda x: x * section(x), -L / 2, L / 2, **at)[0]


@modest
@given(VELOCITIES)
def test_drag_is_the_integral_over_the_hull(nu_r):
    _, v, w, _, q, r = nu_r
    tau = box_drag(L, B, T, nu_r, submerged=True, Cd=1.1)
    Y, N = integrals(1.1 * T, v, r)
    Z, minus_M = integrals(1.1 * B, w, -q)
    scale = RHO * L * B * (1 + nu_r @ nu_r)
    np.testing.assert_allclose(tau, [0, Y, Z, 0, -minus_M, N], atol=1e-8 * scale)


@modest
@given(VELOCITIES)
def test_drag_takes_energy(nu_r):
    assert nu_r @ box_drag(L, B, T, nu_r, submerged=True) <= 1e-12


def test_a_surface_craft_has_cross_flow_in_sway_and_yaw_only():
    tau = box_drag(L, B, T, np.full(6, 0.7))
    assert tau[[0, 2, 3, 4]] == pytest.approx(0)
    assert (tau[[1, 5]] != 0).all()


def test_the_reference_sum_is_5_percent_high_in_sway_and_21_in_yaw():
    sway, yaw = np.eye(6)[1], np.eye(6)[5]
    ratio = crossFlowDrag(L, B, T, sway)[1] / box_drag(L, B, T, sway)[1]
    assert ratio == pytest.approx(1.05, rel=1e-12)
    ratio = crossFlowDrag(L, B, T, yaw)[5] / box_drag(L, B, T, yaw)[5]
    assert ratio == pytest.approx(1.21, rel=1e-3)


@modest
@given(VELOCITIES)
def test_many_strips_of_one_section_are_a_box(nu_r):
    x, dx = (np.arange(2000) + 0.5) * L / 2000 - L / 2, np.full(2000, L / 2000)
    strips = section_strips(x, dx, np.full(2000, B), np.full(2000, T), submerged=True)
    scale = RHO * L * B * (1 + nu_r @ nu_r)
    np.testing.assert_allclose(
        cross_flow_drag(strips, nu_r), box_drag(L, B, T, nu_r, submerged=True), atol=1e-6 * scale
    )


def test_a_submerged_square_section_has_equal_drag_from_side_and_below():
    tau = box_drag(L, 0.4, 0.4, np.array([0, 0.7, 0.7, 0, 0, 0]), submerged=True)
    assert tau[1] == pytest.approx(tau[2])


@pytest.mark.parametrize(("ratio", "Cd"), [(1e-3, 1.96608), (10.0, 0.559315), (0.833589, 0.87959)])
def test_hoerners_curve_is_held_beyond_its_ends(ratio, Cd):
    assert Hoerner(2 * ratio, 1.0) == pytest.approx(Cd)


def test_a_cylinder_has_its_drag_crisis_by_its_diameter():
    slow, fast = np.array([0, 0.5, 0, 0, 0, 0]), np.array([0, 3.3, 0, 0, 0, 0])
    assert cylinder_coefficient(2.0, 0.2, slow) == pytest.approx(1.21 * 0.68, rel=2e-3)
    assert cylinder_coefficient(2.0, 0.2, fast) == pytest.approx(0.29 * 0.82, rel=0.02)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: Hoerner(1.0, 0.0), "draft 0.0"),
        (lambda: crossFlowDrag(L, B, T, np.zeros(6), "box"), "'Hoerner' or 'cylinder'"),
    ],
)
def test_a_body_without_drag_is_refused(call, expected):
    with pytest.raises(InvalidValue, match=expected):
        call()
