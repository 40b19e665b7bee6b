"""Static obstacles of the tracker: outlines that grow with detections, and when to publish them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.contacts.hull import around
from steerageway.moos.polygon import Polygon
from steerageway.moos.view import points_text

Floats = NDArray[np.float64]
OUTSIDE = 0.05  # returns within this distance outside an outline do not change it [m]
GROWN = 0.3  # an outline is published again after growing by this distance [m]
_ANGLES = np.arange(16) * np.pi / 8.0
DIRECTIONS = np.array((np.cos(_ANGLES), np.sin(_ANGLES)))  # in which outlines are compared
DIGITS = 2  # decimals of vertices [m]


@dataclass(slots=True)
class Still:
    """A static object.

    Attributes:
        polygon: its outline; x east, y north [m].
        reach: extent of the outline in each of ``DIRECTIONS`` [m].
        scans: number of scans that detected it.
        seen: time of the last detection [s].
        told: time of its last publication [s]; -inf: never.
        as_told: ``reach`` at its last publication; None: never published.
    """

    polygon: Polygon
    reach: Floats
    scans: int
    seen: float
    told: float = -inf
    as_told: Floats | None = None


class StillThings:
    """All static objects, by name.

    Args:
        confirm: number of scans that must detect an object before it is published.
        memory: time for which an object is kept without detections [s].
    """

    def __init__(self, confirm: int, memory: float) -> None:
        self._confirm, self._memory = confirm, memory
        self._things: dict[str, Still] = {}
        self._gone: list[str] = []

    def __len__(self) -> int:
        return len(self._things)

    def see(self, key: str, points: Floats, time: float) -> None:
        """Add returns of an object in a scan: (n, 2) east, north [m], and the time [s]."""
        reach = (points @ DIRECTIONS).max(axis=0)
        known = self._things.get(key)
        if known is None:
            self._things[key] = Still(_outline(points), reach, 1, time)
            return
        if time > known.seen:
            known.scans += 1
            known.seen = time
        if (reach > known.reach + OUTSIDE).any():
            known.polygon = _outline(np.vstack((known.polygon.points, points)))
            known.reach = np.maximum(known.reach, reach)

    def forget(self, key: str) -> None:
        """Remove an object, as it moves after all."""
        known = self._things.pop(key, None)
        if known is not None and known.as_told is not None:
            self._gone.append(_text(key, known.polygon, "active=false"))

    def news(self, time: float) -> Iterator[str]:
        """Yield the ``GIVEN_OBSTACLE`` texts due at a time [s]."""
        gone, self._gone = self._gone, []
        yield from gone
        for key, thing in list(self._things.items()):
            if time - thing.seen > self._memory:
                del self._things[key]
            elif thing.scans >= self._confirm and self._is_due(thing, time):
                thing.told, thing.as_told = time, thing.reach
                left = thing.seen + self._memory - time
                yield _text(key, thing.polygon, f"duration={left:.1f}")

    def _is_due(self, thing: Still, time: float) -> bool:
        """Whether it is new, would soon expire at its receivers, or has grown."""
        if thing.as_told is None:
            return True
        if thing.seen > thing.told and time - thing.told > self._memory / 2.0:
            return True
        return bool((thing.reach > thing.as_told + GROWN).any())


def _outline(points: Floats) -> Polygon:
    """Return the convex hull of points, with rounded vertices."""
    corners = around([(float(x), float(y)) for x, y in points]).points
    return around([(round(x, DIGITS), round(y, DIGITS)) for x, y in corners])


def _text(key: str, polygon: Polygon, rest: str) -> str:
    return f"pts={{{points_text(polygon.points, DIGITS)}}},label={key},vsource=lidar,{rest}"
