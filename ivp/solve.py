"""The solver: the grid point with the greatest weighted sum of all functions, exactly.

Variables that no table joins are decided one by one, each in as many steps as it has values; only
variables that share a table are multiplied out together. The result is that of trying every point
of the whole grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ivp.domain import Domain, FloatArray, Variable
from ivp.function import Function, Names

TIE = 1e-12  # relative: sums that differ by less differ by rounding only

IndexArray = NDArray[np.intp]


class Decision(NamedTuple):
    """The best point.

    Attributes:
        values: variable -> value, for each variable that some function speaks about.
        utility: the weighted sum there.
    """

    values: dict[str, float]
    utility: float


class NotFinite(ValueError):
    """A function holds infinity or NaN."""


def solve(
    domain: Domain, functions: Iterable[Function], previous: Mapping[str, float] | None = None
) -> Decision:
    """Find the grid point that maximises the sum of weight x value over all functions.

    Among equals wins the smallest change from the previous decision, then the change to starboard
    (of a circular variable), then the lowest value; the first variable of the domain has the
    first say.

    Args:
        domain: every variable that a function speaks about.
        functions: with weights.
        previous: the decision before.
    Raises:
        KeyError: a function speaks about a variable that the domain has not.
        NotFinite: a function holds infinity or NaN.
    """
    totals, scale = _summed(tuple(functions))
    previous = previous or {}
    values: dict[str, float] = {}
    utility = 0.0
    for names in _groups(domain, totals):
        variables = [domain[name] for name in names]
        table = totals[names] if len(names) == 1 else _multiplied_out(variables, totals)
        best, index = _argmax(table, variables, previous)
        utility += scale * best
        for variable, at in zip(variables, index, strict=True):
            values[variable.name] = variable.values.item(at)
    return Decision(values, utility)


def _summed(functions: tuple[Function, ...]) -> tuple[Mapping[Names, FloatArray], float]:
    """Give the weighted sum, table by table, and what its values are to be multiplied with."""
    if len(functions) == 1 and functions[0].weight > 0:
        return functions[0].parts, functions[0].weight
    totals: dict[Names, FloatArray] = {}
    for function in functions:
        for names, table in function.parts.items():
            weighted = table * function.weight
            if names in totals:
                totals[names] += weighted
            else:
                totals[names] = weighted
    return totals, 1.0


def _groups(domain: Domain, totals: Mapping[Names, FloatArray]) -> list[Names]:
    """Give the variables in groups that no table joins, each in the domain's order."""
    singles: list[Names] = [names for names in domain.singles if names in totals]
    if len(singles) == len(totals):
        return singles
    order = domain.order.__getitem__
    groups: list[set[str]] = []
    for names in totals:
        joined = set(names).union(*(group for group in groups if group & set(names)))
        groups = [group for group in groups if not group & joined] + [joined]
    return sorted((tuple(sorted(g, key=order)) for g in groups), key=lambda names: order(names[0]))


def _multiplied_out(variables: list[Variable], totals: Mapping[Names, FloatArray]) -> FloatArray:
    """Add all tables over some of these variables up, one axis for each variable."""
    axis = {variable.name: number for number, variable in enumerate(variables)}
    total = np.zeros([variable.points for variable in variables])
    for names, table in totals.items():
        if names[0] in axis:
            order = sorted(range(len(names)), key=lambda number: axis[names[number]])
            shape = [1] * len(axis)
            for number in order:
                shape[axis[names[number]]] = table.shape[number]
            total += table.transpose(order).reshape(shape)
    return total


def _argmax(
    table: FloatArray, variables: list[Variable], previous: Mapping[str, float]
) -> tuple[float, tuple[np.intp, ...]]:
    """Give the greatest value and its indices, after the rule for ties."""
    first = table.argmax()  # of NaN, if there is one
    best: float = table.item(first)
    if not isfinite(best):
        raise NotFinite("a function holds infinity or NaN")
    tied = table >= best - TIE * abs(best)
    if np.count_nonzero(tied) == 1:
        return best, (first,) if table.ndim == 1 else np.unravel_index(first, table.shape)
    ties = _preferred(tied.nonzero(), variables, previous)
    return best, tuple(index[0] for index in ties)


def _preferred(
    ties: tuple[IndexArray, ...], variables: list[Variable], previous: Mapping[str, float]
) -> tuple[IndexArray, ...]:
    for axis, variable in enumerate(variables):
        ranks = _ranks(ties[axis], variable, previous.get(variable.name))
        first = ranks == ranks.min()
        ties = tuple(index[first] for index in ties)
    return ties


def _ranks(index: IndexArray, variable: Variable, previous: float | None) -> IndexArray:
    """Order indices by preference: smaller change, then starboard, then the lower value."""
    if previous is None:
        return index
    change = index - variable.nearest(previous)
    if not variable.circular:
        return 2 * np.abs(change) + (change > 0)
    half = variable.points // 2
    around = (change + half) % variable.points - half
    return 2 * np.abs(around) + (around < 0)
