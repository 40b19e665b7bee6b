"""The marine PID against numbers worked by hand from its documented law."""

from dataclasses import replace
from math import degrees, radians

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.vessel.pid import Gains, Output, PidEngine, PidParameters, RudderBias, ScalarPid

YAW = Gains(kp=0.9, kd=0.3, ki=0.3, integral_limit=0.07)
SURFACE = PidParameters(yaw=YAW, speed_factor=20.0, depth_control=False)
SUBMARINE = replace(SURFACE, depth_control=True, z_to_pitch=Gains(kp=0.1), pitch=Gains(kp=0.5))


def engine_with(
    parameters: PidParameters,
    time: float = 0.0,
    *,
    want: tuple[float, float, float] = (90.0, 2.0, 0.0),
    have: tuple[float, float, float] = (80.0, 0.0, 0.0),
    pitch: float = 0.0,
) -> PidEngine:
    """Return an engine in control with headings, speeds and depths of one time."""
    engine = PidEngine(parameters)
    engine.take_control()
    set_inputs(engine, time, want=want, have=have, pitch=pitch)
    return engine


def set_inputs(
    engine: PidEngine,
    time: float,
    *,
    want: tuple[float, float, float] = (90.0, 2.0, 0.0),
    have: tuple[float, float, float] = (80.0, 0.0, 0.0),
    pitch: float = 0.0,
) -> None:
    desired = (engine.desired_heading, engine.desired_speed, engine.desired_depth)
    measured = (engine.heading, engine.speed, engine.depth)
    for quantity, value in zip(desired + measured, want + have, strict=True):
        quantity.tell(value, time)
    engine.pitch.tell(pitch, time)


def test_first_step_is_proportional_alone():
    assert ScalarPid(YAW, 100).step(10.0, 5.0) == pytest.approx(9.0)


def test_second_step_adds_rate_and_bounded_integral():
    pid = ScalarPid(YAW, 100)
    pid.step(10.0, 0.0)
    # rate (8 - 10) / 0.1 = -20; integral 0.3 * 8 * 0.1 = 0.24, bounded to 0.07
    assert pid.step(8.0, 0.1) == pytest.approx(0.9 * 8 + 0.3 * -20 + 0.07)


def test_rate_is_the_mean_of_the_last_nine_differences():
    pid = ScalarPid(Gains(kd=1.0), 100)
    pid.step(0.0, 0.0)
    jump = [pid.step(9.0, k) for k in range(1, 12)]
    means = [9 / k for k in range(1, 10)]  # the jump among k differences
    assert jump == pytest.approx([*means, 0.0, 0.0])


def test_integral_is_the_sum_of_error_times_time():
    pid = ScalarPid(Gains(ki=0.5, integral_limit=100), 1000)
    for k in range(5):
        pid.step(2.0, 0.5 * k)
    assert pid.output == pytest.approx(0.5 * 2.0 * 2.0)


@pytest.mark.parametrize("ki", [0.0, -1.0])
def test_integral_needs_a_positive_gain(ki: float):
    pid = ScalarPid(Gains(ki=ki, integral_limit=100), 100)
    pid.step(2.0, 0.0)
    assert pid.step(2.0, 10.0) == 0.0


def test_two_steps_at_one_time_give_the_same_output():
    pid = ScalarPid(YAW, 100)
    first = pid.step(10.0, 1.0)
    assert pid.step(-50.0, 1.0) == first


def test_time_running_backwards_is_an_error():
    pid = ScalarPid(YAW, 100)
    pid.step(10.0, 1.0)
    with pytest.raises(ValueError, match="before"):
        pid.step(10.0, 0.9)


def test_output_is_bounded_and_marked():
    pid = ScalarPid(Gains(kp=1.0), 5.0)
    assert (pid.step(4.0, 0.0), pid.saturated) == (4.0, False)
    assert (pid.step(-7.0, 1.0), pid.saturated) == (-5.0, True)


steps = st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(1e-3, 1e3)), min_size=1, max_size=30)
gain = st.floats(-100, 100)
limit = st.floats(0, 100)


@settings(max_examples=50)
@given(gain, gain, gain, limit, limit, steps)
def test_output_and_integral_stay_within_limits(kp, kd, ki, integral_limit, output_limit, errors):
    pid = ScalarPid(Gains(kp, kd, ki, integral_limit), output_limit)
    time = 0.0
    for error, elapsed in errors:
        time += elapsed
        assert abs(pid.step(error, time)) <= output_limit
        assert abs(pid.integral) <= integral_limit


def test_rudder_turns_the_short_way():
    gains = replace(SURFACE, yaw=Gains(kp=1.0))
    assert engine_with(gains, want=(10, 2, 0), have=(350, 0, 0)).step(0.1).rudder == pytest.approx(
        20
    )
    assert engine_with(gains, want=(350, 2, 0), have=(10, 0, 0)).step(0.1).rudder == pytest.approx(
        -20
    )


