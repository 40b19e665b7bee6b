"""Mass matrices and Coriolis forces: what mechanics demands of any of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Smat
from steerageway.vessel.rigid_body import (
    M_RB,
    Hmtrx,
    check_mass,
    m2c,
    moment,
    rbody,
    turning_wrench,
)

POINTS = arrays(float, 3, elements=st.floats(-2, 2))
VELOCITIES = arrays(float, 6, elements=st.floats(-5, 5))
RADII = arrays(float, 3, elements=st.floats(0.1, 2))
ANY = arrays(float, (6, 6), elements=st.floats(-10, 10))
modest = settings(max_examples=30)


@modest
@given(POINTS, RADII, VELOCITIES)
def test_kinetic_energy_is_that_of_the_mass_at_cg_and_its_spin(r_bG, radii, nu):
    v_G = nu[:3] + np.cross(nu[3:], r_bG)
    energy = 0.5 * 7.0 * (v_G @ v_G + (radii**2) @ nu[3:] ** 2)
    assert 0.5 * nu @ M_RB(7.0, r_bG, radii) @ nu == pytest.approx(energy, rel=1e-12)


@modest
@given(POINTS, VELOCITIES)
def test_velocities_move_with_H_and_back(r, nu):
    there = Hmtrx(r) @ nu
    np.testing.assert_allclose(there[:3], nu[:3] + np.cross(nu[3:], r), atol=1e-12)
    np.testing.assert_allclose(Hmtrx(-r) @ there, nu, atol=1e-12)


@modest
@given(ANY, VELOCITIES)
def test_coriolis_forces_do_no_work(M, nu):
    C = m2c(M, nu)
    np.testing.assert_array_equal(C, -C.T)
    assert nu @ C @ nu == pytest.approx(0, abs=1e-9)


@modest
@given(ANY, VELOCITIES)
def test_coriolis_forces_are_the_turning_of_the_momentum(M, nu):
    # d/dt of momentum seen from turning axes: P' = w x P, L' = w x L + v x P.
    P, L = np.split((M + M.T) / 2 @ nu, 2)
    v, w = nu[:3], nu[3:]
    turning = np.concatenate((np.cross(w, P), np.cross(w, L) + np.cross(v, P)))
    np.testing.assert_allclose(m2c(M, nu) @ nu, turning, atol=1e-9)


@modest
@given(POINTS, RADII, VELOCITIES)
def test_both_forms_of_C_RB_give_one_force(r_bG, radii, nu):
    M, C = rbody(3.0, *radii, nu[3:], r_bG)
    np.testing.assert_allclose(C @ nu, m2c(M, nu) @ nu, atol=1e-9)
    np.testing.assert_allclose(C, -C.T, atol=1e-12)


@modest
@given(ANY, VELOCITIES)
def test_the_plane_matrix_is_the_plane_part_of_the_full_one(M, nu):
    plane = [0, 1, 5]
    only = np.zeros(6)
    only[plane] = nu[plane]
    full = m2c(M, only) @ only
    np.testing.assert_allclose(
        m2c(M[np.ix_(plane, plane)], nu[plane]) @ nu[plane], full[plane], atol=1e-9
    )


def test_parallel_axes_are_counted_once():
    r = np.array([0.3, -0.2, 0.1])
    inertia = M_RB(5.0, r, (0.4, 0.5, 0.6))[3:, 3:]
    about_CG = 5.0 * np.diag([0.16, 0.25, 0.36])
    np.testing.assert_allclose(inertia, about_CG - 5.0 * Smat(r) @ Smat(r), atol=1e-14)


@pytest.mark.parametrize(
    ("place", "value", "expected"),
    [((3, 3), -1.0, "indefinite in roll"), ((5, 5), 0.0, "singular in yaw")],
)
def test_an_impossible_mass_is_refused_with_its_degree_of_freedom(place, value, expected):
    M = np.diag([100.0, 100.0, 100.0, 1e-2, 1.0, 1.0])
    check_mass(M)
    M[place] = value
    with pytest.raises(InvalidValue, match=expected):
        check_mass(M)


def test_coupling_can_make_a_mass_impossible_too():
    M = np.diag([10.0, 10.0, 10.0, 1.0, 1.0, 1.0])
    M[1, 5] = M[5, 1] = 4.0
    with pytest.raises(InvalidValue, match=r"indefinite in (sway|yaw)"):
        check_mass(M)


@pytest.mark.parametrize(
    ("mass", "radii", "expected"),
    [(0.0, (1, 1, 1), "mass 0.0 kg"), (1.0, (1, 0, 1), "radii of gyration")],
)
def test_a_body_has_mass_and_extent(mass, radii, expected):
    with pytest.raises(InvalidValue, match=expected):
        M_RB(mass, (0, 0, 0), radii)


@modest
@given(arrays(float, (6, 6), elements=st.floats(-10, 10)), VELOCITIES)
def test_the_turning_wrench_is_that_of_the_coriolis_matrix(M, nu):
    M = (M + M.T) / 2
    expected = -m2c(M, nu) @ nu
    assert np.allclose(turning_wrench(*(M @ nu), *nu), expected, rtol=1e-9, atol=1e-9)


@modest
@given(POINTS, POINTS)
def test_the_moment_of_a_force_is_its_cross_product(place, force):
    assert np.allclose(moment(*place, *force), np.cross(place, force))


def test_other_shapes_have_no_coriolis_matrix():
    with pytest.raises(InvalidValue, match=r"\(4, 4\)"):
        m2c(np.eye(4), np.zeros(4))
