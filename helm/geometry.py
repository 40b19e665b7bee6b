"""Plane geometry in the local frame: points (x east, y north) [m], compass angles [deg]."""

from __future__ import annotations

from math import hypot

from steerageway.geometry import marine
from steerageway.moos.seglist import Point, project


def distance(one: Point, other: Point) -> float:
    """Return the distance of two points [m]."""
    return hypot(one[0] - other[0], one[1] - other[1])


def bearing(here: Point, there: Point) -> float:
    """Return the compass bearing of a point, in [0, 360); 0 if both are the same."""
    return marine.bearing(there[0] - here[0], there[1] - here[1])


def angle_between(one: float, other: float) -> float:
    """Return the angle between two headings, in [0, 180]."""
    return abs(turn(one, other))


def either_side(angle: float) -> float:
    """Return an angle within 180 degrees of 0, in [-180, 180): starboard > 0, port < 0."""
    return (angle + 180.0) % 360.0 - 180.0


def turn(start: float, end: float) -> float:
    """Return the turn from one heading to another, in (-180, 180]; starboard > 0."""
    return 180.0 - (start - end + 180.0) % 360.0


def foot(start: Point, end: Point, point: Point) -> Point:
    """Return the point of a segment nearest to another point."""
    along = (end[0] - start[0], end[1] - start[1])
    squared = along[0] ** 2 + along[1] ** 2
    if squared == 0.0:
        return start
    share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / squared
    share = min(max(share, 0.0), 1.0)
    return start[0] + share * along[0], start[1] + share * along[1]


def is_past(point: Point, previous: Point, here: Point) -> bool:
    """Whether a position is abeam of or beyond a point, on the leg from a previous point."""
    back = (previous[0] - point[0], previous[1] - point[1])
    off = (here[0] - point[0], here[1] - point[1])
    return back[0] * off[0] + back[1] * off[1] <= 0.0


def track_point(anchor: Point, goal: Point, here: Point, lead: float, damper: float) -> Point:
    """Return the track point: the point to steer to on the line from an anchor to a goal.

    It lies ``lead`` ahead of the line's nearest point, up to three times as far if the vessel is
    nearer to the line than ``damper``, and never beyond the goal.

    Args:
        anchor, goal: ends of the line.
        here: position of the vessel.
        lead: [m], > 0.
        damper: [m]; <= 0 for none.
    Source: BHV_Waypoint of MOOS-IvP.
    """
    nearest = foot(anchor, goal, here)
    off = distance(nearest, here)
    if off < damper:
        lead *= 1.0 + 2.0 * (1.0 - off / damper)
    way = min(lead, distance(nearest, goal))
    return project(nearest, bearing(anchor, goal), way)


def greedy_tour(points: tuple[Point, ...], here: Point) -> tuple[Point, ...]:
    """Order points so that the next is always the nearest; of equally near ones the first."""
    left, tour = list(points), []
    while left:
        here = min(left, key=lambda point: distance(here, point))
        left.remove(here)
        tour.append(here)
    return tuple(tour)
