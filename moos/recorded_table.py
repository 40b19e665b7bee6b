"""Tables (CSV) that were recorded elsewhere, with a head as ``time [s], r [deg/s]``.

Commas, semicolons or tabs are between the cells: whichever the head has most of. Decimal commas are
read where no commas are between the cells, and ISO 8601 time stamps as seconds from the first.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from io import StringIO
from itertools import chain
from math import inf, isnan, nan
from pathlib import Path

from steerageway.declarations import finite
from steerageway.diagnostics.diagnostic import Diagnostic, reason
from steerageway.moos.errors import FormatError
from steerageway.moos.lines import decoded, file_bytes

MAP = "--map"
"""The option of commands that take columns of other names: NAME=COLUMN."""
MOST_ROWS = 2_000_000
LARGEST_TABLE = 1 << 29  # bytes
_LONGEST = 60  # characters of a row in an error
_MISSING = ("", "nan")
MOST = 1e20  # magnitude of a number that was measured; a time stamp in nanoseconds is below
FILLINGS = frozenset(
    sign * size for sign in (-1.0, 1.0) for size in (999.0, 999.9, 9999.0, 99999.0, 32768.0)
)
"""Numbers that programs write where there is none."""
FAR = 9.0  # times what else a column has, at which such a number is suspected to be none
_EXPECTED = (
    "expected a finite number up to 1e20, or time stamps as 2026-05-01T12:00:00Z in the whole "
    "column"
)
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}
_NOT_BETWEEN = re.compile(r'\[[^]]*\]|"[^"]*"')  # of a head: units and quoted names
_DECIMAL_COMMA = re.compile(r"[^,.]*\d,\d[^,.]*")


@dataclass(frozen=True)
class RecordedTable:
    """The columns of a table.

    Attributes:
        path: of its file.
        units: of its columns, by name, as in the head; "" for one without; "s" for time stamps.
        columns: the cells, by name; NaN where a cell is empty or ``nan``.
        lines: of the rows in the file.
    """

    path: Path
    units: Mapping[str, str]
    columns: Mapping[str, Sequence[float]]
    lines: Sequence[int]

    def times(self, name: str) -> Sequence[float]:
        """Return a column that has no empty cell.

        Raises:
            FormatError: it has one.
        """
        cells = self.columns[name]
        for line, cell in zip(self.lines, cells, strict=True):
            if isnan(cell):
                raise FormatError(f"{self.path}:{line}", name, "", "expected a time in each row")
        return cells

    def doubtful(self) -> Iterator[str]:
        """Yield a warning for each column with a number that may mean that there is none."""
        for name, cells in self.columns.items():
            most = max((abs(cell) for cell in cells if cell not in FILLINGS), default=inf)
            for line, cell in zip(self.lines, cells, strict=True):
                if cell in FILLINGS and abs(cell) > FAR * most:
                    expected = "is taken as measured; for no data expected an empty cell or nan"
                    yield str(Diagnostic(f"{self.path}:{line}", name, f"{cell:g}", expected))
                    break


def read_recorded_table(path: Path) -> RecordedTable:
    """Read a table; a byte-order mark is skipped, and so are empty lines.

    Raises:
        FormatError: the file cannot be read, a row has too many or too few cells, or a cell is
            neither a finite number nor a time stamp.
    """
    try:
        file = StringIO(decoded(file_bytes(path, LARGEST_TABLE)), newline="")
        first = file.readline()
        between = _NOT_BETWEEN.sub("", first)
        separator = max(_SEPARATORS, key=between.count)
        rows = csv.reader(chain([first], file), delimiter=separator)
        head = [_head(text) for text in next(rows, [])]
        readers = [_Cells(name or f"column {i}") for i, (name, _) in enumerate(head, 1)]
        found = list(_numbers(path, rows, readers, separator))
    except FormatError:
        raise
    except (OSError, ValueError, csv.Error) as error:
        expected = f"expected a table (CSV): {reason(error)}"
        raise FormatError(str(path), "", "", expected) from error
    units = dict(head)
    if len(units) < len(head):
        raise FormatError(f"{path}:1", "", "", "expected a name of its own for each column")
    units |= {
        name: "s" for (name, _), one in zip(head, readers, strict=True) if one.first is not None
    }
    cells = zip(*(row for _, row in found), strict=True) if found else ((),) * len(units)
    columns = dict(zip(units, cells, strict=True))
    return RecordedTable(path, units, columns, [line for line, _ in found])


def mapped(text: str) -> tuple[str, str]:
    """Return name and column of NAME=COLUMN.

    Raises:
        ValueError: it is of another form.
    """
    name, _, column = (part.strip() for part in text.partition("="))
    if not name or not column:
        raise ValueError("expected NAME=COLUMN, as NAV_HEADING=yaw")
    return name, column


def check_columns(table: RecordedTable, mapping: Mapping[str, str]) -> None:
    """Refuse a mapping, name to column, to a column that a table has not.

    Raises:
        FormatError: with the column, and those that are there.
    """
    for name, column in mapping.items():
        if column not in table.units:
            absent = f"there is no column {column}; {columns_of(table)}"
            raise FormatError(f"{MAP} {name}={column}", "", "", absent)


def renamed(table: RecordedTable, mapping: Mapping[str, str]) -> RecordedTable:
    """Return a table whose columns have the names of a mapping, which has been checked."""
    names = {column: name for name, column in mapping.items()}
    units = {names.get(one, one): unit for one, unit in table.units.items()}
    columns = {names.get(one, one): cells for one, cells in table.columns.items()}
    return replace(table, units=units, columns=columns)


def columns_of(table: RecordedTable) -> str:
    """Return the names of a table's columns as a part of an error, with its place."""
    return f"{table.path}:1: its columns are {', '.join(table.units) or 'none'}"


