"""Readers of behavior parameters, besides those of ``declarations``."""

from __future__ import annotations

from typing import NamedTuple

from steerageway.declarations import Choice, Doubted, Number
from steerageway.declarations import boolean as boolean
from steerageway.declarations import word as word
from steerageway.moos.condition import Condition, ConditionError, doubts_of, parse_condition
from steerageway.moos.values import split_first
from steerageway.moos.view import is_color, near_color

number, choice = Number, Choice  # as the behaviors of users import them


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


def color(text: str) -> str:
    """Read a colour."""
    if not is_color(text):
        raise ValueError(f"expected a colour, as dodger_blue, gray70 or off{near_color(text)}")
    return text


def _condition(text: str) -> Condition:
    """Read a logic condition."""
    try:
        return parse_condition(text)
    except ConditionError as error:
        raise ValueError(f"column {error.column}: expected {error.expected}") from error


condition = Doubted(_condition, lambda text: doubts_of(_condition(text)))

duration = Number(low=0.0, words={"no-time-limit": -1.0, "-1": -1.0})


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
    if len(fields) < 2:
        raise ValueError("expected VAR, seconds or VAR, VAR, seconds")
    return Starvation(tuple(map(word, fields[:-1])), Number(above=0.0)(fields[-1]))
