"""The older marine PID, in its differences from the newer one."""

from dataclasses import replace
from math import degrees

import pytest

from steerageway.peers.older.pid import LegacyPidEngine, Reset, Resets, ResettingPid
from steerageway.vessel.pid import Gains, PidParameters

PARAMETERS = PidParameters(yaw=Gains(kp=1.0), speed_factor=20.0, depth_control=False)


def engaged(parameters: PidParameters = PARAMETERS, resets: Resets | None = None):
    engine = LegacyPidEngine(parameters, resets)
    engine.overridden = False
    engine.desired_heading.tell(90.0, 0.0)
    engine.desired_speed.tell(2.0, 0.0)
    engine.heading.tell(80.0, 0.0)
    return engine


def test_it_does_not_wait_for_every_input():
    output = engaged().step(0.1)
    assert (output.rudder, output.thrust, output.live) == (10.0, 40.0, True)


def test_it_does_nothing_while_overridden():
    engine = engaged()
    engine.overridden = True
    assert engine.step(0.1)[:5] == (0.0, 0.0, 0.0, False, False)


def test_helm_is_fresh_by_heading_or_speed_alone():
    engine = engaged(replace(PARAMETERS, tardy_nav=100.0))
    engine.desired_speed.tell(2.0, 9.0)
    assert engine.step(10.0).live
    engine.desired_depth.tell(2.0, 19.0)
    assert engine.step(20.0).stale == (("HELM", 11.0),)


def test_navigation_is_fresh_by_any_measured_value():
    engine = engaged(replace(PARAMETERS, tardy_helm=100.0))
    engine.pitch.tell(0.0, 9.0)
    assert engine.step(10.0).live
    assert engine.step(20.0).stale == (("NAV", 11.0),)


def test_tardiness_keeps_control_and_resets_the_thrust():
    engine = engaged(replace(PARAMETERS, speed_factor=0.0, speed=Gains(kp=1.0)))
    assert [engine.step(time).thrust for time in (0.1, 0.2)] == [2.0, 4.0]
    assert engine.step(9.0)[:5] == (0.0, 0.0, 0.0, False, True)
    engine.desired_speed.tell(2.0, 9.0)
    engine.heading.tell(80.0, 9.0)
    assert engine.step(9.1).thrust == 2.0


def test_bias_may_exceed_the_rudder_limit():
    engine = engaged(replace(PARAMETERS, max_rudder=4.0, sim_instability=20.0))
    engine.step(0.0)
    assert engine.step(1.0).rudder == pytest.approx(4.0 - 2.0)
    engine.heading.tell(100.0, 1.5)
    assert engine.step(1.5).rudder == pytest.approx(-4.0 - 3.0)


def test_loops_are_limited_to_a_hundred_of_their_own_units():
    engine = engaged(replace(PARAMETERS, yaw=Gains(kp=50.0), max_rudder=400.0))
    assert engine.step(0.1).rudder == 100.0


@pytest.mark.parametrize(("speed", "thrust"), [(0.001, 0.0), (0.0011, 0.022), (-3.0, 0.0)])
def test_thrust_of_small_and_backward_speeds(speed, thrust):
    engine = engaged()
    engine.desired_speed.tell(speed, 0.0)
    output = engine.step(0.1)
    assert output.thrust == pytest.approx(thrust)
    assert (output.rudder == 0.0) == (thrust == 0.0)


def test_thrust_is_clipped():
    assert engaged(replace(PARAMETERS, max_thrust=30.0)).step(0.1).thrust == 30.0


def test_elevator_is_driven_without_thrust_too():
    diving = replace(
        PARAMETERS, depth_control=True, z_to_pitch=Gains(kp=0.1), pitch=Gains(kp=0.5), max_pitch=3.0
    )
    engine = engaged(diving)
    engine.desired_speed.tell(0.0, 0.0)
    engine.desired_depth.tell(0.2, 0.0)
    assert engine.step(0.1).elevator == pytest.approx(degrees(0.01))
    engine.desired_depth.tell(9.0, 0.1)
    assert engine.step(0.2).elevator == pytest.approx(1.5)


def integrals(reset: Reset, desired: list[float], errors: list[float]) -> list[float]:
    pid = ResettingPid(Gains(ki=1.0, integral_limit=100.0), reset)
    shares = []
    for time, (expected, error) in enumerate(zip(desired, errors, strict=True)):
        pid.follow(expected, error, float(time))
        shares.append(pid.integral)
    return shares


@pytest.mark.parametrize(
    ("reset", "desired", "errors", "expected"),
    [
        (Reset(), [1, 2, 3, 4], [1, 1, -1, -1], [0, 1, 0, -1]),
        (Reset(at_zero_error=True), [1, 1, 1, 1], [1, 1, -2, -2], [0, 1, -2, -4]),
        (Reset(at_new_desired=True), [1, 1, 5, 5], [1, 1, 1, 1], [0, 1, 1, 2]),
    ],
)
def test_integral_restarts_as_configured(reset, desired, errors, expected):
    assert integrals(reset, desired, errors) == expected


def test_each_loop_has_its_own_reset():
    marked = Reset(at_zero_error=True)
    engine = LegacyPidEngine(PARAMETERS, Resets(heading=marked, depth=marked))
    loops = (engine.yaw_pid, engine.speed_pid, engine.z_to_pitch_pid, engine.pitch_pid)
    assert [pid._reset == marked for pid in loops] == [True, False, True, False]
