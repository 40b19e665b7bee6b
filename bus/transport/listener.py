"""``Listener``: the coordinator's end of the channels to all groups: one ROUTER's connections."""

from __future__ import annotations

import selectors
import socket
from pathlib import Path
from typing import Any

from steerageway.bus.core.errors import WireError
from steerageway.bus.transport.channel import SCHEME, Channel, Frame, Wait, blocking
from steerageway.bus.transport.zmtp import ROUTER

TIMEOUT = 0.02  # wall seconds to wait for one group before checking the others
OTHERS = 5  # frames of awaited groups between two checks of the others
_WATCHED = "watched"
_SOCKET = "apps"  # name of the socket's file in a run's folder

Arrivals = list[tuple[Channel, Frame | None]]


def address_in(folder: Path) -> str:
    """Return the address at which a run's processes connect to the coordinator: ipc://PATH."""
    return f"{SCHEME}{folder / _SOCKET}"


def folder_of(address: str) -> str:
    """Return the run's folder of an address made by ``address_in``."""
    return address.removeprefix(SCHEME).removesuffix(f"/{_SOCKET}")


class Listener:
    """Accepts and serves groups: processes of this user, as the socket's file is in its folder.

    Attributes:
        address: where it listens.
    """

    def __init__(self, folder: Path, wait: Wait = blocking) -> None:
        """Listen in a run's folder.

        Args:
            folder: the run's.
            wait: how ``receive`` waits for an awaited group.
        """
        self.address = address_in(folder)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.address.removeprefix(SCHEME))
        self._listener.listen(socket.SOMAXCONN)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        self._wait = wait
        self._received = 0

    def watch(self, descriptor: int) -> None:
        """Let ``receive`` end its wait early, without frames, when a descriptor is readable."""
        self._selector.register(descriptor, selectors.EVENT_READ, _WATCHED)

    def receive(self, timeout: float, awaited: Channel | None = None) -> Arrivals:
        """Wait for frames; return those that have arrived, each with its sender.

        Waiting for one socket rather than for any lets the system switch directly from one process
        to the next, which halves the cost of a grant; the others are read now and then, or when it
        takes long.

        Args:
            timeout: wall seconds to wait for the first.
            awaited: whose answer is needed most.
        Returns: None in place of a frame means that its process has left.
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
        """Send a frame without waiting: what there is no room for now is sent later."""
        if not peer.offer(*parts) and not peer.closed:
            both = selectors.EVENT_READ | selectors.EVENT_WRITE
            self._selector.modify(peer, both, peer)

    def close(self) -> None:
        """Close every channel; a process that reads late may find only the end."""
        for key in list((self._selector.get_map() or {}).values()):
            if isinstance(key.data, Channel):
                key.data.close()
        self._selector.close()
        self._listener.close()

    def _look(self, timeout: float, arrivals: Arrivals) -> None:
        """Read what any group sends within so many wall seconds; accept new connections."""
        for key, events in self._selector.select(timeout):
            if key.data is None:
                self._accept()
            if not isinstance(key.data, Channel):
                continue
            if events & selectors.EVENT_WRITE and key.data.flush():
                self._selector.modify(key.data, selectors.EVENT_READ, key.data)
            if events & selectors.EVENT_READ:
                self._read(key.data, arrivals, wait=False)

    def _accept(self) -> None:
        stream, _ = self._listener.accept()
        channel = Channel(stream, ROUTER)
        channel.limit_wait(TIMEOUT)
        self._selector.register(channel, selectors.EVENT_READ, channel)

    def _read(self, channel: Channel, arrivals: Arrivals, *, wait: bool) -> None:
        try:
            frames = self._wait(channel) if wait else channel.receive()
            arrivals += [(channel, frame) for frame in frames]
        except WireError as error:
            channel.offer("refused", str(error))
            channel.closed = True
        if channel.closed:
            self._selector.unregister(channel)
            channel.close()
            arrivals.append((channel, None))
