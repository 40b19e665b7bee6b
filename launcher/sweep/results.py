"""Results folder of a sweep: rows of finished runs, their output and logs, and continuation.

A line is appended to ``rows.jsonl`` when a run ends, in order of completion; a sweep that was
interrupted, or killed, continues from there. Runs that failed for an external reason (e.g. a full
disk) are repeated. Every line has a check sum: a row that was altered is refused.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.execution import AGAIN, Row, row_head
from steerageway.launcher.sweep.runs import Run, Sweep

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ROWS, ABOUT, FRESH, RUNS = "rows.jsonl", "sweep.json", "sweep.new", "runs"
CHECK = "check"  # key of a row's check sum, in the file only


def output_file(number: int) -> str:
    """Return the file of a run's output, relative to the sweep's folder."""
    return f"{RUNS}/{number:05}.txt"


def log_folder(folder: Path, number: int) -> Path:
    """Return the folder of a run's logs in the sweep's folder."""
    return folder / RUNS / f"{number:05}"


@dataclass(frozen=True, slots=True)
class Place:
    """Places of runs' output and logs.

    Attributes:
        folder: of the sweep.
        logs: whether every run is logged; if not, only the repetition of a failed one.
    """

    folder: Path
    logs: bool

    def output_of(self, run: Run) -> Path:
        """Return the file of a run's output."""
        return self.folder / output_file(run.number)

    def log(self, run: Run) -> Path:
        """Return the folder for a run's logs; logs of an earlier attempt are removed."""
        folder = log_folder(self.folder, run.number)
        shutil.rmtree(folder, ignore_errors=True)
        return folder


class Results:
    """The results folder of a sweep.

    Attributes:
        folder: its path.
        rows: case number -> row, of the finished runs.
    """

    def __init__(self, folder: Path, sweep: Sweep, files: str) -> None:
        """Create the folder, or continue the sweep in it.

        Args:
            folder: of the results.
            sweep: the sweep.
            files: digest of the sweep's input files.

        Raises:
            LaunchError: it contains something else, links or altered rows, or another process is
                using it.
        """
        self.folder = folder
        self._digest = digest(sweep, files)
        try:
            self._check_folder()
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            self._journal = (folder / ROWS).open("a+b", buffering=0)
            self.rows = self._existing_rows(sweep)
        except OSError as error:
            raise LaunchError(f"--results {folder}: {error.strerror}") from error

    def left(self, sweep: Sweep) -> list[Run]:
        """Return the runs that are not finished."""
        return [run for run in sweep.runs if run.number not in self.rows]

    def add(self, row: Row) -> None:
        """Add a row, and append it to the file at once."""
        self.rows[row["case"]] = {key: row[key] for key in row if key != AGAIN}
        self._journal.write(json.dumps({**row, CHECK: _check_sum(row)}).encode() + b"\n")

    def close(self) -> None:
        """Close the file and release its lock."""
        self._journal.close()

    def _existing_rows(self, sweep: Sweep) -> dict[int, Row]:
        """Return the existing rows, after locking and checking that they are this sweep's."""
        try:
            self._lock()
            self._check(sweep)
            return self._read_rows(sweep)
        except BaseException:
            self.close()
            raise

    def _check_folder(self) -> None:
        """Check that the folder is empty, or contains a sweep or the first files of one."""
        for path in (*self.folder.glob("*"), *self.folder.glob(f"{RUNS}/*")):
            if path.is_symlink():  # what it leads to would be overwritten
                raise LaunchError(f"--results {self.folder}: expected no links; {path} is one")
        if (self.folder / ABOUT).exists() or not self.folder.is_dir():
            return
        for there in sorted(self.folder.iterdir()):
            if (
                there.name != FRESH
                and not there.name.startswith(".")
                and not _is_empty_start(there)
            ):
                what = f"expected a new or empty folder; {there.name} is there"
                raise LaunchError(f"--results {self.folder}: {what}")

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError(f"--results {self.folder}: in use by another sweep") from None

    def _check(self, sweep: Sweep) -> None:
        about = self.folder / ABOUT
        if not about.exists():
            command = ["steerageway", "run", *sweep.arguments[len(sweep.fixed) :]]
            text = {"digest": self._digest, "command": command, "cases": len(sweep.runs)}
            fresh = self.folder / FRESH
            fresh.write_text(json.dumps(text, indent=1) + "\n")
            fresh.replace(about)  # atomic: a sweep killed before it leaves no half-written file
        elif _digest_in(about) != self._digest:
            what = "contains another sweep, or its input files have changed"
            raise LaunchError(f"--results {self.folder}: {what}; expected another folder")

    def _read_rows(self, sweep: Sweep) -> dict[int, Row]:
        """Read the rows, without those to be repeated; truncate an incomplete last line."""
        self._journal.seek(0)
        text = self._journal.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._journal.truncate(len(whole))
        runs = {run.number: row_head(run) for run in sweep.runs}
        rows = [
            _read_row(line, f"{self.folder / ROWS}:{number}", runs)
            for number, line in enumerate(whole.splitlines(), 1)
        ]
        return {row["case"]: row for row in rows if not row.get(AGAIN)}


def _read_row(line: bytes, where: str, heads: Mapping[int, Row]) -> Row:
    """Return the row of a line.

    Args:
        heads: case number -> first columns of its row.

    Raises:
        LaunchError: it is damaged, or was altered.
    """
    try:
        row: Row = json.loads(line)
        written = row.pop(CHECK) == _check_sum(row)
        ours = heads[row["case"]].items() <= row.items()
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        written = ours = False
    if not (written and ours):
        expected = "expected a row as this sweep wrote it; without the line its case is repeated"
        raise LaunchError(Diagnostic(where, expected=expected))
    return row


def _check_sum(row: Row) -> str:
    return f"{crc32(json.dumps(row).encode()):08x}"


def _digest_in(about: Path) -> object:
    """Return the digest in a sweep's file; None if the file is damaged."""
    try:
        return json.loads(about.read_bytes()).get("digest")
    except (ValueError, AttributeError, RecursionError):
        return None


def _is_empty_start(path: Path) -> bool:
    """Whether this is an empty file of rows or folder of runs, which a sweep creates first."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ROWS and not path.stat().st_size


def digest(sweep: Sweep, files: str) -> str:
    """Return the digest that identifies a sweep: of its runs and their input files."""
    first = sweep.command(sweep.runs[0])
    same = replace(
        first, json="", log=None, no_log=False, jobs=0, scheduler="", results=None, worst=None
    )
    return sha256(repr((same, sweep.runs, sweep.record, files)).encode()).hexdigest()
