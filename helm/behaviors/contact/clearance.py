"""Utility of courses and speeds by their CPA range to a contact, evaluated where it is required."""

from __future__ import annotations

from functools import partial

from steerageway.geometry.encounter import Track
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.approach import SURE, Courses, courses, lie_on_both_sides
from steerageway.ivp import Domain
from steerageway.ivp.domain import FloatArray
from steerageway.ivp.table import IndexArray, RowTable


class Clearance(RowTable):
    """The utility of CPA ranges, 0 to 100, for each course and speed.

    Args:
        own, other: tracks of ownship and of the contact.
        horizon: of the CPA [s].
        between: CPA ranges of utility 0 and of utility 100 [m].
    """

    __slots__ = ("_between", "_domain", "_grid", "_meeting", "_spans")

    def __init__(
        self, domain: Domain, own: Track, other: Track, horizon: float, between: tuple[float, float]
    ) -> None:
        grid = courses(domain)
        self._meeting = own, other, horizon
        self._domain, self._grid, self._between = domain, grid, between
        self._spans: bool | None = None
        # no method: a table that refers to itself would keep its memory until the next collection
        super().__init__(grid.eastward.shape, partial(_utility, grid, self._meeting, between))

    @property
    def values(self) -> FloatArray:
        """The utilities of all courses and speeds, scaled to span 0 to 100."""
        if self._values is None:
            self._values = utility.stretched(
                _utility(self._grid, self._meeting, self._between, None)
            )
        return self._values

    @property
    def greatest(self) -> float:
        """The greatest utility."""
        return 100.0 if self._needs_no_scale() else super().greatest

    def rows(self, index: IndexArray) -> FloatArray:
        """Return the utilities for some courses; evaluate only these, if they need no scale."""
        return self._evaluate(index) if self._needs_no_scale() else self.values[index]

    def summit_at(self, index: tuple[int, int]) -> float | None:
        """Return 100 if that surely is the utility of a course and speed."""
        enough = self._between[1] * (1.0 + SURE) + SURE
        away = self._grid.closest_at(index, *self._meeting)
        return 100.0 if away > enough else None

    def _needs_no_scale(self) -> bool:
        """Whether one utility surely is 0, and another 100."""
        if self._spans is None:
            self._spans = lie_on_both_sides(self._domain, *self._meeting, self._between)
        return self._spans


def _utility(
    grid: Courses,
    meeting: tuple[Track, Track, float],
    between: tuple[float, float],
    rows: IndexArray | None,
) -> FloatArray:
    return utility.of_ranges(grid.closest(*meeting, rows), *between)
