"""Numbers, booleans and lists in MOOS-IvP's text formats.

Source: the helpers shared by all MOOS-IvP applications (MBUtils, VarDataPair).
"""

from __future__ import annotations

import re
from math import isfinite

Value = float | str

_NUMBER = re.compile(r"[ \t]*[+-]?(\d+\.?\d*|\.\d+)", re.ASCII)


def is_number(text: str) -> bool:
    """Whether MOOS-IvP takes a text for a number: no exponent, no trailing blank.

    Where only a number is possible, a reader of ``declarations`` takes its place.
    """
    return number_of(text) is not None


def number_of(text: str) -> float | None:
    """Return the number that a text is for MOOS-IvP, see ``is_number``; None if it is none."""
    if _NUMBER.fullmatch(text) is None:
        return None
    number = float(text)
    return number if isfinite(number) else None


def fixed(value: float, digits: int = 5) -> str:
    """Return a number with exactly this many decimals."""
    return f"{value:.{digits}f}"


def trimmed(value: float, digits: int = 5) -> str:
    """Return a number with at most this many decimals: no trailing zeros, no "-0"."""
    text = "%.*f" % (digits, value)  # noqa: UP031 (an f-string takes a quarter longer)
    if text[-1] == "0" and "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def rounded360(angle: float, digits: int) -> float:
    """Return a heading or course [deg] with so many decimals; one that rounds to 360 is 0."""
    rounded = round(angle, digits)
    return 0.0 if rounded == 360.0 else rounded


def trimmed360(angle: float, digits: int) -> str:
    """Return a heading or course [deg] with at most so many decimals; see ``rounded360``."""
    text = trimmed(angle, digits)
    return "0" if text == "360" else text


def auto_value(text: str) -> Value:
    """Parse a value as MOOS-IvP's flags do: "quoted" is text, a number is a number, else text."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text if (number := number_of(text)) is None else number


def split_first(text: str, separator: str) -> tuple[str, str]:
    """Split at the first separator, both parts stripped; the second is "" without a separator."""
    left, _, right = text.partition(separator)
    return left.strip(), right.strip()


def split_outside(text: str, separator: str, *, quotes: bool = True) -> list[str]:
    """Split at separators outside braces (and outside double quotes).

    Fields are stripped; an empty last field is dropped, as MOOS-IvP's own splitter does.
    """
    if "{" not in text and not (quotes and '"' in text):
        fields = [field.strip() for field in text.split(separator)]
        return fields[:-1] if not fields[-1] else fields
    fields, start, depth, quoted = [], 0, 0, False
    for index, char in enumerate(text):
        if quotes and char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char == "{":
            depth += 1
        elif char == "}":
            depth = max(0, depth - 1)
        elif char == separator and depth == 0:
            fields.append(text[start:index].strip())
            start = index + 1
    fields.append(text[start:].strip())
    return fields[:-1] if not fields[-1] else fields


def pairs(text: str, separator: str = ",") -> list[tuple[str, str]]:
    """Parse ``k=v,k={a=b,c},flag`` into ordered pairs; a field without "=" has the value ""."""
    return [split_first(field, "=") for field in split_outside(text, separator)]


def by_key(text: str) -> dict[str, str]:
    """Parse ``k=v,k={a=b,c},flag`` into key in lower case -> value.

    The last value of a repeated key counts.
    """
    return {key.lower(): value for key, value in pairs(text)}


EXACT = 2.0**53  # from here on a float has no fraction


def snap(value: float, step: float) -> float:
    """Return the nearest multiple of step, halves away from zero."""
    if step <= 0:
        return value
    steps = abs(value) / step
    if steps >= EXACT:
        return value
    whole = int(steps + 0.5)
    return whole * step if value >= 0 else -whole * step
