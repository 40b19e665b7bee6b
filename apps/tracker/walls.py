"""Where walls are known to be: of what lies there, parts that seem to move do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.tracker.returns import keys

SQUARE = 1.0  # [m]
SHARE = 0.6  # of its points on walls makes something a part of them


class Walls:
    """The squares of the plane in which long things were seen, and those beside them."""

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    def add(self, points: NDArray[np.float64]) -> None:
        """Add the returns (n, 2) of something long [m]."""
        around = [keys(points, SQUARE, i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        self._known = np.union1d(self._known, np.concatenate(around))

    def hold(self, points: NDArray[np.float64]) -> bool:
        """Whether most of these points (n, 2) lie on walls [m]."""
        if not len(self._known):
            return False
        wanted = keys(points, SQUARE)
        places = np.searchsorted(self._known, wanted).clip(max=len(self._known) - 1)
        return float((self._known[places] == wanted).mean()) > SHARE
