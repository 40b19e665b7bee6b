"""Obstacles: given polygons, and polygons around clusters of sensed points."""

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
class ClusterPolygon:
    """Regular polygon for clusters of points: number of vertices, and radius [m]."""

    corners: int
    radius: float


@dataclass
class Obstacle:
    """An obstacle.

    Attributes:
        key: its name.
        polygon: its area.
        vsource: source of the information; "" if unknown.
        until: when it expires [s]; inf: never.
        sensed: its points with the times they were sensed [s]; none for a given obstacle.
        changed: its polygon has changed since the last alert check.
    """

    key: str
    polygon: Polygon
    vsource: str = ""
    until: float = inf
    sensed: deque[tuple[float, Point]] = field(default_factory=deque)
    changed: bool = True

    @cached_property
    def shape(self) -> str:
        """Its polygon as text of alerts: ``pts={..},label=key``."""
        source = f",vsource={self.vsource}" if self.vsource else ""
        return f"pts={{{points_text(self.polygon.points, DIGITS)}}},label={self.key}{source}"

    def distance_bound(self, here: Point) -> float:
        """Return a cheap lower bound of its distance [m]: to the circle around it."""
        x, y, radius = self._circle
        return hypot(here[0] - x, here[1] - y) - radius

    @cached_property
    def _circle(self) -> tuple[float, float, float]:
        """A circle around its vertices: x, y and radius [m], enlarged against rounding."""
        count, points = len(self.polygon.points), self.polygon.points
        x, y = sum(a for a, _ in points) / count, sum(b for _, b in points) / count
        return x, y, 1.001 * max(hypot(a - x, b - y) for a, b in points)


def parse_given(
    text: str, now: float = 0.0, max_duration: float = inf, default_duration: float | None = inf
) -> Obstacle:
    """Read ``pts={x,y:x,y:x,y},label=key`` and optionally ``vsource=``, ``duration=``, ``active=``.

    With ``active=false`` it has expired.

    Args:
        now: [s].
        max_duration: maximum duration [s].
        default_duration: duration of one without ``duration=`` [s]; None: such a one is rejected.
    Raises:
        ValueError: what was expected.
    """
    polygon = parse_polygon(text)
    key = polygon.fields.get("label", "")
    if not key:
        raise PolygonError("expected a label")
    duration = polygon.fields.get("duration", "")
    if duration and (not is_number(duration) or float(duration) > max_duration):
        raise PolygonError(f"expected a duration of at most {max_duration:g} s")
    if not duration and default_duration is None:
        raise PolygonError("expected a duration: MOOS-IvP's manager requires one")
    default = inf if default_duration is None else default_duration
    lasts = float(duration) if duration and float(duration) >= 0 else default
    if polygon.fields.get("active", "").lower() == "false":
        lasts = -inf
    return Obstacle(key, polygon, polygon.fields.get("vsource", ""), now + lasts)


class Sensed(NamedTuple):
    """A sensed point of an obstacle, and its source; "" if unknown."""

    key: str
    point: Point
    vsource: str


def parse_point(text: str) -> Sensed:
    """Read ``x=1,y=2,key=rock`` and optionally ``vsource=``.

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
    known: Obstacle | None, one: Sensed, now: float, most: int, cluster: ClusterPolygon | None
) -> Obstacle:
    """Return an obstacle with one more point; beyond ``most`` points the oldest are dropped."""
    sensed = deque(known.sensed if known is not None else (), maxlen=most)
    sensed.append((now, one.point))
    return Obstacle(one.key, _polygon(sensed, cluster), one.vsource, sensed=sensed)


def without_old_points(
    known: Obstacle, before: float, cluster: ClusterPolygon | None
) -> Obstacle | None:
    """Return a sensed obstacle without points older than a time [s]; None if none is left."""
    if not known.sensed or known.sensed[0][0] >= before:
        return known
    left = deque((item for item in known.sensed if item[0] >= before), maxlen=known.sensed.maxlen)
    return (
        Obstacle(known.key, _polygon(left, cluster), known.vsource, sensed=left) if left else None
    )


def _polygon(sensed: deque[tuple[float, Point]], cluster: ClusterPolygon | None) -> Polygon:
    points = [point for _, point in sensed]
    return ring(points, cluster.corners, cluster.radius) if cluster else around(points)
