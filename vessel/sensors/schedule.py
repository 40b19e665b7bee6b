"""Measurement times of sensors: exact period of a rate, and its multiples."""

from __future__ import annotations

from fractions import Fraction

from steerageway.vessel.fossen.keys import sensors as sen
from steerageway.vessel.times import NANO
from steerageway.world.document import Section

Period = tuple[int, int]
"""An exact fraction of nanoseconds: numerator, denominator."""


def read_period(section: Section, usual: float | None = None) -> Period:
    """Read ``publish_rate`` [Hz].

    Args:
        section: a sensor's.
        usual: default rate; None: the key is required.

    Raises:
        InvalidValue: with file, line, key, value and the expected value.
    """
    section.positive(sen.RATE, usual)
    text = section.text(sen.RATE, f"{usual:g}" if usual is not None else "")
    period = NANO / Fraction(text)
    if period < 1:
        section.fail(sen.RATE, text, "at most 1e9 Hz")
    return period.numerator, period.denominator


def times_between(period: Period, after: int, end: int) -> list[int]:
    """Return the times [ns] of the measurements after one instant up to another.

    The k-th is taken k periods after time zero, to the nearest nanosecond.
    """
    num, den = period
    if den == 1:
        return list(range((after // num + 1) * num, end + 1, num))
    first, last = (((2 * instant + 1) * den - 1) // (2 * num) for instant in (after, end))
    return [(2 * k * num + den) // (2 * den) for k in range(first + 1, last + 1)]
