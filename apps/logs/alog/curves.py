"""Curves for plots: numbers of variables over time; a heading is broken where it passes north."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan
from pathlib import Path

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.pick import find_columns, with_fields
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


def read_curves(path: Path, names: Sequence[str], before: str = "") -> list[Curve]:
    """Read the curves of some variables; see ``curves_of``.

    Raises:
        FormatError: the log cannot be read.
        ToolError: a variable is not in the log, or never a number.
    """
    return curves_of(path, list(read_entries(path)), names, before)


def curves_of(
    path: Path, entries: Sequence[Entry], names: Sequence[str], before: str = ""
) -> list[Curve]:
    """Return the curves of some variables.

    Args:
        path: of the log, for errors.
        entries: of the log.
        names: variables, or patterns with * and ?; ``USM_STATE.u`` is a field of a text.
        before: prefix of the curves' names.
    Raises:
        ToolError: a variable is not in the log, or never a number.
    """
    entries = list(with_fields(entries, names))
    posts: dict[str, list[tuple[float, float]]] = {
        name: [] for name in find_columns(entries, names)
    }
    for entry in entries:
        value = _number(entry) if entry.name in posts else None
        if value is not None:
            posts[entry.name].append((entry.time, value))
    for name, found in posts.items():
        if not found:
            raise ToolError(f"{path}: {name} is never a number")
    until = max(entry.time for entry in entries)
    return [_curve(f"{before}{name}", found, until) for name, found in posts.items()]


def _number(entry: Entry) -> float | None:
    """Return the number to draw for a message; None for text that is no number."""
    if isinstance(entry.value, float):
        return entry.value
    number = truth(entry.value)
    return finite(entry.value) if number is None else float(number)


def _curve(name: str, posts: Sequence[tuple[float, float]], until: float) -> Curve:
    # A variable within 0 to 360 is taken for an angle; a jump of over half a turn crosses north.
    angle = all(0 <= value <= FULL_CIRCLE for _, value in posts)
    drawn = [posts[0]]
    for (_, last), (time, value) in pairwise(posts):
        if angle and abs(value - last) > FULL_CIRCLE / 2:
            drawn.append((time, nan))
        drawn.append((time, value))
    times, values = zip(*drawn, strict=True)
    return Curve(name, times, values, until)
