"""Random numbers of a script: uniform, Gaussian, or points of a polygon, and their draw times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Protocol

from steerageway.moos.polygon import Polygon
from steerageway.moos.values import snap, trimmed

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
