"""Objective functions: exact tables over the grid of one or several decision variables.

A function is a sum of parts, each a table over some of the variables. The field's usual functions
(one variable, or couples of such) have one part for each variable, and are then never multiplied
out: a couple over 360 courses and 41 speeds is 401 numbers, not 14760.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from ivp.domain import Domain, FloatArray, Variable

Names = tuple[str, ...]


class Function:
    """A sum of tables, which are not written to any more.

    Attributes:
        parts: names of the variables -> table, one axis for each of them in that order.
        weight: how much it counts beside others.
    """

    __slots__ = ("_span", "_stretched", "parts", "weight")

    def __init__(self, parts: Mapping[Names, FloatArray], weight: float = 1.0) -> None:
        self.parts = parts
        self.weight = weight
        self._span: tuple[float, float] | None = None
        self._stretched: tuple[float, Mapping[Names, FloatArray]] | None = None

    @property
    def span(self) -> tuple[float, float]:
        """The sums of its tables' least and of their greatest values.

        These are its own extremes, as long as no two parts share a variable.
        """
        if self._span is None:
            low = high = 0.0
            for table in self.parts.values():
                low += table.item(table.argmin())  # NaN if there is one
                high += table.item(table.argmax())
            self._span = low, high
        return self._span

    def stretched(self, height: float) -> Mapping[Names, FloatArray]:
        """Give its tables, moved and scaled so that its span is from 0 to a height.

        They are kept: a behavior's wish for a speed, say, is the same for many decisions.
        """
        if self._stretched is None or self._stretched[0] != height:
            low, high = self.span
            gain = height / (high - low) if high > low else 0.0
            base = low / len(self.parts)
            tables = {names: _scaled(table, base, gain) for names, table in self.parts.items()}
            self._stretched = height, tables
        return self._stretched[1]

    @property
    def variables(self) -> Names:
        """The variables it speaks about, in order of appearance."""
        if len(self.parts) == 1:
            return next(iter(self.parts))
        return tuple(dict.fromkeys(name for names in self.parts for name in names))

    @property
    def size(self) -> int:
        """How many numbers its tables hold."""
        return sum(table.size for table in self.parts.values())

    def at(self, domain: Domain, point: Mapping[str, float]) -> float:
        """Give its value at the grid point nearest to the given one (without the weight)."""
        return sum(
            float(table[tuple(domain[name].nearest(point[name]) for name in names)])
            for names, table in self.parts.items()
        )

    def weighing(self, weight: float) -> Function:
        """Give the same function with another weight."""
        return Function(self.parts, weight)


def one_dimensional(variable: Variable, table: FloatArray) -> Function:
    """Make a function of one variable from its table (points,)."""
    return Function({(variable.name,): table})


def on_grid(domain: Domain, names: Names, evaluate: Callable[..., FloatArray | float]) -> Function:
    """Make a function of several variables by evaluating it at every grid point.

    Args:
        domain: where the variables' values come from.
        names: the variables.
        evaluate: takes one array for each variable, shaped to broadcast against each other.
    """
    axes = np.ix_(*(domain[name].values for name in names))
    shape = tuple(domain[name].points for name in names)
    return Function({names: np.array(np.broadcast_to(evaluate(*axes), shape), dtype=np.float64)})


def couple(one: Function, other: Function, weights: tuple[float, float] = (50, 50)) -> Function:
    """Join two functions of different variables into one with values from 0 to 100.

    Each is stretched so that it spans 0 to its weight, and their sum so that it spans 0 to 100. A
    function that is the same everywhere has no say.

    Args:
        one, other: each with parts that share no variable.
        weights: of the two; both > 0.
    Raises:
        ValueError: they share a variable.
    Source: the field's OF_Coupler.
    """
    if not set(one.variables).isdisjoint(other.variables):
        raise ValueError("expected functions of different variables")
    spans = (one.span, other.span)
    says = [w if high != low else 0.0 for w, (low, high) in zip(weights, spans, strict=True)]
    total = sum(says) or 1.0
    share, rest = (100.0 * say / total for say in says)
    return Function({**one.stretched(share), **other.stretched(rest)})


def _scaled(table: FloatArray, base: float, gain: float) -> FloatArray:
    moved = table - base
    return np.multiply(moved, gain, out=moved)
