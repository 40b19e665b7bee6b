"""The thrust-map vessel of the manual: each formula of its section 5, and what must always hold."""

from math import asin, cos, degrees, exp, inf, nan, radians, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.vessel.drift import Drift
from steerageway.vessel.errors import NotFinite
from steerageway.vessel.kinematic import KinematicParameters, TurnSpeedMap
from steerageway.vessel.kinematic_documented import Documented
from steerageway.vessel.model import Inputs, Motion
from steerageway.vessel.polar import PolarPlot, Wind
from steerageway.vessel.thrust_map import ThrustMap

MAP = ThrustMap(ahead=((100.0, 5.0),), reflect=True)
QUICK = {"thrust_map": MAP, "max_acceleration": 0.0, "max_deceleration": 0.0}
PERCENT = st.floats(-100, 100)
STEPS = st.sampled_from([0.05, 0.1, 0.25, 1.0])


def step(inputs, state=None, dt=0.25, **parameters):
    """Step a vessel that by default gains and loses speed at once."""
    model = Documented(KinematicParameters(**{**QUICK, **parameters}))
    return model.step(state or Motion(), inputs, dt)


def test_speed_is_the_thrust_maps():
    assert step(Inputs(thrust=40)).speed == 2
    assert step(Inputs(thrust=-40)).speed == -2


@pytest.mark.parametrize(
    ("loss", "rudder", "speed"), [(0.85, 100, 0.3), (0.5, -50, 1.5), (0, 100, 2)]
)
def test_rudder_costs_speed(loss, rudder, speed):
    after = step(Inputs(thrust=40, rudder=rudder), turn_spd_loss=loss)
    assert after.speed == pytest.approx(speed)


def test_acceleration_and_deceleration_are_limited():
    assert step(Inputs(thrust=100), max_acceleration=0.4).speed == pytest.approx(0.1)
    assert step(Inputs(), Motion(speed=3), max_deceleration=0.8).speed == pytest.approx(2.8)
    assert step(Inputs(thrust=60), Motion(speed=2.99), max_acceleration=0.4).speed == 3


def test_by_default_a_vessel_accelerates_by_half_a_metre_per_second_squared():
    model = Documented(KinematicParameters())
    assert model.step(Motion(), Inputs(thrust=100), 1.0).speed == 0.5
    assert model.step(Motion(speed=3), Inputs(), 1.0).speed == 2.5


def test_max_speed_bounds_the_vessel_itself():
    assert step(Inputs(thrust=100), max_speed=3.0).speed == 3
    assert step(Inputs(thrust=-100), max_speed=3.0).speed == -3


@given(PERCENT, st.floats(0, 100), st.floats(0, 100), STEPS)
def test_heading_changes_by_rudder_rate_and_thrust(rudder, rate, thrust, dt):
    before = Motion(heading=180.0)
    after = step(Inputs(rudder=rudder, thrust=thrust), before, dt, turn_rate=rate)
    expected = rudder * rate / 100 * dt * (1 + (abs(thrust) - 50) / 50)
    assert (after.heading - 180 - expected) % 360 == pytest.approx(0, abs=1e-9) or (
        after.heading - 180 - expected
    ) % 360 == pytest.approx(360, abs=1e-9)


def test_astern_the_rudder_acts_the_other_way():
    assert step(Inputs(rudder=50, thrust=-50), Motion(heading=90)).heading < 90


def test_a_turn_rate_of_zero_never_turns():
    assert step(Inputs(rudder=100, thrust=100), Motion(heading=90), turn_rate=0.0).heading == 90


def test_outside_forces_turn_a_vessel_at_rest():
    assert step(Inputs(rotate_speed=-8)).heading == 358


def test_the_turn_rate_may_grow_with_speed():
    growth = TurnSpeedMap(null_speed=1, null_rate=10, full_speed=3)
    inputs = Inputs(rudder=100, thrust=50)
    for speed, rate in ((0.5, 10), (2, 40), (4, 70)):
        factor = speed * 20 / 50
        inputs.thrust = speed * 20
        after = step(inputs, Motion(heading=180), turn_speed_map=growth, turn_spd_loss=0.0)
        assert after.heading - 180 == pytest.approx(rate * 0.25 * factor)


def test_a_map_of_turn_rates_ends_at_1_metre_a_second_and_the_vessels_own_rate():
    growth = TurnSpeedMap(null_rate=10)
    assert [growth.rate(speed, 70) for speed in (0, 0.5, 1, 3)] == [10, 40, 70, 70]


