"""Multi-object tracker: global nearest neighbour, Kalman filters, track confirmation and loss."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.tracking.assignment import assign
from steerageway.vessel.perception.tracking.constant_velocity import Belief, nis, predicted, updated
from steerageway.vessel.perception.tracking.detections import Detection

Floats = NDArray[np.float64]
SURE = 13.8  # quantile of chi-squared with two degrees of freedom at probability 0.999
WINDOW = 5.0  # time window of the detections by which motion is judged [s]
WHOLE = 0.8  # fraction of the window after which displacement alone may show motion
GONE = 0.6  # minimum displacement for that, from one half of the window to the other [m]
HALF = 3  # minimum number of detections in each half of the window
STRETCH = 2.0  # minimum displacement of a moving object over the change of its length
FORGETS = 0.05  # fraction per detection by which a track's size decreases towards a smaller one


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """Parameters of initiation, confirmation, motion and loss of tracks.

    Attributes:
        acceleration: power spectral density of the acceleration on each axis [m²/s³].
        noise: standard deviation of a detection's position on each axis [m].
        size_noise: addition to it per metre of length, as the visible side changes [-].
        gate: maximum normalised innovation squared of an assignment.
        speed: standard deviation of a new track's velocity on each axis [m/s].
        confirm: number of detections that confirm a track, >= 1.
        tentative: time without a detection after which a tentative track is deleted [s].
        lost: time without a detection after which a confirmed track is deleted [s].
        moving: minimum speed of a moving object [m/s].
        smallest: minimum length of a moving object [m]; behind objects in front, pieces of a wall
            become visible one after the other, and look like a small object that moves.
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
    """Track of one object.

    Attributes:
        number: 1, 2, ... in order of initiation.
        belief: estimate of position and velocity at the time of the last scan.
        born: time of the first detection [s].
        seen: time of the last detection [s].
        hits: number of detections.
        length, breadth: of its box [m].
        moving: whether motion is established.
        confirmed: whether it has had enough detections.
        last: the last detection.
        lately: time [s] and detection of those in the last ``WINDOW`` seconds.
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
    """Tracks objects from scan to scan.

    Args:
        settings: parameters.

    Attributes:
        tracks: all tracks by number, including tentative ones.
    """

    def __init__(self, settings: TrackerSettings) -> None:
        self._settings = settings
        self._time: float | None = None
        self._born = 0
        self.tracks: list[Track] = []

    def step(self, time: float, seen: Sequence[Detection]) -> list[Track]:
        """Process a scan, and return the confirmed tracks by number.

        Args:
            time: of the scan [s], later than the last one's.
            seen: its detections.
        Raises:
            ValueError: the scan is not later than the last one.
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
        """Return the assigned pairs of track (row) and detection (column)."""
        if not self.tracks or not seen:
            return []
        places = np.array([one.place for one in seen])
        noises = np.array([self._noise(one) for one in seen])
        both = [nis(track.belief, places, noises) for track in self.tracks]
        squares, spread = (np.array(rows) for rows in zip(*both, strict=True))
        # Log-likelihood cost: NIS + log det S, so that an uncertain track with a wide gate does not
        # take detections from a precise one.
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
        # Sizes grow at once and shrink slowly: a part of the object is often hidden.
        track.length = max(one.length, track.length + FORGETS * (one.length - track.length))
        track.breadth = max(one.breadth, track.breadth + FORGETS * (one.breadth - track.breadth))
        track.confirmed |= track.hits >= self._settings.confirm
        track.moving = self._moves(track)

    def _moves(self, track: Track) -> bool:
        """Return whether a track moves: significantly, and fast enough; with hysteresis."""
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
    """Return the displacement of the box' centre over the window, and its change of length [m].

    The visible part of a wall behind a passing object changes from scan to scan: its centre moves
    along the wall, which is at rest.
    """
    half = len(track.lately) // 2
    if half < HALF:
        return 0.0, 0.0
    seen = [(*one.place, one.length) for _, one in track.lately]
    change = np.mean(seen[-half:], axis=0) - np.mean(seen[:half], axis=0)
    return hypot(change[0], change[1]), abs(float(change[2]))
