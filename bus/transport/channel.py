"""``Channel``: frames between processes of this machine: ZeroMQ's protocol on a stream socket.

A group's process holds one end, which is a DEALER; the coordinator holds the other, one of those of
its ``Listener``, a ROUTER. Frames arrive whole and in order, none is lost while both processes
live, and those that a process sent before it ended arrive before the notice that it is gone. A
group that sends more than is read waits; the coordinator never does, so that the two cannot wait
for each other.
"""

from __future__ import annotations

import select
import socket
import struct
from collections import deque
from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

from steerageway.bus.transport.wire import pack, unpack
from steerageway.bus.transport.zmtp import DEALER, ROUTER, Decoder, head, opening

Frame = tuple[Any, ...]
"""What is sent at once: its kind, and its contents."""

SCHEME = "ipc://"
_CHUNK = 1 << 18


class Channel:
    """One end of a connection.

    Attributes:
        closed: whether the other end is closed.
    """

    def __init__(self, stream: socket.socket, kind: bytes) -> None:
        """Take a connected socket, and introduce this end as a ZeroMQ socket of this type."""
        self._stream = stream
        self._poll = select.poll()
        self._poll.register(stream, select.POLLIN)
        self._longest_sleep: int | None = None  # ms
        self._decoder = Decoder()
        self._unsent = bytearray()
        self._unread: deque[Frame] = deque()
        self.closed = False
        self._send_all(opening(kind))

    @classmethod
    def connect(cls, address: str) -> Channel:
        """Connect a group to the coordinator.

        Args:
            address: see ``listener.address_in``.
        Raises:
            OSError: no process listens there.
            WireError: it does not speak ZeroMQ's protocol.
        """
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            stream.connect(address.removeprefix(SCHEME))
            channel = cls(stream, DEALER)
            # ZeroMQ's library ends a connection on which messages come before its own READY.
            while not channel._decoder.ready:
                channel._unread += channel.receive(wait=True)
                if channel.closed:
                    raise ConnectionRefusedError(address)
        except BaseException:
            stream.close()
            raise
        return channel

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """Create both ends at once, before a fork."""
        ours, theirs = socket.socketpair()
        here, there = cls(ours, ROUTER), cls(theirs, DEALER)
        for end in (here, there):
            end.receive(wait=True)  # the other's introduction
        return here, there

    def limit_wait(self, seconds: float) -> None:
        """Let a waiting ``receive`` return nothing after so many wall seconds."""
        self._longest_sleep = ceil(seconds * 1000)
        whole = int(seconds)
        interval = struct.pack("@ll", whole, round((seconds - whole) * 1e6))
        self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, interval)

    def fileno(self) -> int:
        """Return the descriptor to wait on."""
        return self._stream.fileno()

    def send(self, *parts: Any) -> None:
        """Send a frame, waiting for room; does nothing if the other end is closed."""
        frame = pack(*parts)
        self._send_all(head(len(frame)) + frame)

    def offer(self, *parts: Any) -> bool:
        """Send a frame without waiting; what a full socket does not take is kept for ``flush``.

        Returns: whether everything was sent.
        """
        frame = pack(*parts)
        self._unsent += head(len(frame))
        self._unsent += frame
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

    def sleep(self) -> None:
        """Sleep until there is something to read.

        A process that waits in ``receive`` is also woken when the other end has read something,
        which costs processor time, and saves wall time if a frame follows at once.
        """
        self._poll.poll(self._longest_sleep)

    def receive(self, *, wait: bool = False) -> list[Frame]:
        """Read once and return the complete frames.

        Raises:
            WireError: what came is not of this protocol.
        """
        try:
            data = self._stream.recv(_CHUNK, 0 if wait else socket.MSG_DONTWAIT)
        except BlockingIOError:
            return []
        except ConnectionResetError:
            data = b""
        self.closed = self.closed or not data
        return [unpack(frame) for frame in self._decoder.feed(data)]

    def frames(self, wait: Wait | None = None) -> Iterator[Frame]:
        """Yield frames until the other end is closed; a new call continues where the last stopped.

        Args:
            wait: returns the next frames: ``blocking`` until they come, or spinning (``SpinWait``).
        """
        while self._unread or not self.closed:
            if self._unread:
                yield self._unread.popleft()
            else:
                self._unread += (wait or blocking)(self)

    def close(self) -> None:
        """Close this end."""
        self.closed = True
        self._stream.close()

    def _send_all(self, data: bytes) -> None:
        try:
            self._stream.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            self.closed = True


Wait = Callable[[Channel], list[Frame]]


def blocking(channel: Channel) -> list[Frame]:
    """Return the next frames of a channel, sleeping until they come."""
    channel.sleep()
    return channel.receive()
