"""Values of a script: random numbers, and an event's text with macros and arithmetic in braces.

$[NAME]    a macro, also written $(NAME); $[IDX] may also be written $$IDX
$(3)       that number of random digits
{2*{3+4}}  arithmetic: two numbers and one of * / + - in each pair of braces
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Protocol

from steerageway.moos.polygon import Polygon
from steerageway.moos.values import Value, auto_value, snap, trimmed

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


_DIGITS = 6


class Key(StrEnum):
    """When a number is drawn: once, at each reset as well, or for each post."""

    AT_START = "at_start"
    AT_RESET = "at_reset"
    AT_POST = "at_post"


class Draw(Protocol):
    """A source of one or two random numbers."""

    @property
    def key(self) -> Key:
        """When it is drawn."""

    def values(self, random: Random) -> dict[str, str]:
        """Draw: macro name -> text."""


@dataclass(frozen=True, slots=True)
class DrawnNumber:
    """One random number.

    Attributes:
        name: of the macro.
        low, high: bounds; a Gaussian number is clamped to them.
        step: the number is rounded to multiples of it; 0: not rounded.
        gaussian: mean and standard deviation; None: uniform.
    """

    name: str
    low: float
    high: float
    key: Key
    step: float = 0.0
    gaussian: tuple[float, float] | None = None

    def values(self, random: Random) -> dict[str, str]:
        """Draw the number."""
        if self.gaussian is None:
            drawn = random.uniform(self.low, self.high)
        else:
            drawn = min(self.high, max(self.low, random.gauss(*self.gaussian)))
        return {self.name: trimmed(snap(drawn, self.step), _DIGITS)}


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A random point of a polygon, uniformly distributed.

    Attributes: names: of the macros for x and y.
    """

    names: tuple[str, str]
    polygon: Polygon
    key: Key

    def values(self, random: Random) -> dict[str, str]:
        """Draw the point, by rejection from the polygon's bounding box."""
        xs, ys = zip(*self.polygon.points, strict=True)
        while True:
            point = random.uniform(min(xs), max(xs)), random.uniform(min(ys), max(ys))
            if self.polygon.contains(point):
                texts = (trimmed(value, _DIGITS) for value in point)
                return dict(zip(self.names, texts, strict=True))


def drawn(draws: Iterable[Draw], keys: Iterable[Key], random: Random) -> dict[str, str]:
    """Draw the numbers of some keys: macro name -> text."""
    selected = tuple(keys)
    values: dict[str, str] = {}
    for draw in draws:
        if draw.key in selected:
            values |= draw.values(random)
    return values
