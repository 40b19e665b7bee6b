"""YAML text of JSON values, such that they read back equal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isinf

Value = str | float | int | bool | None | Sequence["Value"] | Mapping[str, "Value"]
"""A JSON value."""

PLAIN = re.compile(r"[A-Za-z_./][\w./+\- ]*(?<! )")
NOT_TEXT = {"true", "false", "yes", "no", "on", "off", "null", "none", "y", "n"}


def written(value: Value) -> str:
    """Return a value on one line; collections in brackets."""
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text(key)}: {written(one)}" for key, one in value.items()) + "}"
    return "[" + ", ".join(map(written, value)) + "]"


def number(value: float) -> str:
    """Return the shortest text that reads back as a number, by YAML 1.1, too: 1.0e-05, never 1e-05.

    Raises:
        ValueError: it is not a number.
    """
    if isinstance(value, int):
        return str(value)
    if not isfinite(value):
        if isinf(value):
            return ".inf" if value > 0 else "-.inf"
        raise ValueError("nan: expected a number")
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    mantissa, e, exponent = repr(value).partition("e")
    if not e:
        return mantissa
    point = mantissa if "." in mantissa else f"{mantissa}.0"
    sign = exponent if exponent[0] in "+-" else f"+{exponent}"
    return f"{point}e{sign}"


def text(value: str) -> str:
    """Return a text without quotes if YAML reads it as text, else in double quotes."""
    if PLAIN.fullmatch(value) and value.lower() not in NOT_TEXT:
        return value
    return '"' + "".join(map(_quoted, value)) + '"'


def _quoted(letter: str) -> str:
    """Return a character, escaped for a double-quoted YAML scalar."""
    if letter.isascii():
        return json.dumps(letter)[1:-1]
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def lines(key: str, value: Value) -> Iterator[str]:
    """Return the lines of a key and its value in block style."""
    name = text(key)
    if isinstance(value, Mapping) and value:
        yield f"{name}:"
        yield from indented(value)
    elif _rows(value):
        assert isinstance(value, Sequence)
        yield f"{name}:"
        for item in value:
            yield from (f"  {line}" for line in item_lines(item))
    else:
        yield f"{name}: {written(value)}"


def indented(value: Mapping[str, Value]) -> Iterator[str]:
    """Return the lines of a mapping, indented by two columns."""
    for key, one in value.items():
        yield from (f"  {line}" for line in lines(key, one))


def item_lines(item: Value) -> Iterator[str]:
    """Return the lines of a list item, the first with its dash."""
    if isinstance(item, Mapping) and item:
        for count, line in enumerate(indented(item)):
            yield line if count else f"-{line[1:]}"
    else:
        yield f"- {written(item)}"


def _rows(value: Value) -> bool:
    """Whether a value is a list of lists or mappings, which is written one item per line."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and any(isinstance(item, (Mapping, list, tuple)) for item in value)
    )