def test_rudder_is_clipped_to_max_rudder():
    engine = engine_with(replace(SURFACE, max_rudder=30.0), want=(170, 2, 0), have=(0, 0, 0))
    assert engine.step(0.1).rudder == 30.0


def test_thrust_is_speed_factor_times_desired_speed():
    assert engine_with(SURFACE, want=(90, 1.2, 0)).step(0.1).thrust == pytest.approx(24.0)


def test_speed_factor_can_change_while_running():
    engine = engine_with(SURFACE)
    engine.speed_factor = 5.0
    assert engine.step(0.1).thrust == pytest.approx(10.0)


def test_thrust_is_clipped_to_max_thrust():
    assert engine_with(replace(SURFACE, max_thrust=33.0)).step(0.1).thrust == 33.0


def test_by_default_the_bounds_are_those_of_moos_ivp():
    p = PidParameters()
    bounds = (p.max_rudder, p.max_thrust, p.max_pitch, p.max_elevator, p.tardy_helm, p.tardy_nav)
    assert bounds == (100, 100, 15, 13, 2, 2)
    assert (p.depth_control, p.simulation, p.sim_instability, p.speed_factor) == (True, False, 0, 0)


def test_without_a_factor_the_speed_loop_adds_to_the_last_thrust():
    engine = engine_with(replace(SURFACE, speed_factor=0.0, speed=Gains(kp=3.0)), have=(80, 0.5, 0))
    assert [engine.step(0.1 * k).thrust for k in (1, 2, 3)] == pytest.approx([4.5, 9.0, 13.5])


def test_there_is_no_reverse_thrust():
    output = engine_with(SURFACE, want=(90, -2.0, 0)).step(0.1)
    assert output == Output(0.0, 0.0, 0.0, live=True, in_control=True)


def test_no_rudder_and_no_elevator_without_thrust():
    submarine = engine_with(SUBMARINE, want=(90, 0.0004, 20), have=(0, 0, 0))  # 0.008 % of thrust
    output = submarine.step(0.1)
    assert (output.rudder, output.thrust, output.elevator) == (0.0, 0.0, 0.0)


def test_yaw_loop_pauses_without_thrust():
    engine = engine_with(SURFACE, want=(90, 0, 0), have=(0, 0, 0))
    engine.step(0.1)
    set_inputs(engine, 0.2, want=(90, 2, 0), have=(80, 0, 0))
    assert engine.step(0.2).rudder == pytest.approx(9.0)  # a first step: no rate, no integral


def test_elevator_follows_depth_through_pitch():
    engine = engine_with(SUBMARINE, want=(90, 2, 12), have=(90, 2, 10), pitch=0.05)
    # depth error -2 m, pitch wanted -0.2 rad, pitch error 0.25 rad, elevator 0.125 rad
    assert engine.step(0.1).elevator == pytest.approx(degrees(0.125))


def test_desired_pitch_is_clipped_to_max_pitch_in_degrees():
    parameters = replace(SUBMARINE, max_pitch=5.0, max_elevator=90.0)
    engine = engine_with(parameters, want=(90, 2, 100), have=(90, 2, 0))
    assert engine.step(0.1).elevator == pytest.approx(0.5 * 5.0)


def test_default_max_pitch_is_fifteen_degrees():
    engine = engine_with(replace(SUBMARINE, max_elevator=90.0), want=(90, 2, 100), have=(90, 2, 0))
    assert engine.step(0.1).elevator == pytest.approx(0.5 * 15.0)


def test_elevator_is_clipped_to_max_elevator_in_degrees():
    engine = engine_with(SUBMARINE, want=(90, 2, 0), have=(90, 2, 0), pitch=radians(80))
    assert engine.step(0.1).elevator == pytest.approx(13.0)
    assert engine.pitch_pid.saturated


def test_surface_vessel_needs_no_depth():
    engine = PidEngine(SURFACE)
    engine.take_control()
    for quantity in (engine.desired_heading, engine.desired_speed, engine.heading, engine.speed):
        quantity.tell(1.0, 0.0)
    assert engine.step(0.1).live
    assert engine.step(0.1).elevator == 0.0


headings = st.floats(-1e4, 1e4)
speeds = st.floats(-50, 50)
depths = st.floats(-1e3, 1e3)


