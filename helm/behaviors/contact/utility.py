"""Utility of CPA ranges and of closing speeds; relevance of a behavior by range.

Source: AOF_AvoidCollision and BHV_AvoidCollision of MOOS-IvP.
"""

from __future__ import annotations

import numpy as np

from steerageway.geometry.encounter import Track, separation
from steerageway.helm.behaviors.contact.approach import courses
from steerageway.ivp import Domain
from steerageway.ivp.domain import FloatArray

_POWERS = {"linear": 1.0, "quadratic": 2.0, "quasi": 1.5}
_AT_LEAST = 25.0  # utility of passing at the minimum distance


def relevance(
    away: float, inner: float, outer: float, grade: str = "linear", *, grows: bool = False
) -> float:
    """Return the relevance of a behavior at a range: 1 up to ``inner``, 0 from ``outer`` on.

    Args:
        away, inner, outer: [m].
        grade: linear, quadratic or quasi.
        grows: whether it continues to grow within ``inner``.
    """
    if away >= outer:
        return 0.0
    at_most = outer == inner or (away <= inner and not grows)
    share = 1.0 if at_most else (outer - away) / (outer - inner)
    return float(share ** _POWERS[grade])


def least_range(away: float, least: float) -> float:
    """Return the CPA range of utility 0 [m]: ``least``, or half the present range inside it."""
    return away / 2.0 if away <= least else least


def of_ranges(ranges: FloatArray, least: float, enough: float) -> FloatArray:
    """Return the utility of CPA ranges: 0 below ``least``, from there 25 to 100 at ``enough``."""
    span = max(enough - least, 1e-9)
    utility: FloatArray = ranges - least
    utility *= (100.0 - _AT_LEAST) / span
    utility += _AT_LEAST
    np.putmask(utility, ranges < least, 0.0)
    return np.minimum(utility, 100.0, out=utility)


def closing(domain: Domain, own: Track, other: Track) -> FloatArray:
    """Return the utility of courses and speeds by rate of closure: 0 to 100, (n, m)."""
    return stretched(courses(domain).closure(own, other))


def approaching(domain: Domain, own: Track, other: Track, horizon: float) -> FloatArray:
    """Return the utility of courses and speeds by CPA range: up to 100 at 0 m, (n, m)."""
    away = max(separation(own, other), 1e-9)
    near: FloatArray = 100.0 * (away - courses(domain).closest(own, other, horizon)) / away
    return near


def stretched(utility: FloatArray) -> FloatArray:
    """Scale a table to span 0 to 100, in place; a constant table is left unchanged."""
    low, high = utility.item(utility.argmin()), utility.item(utility.argmax())
    if high > low and (low != 0.0 or high != 100.0):
        utility -= low
        utility *= 100.0 / (high - low)
    return utility
