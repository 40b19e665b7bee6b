"""Known walls of the tracker: apparent motion of returns on them is ignored."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.contacts.tracker.returns import keys

Floats = NDArray[np.float64]
SQUARE = 1.0  # size of a square [m]
SHARE = 0.6  # fraction of an object's points on walls above which it is a part of them
REST_TIME = 10.0  # a square with an object at rest for this time becomes a wall [s]


class Walls:
    """The squares of the plane with long objects, or with objects at rest for some time.

    Their neighbours are included.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._rests: dict[int, float] = {}  # square -> start of an object's rest in it [s]

    def add(self, points: Floats) -> None:
        """Add the returns (n, 2) of a long object [m]."""
        new = points[~self.contains(points)]
        if len(new):
            around = [keys(new, SQUARE, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            self._known = np.union1d(self._known, np.concatenate(around))

    def add_at_rest(self, points: Floats, time: float) -> None:
        """Add returns (n, 2) of a short object apparently at rest [m], at a time [s]."""
        squares = keys(points, SQUARE)
        long = [time - self._rests.setdefault(int(one), time) >= REST_TIME for one in squares]
        if any(long):
            self.add(points[long])

    def contains(self, points: Floats) -> NDArray[np.bool_]:
        """Return whether each of these points (n, 2) lies on a wall [m]."""
        if not len(self._known):
            return np.zeros(len(points), dtype=np.bool_)
        wanted = keys(points, SQUARE)
        # binary search: union1d keeps the numbers sorted
        places = np.searchsorted(self._known, wanted).clip(max=len(self._known) - 1)
        return np.asarray(self._known[places] == wanted)
