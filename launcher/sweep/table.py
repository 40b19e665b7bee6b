"""Table of a sweep: a row for each run, written as CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from steerageway.declarations import finite
from steerageway.launcher.sweep.execution import Row

Cell = float | int | str | None
LAST = ("run_warning", "failure")


class Table:
    """The rows in order of cases, with the columns of all of them.

    Varied values are texts, but numbers if all values of the column are.

    Attributes:
        columns: their names, in order.
    """

    def __init__(self, rows: Iterable[Row], varied: Sequence[str]) -> None:
        self._rows = sorted(rows, key=lambda row: int(row["case"]))
        names = dict.fromkeys(name for row in self._rows for name in row)
        self.columns = [name for name in names if name not in LAST] + [*LAST]
        self._numbers = [
            name for name in varied if all(finite(row[name]) is not None for row in self._rows)
        ]

    def __len__(self) -> int:
        return len(self._rows)

    def column(self, name: str) -> list[Cell]:
        """Return a column, with None for runs without this value."""
        return [float(v) if name in self._numbers else v for v in self._cells(name)]

    def write_csv(self, path: Path) -> None:
        """Write it as CSV: varied values as typed, other numbers with all digits."""
        columns = [self._cells(name) for name in self.columns]
        fresh = path.with_suffix(".new")
        with fresh.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(zip(*columns, strict=True))
        fresh.replace(path)

    def write_parquet(self, path: Path) -> bool:
        """Write it as Parquet; return False if pyarrow is not installed."""
        try:
            import pyarrow  # type: ignore[import-untyped]
            from pyarrow import parquet
        except ImportError:
            return False
        columns = {name: _typed(self.column(name)) for name in self.columns}
        parquet.write_table(pyarrow.table(columns), path)
        return True

    def _cells(self, name: str) -> list[Any]:
        return [row.get(name) for row in self._rows]


def _typed(values: Sequence[Cell]) -> list[Cell]:
    """Return a column with one type: texts if texts and numbers are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float}:
        return list(values)
    return [None if value is None else str(value) for value in values]


def numbers_of(table: Table, columns: Iterable[str]) -> Mapping[str, list[float | None]]:
    """Return the numeric ones of some columns, which may have missing values but not only these."""
    found: dict[str, list[float | None]] = {}
    for name in columns:
        values = table.column(name)
        if any(v is not None for v in values) and not any(isinstance(v, str) for v in values):
            found[name] = [v if v is None else float(v) for v in values]
    return found
