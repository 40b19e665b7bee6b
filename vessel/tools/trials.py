"""Basic trials in still water: steady speed, turning circle, zig-zags."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import OutsideEnvelope
from steerageway.vessel.fossen.commands import ActuatorMap
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import acceleration
from steerageway.vessel.fossen.state import PSI, R_, U_, V_
from steerageway.vessel.tools.inertia import coefficients, is_coefficient_form
from steerageway.world.arrays import Floats

DT = 0.02
LEG = 5.0  # interval between checks whether a run has settled or a circle is complete [s]
CLOSE = 0.01  # relative tolerance of a thrust that is searched
SETTLED = 1e-5  # relative change of speed over a leg
PATIENCE = 3600.0  # maximum duration of a run [s]
SAMPLE = 5 * DT  # interval of stored states of a turn [s]
ROUND = 360.0  # [deg]
ZIGS = 2  # number of overshoots of a zig-zag trial
NOT_BACK = (
    "the rudder, reversed, does not turn it back within a full circle: it is unstable on its "
    "course, or its rudder is too weak at this angle; the trial spiral shows which angle turns it"
)
"""Why a vessel has no zig-zag."""
SLOW = np.radians(0.2)  # yaw rate below which a zig-zag is checked every fifth step [rad/s]


class Circle(NamedTuple):
    """A turning circle, from the position where full rudder to starboard was commanded.

    Attributes:
        advance, transfer: ahead and to starboard at a change of heading of 90 degrees [m].
        tactical_diameter: to starboard at a change of heading of 180 degrees [m].
        radius: of the steady circle [m]. speed, rate: in it [m/s, rad/s].
    """

    advance: float
    transfer: float
    tactical_diameter: float
    radius: float
    speed: float
    rate: float


def settled(vessel: Dynamics, command: Floats, x: Floats, *, straight: bool = False) -> Floats:
    """Return the state after the speed has settled, or after an hour.

    Args:
        straight: keep the heading, without drift and yaw rate, as the approach of IMO MSC.137(76)
            has it; a ship that is unstable on its course would settle in a turn.

    Raises:
        NotFinite, OutsideEnvelope: the run fails, or the vessel tumbles.
    """
    surroundings, psi = vessel.surroundings(), x[PSI]
    steps = round(SAMPLE / DT) if straight else round(LEG / DT)
    for _ in range(int(PATIENCE / LEG)):
        before = x[U_]
        for _ in range(round(LEG / DT / steps)):
            x = vessel.step(x, command, surroundings, DT, steps=steps)
            if straight:
                x[V_] = x[R_] = 0.0
                x[PSI] = psi
        if (abs(x[3:5]) > np.pi / 2).any():
            roll, pitch = np.degrees(x[3:5])
            raise OutsideEnvelope(x, f"{vessel.name} tumbles: roll {roll:.0f}°, pitch {pitch:.0f}°")
        if abs(x[U_] - before) <= SETTLED * max(abs(x[U_]), 0.01):
            break
    return x


def full_ahead(vessel: Dynamics, orders: ActuatorMap, thrust: float = 100.0) -> Floats:
    """Return the steady state straight ahead, with thrusters ahead and rudder amidships.

    For a vessel without thrusters, the initial state.

    Raises:
        NotFinite, OutsideEnvelope: the vessel does not settle.
    """
    if not drives(vessel, orders):
        return vessel.initial
    return settled(vessel, orders.commands(thrust=thrust), vessel.initial, straight=True)


def drives(vessel: Dynamics, orders: ActuatorMap) -> bool:
    """Whether thrust has an effect at the vessel's start: it is ordered, and in the water."""
    surroundings = vessel.surroundings()
    still, full = (
        acceleration(vessel, vessel.initial, orders.commands(thrust=thrust), surroundings)
        for thrust in (0.0, 100.0)
    )
    return bool((still != full).any())


def without_propulsion(vessel: Dynamics, orders: ActuatorMap) -> str:
    """Return why no order of thrust drives a vessel ahead."""
    if is_coefficient_form(vessel) and coefficients(vessel).scalars["sails"]:
        return "no propulsion in calm air, but by sails"
    if orders.thrust.any():
        return (
            "at its start the thrusters are out of the water, and no order of thrust has an effect:"
            " expected a deeper start_location"
        )
    return "no propulsion ahead"


