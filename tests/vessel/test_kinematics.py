"""Attitudes against SciPy's rotations, also where Euler angles are hardly any, and positions."""

import warnings

import numpy as np
import pyproj
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.transform import Rotation

from steerageway.vessel import kinematics as kin
from steerageway.vessel.errors import InvalidValue

ANGLES = st.floats(-np.pi, np.pi)
PITCHES = st.floats(-1.5, 1.5)
EULER = st.tuples(ANGLES, PITCHES, ANGLES).map(np.array)
NEAR_LOCK = st.tuples(
    ANGLES,
    st.sampled_from([1, -1]).flatmap(
        lambda side: st.floats(-16, -3).map(lambda e: side * (np.pi / 2 - 10**e))
    ),
    ANGLES,
).map(np.array)
QUATERNIONS = (
    arrays(float, 4, elements=st.floats(-1, 1))
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: q / np.linalg.norm(q))
)
VECTORS = arrays(float, 3, elements=st.floats(-5, 5))
modest = settings(max_examples=40)


def scipy_of(eul):
    return Rotation.from_euler("ZYX", np.asarray(eul)[::-1])


def scipy_quat(q):
    return Rotation.from_quat(q, scalar_first=True)


@modest
@given(st.one_of(EULER, NEAR_LOCK))
def test_matrix_and_quaternion_agree_with_scipy(eul):
    np.testing.assert_allclose(kin.eul_to_rotm(eul), scipy_of(eul).as_matrix(), atol=1e-14)
    q = kin.eul_to_quat(eul)
    np.testing.assert_allclose(kin.quat_to_rotm(q), scipy_of(eul).as_matrix(), atol=1e-14)
    assert abs(q @ scipy_of(eul).as_quat(scalar_first=True)) == pytest.approx(1, abs=1e-14)


@modest
@given(EULER)
def test_euler_angles_survive_both_ways(eul):
    np.testing.assert_allclose(kin.ssa(kin.rotm_to_eul(kin.eul_to_rotm(eul)) - eul), 0, atol=1e-12)
    np.testing.assert_allclose(kin.ssa(kin.quat_to_eul(kin.eul_to_quat(eul)) - eul), 0, atol=1e-12)


@modest
@given(NEAR_LOCK)
def test_angles_give_the_matrix_back_even_next_to_gimbal_lock(eul):
    R = kin.eul_to_rotm(eul)
    np.testing.assert_allclose(kin.eul_to_rotm(kin.rotm_to_eul(R)), R, atol=2e-12)
    np.testing.assert_allclose(kin.eul_to_rotm(kin.rotm_to_eul(R, prev_eul=eul)), R, atol=2e-12)


@modest
@given(EULER, arrays(float, 3, elements=st.floats(-0.01, 0.01)))
def test_with_the_last_angles_a_vessel_may_loop(eul, step):
    eul = eul * [1, 2, 1]  # pitch beyond 90 degrees, as in a looping
    R = kin.eul_to_rotm(eul)
    now = kin.rotm_to_eul(R, prev_eul=eul + step)
    if abs(np.cos(eul[1])) > 0.02:
        np.testing.assert_allclose(kin.ssa(now - eul), 0, atol=1e-11)
    q_before = kin.eul_to_quat(kin.rotm_to_eul(R))
    np.testing.assert_allclose(
        kin.eul_to_rotm(kin.quat_to_eul(kin.eul_to_quat(eul), prev_quat=q_before)), R, atol=1e-12
    )


