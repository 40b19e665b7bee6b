"""``python -m vessel tune NAME``: a block of gains for the marine PID.

The vessel is linearised at 60 % thrust, and the gains of each loop are tried out on what that
gives; see ``design``. The slowest tick that will do is taken. Speed is a factor where thrust and
speed are nearly proportional, a loop where they are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import degrees, radians
from typing import NamedTuple

from vessel.errors import InvalidValue
from vessel.fossen.dynamics import ACTUATORS, Dynamics, Floats
from vessel.fossen.orders import Orders, orders_of
from vessel.tools.design import (
    Answer,
    Bounds,
    Plant,
    best_dive,
    best_turn,
    integrating,
    response_time,
    sampled,
)
from vessel.tools.trials import full_ahead

THRUST = 60.0  # [%]
OTHERS = (30.0, 90.0)  # thrusts at which heading and depth must be kept, too [%]
TICKS = (4.0, 10.0, 20.0)  # [Hz]
TURN = 30.0  # the heading step that is tried [deg]
FASTER = 0.1  # the step of speed that is tried, of the speed
MAX_ELEVATOR = 13.0  # [deg]
MAX_PITCH = 15.0  # [deg]
DIVE = 5.0  # the step of depth that is tried [m]
SLIGHT = 1e-3  # [rad]
PROPORTIONAL = 0.1  # error of the speed that a factor may bring, of the speed


class UnderWay(NamedTuple):
    """A vessel settled at a thrust [%]."""

    thrust: float
    x: Floats


def tune(vessel: Dynamics) -> Iterator[str]:
    """Give the lines of a ``pMarinePIDV22`` block.

    Raises:
        InvalidValue: a vessel that cannot be steered, or that no gains would steer.
    """
    orders = orders_of(vessel)
    turns, dives = orders.rudder.any(), orders.elevator.any()
    if not (turns or dives):
        raise InvalidValue(f"{vessel.name}: nothing answers to a rudder or an elevator order")
    if not orders.thrust.any() and vessel.initial[6] <= 0:
        raise InvalidValue(f"{vessel.name}: at rest, with nothing that drives her ahead")
    thrusts = (THRUST, *OTHERS) if orders.thrust.any() else (THRUST,)
    cases = [UnderWay(thrust, full_ahead(vessel, orders, thrust)) for thrust in thrusts]
    for tick in TICKS:
        heading = _heading(vessel, orders, cases, 1 / tick) if turns else None
        depth = _depth(vessel, orders, cases, 1 / tick) if dives else None
        if (heading or not turns) and (depth or not dives):
            break
    else:
        raise InvalidValue(f"{vessel.name}: no gains keep her heading and depth at {thrusts} %")
    yield f"// {vessel.name}, linearised at {cases[0].x[6]:.3g} m/s. {_turning(heading)}"
    yield "ProcessConfig = pMarinePIDV22"
    yield "{"
    yield f"  AppTick = {tick:g}"
    yield ""
    yield from _speed(vessel, orders, cases[0], tick)
    yield ""
    if heading:
        yield f"  yaw_pid_kp = {heading.gains[0]:.3g}"
        yield f"  yaw_pid_kd = {heading.gains[1]:.3g}"
        yield ""
    yield from _diving(depth)
    yield "}"


def _turning(heading: Answer | None) -> str:
    if heading is None:
        return "Nothing steers her."
    return (
        f"A turn of {TURN:g} degrees\n// settles in {heading.settling:.3g} s, "
        f"{100 * heading.overshoot:.0f} % beyond at most."
    )


def _heading(
    vessel: Dynamics, orders: Orders, cases: Sequence[UnderWay], tick: float
) -> Answer | None:
    """Give the loop from heading error [deg] to rudder [%]."""
    plants = [_yaw(vessel, orders, case, tick) for case in cases]
    time = response_time(plants[0], TURN, 100.0)
    return best_turn(plants, TURN, 100.0, 100.0 / TURN, time) if time else None


def _yaw(vessel: Dynamics, orders: Orders, case: UnderWay, tick: float) -> Plant:
    """Give the heading [deg] of a vessel under way, by the rudder [%]."""
    thrust, x = case
    base = orders.commands(thrust=thrust)
    per_cent = (orders.commands(rudder=1.0, thrust=thrust) - base) * degrees(1.0)
    states = [5, 3, 7, 9, 11, *range(ACTUATORS, x.size)]
    return sampled(vessel, x, base, per_cent, states, tick)


def _speed(vessel: Dynamics, orders: Orders, cruise: UnderWay, tick: float) -> Iterator[str]:
    """Give a factor, or the loop from speed error [m/s] to the change of thrust [%]."""
    speed = float(cruise.x[6])
    slow = full_ahead(vessel, orders, THRUST / 2)[6]
    if not orders.thrust.any() or abs(2 * slow - speed) <= PROPORTIONAL * speed:
        yield f"  speed_factor = {THRUST / speed:.3g}"
        return
    base = orders.commands(thrust=THRUST)
    per_cent = orders.commands(thrust=THRUST + 1) - base
    states = [6, *range(ACTUATORS, cruise.x.size)]
    plant = sampled(vessel, cruise.x, base, per_cent, states, 1 / tick)
    step = FASTER * speed
    time = response_time(plant, step, 100.0 - THRUST)
    loop = None
    if time:
        # To go round once takes about as long as full thrust does, tenfold for the nine rates.
        time = max(time, 20 / tick)
        first = (100.0 - THRUST) / step / (tick * time)
        loop = best_turn([integrating(plant)], step, 100.0, first, time)
    if loop is None:
        raise InvalidValue(f"{vessel.name}: no gains keep a speed of {speed:.3g} m/s")
    yield f"  speed_pid_kp = {loop.gains[0]:.3g}"
    yield f"  speed_pid_kd = {loop.gains[1]:.3g}"


def _depth(
    vessel: Dynamics, orders: Orders, cases: Sequence[UnderWay], tick: float
) -> Answer | None:
    """Give the loops from depth error to pitch and from pitch error to elevator [rad]."""
    plants = [_dive(vessel, orders, case, tick) for case in cases]
    bounds = Bounds(radians(MAX_PITCH), radians(MAX_ELEVATOR))
    time = response_time(plants[0], DIVE / 10, bounds.elevator)
    speed = float(cases[0].x[6])
    return best_dive(plants, DIVE, bounds, speed, time) if time else None


def _dive(vessel: Dynamics, orders: Orders, case: UnderWay, tick: float) -> Plant:
    """Give depth and pitch of a vessel under way, by the elevator [rad]."""
    thrust, x = case
    base = orders.commands(thrust=thrust)
    bow_down = (orders.commands(thrust=thrust, elevator=degrees(SLIGHT)) - base) / SLIGHT
    states = [2, 4, 6, 8, 10, *range(ACTUATORS, x.size)]
    return sampled(vessel, x, base, bow_down, states, tick)


def _diving(depth: Answer | None) -> Iterator[str]:
    if depth is None:
        yield "  depth_control = false"
        return
    kp, kd, kz = depth.gains
    yield f"  // a dive of {DIVE:g} m settles in {depth.settling:.3g} s"
    yield "  depth_control     = true"
    yield f"  maxpitch          = {MAX_PITCH:g}"
    yield f"  maxelevator       = {MAX_ELEVATOR:g}"
    yield f"  pitch_pid_kp      = {kp:.3g}"
    yield f"  pitch_pid_kd      = {kd:.3g}"
    yield f"  z_to_pitch_pid_kp = {kz:.3g}"
