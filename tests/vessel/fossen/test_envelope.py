"""Warnings and errors of states outside the envelope of a vessel's data."""

from __future__ import annotations

from functools import cache
from math import inf, radians
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.craft import Craft
from steerageway.vessel.errors import InvalidValue, OutsideEnvelope
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.envelope import Envelope
from steerageway.vessel.fossen.folder import load

INPUTS = Path(__file__).parents[3] / "inputs"
slow = pytest.mark.slow


@cache
def vessel(name: str) -> Dynamics:
    return load(INPUTS / name)


def craft(name: str, depth: float) -> Craft:
    model = FossenModel(vessel(name))
    made = Craft(model, model.start)
    made.inputs.water_depth = depth
    return made


@pytest.mark.parametrize(
    ("z", "heel", "flow", "depth", "left"),
    [
        (0.0, 0.0, (5.0, 0.0, 0.0), inf, []),
        (0.0, 0.0, (11.0, 0.0, 0.0), inf, ["speed"]),
        (0.0, 0.0, (-1.0, 0.0, 0.0), inf, ["speed"]),
        (0.0, 0.0, (5.0, 3.0, 0.0), inf, ["drift angle"]),
        (0.0, 0.0, (5.0, 0.0, -3.0), inf, ["angle of attack"]),
        (0.0, 0.0, (0.1, 0.5, 0.5), inf, []),  # nearly at rest
        (0.0, radians(-61), (5.0, 0.0, 0.0), inf, ["heel"]),
        (0.0, 0.0, (5.0, 0.0, 0.0), 11.0, ["depth"]),
        (0.0, 0.0, (5.0, 0.0, 0.0), 12.1, []),
    ],
)
def test_each_limit_is_named(z, heel, flow, depth, left):
    limits = Envelope((0.0, 10.0), radians(20), radians(25), radians(60), 10.0)
    assert [name for name, _ in limits.left(z, heel, flow, depth)] == left


@slow
def test_files_set_the_limits_and_invalid_ones_are_refused():
    read = load(INPUTS / "otter", overrides={"vessel.envelope": "{speed: [-1, 3], heel: 45}"})
    assert (read.envelope.speed, read.envelope.heel) == ((-1.0, 3.0), radians(45))
    with pytest.raises(InvalidValue, match=r"speed: 3, 1: expected minimum and maximum"):
        load(INPUTS / "otter", overrides={"vessel.envelope": "{speed: [3, 1]}"})


@slow
def test_a_container_ship_that_capsizes_is_reported():
    ship = vessel("container")
    x = ship.initial.copy()
    x[6] = 16.0
    with pytest.raises(OutsideEnvelope, match="the likely cause: it capsized, heel"):
        ship.step(x, [0.1745, 16.755], ship.surroundings(), 0.02, 6000)


@slow
def test_a_step_too_long_is_named_as_the_cause():
    otter = vessel("otter")
    with pytest.raises(OutsideEnvelope, match=r"the time step; here 0\.\d+ s or less|Euler|pitch"):
        otter.step(otter.initial, [100.0, 100.0], otter.surroundings(), 0.5, 4000)


@slow
def test_a_tanker_runs_aground_where_the_water_is_no_deeper_than_its_draught():
    ship = craft("tanker", 18.0)  # its draught is 18.46 m
    ship.inputs.thrust = 50.0
    ship.advance(60.0)
    assert ship.state.aground
    assert ship.motion.speed == 0.0
    assert np.isfinite(ship.state.x).all()
    ship.inputs.water_depth = 30.0
    ship.advance(120.0)
    assert not ship.state.aground
    assert ship.motion.speed > 0.1


@slow
def test_the_shallower_the_water_the_slower_a_tanker():
    speeds = []
    for depth in (18.47, 19.0, 22.0, 40.0):
        x = vessel("tanker").initial
        around = vessel("tanker").surroundings(water_depth=depth)
        speeds.append(vessel("tanker").step(x, [0.0, 8.0], around, 0.2, 5000)[6])
    assert speeds == sorted(speeds)


