"""Parses numbers of texts and files."""

from __future__ import annotations

from math import isfinite, nan

from steerageway.world.errors import InvalidValue


def read_finite(text: str, where: str) -> float:
    """Read a number.

    Args:
        text: text of the number.
        where: its place, for the error.
    Raises:
        InvalidValue: not a number, or infinite.
    """
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InvalidValue(f"expected a number, not {text.strip()!r}", where)
    return number
