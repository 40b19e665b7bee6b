"""Tables (CSV) that were recorded elsewhere, with a head as ``time [s], r [deg/s]``.

Commas, semicolons or tabs are between the cells: whichever comes first in this order in the head.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan, nan
from pathlib import Path

from steerageway.declarations import finite
from steerageway.moos.errors import FormatError

MOST_ROWS = 2_000_000
_LONGEST = 60  # characters of a row in an error
_MISSING = ("", "nan")
_SEPARATORS = ",;\t"


@dataclass(frozen=True)
class RecordedTable:
    """The columns of a table.

    Attributes:
        path: of its file.
        units: of its columns, by name, as in the head; "" for one without.
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


def read_recorded_table(path: Path) -> RecordedTable:
    """Read a table; a byte-order mark is skipped, and so are empty lines.

    Raises:
        FormatError: the file cannot be read, a row has too many or too few cells, or a cell is no
            finite number.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            first = file.readline()
            separator = next((one for one in _SEPARATORS if one in first), ",")
            rows = csv.reader(chain([first], file), delimiter=separator)
            head = [_head(text) for text in next(rows, [])]
            found = list(_numbers(path, rows, len(head), separator))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise FormatError(str(path), "", "", f"expected a table (CSV): {why}") from error
    units = dict(head)
    if len(units) < len(head):
        raise FormatError(f"{path}:1", "", "", "expected a name of its own for each column")
    cells = zip(*(row for _, row in found), strict=True) if found else ((),) * len(units)
    columns = dict(zip(units, cells, strict=True))
    return RecordedTable(path, units, columns, [line for line, _ in found])


def _head(text: str) -> tuple[str, str]:
    """Return name and unit of a column's head, ``yaw [rad]``."""
    name, _, rest = text.partition("[")
    return name.strip(), rest.partition("]")[0].strip()


def _numbers(
    path: Path, rows: Iterator[list[str]], width: int, separator: str
) -> Iterator[tuple[int, list[float]]]:
    """Yield each row with its line."""
    for number, row in enumerate(rows, 2):
        if not row:
            continue
        values = [nan if cell.strip().lower() in _MISSING else finite(cell) for cell in row]
        numbers = [value for value in values if value is not None]
        if len(row) != width or len(numbers) != width or number > MOST_ROWS:
            points = "" if separator == "," else " with decimal points"
            expected = f"expected {width} finite numbers{points}, in {MOST_ROWS} rows at most"
            text = separator.join(row)[:_LONGEST]
            raise FormatError(f"{path}:{number}", "", text, expected)
        yield number, numbers
