"""Evaluation of an event's text: macros, and arithmetic in braces.

$[NAME]    a macro, also written $(NAME); $[IDX] may also be written $$IDX
$(3)       that number of random digits
{2*{3+4}}  arithmetic: two numbers and one of * / + - in each pair of braces
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from steerageway.moos.values import Value, auto_value, trimmed

MAX_DIGITS = 20
_DECIMALS = 6

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_OPERATION = re.compile(rf"\{{\s*({_NUMBER})\s*([*/+-])\s*({_NUMBER})\s*\}}")
_MACRO = re.compile(r"\$\[(\w+)\]|\$\$(IDX)|\$\((\d{1,2})\)|\$\(([A-Za-z_]\w*)\)")
_COUNTED = re.compile(r"\$[\[(](DBTIME|UTC|UTCTIME|COUNT|TCOUNT)[\])]")


def evaluate(
    text: str, macros: Mapping[str, str], random: Random, *, quoted: bool = False
) -> Value:
    """Return the value of an event's text; a number if it reads as one.

    Unknown macros, braces without an operation, and divisions by zero are not replaced.

    Args:
        quoted: whether it was in quotes: then it is text, unless it is a single time or count.
    """
    value = calculate(expand(text, macros, random))
    return value if quoted and not _COUNTED.fullmatch(text) else auto_value(value)


def expand(text: str, macros: Mapping[str, str], random: Random) -> str:
    """Replace the macros."""

    def replacement(found: re.Match[str]) -> str:
        name, index, digits, round_name = found.groups()
        if digits is not None:
            count = int(digits)
            is_valid = 1 <= count <= MAX_DIGITS
            return f"{random.randrange(10**count):0{count}}" if is_valid else found.group()
        return macros.get(name or index or round_name, found.group())

    return _MACRO.sub(replacement, text)


def named(text: str) -> list[str]:
    """Return the names of the macros in a text."""
    return [found[1] or found[2] or found[4] for found in _MACRO.finditer(text) if not found[3]]


def calculate(text: str) -> str:
    """Evaluate the operations in braces, the inner ones first."""
    before = None
    while text != before:
        before, text = text, _OPERATION.sub(_result, text)
    return text


def _result(operation: re.Match[str]) -> str:
    left, operator, right = operation.groups()
    a, b = float(left), float(right)
    if operator == "/":
        return trimmed(a / b, _DECIMALS) if b else operation.group()
    return trimmed(a * b if operator == "*" else a + b if operator == "+" else a - b, _DECIMALS)
