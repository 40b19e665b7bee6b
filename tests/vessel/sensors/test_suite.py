"""Several sensors of one vessel: times of measurements, and latencies."""

from __future__ import annotations

import numpy as np
import pytest


def test_nothing_is_measured_while_the_vessel_is_not_moved(aboard, steady) -> None:
    vessel = aboard("sensor_type=IMU, publish_rate=10", "sensor_type=GPS, publish_rate=1")
    row = steady()
    vessel.sail([0.0, 0.1, 0.2], [row] * 3)
    vessel.sail([5.02], [row])
    vessel.sail([5.12, 5.22], [row] * 2)
    assert [time for time, _ in vessel.readings(0)] == pytest.approx([0, 0.1, 0.2, 5.1, 5.2])
    assert [time for time, _ in vessel.readings(1)] == [0.0]


def test_a_single_state_is_measured_only_after_the_next(aboard, steady) -> None:
    vessel = aboard("sensor_type=compass, publish_rate=10")
    vessel.sail([1.0], [steady()])
    assert vessel.readings() == []
    vessel.sail([1.1], [steady()])
    assert [time for time, _ in vessel.readings()] == [1.0, 1.1]


def test_sensors_of_one_vessel_measure_as_each_alone(aboard, steady) -> None:
    lines = (
        "sensor_type=IMU, publish_rate=17, sensor_location=1:0:0, linear_acceleration_rms=0.1",
        "sensor_type=UWB, publish_rate=3, position_rms=1, dropout=0.3",
        "sensor_type=DVL, publish_rate=50, sensor_orientation=0:0:1",
    )
    times = np.arange(0, 2.01, 0.05)
    rows = [steady(x=2 * t, psi=0.1 * t, u=2.0, r=0.1, p=0.2) for t in times]
    together = aboard(*lines)
    together.sail(times, rows)
    for k, line in enumerate(lines):
        alone = aboard(line)
        alone.sail(times, rows)
        both = alone.readings(), together.readings(k)
        assert [t for t, _ in both[0]] == [t for t, _ in both[1]]
        assert np.array([v for _, v in both[0]]) == pytest.approx(
            np.array([v for _, v in both[1]]), abs=1e-12
        )


@pytest.mark.parametrize("rate", [3, 4])
def test_the_decay_of_a_drift_follows_the_time_between_measurements(
    rate: int, aboard, steady
) -> None:
    tau = 2.0
    line = f"sensor_type=depth, depth_drift_rms=1, depth_drift_time={tau}"
    vessel = aboard(f"{line}, publish_rate={rate}")
    vessel.sail([0.0, 2000.0], [steady(z=10.0)] * 2)
    drift = np.array([values[0] - 10.0 for _, values in vessel.readings()])
    kept = (drift[1:] @ drift[:-1]) / (drift @ drift)  # known to sqrt((1 - kept²) / n) = 0.007
    assert kept == pytest.approx(np.exp(-1 / (rate * tau)), abs=0.03)


def test_a_measurement_waits_for_its_latency(aboard, steady) -> None:
    vessel = aboard("sensor_type=compass, publish_rate=10, latency=0.25")
    vessel.sail([0.0, 1.0], [steady(), steady()])
    assert [time for time, _ in vessel.readings(until=0.5)] == [0.0, 0.1, 0.2]
    assert [time for time, _ in vessel.readings(until=0.55)] == [0.3]
    assert vessel.readings(until=0.64) == []
