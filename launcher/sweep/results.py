"""The folder of a sweep: rows as they come, and what runs left behind.

``rows.jsonl`` gets a line as a run ends, in whatever order that is; a sweep that was ended, however
hard, goes on from there. Runs that failed for a reason outside them, a full disk, are tried again.
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
    """Give the file, in a sweep's folder, for what a run prints."""
    return f"{RUNS}/{number:05}.txt"


@dataclass(frozen=True, slots=True)
class Place:
    """Where runs leave what they print and log.

    Attributes:
        folder: of the sweep.
        logs: whether every run is logged, or only those that fail, when they are tried again.
    """

    folder: Path
    logs: bool

    def output_of(self, run: Run) -> Path:
        """Give the file for what a run prints."""
        return self.folder / output_file(run.number)

    def log(self, run: Run) -> Path:
        """Give a folder for a run's logs, without what an earlier attempt has left."""
        folder = self.folder / RUNS / f"{run.number:05}"
        shutil.rmtree(folder, ignore_errors=True)
        return folder


class Results:
    """The folder of one sweep.

    Attributes:
        folder: where it is.
        rows: number -> row, of the runs that are through.
    """

    def __init__(self, folder: Path, sweep: Sweep, files: str) -> None:
        """Make the folder, or go on with what is there.

        Args:
            folder, sweep: which.
            files: a digest of the files that the sweep's runs are made from.
        Raises:
            LaunchError: it holds something else, or another sweep is at work there.
        """
        self.folder = folder
        self._digest = digest(sweep, files)
        try:
            self._must_be_ours()
            (folder / RUNS).mkdir(parents=True, exist_ok=True)
            self._journal = (folder / ROWS).open("a+b", buffering=0)
            self.rows = self._go_on(sweep)
        except OSError as error:
            raise LaunchError(f"--results {folder}: {error.strerror}") from error

    def left(self, sweep: Sweep) -> list[Run]:
        """Give the runs that are still to be performed."""
        return [run for run in sweep.runs if run.number not in self.rows]

    def add(self, row: Row) -> None:
        """Keep a row, at once."""
        self.rows[row["case"]] = {key: row[key] for key in row if key != AGAIN}
        self._journal.write(json.dumps(row).encode() + b"\n")

    def close(self) -> None:
        """Close the files; another sweep may go on here."""
        self._journal.close()

    def _go_on(self, sweep: Sweep) -> dict[int, Row]:
        """Give the rows that are there already, if they are this sweep's."""
        try:
            self._lock()
            self._check(sweep)
            return self._read_rows()
        except BaseException:
            self.close()
            raise

    def _must_be_ours(self) -> None:
        """Refuse a folder with anything in it but a sweep, or the beginnings of one."""
        if (self.folder / ABOUT).exists() or not self.folder.is_dir():
            return
        for there in sorted(self.folder.iterdir()):
            if there.name != FRESH and not there.name.startswith(".") and not _is_bare(there):
                what = f"expected a new or empty folder; {there.name} is there"
                raise LaunchError(f"--results {self.folder}: {what}")

    def _lock(self) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LaunchError(f"--results {self.folder}: another sweep is at work there") from None

    def _check(self, sweep: Sweep) -> None:
        about = self.folder / ABOUT
        if not about.exists():
            command = ["launch.py", *sweep.arguments[len(sweep.fixed) :]]
            text = {"digest": self._digest, "command": command, "cases": len(sweep.runs)}
            fresh = self.folder / FRESH
            fresh.write_text(json.dumps(text, indent=1) + "\n")
            fresh.replace(about)
        elif json.loads(about.read_text()).get("digest") != self._digest:
            what = "another sweep, or one of other files, is there"
            raise LaunchError(f"--results {self.folder}: {what}; expected another folder")

    def _read_rows(self) -> dict[int, Row]:
        """Read what came so far and is to stay; a line that was cut short is taken off."""
        self._journal.seek(0)
        text = self._journal.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._journal.truncate(len(whole))
        rows = [json.loads(line) for line in whole.splitlines()]
        return {row["case"]: row for row in rows if not row.get(AGAIN)}


def _is_bare(path: Path) -> bool:
    """Whether this is what a sweep makes first: a file or a folder for runs, with nothing in it."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ROWS and not path.stat().st_size


def digest(sweep: Sweep, files: str) -> str:
    """Give what tells a sweep from others: its runs, and the files they are made from."""
    first = sweep.command(sweep.runs[0])
    same = replace(first, json="", log=None, no_log=False, jobs=0, scheduler="", results=None)
    return sha256(repr((same, sweep.runs, sweep.record, files)).encode()).hexdigest()