def thrust_for(vessel: Dynamics, orders: ActuatorMap, speed: float) -> float | None:
    """Return the thrust [%] for a speed ahead, within 1 %; None if full thrust is not enough.

    Raises:
        NotFinite, OutsideEnvelope: the vessel does not settle.
    """
    low, high = 0.0, 100.0
    if not drives(vessel, orders) or full_ahead(vessel, orders, high)[6] < speed:
        return None
    while high - low > CLOSE * high:
        middle = 0.5 * (low + high)
        if full_ahead(vessel, orders, middle)[6] < speed:
            low = middle
        else:
            high = middle
    return high


def turning_circle(vessel: Dynamics, orders: ActuatorMap, x: Floats) -> Circle | None:
    """Return the turning circle with full rudder to starboard at full thrust.

    None if 540 degrees take over an hour.

    Args:
        x: the state to start from, its pose included.
    """
    path = turning_track(vessel, orders, x)
    return None if path is None else circle_of(path)


def turning_track(vessel: Dynamics, orders: ActuatorMap, x: Floats) -> Floats | None:
    """Return the states (n, 12 + m) of a turn of 540 degrees, every ``SAMPLE``, or None."""
    command, surroundings = orders.commands(rudder=100.0, thrust=100.0), vessel.surroundings()
    track = [x]
    for _ in range(int(PATIENCE / LEG)):
        for _ in range(int(LEG / (5 * DT))):
            track.append(vessel.step(track[-1], command, surroundings, DT, steps=5))
        if track[-1][PSI] - x[PSI] > 3 * np.pi:
            return np.array(track)
    return None


def circle_of(path: Floats) -> Circle:
    """Return the turning circle of the states of a turn."""
    x = path[0]
    turned, offset = path[:, PSI] - x[PSI], path[:, :2] - x[:2]
    c, s = np.cos(x[PSI]), np.sin(x[PSI])
    ahead, starboard = offset @ [c, s], offset @ [-s, c]
    quarter, half = np.argmax(turned >= np.pi / 2), np.argmax(turned >= np.pi)
    speed, rate = float(np.hypot(path[-1, 6], path[-1, 7])), float(path[-1, 11])
    return Circle(
        float(ahead[quarter]),
        float(starboard[quarter]),
        float(starboard[half]),
        speed / abs(rate),
        speed,
        rate,
    )


def zigzag(
    vessel: Dynamics,
    orders: ActuatorMap,
    x: Floats,
    angle: float,
    seen: Callable[[float, Floats], None] = lambda time, x: None,
) -> tuple[float, ...] | None:
    """Return the first two overshoots [deg] of a zig-zag trial at full thrust, starboard first.

    The rudder is reversed each time the heading has changed by ``angle`` to its side; the further
    change of heading is the overshoot. None after a full turn or an hour.

    Args:
        x: the initial state, with pose.
        angle: of the rudder [deg] ([%] if steered by thrust), and of the heading [deg].
        seen: called with time [s] and state after each check.

    Source: IMO MSC.137(76), appendix.
    """
    surroundings, start, rudder = vessel.surroundings(), x[PSI], _order(orders, angle)
    overshoots: list[float] = []
    most = 0.0
    time, turned = 0.0, 0.0
    while time < PATIENCE and abs(turned) < ROUND:
        command = orders.commands(rudder=rudder, thrust=100.0)
        # Fine steps while it turns, to reverse the rudder at the right heading.
        steps = 5 if abs(x[R_]) < SLOW else 1
        x = vessel.step(x, command, surroundings, DT, steps=steps)
        time += steps * DT
        seen(time, x)
        turned = float(np.degrees(x[PSI] - start))
        if rudder * turned > 0 and abs(turned) >= angle:
            rudder, most = -rudder, abs(turned)
        elif rudder * turned < 0 and most:
            if abs(turned) < most:
                overshoots.append(most - angle)
                most = 0.0
            else:
                most = abs(turned)
        if len(overshoots) == ZIGS:
            return tuple(overshoots)
    return None


def zigzag_rudder(orders: ActuatorMap, angle: float) -> float | None:
    """Return the rudder angle [deg] of a zig-zag trial: at most the rudder's; None without one."""
    reach = _reach(orders)
    return min(angle, reach) if reach > 0.0 else None


def _order(orders: ActuatorMap, angle: float) -> float:
    """Return the command [%] for a rudder angle [deg], at most 100; ``angle`` if thrust steers."""
    rudder = zigzag_rudder(orders, angle)
    return angle if rudder is None else 100.0 * rudder / _reach(orders)


def _reach(orders: ActuatorMap) -> float:
    """Return the greatest rudder angle that an order gives [deg]; 0 if thrust steers."""
    steers = (orders.rudder != 0) & (orders.thrust == 0)
    return float(np.degrees(abs(orders.rudder * orders.high)[steers].max(initial=0.0)))
