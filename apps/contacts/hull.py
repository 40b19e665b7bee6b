"""Convex hulls and regular polygons around points."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from steerageway.moos.polygon import Polygon, is_convex, turn
from steerageway.moos.seglist import Point

_LEAST_RADIUS = 0.5  # minimum radius of the polygon around points that span no area [m]


def around(points: Sequence[Point]) -> Polygon:
    """Return the convex hull of points; an octagon around them if they lie on a line or coincide.

    Source: A. M. Andrew (1979), Information Processing Letters 9(5), monotone chains.
    """
    ordered = sorted(set(points))
    hull = _chain(ordered) + _chain(ordered[::-1])
    if is_convex(tuple(hull)):
        return Polygon(tuple(hull))
    x, y = _mean(points)
    spread = max(hypot(a - x, b - y) for a, b in points)
    # divided by cos(pi/8), so that the edges clear the points, too
    return ring(points, 8, max(_LEAST_RADIUS, spread / cos(pi / 8)))


def ring(points: Sequence[Point], corners: int, radius: float) -> Polygon:
    """Return a regular polygon around the mean of points.

    Args:
        corners: number of vertices, at least 3.
        radius: of the vertices [m].
    """
    x, y = _mean(points)
    angles = [2.0 * pi * (k + 0.5) / corners for k in range(corners)]
    return Polygon(tuple((x + radius * sin(a), y + radius * cos(a)) for a in angles))


def _mean(points: Sequence[Point]) -> Point:
    count = len(points)
    return sum(x for x, _ in points) / count, sum(y for _, y in points) / count


def _chain(points: list[Point]) -> list[Point]:
    """Return one half of the hull (a monotone chain), without its last point."""
    chain: list[Point] = []
    for point in points:
        while len(chain) > 1 and turn(chain[-2], chain[-1], point) <= 0.0:
            chain.pop()
        chain.append(point)
    return chain[:-1]
