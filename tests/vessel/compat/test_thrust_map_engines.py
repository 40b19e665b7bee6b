"""Vessel models of the released simulators, by hand calculation; whole runs are in the library."""

from math import asin, atan2, cos, degrees, hypot, pi, radians, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.geometry.marine import angle180
from steerageway.peers.older.thrust_map import ReleasedThrustMap
from steerageway.peers.older.thrust_map_engines import Legacy, Released
from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import NotFinite
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.model import Inputs, Motion
from steerageway.vessel.polar import PolarPlot, Wind

QUICK = {
    "thrust_map": ReleasedThrustMap(reflect=True),
    "max_acceleration": 0.0,
    "max_deceleration": 0.0,
}
PERCENT = st.floats(-100, 100)


def step(inputs, state=None, dt=0.25, kind=Released, **parameters):
    model = kind(KinematicParameters(**{**QUICK, **parameters}))
    return model.step(state or Motion(), inputs, dt)


def test_the_mean_speed_is_kept_so_half_the_gap_closes_in_a_step():
    state = Motion()
    for expected in (1, 1.5, 1.75):
        state = step(Inputs(thrust=40), state)
        assert state.speed == expected


@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_the_kept_speed_is_the_length_of_the_velocity_with_its_sign(speed):
    """To the last bit: the remainder when a speed vanishes determines the pitch."""
    heading = 0.7 / 180 * pi
    along = atan2(2 * sin(heading), 2 * cos(heading))
    after = step(Inputs(thrust=20 * speed), Motion(heading=0.7, speed=speed))
    assert abs(after.speed) == hypot(sin(along) * speed, cos(along) * speed)
    assert after.speed * speed > 0


def test_acceleration_comes_out_at_half_its_limit():
    assert step(Inputs(thrust=100), max_acceleration=0.4).speed == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("kind", "turn"), [(Released, 100 * 0.28 * 0.8 * 0.25), (Legacy, 100 * 0.7 * 0.8 * 0.25)]
)
def test_only_the_newer_turn_rate_grows_with_speed(kind, turn):
    after = step(Inputs(thrust=40, rudder=100), Motion(heading=90), kind=kind, turn_spd_loss=0.0)
    assert after.heading - 90 == pytest.approx(turn)


def test_a_turn_rate_of_zero_keeps_the_previous_one():
    inputs = Inputs(thrust=100, rudder=10)
    before = Motion(heading=90)
    model = Released(KinematicParameters(**QUICK))
    assert model.tuned(turn_rate=0.0).step(before, inputs, 0.25).heading > 90
    assert (
        Legacy(KinematicParameters(**QUICK)).tuned(turn_rate=0.0).step(before, inputs, 0.25).heading
        == 90
    )
    slower = model.tuned(turn_rate=35.0).step(before, inputs, 0.25).heading
    assert slower - 90 == pytest.approx((model.step(before, inputs, 0.25).heading - 90) / 2)


def test_a_vessel_that_makes_no_speed_does_not_turn():
    after = step(Inputs(thrust=50, rudder=100), Motion(heading=90), turn_spd_loss=1.0)
    assert after.heading == 90


def test_the_null_point_of_the_turn_speed_map_is_used():
    growth = TurnSpeedMap(null_speed=1, null_rate=10, full_speed=5)
    inputs = Inputs(thrust=20, rudder=50)
    after = step(inputs, Motion(heading=90), turn_speed_map=growth, turn_spd_loss=0.0)
    assert after.heading - 90 == pytest.approx(50 * 0.10 * 0.25 * 0.4)


def test_dive_follows_the_square_root_of_speed_and_feeds_the_pitch_back():
    inputs = Inputs(thrust=10, elevator=50)
    first = step(inputs, Motion(depth=10))
    act = 0.5 * sqrt(0.5 / 2) * 0.5
    assert first.depth - 10 == pytest.approx((act - 0.025) * 0.25)
    assert first.pitch == pytest.approx(-asin(act / 0.5))
    second = step(inputs, first)
    assert second.depth - first.depth == pytest.approx((2 * act - 0.025) * 0.25)
    fourth = step(inputs, step(inputs, second))
    assert fourth.pitch == pytest.approx(-asin(4 * act / 0.5))
    assert step(inputs, fourth).pitch == 0


def test_without_speed_the_vessel_only_rises():
    after = step(Inputs(elevator=100), Motion(depth=10, pitch=0.3))
    assert (after.depth, after.pitch) == (pytest.approx(10 - 0.025 * 0.25), 0)


