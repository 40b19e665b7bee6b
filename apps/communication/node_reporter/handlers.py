"""How the reporter's parts take mail."""

from __future__ import annotations

from collections.abc import Callable

from steerageway.bus import Value

Handler = Callable[[Value, float], None]
"""Takes a value at a time [s]; raises ValueError if it is not what was expected."""

Handlers = dict[str, Handler]


def number(value: Value) -> float:
    """Give a number.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, float):
        raise ValueError("expected a number")
    return value
