"""Channels between a coordinator and groups on other machines: ZeroMQ over TCP, with a run's keys.

What ``Listener`` and ``Channel`` are for the processes of one machine. Frames arrive whole and in
order. A connection that has ended is not continued.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import ceil, inf
from pathlib import Path
from typing import Any

import zmq

from steerageway.bus.core.context import terminate
from steerageway.bus.core.errors import WireError
from steerageway.bus.transport.channel import Frame
from steerageway.bus.transport.connection import Connection
from steerageway.bus.transport.keys import add_client, make_server
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.wire import pack, unpack

LINGER = 2000  # ms that unsent frames get to go out at the end
LOOK = 1.0  # wall seconds between checks of the parent process
_FOLDER, _CLIENT = "keys", "worker"


class RemoteListener:
    """Accepts and serves groups that have the run's key.

    Attributes:
        address: where it listens, "host:port".
        keys: text of the groups' file of keys, made for this run.
    """

    def __init__(self, host: str, folder: Path) -> None:
        """Listen at any port.

        Args:
            host: address of this machine.
            folder: the run's own, for keys.
        Raises:
            ServerError: it cannot be bound.
        """
        make_server(folder / _FOLDER)
        self.keys = add_client(folder / _FOLDER, _CLIENT).read_text()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._server = ServerSocket(self._context, host, 0, folder / _FOLDER, own=True)
        self.address = f"{f'[{host}]' if ':' in host else host}:{self._server.port}"
        self._poller = zmq.Poller()
        self._poller.register(self._server.socket, zmq.POLLIN)
        self._peers: dict[int, bytes] = {}  # connection -> ZeroMQ's identity of its group

    def watch(self, descriptor: int) -> None:
        """Let ``receive`` end its wait early, without frames, when a descriptor is readable."""
        self._poller.register(descriptor, zmq.POLLIN)

    def receive(self, timeout: float, awaited: bytes | None = None) -> list[tuple[bytes, Any]]:
        """Wait for frames; return those that have arrived, each with its sender.

        Args:
            timeout: wall seconds to wait for the first.
            awaited: not used: one socket receives all.
        Returns: None in place of a frame means that its process has left.
        """
        self._poller.poll(ceil(timeout * 1000))
        self._server.poll()
        left = [self._peers.pop(one) for one in self._server.ended if one in self._peers]
        self._server.ended.clear()
        arrivals: list[tuple[bytes, Any]] = []
        # All of it: what a process sent before it left is here by now.
        while self._server.socket.poll(0):
            peer, frame = self._server.socket.recv_multipart(copy=False)
            sender = peer.bytes
            if sender not in self._peers.values() and sender not in left:
                connection = self._server.connection_of(frame)
                self._peers[connection] = sender
                self._server.keep(connection)
            try:
                arrivals.append((sender, unpack(frame.bytes)))
            except WireError as error:
                self.send(sender, "refused", str(error))
        return [*arrivals, *((peer, None) for peer in left)]

    def send(self, peer: bytes, *parts: Any) -> None:
        """Send a frame without waiting; does nothing if the peer has left."""
        try:
            self._server.socket.send_multipart((peer, pack(*parts)), zmq.NOBLOCK)
        except zmq.ZMQError as error:
            if error.errno != zmq.EHOSTUNREACH:
                raise

    def close(self) -> None:
        """Close, after what is unsent has gone out."""
        self._server.close(LINGER)
        terminate(self._context, LINGER)


class RemoteChannel:
    """A group's end."""

    def __init__(self, address: str, keys: Path, parent: int) -> None:
        """Connect in the background.

        Args:
            address: of the listener, "host:port".
            keys: a file of keys.
            parent: process id of this process's parent, which may have ended already.
        """
        self._connection = Connection(address, keys)
        self._parent = parent

    def send(self, *parts: Any) -> None:
        """Send a frame."""
        self._connection.send(*parts)

    def frames(self) -> Iterator[Frame]:
        """Yield frames, until the parent process ends."""
        while True:
            frame = self._connection.receive(LOOK, patience=inf)
            if frame is not None:
                yield frame
            elif os.getppid() != self._parent:
                return

    def close(self) -> None:
        """Close, after what is unsent has gone out."""
        self._connection.close(LINGER)
