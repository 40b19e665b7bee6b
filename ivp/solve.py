"""Solver: the grid point with the greatest weighted sum of all functions, exactly.

Variables that share no table are decided separately, each in as many steps as it has values; those
that share tables are decided one after the other, by the greatest sum possible for each value. The
result is that of trying every point of the whole grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import isfinite
from typing import NamedTuple, TypeAlias

from steerageway.ivp import branch, by_rows
from steerageway.ivp.domain import Domain, FloatArray, Variable
from steerageway.ivp.eliminate import best_for_each, fixed
from steerageway.ivp.function import Function, Names
from steerageway.ivp.piecewise import Piecewise
from steerageway.ivp.table import Table
from steerageway.ivp.ties import preferred

Terms: TypeAlias = tuple[tuple[Table, float], ...]  # tables over the same variables, and factors


class Decision(NamedTuple):
    """The best point.

    Attributes:
        values: variable -> value, for each variable of some function.
        utility: the weighted sum there.
    """

    values: dict[str, float]
    utility: float


class NotFinite(ValueError):
    """A function has an infinite value or NaN."""


def solve(
    domain: Domain,
    functions: Iterable[Function | Piecewise],
    previous: Mapping[str, float] | None = None,
) -> Decision:
    """Find the grid point that maximizes the sum of weight x value over all functions.

    Ties are broken by the smallest change from the previous decision, then the change to starboard
    (of a circular variable), then the lowest value; without a previous decision, by the lowest
    value. Those of depth, and of other variables that are decided from above, are broken as by
    MOOS-IvP, see ``preferred``. The first variable of the domain has precedence. If all functions
    are piecewise, their pieces are searched by branch and bound; piecewise functions among others
    are evaluated on the grid.

    Args:
        domain: every variable of the functions, at least.
        functions: objective functions with weights.
        previous: the last decision.
    Raises:
        KeyError: a variable of a function is not in the domain.
        NotFinite: a function has an infinite value or NaN.
        ValueError: a variable has other values in a piecewise function than in the domain.
    """
    functions = tuple(functions)
    previous = previous or {}
    if pieces := [function for function in functions if isinstance(function, Piecewise)]:
        if len(pieces) == len(functions):
            return Decision(*branch.decide(domain, pieces, previous))
        for function in pieces:
            function.check_fits(domain)
    terms, utility = _gathered(functions)
    values: dict[str, float] = {}
    for names in _groups(domain, tuple(terms)):
        if len(names) == 1:
            table, factor = _weighted_sum(terms[names])
            _decide(domain[names[0]], table, previous, values, alone=len(terms[names]) == 1)
            utility += factor * table.greatest
        elif by_rows.applies(names, terms):
            utility += _decide_by_rows(domain, names, terms, previous, values)
        else:
            utility += _decide_together(domain, names, terms, previous, values)
    return Decision(values, utility)


def _decide_together(
    domain: Domain,
    names: Names,
    terms: Mapping[Names, Terms],
    previous: Mapping[str, float],
    values: dict[str, float],
) -> float:
    """Decide variables that share tables, in the domain's order; return their utility."""
    tables: dict[Names, FloatArray] = {}
    for some in terms:
        if some[0] in names:
            written = _values_of(_weighted_sum(terms[some]))
            ordered = tuple(sorted(some, key=domain.order.__getitem__))
            if ordered != some:
                written = written.transpose([some.index(name) for name in ordered])
            tables[ordered] = tables[ordered] + written if ordered in tables else written
    utilities = []
    for name in names:
        best = Table(best_for_each(domain, name, tables))
        utilities.append(best.greatest)
        alone = sum(len(terms[some]) for some in terms if name in some) == 1
        tables = fixed(tables, name, _decide(domain[name], best, previous, values, alone=alone))
    return utilities[0]  # the others lack what the values chosen before contribute


def _decide_by_rows(
    domain: Domain,
    names: Names,
    terms: Mapping[Names, Terms],
    previous: Mapping[str, float],
    values: dict[str, float],
) -> float:
    """Decide two variables as ``_decide_together`` does, without evaluating all rows."""
    first, second = names
    one = _weighted_sum(terms[first,])
    other = _weighted_sum(terms[second,]) if (second,) in terms else None
    if other and (found := by_rows.common_summit(terms[names], one, other)):
        (index, along), utility = found
        values[first] = domain[first].values.item(index)
        values[second] = domain[second].values.item(along)
        return utility
    before = domain[first].nearest(previous[first]) if first in previous else None
    rest = _values_of(other) if other else None
    search = by_rows.RowSearch(terms[names], _values_of(one), rest, before)
    best = Table(search.best)
    index = _decide(domain[first], best, previous, values)
    _decide(domain[second], Table(search.along(index)), previous, values)
    return best.greatest


def _decide(
    variable: Variable,
    best: Table,
    previous: Mapping[str, float],
    values: dict[str, float],
    *,
    alone: bool = False,
) -> int:
    """Decide a variable by the greatest sum for each of its values; return the index."""
    if not isfinite(best.greatest):
        raise NotFinite("a function holds infinity or NaN")
    index = preferred(best.summits[0], variable, previous.get(variable.name), alone=alone)
    values[variable.name] = variable.values.item(index)
    return index


def _gathered(functions: Iterable[Function | Piecewise]) -> tuple[dict[Names, Terms], float]:
    """Return all terms by their variables, and the sum of all shifts."""
    terms: dict[Names, Terms] = {}
    shifts = 0.0
    for function in functions:
        weight = function.weight
        for names, (table, gain, shift) in function.terms.items():
            shifts += weight * shift
            term = (table, weight * gain)
            terms[names] = (*terms[names], term) if names in terms else (term,)
    return terms, shifts


def _weighted_sum(terms: Terms) -> tuple[Table, float]:
    """Return a table and a factor whose product is the sum of terms."""
    # A positive factor keeps a table's extremes and ties where they are: they need no new search.
    if len(terms) == 1 and terms[0][1] > 0:
        return terms[0]
    return (_cached_sum if terms[0][0].values.ndim == 1 else _sum)(terms), 1.0


def _values_of(product: tuple[Table, float]) -> FloatArray:
    """Return the product of a table and a factor."""
    table, factor = product
    return table.values if factor == 1.0 else table.values * factor


def _sum(terms: Terms) -> Table:
    (table, factor), *others = terms
    total = table.values * factor
    for table, factor in others:
        total += table.values * factor
    return Table(total)


_cached_sum = lru_cache(maxsize=64)(_sum)  # that of objectives for a speed, say, stays the same


@lru_cache(maxsize=64)
def _groups(domain: Domain, terms: tuple[Names, ...]) -> tuple[Names, ...]:
    """Return the variables in groups that share no table, each in the domain's order."""
    order = domain.order.__getitem__
    groups: list[set[str]] = []
    for names in terms:
        joined = set(names).union(*(group for group in groups if group & set(names)))
        groups = [group for group in groups if not group & joined] + [joined]
    ordered = (tuple(sorted(group, key=order)) for group in groups)
    return tuple(sorted(ordered, key=lambda names: order(names[0])))
