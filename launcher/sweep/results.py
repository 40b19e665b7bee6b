"""Results folder of a sweep: rows of finished runs, their output and logs, and continuation."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.files import Inputs
from steerageway.launcher.sweep.journal import Journal
from steerageway.launcher.sweep.runs import Run, Sweep

ROWS, ABOUT, FRESH, RUNS = "rows.jsonl", "sweep.json", "sweep.new", "runs"


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
        logs: whether every run is logged.
        repeats: whether a run that failed without a log is repeated with one.
        memory: limit of a run's memory in addition to its program's [MB]; None: no limit.
        limit: wall time after which a run is taken to hang [s]; None: no limit.
    """

    folder: Path
    logs: bool
    repeats: bool = True
    memory: int | None = None
    limit: float | None = None

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
        rows: of the finished runs.
        inputs: the sweep's input files.
    """

    def __init__(self, folder: Path, sweep: Sweep, inputs: Inputs) -> None:
        """Create the folder, or continue the sweep in it.

        Args:
            folder: of the results.
            sweep: the sweep.
            inputs: the sweep's input files.

        Raises:
            LaunchError: it contains something else, links or altered rows, or another process is
                using it.
        """
        self.folder = folder
        self.inputs = inputs
        self._digest = digest(sweep, inputs.digest)
        try:
            self._check_folder()
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            self.rows = self._opened(sweep)
        except OSError as error:
            raise LaunchError(f"--results {folder}: {error.strerror}") from error

    def close(self) -> None:
        """Release the folder's lock."""
        self.rows.close()

    def _opened(self, sweep: Sweep) -> Journal:
        """Return the rows, after locking the folder and checking that they are this sweep's."""
        try:
            rows = Journal(self.folder / ROWS, sweep.runs)
        except BlockingIOError:
            raise LaunchError(f"--results {self.folder}: in use by another sweep") from None
        try:
            self._check(sweep)
            rows.read()
        except BaseException:
            rows.close()
            raise
        return rows

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
            expected = f"expected a new folder, as --results {self.folder}-2, or this one deleted"
            raise LaunchError(f"--results {self.folder}: {what}; {expected}")


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
    same = replace(same, table="", memory_limit=0, log_budget=0, find_failure=None)
    found = sha256(repr((same, sweep.record, files)).encode())
    for run in sweep.runs:
        found.update(repr(run).encode())
    return found.hexdigest()
