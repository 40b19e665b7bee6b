"""What a hosting process is at, for when it ends or hangs: which app, and at which instant.

It is kept in a file of the run's folder that is mapped into memory, so it outlives the process and
costs no system call.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_LAYOUT = struct.Struct("=qq")
_NOTHING = (-1, -1)


class ActivationMark:
    """The process's own side: notes whose activation it is."""

    def __init__(self, folder: Path, pid: int) -> None:
        path = _path(folder, pid)
        path.write_bytes(_LAYOUT.pack(*_NOTHING))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _LAYOUT.size)

    def note(self, rank: int, instant: int) -> None:
        """Note that an app's run at an instant [ns] begins."""
        _LAYOUT.pack_into(self._map, 0, rank, instant)


def read_activation(folder: Path, pid: int) -> tuple[int, int]:
    """Return the rank and the instant [ns] that a process noted last; -1 and -1 when it did not."""
    try:
        rank, instant = _LAYOUT.unpack(_path(folder, pid).read_bytes())
    except (FileNotFoundError, struct.error):  # it has not written its file, or not all of it
        return _NOTHING
    return rank, instant


def _path(folder: Path, pid: int) -> Path:
    return folder / f"turn-{pid}"
