"""Vessels over ground that rises, dries or is not known.

A row of quays, one point wide, rises from 10 m of water to 3 m above it between two points 10 m
apart: its slope is 1.3, so a keel of draught T stands (10 - T) / 1.3 beyond the last deep point.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.contact import Surfaces
from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion
from steerageway.vessel.thrust_map import ThrustMap
from steerageway.world.contact import Contact
from steerageway.world.environment import Environment
from steerageway.world.ground import Ground

INPUTS = Path(__file__).parents[2] / "inputs"
DEPTHS = np.full((3, 41), 10.0)
DEPTHS[:, 25] = -3.0  # at x = 50
QUAY = Environment(ground=Ground("quay.asc", -200.0, -10.0, 10.0, DEPTHS))
slow = pytest.mark.slow


def kinematic(dual_state: bool = False) -> Craft[Motion]:
    model = Documented(KinematicParameters(ThrustMap(reflect=True)))
    return Craft(model, Motion(heading=90.0, speed=5.0), dual_state=dual_state)


def otter(contact: Contact | None = None) -> Craft:
    vessel = load(INPUTS / "otter")
    model = FossenModel(vessel)
    if contact is not None:
        model.surfaces = Surfaces.around(vessel, contact)
    return Craft(model, model.placed(model.start, heading=90.0, speed=2.0))


def sail(craft: Craft, tick: float, seconds: float) -> None:
    """Advance among the quays, with the depth of each tick's start."""
    craft.inputs.bottom = QUAY
    begin = craft.clock
    for k in range(round(seconds / tick)):
        here = craft.true_motion
        craft.inputs.water_depth = QUAY.depth_at(here.x, here.y, craft.clock)
        craft.advance(begin + (k + 1) * tick)


@pytest.mark.parametrize("tick", [0.1, 1.0, 20.0, 60.0])
def test_a_kinematic_vessel_stands_at_the_waters_edge_at_any_tick(tick: float) -> None:
    craft = kinematic()
    craft.inputs.thrust = 100.0
    sail(craft, tick, 120.0)
    motion = craft.true_motion
    assert motion.aground
    assert motion.speed == motion.speed_over_ground == 0.0
    assert motion.x == pytest.approx(40.0 + 10.0 / 1.3)
    craft.inputs.thrust = -100.0
    sail(craft, 1.0, 3.0)
    assert not craft.true_motion.aground
    assert craft.true_motion.x < 47.0


@slow
@pytest.mark.parametrize("tick", [0.1, 5.0])
def test_a_fossen_vessel_stands_where_its_keel_meets_the_slope_at_any_tick(tick: float) -> None:
    craft = otter()
    craft.inputs.thrust = 100.0
    sail(craft, tick, 60.0)
    motion, keel = craft.true_motion, craft.truth.x[2] + craft.model.vessel.envelope.draught
    assert motion.aground
    assert motion.speed_over_ground == 0.0
    assert motion.x == pytest.approx(40.0 + (10.0 - keel) / 1.3, abs=1e-6)
    craft.inputs.thrust = -100.0
    sail(craft, 1.0, 4.0)
    assert not craft.true_motion.aground


@slow
@pytest.mark.parametrize("at_bottom", ["stand", "force", "end"])
def test_no_response_to_the_bottom_lets_a_vessel_cross_a_quay(at_bottom: str) -> None:
    craft = otter(Contact(at_bottom=at_bottom))
    craft.inputs.thrust = 100.0
    sail(craft, 5.0, 60.0)
    assert craft.true_motion.aground
    assert craft.true_motion.x < 48.0
    touched = [what for what, _, _ in craft.truth.touching]
    assert touched == ([] if at_bottom == "stand" else ["bottom"])


def test_a_kinematic_vessel_sinks_no_deeper_than_the_bottom_and_may_rise_again() -> None:
    craft = kinematic()
    craft.inputs.water_depth, craft.inputs.thrust, craft.inputs.elevator = 20.0, 60.0, 100.0
    craft.advance(100.0)
    for k in range(100):
        craft.advance(101.0 + k)
    assert craft.motion.depth == 20.0
    assert craft.motion.aground
    craft.inputs.elevator = 0.0  # its buoyancy lifts it
    for k in range(10):
        craft.advance(202.0 + k)
    assert not craft.motion.aground
    assert craft.motion.depth < 20.0


@slow
@pytest.mark.parametrize("name", ["otter", "tanker", "remus100", "rexrov", "mariner", "dsrv"])
@pytest.mark.parametrize("depth", [0.0, -5.0])
def test_where_there_is_no_water_every_vessel_stands_where_it_is(name: str, depth: float) -> None:
    model = FossenModel(load(INPUTS / name))
    craft = Craft(model, model.start)
    craft.inputs.water_depth, craft.inputs.thrust = depth, 80.0
    craft.advance(2.0)
    assert craft.motion.aground
    assert not craft.state.x[6:12].any()
    assert craft.state.x[2] <= model.start.x[2]
    assert (craft.motion.x, craft.motion.y) == (0.0, 0.0)


@pytest.mark.parametrize("kind", ["kinematic", pytest.param("fossen", marks=slow)])
def test_an_unknown_depth_grounds_nothing_and_one_that_is_no_number_is_refused(kind: str) -> None:
    craft = kinematic() if kind == "kinematic" else otter()
    assert craft.inputs.water_depth is None
    craft.inputs.thrust = 50.0
    craft.advance(5.0)
    assert not craft.motion.aground
    craft.inputs.water_depth = float("nan")
    with pytest.raises(InvalidValue, match="water_depth"):
        craft.advance(6.0)


@slow
@pytest.mark.parametrize("name", ["otter", "tanker", "remus100"])
def test_surroundings_that_are_no_numbers_are_refused(name: str) -> None:
    vessel = load(INPUTS / name)
    command = np.zeros(len(vessel.commands))
    around = vessel.surroundings(water_depth=float("nan"))
    for attempt in (vessel.step, vessel.euler_step):
        with pytest.raises(InvalidValue, match="water_depth of the surroundings = nan"):
            attempt(vessel.initial, command, around, 0.02)
    with pytest.raises(InvalidValue, match="water_depth of the surroundings = nan"):
        vessel.batch_step([vessel.initial], [command], around[None], 0.02)


def test_the_record_without_drift_stands_where_the_vessel_does() -> None:
    craft = kinematic(dual_state=True)
    craft.drift = Drift(1.0, 0.0)
    craft.inputs.thrust = 100.0
    sail(craft, 0.5, 30.0)
    record = craft.motion.x
    assert craft.true_motion.aground
    assert record < craft.true_motion.x - 5.0
    sail(craft, 0.5, 10.0)
    assert craft.motion.x == record
