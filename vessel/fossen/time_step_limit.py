"""Time step limit: stability of Runge-Kutta (order 4) for a vessel's fastest mode.

A mode e^(lambda t) does not grow numerically while |R(lambda h)| <= 1, where R is the stability
polynomial. Source: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, IV.2.
"""

from __future__ import annotations

from math import floor, inf, log10
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.dynamics import STATE_NAMES, Dynamics, Floats
from steerageway.vessel.fossen.orders import orders_of

REACH = np.linspace(0.002, 4.0, 2000)  # |lambda| h; beyond 2.96 no decaying mode is stable
GROWTH = 1e-9  # tolerance of |R| = 1 for rounding
NUDGE = 1e-6  # step of the finite differences
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
    around, rest = vessel.surroundings(), np.zeros(len(vessel.commands))
    found = _mode(vessel, vessel.initial, rest, "at the start")
    step = min(0.5 * found.limit, LONGEST)
    full = orders_of(vessel).commands(thrust=100.0)
    try:
        ahead = vessel.step(vessel.initial, full, around, step, TRIED)
    except VesselError:
        return found
    return min(found, _mode(vessel, ahead, full, "at full thrust"), key=lambda mode: mode.limit)


def mode_at(vessel: Dynamics, x: Floats) -> Mode:
    """Return the mode that requires the shortest step at a state (12 + n,), actuators held."""
    command = np.zeros(len(vessel.commands))  # zero for actuators without a state
    actuators = x[12 : 12 + len(command)]
    command[: len(actuators)] = actuators
    return _mode(vessel, x, command, "at this state")


def _mode(vessel: Dynamics, x: Floats, command: Floats, where: str) -> Mode:
    values, vectors = np.linalg.eig(jacobian(vessel, x, command))
    least = Mode(inf)
    for value, vector in zip(values, vectors.T, strict=True):
        limit = longest_step(complex(value))
        if limit < least.limit:
            names = [*STATE_NAMES, *(channel.name for channel in vessel.actuators)]
            name = names[int(np.argmax(np.abs(vector)))]
            least = Mode(limit, name, complex(value), where)
    return least._replace(limit=_rounded_down(least.limit))


def jacobian(vessel: Dynamics, x: Floats, command: Floats) -> Floats:
    """Return the Jacobian of the rates, (12 + n, 12 + n), by central differences.

    Args:
        x: (12 + n,) state. command: (m,) held constant.
    """
    around = vessel.surroundings()
    columns = []
    for i in range(x.size):
        low, high = x.copy(), x.copy()
        nudge = NUDGE * max(1.0, abs(x[i]))
        low[i] -= nudge
        high[i] += nudge
        rise = vessel.derivative(high, command, around) - vessel.derivative(low, command, around)
        columns.append(rise / (2 * nudge))
    return np.array(columns).T


def longest_step(value: complex) -> float:
    """Return the longest step [s] in which a decaying mode [1/s] does not grow; inf for others."""
    if not value.real < -NUDGE:
        return inf
    z = REACH * value / abs(value)
    growing = np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) > 1 + GROWTH
    return float(REACH[max(int(np.argmax(growing)) - 1, 0)] / abs(value))


def _rounded_down(limit: float) -> float:
    if limit == inf:
        return inf
    digit = 10.0 ** (floor(log10(limit)) - 2)
    return floor(limit / digit) * digit
