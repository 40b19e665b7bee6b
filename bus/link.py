"""The pipe between the launcher's process and the broker's: small messages, both ways."""

from __future__ import annotations

import os
import select
from typing import Any

import msgpack

from bus.wire import pack

_CHUNK = 65536


class Link:
    """One end of a two-way pipe.

    Attributes:
        closed: whether the other side is gone.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._unpacker = msgpack.Unpacker(use_list=False, strict_map_key=False)
        os.set_blocking(reading, False)
        self.closed = False

    @staticmethod
    def pair() -> tuple[Link, Link]:
        """Make both ends; after a fork each side keeps one and closes the other."""
        there_r, here_w = os.pipe()
        here_r, there_w = os.pipe()
        return Link(here_r, here_w), Link(there_r, there_w)

    def fileno(self) -> int:
        """The descriptor to wait on for ``receive``."""
        return self._reading

    def send(self, *parts: Any) -> None:
        """Send one message; says nothing when nobody is there to hear."""
        data = memoryview(pack(*parts))
        try:
            while data:
                data = data[os.write(self._writing, data) :]
        except BrokenPipeError:
            self.closed = True

    def receive(self) -> list[tuple[Any, ...]]:
        """Give the messages that have arrived; never waits."""
        while not self.closed:
            try:
                data = os.read(self._reading, _CHUNK)
            except BlockingIOError:
                break
            if not data:
                self.closed = True
                break
            self._unpacker.feed(data)
        return list(self._unpacker)

    def wait(self, timeout: float) -> bool:
        """Wait until something has arrived; at most so many wall seconds."""
        return bool(select.select([self._reading], [], [], timeout)[0])

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        os.close(self._reading)
        os.close(self._writing)
