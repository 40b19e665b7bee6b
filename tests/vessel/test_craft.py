"""The kinematic vessel as time advances."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway import vessel
from steerageway.peers.older.thrust_map_engines import Released
from steerageway.vessel.craft import Craft
from steerageway.vessel.drift import Drift
from steerageway.vessel.kinematic import KinematicParameters
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Motion
from steerageway.world.current_field import Grid


def at_sea(kind=Documented, *, dual_state=False, **parameters):
    return Craft(kind(KinematicParameters(**parameters)), Motion(), dual_state=dual_state)


def test_a_vessel_is_moved_by_the_time_that_passed():
    craft = at_sea()
    craft.drift = Drift(2, 0)
    craft.advance(0.25)
    craft.advance(1.0)
    assert craft.motion.x == 2
    assert craft.clock == 1


def test_a_pause_takes_no_way_and_leaves_no_jump():
    craft = at_sea()
    craft.drift = Drift(2, 0)
    craft.advance(1)
    craft.paused = True
    craft.advance(50)
    craft.paused = False
    craft.advance(51)
    assert craft.motion.x == 4


def test_waiting_takes_no_way():
    craft = at_sea()
    craft.drift = Drift(2, 0)
    craft.wait(10)
    craft.advance(11)
    assert craft.motion.x == 2


@pytest.mark.slow
@given(st.floats(-3, 3), st.floats(-100, 100))
def test_with_a_dual_state_only_the_truth_drifts(drift, rudder):
    craft, alone = at_sea(dual_state=True), at_sea()
    craft.drift = Drift(drift, 0)
    for each in (craft, alone):
        each.inputs.thrust = 60.0
        each.order_rudder(rudder, 0.0)
        for k in range(1, 5):
            each.advance(k * 0.25)
    assert craft.motion == alone.motion
    assert craft.true_motion.x - craft.motion.x == pytest.approx(drift)
    craft.fix()
    assert craft.motion == craft.true_motion


def test_placing_moves_both_records():
    craft = at_sea(dual_state=True)
    craft.place(x=5.0, heading=90.0)
    assert craft.motion == craft.true_motion == Motion(x=5, heading=90)


def test_a_current_field_adds_to_the_drift_where_the_vessel_is():
    craft = at_sea()
    craft.drift = Drift(0, 1)
    craft.field = Grid(((0.0, 10.0), (0.0,), (0.0,), (0.0,)), ((1.0, 0.0), (3.0, 0.0)))
    craft.place(x=5.0)
    assert craft.total_drift() == Drift(0, 1)
    craft.field_active = True
    assert craft.total_drift() == Drift(2, 1)
    craft.advance(0.5)
    assert craft.motion.x == 6


def test_a_field_that_changes_with_time_is_read_at_the_present_time():
    craft = at_sea()
    craft.field = Grid(((0.0,), (0.0,), (0.0,), (0.0, 10.0)), ((0.0, 0.0), (1.0, 0.0)))
    craft.field_active = True
    craft.advance(10)
    assert craft.motion.x == 10


def test_a_rudder_order_knows_how_long_ago_the_last_one_was():
    craft = at_sea(Released, max_rudder_rate=20)
    craft.order_rudder(50, 2.0)  # the first one: the rudder was amidships at time zero
    assert craft.inputs.rudder == 40
    craft.order_rudder(0, 2.5)
    assert craft.inputs.rudder == 30


def test_the_packages_example_goes_south():
    program = vessel.__doc__.split("\n\n", 1)[1]
    names = {}
    exec(dedent(program), names)
    motion = names["craft"].motion
    assert motion.y < -9
    assert (motion.speed, motion.heading) == (2, 180)


def test_a_vessel_that_is_carried_keeps_everything_but_its_place():
    craft = Craft(Documented(KinematicParameters()), Motion(x=1, y=2, heading=70, speed=3, depth=4))
    craft.carry(10, 20)
    assert craft.motion == craft.true_motion == Motion(10, 20, 70, 3, 4)


def test_the_record_without_drift_keeps_its_error_when_carried():
    craft = Craft(Documented(KinematicParameters()), Motion(), dual_state=True)
    craft.drift = Drift(2, 0)
    craft.advance(5)
    craft.carry(100, 50)
    assert (craft.true_motion.x, craft.true_motion.y) == (100, 50)
    assert (craft.motion.x, craft.motion.y) == (90, 50)
