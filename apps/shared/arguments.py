"""Parsers of numbers on command lines, for several commands."""

from __future__ import annotations

from argparse import ArgumentTypeError
from math import inf

from steerageway.bus import FASTEST, SLOWEST
from steerageway.moos.values import finite


def number(text: str, expected: str, *, above_zero: bool = False) -> float:
    """Parse a finite number of at least 0.

    Raises:
        ArgumentTypeError: it is invalid, or 0 with ``above_zero``; the text says what was expected.
    """
    value = finite(text)
    if value is None or value < 0 or (above_zero and value == 0):
        raise ArgumentTypeError(f"{text!r}: expected {expected}")
    return value


def warp(text: str) -> float:
    """Parse simulated seconds per wall second; ``max`` is infinite.

    Raises:
        ArgumentTypeError: neither a number from ``SLOWEST`` to ``FASTEST`` nor ``max``.
    """
    if text == "max":
        return inf
    value = number(text, "a number above 0, or max", above_zero=True)
    if not SLOWEST <= value <= FASTEST:
        raise ArgumentTypeError(f"{text!r}: expected {SLOWEST:g} to {FASTEST:g}, or max")
    return value
