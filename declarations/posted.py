"""The values that variables carry: float, str and bytes."""

from __future__ import annotations

from math import inf
from numbers import Real

Value = float | str | bytes


def carried(value: object) -> Value | None:
    """Return a value as variables carry it; None for one that they do not.

    Any real number (int, NumPy scalar) becomes a float, one too large for it infinite; a bool is
    none of them (post "true" or 1).
    """
    if isinstance(value, str):
        return str.__str__(value)  # plain text, also for a member of a StrEnum
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
    return None


def why_not_carried(name: str, value: object) -> str:
    """Return what is wrong with the value of a variable that cannot be posted."""
    what = f"a {type(value).__name__} cannot be posted; post a float, a str or bytes"
    if isinstance(value, float):
        what = "not a finite number"
    elif isinstance(value, bool):
        what = f'a bool cannot be posted; post "{str(value).lower()}"'
    elif isinstance(value, str):
        what = "holds characters that UTF-8 cannot carry"
    return f"{name} = {value!r}: {what}"
