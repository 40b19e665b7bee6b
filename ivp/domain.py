"""Decision domain: variables, each with evenly spaced values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, prod

import numpy as np
from numpy.typing import NDArray

from steerageway.declarations import Number, Whole, field_of

FloatArray = NDArray[np.float64]

CIRCULAR = ("course", "heading")  # the highest value is next to the lowest
FROM_ABOVE = ("depth",)  # a decision takes the greatest of equally good neighbours
MOST = 4  # variables of a domain
MOST_CELLS = 100_000_000  # of a table; one over three variables or more is seldom made
FARTHEST = 1e9  # magnitude of a value
NEAR = 1e-9  # of a step: values this close to a bound are on it
_FORM = "name:low:high:points or name:low:high:delta=step, then perhaps :optional"


class DomainError(ValueError):
    """A decision variable or domain is invalid; the text says what was expected."""


@dataclass(frozen=True)
class Variable:
    """A decision variable.

    Attributes:
        name: course, speed, depth, ...
        low, high: its least and greatest value.
        points: number of values, both ends included.
        optional: whether a decision may lack it.
        from_above: whether a decision takes the greatest of the first equally good neighbours, as
            MOOS-IvP's does, rather than the one with the smallest change; always so for depth.
    """

    name: str
    low: float
    high: float
    points: int
    optional: bool = False
    from_above: bool = False

    def __post_init__(self) -> None:
        if self.name in FROM_ABOVE:
            object.__setattr__(self, "from_above", True)
        if not (abs(self.low) <= FARTHEST and abs(self.high) <= FARTHEST):  # nan, too
            raise DomainError(f"expected numbers up to {FARTHEST:g} for low and high")
        if self.points < 1 or (self.points == 1) != (self.low == self.high):
            raise DomainError("expected at least 2 points, or 1 if low equals high")
        if self.high < self.low:
            raise DomainError("expected low <= high")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.low, self.high, self.points))

    @cached_property
    def step(self) -> float:
        """The distance of neighbours; 0 for a single value."""
        return (self.high - self.low) / (self.points - 1) if self.points > 1 else 0.0

    @cached_property
    def values(self) -> FloatArray:
        """The values in order (points,), read-only."""
        last = max(1, self.points - 1)
        values = self.low + np.arange(self.points) * (self.high - self.low) / last
        values.flags.writeable = False
        return values

    @property
    def circular(self) -> bool:
        """Whether the highest value is next to the lowest."""
        return self.name in CIRCULAR

    @cached_property
    def period(self) -> float:
        """The difference after which values repeat, if the variable is circular."""
        return self.high - self.low + self.step

    def around(self, value: float) -> tuple[FloatArray, float]:
        """Return the places of the points and of a value on a straight scale centred at the value.

        Their differences, at most half a period, are the distances around the circle.

        Returns:
            Each point's place (points,), read-only, and the value's, at most a step from 0.
        """
        beyond = (value - self.low) % self.period
        index = ceil(beyond / self.step - self.points % 2 / 2)
        first, behind = self.points - index, 2 * self.points - index
        return self._turns[first:behind], beyond - index * self.step

    @cached_property
    def _turns(self) -> FloatArray:
        """Places relative to the first point, within half a period, for two turns (2 x points,)."""
        half = self.points // 2
        steps = (np.arange(2.0 * self.points) + half) % self.points - half
        turns: FloatArray = steps * self.step
        turns.flags.writeable = False
        return turns

    def nearest(self, value: float) -> int:
        """Return the index of the nearest value along the scale, not around the circle."""
        if self.points == 1:
            return 0
        index = floor((value - self.low) / self.step + 0.5)
        return min(max(index, 0), self.points - 1)

    def __str__(self) -> str:
        return f"{self.name},{self.low:g},{self.high:g},{self.points}"


@dataclass(frozen=True)
class Domain:
    """The variables of decisions, in the order of declaration."""

    variables: tuple[Variable, ...]

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.variables]
        for name in names:
            if names.count(name) > 1:
                raise DomainError(f"expected one line for {name}, found {names.count(name)}")
        if len(names) > MOST:
            raise DomainError(f"expected at most {MOST} variables, found {', '.join(names)}")
        longest = sorted(variable.points for variable in self.variables)[-2:]
        if (cells := prod(longest)) > MOST_CELLS:
            expected = f"expected at most {MOST_CELLS} points of two variables together"
            raise DomainError(f"{expected}, found {cells}")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.variables)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The variables' names."""
        return tuple(variable.name for variable in self.variables)

    @cached_property
    def order(self) -> dict[str, int]:
        """Name -> index of each variable."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def _by_name(self) -> dict[str, Variable]:
        return {variable.name: variable for variable in self.variables}

    def __getitem__(self, name: str) -> Variable:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.variables)

    def __str__(self) -> str:
        """Return it as MOOS-IvP writes it: ``course,0,359,360:speed,0,4,41``."""
        return ":".join(map(str, self.variables))


def parse_variable(text: str) -> Variable:
    """Parse ``course:0:359:360``, ``speed:0:4:delta=0.1`` or either with ``:optional``.

    Commas may replace the colons. With ``delta=`` the highest value is the last whole step.

    Raises:
        DomainError: anything else; the text says what was expected.
    """
    fields = [field.strip() for field in text.replace(",", ":").split(":")]
    optional = len(fields) == 5 and fields[4].lower() == "optional"
    if len(fields) != 4 + optional or not fields[0]:
        raise DomainError(f"expected {_FORM}")
    step_text = fields[3].removeprefix("delta=")
    size = "points" if step_text == fields[3] else "delta"
    given = {"low": fields[1], "high": fields[2], size: step_text}
    try:
        low, high = (field_of(given, key, Number()) for key in ("low", "high"))
        if size == "points":
            return Variable(fields[0], low, high, field_of(given, size, Whole()), optional)
        step = field_of(given, size, Number())
    except DomainError:
        raise
    except ValueError as error:
        raise DomainError(f"{error} in {_FORM}") from None
    if not 0 < step <= high - low:
        raise DomainError("expected a delta above 0 and at most high - low")
    steps = floor((high - low) / step + 1e-9)
    return Variable(fields[0], low, low + steps * step, steps + 1, optional)
