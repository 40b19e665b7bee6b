"""Intervals of the probability of an outcome, and where a campaign may stop because of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from steerageway.apps.experiments.sweep.file import CONFIDENCE, Precision
from steerageway.launcher.sweep.execution import Row


def wilson(count: float, of: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the interval of a probability, of which ``count`` trials ``of`` all had the outcome.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    scale = 1 + z * z / of
    center = (count + z * z / 2) / of / scale
    half = z * sqrt(count * (of - count) / of + z * z / 4) / of / scale
    return (0.0 if count == 0 else center - half, 1.0 if count == of else center + half)


def weight_of(row: Row) -> float:
    """Return the weight of a case, which is 1 if its row has none."""
    return float(row.get("weight", 1.0))


@dataclass
class Tally:
    """Estimate of the probability of an outcome, from cases that count by their weights.

    Attributes:
        cases, count: number of all cases, and of those with the outcome.
        whole, squared: sums of the weights of all cases, and of their squares.
        happened, happened_squared: the same of the cases with the outcome.
    """

    cases: int = 0
    count: int = 0
    whole: float = 0.0
    squared: float = 0.0
    happened: float = 0.0
    happened_squared: float = 0.0

    def take(self, *, happened: bool, weight: float = 1.0) -> None:
        """Take a case: whether it had the outcome, and its weight."""
        self.cases += 1
        self.whole += weight
        self.squared += weight * weight
        if happened:
            self.count += 1
            self.happened += weight
            self.happened_squared += weight * weight

    @property
    def share(self) -> float:
        """The estimate, without bias; of weighted cases it may exceed 1."""
        return self.happened / self.cases

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return Wilson's interval for as many plain cases as have the variance of these.

        If the outcome has not been seen, or has been in every case, they are as many as weights
        of this spread are worth.

        Source: Kish, "Survey Sampling" (1965).
        """
        share = min(self.share, 1.0)
        variance = (self.happened_squared / self.cases - self.share**2) / self.cases
        cases = self.whole**2 / self.squared
        if 0 < self.count < self.cases and share < 1.0 and variance > 0:
            cases = share * (1 - share) / variance
        return wilson(share * cases, cases, confidence)


class Stopping:
    """The case after which a campaign stops: the first with which the interval is narrow enough.

    Cases count in the order of their numbers, so that the result does not depend on which ends
    first.

    Attributes:
        after: the last case of the table; None until it is known.
    """

    def __init__(self, precision: Precision | None, rows: Mapping[int, Row]) -> None:
        self._precision, self._rows = precision, rows
        self._tally = Tally()
        self.after: int | None = None

    def holds(self) -> bool:
        """Whether the campaign stops, by the rows that there are."""
        wanted, tally = self._precision, self._tally
        while wanted and self.after is None and (row := self._rows.get(tally.cases + 1)):
            tally.take(happened=row["exit_reason"] == wanted.outcome, weight=weight_of(row))
            low, high = tally.interval(wanted.confidence)
            if high - low <= 2 * wanted.half_width:
                self.after = tally.cases
        return self.after is not None