def test_the_distance_is_covered_at_the_mean_speed_on_the_mean_heading():
    before = Motion(x=10, y=20, heading=350, speed=2)
    after = step(Inputs(thrust=60, rudder=20), before, turn_spd_loss=0.0)
    turned = 20 * 0.7 * 0.25 * (1 + (60 - 50) / 50)
    along = radians(350 + turned / 2)
    assert after.x - 10 == pytest.approx(sin(along) * 2.5 * 0.25)
    assert after.y - 20 == pytest.approx(cos(along) * 2.5 * 0.25)
    assert after.speed_over_ground == pytest.approx(2.5)
    assert after.heading_over_ground == pytest.approx(350 + turned / 2)


@given(st.floats(-5, 5), st.floats(-5, 5), STEPS)
def test_drift_moves_a_vessel_exactly(east, north, dt):
    after = step(Inputs(drift=Drift(east, north)), Motion(x=1, y=2), dt)
    assert (after.x, after.y) == (1 + east * dt, 2 + north * dt)


@given(PERCENT, PERCENT, STEPS)
def test_without_thrust_and_drift_nothing_moves(rudder, elevator, dt):
    before = Motion(x=3, y=4, heading=77)
    after = step(Inputs(rudder=rudder, elevator=elevator), before, dt)
    assert after[:5] == before[:5]
    assert after.speed_over_ground == 0


@given(st.lists(st.tuples(PERCENT, PERCENT), min_size=1, max_size=8), st.floats(0, 3))
def test_a_mirrored_rudder_gives_a_mirrored_track(orders, radius):
    port = starboard = Motion()
    for rudder, thrust in orders:
        starboard = step(Inputs(rudder=rudder, thrust=thrust), starboard, turn_radius=radius)
        port = step(Inputs(rudder=-rudder, thrust=thrust), port, turn_radius=radius)
    assert port.x == pytest.approx(-starboard.x, abs=1e-9)
    assert port.y == pytest.approx(starboard.y, abs=1e-9)
    assert (port.heading + starboard.heading) % 360 == pytest.approx(0, abs=1e-9) or (
        port.heading + starboard.heading
    ) % 360 == pytest.approx(360, abs=1e-9)


@pytest.mark.parametrize(("thrust", "share"), [(20, 0.25), (40, 1.0), (100, 1.0)])
def test_depth_rate_grows_with_the_square_of_the_mean_speed(thrust, share):
    before = Motion(speed=thrust / 20, depth=10)
    after = step(Inputs(thrust=thrust, elevator=60), before, buoyancy_rate=0.0)
    assert after.depth - 10 == pytest.approx(share * 0.6 * 0.5 * 0.25)


def test_with_no_speed_for_the_full_depth_rate_any_speed_ahead_brings_it():
    before = Motion(speed=0.1, depth=10)
    inputs = Inputs(thrust=2, elevator=60)
    after = step(inputs, before, buoyancy_rate=0.0, max_depth_rate_speed=0.0)
    assert after.depth - 10 == pytest.approx(0.6 * 0.5 * 0.25)


def test_a_buoyant_vessel_rises_to_the_surface_and_no_further():
    assert step(Inputs(), Motion(depth=1), buoyancy_rate=0.4).depth == pytest.approx(0.9)
    assert step(Inputs(), Motion(depth=0.05), buoyancy_rate=0.4).depth == 0
    assert step(Inputs(), Motion(depth=1), buoyancy_rate=-0.4).depth == pytest.approx(1.1)


def test_the_bow_aligns_with_the_path():
    inputs, path = Inputs(thrust=40, elevator=100), -asin(0.5 / 2)
    now = Motion(speed=2, depth=10)
    pitches = []
    for _ in range(40):
        now = step(inputs, now)
        pitches.append(now.pitch)
    assert pitches[3] == pytest.approx(path * (1 - exp(-1)))  # after a second
    assert pitches[-1] == pytest.approx(path, rel=1e-3)
    assert step(Inputs(elevator=100)).pitch == 0


def test_commands_beyond_full_have_no_more_effect():
    before = Motion(speed=1, depth=5, heading=90)
    full = step(Inputs(rudder=100, thrust=100, elevator=100), before)
    assert step(Inputs(rudder=1e6, thrust=1e6, elevator=1e6), before) == full


def test_two_thrusters_drive_and_turn():
    even = step(Inputs(differential=True, thrust_left=40, thrust_right=40, rudder=90, thrust=9))
    assert even.speed == 2
    assert even.heading == 0
    spin = step(Inputs(differential=True, thrust_left=100, thrust_right=-100))
    assert spin.heading == pytest.approx(36 * 0.25)
    assert spin.speed == 0


@given(PERCENT, st.floats(1, 100), STEPS)
def test_in_reverse_the_vessel_goes_stern_first_and_keeps_its_bow_behind(rudder, thrust, dt):
    state = Motion(heading=40)
    for _ in range(4):
        state = step(Inputs(rudder=rudder / 10, thrust=thrust, reverse=True), state, dt)
        assert state.speed < 0
        course = state.heading_over_ground - state.heading
        assert cos(radians(course)) < 0


