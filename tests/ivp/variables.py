"""A course and a speed, and the value of a function of one of them at each of its values."""

from __future__ import annotations

from steerageway.ivp import Function, Variable

COURSE = Variable("course", 0, 359, 360)
SPEED = Variable("speed", 0, 4, 41)


def values(function: Function) -> list[float]:
    """Return the utility of each value, in their order."""
    (table,) = function.parts.values()
    return [float(v) for v in table]
