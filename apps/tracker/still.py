"""What does not move: its outline grows with what is seen of it, and others hear when it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from steerageway.apps.hull import around
from steerageway.moos.polygon import Polygon
from steerageway.moos.seglist import Point
from steerageway.moos.view import points_text

GROWN = 0.3  # an outline is told anew once it has grown by so much [m]
DIGITS = 2  # decimals of corners [m]


@dataclass(slots=True)
class Still:
    """Something that does not move.

    Attributes:
        polygon: its outline; x east, y north [m].
        scans: how many have seen it.
        seen: when the last one did [s].
        told: when others last heard of it [s]; -inf: never.
        as_told: the outline that they heard of.
    """

    polygon: Polygon
    scans: int
    seen: float
    told: float = -inf
    as_told: Polygon | None = None


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

    def see(self, key: str, points: Sequence[Point], time: float) -> None:
        """Note returns of something [m] in a scan at a time [s]."""
        known = self._things.get(key)
        if known is None:
            self._things[key] = Still(_rounded(around(points)), 1, time)
            return
        if time > known.seen:
            known.scans += 1
            known.seen = time
        outside = [point for point in points if not known.polygon.contains(point)]
        if outside:
            known.polygon = _rounded(around([*known.polygon.points, *outside]))

    def forget(self, key: str) -> None:
        """Let something go, as it moves after all."""
        known = self._things.pop(key, None)
        if known is not None and known.as_told is not None:
            self._gone.append(_text(key, known.as_told, "active=false"))

    def news(self, time: float) -> Iterator[str]:
        """Give what an obstacle manager has to hear at a time [s]: texts of ``GIVEN_OBSTACLE``."""
        gone, self._gone = self._gone, []
        yield from gone
        for key, thing in list(self._things.items()):
            if time - thing.seen > self._memory:
                del self._things[key]
            elif thing.scans >= self._confirm and self._is_due(thing, time):
                thing.told, thing.as_told = time, thing.polygon
                left = thing.seen + self._memory - time
                yield _text(key, thing.polygon, f"duration={left:.1f}")

    def _is_due(self, thing: Still, time: float) -> bool:
        """Whether others would forget it, or hold it for too small."""
        if thing.as_told is None:
            return True
        if thing.polygon is thing.as_told:
            return thing.seen > thing.told and time - thing.told > self._memory / 2.0
        return any(thing.as_told.distance(corner) > GROWN for corner in thing.polygon.points)


def _rounded(polygon: Polygon) -> Polygon:
    corners = [(round(x, DIGITS), round(y, DIGITS)) for x, y in polygon.points]
    return around(corners)


def _text(key: str, polygon: Polygon, rest: str) -> str:
    return f"pts={{{points_text(polygon.points, DIGITS)}}},label={key},vsource=lidar,{rest}"
