"""Sensors that fail from an instant on."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.sensors.failures import read_failures
from steerageway.world.constants import NANO

COMPASS = "sensor_type=compass, publish_rate=10, heading_rms=0.5"
IMU = "sensor_type=IMU, publish_rate=10, angular_velocity_rms=0.1"
SECONDS = 20.0


def voyage(aboard, steady, line, faults=(), cuts=(), **state):
    """Return times and numbers (n, m) of a failing sensor, with its track cut at times."""
    vessel = aboard(line)
    for since, text in faults:
        vessel.suite.instruments[0].fail(text, round(since * NANO))
    grid = np.arange(0.0, SECONDS + 0.005, 0.01)
    for part in np.split(grid, np.searchsorted(grid, cuts)):
        vessel.sail(part, [steady(**state)] * len(part))
    readings = vessel.readings()
    return np.array([time for time, _ in readings]), np.array([numbers for _, numbers in readings])


@pytest.fixture
def sail(aboard, steady):
    return lambda *given, **state: voyage(aboard, steady, *given, **state)


def test_a_bias_is_added_from_its_instant_on_and_until_it_ends(sail):
    times, sound = sail(COMPASS, psi=1.0)
    _, posts = sail(COMPASS, [(5.0, "bias@2.5"), (12.05, "none")], psi=1.0)
    off = (posts - sound)[:, 0]
    during = (times >= 5.0) & (times < 12.05)
    assert off[during] == pytest.approx(2.5)
    assert (off[~during] == 0.0).all()


def test_a_drift_grows_from_its_instant_on(sail):
    times, sound = sail(COMPASS, psi=1.0)
    _, posts = sail(COMPASS, [(4.0, "drift@0.5")], psi=1.0)
    expected = np.where(times >= 4.0, 0.5 * (times - 4.0), 0.0)
    assert (posts - sound)[:, 0] == pytest.approx(expected)


def test_noise_is_multiplied_by_the_factor(sail):
    heading = np.degrees(1.0)
    times, sound = sail(COMPASS, psi=1.0)
    _, posts = sail(COMPASS, [(5.0, "noise@3")], psi=1.0)
    grown = np.where(times >= 5.0, 3.0, 1.0)
    assert (posts - heading)[:, 0] == pytest.approx(grown * (sound - heading)[:, 0])


def test_a_sensor_without_noise_gets_some(sail):
    _, posts = sail("sensor_type=compass, publish_rate=50", [(0.0, "rms@2")], psi=1.0)
    assert (posts - np.degrees(1.0)).std() == pytest.approx(2.0, rel=0.1)


def test_a_scale_fault_applies_to_the_true_value(sail):
    line = "sensor_type=speed_log, publish_rate=10, speed_bias=1"
    times, posts = sail(line, [(10.0, "scale@-0.2")], u=4.0)
    assert posts[times < 10.0] == pytest.approx(5.0)
    assert posts[times >= 10.0] == pytest.approx(4.2)


def test_a_sensor_that_is_stuck_repeats_its_last_value_or_a_given_one(sail):
    times, sound = sail(COMPASS, psi=1.0)
    _, posts = sail(COMPASS, [(5.0, "stuck"), (10.0, "stuck@7"), (15.0, "none")], psi=1.0)
    last = sound[times < 5.0][-1, 0]
    assert (posts[(times >= 5.0) & (times < 10.0), 0] == last).all()
    assert (posts[(times >= 10.0) & (times < 15.0), 0] == 7.0).all()
    assert (posts[times >= 15.0] == sound[times >= 15.0]).all()


def test_one_part_or_component_may_fail_alone(sail):
    _, sound = sail(IMU)
    _, posts = sail(IMU, [(0.0, "angular_velocity_bias@0:0:0.3")])
    off = posts - sound
    assert off[:, 5] == pytest.approx(0.3)
    assert (np.delete(off, 5, axis=1) == 0.0).all()


@pytest.mark.slow
def test_a_sensor_that_is_out_or_has_full_loss_measures_nothing(sail):
    times, _ = sail(COMPASS, [(5.0, "dropout"), (10.0, "none")], psi=1.0)
    assert not ((times >= 5.0) & (times < 10.0)).any()
    whole, _ = sail(COMPASS, psi=1.0)
    some, _ = sail(COMPASS, [(0.0, "dropout@0.4")], psi=1.0)
    assert len(some) / len(whole) == pytest.approx(0.6, abs=0.1)
    assert set(some) < set(whole)


@pytest.mark.parametrize("fault", ["dropout@0.3", "rms@1", "noise@2,bias@1", "stuck", "drift@1"])
def test_failures_do_not_depend_on_the_division_of_time(sail, fault):
    faults = [(3.33, fault), (15.0, "none")]
    whole, one = sail(COMPASS, faults, psi=1.0)
    cut, other = sail(COMPASS, faults, (1.0, 3.3, 3.4, 7.77, 15.0), psi=1.0)
    np.testing.assert_array_equal(whole, cut)
    np.testing.assert_allclose(one, other, rtol=1e-12)


def test_before_and_after_its_fault_a_sensor_is_as_it_would_have_been(sail):
    times, sound = sail(COMPASS, psi=1.0)
    _, posts = sail(COMPASS, [(5.0, "rms@3,noise@4"), (10.0, "none")], psi=1.0)
    healthy = (times < 5.0) | (times >= 10.0)
    np.testing.assert_array_equal(posts[healthy], sound[healthy])


@pytest.mark.parametrize(
    "text",
    [
        *("", "bias", "bias@", "bias@x", "noise@-1", "rms@-1", "dropout@1.5", "broken@1"),
        *("heading_dropout", "course_bias@1", "bias@1:2", "none,bias@1", "bias@inf"),
    ],
)
def test_other_texts_are_refused_with_the_expected_form(text):
    with pytest.raises(InvalidValue, match=r"expected bias@VALUE|expected a number"):
        read_failures(text, {"heading": 1}, 0)
