"""``WebSocket``: a server of the rosbridge protocol, version 2, with JSON and CBOR.

Source: ROSBRIDGE_PROTOCOL.md of github.com/RobotWebTools/rosbridge_suite. The host and the token
must be right, as for the viewer, and a web page must come from a site that was named.
"""

from __future__ import annotations

import json
import logging
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from queue import Empty, Full, Queue
from socket import SHUT_RDWR, SO_SNDBUF, SOL_SOCKET
from threading import Thread
from typing import Any

import cbor2
import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from steerageway.bridges.ros.messages import message, whole_kind
from steerageway.bridges.ros.transport import Answer, Take, Transport, encoded
from steerageway.bus import wall
from steerageway.declarations import json_of
from steerageway.web.security import Gate, names_of

HOST = "127.0.0.1"
MOST_PEERS = 16
MOST_STRANGERS = 64  # connections, with those that have not presented the token
MOST_UNSENT = 256  # frames for a peer that does not read
MOST_BUFFERED = 65_536  # bytes that the kernel keeps for it, else some megabytes
MOST_TOPICS = 256  # that one peer subscribes to
PATIENCE = 1.0  # wall seconds for the begin of a connection, and for its end
LARGEST = 1 << 20  # bytes of a frame that comes in
TYPED = {"f8": 86, "f4": 85, "u1": 64, "i1": 72, "u2": 69, "i2": 77, "u4": 70, "i4": 78}
TYPED |= {"u8": 71, "i8": 79}  # tags of arrays in CBOR (RFC 8746), little-endian
JSON, CBOR, RAW = "none", "cbor", "cbor-raw"

Frame = str | bytes


@dataclass(slots=True)
class _Subscription:
    """A peer's wish for a topic: its form, and how often [wall s]."""

    form: str
    interval: float
    sent: float = 0.0


@dataclass
class _Peer:
    """A client, with what waits to be sent to it."""

    socket: ServerConnection
    unsent: Queue[Frame | None] = field(default_factory=lambda: Queue(MOST_UNSENT))
    topics: dict[str, _Subscription] = field(default_factory=dict)

    def send(self) -> None:
        """Send what waits until None comes, or the connection ends."""
        try:
            while (frame := self.unsent.get()) is not None:
                self.socket.send(frame)
        except (ConnectionClosed, OSError):
            return

    def leave(self) -> None:
        """Close the connection, in a thread, as that waits for the other side."""
        Thread(target=self.socket.close, name="rosbridge leaves", daemon=True).start()


