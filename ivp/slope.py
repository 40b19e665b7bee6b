"""MOOS-IvP's piecewise linear functions of one variable (ZAIC_SPD, _LEQ, _HEQ, _HDG, _Vector).

Source: the IvP build toolbox (ZAIC_SPD, ZAIC_LEQ, ZAIC_HEQ, ZAIC_HDG, ZAIC_Vector).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from steerageway.ivp.domain import NEAR, FloatArray, Variable
from steerageway.ivp.function import Function, one_dimensional


def spd(
    variable: Variable,
    med: float,
    low: float,
    high: float,
    low_utility: float,
    high_utility: float,
) -> Function:
    """Return a function that is 100 at ``med`` and falls in two steps to 0 at the domain's ends.

    Args:
        med: the best value.
        low, high: at which it is ``low_utility`` and ``high_utility``; low <= med <= high.
    """
    best = min(max(med, variable.low), variable.high)
    below = min(max(low, variable.low), best)
    above = max(min(high, variable.high), best)
    knots = {variable.low: 0.0, variable.high: 0.0}
    for where, utility in ((below, low_utility), (best, 100.0), (above, high_utility)):
        # Knots that coincide after clamping keep the greatest utility.
        knots[where] = max(utility, knots.get(where, 0.0))
    return one_dimensional(variable, _through(variable.values, knots))


def leq(
    variable: Variable, most: float, basewidth: float = 0.0, low: float = 0.0, high: float = 100.0
) -> Function:
    """Return a function that is ``high`` up to a value and falls to ``low`` above it.

    Args:
        most: the value; one outside the domain counts as its nearer end.
        basewidth: distance over which it falls, linearly; 0 for a cliff.
        low, high: its least and greatest value.
    """
    bound = min(max(most, variable.low), variable.high)
    return one_dimensional(
        variable, _beyond(variable, variable.values - bound, basewidth, low, high)
    )


def heq(
    variable: Variable, least: float, basewidth: float = 0.0, low: float = 0.0, high: float = 100.0
) -> Function:
    """Return a function that is ``high`` from a value on and falls to ``low`` below it; see leq."""
    bound = min(max(least, variable.low), variable.high)
    return one_dimensional(
        variable, _beyond(variable, bound - variable.values, basewidth, low, high)
    )


def hleq(
    variable: Variable,
    least: float,
    most: float,
    basewidth: float = 0.0,
    low: float = 0.0,
    high: float = 100.0,
) -> Function:
    """Return a function that is ``high`` between two values and falls to ``low`` on both sides.

    In MOOS-IvP, ZAIC_HLEQ is only the common base class of ZAIC_LEQ and ZAIC_HEQ.

    Raises:
        ValueError: least > most.
    """
    if least > most:
        raise ValueError(f"expected least <= most, found {least:g} and {most:g}")
    bottom = min(max(least, variable.low), variable.high)
    top = min(max(most, variable.low), variable.high)
    outside = np.maximum(bottom - variable.values, variable.values - top)
    return one_dimensional(variable, _beyond(variable, outside, basewidth, low, high))


def hdg(
    variable: Variable,
    summit: float,
    deltas: tuple[float, float],
    utilities: tuple[float, float] = (50.0, 50.0),
    low: float = 0.0,
    high: float = 100.0,
) -> Function:
    """Return a function of a circular variable that falls differently to port and to starboard.

    Args:
        variable: of the domain, circular.
        summit: the value at which it is ``high``.
        deltas: distances to port and starboard at which it has fallen to ``utilities``, each 0 to
            half the circle; from there it falls to ``low`` on the far side.
        utilities: there, to port and to starboard; both from ``low`` to ``high``.
        low, high: its least and greatest value.
    Raises:
        ValueError: the deltas or utilities are outside these limits.
    """
    half = variable.period / 2.0
    if not all(0.0 <= delta <= half for delta in deltas):
        raise ValueError(f"expected deltas from 0 to {half:g}, found {deltas[0]:g}, {deltas[1]:g}")
    if not all(low <= utility <= high for utility in utilities):
        raise ValueError(f"expected utilities from {low:g} to {high:g}, found {utilities}")
    places, centre = variable.around(summit)
    knots = {-half: low, half: low, -deltas[0]: utilities[0], deltas[1]: utilities[1], 0.0: high}
    return one_dimensional(variable, _through(places - centre, knots))


def vector(variable: Variable, places: Sequence[float], utilities: Sequence[float]) -> Function:
    """Return a function through points: linear between them, constant beyond the first and last.

    Args:
        variable: of the domain.
        places: values of the variable, in any order, all different.
        utilities: the function's values there.
    Raises:
        ValueError: no points, unequal numbers of both, or a repeated place.
    """
    if not places or len(places) != len(utilities):
        text = f"found {len(places)} and {len(utilities)}"
        raise ValueError(f"expected as many utilities as places, and at least one, {text}")
    knots = dict(zip(places, utilities, strict=True))
    if len(knots) != len(places):
        raise ValueError("expected places that are all different")
    return one_dimensional(variable, _through(variable.values, knots))


def _beyond(
    variable: Variable, outside: FloatArray, basewidth: float, low: float, high: float
) -> FloatArray:
    """Return ``high`` where values are not outside, and the slope beyond."""
    if basewidth > 0.0:
        return _through(outside, {0.0: high, basewidth: low})
    return np.where(outside <= NEAR * variable.step, high, low)


def _through(places: FloatArray, knots: dict[float, float]) -> FloatArray:
    """Interpolate linearly between knots; constant beyond them."""
    where, heights = zip(*sorted(knots.items()), strict=True)
    table: FloatArray = np.interp(places, where, heights)
    return table
