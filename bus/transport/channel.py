"""``Channel``: frames between processes of this machine, over a stream socket.

Unlike with ZeroMQ, no thread stands between the two: the system switches directly from the sender
to the waiting receiver, so a round trip is almost twice as fast (``benchmarks/transport.py``).
"""

from __future__ import annotations

import select
import socket
import struct
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgpack

from steerageway.bus.transport.group_channel import Wait, blocking, frames_of
from steerageway.bus.transport.wire import pack

_CHUNK = 1 << 18


class Channel:
    """One end of a connected stream of frames.

    Attributes:
        closed: whether the other end is closed.
    """

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream
        self._poll = select.poll()
        self._poll.register(stream, select.POLLIN)
        self._unpacker = msgpack.Unpacker(use_list=False, strict_map_key=False, max_buffer_size=0)
        self._unsent = bytearray()
        self._unread: deque[tuple[Any, ...]] = deque()
        self.closed = False

    @classmethod
    def connect(cls, path: str) -> Channel:
        """Connect to a listening socket.

        Raises:
            OSError: no process listens there.
        """
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            stream.connect(path)
        except OSError:
            stream.close()
            raise
        return cls(stream)

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """Create both ends at once, before a fork."""
        here, there = socket.socketpair()
        return cls(here), cls(there)

    def limit_wait(self, seconds: float) -> None:
        """Let a waiting ``receive`` return nothing after so many wall seconds."""
        whole = int(seconds)
        interval = struct.pack("@ll", whole, round((seconds - whole) * 1e6))
        self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, interval)

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self._stream.fileno()

    def send(self, *parts: Any) -> None:
        """Send a frame, waiting for room; does nothing if the other end is closed."""
        try:
            self._stream.sendall(pack(*parts))
        except (BrokenPipeError, ConnectionResetError):
            self.closed = True

    def offer(self, *parts: Any) -> bool:
        """Send a frame without waiting; what a full socket does not take is kept for ``flush``.

        Returns: whether everything was sent.
        """
        self._unsent += pack(*parts)
        return self.flush()

    def flush(self) -> bool:
        """Send what was kept; return whether everything was sent."""
        while self._unsent and not self.closed:
            try:
                with memoryview(self._unsent) as unsent:
                    sent = self._stream.send(unsent, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except (BrokenPipeError, ConnectionResetError):
                sent = len(self._unsent)  # drop the rest; what the peer sent is still to be read
            del self._unsent[:sent]
        return True

    def readable(self) -> bool:
        """Whether there is something to read; costs a third of a ``receive`` that finds nothing."""
        return bool(self._poll.poll(0))

    def receive(self, *, wait: bool = False) -> list[tuple[Any, ...]]:
        """Read once and return the complete frames."""
        try:
            data = self._stream.recv(_CHUNK, 0 if wait else socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        except ConnectionResetError:
            data = b""
        self.closed = self.closed or not data
        self._unpacker.feed(data)
        return list(self._unpacker)

    def frames(self, wait: Wait = blocking) -> Iterator[tuple[Any, ...]]:
        """Yield frames until the other end is closed; a new call continues where the last stopped.

        Args:
            wait: returns the next frames: blocking until they come, or spinning (``SpinWait``).
        """
        return frames_of(self, self._unread, wait)

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        self._stream.close()
