"""Innovations of a filter tuned right are as large as it expects, and of one tuned wrong not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steerageway.vessel.navigation import Tuning

Sail = Callable[..., Any]
IMU = (
    "sensor_type=IMU, publish_rate=50, sensor_location=0.5:0.2:-0.3,"
    "orientation_rms=0.05, angular_velocity_rms=0.005, linear_acceleration_rms=0.05"
)
GPS = "sensor_type=GPS, publish_rate=5, sensor_location=1:0:-0.5, position_rms=1"
COMPASS = "sensor_type=compass, publish_rate=5, heading_rms=1"
DVL = "sensor_type=DVL, publish_rate=5, linear_velocity_rms=0.02, sensor_location=-0.5:0:0.3"
LOG = "sensor_type=speed_log, publish_rate=5, speed_rms=0.05"
DEPTH = "sensor_type=depth, publish_rate=5, depth_rms=0.1"
DIMENSIONS = {"GPS": 3, "COMPASS": 1, "DVL": 3, "SPEED_LOG": 1, "PRESSURE": 1, "IMU": 3}
KEEPING = Tuning(keeps_innovations=True)
SETTLED = 10e9  # [ns]

pytestmark = pytest.mark.slow


def taken(voyage: Sail, *lines: str, seeds: int = 3, tuning: Tuning = KEEPING) -> list[Any]:
    """Return the innovations of some runs, once they have settled."""
    runs = (voyage(*lines, seconds=40, seed=s, tuning=tuning) for s in range(seeds))
    return [one for run in runs for one in run.navigation.innovations if one.time > SETTLED]


def nis(innovations: list[Any], name: str) -> np.ndarray:
    return np.array([one.nis for one in innovations if one.name == name])


def test_nis_of_a_well_tuned_filter_is_chi_square(voyage: Sail) -> None:
    """Its mean is the dimension m, its variance 2 m; 5 % are above the 95 % quantile."""
    chi_square_95 = {1: 3.841, 3: 7.815}
    innovations = taken(voyage, IMU, GPS, COMPASS, DVL, LOG, DEPTH)
    for name, m in DIMENSIONS.items():
        values = nis(innovations, name)
        spread = np.sqrt(2 * m / len(values))
        assert abs(values.mean() - m) < 4.5 * spread, name
        assert values.var() == pytest.approx(2 * m, rel=0.4), name
        assert 0.02 < (values > chi_square_95[m]).mean() < 0.09, name


def test_an_innovation_contains_the_parts_of_nis(voyage: Sail) -> None:
    for one in taken(voyage, IMU, GPS, COMPASS, seeds=1):
        m = DIMENSIONS[one.name]
        assert one.value.shape == (m,)
        assert one.covariance.shape == (m, m)
        expected = one.value @ np.linalg.solve(one.covariance, one.value)
        assert one.nis == pytest.approx(expected)
        assert one.part == {"GPS": "position", "COMPASS": "heading", "IMU": "orientation"}[one.name]
        assert not one.refused


def test_each_measurement_appears_once_in_the_order_of_time_late_or_not(voyage: Sail) -> None:
    innovations = taken(voyage, IMU, f"{GPS}, latency=0.3", COMPASS, seeds=1)
    times = [one.time for one in innovations]
    assert times == sorted(times)
    marks = [(one.name, one.time) for one in innovations]
    assert len(set(marks)) == len(marks)
    assert len(nis(innovations, "GPS")) == pytest.approx(5 * 30, abs=3)


def test_twice_the_configured_noise_makes_nis_up_to_four_times_its_dimension(
    voyage: Sail,
) -> None:
    """Every measurement has twice the described error."""
    lines = (IMU, f"{GPS}, outlier_rate=1, outlier_scale=2", COMPASS)
    ungated = Tuning(keeps_innovations=True, gate=0.0)
    innovations = taken(voyage, *lines, seeds=1, tuning=ungated)
    assert 2.5 < nis(innovations, "GPS").mean() / 3 < 4.5
    assert nis(innovations, "COMPASS").mean() < 1.5


def test_a_refused_measurement_is_marked(voyage: Sail) -> None:
    lines = (IMU, f"{GPS}, outlier_rate=0.1, outlier_scale=50", COMPASS, DVL)
    innovations = taken(voyage, *lines, seeds=1)
    refused = [one for one in innovations if one.refused]
    assert refused
    assert all(one.nis > 25 * DIMENSIONS[one.name] for one in refused)
    assert all(one.name == "GPS" for one in refused)


def test_innovations_are_not_kept_by_default(voyage: Sail) -> None:
    assert voyage(GPS, COMPASS, seconds=5).navigation.innovations == []