@settings(max_examples=50)
@given(
    st.lists(st.tuples(headings, speeds, depths, headings, speeds, depths), max_size=20),
    st.floats(0, 100),
    st.floats(0, 90),
)
def test_outputs_stay_within_limits(samples, largest, largest_angle):
    parameters = PidParameters(
        yaw=Gains(9, 3, 3, 70), speed=Gains(5, 1, 1, 10), z_to_pitch=Gains(1, 1, 1, 1),
        pitch=Gains(2, 1, 1, 1), max_rudder=largest, max_thrust=largest, max_pitch=largest_angle,
        max_elevator=largest_angle, sim_instability=50,
    )  # fmt: skip
    engine = engine_with(parameters)
    for k, (a, b, c, d, e, f) in enumerate(samples):
        set_inputs(engine, float(k), want=(a, b, c), have=(d, e, f), pitch=c / 1000)
        output = engine.step(float(k))
        assert abs(output.rudder) <= largest
        assert 0 <= output.thrust <= largest
        assert abs(output.elevator) <= largest_angle


def test_bias_is_a_sawtooth_that_changes_sides():
    bias = RudderBias(20.0)
    times = [3.0, 5.5, 13.0, 13.1, 18.1, 23.2]
    assert [bias.at(time) for time in times] == pytest.approx([0, -5, -20, 0, 10, 0])


def test_bias_is_added_to_the_rudder():
    engine = engine_with(replace(SURFACE, sim_instability=20.0), have=(90, 0, 0))
    engine.step(0.0)
    set_inputs(engine, 5.0, have=(90, 0, 0))
    assert engine.step(5.0).rudder == pytest.approx(-10.0)


def test_rudder_with_bias_is_clipped():
    parameters = replace(SURFACE, sim_instability=20.0, max_rudder=6.0)
    engine = engine_with(parameters, have=(90, 0, 0))
    engine.step(0.0)
    set_inputs(engine, 5.0, have=(90, 0, 0))
    assert engine.step(5.0).rudder == -6.0


INPUTS = {
    "desired_heading": "DesHdg",
    "desired_speed": "DesSpd",
    "desired_depth": "DesDepth",
    "heading": "NavHdg",
    "speed": "NavSpd",
    "depth": "NavDep",
    "pitch": "NavPitch",
}


@pytest.mark.parametrize("attribute", INPUTS)
def test_there_is_no_output_before_every_input_is_set(attribute: str):
    engine = engine_with(SUBMARINE)
    getattr(engine, attribute).forget()
    assert engine.step(0.1) == Output(0.0, 0.0, 0.0, live=False, in_control=False)


@pytest.mark.parametrize(("attribute", "name"), INPUTS.items())
def test_an_input_older_than_its_threshold_is_named_and_stops_the_vessel(attribute, name):
    engine = engine_with(SUBMARINE, 10.0)
    set_inputs(engine, 12.5)
    getattr(engine, attribute).tell(0.0, 10.0)
    output = engine.step(12.5)
    assert output[:5] == (0.0, 0.0, 0.0, False, False)
    assert output.stale == ((name, 2.5),)


def test_an_input_exactly_at_its_threshold_is_fresh():
    assert engine_with(SURFACE, 1.0).step(3.0).live


def test_thresholds_of_helm_and_of_navigation_are_separate():
    engine = engine_with(replace(SURFACE, tardy_helm=5.0, tardy_nav=0.5))
    assert [name for name, _ in engine.step(1.0).stale] == ["NavHdg", "NavSpd"]
    engine = engine_with(replace(SURFACE, tardy_helm=0.5, tardy_nav=5.0))
    assert [name for name, _ in engine.step(1.0).stale] == ["DesHdg", "DesSpd"]


def test_a_fresh_input_ends_staleness():
    engine = engine_with(SURFACE)
    assert not engine.step(9.0).live
    set_inputs(engine, 9.0)
    assert engine.step(9.1).in_control


def test_simulation_takes_inputs_of_any_age_and_keeps_control():
    output = engine_with(replace(SURFACE, simulation=True)).step(1000.0)
    assert output.in_control
    assert output.thrust == pytest.approx(40.0)


def test_override_holds_at_the_start():
    engine = PidEngine(SURFACE)
    set_inputs(engine, 0.0)
    output = engine.step(0.1)
    assert (output.live, output.in_control) == (True, False)


def test_taking_control_requires_every_input_again():
    engine = engine_with(SURFACE)
    engine.give_up_control()
    assert not engine.step(0.1).in_control
    engine.take_control()
    assert not engine.step(0.2).live
    set_inputs(engine, 0.2)
    assert engine.step(0.3).in_control


def test_taking_control_twice_resets_nothing():
    engine = engine_with(SURFACE)
    engine.take_control()
    assert engine.step(0.1).in_control


def test_loops_continue_while_overridden():
    watched, left_alone = engine_with(SURFACE), engine_with(SURFACE)
    left_alone.give_up_control()
    assert watched.step(0.1).rudder == left_alone.step(0.1).rudder != 0.0
