"""Restoring forces against the wrench of weight and buoyancy, and closed forms of simple hulls."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.restoring import Gmtrx, gvect, metacentric_height, morrish, munro_smith
from steerageway.vessel.rigid_body import Hmtrx

ANGLES = st.floats(-np.pi, np.pi)
FORCES = st.floats(0, 1000)
POINTS = arrays(float, 3, elements=st.floats(-2, 2))
modest = settings(max_examples=30)


@modest
@given(FORCES, FORCES, ANGLES, ANGLES, POINTS, POINTS)
def test_g_is_minus_the_wrench_of_weight_and_buoyancy(W, B, theta, phi, r_bg, r_bb):
    R = Rotation.from_euler("ZYX", [0.7, theta, phi])
    weight, buoyancy = R.inv().apply([0, 0, W]), R.inv().apply([0, 0, -B])
    moment = np.cross(r_bg, weight) + np.cross(r_bb, buoyancy)
    wrench = np.concatenate((weight + buoyancy, moment))
    np.testing.assert_allclose(gvect(W, B, theta, phi, r_bg, r_bb), -wrench, atol=1e-10)


def test_a_craft_with_its_weight_below_its_buoyancy_rights_itself():
    g = gvect(100.0, 100.0, 0.0, 0.1, (0, 0, 0.02), (0, 0, 0))
    assert -g[3] < 0


def test_a_floating_box_has_the_stiffness_of_statics():
    L, B, T, rho, gravity = 4.0, 2.0, 0.5, 1000.0, 9.8
    nabla, A_wp, KG = L * B * T, L * B, 0.4
    GMT = metacentric_height(nabla, munro_smith(L, B, 1.0), morrish(T, nabla, A_wp), KG)
    GML = metacentric_height(nabla, B * L**3 / 12, T / 2, KG)
    G = Gmtrx(nabla, A_wp, GMT, GML, 0.0, rho=rho, gravity=gravity)
    assert pytest.approx(B**2 / (12 * T) + T / 2 - KG) == GMT
    assert G[2, 2] == pytest.approx(rho * gravity * L * B)
    assert G[3, 3] == pytest.approx(rho * gravity * nabla * GMT)


def test_pitching_about_a_point_abaft_flotation_sinks_the_hull_ahead():
    G = Gmtrx(1.0, 2.0, 0.5, 5.0, x_F=-0.3)
    np.testing.assert_allclose(G, G.T, atol=1e-9)
    level = np.zeros(6)
    level[[2, 4]] = -0.3 * 0.01, 0.01  # heave and pitch that leave the centre of flotation afloat
    assert (G @ level)[2] == pytest.approx(0, abs=1e-12)


def test_a_hull_without_volume_has_no_metacentre():
    with pytest.raises(InvalidValue, match="displaced volume 0"):
        metacentric_height(0.0, 1.0, 1.0, 1.0)


@modest
@given(POINTS, arrays(float, 6, elements=st.floats(-0.1, 0.1)))
def test_stiffness_moves_to_the_requested_point(r_bP, displacement):
    # The energy of a small displacement is one number, from whichever point it is seen.
    about_CO = Gmtrx(1.0, 2.0, 0.5, 5.0, x_F=-0.3)
    about_P = Gmtrx(1.0, 2.0, 0.5, 5.0, x_F=-0.3, r_bP=r_bP)
    there = Hmtrx(r_bP) @ displacement
    assert there @ about_P @ there == pytest.approx(displacement @ about_CO @ displacement)