def test_in_gimbal_lock_the_last_roll_is_kept_as_a_documented_choice():
    R = kin.eul_to_rotm([0.4, np.pi / 2, 0.9])
    assert kin.rotm_to_eul(R)[0] == 0
    kept = kin.rotm_to_eul(R, prev_eul=[0.3, 1.5, 0.8])
    np.testing.assert_allclose(kept, [0.3, np.pi / 2, 0.8], atol=1e-9)
    with pytest.warns(kin.GimbalLock, match="not unique"):
        kin.rotm_to_eul(R, silent=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kin.rotm_to_eul(kin.eul_to_rotm([0.4, 1.5, 0.9]), silent=False)


@modest
@given(QUATERNIONS)
def test_a_matrix_gives_its_quaternion_back(q):
    back = kin.rotm_to_quat(scipy_quat(q).as_matrix())
    assert back[0] >= 0
    assert abs(back @ q) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_half_turn_has_a_quaternion(axis):
    half_turn = -np.eye(3)
    half_turn[axis, axis] = 1
    np.testing.assert_allclose(kin.rotm_to_quat(half_turn), np.eye(4)[axis + 1], atol=1e-15)


@modest
@given(QUATERNIONS, QUATERNIONS, VECTORS)
def test_products_follow_scipy(q1, q2, vec):
    product = kin.quat_multiply(q1, q2)
    reference = (scipy_quat(q1) * scipy_quat(q2)).as_quat(scalar_first=True)
    assert abs(product @ reference) == pytest.approx(1, abs=1e-13)
    np.testing.assert_allclose(
        kin.rotate_vec_by_quat(vec, q1), scipy_quat(q1).apply(vec), atol=1e-13
    )
    sandwich = kin.quat_multiply(kin.quat_multiply(q1, [0, *vec]), kin.quat_conjugate(q1))
    np.testing.assert_allclose(sandwich[1:], kin.rotate_vec_by_quat(vec, q1), atol=1e-13)


@modest
@given(EULER, VECTORS)
def test_rates_are_those_of_a_small_turn(eul, w):
    h = 1e-6
    turn = Rotation.from_rotvec(w * h)
    ahead = (scipy_of(eul) * turn).as_matrix()
    behind = (scipy_of(eul) * turn.inv()).as_matrix()
    difference = (ahead - behind) / (2 * h)
    rates = kin.eul_rate(eul, w)
    by_angles = sum(
        (kin.eul_to_rotm(eul + h * e) - kin.eul_to_rotm(eul - h * e)) / (2 * h) * rate
        for e, rate in zip(np.eye(3), rates, strict=True)
    )
    np.testing.assert_allclose(by_angles, difference, atol=1e-7 * (1 + abs(rates).max()))
    q = kin.eul_to_quat(eul)
    half_turn = turn.as_quat(scalar_first=True)
    np.testing.assert_allclose(
        (kin.quat_multiply(q, half_turn) - q) / h, kin.quat_rate(q, w), atol=1e-4
    )


@modest
@given(EULER, st.sampled_from([1, -1]))
def test_the_jacobians_are_inverse_and_those_of_small_changes(eul, sign):
    q = sign * kin.eul_to_quat(eul)
    forth, back = kin.deul_dquat(q), kin.dquat_deul(q)
    np.testing.assert_allclose(forth @ back, np.eye(3), atol=1e-9)
    np.testing.assert_allclose(forth @ q, 0, atol=1e-9)
    h = 1e-6
    columns = [
        sign * (kin.eul_to_quat(eul + h * e) - kin.eul_to_quat(eul - h * e)) / (2 * h)
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(back, np.transpose(columns), atol=1e-9)


@given(st.floats(-1e4, 1e4))
def test_ssa_is_the_same_angle_in_its_range(angle):
    small = kin.ssa(angle)
    assert -np.pi < small <= np.pi
    turns = (angle - small) / (2 * np.pi)
    assert turns == pytest.approx(round(turns), abs=1e-9)


@pytest.mark.parametrize(
    ("angle", "small"), [(180, 180), (-180, 180), (540, 180), (181, -179), (1e-20, 1e-20)]
)
def test_ssa_takes_the_upper_end_and_leaves_small_angles_alone(angle, small):
    assert kin.ssa(angle, deg=True) == small


def test_degrees_are_taken_and_given():
    eul = np.array([10.0, -20.0, 130.0])
    R = scipy_of(np.radians(eul)).as_matrix()
    np.testing.assert_allclose(kin.eul_to_rotm(eul, deg=True), R, atol=1e-15)
    np.testing.assert_allclose(kin.rotm_to_eul(R, deg=True, prev_eul=eul), eul, atol=1e-12)
    np.testing.assert_allclose(kin.quat_to_eul(kin.eul_to_quat(eul, deg=True), deg=True), eul)
    np.testing.assert_array_equal(
        kin.eul_rate_matrix(eul, deg=True), kin.eul_rate_matrix(np.radians(eul))
    )


@modest
@given(VECTORS, VECTORS)
def test_Smat_is_the_cross_product(a, b):
    np.testing.assert_allclose(kin.Smat(a) @ b, np.cross(a, b), atol=1e-13)


def test_clip_bounds_on_both_sides():
    np.testing.assert_array_equal(kin.clip([-3, 0.5, 3], 2), [-2, 0.5, 2])


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: kin.eul_to_rotm([0, 0, 0], order="XYZ"), "'XYZ': expected ZYX"),
        (lambda: kin.quat_to_rotm([0, 0, 0, 0]), "unit length"),
        (lambda: kin.eul_rate_matrix([0, np.pi / 2, 0]), "pitch of 90 degrees"),
        (lambda: kin.clip(1, -1), "threshold -1"),
        (lambda: kin.generate_waypoints(spacing=0), "spacing 0"),
    ],
)
def test_conversions_without_a_solution_are_refused(call, expected):
    with pytest.raises(InvalidValue, match=expected):
        call()


