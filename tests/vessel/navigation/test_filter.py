"""The filter against a motion that is known in closed form."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.navigation import NavigationFilter, Tuning, read_instruments

Sail = Callable[..., Any]
IMU = (
    "sensor_type=IMU, publish_rate=50, sensor_location=0.5:0.2:-0.3,"
    "sensor_orientation=0.1:0.2:0.3, orientation_rms=0.05,"
    "angular_velocity_rms=0.005, linear_acceleration_rms=0.05"
)
DRIFTS = (
    ", angular_velocity_drift_rms=0.01, angular_velocity_drift_time=100"
    ", linear_acceleration_drift_rms=0.05, linear_acceleration_drift_time=200"
)
GPS = "sensor_type=GPS, publish_rate=1, sensor_location=1:0:-0.5, position_rms=1"
COMPASS = "sensor_type=compass, publish_rate=10, heading_rms=1"
GYRO = "sensor_type=rate_gyro, publish_rate=25, rate_rms=0.002"
LOG = "sensor_type=speed_log, publish_rate=2, speed_rms=0.05, sensor_location=1:0:0.3"
DVL = (
    "sensor_type=DVL, publish_rate=5, linear_velocity_rms=0.02, sensor_location=-0.5:0:0.3,"
    "sensor_orientation=0:0:0.785"
)
DEPTH = "sensor_type=depth, publish_rate=5, depth_rms=0.1"
SUITES = {
    "an IMU and a GPS": (IMU, GPS),
    "an IMU that drifts": (IMU + DRIFTS, GPS),
    "everything, some of it late": (IMU, f"{GPS}, latency=0.1", COMPASS, LOG, DVL, DEPTH),
}
FLAWLESS = ("sensor_type=IMU, publish_rate=50, sensor_location=0.5:0.2:-0.3", GPS[:-16])


@pytest.mark.slow
def test_without_sensor_errors_the_filter_has_none(voyage: Sail) -> None:
    done = voyage(*FLAWLESS, seconds=12)
    settled = np.abs(np.array(done.errors)[50:])
    assert settled[:, :3].max() < 5e-3  # what fifty samples a second leave out
    assert settled[:, 3:6].max() < 1e-3
    assert settled[:, 6:].max() < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("suite", SUITES)
def test_errors_match_the_covariance(voyage: Sail, suite: str) -> None:
    # The mean over seeds of chi-square numbers of 9 degrees of freedom; their own spread over
    # time is that of about ten independent ones a minute, since errors of position last.
    seeds = range(5)
    means = [voyage(*SUITES[suite], seconds=30, seed=s).nees()[50:].mean() for s in seeds]
    assert 9 * 0.7 < np.mean(means) < 9 * 1.3


@pytest.mark.slow
def test_a_vessel_without_an_imu_is_found_by_compass_and_gps(voyage: Sail) -> None:
    done = voyage(COMPASS, GYRO, GPS, LOG, seconds=60, water=(0.2, -0.1))
    errors = np.array(done.errors)[100:]
    assert np.abs(errors[:, :2]).max() < 3.0
    assert np.abs(errors[:, 8]).max() < 0.1
    assert done.nees(3)[100:].mean() < 3 * 1.5


@pytest.mark.slow
def test_a_speed_log_observes_the_current(voyage: Sail) -> None:
    lines = (IMU, GPS.replace("rms=1", "rms=0.2"), LOG)
    solution = voyage(*lines, seconds=60, water=(0.4, -0.3)).solutions[-1]
    np.testing.assert_allclose(solution.current, (0.4, -0.3), atol=0.15)
    spread = np.sqrt(np.diagonal(solution.covariance)[9:])
    assert (spread < 0.2).all()
    ahead = 1.5 + 0.3 * np.sin(0.15 * 60)
    yaw = 0.05 * 60 + 0.3 * np.sin(0.2 * 60)
    through = ahead - (0.4 * np.cos(yaw) - 0.3 * np.sin(yaw))
    assert solution.speed == pytest.approx(through, abs=4 * solution.speed_std)


def records(
    lines: tuple[str, ...], voyage: Sail, seconds: int = 10
) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Return the description of sensors and all their measurements, in order of time."""
    taken: list[tuple[str, dict[str, Any]]] = []
    described: list[str] = []

    class Listening(NavigationFilter):
        def take(self, name: str, record: Any) -> None:
            taken.append((name, dict(record)))
            super().take(name, record)

    done = voyage(*lines, seconds=seconds, kind=Listening, descriptions=described)
    assert done.solutions
    return described[0], sorted(taken, key=lambda one: one[1]["time"])


@pytest.mark.slow
def test_late_measurements_are_used_as_if_they_had_come_in_time(voyage: Sail) -> None:
    described, taken = records((f"{IMU}, latency=0.5", f"{GPS}, latency=0.5", COMPASS), voyage)
    found = []
    for delay in ({"IMU": 0.5, "GPS": 0.5}, {}):
        navigation = NavigationFilter(read_instruments(described), Tuning())
        begun = [one for one in taken if one[1]["time"] <= 1.0]
        rest = taken[len(begun) :]
        rest.sort(key=lambda one: one[1]["time"] + delay.get(one[0], 0.0))
        for name, record in (*begun, *rest):
            navigation.take(name, record)
            navigation.work()
        assert navigation.late == 0
        found.append(navigation.solution())
    one, other = found
    assert one.time == other.time
    np.testing.assert_allclose(one.position, other.position, atol=1e-3)
    np.testing.assert_allclose(one.attitude, other.attitude, atol=1e-3)


