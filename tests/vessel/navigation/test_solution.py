"""The solution at the vessel's CO, against values worked out by hand."""

from __future__ import annotations

import json
from math import radians, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from steerageway.vessel.navigation import NavigationFilter, Solution, Tuning, read_instruments
from steerageway.world.constants import NANO

Array = NDArray[np.float64]
EAST = radians(90.0)


def solution(covariance: Array | None = None, **changes: Any) -> Solution:
    """Return that of a vessel that goes 2 m/s to the east by way of water that goes with it."""
    reported: dict[str, Any] = {
        "time": 5 * NANO,
        "position": np.array([10.0, 20.0, 3.0]),
        "velocity": np.array([0.0, 2.0, 0.0]),
        "attitude": np.array([0.0, 0.0, EAST]),
        "rate": np.array([0.0, 0.0, 0.1]),
        "current": np.array([0.0, 0.5]),
        "covariance": np.zeros((11, 11)) if covariance is None else covariance,
    }
    return Solution(**reported | changes)


def test_a_solution_is_carried_on_by_speed_and_turn_to_an_instant() -> None:
    later = solution().at(7 * NANO)
    assert later.time == 7 * NANO
    np.testing.assert_allclose(later.position, (10.0, 24.0, 3.0))
    np.testing.assert_allclose(later.attitude, (0.0, 0.0, EAST + 0.2))
    earlier = solution().at(4 * NANO)
    assert earlier.time == 5 * NANO
    np.testing.assert_allclose(earlier.position, (10.0, 20.0, 3.0))


def test_speed_is_through_the_water_along_the_bow() -> None:
    assert solution().speed == pytest.approx(1.5)
    leeway = solution(attitude=np.array([0.0, 0.0, EAST + radians(60.0)]))
    assert leeway.speed == pytest.approx(1.5 / 2)
    climbing = solution(attitude=np.array([0.0, radians(60.0), EAST]))
    assert climbing.speed == pytest.approx(1.5 / 2)


@pytest.mark.parametrize(
    ("index", "share"),
    [
        (4, 1.0),  # it goes east: of its velocity and the water's, that part counts
        (3, 0.0),
        (10, 1.0),
        (9, 0.0),
        (8, 0.3),  # and the leeway, a sideways speed of 0.3 m/s, seen from a bow turned by yaw
        (7, 0.0),
        (6, 0.0),
        (0, 0.0),
    ],
)
def test_the_uncertainty_of_speed_follows_from_its_components(index: int, share: float) -> None:
    covariance = np.zeros((11, 11))
    covariance[index, index] = 0.2**2
    slipping = solution(covariance, velocity=np.array([-0.3, 2.0, 0.0]))  # 0.3 m/s to starboard: -x
    assert slipping.speed_std == pytest.approx(0.2 * share)


def test_correlated_errors_of_velocity_and_current_leave_the_speed_unaffected() -> None:
    covariance = np.zeros((11, 11))
    covariance[np.ix_([4, 10], [4, 10])] = 0.2**2
    assert solution(covariance).speed_std == pytest.approx(0.0, abs=1e-9)


def test_standard_deviations_of_angles_are_about_level_axes() -> None:
    covariance = np.diag(np.square([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.01, 0.02, 0.03, 0.0, 0.0]))
    np.testing.assert_allclose(solution(covariance).position_std, (1.0, 2.0, 3.0))
    np.testing.assert_allclose(solution(covariance).attitude_std, (0.01, 0.02, 0.03))
    on_her_side = solution(covariance, attitude=np.array([EAST, 0.0, EAST]))
    np.testing.assert_allclose(on_her_side.attitude_std, (0.01, 0.03, 0.02))


def described(name: str, kind: str, hz: float = 1.0, **more: Any) -> dict[str, Any]:
    """Describe a sensor: of each of its parts the standard deviations."""
    description = {
        "sensor": name,
        "type": kind,
        "rate": hz,
        "latency": more.pop("latency", 0.0),
        "location": more.pop("location", [0.0, 0.0, 0.0]),
        "orientation": [0.0, 0.0, 0.0],
    }
    parts = {
        part: {
            "covariance": np.diag(np.square(std)).ravel().tolist(),
            "bias": [more.get("bias", 0.0)] * len(std),
            "drift_rms": [0.0] * len(std),
            "drift_time": [0.0] * len(std),
        }
        for part, std in more.items()
        if part != "bias"
    }
    return {**description, "parts": parts}


def listening(*sensors: dict[str, Any], **tuning: Any) -> NavigationFilter:
    """Return a filter for these sensors."""
    return NavigationFilter(read_instruments(json.dumps(sensors)), Tuning(**tuning))


def found(navigation: NavigationFilter) -> Solution:
    """Let it work, and give its solution."""
    navigation.work()
    newest = navigation.solution()
    assert newest is not None
    return newest


START: dict[str, Any] = {"start": (0.0, 0.0, 5.0, EAST), "speed": 1e-6, "acceleration": 1e-9}


