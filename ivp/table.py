"""``Table``: values over the grid, with extremes and their places computed at most once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from steerageway.ivp.domain import FloatArray

IndexArray = NDArray[np.intp]

TIE = 1e-12  # relative; smaller differences are rounding

# Once it has got a large block back, the GNU allocator keeps freed memory. By default the pages of
# each table over two variables are returned to the system, and getting them again takes three times
# as long as filling them.
np.empty(2**21)


class Table:
    """Values at grid points, which must not be changed any more.

    Attributes:
        shape: number of values of each variable.
    """

    __slots__ = ("_greatest", "_least", "_ties", "_values", "shape")

    def __init__(self, values: FloatArray) -> None:
        self._values: FloatArray | None = values
        self.shape = values.shape
        self._greatest: float | None = None
        self._least: float | None = None
        self._ties: tuple[IndexArray, ...] | None = None

    @property
    def values(self) -> FloatArray:
        """The values, one axis for each variable."""
        assert self._values is not None
        return self._values

    def rows(self, index: IndexArray) -> FloatArray:
        """Return the values for some indices of the first variable."""
        found: FloatArray = self.values[index]
        return found

    @property
    def greatest(self) -> float:
        """The greatest value; NaN if there is one."""
        if self._greatest is None:
            self._greatest = self.values.item(self.values.argmax())
        return self._greatest

    @property
    def least(self) -> float:
        """The least value; NaN if there is one."""
        if self._least is None:
            self._least = self.values.item(self.values.argmin())
        return self._least

    @property
    def summits(self) -> tuple[IndexArray, ...]:
        """The indices of the greatest values, one array for each axis."""
        if self._ties is None:
            least = self.greatest - TIE * abs(self.greatest)
            self._ties = (self.values >= least).nonzero()
        return self._ties


class RowTable(Table):
    """A table whose rows are evaluated on demand. A subclass may know where it is greatest.

    Args:
        shape: number of values of each variable.
        evaluate: returns the values, finite ones, for some indices of the first variable.
        least, greatest: its extremes, if known.
    """

    __slots__ = ("_evaluate",)

    def __init__(
        self,
        shape: tuple[int, ...],
        evaluate: Callable[[IndexArray], FloatArray],
        least: float | None = None,
        greatest: float | None = None,
    ) -> None:
        self._values = None
        self.shape = shape
        self._evaluate = evaluate
        self._least, self._greatest = least, greatest
        self._ties = None

    @property
    def values(self) -> FloatArray:
        """The values, one axis for each variable."""
        if self._values is None:
            self._values = self._evaluate(np.arange(self.shape[0]))
        return self._values

    def rows(self, index: IndexArray) -> FloatArray:
        """Return the values for some indices of the first variable; only these are evaluated."""
        return self._evaluate(index) if self._values is None else self._values[index]

    def summit_at(self, index: tuple[int, int]) -> float | None:
        """Return the greatest value if it surely is that of a grid point; None if unknown."""
        return None