class WebSocket(Transport):
    """A server at a port of this machine.

    Args:
        port: where it listens.
        token: the path of its address; "": made by chance.
        origins: sites whose pages may connect.

    Raises:
        OSError: the port is taken.
    """

    def __init__(self, port: int, token: str, origins: Sequence[str]) -> None:
        super().__init__()
        names = names_of(HOST)
        self._gate = Gate(names, port, token=token) if token else Gate(names, port)
        self._origins = tuple(origins)
        self.name = f"rosbridge, port {port}"
        self.address = f"ws://{HOST}:{port}/{self._gate.token}"
        self._peers: list[_Peer] = []
        self._strangers: deque[Any] = deque()  # sockets; those that have closed among them
        self._kinds: dict[str, str] = {}  # of topics that go out
        self._latched: dict[str, tuple[str, Any]] = {}
        self._taken: dict[str, tuple[str, Take]] = {}
        self._served: dict[str, tuple[str, Answer]] = {}
        quiet = logging.getLogger("steerageway.rosbridge")
        quiet.setLevel(logging.CRITICAL + 1)  # else a peer could flood the terminal
        self._server: Server | None = serve(
            self._meet,
            HOST,
            port,
            process_request=self._check,
            create_connection=self._connection,  # type: ignore[arg-type]  # it is called
            max_size=LARGEST,
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            compression=None,
            logger=quiet,
        )
        Thread(target=self._server.serve_forever, name="rosbridge", daemon=True).start()

    def publish(self, topic: str, kind: str, content: Any, *, latched: bool = False) -> None:
        self._kinds[topic] = kind
        if latched:
            self._latched[topic] = (kind, content)
        made: dict[str, Frame] = {}
        for peer in list(self._peers):
            wanted = peer.topics.get(topic)
            if wanted is not None and wall() - wanted.sent >= wanted.interval:
                wanted.sent = wall()
                if wanted.form not in made:
                    made[wanted.form] = _frame(topic, kind, content, wanted.form)
                self._give(peer, made[wanted.form])

    def subscribe(self, topic: str, kind: str, take: Take) -> None:
        self._taken[topic] = (kind, take)

    def serve(self, name: str, kind: str, answer: Answer) -> None:
        self._served[name] = (kind, answer)

    def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            for peer in list(self._peers):
                peer.leave()

    def _connection(
        self, socket: Any, protocol: Any, server: Server, **options: Any
    ) -> ServerConnection:
        """Return a connection; of too many strangers the one that came first is closed."""
        if len(server.handler_threads) > 2 * MOST_STRANGERS:  # those closed have not ended yet
            raise ConnectionRefusedError
        self._strangers.append(socket)
        if len(self._strangers) > MOST_STRANGERS:
            with suppress(OSError):  # it has left
                self._strangers.popleft().shutdown(SHUT_RDWR)
        return ServerConnection(socket, protocol, server, **options)

    def _check(self, socket: ServerConnection, request: Request) -> Response | None:
        """Refuse who may not connect."""
        hosts, origin = request.headers.get_all("Host"), request.headers.get("Origin")
        if len(hosts) != 1 or not self._gate.knows_host(hosts[0]):
            return self._refused(socket, "the Host header is not a name of this server")
        if not (origin is None or origin in self._origins or self._gate.knows_origin(origin)):
            return self._refused(socket, "pages of this site may not connect; see origin")
        if not self._gate.knows_token(request.path.lstrip("/")):
            return self._refused(socket, "the path is not the token")
        if len(self._peers) >= MOST_PEERS:
            return self._refused(socket, f"{MOST_PEERS} clients are connected")
        with suppress(ValueError):  # it was closed for others
            self._strangers.remove(socket.socket)
        return None

    def _refused(self, socket: ServerConnection, why: str) -> Response:
        self.troubles[f"a client was refused: {why}"] += 1
        return socket.respond(403, why)

    def _meet(self, socket: ServerConnection) -> None:
        """Serve a client until it leaves; in a thread of its own."""
        peer = _Peer(socket)
        socket.socket.setsockopt(SOL_SOCKET, SO_SNDBUF, MOST_BUFFERED)
        self._peers.append(peer)
        sender = Thread(target=peer.send, name="rosbridge peer", daemon=True)
        sender.start()
        try:
            for frame in socket:
                self._obey(peer, frame)
        except ConnectionClosed:
            pass
        finally:
            self._peers.remove(peer)
            _drain(peer.unsent)
            peer.unsent.put(None)

    def _obey(self, peer: _Peer, frame: Frame) -> None:
        try:
            order = json_of(frame) if isinstance(frame, str) else cbor2.loads(frame)
            act = self._acts[order["op"]]
        except (ValueError, TypeError, LookupError, cbor2.CBORError):
            self._tell(peer, "expected an op of the rosbridge protocol, in JSON or CBOR")
            return
        try:
            refused = act(self, peer, order)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError) as error:
            refused = f"{order['op']}: {error!r}"[:200]
        if refused:
            self._tell(peer, refused)

    def _tell(self, peer: _Peer, why: str) -> None:
        self.troubles["a client sent what cannot be read, or asked for what is not there"] += 1
        self._give(peer, json.dumps({"op": "status", "level": "error", "msg": why}))

    def _advertise(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        topic = order["topic"]
        kind, _ = self._taken.get(topic, ("", None))
        if not kind or whole_kind(str(order["type"])) != kind:
            return f"{topic}: expected {kind or 'a topic that the run takes in'}"
        return ""

    def _publish(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        topic = order["topic"]
        if topic not in self._taken:
            return f"{topic}: expected a topic that the run takes in"
        kind, take = self._taken[topic]
        take(message(kind, _decoded(order["msg"])))
        return ""

    def _subscribe(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        topic, form = str(order["topic"]), str(order.get("compression", JSON))
        if len(peer.topics) >= MOST_TOPICS:
            return f"{topic}: expected at most {MOST_TOPICS} topics"
        if form not in (JSON, CBOR, RAW):
            return f"compression {form}: expected {JSON}, {CBOR} or {RAW}"
        peer.topics[topic] = _Subscription(form, float(order.get("throttle_rate", 0)) / 1000.0)
        if topic in self._latched:
            self._give(peer, _frame(topic, *self._latched[topic], form))
        return ""

    def _unsubscribe(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        peer.topics.pop(order["topic"], None)
        return ""

    def _call(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        name = order["service"]
        head = {"op": "service_response", "service": name, "id": order.get("id")}
        if name == "/rosapi/topics":
            kinds = dict(self._kinds)
            values: Any = {"topics": list(kinds), "types": list(kinds.values())}
        elif name in self._served:
            kind, answer = self._served[name]
            values = _plain(answer(message(f"{kind}_Request", _decoded(order.get("args") or {}))))
        else:
            self._give(peer, json.dumps({**head, "result": False, "values": "no such service"}))
            return ""
        self._give(peer, json.dumps({**head, "result": True, "values": values}))
        return ""

    def _nothing(self, peer: _Peer, order: Mapping[str, Any]) -> str:
        return ""

    _acts: Mapping[str, Callable[[WebSocket, _Peer, Mapping[str, Any]], str]] = {
        "advertise": _advertise,
        "unadvertise": _nothing,
        "publish": _publish,
        "subscribe": _subscribe,
        "unsubscribe": _unsubscribe,
        "call_service": _call,
        "set_level": _nothing,
    }

    def _give(self, peer: _Peer, frame: Frame) -> None:
        try:
            peer.unsent.put_nowait(frame)
        except Full:
            self.troubles["a client that did not read was disconnected"] += 1
            _drain(peer.unsent)
            peer.leave()


def _drain(queue: Queue[Frame | None]) -> None:
    try:
        while True:
            queue.get_nowait()
    except Empty:
        return


def _frame(topic: str, kind: str, content: Any, form: str) -> Frame:
    head = {"op": "publish", "topic": topic}
    if form == RAW:
        return cbor2.dumps(
            {**head, "msg": {"secs": 0, "nsecs": 0, "bytes": encoded(kind, content)}}
        )
    if form == CBOR:
        return cbor2.dumps({**head, "msg": _plain(content, _tagged)})
    return json.dumps({**head, "msg": _plain(content)}, allow_nan=False)


def _plain(content: Any, of_array: Callable[[Any], Any] | None = None) -> Any:
    """Return a message as maps and lists; bytes as Base64, what is not finite as null."""
    if isinstance(content, np.ndarray):
        if of_array is not None:
            return of_array(content)
        if content.dtype == np.uint8:
            return b64encode(content.tobytes()).decode("ascii")
        return [_plain(one) for one in content.tolist()]
    if isinstance(content, list):
        return [_plain(one, of_array) for one in content]
    if hasattr(content, "__msgtype__"):
        return {
            name: _plain(getattr(content, name), of_array)
            for name in content.__dataclass_fields__
            if name != "__msgtype__"
        }
    if isinstance(content, float) and not isfinite(content) and of_array is None:
        return None
    return content


def _tagged(array: Any) -> Any:
    """Return an array as a typed one of CBOR."""
    tag = TYPED.get(array.dtype.str[1:])
    if tag is None:
        return array.tolist()
    return cbor2.CBORTag(tag, array.astype(array.dtype.newbyteorder("<")).tobytes())


def _decoded(members: Any) -> Any:
    """Return members with typed arrays and Base64 as arrays."""
    if isinstance(members, dict):
        return {name: _decoded(one) for name, one in members.items()}
    if isinstance(members, cbor2.CBORTag):
        names = {tag: name for name, tag in TYPED.items()}
        return np.frombuffer(members.value, f"<{names[members.tag]}")
    return members
