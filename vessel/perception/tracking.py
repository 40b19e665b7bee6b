"""Multi-object tracking of LiDAR returns: clustering, assignment, Kalman filters. Needs SciPy.

Returns are clustered, clusters are assigned to tracks, and each track is a Kalman filter:

    tracker = Tracker(TrackerSettings())
    for time, points in clouds:  # points (n, 2): north, east [m]
        tracks = tracker.step(time, detections(points, ranges))
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]
from scipy.sparse import coo_array  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]
from scipy.spatial import cKDTree  # type: ignore[import-untyped]

from steerageway.world.arrays import Flags, Floats, Whole

NOISE = -1
_POSITION = np.hstack((np.eye(2), np.zeros((2, 2))))  # measurement matrix: position of the state
SURE = 13.8  # quantile of chi-squared with two degrees of freedom at probability 0.999
WINDOW = 5.0  # time window of the detections by which motion is judged [s]
WHOLE = 0.8  # fraction of the window after which displacement alone may show motion
GONE = 0.6  # minimum displacement for that, from one half of the window to the other [m]
HALF = 3  # minimum number of detections in each half of the window
STRETCH = 2.0  # minimum displacement of a moving object over the change of its length
FORGETS = 0.05  # fraction per detection by which a track's size decreases towards a smaller one


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A cluster of returns in a scan.

    Attributes:
        place: (2,) centre of its box: north, east [m].
        length: longer side of its box [m].
        breadth: shorter side [m].
        angle: of the longer side from north, clockwise, -pi/2 to pi/2 [rad].
        points: (n, 2) its returns [m].
    """

    place: Floats
    length: float
    breadth: float
    angle: float
    points: Floats


def detections(
    points: Floats, reach: Floats | float, least: int, counts: Whole | None = None
) -> list[Detection]:
    """Return the clusters among returns.

    Args:
        points: (n, 2) north, east [m].
        reach: neighbourhood radius, (n,) or one for all [m]; see ``clusters``.
        least: minimum number of points of a cluster, at least 1.
        counts: (n,) number of returns that each point represents; None: one.
    """
    labels = clusters(points, reach, least, counts)
    count = int(labels.max(initial=-1)) + 1
    return [boxed(points[labels == k]) for k in range(count)]


def boxed(points: Floats) -> Detection:
    """Return the detection of points, with the box of smallest area among 90 directions.

    Source: X. Zhang et al. (2017), Efficient L-shape fitting for vehicle detection using laser
    scanners, IEEE IV 2017: search over directions, with the area as the criterion.
    """
    angles = np.radians(np.arange(0.0, 90.0))
    along = np.array((np.cos(angles), np.sin(angles))).T  # (90, 2)
    across = along[:, ::-1] * (-1.0, 1.0)
    u, v = points @ along.T, points @ across.T
    low, high = (np.array((f(u, axis=0), f(v, axis=0))) for f in (np.min, np.max))
    sides = high - low
    best = int(np.argmin(np.round(sides[0] * sides[1], 9) + 1e-6 * np.round(sides.sum(axis=0), 9)))
    middle = (low + high)[:, best] / 2.0
    length, breadth = float(sides[0, best]), float(sides[1, best])
    angle = float(angles[best])
    if breadth > length:
        length, breadth, angle = breadth, length, angle - np.pi / 2.0
    place = middle[0] * along[best] + middle[1] * across[best]
    return Detection(place, length, breadth, angle, points)


def clusters(
    points: Floats, reach: Floats | float, least: int, counts: Whole | None = None
) -> Whole:
    """Return the cluster of each point; clusters are numbered in order of their first points.

    Two points are neighbours if their distance exceeds the reach of neither. A point with ``least``
    or more neighbours, including itself, is a core point. Neighbouring core points share a cluster;
    another point with neighbouring core points belongs to the cluster of the nearest (of the first,
    if equally near).

    Args:
        points: (n, d) [m].
        reach: neighbourhood radius, (n,) or one for all [m].
        least: minimum number of neighbours of a core point, at least 1.
        counts: (n,) number of points that each represents; None: one.
    Returns:
        (n,) numbers from 0 on; -1 for points in no cluster.
    Source: M. Ester et al. (1996), A density-based algorithm for discovering clusters, KDD-96.
    """
    count = len(points)
    if not count:
        return np.empty(0, dtype=np.int64)
    reaches = np.broadcast_to(np.asarray(reach, dtype=float), (count,))
    pairs, apart = _neighbours(points, reaches)
    stands_for = np.ones(count) if counts is None else counts
    neighbours = np.bincount(pairs.ravel(), stands_for[pairs[:, ::-1]].ravel(), count) + stands_for
    core = neighbours >= least
    linked = pairs[core[pairs].all(axis=1)]
    links = coo_array((np.ones(len(linked)), (linked[:, 0], linked[:, 1])), shape=(count, count))
    _, labels = connected_components(links, directed=False)
    labels = np.where(core, labels, NOISE)
    _join_borders(labels, core, pairs, apart)
    return _by_first(labels)


def _neighbours(points: Floats, reaches: Floats) -> tuple[Whole, Floats]:
    """Return pairs of neighbours (k, 2) in a fixed order, and their distances (k,) [m]."""
    pairs = cKDTree(points).query_pairs(float(reaches.max()), output_type="ndarray")
    apart = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    near = apart <= reaches[pairs].min(axis=1)
    pairs, apart = pairs[near].astype(np.int64), apart[near]
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return pairs[order], apart[order]


