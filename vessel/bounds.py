"""Bounds of a quantity that may have either sign."""

from __future__ import annotations


def bounded(value: float, limit: float) -> float:
    """Bring a value into [-limit, limit]."""
    if value > limit:
        return limit
    return -limit if value < -limit else value
