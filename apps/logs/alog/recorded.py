"""Tables (CSV) that were recorded elsewhere, to be drawn beside a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.logs.alog.curves import Posts
from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.tracks import Track
from steerageway.apps.shared.meanings import circle_of, meaning_of
from steerageway.bus import any_matches
from steerageway.declarations.units import INSIDE, other_unit
from steerageway.geometry.geodesy import Projection
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import projection
from steerageway.moos.mission import parse_mission
from steerageway.moos.recorded_table import (
    MAP,
    RecordedTable,
    check_columns,
    columns_of,
    read_recorded_table,
)

Samples: TypeAlias = tuple[Sequence[float], Sequence[float]]
TIMES = ("time", "t")
SAME_FACTOR = 0.03  # how near a ratio to the run is to the factor of another unit
POSITION, DEGREES = ("NAV_X", "NAV_Y"), ("NAV_LAT", "NAV_LONG")
LIKE_DEGREES = {"lat": 0, "latitude": 0, "lon": 1, "long": 1, "lng": 1, "longitude": 1}
"""Usual names of columns, in small letters: which of ``DEGREES`` they may be."""
_IN_SI = {
    **INSIDE,
    "ms": ("s", 1e-3),
    "ft": ("m", 0.3048),
    "nmi": ("m", 1852.0),
    "km/h": ("m/s", 1.0 / 3.6),
}
"""Units: the unit of the same quantity in SI, and the factor to it."""


@dataclass(frozen=True)
class Table:
    """A recorded table, and the times of its rows [s].

    Attributes:
        time: the column that the times are from.
        degrees: the columns that its NAV_X and NAV_Y are from; None: it has these itself, or none.
    """

    recorded: RecordedTable
    times: Sequence[float]
    time: str
    degrees: Sequence[str] | None = None

    @property
    def path(self) -> Path:
        """Path of its file."""
        return self.recorded.path

    @property
    def units(self) -> Mapping[str, str]:
        """Units of its columns, by name; "" for a head without one."""
        return self.recorded.units


def read_table(path: Path, mapping: Mapping[str, str], shift: float = 0.0) -> Table:
    """Read a table with a head, as ``time [s], yaw [rad]``.

    Args:
        path: of its file.
        mapping: variable -> column; ``time`` names the column of times.
        shift: added to its times [s].
    Raises:
        ToolError: there is no such file or column, or a cell is no number.
    """
    try:
        table = read_recorded_table(path)
        units = table.units
        check_columns(table, mapping)
        named = (mapping["time"],) if "time" in mapping else TIMES
        time = next((name for name in named if name in units), None)
        if time is None:
            raise ToolError(f"{columns_of(table)}: expected time [s], or {MAP} time=COLUMN")
        factor = _factor(path, time, units[time] or "s", "s")
        return Table(table, [shift + factor * number for number in table.times(time)], time)
    except FormatError as error:
        raise ToolError(str(error)) from error


def with_positions(
    table: Table, mapping: Mapping[str, str], origin_of: Callable[[], Projection]
) -> Table:
    """Return a table whose NAV_LAT and NAV_LONG are NAV_X and NAV_Y, too, if it has these alone.

    Args:
        table: of the recording. mapping: variable -> column.
        origin_of: returns the origin of the run.
    Raises:
        ToolError: one of the two is missing, or a cell is no latitude or longitude.
    """
    columns = [mapping.get(name, name) for name in DEGREES]
    there = [column in table.units for column in columns]
    if not any(there) or any(mapping.get(name, name) in table.units for name in POSITION):
        return table
    if not all(there):
        missing = DEGREES[there.index(False)]
        wanted = f"expected {missing}, too, or {MAP} {missing}=COLUMN"
        raise ToolError(f"{columns_of(table.recorded)}: {wanted}")
    factors = [_factor(table.path, one, table.units[one] or "deg", "deg") for one in columns]
    origin, found = origin_of(), []
    recorded = table.recorded
    rows = zip(*(recorded.columns[one] for one in columns), recorded.lines, strict=True)
    for lat, lon, line in rows:
        place = factors[0] * lat, factors[1] * lon
        if not isfinite(lat + lon):
            found.append((nan, nan))
        elif abs(place[0]) > 90.0 or abs(place[1]) > 360.0:
            raise ToolError(
                f"{table.path}:{line}: {columns[0]}, {columns[1]} = {place[0]:g}, {place[1]:g}: "
                "expected degrees north, from -90 to 90, and east"
            )
        else:
            found.append(origin.to_local(*place))
    x, y = zip(*found, strict=True)
    units = {**recorded.units, "NAV_X": "m", "NAV_Y": "m"}
    more = replace(recorded, units=units, columns={**recorded.columns, "NAV_X": x, "NAV_Y": y})
    return replace(table, recorded=more, degrees=columns)


def datum_of(log: Path) -> Projection:
    """Return the origin of a run, from the copy of its mission file (``*._moos``) beside a log.

    Raises:
        ToolError: there is none, or it has no origin.
    """
    for copy in sorted(log.parent.glob("*._moos")):
        try:
            mission = parse_mission(copy.read_text(encoding="utf-8", errors="replace"), str(copy))
            if (found := projection(mission)) is not None:
                return found
        except (ValueError, OSError) as error:
            raise ToolError(str(error)) from None
    raise ToolError(
        f"{log.parent}: for NAV_LAT and NAV_LONG of a table, expected a copy of the mission's file "
        "(._moos) beside the log, with LatOrigin and LongOrigin"
    )


def posts_of(
    table: Table, mapping: Mapping[str, str], names: Sequence[str]
) -> tuple[Posts, list[str]]:
    """Return the variables that a table has, as posts in their own units, and what was taken.

    Args:
        table: of the recording.
        mapping: variable -> column.
        names: of the variables, or patterns.
    Raises:
        ToolError: it has none of them, or a unit does not fit.
    """
    given = {**{name: name for name in table.units}, **mapping}
    found: dict[str, list[tuple[float, float]]] = {}
    said = []
    for variable, column in given.items():
        if not any_matches(names, variable) or column not in table.units:
            continue
        own, unit = _own_unit(variable), unit_of(table, mapping, variable)
        factor = _factor(table.path, column, unit, own) if own and unit != own else 1.0
        cells = zip(table.times, table.recorded.columns[column], strict=True)
        found[variable] = [(at, factor * cell) for at, cell in cells if isfinite(cell)]
        if table.degrees and variable in POSITION:
            said.append(f"{', '.join(table.degrees)} give {', '.join(POSITION)}")
            continue
        assumed = "" if table.units[column] else f", which its head may say: {column} [{unit or 1}]"
        said.append(f"{column} is {variable} [{unit or '1'}{assumed}]")
        if factor != 1.0:
            said[-1] += f", drawn in {own}"
    if not any(found.values()):
        wanted = f"expected {' or '.join(names)} among them, or {MAP} {names[0]}=COLUMN"
        likely = {
            LIKE_DEGREES[one.lower()]: one for one in table.units if one.lower() in LIKE_DEGREES
        }
        if len(likely) == 2 and any(any_matches(names, one) for one in POSITION):
            wanted += f", or {MAP} NAV_LAT={likely[0]} NAV_LONG={likely[1]}"
        raise ToolError(f"{columns_of(table.recorded)}: {wanted}")
    return Posts(table.path, tuple(found), found, max(table.times)), said


def unit_of(table: Table, mapping: Mapping[str, str], variable: str) -> str:
    """Return the unit of a variable's column: that of the head, or the variable's own."""
    return table.units[mapping.get(variable, variable)] or _own_unit(variable)


def _own_unit(variable: str) -> str:
    meaning = meaning_of(variable)
    return meaning.unit.partition(",")[0].strip() if meaning else ""


def track_of(table: Table, mapping: Mapping[str, str]) -> tuple[Track, list[str]]:
    """Return the track of a table with NAV_X and NAV_Y, and what was taken.

    Raises:
        ToolError: it lacks one of them.
    """
    axes, said = [], []
    for name in ("NAV_X", "NAV_Y"):
        posts, taken = posts_of(table, mapping, [name])
        axes.append(dict(posts.numbers[name]))
        said += taken
    x, y = axes
    times = sorted(x.keys() & y.keys())
    if not times:
        raise ToolError(f"{table.path}: expected rows with both NAV_X and NAV_Y")
    points = tuple((x[time], y[time]) for time in times)
    return Track(table.path.stem, tuple(times), points, None, {}, (), {}), said


def difference(name: str, run: Samples, other: Samples, unit: str = "") -> str:
    """Return how far a recorded variable is from a run's, which is interpolated at its times.

    Args:
        name: of the variable.
        run, other: times [s] and values of both, in time order; NaN is left out.
        unit: that of the column; if the values' size is that of another, the text asks for it.
    """
    at, wanted = (np.array(one) for one in other)
    times, values = (np.array(one) for one in run)
    there = np.isfinite(values)
    times, values = times[there], values[there]
    inside = (at >= times[0]) & (at <= times[-1]) & np.isfinite(wanted)
    if not inside.any():
        return f"{name}: {_apart_in_time(times)}"
    size = np.abs(np.interp(at[inside], times, values)).mean()
    ratio = float(np.abs(wanted[inside]).mean() / size) if size else 0.0
    likely = other_unit(ratio, unit, SAME_FACTOR, _IN_SI)
    question = f"; it is {ratio:.4g} times the run's: is it in {likely}?" if likely else ""
    circle = circle_of(name)
    if circle is not None:
        values = np.unwrap(values, period=circle.period)
    apart = wanted[inside] - np.interp(at[inside], times, values)
    if circle is not None:
        apart -= circle.period * np.round(apart / circle.period)
    return f"{name}: {_summary(apart, inside)}{question}"


def distance_apart(run: Track, other: Track) -> str:
    """Return how far a recorded track is from a run's, which is interpolated at its times."""
    at, times = np.array(other.times), np.array(run.times)
    inside = (at >= times[0]) & (at <= times[-1])
    if not inside.any():
        return f"position: {_apart_in_time(times)}"
    x, y = (np.interp(at[inside], times, axis) for axis in np.array(run.points).T)
    there = np.array(other.points)[inside]
    return f"position [m]: {_summary(np.hypot(there[:, 0] - x, there[:, 1] - y), inside)}"


def _apart_in_time(times: NDArray[np.float64]) -> str:
    return f"no time in common, from {times[0]:g} to {times[-1]:g} s in the run"


def _summary(apart: NDArray[np.float64], inside: NDArray[np.bool_]) -> str:
    rms, largest = np.sqrt(np.mean(apart**2)), np.abs(apart).max()
    rows = f"{inside.sum()} of {inside.size} rows"
    return f"differs by {rms:.4g} (RMS), {largest:.4g} at most, in {rows}"


def _factor(path: Path, column: str, unit: str, wanted: str) -> float:
    """Return the factor from a unit to another.

    Raises:
        ToolError: they are not of one quantity.
    """
    kind, factor = _IN_SI.get(unit, ("", 1.0))
    other, inverse = _IN_SI.get(wanted, (wanted, 1.0))
    if unit == wanted:
        return 1.0
    if kind != other:
        fitting = [one for one, (quantity, _) in _IN_SI.items() if quantity == other] or [wanted]
        raise ToolError(f"{path}:1: {column} [{unit}]: expected {' or '.join(fitting)}")
    return factor / inverse
