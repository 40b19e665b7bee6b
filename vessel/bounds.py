"""Bounds of a quantity that may have either sign, and of what may be ordered at all."""

from __future__ import annotations

from math import isfinite

from steerageway.vessel.errors import InvalidValue


def bounded(value: float, limit: float) -> float:
    """Bring a value into [-limit, limit]."""
    if value > limit:
        return limit
    return -limit if value < -limit else value


def check_orders(**orders: float) -> None:
    """Refuse orders that are no finite numbers: clipped, they would be full power.

    Raises:
        InvalidValue: names the order.
    """
    if isfinite(sum(orders.values())):
        return
    for name, value in orders.items():
        if not isfinite(value):
            raise InvalidValue(f"{name} = {value}: expected a finite number")
