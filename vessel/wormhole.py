"""Wormholes: a vessel that enters one mouth comes out of the other.

A wormhole joins two regions, its Madrid and its Weber mouth. A vessel found in a mouth that lets
in comes out as far from the middle of the other mouth as it was from the middle of this one when
it was first found there, or at the nearest point that still lies in it. Before, it may fade away
while it sails on; then it may be gone for a while.

    found in a mouth ── fade ──> gone ── delay ──> out of the other ── fade ──> as before

A mouth it has come out of, or into, does not let it in before it has been clear of it.

Source: uSimMarineV22 manual, section 9; fades as in the released program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

Point = tuple[float, float]

CLEAR = 0.01  # a mouth is left behind when it is so far away [m]


class Region(Protocol):
    """A convex part of the sea; points are (x, y), east and north of the datum [m]."""

    @property
    def points(self) -> Sequence[Point]:
        """Its corners."""

    @property
    def centroid(self) -> Point:
        """The centre of its area."""

    def contains(self, point: Point) -> bool:
        """Whether a point lies inside or on the boundary."""

    def nearest(self, point: Point) -> Point:
        """Return its point that is nearest to a point."""

    def distance(self, point: Point) -> float:
        """Return the distance of a point to it [m]; 0 inside."""


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
        """Where it is."""
        return self.wormhole.madrid if self.side is Side.MADRID else self.wormhole.weber

    @property
    def other(self) -> Mouth:
        """The mouth at the other end."""
        return Mouth(self.wormhole, self.side.other)


@dataclass(frozen=True, slots=True)
class Wormhole:
    """Two mouths, and how one gets from one to the other.

    Attributes:
        tag: its name.
        madrid, weber: its mouths.
        entries: the mouths that let in.
        delay: how long a vessel is gone [s].
        fade: how long it fades before, and comes into view afterwards [s].
        id_change: whether it comes out under a new name.
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
        """Return where a vessel comes out.

        Args:
            side: of the mouth it entered. entry: where in it.
        """
        into = Mouth(self, side)
        x0, y0 = into.region.centroid
        x1, y1 = into.other.region.centroid
        return into.other.region.nearest((x1 + entry[0] - x0, y1 + entry[1] - y0))


@dataclass(frozen=True, slots=True)
class Passage:
    """A vessel's way through a wormhole.

    Attributes:
        mouth: that it entered.
        entry, exit: where it was found in it, and where it comes out.
        since: when it was found [s].
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
    """A vessel among wormholes: shown where it is from time to time, it tells what comes of it.

    Whoever moves it asks at each instant: ``find`` while it sails, ``is_gone`` whether it must
    not move, ``is_through`` whether to put it at ``passage.exit``, and then calls ``emerge``.

    Attributes:
        wormholes: all there are.
        passage: the one it is in; None while it is in none.
        count: passages it has come out of.
    """

    def __init__(self, wormholes: Iterable[Wormhole]) -> None:
        self.wormholes = tuple(wormholes)
        self.passage: Passage | None = None
        self.count = 0
        self._last: Passage | None = None
        self._emerged = 0.0
        self._shut: list[Mouth] = []

    def find(self, place: Point, now: float) -> None:
        """Take note of where it is; in a mouth that lets in, a passage begins.

        Args:
            place: (x, y) [m]. now: when it is there [s].
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
        """Whether it is in no place at a time [s]: faded, and not through yet."""
        passage = self.passage
        return passage is not None and _between(passage.since, now) >= passage.wormhole.fade

    def is_through(self, now: float) -> bool:
        """Whether it is to come out by a time [s]."""
        passage = self.passage
        if passage is None:
            return False
        wormhole = passage.wormhole
        return _between(passage.since, now) >= wormhole.fade + wormhole.delay

    def emerge(self, now: float) -> Passage:
        """Let it come out at a time [s]; give the passage that is over."""
        passage = self.passage
        assert passage is not None
        self.passage, self._last, self._emerged = None, passage, now
        self.count += 1
        around = [mouth for mouth in self._entries() if mouth.region.contains(passage.exit)]
        self._shut = [passage.mouth.other, *around]
        return passage

    def visibility(self, now: float) -> float:
        """Return how much of it is seen at a time [s]: 0 nothing, 1 all."""
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
    """Return the time between two instants [s], free of what their difference rounds."""
    return round(last - first, 9)