def test_full_depth_rate_at_any_speed_when_its_speed_is_zero():
    after = step(Inputs(thrust=2, elevator=10), Motion(depth=10), max_depth_rate_speed=0.0)
    assert after.depth - 10 == pytest.approx((0.05 - 0.025) * 0.25)


def test_the_rudder_moves_at_most_100_in_an_order():
    model = Released(KinematicParameters(**QUICK))
    assert model.order_rudder(-100, 100, 0.25) == 0
    assert model.order_rudder(0, 100, 0.25) == 100
    limited = Released(KinematicParameters(**QUICK, max_rudder_rate=30))
    assert limited.order_rudder(0, 100, 0.5) == 15
    assert limited.order_rudder(0, -100, 0.5) == -15
    assert limited.order_rudder(0, 10, 0.5) == 10


def test_thrusters_opposed_turn_at_36_degrees_a_second():
    spin = Inputs(differential=True, thrust_left=150, thrust_right=-100)
    assert step(spin).heading == pytest.approx(36 * 0.25)


@given(st.floats(1, 50), st.floats(1, 100), st.floats(10, 100))
def test_the_minimum_radius_bounds_the_turn(radius, rudder, thrust):
    before = Motion(heading=180, speed=thrust / 20)
    inputs = Inputs(thrust=thrust, rudder=rudder)
    after = step(inputs, before, turn_radius=radius, turn_spd_loss=0.0)
    free = step(inputs, before, turn_spd_loss=0.0)
    chord = thrust / 20 * 0.25
    assert hypot(after.x, after.y) == pytest.approx(chord)
    most = 2 * degrees(asin(chord / (2 * radius)))
    expected = angle180(free.heading - 180)
    assert angle180(after.heading - 180) == pytest.approx(min(most, expected), abs=1e-6)


def test_the_minimum_radius_holds_to_port_and_shrinks_below_max_speed():
    before = Motion(heading=180, speed=1)
    inputs = Inputs(thrust=20, rudder=-100)
    bounds = {"turn_radius": 40.0, "turn_spd_loss": 0.0}
    after = step(inputs, before, **bounds)
    assert 180 - after.heading == pytest.approx(2 * degrees(asin(0.25 / 80)))
    after = step(inputs, before, **bounds, max_speed=2.0)
    assert 180 - after.heading == pytest.approx(2 * degrees(asin(0.25 / 40)))


def test_the_minimum_radius_uses_the_mean_of_the_new_and_the_kept_speed():
    # from 0 to 2 m/s: 1 m/s is kept, a way of 0.25 m; the mean is 1.5, so R = 40 * 1.5 / 2 = 30 m
    bounds = {"turn_radius": 40.0, "max_speed": 2.0, "turn_spd_loss": 0.0}
    after = step(Inputs(thrust=40, rudder=100), Motion(heading=90), **bounds)
    assert after.heading - 90 == pytest.approx(2 * degrees(asin(0.25 / 60)))


@pytest.mark.parametrize(("max_speed", "radius"), [(0.0, 5.0), (2.0, -2.5)])
def test_a_minimum_radius_moves_the_vessel_ahead_when_turning_astern(max_speed, radius):
    # -1 m/s by both thrusters: the way points 180 degrees off the bow, more than any asin, so it is
    # laid along the bow; below max_speed R = 5 * -1 / 2, and the turn is to the other side
    astern = Inputs(differential=True, thrust_left=-10, thrust_right=-30)
    bounds = {"turn_radius": 5.0, "max_speed": max_speed, "turn_spd_loss": 0.0}
    after = step(astern, Motion(heading=90, speed=-1), **bounds)
    turn = asin(0.25 / (2 * radius))
    assert (after.x, after.y) == pytest.approx((0.25 * cos(turn), -0.25 * sin(turn)))
    assert after.heading - 90 == pytest.approx(2 * degrees(turn))
    assert after.speed == -1


@pytest.mark.parametrize(("max_speed", "turn"), [(0.0, 0.0), (2.0, 2.5)])
def test_at_rest_a_minimum_radius_that_shrinks_with_speed_bounds_nothing(max_speed, turn):
    # the chord is 0: asin(0 / 2R) allows no turn, but with R = 0, too, there is no such angle
    bounds = {"turn_radius": 5.0, "max_speed": max_speed}
    after = step(Inputs(rotate_speed=10), Motion(heading=90), **bounds)
    assert after.heading - 90 == turn


