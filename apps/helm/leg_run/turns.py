"""The points of a turn at the end of a leg.

A turn is three arcs of one radius: away from its side, around to it by more than half a circle,
and back onto the leg's line in the opposite direction. A bias of 100 shifts it to its side by its
radius, so that the first arc vanishes.
"""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt, tau

from apps.helm.geometry import project
from moos.seglist import Point


def turn_points(
    end: Point, heading: float, radius: float, extent: float, bias: float, gap: float, *, port: bool
) -> tuple[Point, ...]:
    """Give the points of a turn, the last one on the leg's line.

    Args:
        end: of the leg [m]; heading: of its last part [deg].
        radius, extent: of the turn, and how far beyond the end it begins [m].
        bias: -100 to 100.
        gap: way between two points [m].
        port: whether the turn is to port.
    """
    start = project(end, heading, extent)
    points = [start] if extent > 0 else []
    side = heading - 90 if port else heading + 90
    for ahead, abeam in _sampled(radius, bias / 100 * radius, gap):
        points.append(project(project(start, heading, ahead), side, abeam))
    return tuple(points)


def _sampled(radius: float, shift: float, gap: float) -> list[tuple[float, float]]:
    """Give points (ahead, abeam to the turn's side) along the arcs, without the start."""
    along = sqrt(max(0.0, 4 * radius**2 - (radius + shift) ** 2))
    back = sqrt(max(0.0, 4 * radius**2 - (radius - shift) ** 2))
    first, last = atan2(radius + shift, along), atan2(radius - shift, -back)
    arcs = (
        ((0.0, -radius), pi / 2, first - pi / 2),
        ((along, shift), first + pi, (last - first - pi) % tau),
        ((along - back, radius), last + pi, pi / 2 - last),
    )
    found: list[tuple[float, float]] = []
    due = gap
    for (u, w), start, sweep in arcs:
        length = abs(sweep) * radius
        while due <= length:
            angle = start + sweep * due / length
            found.append((u + radius * cos(angle), w + radius * sin(angle)))
            due += gap
        due -= length
    found.append((along - back, 0.0))
    return found
