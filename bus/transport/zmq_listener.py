"""``ZmqListener``: the coordinator's end of the ZeroMQ connections, one ROUTER socket for all."""

from __future__ import annotations

from collections import deque
from math import ceil
from pathlib import Path

import zmq

from steerageway.bus.core.context import terminate
from steerageway.bus.core.errors import WireError
from steerageway.bus.core.runtime import is_address
from steerageway.bus.transport.group_channel import Frame
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.spin_wait import SpinWait
from steerageway.bus.transport.wire import pack, unpack
from steerageway.bus.transport.zmq_channel import LINGER, MOST_UNSENT

EVENTS = 64  # reads between two checks for peers that left, under constant traffic
RETRY = 2  # ms until unsent frames are tried again

_FIRST = zmq.DONTWAIT | zmq.SNDMORE

Arrivals = list[tuple[bytes, Frame | None]]


class ZmqListener:
    """Implements ``GroupListener``; a peer is its routing id.

    ZeroMQ's monitor names an ended connection by its descriptor only; which peer used it is known
    from the peer's first message. Descriptors are reused once closed; so the monitor's events,
    which are in order, are read before a new peer is assigned its descriptor.
    """

    def __init__(self, path: str, host: str, port: int | None, keys: Path | None = None) -> None:
        """Bind.

        Args:
            path: of the socket file for the run's own processes.
            host: address for others by TCP, see ``ServerSocket``.
            port: for them; 0 for any free one; None for none.
            keys: folder of keys, see ``bus.transport.keys``.
        Raises:
            ServerError: the port cannot be bound.
        """
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._server = ServerSocket(
            self._context,
            host,
            port,
            keys,
            local=f"ipc://{path}",
            watched=True,
            most_unread=MOST_UNSENT,
        )
        self.apps_at = "" if self._server.port is None else f"tcp://*:{self._server.port}"
        self._socket = self._server.socket
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._server.monitor, zmq.POLLIN)
        self._spin = SpinWait()
        self._received = 0
        self._local: dict[bytes, bool] = {}
        self._peers: dict[int, bytes | None] = {}  # by descriptor; None until its first message
        self._gone: list[bytes] = []  # peers that have left since the last ``receive``
        self._unsent: dict[bytes, deque[bytes]] = {}

    def receive(self, timeout: float, awaited: bytes | None = None) -> Arrivals:
        """Wait for frames, spinning at first if an answer is awaited."""
        for peer in self._gone:
            del self._local[peer]
        self._gone.clear()
        self._flush()
        self._received += 1
        seen = awaited is not None and self._spin.poll(self._readable)
        if not seen:
            limit = ceil(timeout * 1000)
            self._poller.poll(min(limit, RETRY) if self._unsent else limit)
        if not seen or self._received % EVENTS == 0:
            self._note_events()
        return self._read()

    def send(self, peer: bytes, *parts: object) -> None:
        """Send a frame without waiting."""
        frame = pack(*parts)
        if peer in self._unsent or not self._offer(peer, frame):
            self._unsent.setdefault(peer, deque()).append(frame)

    def is_local(self, peer: bytes) -> bool:
        """Whether a peer connected through the socket file, not by TCP."""
        return self._local[peer]

    def close(self) -> None:
        """Close; sent frames get a second to go out."""
        if self._socket.closed:
            return
        self._flush()
        self._server.close(LINGER)
        terminate(self._context, LINGER)

    def _offer(self, peer: bytes, frame: bytes) -> bool:
        """Send a frame; return False if there is no room. A frame to a gone peer counts as sent."""
        try:
            self._socket.send(peer, _FIRST)
            self._socket.send(frame, zmq.DONTWAIT)
        except zmq.Again:
            return False
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:
                raise
        return True

    def _flush(self) -> None:
        """Send the waiting frames, as far as there is room."""
        for peer, frames in list(self._unsent.items()):
            while frames and self._offer(peer, frames[0]):
                frames.popleft()
            if not frames:
                del self._unsent[peer]

    def _readable(self) -> bool:
        """Whether a frame has come."""
        return bool(int(self._socket.get(zmq.EVENTS)) & zmq.POLLIN)

    def _read(self) -> Arrivals:
        """Return the frames that have arrived, followed by the peers that have left."""
        arrivals: Arrivals = []
        while self._readable():
            peer = self._socket.recv()
            if peer in self._local:
                packed = self._socket.recv()
            else:
                message = self._socket.recv(copy=False)
                self._note_newcomer(peer, message)
                packed = message.bytes
            try:
                arrivals.append((peer, unpack(packed)))
            except WireError as error:
                self.send(peer, "refused", str(error))
        return arrivals + [(peer, None) for peer in self._gone]

    def _note_newcomer(self, peer: bytes, message: zmq.Frame) -> None:
        """Record a peer's descriptor, and whether it is local, with its first message."""
        self._local[peer] = not is_address(str(message.get("Peer-Address")))
        self._note_events()
        descriptor = message.get(zmq.SRCFD)
        if descriptor not in self._peers:
            self._gone.append(peer)
            return
        former, self._peers[descriptor] = self._peers[descriptor], peer
        if former is not None:  # both ended before the first was known
            self._gone.append(former)

    def _note_events(self) -> None:
        """Record who has connected and left; frames sent before are to be read after this."""
        self._server.poll()
        for came, descriptor in self._server.events:
            if came:
                self._peers[descriptor] = None
            elif (peer := self._peers.pop(descriptor, None)) is not None:
                self._gone.append(peer)
        self._server.events.clear()
