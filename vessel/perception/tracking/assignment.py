"""Global nearest neighbour: which measurement belongs to which track, at the least sum of costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

Floats = NDArray[np.float64]


def assign(cost: Floats, most: float) -> list[tuple[int, int]]:
    """Pair rows with columns so that the costs of pairs and of what is left alone are least.

    A row that is left alone costs ``most``, so no pair costs more than that.

    Args:
        cost: (n, m) of each pair; inf: never.
        most: of leaving a row alone.
    Returns:
        Pairs (row, column), by row.
    Source: S. Blackman, R. Popoli (1999), Design and Analysis of Modern Tracking Systems, 6.4.
    """
    rows, columns = cost.shape
    if not rows or not columns:
        return []
    # A column of its own for each row stands for being left alone.
    alone = np.full((rows, rows), most)
    whole = np.hstack((np.where(cost < most, cost, 2.0 * most + 1.0), alone))
    chosen = zip(*linear_sum_assignment(whole), strict=True)
    return [(int(i), int(j)) for i, j in chosen if j < columns and cost[i, j] < most]
