"""``StreamListener``: the coordinator's end of the stream sockets, one for each group."""

from __future__ import annotations

import selectors
import socket
from typing import Any

from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.group_channel import Frame
from steerageway.bus.transport.spin_wait import SpinWait

TIMEOUT = 0.02  # wall seconds to wait for one group before checking the others
OTHERS = 5  # frames of awaited groups between two checks of the others

Arrivals = list[tuple[Channel, Frame | None]]


class StreamListener:
    """Implements ``GroupListener``."""

    def __init__(self, path: str) -> None:
        """Listen at a path, for processes of this user."""
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(socket.SOMAXCONN)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._spin = SpinWait()
        self._received = 0
        self.apps_at = f"unix://{path}"

    def receive(self, timeout: float, awaited: Channel | None = None) -> Arrivals:
        """Wait for frames.

        Waiting for one socket rather than for any lets the system switch directly from one process
        to the next, which halves the cost of a grant; the others are read now and then, or when it
        takes long.
        """
        arrivals: Arrivals = []
        self._received += 1
        if awaited is not None:
            self._read(awaited, arrivals, wait=True)
            timeout = 0.0
        # Under constant answers the others would starve otherwise.
        if not arrivals or self._received % OTHERS == 0:
            self._look(timeout, arrivals)
        return arrivals

    def send(self, peer: Channel, *parts: Any) -> None:
        """Send a frame without waiting."""
        if not peer.offer(*parts) and not peer.closed:
            both = selectors.EVENT_READ | selectors.EVENT_WRITE
            self._selector.modify(peer, both, peer)

    def is_local(self, peer: Channel) -> bool:
        """True: a peer can only connect through a file of this user."""
        return True

    def close(self) -> None:
        """Close every socket."""
        for key in list((self._selector.get_map() or {}).values()):
            if key.data is not None:
                key.data.close()
        self._selector.close()
        self._listener.close()

    def _look(self, timeout: float, arrivals: Arrivals) -> None:
        """Read what any group sends within so many wall seconds; accept new connections."""
        for key, events in self._selector.select(timeout):
            if key.data is None:
                self._accept()
                continue
            if events & selectors.EVENT_WRITE and key.data.flush():
                self._selector.modify(key.data, selectors.EVENT_READ, key.data)
            if events & selectors.EVENT_READ:
                self._read(key.data, arrivals, wait=False)

    def _accept(self) -> None:
        stream, _ = self._listener.accept()
        channel = Channel(stream)
        channel.limit_wait(TIMEOUT)
        self._selector.register(channel, selectors.EVENT_READ, channel)

    def _read(self, channel: Channel, arrivals: Arrivals, *, wait: bool) -> None:
        frames = self._spin.receive(channel) if wait else channel.receive()
        arrivals += [(channel, frame) for frame in frames]
        if channel.closed:
            self._selector.unregister(channel)
            channel.close()
            arrivals.append((channel, None))
