"""Orders that are no numbers are refused by every model: clipped, they would be full power."""

from __future__ import annotations

from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from steerageway.peers.older.thrust_map_engines import Legacy, Released
from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue, NotFinite
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion

INPUTS = Path(__file__).parents[2] / "inputs"
VESSELS = sorted(path.name for path in INPUTS.iterdir() if path.is_dir())
ORDERS = ("rudder", "thrust", "elevator", "thrust_left", "thrust_right")


@pytest.mark.parametrize("kind", [Documented, Released, Legacy])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("value", [nan, inf])
def test_a_thrust_map_vessel_refuses_an_order_that_is_no_number(kind, order, value):
    craft = Craft(kind(KinematicParameters()), Motion())
    setattr(craft.inputs, order, value)
    with pytest.raises(InvalidValue, match=f"{order} = {value}"):
        craft.advance(0.5)
    assert craft.motion == Motion()


@pytest.mark.slow
@pytest.mark.parametrize("name", VESSELS)
def test_a_fossen_vessel_refuses_a_command_that_is_no_number(name):
    vessel = load(INPUTS / name)
    around = vessel.surroundings()
    for i, channel in enumerate(vessel.commands):
        command = np.zeros(len(vessel.commands))
        command[i] = nan
        for act in (vessel.step, vessel.euler_step):
            with pytest.raises(InvalidValue, match=f"{channel.name} = nan"):
                act(vessel.initial, command, around, 0.02, 10)
        with pytest.raises(InvalidValue, match=f"{channel.name} = nan"):
            vessel.batch_step([vessel.initial], [command], around[None], 0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", VESSELS)
@pytest.mark.parametrize("place", ["state", "surroundings"])
def test_a_state_or_surroundings_that_are_no_numbers_end_in_not_finite(name, place):
    vessel = load(INPUTS / name)
    x, around = vessel.initial.copy(), vessel.surroundings()
    (x if place == "state" else around)[10 if place == "state" else 0] = nan
    with pytest.raises(NotFinite):
        vessel.step(x, np.zeros(len(vessel.commands)), around, 0.02, 10)


@pytest.mark.slow
def test_orders_that_are_no_numbers_are_refused_before_they_are_commands():
    otter = load(INPUTS / "otter")
    with pytest.raises(InvalidValue, match="thrust = nan"):
        orders_of(otter).commands(thrust=nan)
    craft = Craft(FossenModel(otter), FossenModel(otter).start)
    craft.inputs.rudder = nan
    with pytest.raises(InvalidValue, match="rudder = nan"):
        craft.advance(1.0)
