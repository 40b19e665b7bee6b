"""Attitudes against SciPy's rotations, also where Euler angles are hardly any."""

import warnings

import numpy as np
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


@pytest.mark.slow
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
@given(EULER, VECTORS)
def test_rates_are_those_of_a_small_turn(eul, w):
    h = 1e-6
    turn = Rotation.from_rotvec(w * h)
    ahead = (scipy_of(eul) * turn).as_matrix()
    behind = (scipy_of(eul) * turn.inv()).as_matrix()
    difference = (ahead - behind) / (2 * h)
    rates = kin.eul_rate_matrix(eul) @ w
    by_angles = sum(
        (kin.eul_to_rotm(eul + h * e) - kin.eul_to_rotm(eul - h * e)) / (2 * h) * rate
        for e, rate in zip(np.eye(3), rates, strict=True)
    )
    np.testing.assert_allclose(by_angles, difference, atol=1e-7 * (1 + abs(rates).max()))
    q = kin.eul_to_quat(eul)
    moved = (scipy_quat(q) * turn).as_quat(scalar_first=True)
    rate = kin.quat_rate_matrix(q) @ w / 2
    np.testing.assert_allclose((moved * np.sign(moved @ q) - q) / h, rate, atol=1e-4)


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
    ],
)
def test_conversions_without_a_solution_are_refused(call, expected):
    with pytest.raises(InvalidValue, match=expected):
        call()


@pytest.mark.slow
@given(EULER, arrays(float, 3, elements=st.floats(-5, 5)))
def test_a_vector_of_ned_in_body_is_the_transposed_rotation_of_it(eul, vector):
    attitude = [f(angle) for angle in eul for f in (np.cos, np.sin)]
    expected = kin.eul_to_rotm(eul).T @ vector
    assert np.allclose(kin.ned_to_body(*vector, *attitude), expected, atol=1e-12)