def _head(text: str) -> tuple[str, str]:
    """Return name and unit of a column's head, ``yaw [rad]``."""
    name, _, rest = text.partition("[")
    return name.strip(), rest.partition("]")[0].strip()


class _Cells:
    """Reads the cells of one column.

    Attributes:
        name: of the column, in errors.
        first: its first time stamp, from which it counts; None for a column of numbers.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.first: datetime | None = None
        self._numbers = False

    def read(self, text: str, *, decimal_commas: bool) -> float | None:
        """Return a cell's number, NaN for an empty one; None if it is none."""
        text = text.strip()
        if text.lower() in _MISSING:
            return nan
        if decimal_commas and _DECIMAL_COMMA.fullmatch(text):
            text = text.replace(",", ".")
        number = None if self.first else finite(text)
        if number is None and not self._numbers:
            return self._seconds(text)
        self._numbers = True
        return None if number is None or abs(number) > MOST else number

    def _seconds(self, text: str) -> float | None:
        """Return a time stamp's seconds from the first; None if it is none, or of another kind."""
        try:
            stamp = datetime.fromisoformat(text)
            self.first = self.first or stamp
            return (stamp - self.first).total_seconds()
        except (ValueError, TypeError):  # TypeError: one of the two has an offset from UTC
            return None


def _numbers(
    path: Path, rows: Iterator[list[str]], readers: Sequence[_Cells], separator: str
) -> Iterator[tuple[int, list[float]]]:
    """Yield each row with its line."""
    for line, row in enumerate(rows, 2):
        if not row:
            continue
        where = f"{path}:{line}"
        if line > MOST_ROWS:
            raise FormatError(where, "", "", f"expected {MOST_ROWS} rows at most")
        between = len(readers) == 1 and any(one in row[0] for one in _SEPARATORS)
        if len(row) != len(readers) or between:
            named = "commas, semicolons or tabs" if between else _SEPARATORS[separator]
            expected = (
                f"expected as many cells as its head has, {len(readers)}, with {named} between"
            )
            raise FormatError(where, "", separator.join(row)[:_LONGEST], expected)
        values = []
        for reader, cell in zip(readers, row, strict=True):
            value = reader.read(cell, decimal_commas=separator != ",")
            if value is None:
                first = reader.first and reader.first.isoformat()
                expected = f"expected a time stamp as {first}" if first else _EXPECTED
                raise FormatError(where, reader.name, cell.strip()[:_LONGEST], expected)
            values.append(value)
        yield line, values
