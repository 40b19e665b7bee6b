"""Tie rule: which of several equally good values of a variable is decided."""

from __future__ import annotations

import numpy as np

from steerageway.ivp.domain import Variable
from steerageway.ivp.table import IndexArray


def preferred(
    ties: IndexArray, variable: Variable, previous: float | None, *, alone: bool = False
) -> int:
    """Return the index with the smallest change, then to starboard, then of the lowest value.

    Without a previous decision it is the lowest value. A variable that is decided from above has
    no memory: it is the upper end of the lowest flat piece, that is of equally good neighbours;
    for a function alone its lower end, if a rise leads up to it.

    Args:
        ties: indices of the variable's values, in ascending order.
        variable: of the domain.
        previous: the last decision; None if there was none.
        alone: whether only one function depends on the variable.
    """
    if len(ties) == 1:
        return ties.item(0)
    if variable.from_above and alone and ties[0] > 0:
        return ties.item(0)
    if variable.from_above:
        gaps = np.flatnonzero(np.diff(ties) > 1)
        return ties.item(gaps[0] if len(gaps) else -1)
    if previous is None:
        return ties.item(0)
    change = ties - variable.nearest(previous)
    if variable.circular:
        half = variable.points // 2
        around = (change + half) % variable.points - half
        # Twice the distance: the side breaks ties between equal distances only.
        ranks = 2 * np.abs(around) + (around < 0)
    else:
        ranks = 2 * np.abs(change) + (change > 0)
    return ties.item(ranks.argmin())
