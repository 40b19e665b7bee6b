"""Reads numbers of texts and files."""

from __future__ import annotations

from math import inf
from pathlib import Path

from steerageway.declarations import Number, bytes_of, read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.world.errors import InvalidValue

LARGEST_TABLE = 400_000_000  # bytes of the largest grid or mesh that is read as text


def lines_of(path: Path) -> list[str]:
    """Return the lines of a table, a grid or a mesh: UTF-8, or else Latin-1, as in old files.

    Raises:
        InvalidValue: the file cannot be read, is too large, or is no text.
    """
    try:
        raw = bytes_of(path, LARGEST_TABLE)
    except OSError as error:
        raise InvalidValue(f"expected a readable text file ({error.strerror})", str(path)) from None
    if len(raw) > LARGEST_TABLE:
        raise InvalidValue(f"expected a file of at most {LARGEST_TABLE} bytes", str(path))
    if b"\0" in raw:
        line = raw.count(b"\n", 0, raw.index(b"\0")) + 1
        raise InvalidValue("expected text in UTF-8 or Latin-1, not UTF-16", f"{path}:{line}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def read_finite(text: str, where: str, most: float = inf) -> float:
    """Read a number.

    Args:
        text: text of the number.
        where: its place, for the error.
        most: magnitude beyond which it is no measurement, but a filling for no data.
    Raises:
        InvalidValue: not a number, infinite, or too large.
    """
    found = read(Number(-most, most), text.strip(), where)
    if isinstance(found, Diagnostic):
        raise InvalidValue(found)
    return found
