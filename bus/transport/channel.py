"""Frames between processes of one run, over a stream socket of this machine.

The grants of lockstep go this way rather than through the broker's ZeroMQ socket: a round trip
costs a fifth, for no thread stands between (``benchmarks/channel.py`` measures both).
"""

from __future__ import annotations

import select
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import msgpack

from steerageway.bus.transport.wire import pack

_CHUNK = 1 << 18


def blocking(channel: Channel) -> list[tuple[Any, ...]]:
    """Give the next frames of a channel, sleeping until they come."""
    return channel.receive(wait=True)


Wait = Callable[["Channel"], list[tuple[Any, ...]]]


class Channel:
    """One end of a connected stream of frames.

    Attributes:
        closed: whether the other side is gone.
    """

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream
        self._poll = select.poll()
        self._poll.register(stream, select.POLLIN)
        self._unpacker = msgpack.Unpacker(use_list=False, strict_map_key=False, max_buffer_size=0)
        self._unsent: deque[memoryview] = deque()
        self._unread: deque[tuple[Any, ...]] = deque()
        self.closed = False

    @classmethod
    def connect(cls, path: str) -> Channel:
        """Connect to a listening socket.

        Raises:
            OSError: nobody listens there.
        """
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        stream.connect(path)
        return cls(stream)

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """Make both ends at once, for a fork."""
        here, there = socket.socketpair()
        return cls(here), cls(there)

    def limit_wait(self, seconds: float) -> None:
        """Let a waiting ``receive`` come back empty after so many wall seconds."""
        whole = int(seconds)
        interval = struct.pack("@ll", whole, round((seconds - whole) * 1e6))
        self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, interval)

    def fileno(self) -> int:
        """The descriptor to wait on."""
        return self._stream.fileno()

    def send(self, *parts: Any) -> None:
        """Send a frame, waiting for room; says nothing when nobody is there to hear."""
        try:
            self._stream.sendall(pack(*parts))
        except (BrokenPipeError, ConnectionResetError):
            self.closed = True

    def offer(self, *parts: Any) -> bool:
        """Send a frame; what a full socket does not take is kept for ``flush``.

        Returns: whether nothing is left.
        """
        self._unsent.append(memoryview(pack(*parts)))
        return self.flush()

    def flush(self) -> bool:
        """Send what is kept; give whether nothing is left."""
        unsent = self._unsent
        while unsent and not self.closed:
            rest = unsent[0]
            try:
                sent = self._stream.send(rest, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except (BrokenPipeError, ConnectionResetError):
                self.closed = True
                break
            if sent < len(rest):
                unsent[0] = rest[sent:]  # a view: what a large frame is sent in need not be copied
            else:
                unsent.popleft()
        return True

    def readable(self) -> bool:
        """Whether there is something to read; takes a third of a ``receive`` that finds nothing."""
        return bool(self._poll.poll(0))

    def receive(self, *, wait: bool = False) -> list[tuple[Any, ...]]:
        """Read once and give the frames that are whole."""
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
        """Give frames as they come, until the other side is gone; who stops, may go on later.

        Args:
            wait: gives the next ones: blocking until they come, or spinning (``SpinWait``).
        """
        while self._unread or not self.closed:
            if self._unread:
                yield self._unread.popleft()
            else:
                self._unread += wait(self)

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        self._stream.close()
