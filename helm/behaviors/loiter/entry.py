"""Entry of a loiter polygon: the first vertex, and the better direction.

Source: LoiterEngine of MOOS-IvP.
"""

from __future__ import annotations

from steerageway.helm.geometry import angle_between, bearing, distance, turn
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

LEAST_RADIUS = 5.0  # of a polygon made smaller [m]


def corners(polygon: Polygon, *, clockwise: bool) -> tuple[Point, ...]:
    """Return the vertices in the order in which they are visited."""
    return polygon.points if polygon.clockwise == clockwise else polygon.points[::-1]


def signed_distance(polygon: Polygon, here: Point) -> float:
    """Return the distance to the edge [m], negative inside."""
    away = polygon.distance_to_edge(here)
    return -away if polygon.contains(here) else away


def entry(polygon: Polygon, here: Point, heading: float, spiral: float, *, clockwise: bool) -> int:
    """Return the index, in ``corners``, of the first vertex.

    From outside it is the visible one at which the loop is joined along a tangent; from inside the
    one with the smallest turn onto the next edge.

    Args:
        spiral: if inside, added to the turn at the vertex most nearly ahead [deg].
    """
    ring = corners(polygon, clockwise=clockwise)
    after = ring[1:] + ring[:1]
    turns = [turn(bearing(here, a), bearing(a, b)) for a, b in zip(ring, after, strict=True)]
    if not polygon.contains(here):
        sight = Polygon(ring).in_sight(here)
        sign = 1 if clockwise else -1
        return max(range(len(ring)), key=lambda i: (sight[i], sign * turns[i]))
    ahead = min(range(len(ring)), key=lambda i: angle_between(heading, bearing(here, ring[i])))
    return min(range(len(ring)), key=lambda i: abs(turns[i]) + (spiral if i == ahead else 0.0))


def better_way(polygon: Polygon, here: Point, heading: float, spiral: float) -> bool:
    """Whether the first turn is smaller when going clockwise."""

    def first_turn(*, clockwise: bool) -> float:
        first = entry(polygon, here, heading, spiral, clockwise=clockwise)
        return angle_between(heading, bearing(here, corners(polygon, clockwise=clockwise)[first]))

    return first_turn(clockwise=True) <= first_turn(clockwise=False)


def radius(polygon: Polygon) -> float:
    """Return the distance of the farthest vertex from the centre [m]."""
    return max(distance(polygon.center, corner) for corner in polygon.points)


def resized(polygon: Polygon, by: float) -> Polygon:
    """Return the polygon scaled to a radius larger ``by`` [m]; at least 5 m."""
    (x, y), old = polygon.center, radius(polygon)
    scale = max(LEAST_RADIUS, old + by) / old
    moved = tuple((x + scale * (a - x), y + scale * (b - y)) for a, b in polygon.points)
    return Polygon(moved, polygon.fields)
