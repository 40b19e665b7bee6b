"""Trials in still water: the speed a vessel settles at, and her turning circle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vessel.errors import OutsideEnvelope
from vessel.fossen.dynamics import Dynamics, Floats
from vessel.fossen.orders import Orders

DT = 0.02
LEG = 5.0  # between looks at whether a run has settled, or a circle is complete [s]
SETTLED = 1e-5  # relative change of speed over a leg
PATIENCE = 3600.0


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
    """Give the state after the velocities have settled, or after an hour.

    Raises:
        NotFinite, OutsideEnvelope: they do not; she may have tumbled.
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
    """Give the state a vessel settles in with her thrusters ahead and her rudder amidships.

    One without thrusters is as she starts.

    Raises:
        NotFinite, OutsideEnvelope: she does not settle.
    """
    if not orders.thrust.any():
        return vessel.initial
    return settled(vessel, orders.commands(thrust=thrust), vessel.initial)


def turning_circle(vessel: Dynamics, orders: Orders, x: Floats) -> Circle | None:
    """Order full rudder to starboard at full thrust; None if 540 degrees take over an hour.

    Args:
        x: the state to start from, its pose included.
    """
    command, surroundings = orders.commands(rudder=100.0, thrust=100.0), vessel.surroundings()
    track = [x]
    for _ in range(int(PATIENCE / LEG)):
        for _ in range(int(LEG / (5 * DT))):
            track.append(vessel.step(track[-1], command, surroundings, DT, steps=5))
        if track[-1][5] - x[5] > 3 * np.pi:
            break
    else:
        return None
    path = np.array(track)
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
