"""Reads numbers of texts and files."""

from __future__ import annotations

from steerageway.declarations import Number, read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.world.errors import InvalidValue


def read_finite(text: str, where: str) -> float:
    """Read a number.

    Args:
        text: text of the number.
        where: its place, for the error.
    Raises:
        InvalidValue: not a number, or infinite.
    """
    found = read(Number(), text.strip(), where)
    if isinstance(found, Diagnostic):
        raise InvalidValue(found)
    return found
