"""Compass directions [deg], clockwise from north, as used in files, mail and texts."""

from __future__ import annotations

from math import cos, radians, sin


def components(direction: float, magnitude: float) -> tuple[float, float]:
    """Return the (east, north) components of a vector with a compass direction [deg]."""
    angle = radians(direction)
    return magnitude * sin(angle), magnitude * cos(angle)


def opposite(direction: float) -> float:
    """Return the opposite of a compass direction [deg]: from where it comes to where it goes."""
    return (direction + 180.0) % 360.0
