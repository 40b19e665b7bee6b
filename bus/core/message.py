"""``Message``: one value of one named variable, as it travels on the bus."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple, TypeAlias

from steerageway.bus.core.errors import PostRefused, ValueRefused
from steerageway.declarations.posted import Value, carried

NANO = 1_000_000_000
LONGEST_NAME = 256


class Message(NamedTuple):
    """One posted value, as it reaches a subscriber.

    Attributes:
        name: the variable.
        value: float, str or bytes.
        time: the poster's stamp [s since the mission's start]; may lie before ``instant``.
        source: the app that posted it.
        aux: the poster's comment beside the source ("120:waypt_survey"), often empty.
        community: the community it was first posted in.
        instant: when it was committed [ns since the mission's start].
    """

    name: str
    value: Value
    time: float
    source: str
    aux: str = ""
    community: str = ""
    instant: int = 0


class Post(NamedTuple):
    """One value on its way to the database, with the poster's stamp [s]."""

    name: str
    value: Value
    time: float
    aux: str = ""


Row: TypeAlias = tuple[str, Value, float, str]
"""A post as a plain tuple: apps make very many, and a named tuple takes four times as long."""


def as_value(name: str, value: object) -> Value:
    """Convert a value to what the bus carries.

    Args:
        name: the variable, for the error.
        value: float, str, bytes, or any real number (int, NumPy scalar), which becomes a float.
    Raises:
        ValueRefused: a bool (post "true" or 1), or anything that is not number, text or bytes.
        A number too large for a float becomes infinite, which the bus refuses later.
    """
    taken = carried(value)
    if taken is None:
        raise ValueRefused(name, value)
    return taken


def is_name(name: str) -> bool:
    """Whether a variable's name is legal: printable, no blanks at its ends, at most 256 long."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def check_name(name: object) -> None:
    """Check the name of a variable that is to be posted.

    Raises:
        PostRefused: it is not legal.
    """
    if not isinstance(name, str) or not is_name(name):
        raise PostRefused(f"{name!r}: a name is printable, without blanks at its ends")


def is_postable(value: Value) -> bool:
    """Whether the bus carries this value: every str and bytes, and finite floats."""
    return not isinstance(value, float) or isfinite(value)


def seconds(instant: int) -> float:
    """Return an instant [ns] as seconds."""
    return instant / NANO


def nanoseconds(time: float) -> int:
    """Return a time [s] as the nearest instant [ns]."""
    return round(time * NANO)


def shifted(time: float, by: int) -> float:
    """Return a time [s] so many ns later: exactly the float that the sum of the instants gives."""
    return (nanoseconds(time) + by) / NANO
