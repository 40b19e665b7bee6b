"""Recorded runs: columns with units, from a CSV file or a MOOS log, on one grid of times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from steerageway.declarations.units import INSIDE, other_unit
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.alog import logs_in, only_log, read_entries
from steerageway.moos.errors import FormatError
from steerageway.moos.recorded_table import MAP, check_columns, read_recorded_table, renamed
from steerageway.vessel.errors import InvalidValue
from steerageway.world.arrays import Floats

LOGS = (".alog", ".gz")
SHORTEST = 20  # samples
FASTEST_TURN = 2.0 * pi  # of a vessel [rad/s]
ALIKE = 0.5  # least correlation of what is compared
SAME_FACTOR = 0.2  # how near two factors between units are the same one
UNITS = {**INSIDE, "N": ("N", 1.0), "1": ("1", 1.0)}
"""Units of columns: the one inside, and the factor to it."""
VARIABLES = {
    "NAV_HEADING": ("psi", "deg"),
    "NAV_SPEED": ("u", "m/s"),
    "NAV_YAW_RATE": ("r", "deg/s"),
    "DESIRED_RUDDER": ("rudder", "%"),
    "DESIRED_THRUST": ("thrust", "%"),
    "DESIRED_ELEVATOR": ("elevator", "deg"),
}
"""Variables of a MOOS log: their columns and units."""
EXPECTED = {
    "time": "s",
    "u": "m/s",
    "v": "m/s",
    "r": "rad/s",
    "psi": "rad",
    "rudder": "rad or %",
    "thrust": "%, rpm or N",
}
HELD = ("rudder", "thrust", "elevator")  # orders hold until the next one


class Recording(NamedTuple):
    """A recorded run.

    Attributes:
        times: (n,) equally spaced [s]. columns: (n,) by name, in SI or per cent.
        units: by name. source: where it is from.
        doubts: warnings of numbers that may be none.
        unread: of a table, columns without a known unit: the error of those that use them, by name.
    """

    times: Floats
    columns: Mapping[str, Floats]
    units: Mapping[str, str]
    source: str = ""
    doubts: Sequence[str] = ()
    unread: Mapping[str, InvalidValue] = MappingProxyType({})

    @property
    def step(self) -> float:
        """Return the time between two samples [s]."""
        return float(self.times[1] - self.times[0])

    def has(self, name: str) -> bool:
        """Return whether there is such a column.

        Raises:
            InvalidValue: there is, without a known unit.
        """
        if name in self.unread:
            raise self.unread[name]
        return name in self.columns

    def need(self, name: str, *units: str) -> Floats:
        """Return a column.

        Raises:
            InvalidValue: it is missing, or has another unit than one of these.
        """
        if not self.has(name):
            have = ", ".join((*self.columns, *self.unread))
            wanted = " or ".join(units)
            raise InvalidValue(
                f"{self.source}: expected a column {name} [{wanted}], or {MAP} {name}=COLUMN; "
                f"it has {have}"
            )
        if self.units[name] not in units:
            expected = f"expected {' or '.join(units)}"
            raise InvalidValue(f"{self.source}: {name} is in {self.units[name]}: {expected}")
        return self.columns[name]

    def check_units(self) -> None:
        """Compare columns with what a unit allows, and with each other.

        Raises:
            InvalidValue: a rudder angle or a yaw rate that no vessel has, or a rate or a speed that
                is not that of the heading or the place beside it, by the factor of another unit.
        """
        for name, values in self.columns.items():
            unit, most = self.units[name], float(np.abs(values).max())
            limit = FASTEST_TURN if name == "r" else pi
            angle = unit == "rad" and (name == "rudder" or name.startswith("cs_"))
            if (angle or name == "r") and most > limit:
                expected = f"expected at most {limit:.3g}: is it in {unit.replace('rad', 'deg')}?"
                raise InvalidValue(f"{self.source}: {name} reaches {most:.3g} {unit}: {expected}")
        there = self.columns
        if "psi" not in there or self.units["psi"] != "rad":
            return
        psi = there["psi"]
        rate = np.gradient(psi, self.step)
        if float(np.percentile(np.abs(rate), 90)) > FASTEST_TURN:
            raise InvalidValue(f"{self.source}: psi turns faster than a vessel: is it in deg?")
        self._compare("r", rate, "psi", ("deg/s", "deg"))
        if "x" in there and "y" in there:
            x, y = (np.gradient(there[name], self.step) for name in ("x", "y"))
            axes = (x * np.cos(psi) + y * np.sin(psi), y * np.cos(psi) + x * np.sin(psi))
            ahead = max(axes, key=lambda speed: float(abs(speed).sum()))  # x is north, or east
            self._compare("u", ahead, "x and y", ("kn", "another unit"))

    def _compare(self, name: str, values: Floats, beside: str, units: tuple[str, str]) -> None:
        """Refuse a column that is what follows from others in another unit, or they in another.

        The noise of what follows, a difference of samples, does not count: it is not regressed on.
        """
        column = self.columns.get(name, np.zeros_like(values))
        together, scale = float(column @ values), float(column @ column)
        if together < ALIKE * np.sqrt(scale * float(values @ values)) or not together > 0.0:
            return
        ratio = scale / together
        other, unit = units
        for times, what in (
            (ratio, f"{name} in {other}"),
            (1.0 / ratio, f"{beside} in {unit}"),
        ):
            if other_unit(times, self.units[name], SAME_FACTOR) == other:
                raise InvalidValue(
                    f"{self.source}: {name} is {ratio:.3g} times what {beside} give: is {what}?"
                )


def read_recording(path: str | Path, mapping: Mapping[str, str] | None = None) -> Recording:
    """Read a recorded run: ``.alog`` of a mission, or CSV with a head as ``time [s], r [deg/s]``.

    An empty cell of a table is a sample that is missing. A column without a known unit is an error
    only where it is used.

    Args:
        path: of the file, or a run's folder with one log in it.
        mapping: of a table: name -> its column in the file.

    Raises:
        InvalidValue: the file cannot be read, no column has a known unit, a value is no number.
    """
    file = Path(path)
    try:
        file = only_log(logs_in(file), file) if file.is_dir() else file
    except FormatError as error:
        raise InvalidValue(error.diagnostics[0]) from error
    if mapping and file.suffix in LOGS:
        raise InvalidValue(f"{MAP}: expected a table (CSV), not a log: its variables are known")
    doubts: list[str] = []
    unread: dict[str, InvalidValue] = {}
    if file.suffix in LOGS:
        raw = _logged(file)
    else:
        raw, unread = _tabled(file, mapping or {}, doubts)
    if unread and not raw:
        raise next(iter(unread.values()))
    if not raw:
        raise InvalidValue(f"expected one of {', '.join(VARIABLES)}", str(file))
    known = [one for name, one in raw.items() if name not in HELD] or list(raw.values())
    times = max((one.times for one in known), key=len)
    if len(times) < SHORTEST:
        raise InvalidValue(f"{len(times)} samples: expected {SHORTEST} or more", str(file))
    dt = float(np.median(np.diff(times)))
    if not dt > 0.0:
        raise InvalidValue("expected times [s] that rise", str(file))
    last = min(float(one.times[-1]) for one in known)
    grid = np.arange(float(times[0]), last + 1e-9 * dt, dt)
    columns = {name: _on(grid, name, one) for name, one in raw.items()}
    units = {name: one.unit for name, one in raw.items()}
    return Recording(grid - grid[0], columns, units, str(file), doubts, unread)


class _Raw(NamedTuple):
    times: Floats
    values: Floats
    unit: str


def _on(grid: Floats, name: str, raw: _Raw) -> Floats:
    if name in HELD:
        at = np.searchsorted(raw.times, grid + 1e-9, "right") - 1
        return np.where(at >= 0, raw.values[np.maximum(at, 0)], 0.0)
    values = np.unwrap(raw.values) if name == "psi" else raw.values
    return np.interp(grid, raw.times, values)


def _logged(file: Path) -> dict[str, _Raw]:
    found: dict[str, list[tuple[float, float]]] = {}
    try:
        for entry in read_entries(file):
            if entry.name in VARIABLES and isinstance(entry.value, float):
                found.setdefault(entry.name, []).append((entry.time, entry.value))
    except FormatError as error:
        raise InvalidValue(str(error)) from error
    columns = {}
    for variable, pairs in found.items():
        name, unit = VARIABLES[variable]
        times, values = np.array(pairs).T
        inside, factor = UNITS[unit]
        columns[name] = _Raw(times, values * factor, inside)
    return columns


def _tabled(
    file: Path, mapping: Mapping[str, str], doubts: list[str]
) -> tuple[dict[str, _Raw], dict[str, InvalidValue]]:
    """Return the columns with known units, and the errors of the others; add doubts."""
    try:
        table = read_recorded_table(file)
        check_columns(table, mapping)
        doubts.extend(table.doubtful())
        table = renamed(table, mapping)
        if "time" not in table.units or not table.lines:
            have = ", ".join(table.units) or "nothing"
            expected = f"expected a column time [s], or {MAP} time=COLUMN, and rows; it has {have}"
            raise InvalidValue(expected, f"{file}:1")
        unread = {
            name: _unknown(name, unit, f"{file}:1")
            for name, unit in table.units.items()
            if unit not in UNITS
        }
        if "time" in unread:
            raise unread["time"]
        times = np.array(table.times("time")) * UNITS[table.units["time"]][1]
    except FormatError as error:
        raise InvalidValue(error.diagnostics[0]) from error
    found = {}
    for name, head in table.units.items():
        if name == "time" or name in unread:
            continue
        unit, factor = UNITS[head]
        cells = np.array(table.columns[name])
        there = ~np.isnan(cells)
        if there.any():
            found[name] = _Raw(times[there], cells[there] * factor, unit)
    return found, unread


def _unknown(name: str, unit: str, where: str) -> InvalidValue:
    """Return the error of a column whose unit is missing or unknown."""
    usual = EXPECTED.get(name, ", ".join(UNITS))
    text = f"{name} [{unit}]" if unit else name
    return InvalidValue(Diagnostic(where, text, expected=f"expected a unit, as {name} [{usual}]"))
