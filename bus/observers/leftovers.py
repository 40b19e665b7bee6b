"""Temporary folders of runs, and removal of those that killed runs have left.

A run holds a lock on a file in its folder; the system releases it when the last of its processes
has ended, in whatever way. So a folder whose lock is free belongs to no run. Without such locks
(Windows), no folder counts as left.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import rmtree

from steerageway.bus.core.runtime import runtime_folder
from steerageway.bus.observers.run_file import is_left

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

PREFIX = "steerageway-"
LOCK = "lock"
LONGEST_PLACE = 70  # bytes: a socket's path has at most 107, on some systems 103
SHORT_PLACE = "/tmp"


class OwnFolder:
    """This run's folder in the system's temporary folder.

    Attributes:
        path: where it is.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_place()))
        fresh = self.path / f".{LOCK}"
        self._lock = fresh.open("w")
        if fcntl is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            fresh.rename(self.path / LOCK)  # visible to others only once locked

    def remove(self) -> None:
        """Remove the folder with its contents."""
        if fcntl is None:
            self._lock.close()  # Windows removes no open file
        rmtree(self.path, ignore_errors=True)
        self._lock.close()


def clear_leftovers() -> None:
    """Remove folders and run files of killed runs."""
    with suppress(OSError), os.scandir(_place()) as entries:
        for entry in [e for e in entries if e.name.startswith(PREFIX)]:
            if _is_unlocked(Path(entry.path) / LOCK):
                rmtree(entry.path, ignore_errors=True)  # another launch may be removing it, too
    for path in runtime_folder().glob("*.json"):
        if is_left(path):
            path.unlink(missing_ok=True)


def _place() -> str:
    """Return the temporary folder, or a shorter path if a socket's path would be too long."""
    place = tempfile.gettempdir()
    return place if len(os.fsencode(place)) <= LONGEST_PLACE else SHORT_PLACE


def _is_unlocked(lock: Path) -> bool:
    """Whether a folder's lock is free; not if it has none or is another user's."""
    if fcntl is None:
        return False
    try:
        with lock.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
