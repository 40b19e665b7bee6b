"""The rule for ties: which of several equally good values of a variable is taken."""

from __future__ import annotations

import numpy as np

from steerageway.ivp.domain import Variable
from steerageway.ivp.table import IndexArray


def preferred(ties: IndexArray, variable: Variable, previous: float | None) -> int:
    """Give the index of the smallest change, then to starboard, then of the lowest value.

    Args:
        ties: indices of the variable's values, in ascending order.
        variable: of the domain.
        previous: the value decided before; None if there was none.
    """
    if len(ties) == 1 or previous is None:
        return ties.item(0)
    change = ties - variable.nearest(previous)
    if variable.circular:
        half = variable.points // 2
        around = (change + half) % variable.points - half
        ranks = 2 * np.abs(around) + (around < 0)
    else:
        ranks = 2 * np.abs(change) + (change > 0)
    return ties.item(ranks.argmin())
