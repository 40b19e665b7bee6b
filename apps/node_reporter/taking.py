"""How the reporter's parts take mail."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.bus import Value

Taker = Callable[[Value, float], None]
"""Takes a value at a time [s]; raises ValueError if it is not what was expected."""

Takers = dict[str, Taker]


def number(value: Value) -> float:
    """Give a number.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, float):
        raise ValueError("expected a number")
    return value
