"""Propagation of an estimate, against motion that is known in closed form."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

import numpy as np
import pytest
from numpy.typing import NDArray

from steerageway.vessel.kinematics import Smat, eul_rate_matrix, eul_to_rotm, rotm_to_eul
from steerageway.vessel.navigation.estimate import (
    SIZE,
    Estimate,
    corrected,
    cross,
    rotation_vector,
    turned,
)
from steerageway.vessel.navigation.motion import GaussMarkov, ProcessNoise, SensedMotion, advance
from steerageway.world.constants import NANO

Array = NDArray[np.float64]
STILL = GaussMarkov(np.zeros((3, 3)), np.zeros((3, 3)))
WATER = GaussMarkov(np.zeros((2, 2)), np.zeros((2, 2)))
PROCESS_NOISE = ProcessNoise(np.zeros((3, 3)), np.zeros((3, 3)), STILL, STILL, WATER, 9.81)
UP = np.array([0.0, 0.0, -9.81])
NONE = np.zeros(3)


def moved(
    seconds: float,
    sensed: tuple[SensedMotion, SensedMotion],
    steps: int = 1,
    **start: Array,
) -> Estimate:
    """Return where an estimate comes to between two readings, the second at the end."""
    state = {"position": np.zeros(3), "velocity": np.zeros(3), "R": np.eye(3)} | start
    estimate, (first, last) = Estimate(0, **state), sensed
    ends = [first._replace(time=0), last._replace(time=round(seconds * NANO))]
    times = [round(n * seconds * NANO / steps) for n in range(steps + 1)]
    row = [ends[0].towards(ends[1], time) for time in times]
    for one, other in pairwise(row):
        advance(estimate, PROCESS_NOISE, one, other)
    assert estimate.time == times[-1]
    return estimate


def test_measurements_are_interpolated_linearly_between_two_readings() -> None:
    one = SensedMotion(10, np.array([1.0, 0.0, 2.0]), np.array([0.0, 4.0, 0.0]))
    other = SensedMotion(20, np.array([2.0, 0.0, 0.0]), np.array([0.0, 0.0, 8.0]))
    between = one.towards(other, 15)
    assert between.time == 15
    np.testing.assert_allclose(between.rate, (1.5, 0.0, 1.0))
    np.testing.assert_allclose(between.force, (0.0, 2.0, 4.0))
    np.testing.assert_allclose(one.towards(other, 20).rate, other.rate)
    for a, b in ((one, other._replace(force=None)), (one._replace(force=None), other)):
        assert a.towards(b, 15).force is None


def test_motion_under_a_linear_acceleration_is_its_integral() -> None:
    # a = 1 + 2 t / 3 for 3 s: v = t + t²/3, s = t²/2 + t³/9, beside 2 m/s from before.
    thrust = [SensedMotion(0, NONE, UP + np.array([a, 0.0, 0.0])) for a in (1.0, 3.0)]
    ended = moved(3.0, (thrust[0], thrust[1]), velocity=np.array([2.0, 0.0, 0.0]))
    np.testing.assert_allclose(ended.velocity, (2.0 + 6.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(ended.position, (6.0 + 7.5, 0.0, 0.0), atol=1e-12)


def test_biases_are_subtracted_from_the_measurements() -> None:
    biases = {"gyro_bias": np.array([0.0, 0.0, 0.1]), "force_bias": np.array([0.5, -0.2, 0.3])}
    felt = SensedMotion(0, biases["gyro_bias"], UP + biases["force_bias"])
    ended = moved(4.0, (felt, felt), **biases)
    np.testing.assert_allclose(ended.velocity, 0.0, atol=1e-12)
    np.testing.assert_allclose(ended.R, np.eye(3), atol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_steady_turn_about_an_axis_is_by_rate_times_time(axis: int) -> None:
    rate = np.eye(3)[axis] * 0.25
    angles = [0.0, 0.0, 0.0]
    angles[axis] = 0.5
    sensed = SensedMotion(0, rate, None)
    np.testing.assert_allclose(moved(2.0, (sensed, sensed)).R, eul_to_rotm(angles), atol=1e-12)


def test_a_uniformly_accelerated_turn_uses_its_mean_rate() -> None:
    slow, quick = SensedMotion(0, NONE, None), SensedMotion(0, np.array([0.0, 0.0, 0.5]), None)
    np.testing.assert_allclose(
        moved(2.0, (slow, quick)).R, eul_to_rotm([0.0, 0.0, 0.5]), atol=1e-12
    )


def test_a_centripetal_force_leads_around_a_circle() -> None:
    # At 2 m/s round a radius of 4 m, to starboard: 0.5 rad/s, and 1 m/s² towards the centre.
    felt = SensedMotion(0, np.array([0.0, 0.0, 0.5]), UP + np.array([0.0, 1.0, 0.0]))
    ended = moved(pi, (felt, felt), steps=200, velocity=np.array([2.0, 0.0, 0.0]))
    np.testing.assert_allclose(ended.position, (4.0, 4.0, 0.0), atol=1e-3)
    np.testing.assert_allclose(ended.velocity, (0.0, 2.0, 0.0), atol=1e-3)


def test_without_an_accelerometer_the_velocity_turns_with_the_vessel() -> None:
    turning = SensedMotion(0, np.array([0.0, 0.0, 0.5]), None)
    ended = moved(pi, (turning, turning), steps=200, velocity=np.array([2.0, 0.0, 0.0]))
    np.testing.assert_allclose(ended.position, (4.0, 4.0, 0.0), atol=0.05)
    np.testing.assert_allclose(ended.velocity, (0.0, 2.0, 0.0), atol=0.05)


def test_a_rotation_vector_turns_by_the_right_hand() -> None:
    third = 2 * pi / 3 / np.sqrt(3.0)
    cyclic = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]  # about (1, 1, 1), x to y to z
    np.testing.assert_allclose(turned(np.full(3, third)), cyclic, atol=1e-12)
    np.testing.assert_allclose(rotation_vector(np.array(cyclic)), np.full(3, third), atol=1e-12)
    yaw = [[cos(0.3), -sin(0.3), 0.0], [sin(0.3), cos(0.3), 0.0], [0.0, 0.0, 1.0]]
    np.testing.assert_allclose(turned(np.array([0.0, 0.0, 0.3])), yaw, atol=1e-12)
    np.testing.assert_allclose(
        turned(np.array([0.0, 2e-7, 0.0]))[:, 2], (2e-7, 0.0, 1.0), rtol=1e-12
    )
    np.testing.assert_array_equal(cross(np.eye(3)[0], np.eye(3)[1]), np.eye(3)[2])


def test_a_measurement_moves_every_part_of_the_estimate_by_its_share() -> None:
    estimate = Estimate(0, np.zeros(3), np.zeros(3), np.eye(3), P=np.eye(SIZE))
    gain = np.arange(1.0, SIZE + 1.0).reshape(SIZE, 1) / 100
    H = np.zeros((1, SIZE))
    H[0, 0] = 1.0
    estimate.correct(gain, np.array([2.0]), H, np.array([[0.5]]))
    moves = 2 * gain[:, 0]
    parts = (estimate.position, estimate.velocity, rotm_to_eul(estimate.R))
    biases = (estimate.gyro_bias, estimate.force_bias, estimate.current)
    np.testing.assert_allclose(np.concatenate((*parts, *biases)), moves, atol=1e-12)
    # The attitude's error was one of Euler angles, all 0: it is now what turns those at hand.
    rest = np.eye(SIZE) - gain @ H
    carried = np.eye(SIZE)
    carried[6:9, 6:9] = np.linalg.inv(eul_rate_matrix(moves[6:9]))
    P = carried @ (rest @ rest.T + 0.5 * gain @ gain.T) @ carried.T
    np.testing.assert_allclose(estimate.P, P, atol=1e-12)


def test_angles_measured_one_by_one_are_filtered_as_by_a_linear_kalman_filter() -> None:
    angles, known = np.array([0.1, 0.2, 2.0]), np.diag(np.square([0.5, 0.4, 0.3]))
    estimate = Estimate(0, np.zeros(3), np.zeros(3), eul_to_rotm(angles), P=np.eye(SIZE))
    rates = eul_rate_matrix(angles)
    estimate.P[6:9, 6:9] = np.linalg.inv(rates) @ known @ np.linalg.inv(rates).T
    for which, value, variance in ((2, 2.4, 1e-4), (0, -0.3, 0.04), (1, 0.7, 0.01), (2, 2.3, 1e-4)):
        row, noise = np.eye(3)[[which]], np.array([[variance]])
        H = np.zeros((1, SIZE))
        H[:, 6:9] = row @ eul_rate_matrix(rotm_to_eul(estimate.R))
        residual = np.array([value]) - rotm_to_eul(estimate.R)[[which]]
        gain = estimate.P @ H.T / (H @ estimate.P @ H.T + variance)
        estimate.correct(gain, residual, H, noise)
        share = known @ row.T / (row @ known @ row.T + variance)
        angles = angles + share[:, 0] * (value - angles[which])
        known = known - share @ row @ known
    rates = eul_rate_matrix(rotm_to_eul(estimate.R))
    np.testing.assert_allclose(rotm_to_eul(estimate.R), angles, atol=1e-12)
    np.testing.assert_allclose(rates @ estimate.P[6:9, 6:9] @ rates.T, known, atol=1e-12)


@pytest.mark.parametrize(("pitch", "by"), [(1.4, 0.0), (0.9, 0.3), (-1.5, -0.3)])
def test_near_the_vertical_an_attitude_is_corrected_by_a_rotation_vector(
    pitch: float, by: float
) -> None:
    R, error = eul_to_rotm([0.3, pitch, 2.0]), np.array([0.1, by, -0.2])
    after, carried = corrected(R, error)
    np.testing.assert_allclose(rotation_vector(R.T @ after), error, atol=1e-12)
    np.testing.assert_array_equal(carried, np.eye(3))


def test_a_velocity_measured_in_body_stays_so_while_the_attitude_is_corrected() -> None:
    """Of a velocity known in BODY, what is known there is not changed by another heading."""
    R, own = eul_to_rotm([0.1, 0.2, 2.0]), np.array([1.5, -0.2, 0.1])
    estimate = Estimate(0, np.zeros(3), R @ own, R, P=np.eye(SIZE), in_body=True)
    spread = np.diag([1e-4, 4e-4, 9e-4])
    for_body = np.hstack((R.T, Smat(own)))  # errors of velocity in NED and attitude, to BODY's
    estimate.P[3:6, 6:9] = -R @ Smat(own) * 0.3**2
    estimate.P[6:9, 3:6], estimate.P[6:9, 6:9] = estimate.P[3:6, 6:9].T, 0.3**2 * np.eye(3)
    estimate.P[3:6, 3:6] = R @ (spread + Smat(own) @ Smat(own).T * 0.3**2) @ R.T
    np.testing.assert_allclose(for_body @ estimate.P[3:9, 3:9] @ for_body.T, spread, atol=1e-12)
    H = np.zeros((1, SIZE))
    H[:, 6:9] = eul_rate_matrix([0.1, 0.2, 2.0])[2]
    gain = estimate.P @ H.T / (H @ estimate.P @ H.T + 1e-4)
    estimate.correct(gain, np.array([0.7]), H, np.array([[1e-4]]))
    np.testing.assert_allclose(estimate.R.T @ estimate.velocity, own, atol=1e-12)
    for_body = np.hstack((estimate.R.T, Smat(own)))
    np.testing.assert_allclose(for_body @ estimate.P[3:9, 3:9] @ for_body.T, spread, atol=1e-12)
