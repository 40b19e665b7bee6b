"""Hills: MOOS-IvP's usual function of one variable, on a line or around a circle (ZAIC_PEAK).

Source: Benjamin, Schmidt, Newman and Leonard (2010), "Nested autonomy for unmanned marine vehicles
with MOOS-IvP", J. Field Robotics 27(6), and the IvP build toolbox (ZAIC_PEAK).
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np

from steerageway.ivp.domain import NEAR, FloatArray, Variable
from steerageway.ivp.function import Function
from steerageway.ivp.table import Table


class Peak(NamedTuple):
    """A hill: ``high`` at the summit, falling to both sides.

    Attributes:
        summit: the value at which it is highest.
        peakwidth: distance from the summit over which it falls by ``summitdelta`` only.
        basewidth: further distance over which it falls, linearly, to ``low``.
        summitdelta: without effect if peakwidth is 0.
        low, high: its least and greatest value.
    """

    summit: float
    peakwidth: float = 0.0
    basewidth: float = 0.0
    summitdelta: float = 0.0
    low: float = 0.0
    high: float = 100.0


def peak(variable: Variable, *peaks: Peak, wrap: bool = False, add: bool = False) -> Function:
    """Return a function of one or several hills.

    If it would be ``low`` everywhere, because no value of the variable lies within a hill, the
    value nearest to that hill's summit gets ``high``.

    Args:
        variable: of the domain.
        peaks: the hills, at least one.
        wrap: whether to measure distances around the circle.
        add: whether to add the hills; else the highest counts at each point.
    """
    wrap = wrap and variable.points > 1
    total = _hill(variable, peaks[0], wrap)
    for other in peaks[1:]:
        if add:
            total += _hill(variable, other, wrap)
        else:
            np.maximum(total, _hill(variable, other, wrap), out=total)
    table = Table(total)
    least = table.least
    if least == table.greatest and (hidden := [hill for hill in peaks if hill.low == least]):
        places, summit = _places(variable, hidden[0].summit, wrap)
        total[np.abs(places - summit).argmin()] = hidden[0].high
        table = Table(total)
    return Function.of_terms({(variable.name,): (table, 1.0, 0.0)})


def _hill(variable: Variable, hill: Peak, wrap: bool) -> FloatArray:
    if wrap and (turns := _two_turns(variable, *hill[1:])):
        return _turned(variable, hill.summit, *turns)
    places, summit = _places(variable, hill.summit, wrap)
    knots, heights = _profile(*hill[1:])
    table: FloatArray = np.interp(places, knots + summit, heights)
    # A cliff: interpolation would continue the plateau's height.
    if hill.basewidth <= 0:
        table[np.abs(places - summit) > hill.peakwidth + NEAR * variable.step] = hill.low
    return table


def _turned(
    variable: Variable, summit: float, heights: FloatArray, rises: FloatArray
) -> FloatArray:
    """Rotate a hill to its summit: between two points by interpolation of both points' tables."""
    steps = (summit - variable.low) % variable.period / variable.step
    index = ceil(steps)
    first = variable.points - index
    turn = slice(first, first + variable.points)
    table = rises[turn] * (index - steps)
    table += heights[turn]
    return table


@lru_cache(maxsize=256)
def _two_turns(
    variable: Variable, peakwidth: float, basewidth: float, delta: float, low: float, high: float
) -> tuple[FloatArray, FloatArray] | None:
    """Return a hill's heights with its summit at the first point, and the rises to the next points.

    Both are for two turns (2 x points,). None if the hill is not linear from each point to the
    next: its knots, or the far side of the circle, lie between points, or it has a cliff.
    """
    bends = (peakwidth / variable.step, basewidth / variable.step, variable.points / 2)
    if basewidth <= 0 or not all(bend.is_integer() for bend in bends):
        return None
    places, summit = variable.around(variable.low)
    knots, levels = _profile(peakwidth, basewidth, delta, low, high)
    heights = np.tile(np.interp(places, knots + summit, levels), 2)
    return heights, np.roll(heights, -1) - heights


@lru_cache(maxsize=1024)
def _profile(
    peakwidth: float, basewidth: float, delta: float, low: float, high: float
) -> tuple[FloatArray, FloatArray]:
    """Return the knots of a hill, relative to its summit and in order, and the heights there."""
    knots = {0.0: high}
    if peakwidth > 0:
        knots[peakwidth] = knots[-peakwidth] = high - min(delta, high - low)
    if basewidth > 0:
        knots[peakwidth + basewidth] = knots[-peakwidth - basewidth] = low
    ordered = sorted(knots.items())
    return np.array([knot for knot, _ in ordered]), np.array([height for _, height in ordered])


def _places(variable: Variable, value: float, wrap: bool) -> tuple[FloatArray, float]:
    """Return places of the points (points,) and of a value; their differences are the distances."""
    return variable.around(value) if wrap else (variable.values, value)
