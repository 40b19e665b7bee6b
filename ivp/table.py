"""A table over the grid, and what is worked out of it at most once: its extremes and summits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ivp.domain import FloatArray

IndexArray = NDArray[np.intp]

TIE = 1e-12  # relative: values that differ by less differ by rounding only

# Once it has had a large block back, the GNU allocator keeps what is freed. By default the pages of
# each table over two variables go back to the system, and getting them again takes three times as
# long as filling them.
np.empty(2**21)


class Table:
    """Values at grid points, which are not written to any more.

    Attributes:
        values: one axis for each variable.
    """

    __slots__ = ("_first", "_greatest", "_least", "_ties", "values")

    def __init__(self, values: FloatArray) -> None:
        self.values = values
        self._first = -1
        self._greatest = self._least = 0.0
        self._ties: tuple[IndexArray, ...] | None = None

    @property
    def greatest(self) -> float:
        """The greatest value; NaN if there is one."""
        if self._first < 0:
            self._look()
        return self._greatest

    @property
    def least(self) -> float:
        """The least value; NaN if there is one."""
        if self._first < 0:
            self._look()
        return self._least

    def _look(self) -> None:
        values = self.values
        self._first = first = int(values.argmax())
        self._greatest = values.item(first)
        self._least = values.item(values.argmin())

    @property
    def summits(self) -> tuple[IndexArray, ...]:
        """The indices of the greatest values, one array for each axis."""
        if self._ties is None:
            least = self.greatest - TIE * abs(self._greatest)
            self._ties = (self.values >= least).nonzero()
        return self._ties
