"""Main effects of factors: what one of them alone explains of an outcome, and where it is bad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import tau
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.meanings import Circle
from steerageway.launcher.sweep.intervals import Tally

LEVELS = 8  # limit of levels of a factor
LEAST = 10  # cases of a level, on average
Ints = NDArray[np.intp]


class Level(NamedTuple):
    """The cases in a part of a factor's range, or with one of its values.

    Attributes:
        first, last: the least and the greatest value, as text.
        cases: number of cases.
        share: of those with the outcome.
        low, high: interval of its probability.
    """

    first: str
    last: str
    cases: int
    share: float
    low: float
    high: float


def main_effect(
    factor: Sequence[object], outcome: Sequence[float | None], circle: Circle | None = None
) -> float | None:
    """Return the share of an outcome's variance that a factor alone explains, at least 0.

    It is the first-order Sobol index, estimated by the correlation ratio over the factor's levels
    without its bias (epsilon squared). None: too few cases, or the outcome does not vary.

    Args:
        circle: of an outcome of angles, whose variance is that of their unit vectors.

    Source: Kelley, "An unbiased correlation ratio measure" (1935); Mardia & Jupp (2000),
    Directional Statistics, section 2.3.4.
    """
    values = np.array(outcome, dtype=float)  # None becomes NaN
    known = ~np.isnan(values)
    values = values[known]
    level = _levels([value for value, is_known in zip(factor, known, strict=True) if is_known])
    count = level.max(initial=0) + 1
    if count < 2 or len(values) <= count:
        return None
    turns = None if circle is None else (values - values[0]) * (tau / circle.period)
    axes = (values,) if turns is None else (np.cos(turns), np.sin(turns))
    cases = np.bincount(level)
    means = [np.bincount(level, axis) / cases for axis in axes]
    total = sum(float(axis.var()) * len(axis) for axis in axes)
    if not total:
        return None
    between = (cases @ (of - axis.mean()) ** 2 for of, axis in zip(means, axes, strict=True))
    within = total - float(sum(between))
    return max(0.0, float(1 - within / (len(values) - count) / (total / (len(values) - 1))))


def shares(
    factor: Sequence[object], happened: Sequence[bool], weights: Sequence[float]
) -> Iterator[Level]:
    """Yield the levels of a factor with the share of the cases in which something happened."""
    level, told, weight = _levels(factor), np.array(happened), np.array(weights)
    for one in range(level.max(initial=-1) + 1):
        chosen = level == one
        values = np.sort(np.array(factor)[chosen])
        first, last = (_shown(values[end]) for end in (0, -1))
        tally = Tally()
        mean = weight[chosen].mean()  # the level's own: a conditional probability
        for did, counts in zip(told[chosen].tolist(), weight[chosen] / mean, strict=True):
            tally.take(happened=did, weight=float(counts))
        yield Level(first, last, tally.cases, tally.share, *tally.interval())


def _levels(factor: Sequence[object]) -> Ints:
    """Return the level of each case: equal values, or parts of equal numbers of cases."""
    most = min(LEVELS, len(factor) // LEAST)
    if not most:
        return np.zeros(len(factor), dtype=np.intp)
    _, place, counts = np.unique(np.array(factor), return_inverse=True, return_counts=True)
    if len(counts) <= most:
        return np.asarray(place, dtype=np.intp)
    before = np.cumsum(counts) - counts  # equal values stay together
    parts = (before * most // len(factor))[place]
    return np.asarray(np.unique(parts, return_inverse=True)[1], dtype=np.intp)


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
