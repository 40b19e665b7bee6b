"""Folders of runs for what is theirs while they go on, and what killed runs have left of that.

A run holds a lock on a file in its folder; the system lets go of it when the last of its processes
has ended, however that came. So a folder whose lock can be had is nobody's. Where there are no such
locks (Windows), nothing is taken for left.
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
LONGEST_PLACE = 70  # bytes: a socket's path is 107 at most, on some systems 103
SHORT_PLACE = "/tmp"


class OwnFolder:
    """A folder of this run, in the system's place for such.

    Attributes:
        path: where it is.
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=_place()))
        fresh = self.path / f".{LOCK}"
        self._lock = fresh.open("w")
        if fcntl is not None:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            fresh.rename(self.path / LOCK)  # seen by others only when it is held

    def remove(self) -> None:
        """Remove it, with everything in it."""
        if fcntl is None:
            self._lock.close()  # a file that is open cannot be removed there
        rmtree(self.path, ignore_errors=True)
        self._lock.close()


def clear_leftovers() -> None:
    """Remove what runs that were killed have left: folders, and what tells consoles of them."""
    with suppress(OSError), os.scandir(_place()) as entries:
        for entry in [e for e in entries if e.name.startswith(PREFIX)]:
            if _is_nobodys(Path(entry.path) / LOCK):
                rmtree(entry.path, ignore_errors=True)  # another launch may be at it, too
    for path in runtime_folder().glob("*.json"):
        if is_left(path):
            path.unlink(missing_ok=True)


def _place() -> str:
    """Return the system's place for such folders; another if a socket in it could have no name."""
    place = tempfile.gettempdir()
    return place if len(os.fsencode(place)) <= LONGEST_PLACE else SHORT_PLACE


def _is_nobodys(lock: Path) -> bool:
    """Whether a folder's lock can be had; not where there is none, or it is another user's."""
    if fcntl is None:
        return False
    try:
        with lock.open("r+") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
