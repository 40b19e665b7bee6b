"""Obstacles: polygons that were told, and clusters of points that were sensed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cached_property
from math import hypot, inf
from typing import NamedTuple

from steerageway.apps.contacts.hull import around, ring
from steerageway.moos.polygon import DIGITS, Polygon, PolygonError, parse_polygon
from steerageway.moos.seglist import Point
from steerageway.moos.values import is_number, pairs
from steerageway.moos.view import points_text


@dataclass(frozen=True, slots=True)
class Lasso:
    """Clusters become a regular polygon of so many corners and such a radius [m]."""

    corners: int
    radius: float


@dataclass
class Obstacle:
    """An obstacle.

    Attributes:
        key: its name.
        polygon: what it covers.
        vsource: who told of it; "" if nobody said.
        until: when it is gone [s]; inf: it stays.
        sensed: its points, each with the time it was sensed [s]; none if it was told.
        changed: its polygon is new since the last look.
    """

    key: str
    polygon: Polygon
    vsource: str = ""
    until: float = inf
    sensed: deque[tuple[float, Point]] = field(default_factory=deque)
    changed: bool = True

    @cached_property
    def shape(self) -> str:
        """Its polygon as alerts have it: ``pts={..},label=key``."""
        source = f",vsource={self.vsource}" if self.vsource else ""
        return f"pts={{{points_text(self.polygon.points, DIGITS)}}},label={self.key}{source}"

    def least_distance(self, here: Point) -> float:
        """Return a distance [m] that it is not nearer than, cheaply: to the circle around it."""
        x, y, radius = self._circle
        return hypot(here[0] - x, here[1] - y) - radius

    @cached_property
    def _circle(self) -> tuple[float, float, float]:
        """A circle around its corners: x, y and radius [m], a little wider than it need be."""
        count, points = len(self.polygon.points), self.polygon.points
        x, y = sum(a for a, _ in points) / count, sum(b for _, b in points) / count
        return x, y, 1.001 * max(hypot(a - x, b - y) for a, b in points)


def parse_given(text: str, now: float, longest: float, usual: float) -> Obstacle:
    """Read ``pts={x,y:x,y:x,y},label=key`` and perhaps ``vsource=``, ``duration=``, ``active=``.

    One that is not active is gone.

    Args:
        now: [s].
        longest: how long it may say that it lasts [s].
        usual: how long one lasts that does not say [s].
    Raises:
        ValueError: what was expected.
    """
    polygon = parse_polygon(text)
    key = polygon.fields.get("label", "")
    if not key:
        raise PolygonError("expected a label")
    duration = polygon.fields.get("duration", "")
    if duration and (not is_number(duration) or float(duration) > longest):
        raise PolygonError(f"expected a duration of at most {longest:g} s")
    lasts = float(duration) if duration and float(duration) >= 0 else usual
    if polygon.fields.get("active", "").lower() == "false":
        lasts = -inf
    return Obstacle(key, polygon, polygon.fields.get("vsource", ""), now + lasts)


class Sensed(NamedTuple):
    """A sensed point of an obstacle, and who sensed it; "" if nobody said."""

    key: str
    point: Point
    vsource: str


def parse_point(text: str) -> Sensed:
    """Read ``x=1,y=2,key=rock`` and perhaps ``vsource=``.

    Raises:
        ValueError: what was expected.
    """
    fields = dict(pairs(text))
    x, y, key = fields.get("x", ""), fields.get("y", ""), fields.get("key", fields.get("label", ""))
    if not (is_number(x) and is_number(y) and key):
        raise ValueError("expected x=1,y=2,key=NAME")
    place = round(float(x), DIGITS), round(float(y), DIGITS)
    return Sensed(key, place, fields.get("vsource", ""))


def with_point(
    known: Obstacle | None, one: Sensed, now: float, most: int, lasso: Lasso | None
) -> Obstacle:
    """Return the obstacle of a key with one more point; beyond ``most`` the oldest ones go."""
    sensed = deque(known.sensed if known is not None else (), maxlen=most)
    sensed.append((now, one.point))
    return Obstacle(one.key, _polygon(sensed, lasso), one.vsource, sensed=sensed)


def without_old_points(known: Obstacle, before: float, lasso: Lasso | None) -> Obstacle | None:
    """Return a sensed obstacle without points older than a time [s]; None if none is left."""
    if not known.sensed or known.sensed[0][0] >= before:
        return known
    left = deque((item for item in known.sensed if item[0] >= before), maxlen=known.sensed.maxlen)
    return Obstacle(known.key, _polygon(left, lasso), known.vsource, sensed=left) if left else None


def _polygon(sensed: deque[tuple[float, Point]], lasso: Lasso | None) -> Polygon:
    points = [point for _, point in sensed]
    return ring(points, lasso.corners, lasso.radius) if lasso else around(points)
