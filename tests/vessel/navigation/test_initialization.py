"""Where a filter begins, and how unsure it becomes: worked out by hand, and by textbook formulas.

Random walks and Gauss-Markov processes: Brown & Hwang (2012), "Introduction to Random Signals and
Applied Kalman Filtering", chapters 2 and 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, radians

import numpy as np
import pytest
from numpy.typing import NDArray

from steerageway.vessel.kinematics import eul_to_quat, eul_to_rotm
from steerageway.vessel.navigation import Instrument, Tuning
from steerageway.vessel.navigation.estimate import (
    ATTITUDE,
    CURRENT,
    FORCE,
    GYRO,
    POSITION,
    VELOCITY,
    Estimate,
)
from steerageway.vessel.navigation.filter import FilterInitializer
from steerageway.vessel.navigation.instruments import Measurement, Part
from steerageway.vessel.navigation.motion import GaussMarkov, SensedMotion, advance
from steerageway.vessel.navigation.tuning import MotionSensors
from steerageway.world.constants import NANO

Array = NDArray[np.float64]
EAST = [0.0, 0.0, radians(90.0)]  # the bow is east, starboard south


def errors(*std: float, bias: float = 0.0, drift: tuple[float, float] = (0.0, 0.0)) -> Part:
    """Return the errors of a part: of each component a standard deviation; all else alike."""
    n = len(std)
    noise = np.diag(np.square(std))
    return Part(noise, np.full(n, bias), np.array([drift] * n), noise)


def fitted(
    kind: str,
    place: Sequence[float] = (0.0, 0.0, 0.0),
    turned: Sequence[float] = (0.0, 0.0, 0.0),
    hz: float = 10.0,
    **parts: Part,
) -> Instrument:
    """Return an instrument with these errors."""
    return Instrument(kind, kind, hz, 0, np.array(place), eul_to_rotm(turned), parts)


def begun(
    *records: tuple[Instrument, dict[str, Sequence[float]]],
    tuning: Tuning | None = None,
    aboard: Sequence[Instrument] = (),
) -> Estimate:
    """Return the first estimate after measurements, a second apart from second 1 on."""
    instruments = [*(one for one, _ in records), *aboard]
    initializer = FilterInitializer(MotionSensors(instruments), tuning or Tuning())
    for second, (one, fields) in enumerate(records, 1):
        arrays = {name: np.array(value) for name, value in fields.items()}
        initializer.note(Measurement(second * NANO, one, arrays))
    assert initializer.lacks() == ""
    return initializer.estimate(0)


GPS = fitted("GPS", position=errors(1.0, 2.0, 3.0))
COMPASS = fitted("compass", heading=errors(2.0))
HERE = (GPS, {"position": [100.0, 200.0, 10.0]})


def imu(
    place: Sequence[float], turned: Sequence[float], *std: float, drifts: float = 1.0
) -> Instrument:
    """Return an IMU whose orientation has these standard deviations [rad]."""
    return fitted(
        "IMU",
        place,
        turned,
        orientation=errors(*std),
        angular_velocity=errors(0.1, 0.2, 0.3, bias=0.3, drift=(0.4 * drifts, 50.0)),
        linear_acceleration=errors(0.4, 0.5, 0.6, bias=0.6, drift=(0.8 * drifts, 20.0)),
    )


def test_it_begins_at_the_time_of_the_latest_measurement() -> None:
    assert begun(HERE, (COMPASS, {"heading": [10.0]})).time == 2 * NANO
    start = Tuning(start=(0.0, 0.0, 0.0, 0.0))
    assert begun(tuning=start).time == 0


def test_a_compass_gives_the_heading_of_the_bow_wherever_its_own_axis_points() -> None:
    askew = fitted("compass", turned=(0.0, 0.0, radians(30.0)), heading=errors(2.0))
    first = begun(HERE, (askew, {"heading": [120.0]}))
    np.testing.assert_allclose(first.R, eul_to_rotm(EAST), atol=1e-12)
    spread = np.sqrt(np.diagonal(first.P[ATTITUDE, ATTITUDE]))
    assert spread[2] == pytest.approx(radians(2.0))
    assert (spread[:2] > radians(1.0)).all()  # nothing tells roll and pitch: a ship is all but
    assert (spread[:2] < radians(10.0)).all()  # level, and not exactly


def test_an_imu_gives_the_attitude_of_the_vessel_wherever_its_own_axes_point() -> None:
    # Its x axis is to starboard: what it knows best about that, it knows about the vessel's pitch.
    turned = imu((0.0, 0.0, 0.0), (0.0, 0.0, radians(90.0)), 0.01, 0.02, 0.03)
    attitude = {"orientation": eul_to_quat([0.0, 0.0, radians(180.0)])}
    first = begun(HERE, (turned, attitude))
    np.testing.assert_allclose(first.R, eul_to_rotm(EAST), atol=1e-12)
    spread = np.sqrt(np.diagonal(first.P[ATTITUDE, ATTITUDE]))
    np.testing.assert_allclose(spread, (0.02, 0.01, 0.03))


def test_the_lever_arm_of_an_antenna_is_removed_with_the_heading_uncertainty() -> None:
    # From the IMU the antenna is 0.5 m ahead, 2 m to starboard, 3 m up: of a vessel that heads
    # east 0.5 m east, 2 m south. Turned by a small yaw it moves, and so does what is concluded.
    mast = fitted("GPS", (1.5, 2.0, -3.0), position=errors(1.0, 2.0, 3.0))
    motion = imu((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0, 0.1)
    first = begun((mast, HERE[1]), (motion, {"orientation": eul_to_quat(EAST)}))
    np.testing.assert_allclose(first.position, (102.0, 199.5, 13.0))
    moved = np.array([0.5, 2.0, 0.0])  # for a radian of yaw [m]
    drawn_in = np.array([-2.0, 0.5, 0.0])  # for half the square of a yaw, whose mean square is 3/4
    spread = np.diag([1.0, 4.0, 9.0]) + 0.01 * np.outer(moved, moved)
    spread += 0.75 * 0.01**2 * np.outer(drawn_in, drawn_in)
    np.testing.assert_allclose(first.P[POSITION, POSITION], spread, atol=1e-12)
    np.testing.assert_allclose(first.P[POSITION, 8], 0.01 * moved, atol=1e-12)
    np.testing.assert_allclose(first.P, first.P.T, atol=1e-15)


def test_a_start_is_of_the_vessel_and_the_imu_begins_at_its_own_place() -> None:
    tuning = Tuning(start=(10.0, 20.0, 3.0, radians(90.0)), start_std=(0.5, 0.1))
    first = begun(tuning=tuning, aboard=[imu((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.1, 0.1, 0.1)])
    np.testing.assert_allclose(first.position, (10.0, 21.0, 3.0), atol=1e-12)
    np.testing.assert_allclose(first.R, eul_to_rotm(EAST), atol=1e-12)
    assert first.P[8, 8] == pytest.approx(0.1**2)
    assert first.P[0, 0] == pytest.approx(0.5**2 + 0.1**2, rel=1e-3)  # a metre ahead: by the yaw
    alone = begun(tuning=tuning)
    np.testing.assert_allclose(alone.position, (10.0, 20.0, 3.0))
    np.testing.assert_allclose(alone.P[POSITION, POSITION], 0.25 * np.eye(3), atol=1e-12)


def test_speed_current_and_biases_have_their_configured_uncertainty() -> None:
    motion = imu((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.1, 0.1, 0.1)
    attitude = (motion, {"orientation": eul_to_quat(EAST)})
    first = begun(HERE, attitude, tuning=Tuning(speed=3.0, current=0.7))
    np.testing.assert_allclose(first.velocity, 0.0)
    np.testing.assert_allclose(first.P[VELOCITY, VELOCITY], 9.0 * np.eye(3))
    np.testing.assert_allclose(first.P[CURRENT, CURRENT], 0.49 * np.eye(2))
    np.testing.assert_allclose(first.P[GYRO, GYRO], (0.3**2 + 0.4**2) * np.eye(3))
    np.testing.assert_allclose(first.P[FORCE, FORCE], (0.6**2 + 0.8**2) * np.eye(3))


STILL = Estimate(0, np.zeros(3), np.zeros(3), np.eye(3))


def after(
    seconds: float, aboard: Sequence[Instrument], tuning: Tuning, first: Estimate = STILL
) -> Estimate:
    """Carry an estimate on, of a vessel that lies still, in twenty steps."""
    motion_sensors, estimate = MotionSensors(aboard), first.copy()
    process_noise = motion_sensors.process_noise(tuning)
    force = None if motion_sensors.imu is None else np.array([0.0, 0.0, -tuning.gravity])
    for step in range(20):
        one, other = (
            SensedMotion(round(n * seconds / 20 * NANO), np.zeros(3), force)
            for n in (step, step + 1)
        )
        advance(estimate, process_noise, one, other)
    assert estimate.time == round(seconds * NANO)
    return estimate


def spread(estimate: Estimate, part: slice) -> Array:
    """Return the variances of a part."""
    return np.diagonal(estimate.P[part, part])


def test_without_an_imu_velocity_and_attitude_walk_at_random() -> None:
    ended = after(4.0, (), Tuning(acceleration=0.1, turning=0.02))
    np.testing.assert_allclose(spread(ended, VELOCITY), 0.1**2 * 4)
    np.testing.assert_allclose(spread(ended, ATTITUDE), 0.02**2 * 4)
    np.testing.assert_allclose(spread(ended, POSITION), 0.1**2 * 4**3 / 3, rtol=0.01)
    moving = Estimate(0, np.zeros(3), np.array([2.0, 0.0, 0.0]), np.eye(3))
    ended = after(4.0, (), Tuning(acceleration=0.0, turning=0.02), moving)
    np.testing.assert_allclose(ended.position, (8.0, 0.0, 0.0))
    # It goes where it points: what yaw and pitch wander, the velocity does.
    np.testing.assert_allclose(spread(ended, VELOCITY), (0.0, 0.04**2 * 4, 0.04**2 * 4), atol=1e-9)


def test_white_noise_of_an_imu_adds_up_by_its_rate() -> None:
    # A sample of standard deviation s at f Hz is white noise of the density s²/f.
    quiet = imu((0.0, 0.0, 0.0), (0.0, 0.0, radians(90.0)), 0.1, 0.1, 0.1, drifts=0.0)
    ended = after(0.5, [quiet], Tuning())
    np.testing.assert_allclose(
        spread(ended, ATTITUDE), np.array([0.04, 0.01, 0.09]) / 10 * 0.5, rtol=0.01
    )
    # Down is not moved by tilting; ahead and to starboard is: g² q t³/3 more.
    tilted = 9.81**2 * np.array([0.01, 0.04, 0.0]) / 10 * 0.5**3 / 3
    walked = np.array([0.25, 0.16, 0.36]) / 10 * 0.5
    np.testing.assert_allclose(spread(ended, VELOCITY), walked + tilted, rtol=0.05)


def test_a_rate_gyro_observes_only_the_turn_about_its_own_axis() -> None:
    rolling = fitted(
        "rate_gyro",
        turned=(0.0, radians(90.0), 0.0),
        hz=4.0,
        rate=errors(0.2, bias=0.3, drift=(0.4, 50.0)),
    )
    motion_sensors = MotionSensors([rolling])
    np.testing.assert_allclose(
        motion_sensors.bias("angular_velocity"), np.diag([0.3**2 + 0.4**2, 0.0, 0.0]), atol=1e-12
    )
    assert not motion_sensors.bias("linear_acceleration").any()
    ended = after(2.0, [rolling], Tuning(turning=0.5))
    walked = np.array([0.2**2 / 4, 0.5**2, 0.5**2]) * 2
    drifted = np.array([2 * 0.4**2 / 50 * 2**3 / 3, 0.0, 0.0])  # of the bias, while that is young
    np.testing.assert_allclose(spread(ended, ATTITUDE), walked + drifted, rtol=0.02)
    np.testing.assert_allclose(ended.P[GYRO, GYRO][1:, 1:], 0.0, atol=1e-15)


@pytest.mark.parametrize("seconds", [1.0, 10.0])
def test_a_drifting_state_decays_and_keeps_its_uncertainty(seconds: float) -> None:
    tuning = Tuning(current=0.7, current_time=20.0)
    known = STILL.copy()
    known.current = np.array([0.4, -0.2])
    ended = after(seconds, (), tuning, known)
    faded = exp(-seconds / 20.0)
    np.testing.assert_allclose(ended.current, known.current * faded, rtol=0.01)
    np.testing.assert_allclose(spread(ended, CURRENT), 0.49 * (1 - faded**2), rtol=1e-3)
    unknown = STILL.copy()
    unknown.P = np.diag(np.repeat([0.0, 0.49], [15, 2]))
    np.testing.assert_allclose(
        spread(after(seconds, (), tuning, unknown), CURRENT), 0.49, rtol=1e-3
    )


def test_biases_of_an_imu_drift_as_described() -> None:
    turned = imu((0.0, 0.0, 0.0), (0.0, 0.0, radians(90.0)), 0.1, 0.1, 0.1)
    biased = STILL.copy()
    biased.gyro_bias, biased.force_bias = np.full(3, 0.01), np.full(3, 0.02)
    ended = after(2.0, [turned], Tuning(), biased)
    np.testing.assert_allclose(ended.gyro_bias, 0.01 * exp(-2 / 50), rtol=1e-3)
    np.testing.assert_allclose(ended.force_bias, 0.02 * exp(-2 / 20), rtol=1e-3)
    np.testing.assert_allclose(spread(ended, GYRO), 0.16 * (1 - exp(-4 / 50)), rtol=1e-3)
    np.testing.assert_allclose(spread(ended, FORCE), 0.64 * (1 - exp(-4 / 20)), rtol=1e-3)


def test_a_permanent_state_neither_decays_nor_drifts() -> None:
    still = GaussMarkov.of(np.array([[0.3, 0.0], [0.3, 10.0]]), np.eye(2))
    np.testing.assert_allclose(still.decay, np.diag([0.0, 0.1]))
    np.testing.assert_allclose(still.noise, np.diag([0.0, 2 * 0.09 / 10]))


def test_a_lever_arm_of_an_uncertain_heading_spreads_the_first_position() -> None:
    # of a heading wrong by psi the arm's end, at l ahead, lies l (1 - cos psi) = l psi² / 2 astern,
    # and E[(l psi² / 2)²] = 3/4 l² sigma⁴ of a normal psi
    spread, arm = 0.4, 2.0
    antenna = fitted("GPS", (arm, 0.0, 0.0), position=errors(0.0, 0.0, 0.0))
    level = imu((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, 0.0, spread)
    attitude = {"orientation": eul_to_quat([0.0, 0.0, 0.0])}
    first = begun((antenna, {"position": [0.0, 0.0, 0.0]}), (level, attitude))
    assert first.P[0, 0] == pytest.approx(0.75 * arm**2 * spread**4, abs=1e-9)
    assert first.P[1, 1] == pytest.approx((arm * spread) ** 2, rel=1e-3)
