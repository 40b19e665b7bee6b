"""``ServerSocket``: socket of the broker's server: address, authentication, connection events."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import zmq
from zmq.utils import z85

from steerageway.bus.core.errors import ConfigError, PortInUse, ServerError, WireError
from steerageway.bus.core.runtime import is_loopback, shut
from steerageway.bus.transport.keys import allowed_clients, read_keys
from steerageway.bus.transport.wire import LARGEST_FRAME, pack, unpack
from steerageway.diagnostics.diagnostic import listed

MOST_UNSENT = 16384  # frames that may wait for one client before more are dropped
MOST_UNTAKEN = 4  # frames of one client that ZeroMQ reads ahead
HEARTBEAT, LOST = 2000, 10_000  # ms; of machines: interval, and silence after which one is gone
MOST_STRANGERS = 256  # TCP connections that have shown nobody who they are
MOST_ANSWERED = 64  # handshakes or events handled at once
# Bytes; a frame slightly too large gets an error, of larger ones ZeroMQ ends the connection.
LONGEST_FRAME = LARGEST_FRAME + 4096
HOLDER_TIMEOUT = 2000  # ms; a run that has just begun, or is slow, answers late
_EVENT = struct.Struct("=Hi")  # a monitor's event: which, and of which descriptor
_EVENTS, _POLLIN = zmq.EVENTS.value, zmq.POLLIN.value  # numbers: ``get`` is faster with them
_ZAP = "inproc://zeromq.zap.01"
_FAILED = (
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)


class ServerSocket:
    """A bound ROUTER socket.

    Of too many connections for which nobody has called ``keep``, the oldest is closed: no number
    of silent ones keeps others out, or uses up the descriptors that this process may open.

    Attributes:
        socket: the socket; sending to a client that is gone raises EHOSTUNREACH.
        monitor: socket of ZeroMQ's connection events, which ``poll`` reads.
        port: the TCP port; None without one.
        denied: connections that failed the handshake: garbage, no keys, wrong keys.
        ended: connections that have ended since the reader last cleared it, see ``connection_of``.
    """

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        host: str,
        port: int | None,
        keys: Path | None = None,
        *,
        local: str = "",
        own: bool = False,
    ) -> None:
        """Bind.

        Args:
            context: the broker's own.
            host: the address; beyond loopback only with keys.
            port: the TCP port; 0 for any free one; None for none.
            keys: folder of keys, see ``bus.transport.keys``.
            local: an ``ipc://`` endpoint to bind as well, for this user's processes, without keys.
            own: whether it is for the run's own processes on other machines: their frames have any
                size, and a machine that is gone is noticed.
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
        self.socket.setsockopt(zmq.RCVHWM, MOST_UNTAKEN)
        self.socket.setsockopt(zmq.IPV6, int(":" in host))
        self.monitor = self.socket.get_monitor_socket(
            _FAILED | zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED
        )
        self._accepted = 0
        self._latest: dict[int, int] = {}  # descriptor -> number of its latest connection
        self._strangers: dict[int, int] = {}  # number of a connection -> descriptor
        self.ended: list[int] = []
        try:
            if local:
                self.socket.bind(local)
            # For sockets bound from here on, not for ``local``.
            self.socket.setsockopt(zmq.MAXMSGSIZE, -1 if own else LONGEST_FRAME)
            self.socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT if own else 0)
            self.socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, LOST if own else 0)
            self.port = None if port is None else self._open(host, port)
        except BaseException:
            self.close(0)
            raise

    def poll(self) -> None:
        """Answer authentication requests and note connection events; never waits."""
        for _ in range(MOST_ANSWERED):
            if self._zap is None or not self._zap.poll(0):
                break
            self._decide(self._zap)
        self._note_events()

    def connection_of(self, message: zmq.Frame) -> int:
        """Return the number of the connection by which a frame came, or a later one's.

        A client that knows another's identity may take it over once that one is gone, and its
        descriptor too. But it was accepted before it sent anything, and by that another number.
        """
        self._note_events()
        return self._latest.get(int(message.get(zmq.SRCFD)), 0)

    def keep(self, connection: int) -> None:
        """Keep a connection however many strangers come: its sender may be here."""
        self._strangers.pop(connection, None)

    def _note_events(self) -> None:
        """Note the connections that came, ended, or failed the handshake."""
        while int(self.monitor.get(_EVENTS)) & _POLLIN:
            noted, endpoint = self.monitor.recv_multipart()
            event, descriptor = _EVENT.unpack(noted)
            if event == zmq.EVENT_ACCEPTED:
                self._accepted += 1
                self._latest[descriptor] = self._accepted
                if endpoint.startswith(b"tcp"):
                    self._strangers[self._accepted] = descriptor
            elif event == zmq.EVENT_DISCONNECTED:
                connection = self._latest.get(descriptor, 0)
                self.ended.append(connection)
                self._strangers.pop(connection, None)
            else:
                self.denied += 1
        while len(self._strangers) > MOST_STRANGERS:
            shut(self._strangers.pop(next(iter(self._strangers))), self.port or 0)

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
        return f"the run of {listed(about['communities'])} (process {about['pid']})"
    except (WireError, LookupError, TypeError):
        return "another program"
