"""Readers of behavior parameters: functions from text to value, e.g. number, boolean, choice.

A reader raises ``ValueError`` with the expected value, e.g. "expected a number above 0".
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

from steerageway.moos.condition import Condition, ConditionError, parse_condition
from steerageway.moos.values import is_numeral, split_first, truth
from steerageway.moos.view import is_color, near_color


class Renaming(NamedTuple):
    """A new name for a variable that a behavior posts; "silent" suppresses it."""

    variable: str
    renamed: str


class Starvation(NamedTuple):
    """Variables and their maximum age [s]."""

    variables: tuple[str, ...]
    seconds: float


class Trigger(NamedTuple):
    """A variable and its required text; "" for any."""

    variable: str
    text: str


def number(*, low: float = -inf, above: float = -inf, high: float = inf) -> Callable[[str], float]:
    """Return a reader of numbers within [low, high] and greater than ``above``."""
    limits = [f"at least {low:g}"] if low > -inf else []
    limits += [f"above {above:g}"] if above > -inf else []
    limits += [f"at most {high:g}"] if high < inf else []
    expected = " ".join(["expected a number", " and ".join(limits)]).strip()

    def read(text: str) -> float:
        if not is_numeral(text) or not low <= float(text) <= high or float(text) <= above:
            raise ValueError(expected)
        return float(text)

    return read


def whole(text: str) -> int:
    """Read a whole number that is not negative."""
    if not text.isdecimal():
        raise ValueError("expected a whole number, 0 or more")
    return int(text)


def boolean(text: str) -> bool:
    """Read true or false."""
    value = truth(text)
    if value is None:
        raise ValueError("expected true or false")
    return value


def choice(*words: str) -> Callable[[str], str]:
    """Return a reader of one of several words, in any case; its values are in lower case."""

    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"expected one of {', '.join(words)}")
        return text.lower()

    return read


def word(text: str) -> str:
    """Read a text without blanks, e.g. a variable's name."""
    if not text or any(map(str.isspace, text)):
        raise ValueError("expected one word without blanks")
    return text


def color(text: str) -> str:
    """Read a colour."""
    if not is_color(text):
        raise ValueError(f"expected a colour, as dodger_blue, gray70 or off{near_color(text)}")
    return text


def condition(text: str) -> Condition:
    """Read a logic condition."""
    try:
        return parse_condition(text)
    except ConditionError as error:
        raise ValueError(f"column {error.column}: expected {error.expected}") from error


def duration(text: str) -> float:
    """Read seconds, or no-time-limit (-1)."""
    if text.lower() in ("no-time-limit", "-1"):
        return -1.0
    return number(low=0)(text)


def trigger(text: str) -> Trigger:
    """Read VAR = value, or VAR for any value."""
    left, right = split_first(text, "=")
    return Trigger(word(left), right)


def renaming(text: str) -> Renaming:
    """Read VAR, NEW_NAME or VAR, silent."""
    left, right = split_first(text, ",")
    if not left or not right:
        raise ValueError("expected VAR, NEW_NAME or VAR, silent")
    return Renaming(word(left), word(right))


def starvation(text: str) -> Starvation:
    """Read VAR, VAR, seconds."""
    fields = [field.strip() for field in text.split(",")]
    if len(fields) < 2 or not is_numeral(fields[-1]) or float(fields[-1]) <= 0:
        raise ValueError("expected VAR, seconds or VAR, VAR, seconds with seconds above 0")
    return Starvation(tuple(map(word, fields[:-1])), float(fields[-1]))
