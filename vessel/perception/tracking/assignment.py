"""Assignment of measurements to tracks with minimum total cost; the GOSPA metric of tracking."""

from __future__ import annotations

from typing import NamedTuple

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


class Gospa(NamedTuple):
    """The GOSPA metric and its parts.

    Attributes:
        distance: [m].
        localisation: error of the assigned estimates: (sum d^p)^(1/p) [m].
        missed: number of true objects without an estimate.
        false: number of estimates without a true object.
    """

    distance: float
    localisation: float
    missed: int
    false: int


def gospa(truth: Floats, estimates: Floats, cutoff: float, power: float = 2.0) -> Gospa:
    """Return the GOSPA metric with alpha = 2.

    Each missed object and each false estimate contributes cutoff^power / 2.

    Args:
        truth: (n, d) positions [m].
        estimates: (m, d) positions [m].
        cutoff: maximum distance of an assignment [m], > 0.
        power: >= 1.
    Source: A. S. Rahmathullah, A. F. Garcia-Fernandez, L. Svensson (2017), Generalized optimal
    sub-pattern assignment metric, Fusion 2017, proposition 1.
    """
    apart = np.linalg.norm(truth[:, None, :] - estimates[None, :, :], axis=2)
    pairs = assign(apart**power, cutoff**power)
    near = sum(float(apart[i, j]) ** power for i, j in pairs)
    missed, false = len(truth) - len(pairs), len(estimates) - len(pairs)
    whole = near + cutoff**power / 2.0 * (missed + false)
    return Gospa(whole ** (1.0 / power), near ** (1.0 / power), missed, false)
