"""Rows of finished runs in a file, from which an interrupted sweep continues.

A line is appended when a run ends, in order of completion. In memory a row takes eight bytes, its
place in the file, so that a campaign of any size fits. Runs that failed for an external reason
(e.g. a full disk) are repeated. Every line has a check sum: a row that was altered is refused.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from zlib import crc32

from steerageway.apps.experiments.sweep.lazy import Lazy
from steerageway.declarations import json_of
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, row_head
from steerageway.launcher.sweep.runs import Run

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

CHECK = "check"  # key of a row's check sum, in the file only
_ABSENT = -1


class Journal(Mapping[int, Row]):
    """Case number -> row, of the finished runs, in order of cases.

    Attributes:
        failed: number of rows of runs that failed.
    """

    def __init__(self, path: Path, runs: Sequence[Run]) -> None:
        """Open and lock the file; its rows are not read yet.

        Raises:
            BlockingIOError: another process has locked it.
            OSError: it cannot be opened.
        """
        self._path, self._runs = path, runs
        self._places = array("q", [_ABSENT]) * (len(runs) + 1)
        self._count = self._end = self.failed = 0
        self._file = path.open("a+b", buffering=0)
        self._reader = path.open("rb")
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                self.close()
                raise

    def read(self) -> None:
        """Read the rows, without those to be repeated; truncate an incomplete last line.

        Raises:
            LaunchError: a row is not of these runs, or was altered; with file and line.
        """
        for number, line in enumerate(self._reader, 1):
            if not line.endswith(b"\n"):
                break
            row = self._checked(line, number)
            if not row.get(AGAIN):
                self._note(row)
            self._end += len(line)
        self._file.truncate(self._end)

    def add(self, row: Row) -> None:
        """Append a row to the file at once."""
        line = json.dumps({**row, CHECK: _check_sum(row)}).encode() + b"\n"
        self._file.write(line)
        self._note(row)
        self._end += len(line)

    def left(self) -> Sequence[Run]:
        """Return the runs without a row."""
        places = enumerate(self._places[1:])
        missing = array("q", (index for index, place in places if place == _ABSENT))
        return Lazy(len(missing), lambda k: self._runs[missing[k]])

    def end_after(self, last: int) -> None:
        """Leave out the rows of later cases, which remain in the file."""
        for case in [case for case in self if case > last]:
            self.failed -= self[case]["exit_code"] not in WELL
            self._places[case] = _ABSENT
            self._count -= 1

    def close(self) -> None:
        """Release the lock; the rows can still be read."""
        self._file.close()

    def __getitem__(self, case: int) -> Row:
        place = self._places[case] if 0 < case < len(self._places) else _ABSENT
        if place == _ABSENT:
            raise KeyError(case)
        self._reader.seek(place)
        row: Row = json_of(self._reader.readline())
        return {key: value for key, value in row.items() if key not in (CHECK, AGAIN)}

    def __iter__(self) -> Iterator[int]:
        return (case for case, place in enumerate(self._places) if place != _ABSENT)

    def __len__(self) -> int:
        return self._count

    def __del__(self) -> None:
        self._reader.close()

    def _note(self, row: Row) -> None:
        self._count += self._places[row["case"]] == _ABSENT
        self.failed += row["exit_code"] not in WELL
        self._places[row["case"]] = self._end

    def _checked(self, line: bytes, number: int) -> Row:
        """Return the row of a line.

        Raises:
            LaunchError: it is damaged, or was altered.
        """
        try:
            row: Row = json_of(line)
            written = row.pop(CHECK) == _check_sum(row)
            head = row_head(self._runs[int(row["case"]) - 1])
            ours = head.items() <= row.items()
        except (ValueError, LookupError, AttributeError, TypeError):
            written = ours = False
        if not (written and ours):
            expected = (
                "expected a row as this sweep wrote it; without the line its case is repeated"
            )
            raise LaunchError(Diagnostic(f"{self._path}:{number}", expected=expected))
        return row


def _check_sum(row: Row) -> str:
    return f"{crc32(json.dumps(row).encode()):08x}"
