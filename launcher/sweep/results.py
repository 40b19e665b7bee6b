"""Results folder of a sweep: rows of finished runs, their output and logs, and continuation."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from steerageway.declarations import json_of, write_whole
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.files import Inputs
from steerageway.launcher.sweep.journal import Journal
from steerageway.launcher.sweep.runs import Run, Sweep

PARTS = ("file", "options", "values of")  # of what identifies a sweep, as ``about`` names them
MOST_CHANGES = 5  # limit of those that are named
_NAMES = {"pokes": "set", "buttons": "button", "stop_at": "for"}  # fields named unlike options
_OF_NO_ROW: dict[str, Any] = {
    "json": "",
    "log": None,
    "no_log": False,
    "jobs": 0,
    "scheduler": "",
    "results": None,
    "worst": None,
    "by": "",
    "table": "",
    "memory_limit": 0,
    "log_budget": 0,
    "find_failure": None,
    "allow_unknown": False,
}
"""Options that change no row, and what stands for them in a digest."""
ROWS, ABOUT, RUNS = "rows.jsonl", "sweep.json", "runs"


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
        self._about = about(sweep, inputs)
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
            if not there.name.startswith(".") and not _is_empty_start(there):
                what = f"expected a new or empty folder; {there.name} is there"
                raise LaunchError(f"--results {self.folder}: {what}")

    def _check(self, sweep: Sweep) -> None:
        path = self.folder / ABOUT
        if not path.exists():
            write_whole(path, json.dumps(self._about, indent=1) + "\n")
            return
        there = _read(path)
        if there.get("digest") != self._about["digest"]:
            what = f"contains another sweep: {'; '.join(_changes(there, self._about))}"
            expected = f"expected a new folder, as --results {self.folder}-2, or this one deleted"
            raise LaunchError(f"--results {self.folder}: {what}; {expected}")


def _read(path: Path) -> dict[str, Any]:
    """Return what a sweep's file says; nothing if the file is damaged."""
    try:
        there = json_of(path.read_bytes())
    except ValueError:
        return {}
    return there if isinstance(there, dict) else {}


def _changes(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Return what differs between a sweep's file and a sweep: files, options and factors."""
    found = []
    for kind in PARTS:
        old, new = (one.get(kind) for one in (there, here))
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        for name in [name for name in {**old, **new} if old.get(name) != new.get(name)]:
            if kind == "options":
                found.append(f"{name}: was {old.get(name) or 'absent'}, is {new.get(name)}")
            else:
                how = "is new" if name not in old else "is gone" if name not in new else "changed"
                found.append(f"{kind} {name} {how}")
    most = [*found[:MOST_CHANGES], f"and {len(found) - MOST_CHANGES} more changes"]
    return (most if len(found) > MOST_CHANGES else found) or [f"{ABOUT} does not say which"]


def _is_empty_start(path: Path) -> bool:
    """Whether this is an empty file of rows or folder of runs, which a sweep creates first."""
    if path.name == RUNS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == ROWS and not path.stat().st_size


def about(sweep: Sweep, inputs: Inputs) -> dict[str, Any]:
    """Return what identifies a sweep: a digest of its runs and their files, and its parts."""
    same = replace(sweep.command(sweep.runs[0]), **_OF_NO_ROW)
    found = sha256(repr((same, sweep.record, inputs.digest)).encode())
    columns = {name: sha256() for name in (*sweep.columns, "seed")}
    for run in sweep.runs:
        found.update(repr(run).encode())
        for name, values in columns.items():
            values.update(f"{run.values.get(name, run.seed)}\0".encode())
    shared = replace(sweep.command(replace(sweep.runs[0], arguments=())), **_OF_NO_ROW)
    options = {f.name: getattr(shared, f.name) for f in fields(shared) if f.name != "seed"}
    named = {_NAMES.get(name, name.replace("_", "-")): value for name, value in options.items()}
    shown = {f"--{name}": _shown(value) for name, value in named.items()}
    shown |= {"record": _shown(sweep.record), "cases": str(len(sweep.runs))}
    return {
        "digest": found.hexdigest(),
        "command": ["steerageway", "run", *sweep.arguments[len(sweep.fixed) :]],
        "cases": len(sweep.runs),
        "options": {name: value for name, value in shown.items() if value},
        "values of": {name: values.hexdigest() for name, values in columns.items()},
        "file": inputs.digests,
    }


def _shown(value: object) -> str:
    """Return the value of an option as text; "" for one that is not given."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value in (None, False, 0, "") else str(value)
