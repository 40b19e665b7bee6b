"""What travels on the bus: one value of one named variable."""

from __future__ import annotations

from math import inf, isfinite
from numbers import Real
from typing import NamedTuple, TypeAlias

from steerageway.bus.core.errors import PostRefused, ValueRefused

Value = float | str | bytes

NANO = 1_000_000_000
LONGEST_NAME = 256


class Message(NamedTuple):
    """One posted value, as it reaches a subscriber.

    Attributes:
        name: the variable.
        value: float, str or bytes.
        time: the poster's stamp [s since the mission's start]; may lie before ``instant``.
        source: the app that posted it.
        aux: the poster's own remark on the source ("120:waypt_survey"), often empty.
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
    """One value on its way to the database: what an app said, and when it says it was so."""

    name: str
    value: Value
    time: float
    aux: str = ""


Row: TypeAlias = tuple[str, Value, float, str]
"""A post as a plain tuple, which apps make by the hundred: a named one takes four times as long."""


def as_value(name: str, value: object) -> Value:
    """Turn what an app wants to post into what the bus carries.

    Args:
        name: the variable, for the error.
        value: float, str, bytes, or any real number (int, NumPy scalar), which becomes a float.
    Raises:
        ValueRefused: bool (say "true" or 1), and whatever is neither number nor text nor bytes.
    A number too large for a float becomes infinite, which the bus refuses.
    """
    if isinstance(value, str):
        return str.__str__(value)  # plain text, also of a member of an enumeration
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            return inf
    if type(value).__module__ == "numpy" and getattr(value, "dtype", None) is not None:
        kind = value.dtype.kind  # type: ignore[attr-defined]
        if kind in "fiu" and getattr(value, "ndim", 1) == 0:
            return float(value)  # type: ignore[arg-type]
    raise ValueRefused(name, value)


def is_name(name: str) -> bool:
    """Whether a variable may be called so: printable, without blanks at its ends, up to 256."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name == name.strip()


def check_name(name: object) -> None:
    """Check what a variable that is posted is called.

    Raises:
        PostRefused: it may not be called so.
    """
    if not isinstance(name, str) or not is_name(name):
        raise PostRefused(f"{name!r}: a name is printable, without blanks at its ends")


def is_postable(value: Value) -> bool:
    """Whether the bus takes this value: every str and bytes, and finite floats."""
    return not isinstance(value, float) or isfinite(value)


def seconds(instant: int) -> float:
    """Return an instant [ns] as seconds."""
    return instant / NANO


def nanoseconds(time: float) -> int:
    """Return a time [s] as the nearest instant [ns]."""
    return round(time * NANO)


def shifted(time: float, by: int) -> float:
    """Return a time [s] so many ns later, as the very float that the sum of the instants gives."""
    return (nanoseconds(time) + by) / NANO
