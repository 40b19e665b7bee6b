"""Numbers as texts tell them."""

from __future__ import annotations

from math import isfinite, nan

from steerageway.world.errors import InvalidValue


def read_finite(text: str, where: str) -> float:
    """Read a number.

    Args:
        text: what should be one.
        where: it stands, for the error.
    Raises:
        InvalidValue: it is none, or infinite.
    """
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number):
        raise InvalidValue(f"expected a number, not {text.strip()!r}", where)
    return number
