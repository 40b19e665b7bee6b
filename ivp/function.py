"""Objective functions: exact tables over the grid of one or several decision variables.

A function is a sum of parts, each a table over some of the variables. MOOS-IvP's usual functions
(one variable, or couples of such) have one part for each variable, which are never multiplied out:
a couple over 360 courses and 41 speeds is 401 numbers, not 14760. Nor is a table rewritten to be
scaled: its gain and shift are kept beside it, so that many functions can share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TypeAlias

import numpy as np

from steerageway.ivp.domain import Domain, FloatArray, Variable
from steerageway.ivp.table import Table

Names: TypeAlias = tuple[str, ...]
Part: TypeAlias = tuple[Table, float, float]  # table, gain, shift: gain * table + shift


class Function:
    """A sum of parts, and its weight in a decision.

    Args:
        parts: names of the variables -> table (one axis for each of them in that order), which must
            not be changed any more.
        weight: its priority.
    """

    __slots__ = ("terms", "weight")

    def __init__(self, parts: Mapping[Names, FloatArray], weight: float = 1.0) -> None:
        self.terms: dict[Names, Part] = {n: (Table(t), 1.0, 0.0) for n, t in parts.items()}
        self.weight = weight

    @classmethod
    def of_terms(cls, terms: dict[Names, Part], weight: float = 1.0) -> Function:
        """Return a function of tables that others may share, each with a gain and a shift."""
        function = cls.__new__(cls)
        function.terms = terms
        function.weight = weight
        return function

    @property
    def parts(self) -> Mapping[Names, FloatArray]:
        """The tables, scaled: names of the variables -> table."""
        return {names: gain * t.values + shift for names, (t, gain, shift) in self.terms.items()}

    @property
    def span(self) -> tuple[float, float]:
        """The sums of its parts' least and greatest values; NaN if a table has one.

        These are its extremes, as long as no two parts share a variable.
        """
        low = high = 0.0
        for table, gain, shift in self.terms.values():
            low += gain * table.least + shift
            high += gain * table.greatest + shift
        return low, high

    @property
    def variables(self) -> Names:
        """Its variables, in order of appearance."""
        if len(self.terms) == 1:
            return next(iter(self.terms))
        return tuple(dict.fromkeys(name for names in self.terms for name in names))

    @property
    def size(self) -> int:
        """The number of values in its tables."""
        return sum([prod(table.shape) for table, _, _ in self.terms.values()])

    def at(self, domain: Domain, point: Mapping[str, float]) -> float:
        """Return its value at the grid point nearest to the given one (without the weight)."""
        value = 0.0
        for names, (table, gain, shift) in self.terms.items():
            index = tuple(domain[name].nearest(point[name]) for name in names)
            value += gain * table.values.item(index) + shift
        return value

    def weighing(self, weight: float) -> Function:
        """Return the function with another weight."""
        return Function.of_terms(self.terms, weight)


def one_dimensional(variable: Variable, table: FloatArray) -> Function:
    """Return a function of one variable, given its table (points,)."""
    return Function({(variable.name,): table})


def on_grid(domain: Domain, names: Names, evaluate: Callable[..., FloatArray | float]) -> Function:
    """Return a function of several variables, evaluated at every grid point.

    Args:
        domain: the variables' values.
        names: the variables.
        evaluate: takes one array for each variable, shaped to broadcast against each other.
    """
    axes = np.ix_(*(domain[name].values for name in names))
    shape = tuple(domain[name].points for name in names)
    return Function({names: np.array(np.broadcast_to(evaluate(*axes), shape), dtype=np.float64)})


def normalised(function: Function, high: float = 100.0) -> Function:
    """Return a function scaled to span 0 to a height; a constant one becomes 0.

    Its tables are not rewritten.
    """
    least, greatest = function.span
    factor = high / (greatest - least) if greatest != least else 0.0
    return Function.of_terms(_stretched(function, least, factor), function.weight)


def couple(one: Function, other: Function, weights: tuple[float, float] = (50, 50)) -> Function:
    """Return the coupling of two functions of different variables, with values from 0 to 100.

    Each is scaled to span 0 to its weight, and their sum to span 0 to 100. A constant function
    has no effect.

    Args:
        one, other: each with parts that share no variable.
        weights: of the two; both > 0.
    Raises:
        ValueError: they share a variable.
    Source: MOOS-IvP's OF_Coupler.
    """
    if not set(one.variables).isdisjoint(other.variables):
        raise ValueError("expected functions of different variables")
    low, high = one.span
    least, greatest = other.span
    share = weights[0] if high != low else 0.0
    rest = weights[1] if greatest != least else 0.0
    total = (share + rest) / 100.0 or 1.0
    terms = _stretched(one, low, share / total / (high - low) if share else 0.0)
    terms |= _stretched(other, least, rest / total / (greatest - least) if rest else 0.0)
    return Function.of_terms(terms)


def _stretched(function: Function, low: float, factor: float) -> dict[Names, Part]:
    """Return a function's parts, shifted so that their least sum is 0, and scaled."""
    # The shift is divided among the parts: only their sum matters.
    base = low / len(function.terms)
    return {
        names: (table, gain * factor, (shift - base) * factor)
        for names, (table, gain, shift) in function.terms.items()
    }
