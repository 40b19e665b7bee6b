"""Throws obstacles into a region, and points on to an obstacle. Pure."""

from __future__ import annotations

from math import cos, dist, sin, tau
from random import Random

from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

CORNERS = 8  # of an obstacle
SWAY = 0.6  # share of the angle between two corners by which one may be off
TRIES = 5_000


def random_field(
    region: Polygon, count: int, sizes: tuple[float, float], apart: float, random: Random
) -> list[Polygon] | None:
    """Throw convex obstacles into a region.

    Args:
        region: in which they lie wholly.
        count: how many.
        sizes: least and greatest diameter of one [m].
        apart: least distance of two [m].
    Returns: the obstacles; None if there is no room for so many, as far as chance can tell.
    """
    placed: list[tuple[Point, float]] = []
    for _ in range(TRIES):
        if len(placed) == count:
            break
        radius = random.uniform(*sizes) / 2
        centre = _somewhere_in(region, random)
        if any(dist(centre, other) < radius + size + apart for other, size in placed):
            continue
        if region.contains(centre) and region.distance_to_edge(centre) >= radius:
            placed.append((centre, radius))
    if len(placed) < count:
        return None
    return [_rounded(centre, radius, random) for centre, radius in placed]


def random_point(obstacle: Polygon, seen_from: Point, random: Random) -> Point | None:
    """Give a point of an obstacle's edge that is seen from a place; None from inside."""
    sides = zip(obstacle.edges, obstacle.faces(seen_from), strict=True)
    seen = [edge for edge, faces in sides if faces]
    if not seen:
        return None
    ((a, b),) = random.choices(seen, weights=[dist(*edge) for edge in seen])
    share = random.random()
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _somewhere_in(region: Polygon, random: Random) -> Point:
    """Give a point of the rectangle around a region."""
    xs, ys = zip(*region.points, strict=True)
    return random.uniform(min(xs), max(xs)), random.uniform(min(ys), max(ys))


def _rounded(centre: Point, radius: float, random: Random) -> Polygon:
    """Make a polygon with its corners on a circle, unevenly; so it is convex."""
    step = tau / CORNERS
    angles = [step * (k + random.uniform(0.0, SWAY)) for k in range(CORNERS)]
    x, y = centre
    return Polygon(tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles))
