"""What does not move: its outline grows with what is seen of it, and others hear when it has."""

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
OUTSIDE = 0.05  # what is no further outside an outline does not change it [m]
GROWN = 0.3  # an outline is told anew once it has grown by so much [m]
_ANGLES = np.arange(16) * np.pi / 8.0
DIRECTIONS = np.array((np.cos(_ANGLES), np.sin(_ANGLES)))  # in which outlines are compared
DIGITS = 2  # decimals of corners [m]


@dataclass(slots=True)
class Still:
    """Something that does not move.

    Attributes:
        polygon: its outline; x east, y north [m].
        reach: how far it reaches in each of ``DIRECTIONS`` [m].
        scans: how many have seen it.
        seen: when the last one did [s].
        told: when others last heard of it [s]; -inf: never.
        as_told: how far the outline reached that they heard of; None: of none.
    """

    polygon: Polygon
    reach: Floats
    scans: int
    seen: float
    told: float = -inf
    as_told: Floats | None = None


class StillThings:
    """All that does not move, by its name.

    Args:
        confirm: scans that see it before others hear of it.
        memory: how long it stays that is not seen [s].
    """

    def __init__(self, confirm: int, memory: float) -> None:
        self._confirm, self._memory = confirm, memory
        self._things: dict[str, Still] = {}
        self._gone: list[str] = []

    def __len__(self) -> int:
        return len(self._things)

    def see(self, key: str, points: Floats, time: float) -> None:
        """Note returns of something in a scan: (n, 2) east, north [m], and the time [s]."""
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
        """Let something go, as it moves after all."""
        known = self._things.pop(key, None)
        if known is not None and known.as_told is not None:
            self._gone.append(_text(key, known.polygon, "active=false"))

    def news(self, time: float) -> Iterator[str]:
        """Return the ``GIVEN_OBSTACLE`` texts due at a time [s]."""
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
        """Whether others would forget it, or hold it for too small."""
        if thing.as_told is None:
            return True
        if thing.seen > thing.told and time - thing.told > self._memory / 2.0:
            return True
        return bool((thing.reach > thing.as_told + GROWN).any())


def _outline(points: Floats) -> Polygon:
    """Return the convex hull of points, with corners of few decimals."""
    corners = around([(float(x), float(y)) for x, y in points]).points
    return around([(round(x, DIGITS), round(y, DIGITS)) for x, y in corners])


def _text(key: str, polygon: Polygon, rest: str) -> str:
    return f"pts={{{points_text(polygon.points, DIGITS)}}},label={key},vsource=lidar,{rest}"
