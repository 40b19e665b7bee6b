"""Results folder of a sweep: rows of finished runs, their output and logs, and continuation.

A line is appended to ``rows.jsonl`` when a run ends, in order of completion; a sweep that was
interrupted, or killed, continues from there. Runs that failed for an external reason (e.g. a full
disk) are repeated.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.execution import AGAIN, Row
from steerageway.launcher.sweep.runs import Run, Sweep

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ROWS, ABOUT, FRESH, RUNS = "rows.jsonl", "sweep.json", "sweep.new", "runs"


def output_file(number: int) -> str:
    """Return the file of a run's output, relative to the sweep's folder."""
    return f"{RUNS}/{number:05}.txt"


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
        folder = self.folder / RUNS / f"{run.number:05}"
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
            LaunchError: it contains something else, or another process is using it.
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
        self._journal.write(json.dumps(row).encode() + b"\n")

    def close(self) -> None:
        """Close the file and release its lock."""
        self._journal.close()

    def _existing_rows(self, sweep: Sweep) -> dict[int, Row]:
        """Return the existing rows, after locking and checking that they are this sweep's."""
        try:
            self._lock()
            self._check(sweep)
            return self._read_rows()
        except BaseException:
            self.close()
            raise

    def _check_folder(self) -> None:
        """Check that the folder is empty, or contains a sweep or the first files of one."""
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
        elif json.loads(about.read_text()).get("digest") != self._digest:
            what = "contains another sweep, or its input files have changed"
            raise LaunchError(f"--results {self.folder}: {what}; expected another folder")

    def _read_rows(self) -> dict[int, Row]:
        """Read the rows, without those to be repeated; truncate an incomplete last line."""
        self._journal.seek(0)
        text = self._journal.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._journal.truncate(len(whole))
        rows = [json.loads(line) for line in whole.splitlines()]
        return {row["case"]: row for row in rows if not row.get(AGAIN)}


def _is_empty_start(path: Path) -> bool:
    """Whether this is an empty file of rows or folder of runs, which a sweep creates first."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ROWS and not path.stat().st_size


def digest(sweep: Sweep, files: str) -> str:
    """Return the digest that identifies a sweep: of its runs and their input files."""
    first = sweep.command(sweep.runs[0])
    same = replace(first, json="", log=None, no_log=False, jobs=0, scheduler="", results=None)
    return sha256(repr((same, sweep.runs, sweep.record, files)).encode()).hexdigest()
