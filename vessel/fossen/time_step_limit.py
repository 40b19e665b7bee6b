"""Time step limit of a vessel: its fastest mode at the start and at full speed ahead."""

from __future__ import annotations

from math import ceil, inf
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen import stability
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.orders import orders_of
from steerageway.world.arrays import Floats

TRIED = 400  # steps to full speed ahead, each half of the limit at the start
LONGEST = 1.0  # maximum length of these [s]


class Mode(NamedTuple):
    """The mode that limits the time step.

    Attributes:
        limit: longest stable step, rounded down to three digits [s]; inf: none.
        name: state with the largest component in its eigenvector, relative to its unit.
        value: its eigenvalue [1/s].
        where: operating point.
    """

    limit: float
    name: str = ""
    value: complex = 0.0
    where: str = ""


def fastest_mode(vessel: Dynamics) -> Mode:
    """Return the mode that requires the shortest step, at the start and at full thrust ahead.

    At the start actuators have their initial states; if the model fails at full thrust, only the
    start is used.
    """
    rest = np.zeros(len(vessel.commands))
    found = _mode(vessel, vessel.initial, rest, "at the start")
    step = min(0.5 * found.limit, LONGEST)
    full = orders_of(vessel).commands(thrust=100.0)
    try:
        ahead = vessel.step(vessel.initial, full, vessel.surroundings(), step, TRIED)
    except VesselError:
        return found
    return min(found, _mode(vessel, ahead, full, "at full thrust"), key=lambda mode: mode.limit)


def steps_within(vessel: Dynamics, dt: float) -> int:
    """Return the Runge-Kutta steps within ``dt`` [s] that the fastest mode requires, at least 1."""
    return 1 if vessel.adaptive else max(1, ceil(dt / fastest_mode(vessel).limit))


def _mode(vessel: Dynamics, x: Floats, command: Floats, where: str) -> Mode:
    limit, state, value = stability.fastest_mode(vessel.jacobian(x, command))
    return Mode(limit, vessel.state_names[state], value, where) if limit < inf else Mode(inf)
