"""GOSPA: how far a set of tracks is from the truth, with what was missed and what is false."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.perception.tracking.assignment import assign

Floats = NDArray[np.float64]


class Gospa(NamedTuple):
    """The metric and its parts.

    Attributes:
        distance: [m].
        localisation: root mean-power error of what was found: (sum d^p)^(1/p) [m].
        missed: how many of the truth no estimate belongs to.
        false: how many estimates belong to none of the truth.
    """

    distance: float
    localisation: float
    missed: int
    false: int


def gospa(truth: Floats, estimates: Floats, cutoff: float, power: float = 2.0) -> Gospa:
    """Return the GOSPA metric with alpha = 2.

    Each of the truth that is missed, and each false estimate, counts cutoff^power / 2.

    Args:
        truth: (n, d) places [m].
        estimates: (m, d) places [m].
        cutoff: further off than this nothing belongs together [m], > 0.
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