def test_two_measurements_count_by_their_variances() -> None:
    # The mean of a start known to 1 m and positions known to 2 m, weighed by 1 and by 1/4 each.
    gps = described("GPS", "GPS", position=[2.0, 2.0, 2.0])
    navigation = listening(gps, start_std=(1.0, 1e-6), **START)
    for time in (1.0, 2.0):
        navigation.take("GPS", {"time": time, "position": [3.0, -1.5, 5.0]})
    newest = found(navigation)
    np.testing.assert_allclose(newest.position, (1.0, -0.5, 5.0), atol=1e-3)
    np.testing.assert_allclose(newest.position_std, sqrt(1 / 1.5), rtol=1e-3)


@pytest.mark.parametrize(("off", "refused"), [(4.9, 0), (5.1, 1)])
def test_the_gate_is_in_standard_deviations_of_the_innovation(off: float, refused: int) -> None:
    # Start and sensor together: sqrt(0.3² + 0.4²) m.
    depth = described("DEPTH", "depth", depth=[0.4])
    navigation = listening(depth, start_std=(0.3, 0.1), **START)
    navigation.take("DEPTH", {"time": 1.0, "depth": 5.0 + off * 0.5})
    navigation.take("DEPTH", {"time": 9.0, "depth": 5.0})  # closes the time of the first
    assert abs(found(navigation).position[2] - 5.0) < 1.0
    assert navigation.refused == {"DEPTH": refused}


def test_the_newest_measurement_is_used_at_once_though_others_may_be_late() -> None:
    gps = described("GPS", "GPS", latency=2.0, position=[1.0, 1.0, 1.0])
    depth = described("DEPTH", "depth", depth=[0.1])
    navigation = listening(gps, depth, gate=0.0, start_std=(1.0, 0.1), **START)
    navigation.take("DEPTH", {"time": 0.1, "depth": 5.0})
    navigation.work()
    navigation.take("DEPTH", {"time": 1.0, "depth": 7.0})
    first = found(navigation)
    assert first.time == NANO
    assert first.position[2] == pytest.approx(6.0, abs=0.02)  # midway between two of them
    navigation.take("GPS", {"time": 0.5, "position": [6.0, 0.0, 5.0]})
    assert navigation.late == 0
    both = found(navigation)
    assert both.time == NANO
    assert both.position[0] == pytest.approx(3.0, abs=0.1)


def test_an_imu_estimate_is_of_the_vessels_origin_with_its_uncertainty() -> None:
    # 2 m ahead of CO: while it turns, it goes sideways there, and an unknown bias of its gyro
    # makes that as much slower or faster.
    ahead = {"orientation": [1e-6] * 3, "angular_velocity": [1e-6] * 3}
    imu = described(
        "IMU", "IMU", 100.0, location=[2.0, 0.0, 0.0], linear_acceleration=[1e-6] * 3, **ahead
    )
    imu["parts"]["angular_velocity"]["bias"] = [0.0, 0.0, 0.05]
    navigation = listening(imu, gravity=9.81, start=(0.0, 0.0, 5.0, EAST), speed=1e-6)
    turn = {"angular_velocity": [0.0, 0.0, 0.2], "linear_acceleration": [0.0, 0.0, -9.81]}
    facing = {"orientation": [sqrt(0.5), 0.0, 0.0, sqrt(0.5)]}
    navigation.take("IMU", {"time": 1.0, **turn, **facing})
    newest = found(navigation)
    np.testing.assert_allclose(newest.position, (0.0, 0.0, 5.0), atol=1e-6)
    np.testing.assert_allclose(newest.velocity, (0.4, 0.0, 0.0), atol=1e-6)  # starboard is south
    np.testing.assert_allclose(newest.rate, (0.0, 0.0, 0.2), atol=1e-9)
    spread = np.sqrt(np.diagonal(newest.covariance)[3:5])
    np.testing.assert_allclose(spread, (2.0 * 0.05, 0.0), atol=1e-4)


def test_before_imu_mail_the_specific_force_is_gravity_alone() -> None:
    parts = {"orientation": [0.01] * 3, "angular_velocity": [0.01] * 3}
    imu = described("IMU", "IMU", 50.0, linear_acceleration=[0.01] * 3, **parts)
    depth = described("DEPTH", "depth", depth=[0.1])
    navigation = listening(imu, depth, gravity=9.81, start=(0.0, 0.0, 5.0, EAST), speed=1e-6)
    navigation.take("DEPTH", {"time": 1.0, "depth": 5.0})
    still = {"angular_velocity": [0.0, 0.0, 0.0], "linear_acceleration": [0.0, 0.0, -9.81]}
    facing = {"orientation": [sqrt(0.5), 0.0, 0.0, sqrt(0.5)]}
    navigation.take("IMU", {"time": 3.0, **still, **facing})
    newest = found(navigation)
    np.testing.assert_allclose(newest.velocity, 0.0, atol=1e-6)
    np.testing.assert_allclose(newest.position, (0.0, 0.0, 5.0), atol=1e-6)


def test_a_useless_instrument_delays_nothing() -> None:
    depth = described("DEPTH", "depth", depth=[0.1])
    sonar = described("SONAR", "altimeter", latency=100.0, range=[0.1])
    navigation = listening(depth, sonar, start_std=(1.0, 0.1), **START)
    assert navigation.listens_to == ["DEPTH"]
    for time in (1.0, 2.0):
        navigation.take("DEPTH", {"time": time, "depth": 5.0})
    navigation.work()
    navigation.take("DEPTH", {"time": 1.5, "depth": 5.0})
    assert navigation.late == 1