def _join_borders(labels: Whole, core: Flags, pairs: Whole, apart: Floats) -> None:
    """Set the labels of border points to that of their nearest core point."""
    both = np.vstack((pairs, pairs[:, ::-1]))
    far = np.concatenate((apart, apart))
    joins = ~core[both[:, 0]] & core[both[:, 1]]
    border, beside, far = both[joins, 0], both[joins, 1], far[joins]
    order = np.lexsort((beside, far, border))
    border, beside = border[order], beside[order]
    first = np.unique(border, return_index=True)[1]
    labels[border[first]] = labels[beside[first]]


def _by_first(labels: Whole) -> Whole:
    """Return the labels renumbered in the order of the clusters' first points."""
    kept = labels >= 0
    found, first, inverse = np.unique(labels[kept], return_index=True, return_inverse=True)
    number = np.empty(len(found), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(found))
    numbered = np.full(len(labels), NOISE, dtype=np.int64)
    numbered[kept] = number[inverse]
    return numbered


class Belief(NamedTuple):
    """A state estimate.

    Attributes:
        mean: (4,) north, east [m], and their velocities [m/s].
        cov: (4, 4) covariance.
    """

    mean: Floats
    cov: Floats


def predicted(belief: Belief, dt: float, density: float) -> Belief:
    """Return the prediction over ``dt``.

    Args:
        belief: the present estimate.
        dt: [s], >= 0.
        density: power spectral density of the acceleration, on each axis [m²/s³].
    Source: Y. Bar-Shalom et al. (2001), Estimation with Applications to Tracking and Navigation,
    6.2.2.
    """
    motion = np.eye(4)
    motion[0, 2] = motion[1, 3] = dt
    noise = np.zeros((4, 4))
    noise[0, 0] = noise[1, 1] = density * dt**3 / 3.0
    noise[2, 2] = noise[3, 3] = density * dt
    noise[0, 2] = noise[2, 0] = noise[1, 3] = noise[3, 1] = density * dt**2 / 2.0
    return Belief(motion @ belief.mean, motion @ belief.cov @ motion.T + noise)


def updated(belief: Belief, place: Floats, noise: Floats) -> Belief:
    """Return the estimate updated by a position, in Joseph form, which keeps it symmetric.

    Args:
        belief: predicted to the time of the measurement.
        place: (2,) north, east [m].
        noise: (2, 2) its covariance [m²].
    Source: Bar-Shalom et al. (2001), 5.2.3 and 7.2.
    """
    innovation = _POSITION @ belief.cov @ _POSITION.T + noise
    gain = np.linalg.solve(innovation, _POSITION @ belief.cov).T
    left = np.eye(4) - gain @ _POSITION
    cov = left @ belief.cov @ left.T + gain @ noise @ gain.T
    return Belief(belief.mean + gain @ (place - belief.mean[:2]), cov)


def nis(belief: Belief, places: Floats, noises: Floats) -> tuple[Floats, Floats]:
    """Return the normalised innovation squared of candidate measurements, and log det S of each.

    Args:
        belief: predicted to the time of the measurements.
        places: (n, 2) [m].
        noises: (n, 2, 2) [m²].
    Returns:
        (n,) NIS, chi-squared with two degrees of freedom for a consistent estimate; (n,) log of
        the determinant of the innovation covariance S.
    """
    innovations = belief.cov[:2, :2] + noises
    off = places - belief.mean[:2]
    squares = np.einsum("ni,ni->n", off, np.linalg.solve(innovations, off[:, :, None])[:, :, 0])
    return squares, np.linalg.slogdet(innovations)[1]


def assign(cost: Floats, most: float) -> list[tuple[int, int]]:
    """Return the pairs of rows and columns with minimum total cost of pairs and unpaired rows.

    An unpaired row costs ``most``, so no pair costs more than that.

    Args:
        cost: (n, m) of each pair; inf: never.
        most: cost of an unpaired row.
    Returns:
        Pairs (row, column), by row.
    Source: S. Blackman, R. Popoli (1999), Design and Analysis of Modern Tracking Systems, 6.4.
    """
    rows, columns = cost.shape
    if not rows or not columns:
        return []
    # An additional column for each row, for leaving it unpaired.
    alone = np.full((rows, rows), most)
    whole = np.hstack((np.where(cost < most, cost, 2.0 * most + 1.0), alone))
    chosen = zip(*linear_sum_assignment(whole), strict=True)
    return [(int(i), int(j)) for i, j in chosen if j < columns and cost[i, j] < most]


class Gospa(NamedTuple):
    """The GOSPA metric and its parts.

    Attributes:
        distance: [m].
        localisation: error of the assigned estimates: (sum d^p)^(1/p) [m].
        missed: number of true objects without an estimate.
        false: number of estimates without a true object.
    """

    distance: float
    localisation: float
    missed: int
    false: int


def gospa(truth: Floats, estimates: Floats, cutoff: float, power: float = 2.0) -> Gospa:
    """Return the GOSPA metric with alpha = 2.

    Each missed object and each false estimate contributes cutoff^power / 2.

    Args:
        truth: (n, d) positions [m].
        estimates: (m, d) positions [m].
        cutoff: maximum distance of an assignment [m], > 0.
        power: >= 1.
    Source: A. S. Rahmathullah, A. F. Garcia-Fernandez, L. Svensson (2017), Generalized optimal
    sub-pattern assignment metric, Fusion 2017, proposition 1.
    """
    apart = np.linalg.norm(truth[:, None, :] - estimates[None, :, :], axis=2)
    pairs = assign(apart**power, cutoff**power)
    near = sum(float(apart[i, j]) ** power for i, j in pairs)
    missed, false = len(truth) - len(pairs), len(estimates) - len(pairs)
    whole = near + cutoff**power / 2.0 * (missed + false)
    return Gospa(whole ** (1.0 / power), near ** (1.0 / power), missed, false)


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
