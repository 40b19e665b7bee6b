"""Table of a sweep: a row for each run, written as CSV and Parquet, a part at a time."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import islice
from math import isnan, nan
from pathlib import Path
from typing import Any

from steerageway.declarations import finite, replacing
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.execution import Row

Cell = float | int | str | None
LAST = ("run_warning", "failure")
PART = 10_000  # rows that are written at a time
PARTS = "part-*.parquet"


class Table:
    """The rows in order of cases, with the columns of all of them.

    Rows stay where they are, e.g. in a file; only numbers are kept, eight bytes each. Varied values
    are texts, but numbers if all values of the column are.

    Attributes:
        columns: their names, in order.
    """

    def __init__(self, rows: Collection[Row], varied: Collection[str]) -> None:
        """Read the rows once.

        Args:
            rows: in order of cases.
            varied: names of the varied columns.
        """
        self._rows = rows
        self._kinds: dict[str, set[type]] = {}
        self._numbers: dict[str, array[float]] = {}  # with NaN for missing values
        for place, row in enumerate(rows):
            for name, cell in row.items():
                number = finite(cell) if name in varied else cell
                self._take(place, name, cell if number is None else number)
        for name in [name for name in self._numbers if str in self._kinds[name]]:
            del self._numbers[name]
        for column in self._numbers.values():
            _fill(column, len(rows))
        self.columns = [name for name in self._kinds if name not in LAST] + [*LAST]

    def _take(self, place: int, name: str, value: Cell) -> None:
        kinds = self._kinds.setdefault(name, set())
        if value is not None:
            kinds.add(type(value))
        if isinstance(value, float | int) and str not in kinds:
            column = self._numbers.setdefault(name, array("d"))
            _fill(column, place)
            column.append(value)

    def __len__(self) -> int:
        return len(self._rows)

    def column(self, name: str) -> list[Cell]:
        """Return a column, with None for runs without this value."""
        if name in self._numbers:
            return [None if isnan(number) else number for number in self._numbers[name]]
        return [row.get(name) for row in self._rows]

    def head(self, most: int) -> list[list[Cell]]:
        """Return the cells of the first rows, at most so many."""
        return [[row.get(name) for name in self.columns] for row in islice(self._rows, most)]

    def write_csv(self, path: Path) -> None:
        """Write it as CSV: varied values as typed, other numbers with all digits."""
        with replacing(path) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows([row.get(name) for name in self.columns] for row in self._rows)

    def write_parquet(self, path: Path) -> bool:
        """Write it as Parquet; return False if pyarrow is not installed."""
        try:
            from pyarrow import parquet  # type: ignore[import-untyped]
        except ImportError:
            return False
        with replacing(path) as fresh, parquet.ParquetWriter(fresh, self._schema()) as writer:
            for part in self.parts():
                writer.write_table(part)
        return True

    def _schema(self) -> Any:
        """Return the names and types of the columns, which are those of all rows."""
        import pyarrow

        return pyarrow.schema([(name, self._type(name, pyarrow)) for name in self.columns])

    def _type(self, name: str, pyarrow: Any) -> Any:
        kinds = self._kinds.get(name, set())
        if not kinds:
            return pyarrow.null()
        if str in kinds:
            return pyarrow.string()
        return pyarrow.float64() if float in kinds else pyarrow.int64()

    def parts(self) -> Iterator[Any]:
        """Yield the rows in parts of ``PART`` cases, as tables of pyarrow."""
        import pyarrow

        schema, rows = self._schema(), iter(self._rows)
        while part := list(islice(rows, PART)):
            columns = {
                name: [self._typed(name, row.get(name)) for row in part] for name in schema.names
            }
            yield pyarrow.table(columns, schema)

    def _typed(self, name: str, cell: Cell) -> Cell:
        """Return a cell with the type of its column: text if texts and numbers are mixed."""
        if cell is None or name in self._numbers:
            return finite(cell) if isinstance(cell, str) else cell
        return str(cell)


def _fill(column: array[float], length: int) -> None:
    """Fill a column up to a length with missing values."""
    column.extend([nan] * (length - len(column)))


def numbers_of(table: Table, columns: Iterable[str]) -> Mapping[str, list[float | None]]:
    """Return the numeric ones of some columns, which may have missing values but not only these."""
    found: dict[str, list[float | None]] = {}
    for name in columns:
        values = table.column(name)
        if any(v is not None for v in values) and not any(isinstance(v, str) for v in values):
            found[name] = [v if v is None else float(v) for v in values]
    return found


class Store:
    """A place for a table in parts, such as ``s3://bucket/folder`` or a local folder.

    A part has the same number of cases in every table, and all parts have the same columns.
    """

    def __init__(self, address: str) -> None:
        """Find the place, before any run starts.

        Raises:
            LaunchError: it cannot be reached, or a library for it is missing.
        """
        self._address = address
        try:
            self._fsspec: Any = import_module("fsspec")
            import_module("pyarrow")
        except ImportError:
            expected = 'pip install "steerageway[sweep]"'
            raise LaunchError(f"--table {address}: needs pyarrow and fsspec; {expected}") from None
        try:
            self._system, self._folder = self._fsspec.url_to_fs(address)
            self._system.makedirs(self._folder, exist_ok=True)
        except Exception as error:  # of any kind: each library of a place has its own
            raise LaunchError(f"--table {address}: {error}") from error

    def write(self, table: Table) -> None:
        """Write the parts, and remove those of a longer table that was there.

        Raises:
            LaunchError: the place does not take them, e.g. as it is full.
        """
        parquet: Any = import_module("pyarrow.parquet")
        written = set()
        try:
            for number, part in enumerate(table.parts()):
                path = f"{self._folder}/part-{number:05}.parquet"
                with self._system.open(path, "wb") as file:
                    parquet.write_table(part, file)
                written.add(path.rpartition("/")[2])
            for path in self._system.glob(f"{self._folder}/{PARTS}"):
                if path.rpartition("/")[2] not in written:
                    self._system.rm_file(path)
        except Exception as error:  # of any kind: each library of a place has its own
            kept = "the rows are kept, and the same command writes them again"
            raise LaunchError(f"--table {self._address}: {error}; {kept}") from error