def test_measurements_that_come_too_late_are_counted_and_left_out(voyage: Sail) -> None:
    described, taken = records((IMU, GPS, COMPASS), voyage, seconds=2)
    navigation = NavigationFilter(read_instruments(described), Tuning())
    for name, record in taken:
        navigation.take(name, record)
    navigation.work()
    before = navigation.solution()
    navigation.take(*taken[100])
    navigation.work()
    assert navigation.late == 1
    assert navigation.solution().position.tolist() == before.position.tolist()


@pytest.mark.slow
def test_an_outlier_is_refused_and_does_no_harm(voyage: Sail) -> None:
    described, taken = records((IMU, GPS, COMPASS), voyage)
    spoilt = [
        (n, r | {"position": [900.0, 0.0, 0.0]} if n == "GPS" and r["time"] == 7.0 else r)
        for n, r in taken
    ]
    for gate, refused in ((5.0, 1), (0.0, 0)):
        navigation = NavigationFilter(read_instruments(described), Tuning(gate=gate))
        for name, record in spoilt:
            navigation.take(name, record)
        navigation.work()
        assert navigation.refused == {"IMU": 0, "GPS": refused, "COMPASS": 0}
        off = abs(navigation.solution().position[0] - taken[-1][1].get("position", [10.0])[0])
        assert (off < 20.0) == bool(refused)


@pytest.mark.slow
def test_a_displaced_vessel_is_found_again(voyage: Sail) -> None:
    fast = GPS.replace("publish_rate=1", "publish_rate=10")
    described, taken = records((IMU, fast), voyage)
    navigation = NavigationFilter(read_instruments(described), Tuning())
    for name, record in taken:
        if name == "GPS" and record["time"] > 5.0:
            record["position"] = [1000.0 + record["position"][0], *record["position"][1:]]
        navigation.take(name, record)
        navigation.work()
    assert navigation.restarts == 1
    assert abs(navigation.solution().position[0] - 1000.0) < 50.0


def test_a_filter_names_what_it_needs_to_begin(voyage: Sail) -> None:
    described, _ = records((IMU, GPS), voyage, seconds=2)
    navigation = NavigationFilter(read_instruments(described), Tuning())
    assert navigation.lacks().startswith("a position")
    assert "a heading" in navigation.lacks()
    started = NavigationFilter(read_instruments(described), Tuning(start=(0.0, 0.0, 0.0, 0.0)))
    assert started.lacks() == ""
    assert started.solution() is None


@pytest.mark.slow
def test_a_dive_continues_from_its_configured_start(voyage: Sail) -> None:
    start = Tuning(start=(0.0, 0.0, 5.0, 0.0), start_std=(0.5, 0.1))
    done = voyage(IMU, DVL, DEPTH, seconds=40, tuning=start)
    last = np.abs(done.errors[-1])
    assert last[0:2].max() < 3.0
    assert last[2] < 0.3
    spread = done.solutions[-1].position_std
    assert spread[0] > 0.4  # nothing tells where it is: it only grows


@pytest.mark.slow
def test_a_solution_carried_on_keeps_speed_and_turn(voyage: Sail) -> None:
    done = voyage(*FLAWLESS, seconds=10)
    here = done.navigation.solution()
    later = here.at(here.time + 200_000_000)
    np.testing.assert_allclose(later.position, here.position + 0.2 * here.velocity)
    assert here.at(here.time - 1).time == here.time
    turn = later.attitude[2] - here.attitude[2]
    assert turn == pytest.approx(0.2 * (0.05 + 0.06 * np.cos(2.0)), abs=0.01)


@pytest.mark.parametrize("text", ["", "3", '[{"sensor":"GPS"}]', '[{"parts":3}]'])
def test_an_invalid_description_is_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match="SENSORS"):
        read_instruments(text)


def test_an_invalid_record_is_refused(voyage: Sail) -> None:
    described, _ = records((IMU, GPS), voyage, seconds=2)
    navigation = NavigationFilter(read_instruments(described), Tuning())
    for name, record in (
        ("GPS", {}),
        ("GPS", {"time": "soon", "position": [0.0, 0.0, 0.0]}),
        ("GPS", {"time": float("inf"), "position": [0.0, 0.0, 0.0]}),
        ("GPS", {"time": 1.0, "position": [0.0, 0.0]}),
        ("GPS", {"time": 1.0, "position": [float("nan"), 0.0, 0.0]}),
        ("IMU", {"time": 1.0, "orientation": [1.0, 0.0, 0.0, 0.0]}),
        ("SONAR", {"time": 1.0}),
    ):
        with pytest.raises((KeyError, ValueError)):
            navigation.take(name, json.loads(json.dumps(record)))
