"""A vessel as ``dx/dt = f(x, u, d)``: its states that have dynamics, and slopes of functions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.fossen.dynamics import Dynamics
from steerageway.vessel.fossen.state import ACTUATORS
from steerageway.world.arrays import Floats

STATE_UNITS = (*("m",) * 3, *("rad",) * 3, *("m/s",) * 3, *("rad/s",) * 3)
NUDGE = 4e-5  # step of the differences, relative beyond 1
DRIVEN = 1e-9  # rate below which an actuator's state has no dynamics [1/s]


def check_vessel(vessel: object, function: str) -> None:
    """Raise InvalidValue about a function's argument that is not a vessel, as a name."""
    if not isinstance(vessel, Dynamics):
        name = vessel if isinstance(vessel, str) else "otter"
        shown = repr(vessel) if isinstance(vessel, str) else type(vessel).__name__
        expected = f"expected a vessel, as steerageway.load({name!r}) returns"
        raise InvalidValue(f"{function}: vessel = {shown}: {expected}")


def slopes(function: Callable[[Floats], Floats], at: Floats) -> Floats:
    """Return the Jacobian (m, n) of a function at a point (n,).

    Central differences at a step, its half and its quarter, extrapolated (Richardson) so that the
    term in ``|h|``, as of v|v| at rest, and that in h² drop out.
    """
    columns = []
    for i in range(at.size):
        nudge = np.zeros_like(at)
        nudge[i] = NUDGE * max(1.0, abs(float(at[i])))
        wide, half, quarter = (
            (function(at + h) - function(at - h)) / (2.0 * h[i])
            for h in (nudge, 0.5 * nudge, 0.25 * nudge)
        )
        columns.append((8.0 * quarter - 6.0 * half + wide) / 3.0)
    return np.array(columns).reshape(at.size, -1).T


def lagging(vessel: Dynamics) -> NDArray[np.bool_]:
    """Return which actuator states (n,) follow their commands with dynamics of their own.

    The others are equal to their commands, or limited only in their rate: as states of a linear
    model they would be integrators that nothing moves.
    """
    count = len(vessel.actuators)
    x = vessel.initial.copy()
    x[ACTUATORS:] = 0.0
    around, moved = vessel.surroundings(), np.zeros(count, bool)
    for sign in (1.0, -1.0):
        wanted = np.array([sign * min(1.0, abs(c.high)) / 2.0 for c in vessel.commands])
        moved |= abs(vessel.derivative(x, wanted, around)[ACTUATORS:]) > DRIVEN
    return moved
