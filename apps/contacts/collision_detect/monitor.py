"""Detection of encounters: pairs of vessels whose range closes and opens again.

An encounter ends when the range, closing until now, has opened by a metre; less is jitter of the
reported positions. It is reported if its least range is within the encounter range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import islice
from math import inf

from steerageway.geometry.encounter import Track, relative_bearing, separation
from steerageway.moos.seglist import Point

SWING = 1.0  # change of the range after which it is considered opening or closing [m]
REMOVED_BEYOND = 1.5  # separation, in encounter ranges, beyond which a pair is removed
_Range = tuple[tuple[str, str], float]  # of a pair, in alphabetical order [m]


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter that has ended.

    Attributes:
        one, other: the vessels, in alphabetical order.
        cpa: least range [m].
        place: midpoint between them when the range opens (x, y) [m].
        alpha: relative bearing of ``one`` from ``other`` [deg].
        beta: relative bearing of ``other`` from ``one`` [deg].
    """

    one: str
    other: str
    cpa: float
    place: Point
    alpha: float
    beta: float

    @property
    def sides(self) -> str:
        """The side on which each had the other: ``port:star``."""
        return ":".join("port" if angle > 180.0 else "star" for angle in (self.beta, self.alpha))

    @property
    def ends(self) -> str:
        """Whether each had the other before or abaft the beam: ``fore:aft``."""
        is_aft = (90.0 < angle < 270.0 for angle in (self.beta, self.alpha))
        return ":".join("aft" if aft else "fore" for aft in is_aft)


@dataclass(slots=True)
class _Pair:
    """A pair of vessels: its least range while closing, its greatest while opening [m]."""

    extreme: float
    closing: bool = False

    def take(self, away: float) -> float | None:
        """Update the range [m]; return the least one when it begins to open."""
        self.extreme = min(self.extreme, away) if self.closing else max(self.extreme, away)
        if abs(away - self.extreme) <= SWING:
            return None
        least = self.extreme if self.closing else None
        self.closing = not self.closing
        self.extreme = away
        return least


class Monitor:
    """Detects the encounters of all pairs of vessels.

    Args:
        encounter_range: maximum least range of an encounter [m].

    Attributes:
        closest: present range of the closest pair [m]; closest_ever: the least so far; inf: none.
    """

    def __init__(self, encounter_range: float) -> None:
        self._range = encounter_range
        self._removed_beyond = REMOVED_BEYOND * encounter_range
        self._pairs: dict[tuple[str, str], _Pair] = {}
        self.closest = self.closest_ever = inf

    def look(self, tracks: Mapping[str, Track], ignored: Iterable[str] = ()) -> list[Encounter]:
        """Update all pairs, and return the encounters that have just ended.

        Args:
            tracks: vessel -> its present track.
            ignored: vessels whose encounters with each other are ignored.
        """
        left_out = frozenset(ignored)
        ranges = dict(self._near(tracks, left_out))
        self.closest = min(ranges.values(), default=inf)
        self.closest_ever = min(self.closest_ever, self.closest)
        for one, other in self._pairs:
            if one in tracks and other in tracks and not left_out.issuperset((one, other)):
                ranges[one, other] = separation(tracks[one], tracks[other])
        found = []
        for (one, other), away in sorted(ranges.items()):
            cpa = self._least((one, other), away)
            if cpa is not None and cpa <= self._range:
                found.append(_encounter(one, other, cpa, tracks))
        return found

    def reset_closest(self) -> None:
        """Reset the closest ranges."""
        self.closest = self.closest_ever = inf

    def _near(self, tracks: Mapping[str, Track], left_out: Set[str]) -> Iterator[_Range]:
        """Yield the pairs within the range of removal, and the closest one, with their ranges [m].

        A sweep from west to east: who is farther east than that need not be looked at.
        """
        reach, rows = inf, sorted((track.x, name, track) for name, track in tracks.items())
        for place, (x, name, here) in enumerate(rows, 1):
            for east, other, there in islice(rows, place, None):
                if east - x > reach:
                    break
                away = separation(here, there)
                if away <= reach and not (name in left_out and other in left_out):
                    reach = max(self._removed_beyond, away)
                    yield (min(name, other), max(name, other)), away

    def _least(self, names: tuple[str, str], away: float) -> float | None:
        pair = self._pairs.get(names)
        far = away > self._removed_beyond
        if pair is None:
            if not far:
                self._pairs[names] = _Pair(away)
            return None
        least = pair.take(away)
        if far:
            del self._pairs[names]
        return least


def _encounter(one: str, other: str, cpa: float, tracks: Mapping[str, Track]) -> Encounter:
    a, b = tracks[one], tracks[other]
    place = ((a.x + b.x) / 2, (a.y + b.y) / 2)
    return Encounter(one, other, cpa, place, relative_bearing(b, a), relative_bearing(a, b))
