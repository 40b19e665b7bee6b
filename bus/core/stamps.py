"""Stamps: the total order of events in a lockstep run, as integers.

A stamp is an instant [ns] and a place inside it: ``instant << 20 | place``. An activation at a
stamp sees what was committed at smaller stamps, and commits at its own. The places inside an
instant, in order: posts from outside, starts (one after another, by rank), iterations (all
together), posts that follow them, the stops.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from steerageway.bus.core.message import NANO

_BITS = 20  # of a stamp for its place; they bound the number of apps in a run
INPUT = 0
ITERATE = (1 << _BITS) - 4
AFTER = (1 << _BITS) - 3
STOP = (1 << _BITS) - 2
LAST = (1 << _BITS) - 1
NEVER = 1 << 100  # later than every stamp


def stamp(instant: int, place: int) -> int:
    """Return the stamp of a place inside an instant."""
    return (instant << _BITS) | place


def start_place(rank: int) -> int:
    """Return the place of an app's start: apps starting at one instant do so by rank."""
    return 1 + rank


def instant_of(value: int) -> int:
    """Return the instant [ns] of a stamp."""
    return value >> _BITS


def nth(count: int, period: tuple[int, int]) -> int:
    """Return ``count`` periods in whole nanoseconds, rounded half to even.

    Args:
        count: how many, >= 0.
        period: exact fraction of nanoseconds (numerator, denominator).
    """
    numerator, denominator = period
    whole, rest = divmod(count * numerator, denominator)
    if 2 * rest > denominator or (2 * rest == denominator and whole & 1):
        whole += 1
    return whole


def tick_period(text: str) -> tuple[int, int]:
    """Return the exact period of an AppTick as a fraction of nanoseconds (numerator, denominator).

    Raises:
        ValueError: not a positive decimal number.
    """
    try:
        rate = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not rate.is_finite() or rate <= 0:
        raise ValueError(text)
    ratio = rate.as_integer_ratio()
    return NANO * ratio[1], ratio[0]
