"""What stands still for the tracker: known walls, and obstacles whose outlines grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.contacts.hull import around
from steerageway.apps.contacts.tracker.returns import keys
from steerageway.moos.polygon import Polygon
from steerageway.moos.view import points_text

Floats = NDArray[np.float64]
OUTSIDE = 0.05  # returns within this distance outside an outline do not change it [m]
GROWN = 0.3  # an outline is published again after growing by this distance [m]
_ANGLES = np.arange(16) * np.pi / 8.0
DIRECTIONS = np.array((np.cos(_ANGLES), np.sin(_ANGLES)))  # in which outlines are compared
DIGITS = 2  # decimals of vertices [m]


@dataclass(slots=True)
class StaticObject:
    """A static object.

    Attributes:
        polygon: its outline; x east, y north [m].
        reach: extent of the outline in each of ``DIRECTIONS`` [m].
        scans: number of scans that detected it.
        seen: time of the last detection [s].
        published: time of its last publication [s]; -inf: never.
        published_reach: ``reach`` at its last publication; None: never published.
    """

    polygon: Polygon
    reach: Floats
    scans: int
    seen: float
    published: float = -inf
    published_reach: Floats | None = None


class StaticObjects:
    """All static objects, by name.

    Args:
        confirm: number of scans that must detect an object before it is published.
        memory: time for which an object is kept without detections [s].
    """

    def __init__(self, confirm: int, memory: float) -> None:
        self._confirm, self._memory = confirm, memory
        self._objects: dict[str, StaticObject] = {}
        self._gone: list[str] = []

    def __len__(self) -> int:
        return len(self._objects)

    def add(self, key: str, points: Floats, time: float) -> None:
        """Add returns of an object in a scan: (n, 2) east, north [m], and the time [s]."""
        reach = (points @ DIRECTIONS).max(axis=0)
        known = self._objects.get(key)
        if known is None:
            self._objects[key] = StaticObject(_outline(points), reach, 1, time)
            return
        if time > known.seen:
            known.scans += 1
            known.seen = time
        # extents in fixed directions are a cheap test for growth of the hull
        if (reach > known.reach + OUTSIDE).any():
            known.polygon = _outline(np.vstack((known.polygon.points, points)))
            known.reach = np.maximum(known.reach, reach)

    def remove(self, key: str) -> None:
        """Remove an object, as it moves after all."""
        known = self._objects.pop(key, None)
        if known is not None and known.published_reach is not None:
            self._gone.append(_text(key, known.polygon, "active=false"))

    def due_texts(self, time: float) -> Iterator[str]:
        """Yield the ``GIVEN_OBSTACLE`` texts due at a time [s]."""
        gone, self._gone = self._gone, []
        yield from gone
        for key, one in list(self._objects.items()):
            if time - one.seen > self._memory:
                del self._objects[key]
            elif one.scans >= self._confirm and self._is_due(one, time):
                one.published, one.published_reach = time, one.reach
                left = one.seen + self._memory - time
                yield _text(key, one.polygon, f"duration={left:.1f}")

    def _is_due(self, one: StaticObject, time: float) -> bool:
        """Whether it is new, would soon expire at its receivers, or has grown."""
        if one.published_reach is None:
            return True
        if one.seen > one.published and time - one.published > self._memory / 2.0:
            return True
        return bool((one.reach > one.published_reach + GROWN).any())


def _outline(points: Floats) -> Polygon:
    """Return the convex hull of points, with rounded vertices."""
    corners = around([(float(x), float(y)) for x, y in points]).points
    return around([(round(x, DIGITS), round(y, DIGITS)) for x, y in corners])


def _text(key: str, polygon: Polygon, rest: str) -> str:
    return f"pts={{{points_text(polygon.points, DIGITS)}}},label={key},vsource=lidar,{rest}"


SQUARE = 1.0  # size of a square [m]
SHARE = 0.6  # fraction of an object's points on walls above which it is a part of them
REST_TIME = 10.0  # a square with an object at rest for this time becomes a wall [s]


class Walls:
    """The squares of the plane with long objects, or with objects at rest for some time.

    Their neighbours are included.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._rests: dict[int, float] = {}  # square -> start of an object's rest in it [s]

    def add(self, points: Floats) -> None:
        """Add the returns (n, 2) of a long object [m]."""
        new = points[~self.contains(points)]
        if len(new):
            around = [keys(new, SQUARE, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            self._known = np.union1d(self._known, np.concatenate(around))

    def add_at_rest(self, points: Floats, time: float) -> None:
        """Add returns (n, 2) of a short object apparently at rest [m], at a time [s]."""
        squares = keys(points, SQUARE)
        long = [time - self._rests.setdefault(int(one), time) >= REST_TIME for one in squares]
        if any(long):
            self.add(points[long])

    def contains(self, points: Floats) -> NDArray[np.bool_]:
        """Return whether each of these points (n, 2) lies on a wall [m]."""
        if not len(self._known):
            return np.zeros(len(points), dtype=np.bool_)
        wanted = keys(points, SQUARE)
        # binary search: union1d keeps the numbers sorted
        places = np.searchsorted(self._known, wanted).clip(max=len(self._known) - 1)
        return np.asarray(self._known[places] == wanted)
