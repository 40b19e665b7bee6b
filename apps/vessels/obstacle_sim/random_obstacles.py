"""Random generation of obstacles within a region, and of sensed points on an obstacle."""

from __future__ import annotations

from math import cos, dist, sin, tau
from random import Random

from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point

CORNERS = 8  # vertices of an obstacle
MAX_OFFSET = 0.6  # maximum angular offset of a vertex, as a fraction of the angle between vertices
TRIES = 5_000


def random_field(
    region: Polygon, count: int, sizes: tuple[float, float], apart: float, random: Random
) -> list[Polygon] | None:
    """Return random convex obstacles within a region.

    Args:
        region: contains them completely.
        count: number of obstacles.
        sizes: minimum and maximum diameter [m].
        apart: minimum distance of two [m].
    Returns: the obstacles; None if the tries did not suffice to place all of them.
    """
    placed: list[tuple[Point, float]] = []
    for _ in range(TRIES):
        if len(placed) == count:
            break
        radius = random.uniform(*sizes) / 2
        centre = _random_place(region, random)
        if any(dist(centre, other) < radius + size + apart for other, size in placed):
            continue
        if region.contains(centre) and region.distance_to_edge(centre) >= radius:
            placed.append((centre, radius))
    if len(placed) < count:
        return None
    return [_rounded(centre, radius, random) for centre, radius in placed]


def random_point(obstacle: Polygon, seen_from: Point, random: Random) -> Point | None:
    """Return a random point of an obstacle's edges visible from a place; None from inside."""
    sides = zip(obstacle.edges, obstacle.faces(seen_from), strict=True)
    seen = [edge for edge, faces in sides if faces]
    if not seen:
        return None
    ((a, b),) = random.choices(seen, weights=[dist(*edge) for edge in seen])
    share = random.random()
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _random_place(region: Polygon, random: Random) -> Point:
    """Return a random point of a region's bounding rectangle."""
    xs, ys = zip(*region.points, strict=True)
    return random.uniform(min(xs), max(xs)), random.uniform(min(ys), max(ys))


def _rounded(centre: Point, radius: float, random: Random) -> Polygon:
    """Return a convex polygon with its vertices on a circle, unevenly spaced."""
    step = tau / CORNERS
    # Offsets below one step keep the angles in order, so the polygon is convex.
    angles = [step * (k + random.uniform(0.0, MAX_OFFSET)) for k in range(CORNERS)]
    x, y = centre
    return Polygon(tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles))
