"""Approximation by piecewise linear functions: uniform pieces, then the worst ones are split.

Source: the IvP build toolbox (OF_Reflector: uniform pieces, directed refinement).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from heapq import heapify, heappop, heappush
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from steerageway.ivp.domain import Domain, FloatArray
from steerageway.ivp.eliminate import added_up
from steerageway.ivp.function import Function, Names
from steerageway.ivp.piecewise import Piecewise

DIGITS = 4  # of slopes and bases, so that writing them loses nothing

Box = tuple[tuple[int, int], ...]  # first and last index in each variable


class Fit(NamedTuple):
    """A linear function on a box, and its greatest error."""

    error: float
    box: Box
    slopes: tuple[float, ...]
    base: float


def approximate(
    domain: Domain,
    function: Function,
    error: float,
    uniform: Mapping[str, int] | None = None,
    most: int = 1000,
) -> Piecewise:
    """Return pieces that approximate a function at each grid point.

    Args:
        domain: every variable of the function, at least.
        function: any.
        error: greatest permitted error, > 0; pieces are split until none exceeds it.
        uniform: number of equal parts of each variable at the start; default 1.
        most: number of pieces; if it is reached, the result's ``error`` may be greater.
    """
    spoken = set(function.variables)
    own = Domain(tuple(variable for variable in domain if variable.name in spoken))
    table = written_out(own.names, function)
    parts = [_cut(v.points, (uniform or {}).get(v.name, 1)) for v in own]
    heap = [(-fit.error, fit) for fit in (_fit(table, box) for box in product(*parts))]
    heapify(heap)
    while -heap[0][0] > error and len(heap) < most:
        _, worst = heappop(heap)
        for box in _halves(table, worst.box):
            fit = _fit(table, box)
            heappush(heap, (-fit.error, fit))
    fits = sorted((fit for _, fit in heap), key=lambda fit: fit.box)
    corners = np.array([fit.box for fit in fits])
    pieces = Piecewise(
        own,
        corners[:, :, 0],
        corners[:, :, 1],
        np.array([fit.slopes for fit in fits]),
        np.array([fit.base for fit in fits]),
        function.weight,
    )
    return replace(pieces, error=float(np.abs(pieces.table - table).max()))


def written_out(names: Names, function: Function) -> FloatArray:
    """Return a function as one table with an axis for each of these variables."""
    tables = []
    for some, table in function.parts.items():
        order = sorted(range(len(some)), key=lambda axis: names.index(some[axis]))
        tables.append((tuple(some[axis] for axis in order), table.transpose(order)))
    return added_up(names, tables)


def _cut(points: int, parts: int) -> list[tuple[int, int]]:
    """Divide the indices 0 to points - 1 into equal parts."""
    parts = min(max(parts, 1), points)
    ends = [points * part // parts for part in range(parts + 1)]
    return [(first, behind - 1) for first, behind in pairwise(ends)]


def _fit(table: FloatArray, box: Box) -> Fit:
    """Fit by least squares, then shift it so that the errors above and below are equal."""
    here = table[tuple(slice(first, last + 1) for first, last in box)]
    rest, slopes = here, []
    for axis, (first, last) in enumerate(box):
        index = np.arange(first, last + 1, dtype=np.float64)
        # Least squares of each axis alone: on a full grid the axes are orthogonal.
        away = index - (first + last) / 2.0
        means = here.mean(axis=tuple(other for other in range(here.ndim) if other != axis))
        slope = round(float(away @ means / (away @ away or 1.0)), DIGITS)
        rest = rest - (slope * index).reshape([-1 if n == axis else 1 for n in range(here.ndim)])
        slopes.append(slope)
    least, greatest = float(rest.min()), float(rest.max())
    base = round((least + greatest) / 2.0, DIGITS)
    return Fit(max(greatest - base, base - least), box, tuple(slopes), base)


def _halves(table: FloatArray, box: Box) -> tuple[Box, Box]:
    """Split a box of several points where the function bends most."""
    here = table[tuple(slice(first, last + 1) for first, last in box)]
    bends = [_bends(here, axis) for axis in range(here.ndim)]
    sharpest = [bend.max() if bend.size else -1.0 for bend in bends]
    axis = int(np.argmax(sharpest))
    first, last = box[axis]
    if sharpest[axis] <= 10.0**-DIGITS:  # twisted, or only two points long
        axis = int(np.argmax(here.shape))
        first, last = box[axis]
        at = (first + last) // 2
    else:
        # Of all bends at least half as sharp, the most central: both halves remain large.
        sharp = np.flatnonzero(bends[axis] >= sharpest[axis] / 2.0)
        middle = (len(bends[axis]) - 1) / 2.0
        at = first + 1 + int(sharp[np.abs(sharp - middle).argmin()])
    return (
        (*box[:axis], (first, at), *box[axis + 1 :]),
        (*box[:axis], (at + 1, last), *box[axis + 1 :]),
    )


def _bends(table: FloatArray, axis: int) -> FloatArray:
    """Return how sharply a table bends at each inner index of an axis: its second differences."""
    others = tuple(other for other in range(table.ndim) if other != axis)
    bends: FloatArray = np.abs(np.diff(table, n=2, axis=axis)).max(axis=others, initial=0.0)
    return bends
