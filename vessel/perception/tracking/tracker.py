"""Tracks of several objects from scan to scan: global nearest neighbours and Kalman filters."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.tracking.assignment import assign
from steerageway.vessel.perception.tracking.constant_velocity import (
    Belief,
    nis,
    predicted,
    updated,
)
from steerageway.vessel.perception.tracking.detections import Detection

Floats = NDArray[np.float64]
SURE = 13.8  # chi-squared with two degrees of freedom passes this once in 1000
WINDOW = 5.0  # of places and lengths by which a track is judged [s]
WHOLE = 0.8  # of it: who was seen for so long is judged by how far it has gone alone
GONE = 0.6  # [m] that its middle must have gone then, from one half of the window to the other
HALF = 3  # least detections in each half of it
STRETCH = 2.0  # what moves is displaced by so many times the change of its length
FORGETS = 0.05  # share of the way from its known size to a smaller one, for each detection


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """How tracks begin, go on and end.

    Attributes:
        acceleration: density of the accelerations' spectrum on each axis [m²/s³].
        noise: standard deviation of a place on each axis [m].
        size_noise: what is added to it for each metre of length: which side is seen changes [-].
        gate: normalised innovations squared beyond this do not belong together.
        speed: standard deviation of a new track's velocity on each axis [m/s].
        confirm: detections that make a track one to believe in, >= 1.
        tentative: a track that is not confirmed is lost after so long without a detection [s].
        lost: a confirmed one [s].
        moving: slower than this nothing is said to move [m/s].
        smallest: what is shorter is not said to move either [m]: past what stands in front, pieces
            of a wall come into sight one after the other, as if one went along it.
    """

    acceleration: float = 0.05
    noise: float = 0.2
    size_noise: float = 0.1
    gate: float = 13.8
    speed: float = 3.0
    confirm: int = 4
    tentative: float = 0.5
    lost: float = 3.0
    moving: float = 0.4
    smallest: float = 0.0


@dataclass(slots=True, eq=False)
class Track:
    """What is believed of one object.

    Attributes:
        number: 1, 2, ... in the order of birth.
        belief: its place and velocity at the time of the last scan.
        born: when it was first seen [s].
        seen: when it was last seen [s].
        hits: how often it was seen.
        length, breadth: of its box [m].
        moving: whether it surely moves.
        confirmed: whether it was seen often enough.
        last: its last detection.
        lately: the detections of the last five seconds, each with its time [s].
    """

    number: int
    belief: Belief
    born: float
    seen: float
    hits: int
    length: float
    breadth: float
    last: Detection
    moving: bool = False
    confirmed: bool = False
    lately: deque[tuple[float, Detection]] = field(default_factory=deque)

    @property
    def speed(self) -> float:
        """Speed over ground [m/s]."""
        return hypot(self.belief.mean[2], self.belief.mean[3])


class Tracker:
    """Follows objects through scans.

    Args:
        settings: how.

    Attributes:
        tracks: all tracks, by number, those that are not confirmed, too.
    """

    def __init__(self, settings: TrackerSettings) -> None:
        self._settings = settings
        self._time: float | None = None
        self._born = 0
        self.tracks: list[Track] = []

    def step(self, time: float, seen: Sequence[Detection]) -> list[Track]:
        """Take a scan, and give the confirmed tracks by number.

        Args:
            time: of the scan [s], later than the last one's.
            seen: its detections.
        Raises:
            ValueError: the scan is no later than the last one.
        """
        if self._time is not None and time <= self._time:
            raise ValueError(f"time {time:g} s: expected a scan later than {self._time:g} s")
        since = 0.0 if self._time is None else time - self._time
        self._time = time
        for track in self.tracks:
            track.belief = predicted(track.belief, since, self._settings.acceleration)
        taken = set()
        for row, column in self._pairs(seen):
            self._follow(self.tracks[row], seen[column], time)
            taken.add(column)
        self.tracks = [track for track in self.tracks if self._stays(track, time)]
        self.tracks += [self._begin(one, time) for k, one in enumerate(seen) if k not in taken]
        return [track for track in self.tracks if track.confirmed]

    def _noise(self, one: Detection) -> Floats:
        deviation = self._settings.noise + self._settings.size_noise * one.length
        return deviation**2 * np.eye(2)

    def _pairs(self, seen: Sequence[Detection]) -> list[tuple[int, int]]:
        """Return which track (row) has which detection (column)."""
        if not self.tracks or not seen:
            return []
        places = np.array([one.place for one in seen])
        noises = np.array([self._noise(one) for one in seen])
        both = [nis(track.belief, places, noises) for track in self.tracks]
        squares, spread = (np.array(rows) for rows in zip(*both, strict=True))
        # The wider a track's gate, the less it says that a detection is in it.
        spread -= spread.min()
        gate = self._settings.gate
        cost = np.where(squares <= gate, squares + spread, np.inf)
        return assign(cost, gate + float(spread.max()) + 1.0)

    def _follow(self, track: Track, one: Detection, time: float) -> None:
        track.belief = updated(track.belief, one.place, self._noise(one))
        track.seen, track.last = time, one
        track.lately.append((time, one))
        while time - track.lately[0][0] > WINDOW:
            track.lately.popleft()
        track.hits += 1
        track.length = max(one.length, track.length + FORGETS * (one.length - track.length))
        track.breadth = max(one.breadth, track.breadth + FORGETS * (one.breadth - track.breadth))
        track.confirmed |= track.hits >= self._settings.confirm
        track.moving = self._moves(track)

    def _moves(self, track: Track) -> bool:
        """Whether it moves: it is surely not at rest, and fast enough; with some inertia."""
        if not track.confirmed or track.length < self._settings.smallest:
            return False
        if track.moving:
            return track.speed >= self._settings.moving / 2.0
        if track.speed < self._settings.moving:
            return False
        rate = track.belief.mean[2:]
        sure = float(rate @ np.linalg.solve(track.belief.cov[2:, 2:], rate)) > SURE
        gone, grown = _shift(track)
        long = track.seen - track.lately[0][0] >= WHOLE * WINDOW
        return gone > STRETCH * grown and (sure or (long and gone > GONE))

    def _stays(self, track: Track, time: float) -> bool:
        settings = self._settings
        return time - track.seen <= (settings.lost if track.confirmed else settings.tentative)

    def _begin(self, one: Detection, time: float) -> Track:
        self._born += 1
        cov = np.zeros((4, 4))
        cov[:2, :2] = self._noise(one)
        cov[2:, 2:] = self._settings.speed**2 * np.eye(2)
        belief = Belief(np.concatenate((one.place, (0.0, 0.0))), cov)
        track = Track(self._born, belief, time, time, 1, one.length, one.breadth, one)
        track.confirmed = self._settings.confirm <= 1
        track.lately.append((time, one))
        return track


def _shift(track: Track) -> tuple[float, float]:
    """Return how far the middle of what is seen of it has gone of late, and how much that grew [m].

    Of a wall behind something that passes, more or less is seen from scan to scan: the middle of
    what is seen goes along the wall, which does not move.
    """
    half = len(track.lately) // 2
    if half < HALF:
        return 0.0, 0.0
    seen = [(*one.place, one.length) for _, one in track.lately]
    change = np.mean(seen[-half:], axis=0) - np.mean(seen[:half], axis=0)
    return hypot(change[0], change[1]), abs(float(change[2]))
