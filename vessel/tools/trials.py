"""Trials in still water: the speed a vessel settles at, its turning circle, and zig-zags."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import OutsideEnvelope
from steerageway.vessel.fossen.dynamics import Dynamics, Floats
from steerageway.vessel.fossen.orders import Orders

DT = 0.02
LEG = 5.0  # between looks at whether a run has settled, or a circle is complete [s]
CLOSE = 0.01  # of a thrust that is looked for
SETTLED = 1e-5  # relative change of speed over a leg
PATIENCE = 3600.0
SAMPLE = 5 * DT  # between looks at a turn [s]
ROUND = 360.0  # [deg]
ZIGS = 2  # overshoots that a zig-zag trial is about
SLOW = np.radians(0.2)  # a turn that is looked at every fifth step [rad/s]


class Circle(NamedTuple):
    """A turning circle, from where full rudder to starboard was ordered.

    Attributes:
        advance, transfer: ahead and to starboard when the heading has changed by 90 degrees [m].
        tactical_diameter: to starboard when it has changed by 180 degrees [m].
        radius: of the steady circle [m]. speed, rate: in it [m/s, rad/s].
    """

    advance: float
    transfer: float
    tactical_diameter: float
    radius: float
    speed: float
    rate: float


def settled(vessel: Dynamics, command: Floats, x: Floats) -> Floats:
    """Return the state after the velocities have settled, or after an hour.

    Raises:
        NotFinite, OutsideEnvelope: they do not; it may have tumbled.
    """
    surroundings = vessel.surroundings()
    for _ in range(int(PATIENCE / LEG)):
        before = x[6]
        x = vessel.step(x, command, surroundings, DT, steps=int(LEG / DT))
        if (abs(x[3:5]) > np.pi / 2).any():
            roll, pitch = np.degrees(x[3:5])
            raise OutsideEnvelope(x, f"{vessel.name} tumbles: roll {roll:.0f}°, pitch {pitch:.0f}°")
        if abs(x[6] - before) <= SETTLED * max(abs(x[6]), 0.01):
            break
    return x


def full_ahead(vessel: Dynamics, orders: Orders, thrust: float = 100.0) -> Floats:
    """Return the state a vessel settles in with its thrusters ahead and its rudder amidships.

    One without thrusters is as it starts.

    Raises:
        NotFinite, OutsideEnvelope: it does not settle.
    """
    if not orders.thrust.any():
        return vessel.initial
    return settled(vessel, orders.commands(thrust=thrust), vessel.initial)


def thrust_for(vessel: Dynamics, orders: Orders, speed: float) -> float | None:
    """Return the thrust [%] that brings a speed ahead, to about a hundredth; None if none does.

    Raises:
        NotFinite, OutsideEnvelope: it does not settle.
    """
    low, high = 0.0, 100.0
    if not orders.thrust.any() or full_ahead(vessel, orders, high)[6] < speed:
        return None
    while high - low > CLOSE * high:
        middle = 0.5 * (low + high)
        if full_ahead(vessel, orders, middle)[6] < speed:
            low = middle
        else:
            high = middle
    return high


def turning_circle(vessel: Dynamics, orders: Orders, x: Floats) -> Circle | None:
    """Order full rudder to starboard at full thrust; None if 540 degrees take over an hour.

    Args:
        x: the state to start from, its pose included.
    """
    path = turning_track(vessel, orders, x)
    return None if path is None else circle_of(path)


def turning_track(vessel: Dynamics, orders: Orders, x: Floats) -> Floats | None:
    """Return the states (n, 12 + m) of a turn of 540 degrees, ``SAMPLE`` apart; None: as above."""
    command, surroundings = orders.commands(rudder=100.0, thrust=100.0), vessel.surroundings()
    track = [x]
    for _ in range(int(PATIENCE / LEG)):
        for _ in range(int(LEG / (5 * DT))):
            track.append(vessel.step(track[-1], command, surroundings, DT, steps=5))
        if track[-1][5] - x[5] > 3 * np.pi:
            return np.array(track)
    return None


def circle_of(path: Floats) -> Circle:
    """Return the figures of such a turn."""
    x = path[0]
    turned, offset = path[:, 5] - x[5], path[:, :2] - x[:2]
    c, s = np.cos(x[5]), np.sin(x[5])
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
    orders: Orders,
    x: Floats,
    angle: float,
    seen: Callable[[float, Floats], None] = lambda time, x: None,
) -> tuple[float, ...] | None:
    """Return the first two overshoots [deg] of a zig-zag trial at full thrust, starboard first.

    The rudder goes over each time the heading has changed by ``angle`` to its side; how far the
    heading swings beyond that is the overshoot. None if it turns right round, or it takes over
    an hour.

    Args:
        x: the state to start from, its pose included.
        angle: of the rudder [deg] ([%] where it steers by thrust), and of the heading [deg].
        seen: is shown the time [s] and the state after each look at it.

    Source: IMO MSC.137(76), appendix.
    """
    surroundings, start, rudder = vessel.surroundings(), x[5], _order(orders, angle)
    overshoots: list[float] = []
    most = 0.0
    time, turned = 0.0, 0.0
    while time < PATIENCE and abs(turned) < ROUND:
        command = orders.commands(rudder=rudder, thrust=100.0)
        steps = 5 if abs(x[11]) < SLOW else 1
        x = vessel.step(x, command, surroundings, DT, steps=steps)
        time += steps * DT
        seen(time, x)
        turned = float(np.degrees(x[5] - start))
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


def _order(orders: Orders, angle: float) -> float:
    """Return the order [%] of a rudder angle [deg], full at most; where thrust steers, the same."""
    steers = (orders.rudder != 0) & (orders.thrust == 0)
    if not steers.any():
        return angle
    return min(100.0, 100.0 * angle / float(np.degrees(orders.high[steers].max())))