@modest
@given(st.floats(-85, 85), st.floats(-180, 180), arrays(float, 3, elements=st.floats(-5e4, 5e4)))
def test_positions_survive_to_a_micrometre_within_50_km(lat, lon, ned):
    llh0 = np.array([lat, lon, 12.0])
    llh = kin.ned_to_llh(ned, llh0)
    np.testing.assert_allclose(kin.llh_to_ned(llh, llh0), ned, atol=1e-6)
    again = kin.ned_to_llh(kin.llh_to_ned(llh, llh0), llh0)
    np.testing.assert_allclose(kin.ssa((again - llh)[:2], deg=True), 0, atol=np.degrees(1e-9))


@pytest.mark.parametrize("llh0", [(13.0, 80.2, 0.0), (-63.4, -70.1, 40.0)])
def test_positions_agree_with_proj(llh0):
    lat0, lon0, h0 = llh0
    to_ned = pyproj.Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart "
        f"+ellps=WGS84 +step +proj=topocentric +ellps=WGS84 +lat_0={lat0} +lon_0={lon0} +h_0={h0}"
    )
    east, north, up = to_ned.transform(lon0 + 0.1, lat0 - 0.2, 7.0)
    ours = kin.llh_to_ned((lat0 - 0.2, lon0 + 0.1, 7.0), llh0)
    np.testing.assert_allclose(ours, [north, east, -up], atol=1e-8)


def test_ned_axes_seen_from_the_earth():
    np.testing.assert_allclose(
        kin.rotm_ned_to_ecef((0, 0, 0)), [[0, 0, -1], [0, 1, 0], [1, 0, 0]], atol=1e-15
    )


def test_a_survey_covers_its_rectangle():
    llh0 = (13.0, 80.2, 5.0)
    waypoints = kin.generate_waypoints(llh0, length=100, width=45, spacing=20)
    ned = np.array([kin.llh_to_ned(llh, llh0) for llh in waypoints])
    expected = [(0, 0), (100, 0), (100, 20), (0, 20), (0, 40), (100, 40), (100, 45), (0, 45)]
    np.testing.assert_allclose(ned[:, :2], expected, atol=1e-6)


@modest
@given(VECTORS, EULER, VECTORS, EULER)
def test_a_component_seen_from_co_has_its_drawn_position(position, eul, co, co_eul):
    p_b, eul_b = kin.transform_to_co_frame(position, eul, co, co_eul)
    np.testing.assert_allclose(co + scipy_of(co_eul).apply(p_b), position, atol=1e-12)
    turned = (scipy_of(co_eul) * scipy_of(eul_b)).as_matrix()
    np.testing.assert_allclose(turned, scipy_of(eul).as_matrix(), atol=1e-11)


@given(EULER, arrays(float, 3, elements=st.floats(-5, 5)))
def test_a_vector_of_ned_in_body_is_the_transposed_rotation_of_it(eul, vector):
    attitude = [f(angle) for angle in eul for f in (np.cos, np.sin)]
    expected = kin.eul_to_rotm(eul).T @ vector
    assert np.allclose(kin.ned_to_body(*vector, *attitude), expected, atol=1e-12)