def test_in_reverse_rudder_turns_the_stern_as_it_turned_the_bow():
    before = Motion(heading=90)
    ahead = step(Inputs(rudder=10, thrust=50), before)
    astern = step(Inputs(rudder=10, thrust=50, reverse=True), before)
    assert astern.heading == ahead.heading
    left = step(Inputs(differential=True, thrust_left=60, thrust_right=20), before)
    back = step(Inputs(differential=True, thrust_left=60, thrust_right=20, reverse=True), before)
    assert (back.heading, back.speed) == (left.heading, -left.speed)


@given(st.floats(1, 50), st.floats(1, 5), PERCENT, STEPS)
def test_no_turn_is_tighter_than_the_minimum_radius(radius, speed, rudder, dt):
    before = Motion(heading=180, speed=speed)
    inputs = Inputs(thrust=20 * speed, rudder=rudder)
    after = step(inputs, before, dt, turn_radius=radius, turn_spd_loss=0.0)
    turned = abs(radians(after.heading - 180))
    chord = speed * dt
    assert 2 * radius * sin(turned / 2) <= chord * (1 + 1e-9) or turned < 1e-12


def test_drift_does_not_count_as_a_turn():
    inputs = Inputs(thrust=100, rudder=100, drift=Drift(50, 0))
    still = Inputs(thrust=100, rudder=100)
    before = Motion(speed=5)
    assert (
        step(inputs, before, turn_radius=30).heading == step(still, before, turn_radius=30).heading
    )


def test_below_max_speed_the_minimum_radius_shrinks():
    before = Motion(heading=180, speed=1)
    after = step(
        Inputs(thrust=20, rudder=100), before, turn_radius=40, max_speed=4.0, turn_spd_loss=0.0
    )
    assert after.heading - 180 == pytest.approx(2 * degrees(asin(0.25 / 20)))


def test_the_rudder_moves_at_its_own_pace():
    state = Motion()
    angles = []
    for _ in range(4):
        state = step(Inputs(rudder=25, thrust=50), state, max_rudder_rate=40)
        angles.append(state.rudder)
    assert angles == [10, 20, 25, 25]


def test_wind_bounds_the_speed_and_dead_upwind_stops_a_sailor():
    plot = PolarPlot.read("60,80: 180,50")
    inputs = Inputs(thrust=100, wind=Wind(5, 0))
    assert step(inputs, Motion(heading=60), polar_plot=plot).speed == 4
    assert step(inputs, Motion(heading=0), polar_plot=plot).speed == 0
    assert step(inputs, Motion(heading=60)).speed == 5


def test_wind_does_not_bound_two_thrusters():
    plot = PolarPlot.read("60,80: 180,50")
    inputs = Inputs(differential=True, thrust_left=100, thrust_right=100, wind=Wind(5, 0))
    assert step(inputs, Motion(heading=0), polar_plot=plot).speed == 5


@pytest.mark.parametrize("dt", [0, -1, -1e-9])
def test_no_time_changes_nothing(dt):
    before = Motion(x=1, y=2, heading=3, speed=4, depth=5)
    assert step(Inputs(thrust=100, rudder=100, drift=Drift(9, 9)), before, dt) is before


@pytest.mark.parametrize("bad", [nan, inf])
def test_a_state_that_is_no_number_carries_the_last_good_one(bad):
    before = Motion(x=1, y=2)
    with pytest.raises(NotFinite, match="the last good one: Motion") as caught:
        step(Inputs(drift=Drift(bad, 0)), before)
    assert caught.value.last_good is before
    assert "x = " in caught.value.what


@given(PERCENT, PERCENT, PERCENT, STEPS)
def test_the_heading_stays_in_the_circle_and_the_vessel_in_the_water(rudder, thrust, elevator, dt):
    state = Motion()
    for _ in range(5):
        inputs = Inputs(rudder=rudder, thrust=thrust, elevator=elevator)
        state = step(inputs, state, dt)
        assert 0 <= state.heading < 360
        assert state.depth >= 0
        assert abs(state.speed) <= 5
        assert sqrt(state.x**2 + state.y**2) <= 25


def test_placing_brings_the_heading_into_the_circle():
    model = Documented(KinematicParameters())
    assert model.placed(Motion(x=5), heading=-90.0) == Motion(x=5, heading=270)


LIMITS = (
    *("turn_radius", "max_speed", "max_acceleration", "max_deceleration"),
    *("max_rudder_rate", "max_depth_rate_speed"),
)


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_of_0_in_a_file_is_none(name):
    """In MOOS-IvP's files 0 is no limit; a small limit is one, and acts as such."""
    none, least = (KinematicParameters(**{name: value}) for value in (0.0, 1e-6))
    assert getattr(none, name) is None
    assert getattr(least, name) == 1e-6
