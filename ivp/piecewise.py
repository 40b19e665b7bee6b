"""``Piecewise``: piecewise linear functions, boxes of grid points each with a linear function.

This is MOOS-IvP's own form of an objective function. Here it serves tools and comparisons; the
helm's functions are exact tables.

Source: Benjamin (2004), "The interval programming model for multi-objective decision making", MIT
AI Memo 2004-021.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from steerageway.ivp.domain import MOST_CELLS, Domain, FloatArray
from steerageway.ivp.function import Function, Names, Part
from steerageway.ivp.table import Table


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A function of n pieces over d variables; the solver takes it like a ``Function``.

    Attributes:
        domain: its own variables only.
        low, high: the first and the last index of each piece in each variable (n, d).
        slopes: the rise of each piece per index (n, d).
        bases: the value of each piece extrapolated to index 0 of all variables (n,).
        weight: its priority.
        error: greatest deviation from the function it approximates, over the grid points.
    Raises:
        ValueError: the pieces leave out a grid point, overlap, or are not finite; the grid is too
            large.
    """

    domain: Domain
    low: NDArray[np.intp]
    high: NDArray[np.intp]
    slopes: FloatArray
    bases: FloatArray
    weight: float = 1.0
    error: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.slopes).all() and np.isfinite(self.bases).all()):
            raise ValueError("expected finite weights of pieces")
        points = [variable.points for variable in self.domain]
        if prod(points) > MOST_CELLS:
            raise ValueError(f"expected at most {MOST_CELLS} grid points, found {prod(points)}")
        covered = np.zeros(points, dtype=np.bool_)
        inside = (self.low >= 0) & (self.low <= self.high) & (self.high < covered.shape)
        if not inside.all():
            number = int(np.argmin(inside.all(axis=1))) + 1
            text = f"first <= last index, in the domain {self.domain}"
            raise ValueError(f"expected pieces with {text}, piece {number} has not")
        for number, box in enumerate(self.boxes, start=1):
            if covered[box].any():
                raise ValueError(f"expected pieces that do not overlap, piece {number} does")
            covered[box] = True
        if not covered.all():
            missing = np.argwhere(~covered)[0].tolist()
            raise ValueError(f"expected pieces for each grid point, found none for {missing}")

    @property
    def boxes(self) -> list[tuple[slice, ...]]:
        """Each piece's part of a table over the variables."""
        ends = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [tuple(slice(a, b + 1) for a, b in zip(*both, strict=True)) for both in ends]

    @property
    def variables(self) -> Names:
        """The names of its variables."""
        return self.domain.names

    @property
    def size(self) -> int:
        """The number of pieces."""
        return len(self.bases)

    @cached_property
    def table(self) -> FloatArray:
        """Its value at each grid point, one axis for each variable."""
        table = np.empty([variable.points for variable in self.domain])
        axes = np.ogrid[tuple(slice(points) for points in table.shape)]
        for box, slopes, base in zip(self.boxes, self.slopes, self.bases, strict=True):
            total = np.full((1,) * table.ndim, base)
            for axis, (index, slope) in enumerate(zip(axes, slopes, strict=True)):
                here = (slice(None),) * axis + (box[axis],)
                total = total + slope * index[here]
            table[box] = total
        return table

    @cached_property
    def terms(self) -> dict[Names, Part]:
        """Its table, in the form of ``Function.terms``."""
        return {self.variables: (Table(self.table), 1.0, 0.0)}

    def check_fits(self, domain: Domain) -> None:
        """Check that a domain has the same values of these variables.

        Raises:
            KeyError: a variable is not in the domain.
            ValueError: a variable has other values.
        """
        for variable in self.domain:
            if (other := domain[variable.name]) != variable:
                raise ValueError(f"expected pieces over {other}, found them over {variable}")

    def function(self) -> Function:
        """Return it as a ``Function``, a table over the grid."""
        return Function.of_terms(self.terms, self.weight)
