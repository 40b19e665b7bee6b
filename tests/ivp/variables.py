"""A course, a speed, and the values of a function of one of them."""

from __future__ import annotations

from steerageway.ivp import Function, Variable

COURSE = Variable("course", 0, 359, 360)
SPEED = Variable("speed", 0, 4, 41)


def values(function: Function) -> list[float]:
    """Return the utility of each value, in their order."""
    (table,) = function.parts.values()
    return [float(v) for v in table]
