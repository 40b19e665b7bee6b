"""The longest stable step of Runge-Kutta (order 4) for the fastest of a vessel's modes.

A mode e^(lambda t) does not grow numerically while |R(lambda h)| <= 1, where R is the stability
polynomial. Source: Hairer and Wanner (1996), Solving Ordinary Differential Equations II, IV.2.
"""

from __future__ import annotations

from math import floor, inf, log10
from typing import NamedTuple

import numpy as np

from steerageway.world.arrays import Floats

REACH = np.linspace(0.002, 4.0, 2000)  # |lambda| h; beyond 2.96 no decaying mode is stable
GROWTH = 1e-9  # tolerance of |R| = 1 for rounding
LEAST_DECAY = 1e-6  # of a mode that counts as decaying [1/s]


class Mode(NamedTuple):
    """The mode that limits the time step.

    Attributes:
        limit: longest stable step, rounded down to three digits [s]; inf: none.
        state: index of the state with the largest component in its eigenvector.
        value: its eigenvalue [1/s].
    """

    limit: float
    state: int = 0
    value: complex = 0.0


def fastest_mode(A: Floats) -> Mode:
    """Return the mode of dx/dt = A x that requires the shortest step."""
    values, vectors = np.linalg.eig(A)
    least = Mode(inf)
    for value, vector in zip(values, vectors.T, strict=True):
        limit = longest_step(complex(value))
        if limit < least.limit:
            least = Mode(limit, int(np.argmax(np.abs(vector))), complex(value))
    return least._replace(limit=_rounded_down(least.limit))


def longest_step(value: complex) -> float:
    """Return the longest step [s] in which a decaying mode [1/s] does not grow; inf for others."""
    if not value.real < -LEAST_DECAY:
        return inf
    z = REACH * value / abs(value)
    growing = np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) > 1 + GROWTH
    return float(REACH[max(int(np.argmax(growing)) - 1, 0)] / abs(value))


def _rounded_down(limit: float) -> float:
    if limit == inf:
        return inf
    digit = 10.0 ** (floor(log10(limit)) - 2)
    return floor(limit / digit) * digit
