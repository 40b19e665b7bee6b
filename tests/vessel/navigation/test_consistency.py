"""The filter's covariance against its errors, with each error that a sensor can declare.

The normalised estimation error squared (NEES) of a consistent filter is chi-square distributed with
as many degrees of freedom as the error has components; a sum over independent runs with the sum of
them. Source: Bar-Shalom, Li and Kirubarajan (2001), section 5.4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.slow

RUNS, SECONDS, SIZE = 4, 16, 9
# of the chi-square distribution with 36 degrees of freedom, the quantiles 1e-4 and 1 - 1e-4
LOW, HIGH = 12.6, 76.4

IMU = (
    "sensor_type=IMU, publish_rate=20, sensor_location=0.5:0.2:-0.3, orientation_rms=0.05,"
    "sensor_orientation=0.1:0.2:0.3, angular_velocity_rms=0.005, linear_acceleration_rms=0.05"
)
GPS = "sensor_type=GPS, publish_rate=1, sensor_location=1:0:-0.5, position_rms=0.5"
FINE = GPS.replace("position_rms=0.5", "position_rms=0.02")  # a metre from the IMU
UWB = GPS.replace("GPS", "UWB")
DVL = (
    "sensor_type=DVL, publish_rate=2, linear_velocity_rms=0.02, sensor_location=-0.5:0:0.3,"
    "sensor_orientation=0:0:0.785"
)
LOG = "sensor_type=speed_log, publish_rate=2, speed_rms=0.02, sensor_location=1:0:0.3"
DEPTH = "sensor_type=depth, publish_rate=2, depth_rms=0.05"
COMPASS = "sensor_type=compass, publish_rate=5, heading_rms=0.5"
VAGUE = IMU.replace("orientation_rms=0.05", "orientation_rms=0.3")
SUITES = {
    ("position", "GPS"): ((IMU,), GPS, 2.0),
    ("position", "UWB"): ((IMU,), UWB, 2.0),
    ("linear_velocity", "DVL"): ((IMU, GPS), DVL, 0.3),
    ("speed", "speed log"): ((IMU, GPS), LOG, 0.3),
    ("depth", "depth"): ((IMU, GPS), DEPTH, 1.0),
    ("heading", "compass"): ((VAGUE, GPS), COMPASS, 5.0),
    ("orientation", "IMU"): ((GPS,), IMU, 0.03),
    ("angular_velocity", "IMU"): ((GPS,), IMU, 0.02),
    ("linear_acceleration", "IMU"): ((GPS,), IMU, 0.2),
}
KINDS = {
    "bias": ", {part}_bias={size}",
    "drift": ", {part}_drift_rms={size}, {part}_drift_time=300",
    "scale": ", {part}_scale=0.05",
    "resolution": ", {part}_resolution={size}",
}


SHOWN = [
    *(("position", "GPS", kind) for kind in KINDS),
    *((*suite, list(KINDS)[i % len(KINDS)]) for i, suite in enumerate(list(SUITES)[1:])),
]


@pytest.mark.parametrize(("part", "sensor", "kind"), SHOWN)
def test_errors_match_the_covariance_with_each_declared_error(
    voyage: Callable[..., Any], part: str, sensor: str, kind: str
) -> None:
    others, line, size = SUITES[part, sensor]
    wrong = line + KINDS[kind].format(part=part, size=size)
    total = 0.0
    for seed in range(RUNS):
        done = voyage(*others, wrong, seconds=SECONDS, seed=100 + seed)
        total += done.nees(SIZE)[-1]
    assert LOW < total < HIGH


def test_a_drift_shorter_than_the_interval_of_measurements_is_noise(
    voyage: Callable[..., Any],
) -> None:
    wrong = f"{GPS}, position_drift_rms=2, position_drift_time=0.1"
    runs = (voyage(IMU, wrong, seconds=SECONDS, seed=seed) for seed in range(RUNS))
    assert LOW < sum(done.nees(SIZE)[-1] for done in runs) < HIGH


@pytest.mark.parametrize(
    "good", [(FINE,), (GPS, COMPASS), (GPS, DVL), (GPS, LOG), (GPS, DVL, COMPASS, DEPTH)]
)
def test_good_instruments_beside_a_vague_imu_leave_the_filter_consistent(
    voyage: Callable[..., Any], good: tuple[str, ...]
) -> None:
    # chi-square with 24 times 9 degrees of freedom, the quantiles 1e-4 and 1 - 1e-4
    runs = (voyage(VAGUE, *good, seconds=SECONDS, seed=seed) for seed in range(24))
    assert 147 < sum(done.nees(SIZE)[-1] for done in runs) < 301
