"""Wormholes: a vessel that enters one mouth emerges from the other.

A wormhole joins two regions, its Madrid and its Weber mouth. A vessel detected in an entry mouth
emerges at the same offset from the other mouth's centroid, or at the nearest point within it.
Before, it may fade while it sails on; then it may be gone for a delay.

    detected in a mouth ── fade ──> gone ── delay ──> out of the other ── fade ──> as before

The mouths at which it has emerged are closed to it until it has left them.

Source: uSimMarineV22 manual, section 9; fades as in the released program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

Point = tuple[float, float]

CLEAR = 0.01  # distance from a mouth beyond which it has been left [m]


class Region(Protocol):
    """A convex region; points are (x, y), east and north of the datum [m]."""

    @property
    def points(self) -> Sequence[Point]:
        """Its corners."""

    @property
    def centroid(self) -> Point:
        """The centre of its area."""

    def contains(self, point: Point) -> bool:
        """Return whether a point lies inside or on the boundary."""

    def nearest(self, point: Point) -> Point:
        """Return the point of the region nearest to a point."""

    def distance(self, point: Point) -> float:
        """Return the distance of a point to the region [m]; 0 inside."""


class Side(StrEnum):
    """The mouths of a wormhole."""

    MADRID = "madrid"
    WEBER = "weber"

    @property
    def other(self) -> Side:
        """The mouth at the other end."""
        return Side.WEBER if self is Side.MADRID else Side.MADRID


@dataclass(frozen=True, slots=True)
class Mouth:
    """One end of a wormhole."""

    wormhole: Wormhole
    side: Side

    @property
    def region(self) -> Region:
        """Its region."""
        return self.wormhole.madrid if self.side is Side.MADRID else self.wormhole.weber

    @property
    def other(self) -> Mouth:
        """The mouth at the other end."""
        return Mouth(self.wormhole, self.side.other)


@dataclass(frozen=True, slots=True)
class Wormhole:
    """A wormhole between two mouths.

    Attributes:
        tag: its name.
        madrid, weber: its mouths.
        entries: the mouths that can be entered.
        delay: time for which a vessel is gone [s].
        fade: time for which it fades out before, and fades in afterwards [s].
        id_change: whether it emerges under a new name.
    """

    tag: str
    madrid: Region
    weber: Region
    entries: tuple[Side, ...] = (Side.MADRID,)
    delay: float = 0.0
    fade: float = 0.0
    id_change: bool = False

    @property
    def mouths(self) -> tuple[Mouth, Mouth]:
        """Both ends."""
        return Mouth(self, Side.MADRID), Mouth(self, Side.WEBER)

    def way_out(self, side: Side, entry: Point) -> Point:
        """Return the point where a vessel emerges.

        Args:
            side: of the mouth it entered. entry: its position there.
        """
        into = Mouth(self, side)
        x0, y0 = into.region.centroid
        x1, y1 = into.other.region.centroid
        return into.other.region.nearest((x1 + entry[0] - x0, y1 + entry[1] - y0))


@dataclass(frozen=True, slots=True)
class Passage:
    """A vessel's passage through a wormhole.

    Attributes:
        mouth: the one entered.
        entry, exit: positions where it was detected, and where it emerges.
        since: time of detection [s].
    """

    mouth: Mouth
    entry: Point
    exit: Point
    since: float

    @property
    def wormhole(self) -> Wormhole:
        """The wormhole."""
        return self.mouth.wormhole


class Traveller:
    """State of a vessel with respect to wormholes.

    The simulator calls at each instant: ``find`` while the vessel sails; ``is_gone``: it must not
    move; ``is_through``: it is to be put at ``passage.exit``, followed by ``emerge``.

    Attributes:
        wormholes: all of the mission.
        passage: the present one; None outside of passages.
        count: number of completed passages.
    """

    def __init__(self, wormholes: Iterable[Wormhole]) -> None:
        self.wormholes = tuple(wormholes)
        self.passage: Passage | None = None
        self.count = 0
        self._last: Passage | None = None
        self._emerged = 0.0
        self._shut: list[Mouth] = []

    def find(self, place: Point, now: float) -> None:
        """Update with the vessel's position; in an entry mouth, begin a passage.

        Args:
            place: (x, y) [m]. now: time [s].
        """
        self._shut = [mouth for mouth in self._shut if mouth.region.distance(place) <= CLEAR]
        if self.passage is not None or self._comes_into_view(now):
            return
        for mouth in self._entries():
            if mouth.region.contains(place) and mouth not in self._shut:
                way_out = mouth.wormhole.way_out(mouth.side, place)
                self.passage = Passage(mouth, place, way_out, now)
                return

    def is_gone(self, now: float) -> bool:
        """Return whether it is gone at a time [s]: faded out, and not emerged yet."""
        passage = self.passage
        return passage is not None and _between(passage.since, now) >= passage.wormhole.fade

    def is_through(self, now: float) -> bool:
        """Return whether it is due to emerge at a time [s]."""
        passage = self.passage
        if passage is None:
            return False
        wormhole = passage.wormhole
        return _between(passage.since, now) >= wormhole.fade + wormhole.delay

    def emerge(self, now: float) -> Passage:
        """End the passage at a time [s], and return it."""
        passage = self.passage
        assert passage is not None
        self.passage, self._last, self._emerged = None, passage, now
        self.count += 1
        # Closed until left: else the vessel would enter again where it has just emerged.
        around = [mouth for mouth in self._entries() if mouth.region.contains(passage.exit)]
        self._shut = [passage.mouth.other, *around]
        return passage

    def visibility(self, now: float) -> float:
        """Return its visibility at a time [s], 0 to 1."""
        passage = self.passage
        if passage is not None:
            fade = passage.wormhole.fade
            return max(0.0, 1 - _between(passage.since, now) / fade) if fade > 0 else 0.0
        if self._comes_into_view(now):
            assert self._last is not None
            return _between(self._emerged, now) / self._last.wormhole.fade
        return 1.0

    def _comes_into_view(self, now: float) -> bool:
        last = self._last
        return last is not None and _between(self._emerged, now) < last.wormhole.fade

    def _entries(self) -> Iterator[Mouth]:
        for wormhole in self.wormholes:
            yield from (mouth for mouth in wormhole.mouths if mouth.side in wormhole.entries)


def _between(first: float, last: float) -> float:
    """Return the time between two instants [s], rounded to remove floating-point error."""
    return round(last - first, 9)
