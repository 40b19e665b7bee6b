"""``ServerSocket``: socket of the broker's server: address, authentication, connection events."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import zmq
from zmq.utils import z85

from steerageway.bus.core.errors import ConfigError, PortInUse, ServerError, WireError
from steerageway.bus.core.runtime import is_loopback
from steerageway.bus.transport.keys import allowed_clients, read_keys
from steerageway.bus.transport.wire import LARGEST_FRAME, pack, unpack

MOST_UNSENT = 16384  # frames that may wait for one client before more are dropped
MOST_UNTAKEN = 4  # frames of one client that ZeroMQ reads ahead
MOST_ANSWERED = 64  # handshakes or events handled at once
# Bytes; a frame slightly too large gets an error, of larger ones ZeroMQ ends the connection.
LONGEST_FRAME = LARGEST_FRAME + 4096
HOLDER_TIMEOUT = 2000  # ms; a run that has just begun, or is slow, answers late
HEARTBEAT, SILENCE = 2000, 10_000  # ms between heartbeats over TCP, and without any
_EVENT = struct.Struct("=Hi")  # a monitor's event: which, and of which connection
_ZAP = "inproc://zeromq.zap.01"
_FAILED = (
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)


class ServerSocket:
    """A bound ROUTER socket.

    Attributes:
        socket: the socket; sending to a client that is gone raises EHOSTUNREACH.
        monitor: socket of ZeroMQ's connection events, which ``poll`` reads.
        port: the TCP port; None without one.
        denied: connections that failed the handshake: garbage, no keys, wrong keys.
        events: connections that came (True) or ended (False), by descriptor, in order; the reader
            clears it; only if ``watched``.
    """

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        host: str,
        port: int | None,
        keys: Path | None = None,
        *,
        local: str = "",
        watched: bool = False,
        most_unread: int = MOST_UNTAKEN,
    ) -> None:
        """Bind.

        Args:
            context: the broker's own.
            host: the address; beyond loopback only with keys.
            port: the TCP port; 0 for any free one; None for none.
            keys: folder of keys, see ``bus.transport.keys``.
            local: an ``ipc://`` endpoint to bind as well, for this user's processes, without keys.
            most_unread: frames of one client that may wait before it must wait.
            watched: record connections that come and end, and end silent ones over TCP.
        Raises:
            ServerError: the port is in use (the text names the holder), or it cannot be bound.
        """
        self._context = context
        self._keys = keys
        self._zap: zmq.Socket[bytes] | None = None
        self.denied = 0
        self.socket = context.socket(zmq.ROUTER)
        self.socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self.socket.setsockopt(zmq.SNDHWM, MOST_UNSENT)
        self.socket.setsockopt(zmq.RCVHWM, most_unread)
        self.socket.setsockopt(zmq.IPV6, int(":" in host))
        self.events: list[tuple[bool, int]] = []
        noted = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED if watched else 0
        self.monitor = self.socket.get_monitor_socket(_FAILED | noted)
        try:
            if local:
                self.socket.bind(local)
            # For sockets bound from here on, not for ``local``.
            self.socket.setsockopt(zmq.MAXMSGSIZE, LONGEST_FRAME)
            if watched:
                self.socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT)
                self.socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, SILENCE)
            self.port = None if port is None else self._open(host, port)
        except BaseException:
            self.close(0)
            raise

    def poll(self) -> None:
        """Answer authentication requests and record connection events; never waits."""
        for _ in range(MOST_ANSWERED):
            if self._zap is None or not self._zap.poll(0):
                break
            self._decide(self._zap)
        for _ in range(MOST_ANSWERED):
            if not self.monitor.poll(0):
                break
            event, connection = _EVENT.unpack(self.monitor.recv_multipart()[0])
            if event & _FAILED:
                self.denied += 1
            else:
                self.events.append((event == zmq.EVENT_ACCEPTED, connection))

    def close(self, linger: int) -> None:
        """Close; unsent frames get so many ms to go out."""
        self.socket.disable_monitor()
        self.monitor.close()
        if self._zap is not None:
            self._zap.close()
        self.socket.close(linger)

    def _open(self, host: str, port: int) -> int:
        if self._keys is not None:
            self._require_keys(self._keys)
        elif not is_loopback(host):
            raise ServerError(
                f"{host}: beyond this machine the server opens only with keys: "
                "make them with steerageway keys DIR"
            )
        shown = f"[{host}]" if ":" in host else host
        try:
            self.socket.bind(f"tcp://{shown}:{port or '*'}")
        except zmq.ZMQError as error:
            if error.errno == errno.EADDRINUSE:
                holder = _holder(self._context, f"tcp://{shown}:{port}")
                raise PortInUse(f"port {port} is in use by {holder}") from None
            raise ServerError(f"{host} port {port}: {error}") from None
        endpoint = self.socket.getsockopt_string(zmq.LAST_ENDPOINT)
        return int(endpoint.rpartition(":")[2])

    def _require_keys(self, folder: Path) -> None:
        try:
            pair = read_keys(folder / "server.key")
        except ConfigError as error:
            raise ServerError(f"no keys for the server: {error}") from None
        self.socket.setsockopt(zmq.CURVE_SERVER, 1)
        self.socket.setsockopt(zmq.CURVE_SECRETKEY, pair.secret)
        self.socket.setsockopt(zmq.ZAP_DOMAIN, b"bus")
        self._zap = self._context.socket(zmq.REP)
        self._zap.bind(_ZAP)

    def _decide(self, zap: zmq.Socket[bytes]) -> None:
        """Answer one request of ZeroMQ's authentication protocol (RFC 27)."""
        version, request, _, _, _, mechanism, *credentials = zap.recv_multipart()
        name = self._owner(credentials[0]) if mechanism == b"CURVE" else None
        if name is None:
            zap.send_multipart((version, request, b"400", b"not allowed", b"", b""))
        else:
            zap.send_multipart((version, request, b"200", b"", name.encode(), b""))

    def _owner(self, key: bytes) -> str | None:
        """Return the owner of a key, None if it is not allowed or the folder cannot be read."""
        if self._keys is None:
            return None
        try:
            return allowed_clients(self._keys).get(z85.encode(key))
        except ConfigError:
            return None


def _holder(context: zmq.Context[zmq.Socket[bytes]], endpoint: str) -> str:
    """Describe the process that holds a port."""
    with context.socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(endpoint)
        socket.send(pack("who"))
        answer = socket.recv() if socket.poll(HOLDER_TIMEOUT) else b""
    try:
        about = unpack(answer)[2]
        return f"the run of {', '.join(about['communities'])} (process {about['pid']})"
    except (WireError, LookupError, TypeError):
        return "another program"
