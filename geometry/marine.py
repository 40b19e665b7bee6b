"""Angles, and conversion between the marine convention of the bus and Fossen's frames.

Marine: x east and y north [m] from the datum, depth down [m], heading in degrees clockwise from
north, in [0, 360). Fossen (2021, chapter 2): NED position [m], psi in radians, in (-pi, pi].
"""

from __future__ import annotations

from math import atan2, cos, degrees, radians, sin


def components(direction: float, magnitude: float) -> tuple[float, float]:
    """Return the (east, north) components of a vector with a compass direction [deg]."""
    angle = radians(direction)
    return magnitude * sin(angle), magnitude * cos(angle)


def opposite(direction: float) -> float:
    """Return the opposite of a compass direction [deg]: from where it comes to where it goes."""
    return (direction + 180.0) % 360.0


def angle360(angle: float) -> float:
    """Return an angle [deg] wrapped to [0, 360)."""
    turned = angle % 360.0
    return turned if turned < 360.0 else 0.0


def angle180(angle: float) -> float:
    """Return an angle [deg] wrapped to (-180, 180]."""
    turned = angle % 360.0
    return turned - 360.0 if turned > 180.0 else turned


def bearing(east: float, north: float) -> float:
    """Return the compass direction [deg] of a displacement; 0 for a zero displacement."""
    return angle360(degrees(atan2(east + 0.0, north + 0.0)))  # + 0.0: no negative zero


def mean_heading(first: float, second: float) -> float:
    """Return the heading midway between two [deg], as an angle in radians from north.

    Source: uSimMarineV22 manual, section 5.3, step 1.
    """
    one, two = radians(first), radians(second)
    return atan2(sin(one) + sin(two), cos(one) + cos(two))


def psi(heading: float) -> float:
    """Return Fossen's yaw angle [rad] of a heading [deg]; the bus's ``_YAW`` is its negative."""
    return radians(angle180(heading))


def heading_of(psi: float) -> float:
    """Return the heading [deg] of Fossen's yaw angle [rad]."""
    return angle360(degrees(psi))


def ned(x: float, y: float, depth: float = 0.0) -> tuple[float, float, float]:
    """Return (north, east, down) of a marine position."""
    return y, x, depth
