"""Mapping of orders to actuators, and precedence of orders, commands and overrides."""

from __future__ import annotations

from math import inf, pi, radians
from types import SimpleNamespace

import numpy as np
import pytest

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.commands import ActuatorMap, Commands, orders_in
from steerageway.vessel.fossen.state import Channel
from steerageway.vessel.model import Inputs

CHANNELS = (
    Channel("cs_1", "rad", -0.5, 0.5),
    Channel("cs_2", "rad", -0.3, 0.3),
    Channel("th_1", "rad/s", -50.0, 100.0),
)
PLAIN = np.array([[1, 0, 0, 0.5, -0.5], [0, 0, -1, 0, 0], [0, 1, 0, 0.5, 0.5]], float)
RPM = pi / 30


def mapping() -> ActuatorMap:
    return ActuatorMap(CHANNELS, PLAIN)


def commands(patience: float = inf, timeout: float = 5.0) -> Commands:
    vessel = SimpleNamespace(commands=CHANNELS, command_timeout=patience)
    return Commands(vessel, mapping(), timeout)  # type: ignore[arg-type]


def test_orders_are_shares_of_the_range_and_the_elevator_degrees():
    computed = mapping().commands(50.0, 40.0, 10.0)
    assert computed == pytest.approx([0.25, -radians(10), 40.0])
    assert mapping().commands(thrust=-40.0)[2] == pytest.approx(-20.0)


def test_many_vessels_are_commanded_as_each_is_alone():
    bent = PLAIN + np.array([[0, 0, 0.5, 0, 0], [0.3, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    both = ActuatorMap(CHANNELS, bent)
    assert list(both.full_orders) == ["rudder", "thrust", "elevator"]
    shares = np.random.default_rng(1).uniform(-1.0, 1.0, (20, 3))
    orders = shares * list(both.full_orders.values())
    alone = np.array([both.commands(*row) for row in orders])
    assert both.commands_of(shares) == pytest.approx(alone, abs=1e-12)


def test_commands_stay_within_the_range():
    assert mapping().commands(500, 500, -90) == pytest.approx([0.5, 0.3, 100.0])


def test_two_thrusts_act_as_their_mean_and_half_their_difference():
    inputs = Inputs(thrust_left=60.0, thrust_right=20.0, differential=True)
    assert mapping().commands(*orders_in(inputs)) == pytest.approx([0.1, 0.0, 40.0])


def test_in_reverse_the_stern_is_steered_and_left_is_the_other_side():
    inputs = Inputs(rudder=10.0, thrust=20.0, thrust_left=60.0, thrust_right=20.0, reverse=True)
    assert orders_in(inputs)[:2] == (-10.0, -20.0)
    inputs.differential = True
    assert orders_in(inputs)[3:] == (-20.0, -60.0)


def test_uncommanded_actuators_may_have_no_limits():
    free = (Channel("th_9", "rad/s", -inf, inf),)
    assert ActuatorMap(free, np.zeros((1, 5))).commands(1, 2, 3, 4, 5) == pytest.approx([0.0])


def test_the_last_command_applies_and_absent_names_keep_their_value():
    received = commands()
    received.order((0, 50, 0, 0, 0), 0.0)
    received.tell({"cs_1": 10.0, "th_1": 300.0}, 1.0)
    assert received.in_force(1.0) == pytest.approx([radians(10), 0.0, 300 * RPM])
    received.tell({"cs_1": 5.0}, 2.0)
    assert received.in_force(2.0) == pytest.approx([radians(5), 0.0, 300 * RPM])
    received.order((0, 50, 0, 0, 0), 3.0)
    assert received.in_force(3.0) == pytest.approx([0.0, 0.0, 50.0])


def test_an_override_wins_until_released_or_timed_out():
    received = commands(timeout=5.0)
    received.override({"th_1": 60.0}, 0.0)
    received.order((0, 50, 0, 0, 0), 4.0)
    assert received.in_force(4.9)[2] == pytest.approx(2 * pi)
    assert received.in_force(5.0)[2] == pytest.approx(50.0)
    received.override({"th_1": 60.0}, 6.0)
    received.release()
    assert received.in_force(6.0)[2] == pytest.approx(50.0)


def test_a_silent_helm_stops_everything_if_the_vessel_sets_it():
    received = commands(patience=5.0)
    received.order((0, 50, 0, 0, 0), 10.0)
    assert received.in_force(14.9)[2] == pytest.approx(50.0)
    assert received.in_force(15.0) == pytest.approx([0.0, 0.0, 0.0])


def test_an_unknown_actuator_is_named_with_the_nearest():
    with pytest.raises(InvalidValue, match=r"cs_3.*cs_"):
        commands().tell({"cs_3": 1.0, "th_1": 5.0}, 0.0)
