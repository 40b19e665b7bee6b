"""Fossen vessels behind the interface of every vessel, with the Otter as example."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.craft import FossenModel
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.folder import load
from steerageway.vessel.fossen.orders import orders_of

pytestmark = pytest.mark.slow  # compiles, unless the cache is warm
OTTER = Path(__file__).parents[3] / "inputs" / "otter"


@cache
def otter() -> Dynamics:
    return load(OTTER)


def craft(time_step: float = 0.02, **inputs: float) -> Craft:
    model = FossenModel(otter(), time_step)
    made = Craft(model, model.start)
    for name, value in inputs.items():
        setattr(made.inputs, name, value)
    return made


def test_a_trace_is_its_steps():
    around = otter().surroundings((0.2, 0.1, 0.0))
    rows = otter().trace(otter().initial, [80.0, 60.0], around, 0.02, 50)
    for steps in (1, 17, 50):
        x = otter().step(otter().initial, [80.0, 60.0], around, 0.02, steps)
        assert np.array_equal(rows[steps - 1, 0], x)
        assert np.array_equal(rows[steps - 1, 1], otter().derivative(x, [80.0, 60.0], around))


@pytest.mark.parametrize("heading", [0.0, 90.0, 200.0])
def test_the_vessel_moves_along_its_heading(heading):
    boat = craft(thrust=50.0)
    boat.place(heading=heading)
    boat.advance(20.0)
    x, y = boat.motion.x, boat.motion.y
    assert (x, y) == pytest.approx(
        (np.hypot(x, y) * sin(radians(heading)), np.hypot(x, y) * cos(radians(heading))), abs=1e-6
    )
    assert boat.motion.heading == pytest.approx(heading, abs=1e-6)
    assert boat.motion.speed == pytest.approx(boat.motion.speed_over_ground, rel=1e-3)


def test_rudder_to_starboard_turns_to_starboard():
    boat = craft(thrust=30.0, rudder=10.0)
    boat.advance(5.0)
    assert 1.0 < boat.motion.heading < 90.0


def test_the_track_does_not_depend_on_how_time_is_cut():
    fine, coarse = craft(thrust=40.0, rudder=5.0), craft(thrust=40.0, rudder=5.0)
    for k in range(1, 301):
        fine.advance(k * 0.07)
    coarse.advance(21.0)
    assert fine.state.late == coarse.state.late == 0
    assert np.array_equal(fine.state.x, coarse.state.x)


def test_between_grid_points_the_last_one_is_seen():
    boat = craft(time_step=0.1, thrust=40.0)
    boat.advance(1.0)
    before = boat.motion
    boat.advance(1.07)
    assert boat.motion == before
    assert boat.state.late == 70_000_000


def test_a_dead_ship_drifts_with_the_water_at_zero_relative_speed():
    boat = craft()
    boat.drift = Drift(0.3, -0.4)
    boat.advance(10.0)
    assert (boat.motion.x, boat.motion.y) == pytest.approx((3.0, -4.0), abs=0.02)  # it settles
    assert boat.motion.speed == pytest.approx(0.0, abs=2e-3)
    assert boat.motion.speed_over_ground == pytest.approx(0.5, abs=2e-3)
    assert boat.motion.heading_over_ground == pytest.approx(143.13, abs=0.2)


def test_a_reset_run_equals_a_fresh_run():
    pose = {"x": 5.0, "y": -7.0, "heading": 30.0, "speed": 1.0, "depth": 0.0}
    fresh, reset = craft(), craft()
    fresh.drift = reset.drift = Drift(0.2, 0.1)
    reset.advance(12.0)
    for boat, now in ((fresh, 0.0), (reset, 12.0)):
        boat.place(**pose)
        boat.advance(now + 8.0)
    assert np.array_equal(fresh.state.x, reset.state.x)


def test_external_turning_turns_the_vessel():
    boat = craft()
    boat.inputs.rotate_speed = 2.0
    boat.advance(3.0)
    assert boat.motion.heading == pytest.approx(6.0, abs=0.2)


def test_a_paused_vessel_stays():
    boat = craft(thrust=50.0)
    boat.advance(5.0)
    before, boat.paused = boat.motion, True
    boat.advance(10.0)
    assert boat.motion == before


def test_commands_of_actuators_come_before_orders():
    boat = craft(thrust=50.0)
    boat.inputs.commands = [0.0, 0.0]
    boat.advance(5.0)
    assert abs(boat.motion.speed) < 0.05


def test_the_default_map_steers_a_catamaran_by_its_thrusters():
    assert orders_of(otter()).weights == pytest.approx(
        np.array([[1, 1, 0, 1, 0], [-1, 1, 0, 0, 1]])
    )


def test_a_map_replaces_the_default_for_the_actuators_it_names():
    found = orders_of(replace(otter(), actuator_map="th_2: 0.5*thrust - thrust_r"))
    assert found.weights[0] == pytest.approx([1, 1, 0, 1, 0])
    assert found.weights[1] == pytest.approx([0, 0.5, 0, 0, -1])
    assert not found.serves("elevator")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("th_3:thrust", r"th_3: .*did you mean th_[12]\?"),
        ("th_1:push", "push: .*expected"),
        ("th_1", "^th_1: expected <actuator>:<order>"),
        ("th_1:2thrust", "^2thrust: expected <actuator>:<order>"),
    ],
)
def test_a_map_that_makes_no_sense_is_refused(text, expected):
    with pytest.raises(InvalidValue, match=expected):
        orders_of(replace(otter(), actuator_map=text))


def test_a_turn_rate_cannot_be_set_by_mail():
    with pytest.raises(InvalidValue, match="turn_rate"):
        craft().model.tuned(turn_rate=50.0)


def test_steps_in_which_an_actuator_would_swing_ever_further_are_refused():
    """Within the bound a propeller settles at its command; beyond, it never would."""
    constant = 0.05
    quick = load(OTTER, overrides={f"thrusters.thrusters.{i}.T_prop": constant for i in (1, 2)})
    bound = 2.785 * constant  # where 1 - z + z^2/2 - z^3/6 + z^4/24 is 1 again
    commands, around = [50.0, 50.0], quick.surroundings()
    FossenModel(quick, 0.99 * bound)
    settled = quick.step(quick.initial, commands, around, 0.99 * bound, 2000)
    swung = quick.step(quick.initial, commands, around, 1.01 * bound, 500)
    assert settled[12:] == pytest.approx(commands, rel=1e-6)
    assert abs(swung[12:]).min() > 1e4
    with pytest.raises(InvalidValue, match=r"otter has .* th_1: .* 0\.139 s or less"):
        FossenModel(quick, 1.01 * bound)