@slow
def test_an_underwater_vehicle_rests_on_the_bottom_until_a_reset():
    remus = craft("remus100", 5.0)
    remus.place(depth=4.0, speed=2.0)
    remus.inputs.thrust, remus.inputs.elevator = 80.0, 15.0
    remus.advance(30.0)
    assert remus.state.aground
    assert remus.motion.depth == pytest.approx(5.0, abs=1e-3)
    remus.inputs.elevator, remus.inputs.thrust = -15.0, 100.0
    remus.place(depth=3.0, speed=2.0)
    remus.advance(32.0)
    assert not remus.state.aground


@slow
def test_a_position_above_an_unmodelled_surface_is_reported():
    flying = load(INPUTS / "remus100", overrides={"hydrodynamics.meets_surface": False})
    model = FossenModel(flying)
    state = model.placed(model.start, depth=-1.0)
    boat = Craft(model, state)
    assert [limit for limit, _ in model.left(state, boat.inputs)] == ["surface"]


DRAUGHTS = {
    "clarke83": 5.0,
    "container": 8.5,
    "kvlcc2": 20.8,
    "mariner": 7.47,
    "navalvessel": 2.3,
    "osv": 5.0,
    "tanker": 18.46,
}


@slow
@pytest.mark.parametrize("name", DRAUGHTS)
def test_a_ship_is_aground_in_less_than_its_draught_whatever_sets_the_depth(name):
    shoal = {"vessel.water_depth": 0.9 * DRAUGHTS[name]}
    for vessel_in, expected in ((load(INPUTS / name, overrides=shoal), 0.0), (vessel(name), 0.9)):
        model = FossenModel(vessel_in)
        ship = Craft(model, model.start)
        ship.inputs.water_depth = expected * DRAUGHTS[name]
        ship.advance(1.0)
        assert ship.state.aground
        assert ship.motion.speed == 0.0


@slow
@pytest.mark.parametrize("name", DRAUGHTS)
def test_little_water_below_the_keel_of_a_ship_is_reported(name):
    thin = load(INPUTS / name, overrides={"vessel.water_depth": 1.1 * DRAUGHTS[name]})
    model = FossenModel(thin)
    ship = Craft(model, model.start)
    ship.advance(0.1)
    assert "depth" in dict(model.left(ship.state, ship.inputs))
    ship.inputs.water_depth = 3.0 * DRAUGHTS[name]  # what is known now counts
    assert "depth" not in dict(model.left(ship.state, ship.inputs))


@slow
def test_the_tankers_own_water_depth_slows_it_and_grounds_it():
    speeds = {}
    for depth in (200.0, 22.0, 18.0):
        tanker = load(INPUTS / "tanker", overrides={"hydrodynamics.water_depth": depth})
        model = FossenModel(tanker, 0.1)
        ship = Craft(model, model.start)
        ship.inputs.thrust = 60.0
        ship.advance(600.0)
        speeds[depth] = ship.motion.speed
        assert ship.state.aground == (depth == 18.0)
    assert 0.0 == speeds[18.0] < speeds[22.0] < speeds[200.0]


@slow
def test_the_nps_auv_rests_on_the_bottom():
    model = FossenModel(vessel("npsauv"))
    nps = Craft(model, model.start)
    nps.inputs.water_depth = 8.0
    nps.place(depth=6.0, speed=1.5)
    nps.inputs.thrust, nps.inputs.elevator = 80.0, 20.0
    nps.advance(60.0)
    assert nps.state.aground
    assert nps.motion.depth == pytest.approx(8.0, abs=1e-3)


@slow
def test_absurd_added_mass_is_named_as_the_cause():
    """Mavymini's HydRA file is in millimetres: a slow turn there is the energy of 220 m/s ahead."""
    mavymini = vessel("mavymini")
    x = mavymini.initial.copy()
    x[6:12] = [0.2, 0.1, 0.1, 0.1, 0.1, 0.3]
    with pytest.raises(OutsideEnvelope, match="cause: added mass of more than 20 times its own"):
        mavymini.step(x, np.zeros(7), mavymini.surroundings(), 0.01, 20000)
