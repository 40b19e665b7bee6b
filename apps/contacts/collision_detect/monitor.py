"""How pairs of vessels approach each other and part again. Pure.

An encounter is over when the range, until now closing, has opened by a metre; less is jitter of
what is reported. It counts if the least range on the way was an encounter's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import inf

from steerageway.moos.seglist import Point
from steerageway.vessel.encounter import Track, relative_bearing, separation

SWING = 1.0  # the range opens or closes once it has changed by so much [m]
FORGOTTEN = 1.5  # a pair further apart than so many encounter ranges begins anew


@dataclass(frozen=True, slots=True)
class Encounter:
    """An encounter that is over.

    Attributes:
        one, other: the vessels, in order of their names.
        cpa: least range [m].
        place: halfway between them when the range opens (x, y) [m].
        alpha, beta: where the other one saw the one, and the one the other, from the bow [deg].
    """

    one: str
    other: str
    cpa: float
    place: Point
    alpha: float
    beta: float

    @property
    def sides(self) -> str:
        """On which side each had the other: ``port:star``."""
        return ":".join("port" if angle > 180.0 else "star" for angle in (self.beta, self.alpha))

    @property
    def ends(self) -> str:
        """Whether each had the other before or abaft the beam: ``fore:aft``."""
        is_aft = (90.0 < angle < 270.0 for angle in (self.beta, self.alpha))
        return ":".join("aft" if aft else "fore" for aft in is_aft)


@dataclass(slots=True)
class _Pair:
    """A pair within sight of each other: its least range while closing, its greatest while not."""

    extreme: float
    closing: bool = False

    def take(self, away: float) -> float | None:
        """Take note of the range [m]; give the least one if it opens just now."""
        self.extreme = min(self.extreme, away) if self.closing else max(self.extreme, away)
        if abs(away - self.extreme) <= SWING:
            return None
        least = self.extreme if self.closing else None
        self.closing = not self.closing
        self.extreme = away
        return least


class Monitor:
    """Watches all pairs of vessels.

    Args:
        encounter_range: of an encounter [m].

    Attributes:
        closest: range of the closest pair just now [m]; closest_ever: so far; inf: none yet.
    """

    def __init__(self, encounter_range: float) -> None:
        self._range = encounter_range
        self._forgotten = FORGOTTEN * encounter_range
        self._pairs: dict[tuple[str, str], _Pair] = {}
        self.closest = self.closest_ever = inf

    def look(self, tracks: Mapping[str, Track], ignored: Iterable[str] = ()) -> list[Encounter]:
        """Look where the vessels are, and give the encounters that are over now.

        Args:
            tracks: vessel -> where it is.
            ignored: vessels whose encounters with each other do not count.
        """
        left_out = frozenset(ignored)
        found = []
        self.closest = inf
        for (one, here), (other, there) in combinations(sorted(tracks.items()), 2):
            if left_out and one in left_out and other in left_out:
                continue
            cpa = self._least((one, other), separation(here, there))
            if cpa is not None and cpa <= self._range:
                found.append(_encounter(one, other, cpa, tracks))
        self.closest_ever = min(self.closest_ever, self.closest)
        return found

    def reset_closest(self) -> None:
        """Forget how close any two were."""
        self.closest = self.closest_ever = inf

    def _least(self, names: tuple[str, str], away: float) -> float | None:
        if away < self.closest:
            self.closest = away
        pair = self._pairs.get(names)
        far = away > self._forgotten
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
