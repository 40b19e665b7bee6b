"""Curves for plots: numbers of variables over time; a heading is broken where it passes north."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, nan
from pathlib import Path

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.pick import columns_of, with_fields
from steerageway.apps.shared.meanings import circle_of
from steerageway.bus import any_matches
from steerageway.declarations import finite, truth
from steerageway.moos.alog import Entry, read_entries

FULL_CIRCLE = 360.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A variable over time.

    Attributes:
        name: the variable; with several logs, prefixed by the log's name.
        times: of its posts [s since LOGSTART].
        values: posted values, true as 1 and false as 0; NaN, which breaks the line, before an angle
            that has crossed north.
        until: end of the log, up to which the last value holds [s since LOGSTART].
    """

    name: str
    times: tuple[float, ...]
    values: tuple[float, ...]
    until: float

    def within(self, start: float, end: float) -> Curve:
        """Return the part within a time span [s since LOGSTART], from the value held at its start.

        Raises:
            ToolError: there is no value in it.
        """
        posts = list(zip(self.times, self.values, strict=True))
        # value == value leaves out NaN.
        held = [value for time, value in posts if time <= start and value == value]
        inside = [(time, value) for time, value in posts if start < time <= end]
        drawn = [(start, held[-1]), *inside] if held else inside
        if not drawn or start > self.until:
            raise ToolError(f"{self.name}: not posted from {start:g} to {end:g} s")
        times, values = zip(*drawn, strict=True)
        return Curve(self.name, times, values, min(end, self.until))


@dataclass(frozen=True, slots=True)
class Posts:
    """The numbers of some variables of a log.

    Attributes:
        path: of the log.
        known: all variables of the log, in the order of their first messages.
        numbers: variable -> times and values of its numbers.
        until: end of the log [s since LOGSTART].
    """

    path: Path
    known: Sequence[str]
    numbers: Mapping[str, Sequence[tuple[float, float]]]
    until: float

    def curves(self, names: Sequence[str], before: str = "") -> list[Curve]:
        """Return the curves of some of the variables.

        Args:
            names: as for ``read_posts``.
            before: prefix of the curves' names.
        Raises:
            ToolError: a variable is not in the log, or never a number.
        """
        chosen = columns_of(self.known, names)
        for name in chosen:
            if not self.numbers[name]:
                raise ToolError(f"{self.path}: {name} is never a number")
        return [_curve(name, before, self.numbers[name], self.until) for name in chosen]


def read_posts(path: Path, names: Sequence[str]) -> Posts:
    """Read the numbers of some variables.

    Args:
        path: the log.
        names: variables, or patterns with * and ?; ``USM_STATE.u`` is a field of a text.
    Raises:
        FormatError: the log cannot be read.
    """
    known: dict[str, None] = {}
    numbers: dict[str, list[tuple[float, float]]] = {}
    until = -inf
    for entry in with_fields(read_entries(path), names):
        until = max(until, entry.time)
        if entry.name not in known:
            known[entry.name] = None
            if any_matches(names, entry.name):
                numbers[entry.name] = []
        if entry.name in numbers and (value := _drawn(entry)) is not None:
            numbers[entry.name].append((entry.time, value))
    return Posts(path, tuple(known), numbers, until)


def read_curves(path: Path, names: Sequence[str], before: str = "") -> list[Curve]:
    """Read the curves of some variables; see ``read_posts`` and ``Posts.curves``."""
    return read_posts(path, names).curves(names, before)


def _drawn(entry: Entry) -> float | None:
    """Return the number to draw for a message; None for text that is no number."""
    if isinstance(entry.value, float):
        return entry.value
    number = truth(entry.value)
    return finite(entry.value) if number is None else float(number)


def _curve(name: str, before: str, posts: Sequence[tuple[float, float]], until: float) -> Curve:
    # Another variable within 0 to 360 is taken for an angle, too; a jump of over half a turn
    # crosses north.
    circle = circle_of(name)
    angle = circle is not None or all(0 <= value <= FULL_CIRCLE for _, value in posts)
    turn = FULL_CIRCLE if circle is None else circle.period
    drawn = [posts[0]]
    for (_, last), (time, value) in pairwise(posts):
        if angle and abs(value - last) > turn / 2:
            drawn.append((time, nan))
        drawn.append((time, value))
    times, values = zip(*drawn, strict=True)
    return Curve(f"{before}{name}", times, values, until)
