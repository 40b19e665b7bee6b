"""Table of a sweep as Parquet in parts, in a folder or a bucket that fsspec reaches."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.table import Table

PARTS = "part-*.parquet"


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
