"""How long a time step may be: what a vessel's fastest mode allows Runge-Kutta's fourth order.

A mode e^(lambda t) is followed without growing as long as |R(lambda h)| <= 1, with the scheme's
polynomial R. Source: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, IV.2.
"""

from __future__ import annotations

from math import floor, inf, log10
from typing import NamedTuple

import numpy as np

from steerageway.vessel.errors import VesselError
from steerageway.vessel.fossen.dynamics import STATE_NAMES, Dynamics, Floats
from steerageway.vessel.fossen.orders import orders_of

REACH = np.linspace(0.002, 4.0, 2000)  # |lambda| h; beyond 2.96 no decaying mode is stable
GROWTH = 1e-9  # what rounding may add to |R| = 1
NUDGE = 1e-6  # to see what a state's rates depend on
TRIED = 400  # steps to full speed ahead, each half of what the start allows
LONGEST = 1.0  # of these [s]


class Mode(NamedTuple):
    """The motion that limits the time step.

    Attributes:
        limit: the longest stable step, rounded down to three digits [s]; inf: there is no limit.
        name: of the state that moves most in it, its own unit's scale left out.
        value: its eigenvalue [1/s].
        where: at which operating point.
    """

    limit: float
    name: str = ""
    value: complex = 0.0
    where: str = ""


def fastest_mode(vessel: Dynamics) -> Mode:
    """Give the mode that allows the shortest step, at the start and at full thrust ahead.

    The start is taken with actuators as they are; a vessel whose model ends at full thrust counts
    by its start alone.
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
    """Give the mode that allows the shortest step at a state (12 + n,), actuators as they are."""
    command = np.zeros(len(vessel.commands))  # of an actuator without a state: none
    actuators = x[12 : 12 + len(command)]
    command[: len(actuators)] = actuators
    return _mode(vessel, x, command, "at this state")


def _mode(vessel: Dynamics, x: Floats, command: Floats, where: str) -> Mode:
    values, vectors = np.linalg.eig(jacobian(vessel, x, command))
    least = Mode(inf)
    for value, vector in zip(values, vectors.T, strict=True):
        limit = longest_step(complex(value))
        if limit < least.limit:
            moved = int(np.argmax(np.abs(vector)))
            least = Mode(limit, _names(vessel)[moved], complex(value), where)
    return least._replace(limit=_rounded_down(least.limit))


def jacobian(vessel: Dynamics, x: Floats, command: Floats) -> Floats:
    """Give how the rates (12 + n,) depend on the state, (12 + n, 12 + n), by central differences.

    Args:
        x: (12 + n,) the state. command: (m,) held.
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
    """Give the longest step [s] in which a decaying mode [1/s] does not grow; inf for others."""
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


def _names(vessel: Dynamics) -> list[str]:
    return [*STATE_NAMES, *(channel.name for channel in vessel.actuators)]
