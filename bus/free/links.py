"""``Links``: shares between a free run and communities of other runs, over ZeroMQ.

Each ``Input`` with a port is a bound socket, each route at which no community of the run listens a
connected one. A message is lost when nobody listens; links reconnect when the other side returns.
Beyond this machine they are encrypted: an input accepts those whose keys are allowed
(``bus.transport.keys``), an output needs ``peers/HOST.key``, the file made for it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import zmq

from steerageway.bus.core.clock import FreeClock
from steerageway.bus.core.context import terminate
from steerageway.bus.core.errors import ConfigError, WireError
from steerageway.bus.core.runtime import is_loopback
from steerageway.bus.core.shares import Copy, Inlet
from steerageway.bus.transport.keys import read_keys
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.wire import (
    PROTOCOL,
    check_name,
    check_post,
    pack,
    take_apart,
    unpack_foreign,
)

MOST_UNSENT = 10_000  # frames that wait for a link before more are lost
MOST_AT_ONCE, FRAME = 1 << 23, 64  # bytes taken in by one look; of a frame beside its content
RECONNECT = 50  # ms between attempts
PULSE, SILENCE = 1000, 3000  # ms between heartbeats, and without one until a link is given up

Relayed = tuple[str, Any, float, str, str, str]  # name, value, time, aux, source, community


class Links:
    """The sockets of one app that sends to or receives from other runs.

    Attributes:
        lost: messages that could not be sent.
    """

    def __init__(self, inlets: Sequence[Inlet], clock: FreeClock, keys: Path | None) -> None:
        """Open the inputs.

        Args:
            inlets: addresses at which others may send; groups exist only within a run.
            clock: the run's; messages carry UTC, as runs have times of their own.
            keys: folder of keys, see ``bus.transport.keys``.
        Raises:
            ServerError: a port is in use, or lies beyond this machine and there are no keys.
        """
        self.lost = 0
        self._clock = clock
        self._keys = keys
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._outputs: dict[str, zmq.Socket[bytes]] = {}
        self._inputs: list[tuple[Inlet, ServerSocket, zmq.Context[zmq.Socket[bytes]]]] = []
        for inlet in inlets:
            host, colon, port = inlet.address.rpartition(":")
            if colon:
                context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
                host = "127.0.0.1" if host == "localhost" else host
                beyond = None if is_loopback(host) else keys
                server_socket = ServerSocket(context, host, int(port), beyond)
                self._inputs.append((inlet, server_socket, context))

    def send(self, address: str, copies: Sequence[Copy]) -> str:
        """Send messages to an address; return why they were lost, "" if they were not."""
        if ":" not in address:
            self.lost += len(copies)
            return f"{address}: a group reaches communities of its own run only"
        try:
            output = self._outputs.get(address) or self._connect(address)
            origin, warp = self._clock.origin, self._clock.warp
            rows = [
                (name, value, origin + time / warp, aux, source, community)
                for _, name, value, time, source, aux, community in copies
            ]
            output.send(pack("share", PROTOCOL, rows), zmq.NOBLOCK)
        except ConfigError as error:
            self.lost += len(copies)
            return f"{address}: beyond this machine shares need a key: {error}"
        except zmq.Again:
            self.lost += len(copies)
            return f"{address}: nobody listens there in free run"
        return ""

    def receive(self, refused: Callable[[WireError], object]) -> Iterator[Relayed]:
        """Yield received messages, with times of this run: what comes without end waits.

        Args:
            refused: is told of each frame that is no share.
        """
        for inlet, server_socket, _ in self._inputs:
            server_socket.poll()
            server_socket.ended.clear()  # these frames belong to no session
            taken = 0
            while taken < MOST_AT_ONCE and server_socket.socket.poll(0):
                part = server_socket.socket.recv_multipart(copy=False)[-1]
                taken += len(frame := part.bytes) + FRAME
                try:
                    yield from list(self._read(inlet, frame))
                    server_socket.keep(server_socket.connection_of(part))
                except WireError as error:
                    refused(error)

    def close(self) -> None:
        """Close everything; what was not sent yet is lost."""
        for _, server_socket, context in self._inputs:
            server_socket.close(0)
            terminate(context)
        for output in self._outputs.values():
            output.close(0)
        terminate(self._context)

    def _connect(self, address: str) -> zmq.Socket[bytes]:
        """Connect in the background.

        Raises:
            ConfigError: it is beyond this machine and has no key.
        """
        output = self._context.socket(zmq.DEALER)
        options = {
            zmq.IMMEDIATE: 1,
            zmq.SNDHWM: MOST_UNSENT,
            zmq.RECONNECT_IVL: RECONNECT,
            zmq.HEARTBEAT_IVL: PULSE,
            zmq.HEARTBEAT_TIMEOUT: SILENCE,
            zmq.LINGER: 0,
        }
        for option, value in options.items():
            output.setsockopt(option, value)
        host = address.rpartition(":")[0]
        try:
            if not is_loopback(host):
                pair = read_keys((self._keys or Path("KEYS")) / "peers" / f"{host}.key")
                output.setsockopt(zmq.CURVE_PUBLICKEY, pair.public)
                output.setsockopt(zmq.CURVE_SECRETKEY, pair.secret)
                output.setsockopt(zmq.CURVE_SERVERKEY, pair.server)
            output.connect(f"tcp://{address.replace('localhost', '127.0.0.1')}")
        except BaseException:
            output.close(0)
            raise
        self._outputs[address] = output
        return output

    def _read(self, inlet: Inlet, frame: bytes) -> Iterator[Relayed]:
        parts = unpack_foreign(frame)
        if parts[0] != "share":
            raise WireError(f"{parts[0]}: expected a share")
        version, rows = take_apart(parts, int, tuple)
        if version != PROTOCOL:
            raise WireError(f"share: version {version}, expected {PROTOCOL}")
        for row in rows:
            if not isinstance(row, tuple) or len(row) != 6:
                raise WireError("share: a message is [name, value, utc, aux, source, community]")
            name, value, utc, aux = check_post(row[:4])
            if utc is None:
                raise WireError(f"{name}: expected a share with the UTC of its post")
            if inlet.admits(name):
                time = (utc - self._clock.origin) * self._clock.warp
                yield name, value, time, aux, check_name(row[4]), check_name(row[5])
