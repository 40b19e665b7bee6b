"""Compass directions [deg]: clockwise from north, as texts, files and mail give them."""

from __future__ import annotations

from math import cos, radians, sin


def components(direction: float, magnitude: float) -> tuple[float, float]:
    """Give the (east, north) components of a vector with a compass direction [deg]."""
    angle = radians(direction)
    return magnitude * sin(angle), magnitude * cos(angle)


def opposite(direction: float) -> float:
    """Give where a thing goes to [deg] that comes from a direction, or the other way round."""
    return (direction + 180.0) % 360.0
