"""Limits of a value, and the check that commands are finite."""

from __future__ import annotations

from math import isfinite

from steerageway.vessel.errors import InvalidValue
from steerageway.world.formula import formula


@formula
def within(value: float, low: float, high: float) -> float:
    """Return a value clipped to [low, high]."""
    return min(max(value, low), high)


@formula
def bounded(value: float, limit: float) -> float:
    """Return a value clipped to [-limit, limit]."""
    if value > limit:
        return limit
    return -limit if value < -limit else value


def check_orders(**orders: float) -> None:
    """Reject commands that are not finite: clipped to limits, inf would be full power.

    Raises:
        InvalidValue: with the name of the command.
    """
    if isfinite(sum(orders.values())):
        return
    for name, value in orders.items():
        if not isfinite(value):
            raise InvalidValue(f"{name} = {value}: expected a finite number")
