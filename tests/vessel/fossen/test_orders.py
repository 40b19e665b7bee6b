"""Allocation of the helm's orders to actuators by their effects."""

from math import radians
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import effects, orders_of
from steerageway.vessel.tools.trials import drives

INPUTS = Path(__file__).parents[3] / "inputs"
pytestmark = pytest.mark.slow  # they compile


def test_a_rudder_command_turns_the_otter_to_starboard_by_its_port_propeller():
    otter = load(INPUTS / "otter")
    orders = orders_of(otter)
    port, starboard = orders.commands(rudder=20, thrust=50)
    assert port > starboard
    both = orders.commands(thrust=100)
    np.testing.assert_allclose(both, [c.high for c in otter.commands])
    np.testing.assert_allclose(orders.commands(thrust=-100), [c.low for c in otter.commands])
    ahead = effects(otter)
    assert (ahead[:, 0] > 0).all()
    assert ahead[0, 5] > 0 > ahead[1, 5]


def test_planes_press_the_bow_down_and_rudders_turn_to_starboard():
    vessel = load(INPUTS / "npsauv")
    orders = orders_of(vessel)
    x = vessel.initial.copy()
    x[6] = 1.5

    def answer(**given):
        after = vessel.step(x, orders.commands(**given), vessel.surroundings(), 0.02, steps=50)
        straight = vessel.step(x, orders.commands(), vessel.surroundings(), 0.02, steps=50)
        return after - straight

    assert answer(elevator=10)[10] < 0
    assert answer(rudder=50)[11] > 0
    assert answer(thrust=50)[6] > 0


def test_a_vehicle_that_starts_out_of_the_water_follows_thrust_below():
    """RexROV starts at the surface, where its thrusters push nothing; its mission 16 m below."""
    vessel = load(INPUTS / "rexrov")
    orders, deep = orders_of(vessel), vessel.initial.copy()
    deep[2] = 16.0
    assert not drives(vessel, orders)
    command = orders.commands(thrust=50)
    assert vessel.step(deep, command, vessel.surroundings(), 0.02, steps=250)[6] > 0.2


def test_azimuth_thrusters_steer_as_far_as_rudders_do():
    vessel = load(INPUTS / "tito_neri")
    command = orders_of(vessel).commands(rudder=100, thrust=50)
    by_name = dict(zip((c.name for c in vessel.commands), command, strict=True))
    assert abs(by_name["az_1"]) == abs(by_name["az_2"]) == pytest.approx(radians(35))
    assert by_name["th_1"] == pytest.approx(vessel.commands[0].high / 2)
    assert by_name["th_3"] == 0  # a bow thruster is no drive


def test_an_azimuth_that_turns_without_end_takes_orders():
    vessel = load(INPUTS / "osv")
    found = orders_of(vessel).commands(rudder=100)
    assert max(abs(found)) == pytest.approx(radians(35))
