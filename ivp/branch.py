"""Branch and bound: the best point for piecewise linear functions, without their tables.

A piece of the first function is intersected with each piece of the second, and so on, the most
promising intersection first; one whose upper bound is below the best point found is discarded.

Source: Benjamin (2004), "The interval programming model for multi-objective decision making", MIT
AI Memo 2004-021.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from steerageway.ivp.domain import Domain, FloatArray
from steerageway.ivp.piecewise import Piecewise
from steerageway.ivp.table import TIE, IndexArray
from steerageway.ivp.ties import preferred


class Pieces(NamedTuple):
    """Linear functions on boxes over all d variables: corners (n, d), slopes (n, d), bases (n,)."""

    low: IndexArray
    high: IndexArray
    slopes: FloatArray
    bases: FloatArray

    @property
    def tops(self) -> FloatArray:
        """The greatest value of each piece (n,), at its upper end of rising axes."""
        ends = np.where(self.slopes > 0, self.high, self.low)
        tops: FloatArray = self.bases + (self.slopes * ends).sum(axis=1)
        return tops

    def select(self, chosen: NDArray[np.bool_] | slice) -> Pieces:
        """Return a selection of the pieces."""
        return Pieces(self.low[chosen], self.high[chosen], self.slopes[chosen], self.bases[chosen])


def decide(
    domain: Domain, functions: Sequence[Piecewise], previous: Mapping[str, float]
) -> tuple[dict[str, float], float]:
    """Find the best point for piecewise functions; see ``ivp.solve.solve``.

    Returns: variable -> value, for each variable of the functions; and the weighted sum there.
    Raises:
        KeyError: a variable of a function is not in the domain.
        ValueError: a variable has other values in a function than in the domain.
    """
    for function in functions:
        function.check_fits(domain)
    names = {name for function in functions for name in function.variables}
    reduced = Domain(tuple(variable for variable in domain if variable.name in names))
    summits = Summits(reduced, functions)
    low, high = summits.low, summits.high
    values = {}
    for axis, variable in enumerate(reduced):
        ends = zip(low[:, axis], high[:, axis], strict=True)
        ties = np.unique(np.concatenate([np.arange(a, b + 1) for a, b in ends]))
        alone = sum(variable.name in function.variables for function in functions) == 1
        index = preferred(ties, variable, previous.get(variable.name), alone=alone)
        values[variable.name] = variable.values.item(index)
        there = (low[:, axis] <= index) & (index <= high[:, axis])
        low, high = low[there], high[there]
    return values, summits.best


class Summits:
    """The boxes on which a sum of piecewise functions is greatest.

    Args:
        domain: the variables of the functions.
        functions: at least one.
    Attributes:
        best: the greatest sum.
        low, high: the corners of the boxes (n, d), over the domain's variables in order.
    """

    def __init__(self, domain: Domain, functions: Sequence[Piecewise]) -> None:
        # Functions of few pieces first: the tree is narrow near its root.
        layers = [_extended(domain, function) for function in functions]
        self._layers = sorted(layers, key=lambda pieces: len(pieces.bases))
        greatest = [float(pieces.tops.max()) for pieces in self._layers]
        # The most that functions from a level on can add: with a piece's top, an upper bound.
        self._reachable = [sum(greatest[level:]) for level in range(len(layers) + 1)]
        # Pieces that are worse by rounding only count as equal, so they must not be discarded.
        self._tolerance = TIE * sum(float(np.abs(pieces.tops).max()) for pieces in layers)
        self.best = -inf
        self._found: list[Pieces] = []
        last = np.array([[variable.points - 1 for variable in domain]])
        zeros = np.zeros_like(last)
        self._descend(0, Pieces(zeros, last, zeros.astype(np.float64), np.zeros(1)))
        self.low, self.high = self._faces()

    def _descend(self, level: int, piece: Pieces) -> None:
        cut = _intersections(piece, self._layers[level])
        bounds = cut.tops + self._reachable[level + 1]
        if level + 1 == len(self._layers):
            self.best = max(self.best, bounds.item(bounds.argmax()))
            self._found.append(cut.select(bounds >= self.best - self._tolerance))
            return
        # Stable, as the default sort's order of equals depends on the processor.
        for number in np.argsort(-bounds, kind="stable"):
            if bounds[number] < self.best - self._tolerance:
                break
            self._descend(level + 1, cut.select(slice(number, number + 1)))

    def _faces(self) -> tuple[IndexArray, IndexArray]:
        """Return the part of each piece found on which it is greatest."""
        all_found = Pieces(*map(np.concatenate, zip(*self._found, strict=True)))
        pieces = all_found.select(all_found.tops >= self.best - self._tolerance)
        # Along an axis without slope the whole piece is equally good, else only its higher end.
        rise = pieces.slopes * (pieces.high - pieces.low)
        low = np.where(rise > self._tolerance, pieces.high, pieces.low)
        high = np.where(rise < -self._tolerance, pieces.low, pieces.high)
        return low, high


def _extended(domain: Domain, function: Piecewise) -> Pieces:
    """Return a function's pieces, weighted, over all variables of a domain."""
    count, all_points = function.size, [variable.points for variable in domain]
    low = np.zeros((count, len(all_points)), dtype=np.intp)
    high = np.tile(np.array(all_points) - 1, (count, 1))
    slopes = np.zeros(low.shape)
    for own, variable in enumerate(function.domain):
        place = domain.order[variable.name]
        low[:, place], high[:, place] = function.low[:, own], function.high[:, own]
        slopes[:, place] = function.slopes[:, own] * function.weight
    return Pieces(low, high, slopes, function.bases * function.weight)


def _intersections(piece: Pieces, others: Pieces) -> Pieces:
    """Return the intersections of one piece with others, and the sums there."""
    low, high = np.maximum(piece.low, others.low), np.minimum(piece.high, others.high)
    meet = np.logical_and.reduce(low <= high, axis=1)
    slopes = others.slopes[meet] + piece.slopes
    return Pieces(low[meet], high[meet], slopes, others.bases[meet] + piece.bases)
