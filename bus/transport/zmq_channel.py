"""``ZmqChannel``: a group's end of a ZeroMQ connection to the coordinator, a DEALER socket."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zmq

from steerageway.bus.core.context import terminate
from steerageway.bus.transport.group_channel import Frame, Wait, blocking, frames_of
from steerageway.bus.transport.server_socket import HEARTBEAT, SILENCE
from steerageway.bus.transport.wire import pack, unpack

LINGER = 1000  # ms for sent frames to go out
MOST_UNSENT = 64  # frames that may wait before the sender waits
CONNECT_TIMEOUT = 5000  # ms
_EVENT = struct.Struct("=Hi")
_NOTED = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_CONNECT_RETRIED | zmq.EVENT_DISCONNECTED


class ZmqChannel:
    """Implements ``GroupChannel``.

    Attributes:
        closed: whether the coordinator is gone.
    """

    def __init__(self, address: str) -> None:
        """Connect.

        Args:
            address: "ipc://PATH" or "tcp://HOST:PORT".
        Raises:
            OSError: no process listens there.
        """
        if address.startswith("ipc://") and not Path(address.removeprefix("ipc://")).exists():
            raise FileNotFoundError(address)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.SNDHWM, MOST_UNSENT)
        self._socket.setsockopt(zmq.IPV6, int("[" in address))
        if address.startswith("tcp://"):
            self._socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
            self._socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, SILENCE)
        self._monitor = self._socket.get_monitor_socket(_NOTED)
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        self._unread: deque[Frame] = deque()
        self.closed = False
        self._socket.connect(address)
        if (
            not self._monitor.poll(CONNECT_TIMEOUT)
            or self._event() != zmq.EVENT_HANDSHAKE_SUCCEEDED
        ):
            self._close(0)
            raise ConnectionRefusedError(address)

    def send(self, *parts: Any) -> None:
        """Send a frame, waiting for room."""
        frame = pack(*parts)
        while not self.closed:
            try:
                self._socket.send(frame, zmq.DONTWAIT)
            except zmq.Again:
                self._poller.modify(self._socket, zmq.POLLOUT)
                self._note_end(self._poller.poll())
                self._poller.modify(self._socket, zmq.POLLIN)
            else:
                return

    def readable(self) -> bool:
        """Whether there is something to read."""
        return bool(int(self._socket.get(zmq.EVENTS)) & zmq.POLLIN)

    def receive(self, *, wait: bool = False) -> list[Frame]:
        """Return the frames that have arrived."""
        found = self._read()
        if not found and not self.closed:
            self._note_end(self._poller.poll(None if wait else 0))
            found = self._read()
        return found

    def frames(self, wait: Wait = blocking) -> Iterator[Frame]:
        """Yield frames until the coordinator is gone."""
        return frames_of(self, self._unread, wait)

    def close(self) -> None:
        """Close this end; sent frames get a second to go out."""
        self._close(0 if self.closed else LINGER)

    def _read(self) -> list[Frame]:
        found = []
        while not self._socket.closed and self.readable():
            found.append(unpack(self._socket.recv()))
        return found

    def _note_end(self, ready: list[tuple[Any, int]]) -> None:
        """Note the end of the connection; earlier frames are still to be read."""
        if any(socket is self._monitor for socket, _ in ready):
            self.closed = self._event() == zmq.EVENT_DISCONNECTED

    def _event(self) -> int:
        event, _ = _EVENT.unpack(self._monitor.recv_multipart()[0])
        return int(event)

    def _close(self, linger: int) -> None:
        self.closed = True
        if self._socket.closed:
            return
        self._socket.disable_monitor()
        self._monitor.close()
        self._socket.close(linger)
        terminate(self._context, linger)
