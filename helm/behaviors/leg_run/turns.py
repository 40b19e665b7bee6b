"""Points of a (Williamson) turn at the end of a leg.

A turn is three arcs of one radius: off the line to the opposite side, around by more than half a
circle, and back onto the line where it began, in the opposite direction. A bias shifts the middle
arc off the line, away from the turn's side, by a percentage of the radius; straight lines then
connect the arcs. Each arc is sampled from its own start.
Source: TurnGenWilliamson of MOOS-IvP.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import acos, atan2, cos, degrees, hypot, radians, sin, sqrt

from steerageway.helm.geometry import bearing, distance
from steerageway.moos.seglist import Point, project

_HALF_LANE = 0.05  # the lines to and fro are taken to be 0.1 m apart where a bias is limited [m]
_SLACK = 1.0  # additional distance ahead of the middle arc, if there is a bias [m]


def turn_points(
    end: Point, heading: float, radius: float, extent: float, bias: float, gap: float, *, port: bool
) -> tuple[Point, ...]:
    """Return the points of a turn.

    Args:
        end: of the leg [m]; heading: of the leg at its end [deg].
        radius, extent: radius of the turn, and distance beyond the end at which it begins [m].
        bias: -100 to 100.
        gap: angle between two points, seen from an arc's centre [deg].
        port: whether the turn is to port.
    """
    start = project(end, heading, extent)
    side = heading - 90 if port else heading + 90
    around = [
        project(project(start, heading, ahead), side, abeam)
        for ahead, abeam in _arcs(radius, bias / 100 * (radius - _HALF_LANE), gap)
    ]
    return (end, *around, end) if extent > 0 else tuple(around)


def apex(points: tuple[Point, ...], ahead: float) -> tuple[Point, float]:
    """Return the point so far along a turn [m], and the course there [deg]."""
    for here, after in pairwise(points):
        length = distance(here, after)
        if ahead <= length:
            course = bearing(here, after)
            return project(here, course, ahead), course
        ahead -= length
    return points[-1], 0.0


def _arcs(radius: float, shift: float, gap: float) -> Iterator[Point]:
    """Return points (ahead, abeam to the turn's side) along the arcs."""
    to_first, to_last = radius - shift, radius + shift  # from the middle arc's centre, abeam
    # how far ahead adjoining circles, whose centres are 2 radii apart, touch
    reach = sqrt(3.0) * radius
    if shift:
        # with a bias: so far that the circles nearer abeam do not overlap
        reach = _SLACK + sqrt(4.0 * radius**2 - min(to_first, to_last) ** 2)
    first, last = _angle(reach, to_first, radius), _angle(reach, to_last, radius)
    for angle in _steps(first, gap):
        yield radius * sin(angle), radius * (cos(angle) - 1.0)
    for angle in _steps(180.0 + first + last, gap):
        bearing = radians(90.0 + first) - angle  # from the bow, away from the turn's side
        yield reach + radius * cos(bearing), -shift - radius * sin(bearing)
    for angle in _steps(last, gap):
        bearing = radians(90.0 - last) + angle
        yield radius * cos(bearing), radius * (1.0 - sin(bearing))


def _angle(reach: float, abeam: float, radius: float) -> float:
    """Return the angle of an arc up to its tangent to the next circle, ahead and abeam [deg]."""
    between = hypot(reach, abeam)
    # inner tangent of two circles of equal radius
    return degrees(atan2(reach, abeam) - acos(min(1.0, 2.0 * radius / between)))


def _steps(angle: float, gap: float) -> Iterator[float]:
    """Yield the angles of an arc's points, from 0 to at most the arc's angle [rad]."""
    for count in range(int(angle / gap + 1e-9) + 1):
        yield radians(count * gap)
