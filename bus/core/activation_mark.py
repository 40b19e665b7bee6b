"""Activation mark: the app and instant a host process is at, readable after it died.

The mark is kept in a memory-mapped file of the run's folder: it outlives the process, and writing
it costs no system call. A host makes it without ``pathlib``, see ``host.set_up_host``.
"""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path

_LAYOUT = struct.Struct("=qq")
_NOTHING = (-1, -1)  # rank and instant before the first activation


class ActivationMark:
    """Write side, in the host process."""

    def __init__(self, folder: str, pid: int) -> None:
        file = os.open(f"{folder}/{_name(pid)}", os.O_RDWR | os.O_CREAT, 0o600)
        os.write(file, _LAYOUT.pack(*_NOTHING))
        self._map = mmap.mmap(file, _LAYOUT.size)
        os.close(file)

    def note(self, rank: int, instant: int) -> None:
        """Record that the activation of an app at an instant [ns] begins."""
        _LAYOUT.pack_into(self._map, 0, rank, instant)


def read_activation(folder: Path, pid: int) -> tuple[int, int]:
    """Return the rank and instant [ns] that a process recorded last; (-1, -1) if there is none."""
    try:
        rank, instant = _LAYOUT.unpack((folder / _name(pid)).read_bytes())
    except (FileNotFoundError, struct.error):  # file not written yet, or not all of it
        return _NOTHING
    return rank, instant


def _name(pid: int) -> str:
    return f"turn-{pid}"
