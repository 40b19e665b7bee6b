"""The rule for ties: which of several equally good values of a variable is taken."""

from __future__ import annotations

import numpy as np

from steerageway.ivp.domain import Variable
from steerageway.ivp.table import IndexArray


def preferred(ties: IndexArray, variable: Variable, previous: float | None) -> int:
    """Return the index of the smallest change, then to starboard, then of the lowest value.

    With nothing decided before it is the lowest value; of depth the upper end of the lowest flat
    piece: neighbours that are equally good.

    Args:
        ties: indices of the variable's values, in ascending order.
        variable: of the domain.
        previous: the value decided before; None if there was none.
    """
    if len(ties) == 1:
        return ties.item(0)
    if previous is None:
        return _end_of_first_piece(ties) if variable.from_above else ties.item(0)
    change = ties - variable.nearest(previous)
    if variable.circular:
        half = variable.points // 2
        around = (change + half) % variable.points - half
        ranks = 2 * np.abs(around) + (around < 0)
    else:
        ranks = 2 * np.abs(change) + (change > 0)
    return ties.item(ranks.argmin())


def _end_of_first_piece(ties: IndexArray) -> int:
    """Return the last of the indices that follow one another from the first on."""
    gaps = np.flatnonzero(np.diff(ties) > 1)
    return ties.item(gaps[0] if len(gaps) else -1)
