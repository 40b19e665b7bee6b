"""``Connection``: a client's socket to the broker: frames out and in, and detection of silence."""

from __future__ import annotations

from math import ceil
from pathlib import Path
from typing import Any

import zmq

from steerageway.bus.core.clock import wall
from steerageway.bus.core.context import shared_context, terminate
from steerageway.bus.core.errors import BusError, NoAnswer
from steerageway.bus.transport.keys import read_keys
from steerageway.bus.transport.wire import pack, unpack

SILENCE = 10.0  # wall seconds without a frame after which the broker is considered gone
RECONNECT = 5  # ms


class Connection:
    """A DEALER socket, connected or connecting.

    Attributes:
        address: of the broker.
        size: bytes of the frame received last.
    """

    def __init__(self, address: str, keys: Path | None, *, shares: bool = False) -> None:
        """Connect in the background.

        Args:
            address: "tcp://host:port", "host:port" or "ipc://path".
            keys: this client's ``.key`` file, see ``bus.transport.keys``.
            shares: whether it uses the context that all such connections share.
        Raises:
            ConfigError: the keys cannot be read.
            BusError: the address is malformed.
        """
        pair = None if keys is None else read_keys(keys)
        self.address = address if "://" in address else f"tcp://{address}"
        self.size = 0
        self._timeout = -1
        self._silent_since: float | None = None
        self._own = None if shares else zmq.Context[zmq.Socket[bytes]]()
        self._socket = (self._own or shared_context()).socket(zmq.DEALER)
        # No limit: credit (``Client``) bounds what is sent, and send never blocks.
        self._socket.setsockopt(zmq.SNDHWM, 0)
        self._socket.setsockopt(zmq.RECONNECT_IVL, RECONNECT)
        self._socket.setsockopt(zmq.IPV6, int("[" in address))
        if pair is not None:
            self._socket.setsockopt(zmq.CURVE_PUBLICKEY, pair.public)
            self._socket.setsockopt(zmq.CURVE_SECRETKEY, pair.secret)
            self._socket.setsockopt(zmq.CURVE_SERVERKEY, pair.server)
        try:
            self._socket.connect(self.address)
        except zmq.ZMQError:
            self.close(0)
            raise BusError(f"{address}: expected HOST:PORT") from None

    @property
    def closed(self) -> bool:
        """Whether this end has been closed."""
        return self._socket.closed

    def fileno(self) -> int:
        """Return a descriptor that becomes readable once when frames have come."""
        return self._socket.fileno()

    def send(self, *parts: Any) -> None:
        """Send a frame."""
        self._socket.send(pack(*parts))

    def send_packed(self, frame: bytes) -> None:
        """Send a packed frame."""
        self._socket.send(frame)

    def receive(self, timeout: float, patience: float = 0.0) -> tuple[Any, ...] | None:
        """Wait for a frame; None when none came within so many wall seconds.

        Args:
            timeout: [wall s].
            patience: for how long the caller waits for answers [wall s].
        Raises:
            NoAnswer: the broker has been silent for longer than ``SILENCE`` and ``patience``.
        """
        milliseconds = ceil(timeout * 1000)
        if milliseconds != self._timeout:
            self._socket.setsockopt(zmq.RCVTIMEO, max(0, milliseconds))
            self._timeout = milliseconds
        try:
            frame = self._socket.recv()
        except zmq.Again:
            self._note_silence(max(SILENCE, patience))
            return None
        self._silent_since = None
        self.size = len(frame)
        return unpack(frame)

    def _note_silence(self, longest: float) -> None:
        now = wall()
        since = self._silent_since = self._silent_since or now
        if now - since > longest:
            raise NoAnswer(f"{self.address}: the broker has been silent for {longest:g} s")

    def close(self, linger: int) -> None:
        """Close; unsent frames get so many ms to go out."""
        self._socket.close(linger)
        if self._own is not None:
            terminate(self._own, linger)
