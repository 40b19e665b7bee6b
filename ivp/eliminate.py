"""Variable elimination: the greatest sum of tables for each value of one variable.

A variable is eliminated by adding only the tables over it and taking their maximum over it: a table
over the variables it was joined with. With course-speed and course-depth tables the full grid of
three variables is never built.

Source: Dechter (1999), "Bucket elimination: a unifying framework for reasoning", Artificial
Intelligence 113, for max-sum problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import prod

import numpy as np

from steerageway.ivp.domain import Domain, FloatArray

Names = tuple[str, ...]
Tables = Mapping[Names, FloatArray]  # names in the domain's order, one axis for each


def best_for_each(domain: Domain, name: str, tables: Tables) -> FloatArray:
    """Return the greatest sum of the tables for each value of a variable (points,).

    Args:
        domain: for the numbers of values.
        name: the variable, which a table is over.
        tables: connected with each other through shared variables.
    """
    left = dict(tables)
    for other, scope in _order(domain, name, tuple(tables)):
        _eliminate(other, scope, left)
    return left[(name,)]


def greatest_along(table: FloatArray, axis: int) -> FloatArray:
    """Return the greatest values of a table along an axis."""
    # NumPy takes the maximum of whole rows at a time, but goes value by value along a short last
    # axis, which takes six times as long.
    rest = (*range(axis), *range(axis + 1, table.ndim))
    best: FloatArray = np.maximum.reduce(np.ascontiguousarray(table.transpose(axis, *rest)), axis=0)
    return best


def added_up(names: Names, tables: Iterable[tuple[Names, FloatArray]]) -> FloatArray:
    """Return the sum of tables over some of these variables, with one axis for each of them."""
    (first, total), *others = sorted(tables, key=lambda pair: -pair[1].size)
    total = total[_axes(first, names)]
    for some, table in others:
        total = total + table[_axes(some, names)]
    return total


def fixed(tables: Tables, name: str, index: int) -> dict[Names, FloatArray]:
    """Return the tables that remain when a variable has only one value."""
    left: dict[Names, FloatArray] = {}
    for names, table in tables.items():
        rest = names
        if name in names:
            axis = names.index(name)
            rest, table = names[:axis] + names[axis + 1 :], table[(slice(None),) * axis + (index,)]
        if rest:
            left[rest] = left[rest] + table if rest in left else table
    return left


@lru_cache(maxsize=64)
def _order(domain: Domain, name: str, tables: Iterable[Names]) -> tuple[tuple[str, Names], ...]:
    """Return the variables to eliminate so that one is left, each with its scope."""
    left = list(tables)
    others = dict.fromkeys(other for names in tables for other in names if other != name)
    found = []
    # Greedy order, smallest table first: finding the best order is NP-hard in general.
    while others:
        scopes = {other: _scope(domain, other, left) for other in others}
        cheapest = min(others, key=lambda other: prod(domain[n].points for n in scopes[other]))
        found.append((cheapest, scopes[cheapest]))
        joined = tuple(one for one in scopes[cheapest] if one != cheapest)
        left = [names for names in left if cheapest not in names] + [joined]
        del others[cheapest]
    return tuple(found)


def _scope(domain: Domain, name: str, tables: Iterable[Names]) -> Names:
    """Return the variables that share a table with one, itself included, in the domain's order."""
    together = {other for names in tables if name in names for other in names}
    return tuple(sorted(together, key=domain.order.__getitem__))


def _eliminate(name: str, scope: Names, tables: dict[Names, FloatArray]) -> None:
    involved = [(names, tables.pop(names)) for names in list(tables) if name in names]
    rest = tuple(other for other in scope if other != name)
    if rest:  # else nothing depends on it any more
        best = greatest_along(added_up(scope, involved), scope.index(name))
        tables[rest] = tables[rest] + best if rest in tables else best


def _axes(some: Names, names: Sequence[str]) -> tuple[slice | None, ...]:
    """Return the index that gives a table over some of the variables one axis for each of them."""
    return tuple(slice(None) if name in some else np.newaxis for name in names)