def test_a_chord_longer_than_the_circle_is_not_bounded():
    inputs = Inputs(thrust=100, rudder=100)
    free = step(inputs, Motion(speed=5), 1.0, turn_spd_loss=0.0)
    assert step(inputs, Motion(speed=5), 1.0, turn_radius=2.0, turn_spd_loss=0.0) == free


def test_sailing_reads_the_plot_at_whole_degrees_and_not_at_zero():
    plot = PolarPlot.read("60,80: 180,50")
    inputs = Inputs(thrust=100, wind=Wind(5, 0))
    exact = step(inputs, Motion(heading=30), polar_plot=plot).speed
    assert step(inputs, Motion(heading=30.4), polar_plot=plot).speed == exact
    assert step(inputs, Motion(heading=0.2), polar_plot=plot).speed == 2.5


@pytest.mark.parametrize(
    ("heading", "speed"), [(359.4, 1.0), (359.6, 2.5), (0.0, 1.0), (-0.3, 2.5)]
)
def test_the_plot_is_a_table_that_ends_at_degree_359(heading, speed):
    # 40 % of 5 m/s everywhere, half of it kept; what degree 360 says is 0, which bounds nothing
    inputs = Inputs(thrust=100, wind=Wind(5, 0))
    plot = PolarPlot.read("0,40: 180,40")
    assert step(inputs, Motion(heading=heading), polar_plot=plot).speed == speed


@pytest.mark.parametrize(("direction", "off"), [(10.4, 30), (10.5, 29), (370.0, 30), (70.4, 30)])
def test_the_plot_is_turned_by_whole_degrees_of_the_wind(direction, off):
    # 1 % a degree up to 60 degrees, of 10 m/s; half of it is kept
    inputs = Inputs(thrust=100, wind=Wind(10, direction))
    after = step(inputs, Motion(heading=40), polar_plot=PolarPlot.read("60,60"))
    assert after.speed == pytest.approx(off / 20)


@given(PERCENT, st.floats(1, 100))
def test_in_reverse_the_heading_does_not_turn_round(rudder, thrust):
    state = Motion(heading=40)
    for _ in range(4):
        before, state = state, step(Inputs(rudder=rudder, thrust=thrust, reverse=True), state)
        assert abs(angle180(state.heading - before.heading)) < 50
        assert state.speed <= 0


@given(PERCENT, PERCENT, st.floats(0, 359))
def test_without_thrust_and_drift_nothing_moves(rudder, elevator, heading):
    before = Motion(x=3, y=4, heading=heading)
    after = step(Inputs(rudder=rudder, elevator=elevator), before)
    assert after[:5] == before[:5]


@given(st.floats(-5, 5), st.floats(-5, 5))
def test_drift_moves_a_vessel_exactly(east, north):
    after = step(Inputs(drift=Drift(east, north)), Motion(x=1, y=2))
    assert (after.x, after.y) == (1 + east * 0.25, 2 + north * 0.25)


@given(st.lists(st.tuples(PERCENT, PERCENT), min_size=1, max_size=8))
def test_a_mirrored_rudder_gives_a_mirrored_track(orders):
    port = starboard = Motion()
    for rudder, thrust in orders:
        starboard = step(Inputs(rudder=rudder, thrust=thrust), starboard)
        port = step(Inputs(rudder=-rudder, thrust=thrust), port)
    assert (port.x, port.y) == pytest.approx((-starboard.x, starboard.y), abs=1e-9)


def test_no_time_changes_nothing():
    before = Motion(x=1, heading=370)
    assert step(Inputs(thrust=100), before, 0) is before


def test_placing_leaves_the_heading_as_it_is():
    assert Released(KinematicParameters()).placed(Motion(), heading=-90.0).heading == -90


def test_a_state_that_is_no_number_carries_the_last_good_one():
    before = Motion(x=1)
    with pytest.raises(NotFinite) as caught:
        step(Inputs(drift=Drift(0, float("inf"))), before)
    assert caught.value.last_good is before


def test_pitch_feedback_is_that_of_the_path():
    """The rate a pitch brings is -sin(pitch) times the speed."""
    after = step(Inputs(thrust=40), Motion(depth=10, pitch=radians(-10)), buoyancy_rate=0.0)
    assert after.depth - 10 == pytest.approx(sin(radians(10)) * 2 * 0.25)
