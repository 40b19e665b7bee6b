"""``Crowd``: limits for a server that another library runs in this process, as Foxglove's SDK.

The SDK takes any number of connections, keeps silent ones, stops to accept at the limit of open
files, holds up to 64 MiB of what each sends, and any number of channels that one advertises.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from steerageway.bus import allow_files, borrowed, shut

MOST_CONNECTIONS = 64
LARGEST = 1 << 30  # bytes that connections may add to this process
FILES = 4096  # that this process may open, so that a crowd of one look leaves some
_OPEN, _SIZE = Path("/dev/fd"), Path("/proc/self/statm")


class Crowd:
    """The connections at a port of this process.

    Args:
        port: of the server.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._known: dict[tuple[int, object], None] = {}  # descriptor and peer, the oldest first
        self._most = _size() + LARGEST
        allow_files(FILES)

    def limit(self) -> None:
        """Close the oldest of too many connections; begin this program anew if it is too large."""
        present = self._present()
        self._known = {one: None for one in self._known if one in present} | present
        self._close(len(self._known) - MOST_CONNECTIONS)
        if _size() > self._most:  # Foxglove connects again by itself
            print("Foxglove: a client has sent too much; all are disconnected", file=sys.stderr)
            command = [sys.executable, *sys.orig_argv[1:], "--port", str(self._port)]
            os.execv(sys.executable, command)

    def close(self) -> None:
        """Close all connections: the SDK would wait for the silent ones."""
        self._known = self._present()
        self._close(len(self._known))

    def _close(self, number: int) -> None:
        for one in list(self._known)[: max(number, 0)]:
            del self._known[one]
            shut(one[0], self._port)

    def _present(self) -> dict[tuple[int, object], None]:
        found: dict[tuple[int, object], None] = {}
        for file in os.listdir(_OPEN) if _OPEN.is_dir() else ():
            # It may be none of a connection, or of another family.
            with suppress(OSError, IndexError), borrowed(int(file)) as one:
                if one.getsockname()[1] == self._port:
                    found[int(file), one.getpeername()] = None
        return found


def _size() -> int:
    """Return how large this process is [bytes]; 0 where the system does not tell."""
    if not _SIZE.exists():
        return 0
    return int(_SIZE.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
