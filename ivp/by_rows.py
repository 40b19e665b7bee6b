"""Row-wise search: the best values of two variables without evaluating whole tables over both.

The functions of the first variable alone, and the most that all others can add, bound each row. A
row whose bound is below the best point of another is never evaluated. Decisions change little, so
the first rows evaluated are those with bounds as high as that of the last decision. The result is
that of evaluating all of them, to the last bit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import inf, isfinite
from typing import TypeAlias

import numpy as np

from steerageway.ivp.domain import FloatArray
from steerageway.ivp.eliminate import greatest_along
from steerageway.ivp.function import Names
from steerageway.ivp.table import IndexArray, RowTable, Table

Sum: TypeAlias = Iterable[tuple[Table, float]]  # tables over the same variables, and factors

SLACK = 1e-9  # relative; bounds are off by less through rounding


def applies(names: Names, terms: Mapping[Names, Collection[tuple[Table, float]]]) -> bool:
    """Whether two variables can be decided so: a table over both is by rows, one over the first."""
    return (
        len(names) == 2
        and names[:1] in terms
        and names[::-1] not in terms
        and any(isinstance(table, RowTable) for table, _ in terms.get(names, ()))
    )


def common_summit(
    both: Sum, one: tuple[Table, float], other: tuple[Table, float]
) -> tuple[tuple[int, int], float] | None:
    """Return the only point at which all tables are greatest, and their sum there; None if unknown.

    No other point comes near it by more than rounding, so it is the one that the search finds.

    Args:
        both: tables over both variables, and factors.
        one, other: sums of functions of each alone: tables, and factors > 0.
    """
    alone = [(table, factor, factor * table.greatest) for table, factor in (one, other)]
    point = int(one[0].values.argmax()), int(other[0].values.argmax())
    parts = [most for _, _, most in alone]
    for table, factor in both:
        most = table.summit_at(point) if isinstance(table, RowTable) else None
        if most is None or factor <= 0.0:
            return None
        parts.append(factor * most)
    slack = SLACK * sum(map(abs, parts))
    if not isfinite(slack):
        return None
    for table, factor, most in alone:
        if np.count_nonzero(table.values * factor >= most - slack) > 1:
            return None
    return point, sum(parts)


class RowSearch:
    """The greatest sums for the values of the first of two variables.

    Args:
        both: tables over both, and factors.
        one, other: the sums of functions of each alone (points,); other None: there are none.
        before: index of the first variable's last decision; None: there was none.

    Attributes:
        best: the greatest sum for each value of the first (points,); -inf: not the greatest of all.
    """

    def __init__(
        self, both: Sum, one: FloatArray, other: FloatArray | None, before: int | None
    ) -> None:
        self._both = tuple(both)
        self._one = one
        self._other = other
        self._totals = np.empty(self._both[0][0].shape)
        self.best: FloatArray = np.full(len(one), -inf)
        self._search(before)

    def along(self, index: int) -> FloatArray:
        """Return the sums for each value of the other variable, in an evaluated row.

        Functions of the first variable alone are left out.
        """
        totals: FloatArray = self._totals[index]
        return totals

    def _search(self, before: int | None) -> None:
        # A negative factor turns the least value into the most it can add.
        most = [factor * (t.greatest if factor > 0.0 else t.least) for t, factor in self._both]
        reach = sum(most) + (0.0 if self._other is None else self._other.max().item())
        bounds = self._one + reach
        waiting = bounds < (bounds.max() if before is None else bounds[before])
        self._evaluate((~waiting).nonzero()[0])
        found = self.best.item(self.best.argmax())
        if isfinite(found):
            slack = SLACK * (abs(found) + abs(reach) + sum(map(abs, most)))
            waiting &= bounds >= found - slack
            left = waiting.nonzero()[0]
            if len(left):
                self._evaluate(left)

    def _evaluate(self, rows: IndexArray) -> None:
        (table, factor), *others = self._both
        total = table.rows(rows) * factor
        for table, factor in others:
            total += table.rows(rows) * factor
        if self._other is not None:
            total += self._other
        self._totals[rows] = total
        self.best[rows] = self._one[rows] + greatest_along(total, 1)
