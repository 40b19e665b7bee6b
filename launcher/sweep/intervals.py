"""Intervals of the probability of an outcome, and where a campaign may stop because of them."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist

from steerageway.apps.experiments.sweep.file import CONFIDENCE, Precision
from steerageway.launcher.sweep.execution import Row


def wilson(count: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval of a probability, of which ``count`` trials ``of`` all had the outcome.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    scale = 1 + z * z / of
    center = (count + z * z / 2) / of / scale
    half = z * sqrt(count * (of - count) / of + z * z / 4) / of / scale
    return (0.0 if count == 0 else center - half, 1.0 if count == of else center + half)


class Stopping:
    """The case after which a campaign stops: the first with which the interval is narrow enough.

    Cases count in the order of their numbers, so that the result does not depend on which ends
    first.

    Attributes:
        after: the last case of the table; None until it is known.
    """

    def __init__(self, precision: Precision | None, rows: Mapping[int, Row]) -> None:
        self._precision, self._rows = precision, rows
        self._cases = self._count = 0
        self.after: int | None = None

    def holds(self) -> bool:
        """Whether the campaign stops, by the rows that there are."""
        wanted = self._precision
        while wanted and self.after is None and (row := self._rows.get(self._cases + 1)):
            self._cases += 1
            self._count += row["exit_reason"] == wanted.outcome
            low, high = wilson(self._count, self._cases, wanted.confidence)
            if high - low <= 2 * wanted.half_width:
                self.after = self._cases
        return self.after is not None
