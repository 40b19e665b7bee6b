"""Added mass against its limits: the sphere, the slender body, the wall of derivatives."""

import numpy as np
import pytest

from steerageway.vessel.added_mass import M_A, imlay61, spheroid
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.rigid_body import check_mass

STILL = np.zeros(6)


def test_a_nearly_round_body_carries_half_its_water():
    M, _ = imlay61(1.0 + 1e-3, 1.0, STILL, rho=1000.0)
    half = 2 / 3 * np.pi * 1000
    np.testing.assert_allclose(np.diag(M)[:3], half, rtol=2e-3)
    np.testing.assert_allclose(np.diag(M)[3:], 0, atol=1)


def test_a_slender_body_carries_its_water_sideways_and_none_ahead():
    M, _ = imlay61(50.0, 1.0, STILL, rho=1000.0)
    displaced = 4 / 3 * np.pi * 1000 * 50
    assert M[0, 0] < 2e-3 * displaced
    assert M[1, 1] == M[2, 2] == pytest.approx(displaced, rel=3e-3)


def test_a_spheroid_has_the_mass_and_inertia_of_its_displacement():
    M, C = spheroid(0.8, 0.095, (0.1, 0.2, 0.3), (0.0, 0.0, 0.0), rho=1000.0)
    m = 4 / 3 * np.pi * 1000 * 0.8 * 0.095**2
    inertia = np.array([2 * 0.095**2, 0.8**2 + 0.095**2, 0.8**2 + 0.095**2]) * m / 5
    np.testing.assert_allclose(np.diag(M), [m, m, m, *inertia])
    np.testing.assert_allclose(C, -C.T, atol=1e-15)
    check_mass(M)


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (0.5, 1.0), (1.0, 0.0)])
def test_other_spheroids_are_refused(a, b):
    with pytest.raises(InvalidValue, match="a > b > 0"):
        imlay61(a, b, STILL)
    with pytest.raises(InvalidValue, match="a > b > 0"):
        spheroid(a, b, STILL[:3], STILL[:3])


def test_derivatives_find_their_places():
    M = M_A({"X_ud": -5.0, "Y_rd": -1.5, "N_vd": -1.25})
    assert (M[0, 0], M[1, 5], M[5, 1]) == (5.0, 1.5, 1.25)
    assert np.count_nonzero(M) == 3


@pytest.mark.parametrize("name", ["X_u", "Yvd", "XY_ud", "Q_ud", "X_udd", "_ud"])
def test_other_names_are_no_acceleration_derivatives(name):
    with pytest.raises(InvalidValue, match=name):
        M_A({name: 1.0})
