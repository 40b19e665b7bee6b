"""Global nearest neighbour: assignment of measurements to tracks with minimum total cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

Floats = NDArray[np.float64]


def assign(cost: Floats, most: float) -> list[tuple[int, int]]:
    """Return the pairs of rows and columns with minimum total cost of pairs and unpaired rows.

    An unpaired row costs ``most``, so no pair costs more than that.

    Args:
        cost: (n, m) of each pair; inf: never.
        most: cost of an unpaired row.
    Returns:
        Pairs (row, column), by row.
    Source: S. Blackman, R. Popoli (1999), Design and Analysis of Modern Tracking Systems, 6.4.
    """
    rows, columns = cost.shape
    if not rows or not columns:
        return []
    # An additional column for each row, for leaving it unpaired.
    alone = np.full((rows, rows), most)
    whole = np.hstack((np.where(cost < most, cost, 2.0 * most + 1.0), alone))
    chosen = zip(*linear_sum_assignment(whole), strict=True)
    return [(int(i), int(j)) for i, j in chosen if j < columns and cost[i, j] < most]
