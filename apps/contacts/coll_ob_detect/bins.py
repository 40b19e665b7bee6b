"""Histogram of the least distances of encounters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from steerageway.moos.values import snap, trimmed


class Bins:
    """A histogram of distances.

    Args:
        low: lower limit of the bins [m]; below 0: no histogram.
        width: of a bin [m]; not above 0: no histogram.
    """

    def __init__(self, low: float, width: float) -> None:
        self._low = low
        self._width = width
        self._counts: Counter[float] = Counter()
        self._total = 0

    def add(self, distance: float) -> None:
        """Add a distance [m]."""
        if self._low < 0 or self._width <= 0:
            return
        self._total += 1
        if distance >= self._low:
            self._counts[snap(distance, self._width)] += 1

    def lines(self) -> Iterator[str]:
        """Yield the non-empty bins: centre, count, and cumulative percentage."""
        below = self._total - sum(self._counts.values())
        for middle in sorted(self._counts):
            below += self._counts[middle]
            share = 100.0 * below / self._total
            yield f"{trimmed(middle, 2)} m: {self._counts[middle]}, so far {share:.1f} %"
