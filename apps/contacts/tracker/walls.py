"""Where walls are known to be: of what lies there, parts that seem to move do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.contacts.tracker.returns import keys

Floats = NDArray[np.float64]
SQUARE = 1.0  # [m]
SHARE = 0.6  # of its points on walls makes something a part of them
RESTS = 10.0  # where something was seen at rest for so long, there is a wall [s]


class Walls:
    """The squares of the plane in which long things were seen, or things at rest for some time.

    Those beside them count, too.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._rests: dict[int, float] = {}  # square -> since when something rests there [s]

    def add(self, points: Floats) -> None:
        """Add the returns (n, 2) of something long [m]."""
        new = points[~self.hold(points)]
        if len(new):
            around = [keys(new, SQUARE, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
            self._known = np.union1d(self._known, np.concatenate(around))

    def rest(self, points: Floats, time: float) -> None:
        """Note returns (n, 2) of something short that seems to rest [m], at a time [s]."""
        squares = keys(points, SQUARE)
        long = [time - self._rests.setdefault(int(one), time) >= RESTS for one in squares]
        if any(long):
            self.add(points[long])

    def hold(self, points: Floats) -> NDArray[np.bool_]:
        """Tell of each of these points (n, 2) whether it lies on a wall [m]."""
        if not len(self._known):
            return np.zeros(len(points), dtype=np.bool_)
        wanted = keys(points, SQUARE)
        places = np.searchsorted(self._known, wanted).clip(max=len(self._known) - 1)
        return np.asarray(self._known[places] == wanted)
