"""``FreeServer``: the broker's server in free run; posters wait for slow readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import zmq

from steerageway.bus.core.errors import Refused, WireError
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbag import Mailbag
from steerageway.bus.free.database import FreeDatabase, Poster
from steerageway.bus.free.mailbag import BatchBag
from steerageway.bus.observers.connections import Session
from steerageway.bus.observers.limits import check_clients
from steerageway.bus.observers.peer import Peer
from steerageway.bus.observers.server import Server
from steerageway.bus.transport.spin_wait import SpinWait
from steerageway.bus.transport.wire import APP, Hello, check_name

MOST_UNREAD = 3072  # cost of an app's unread mail above which its posters must wait
TIMEOUT = 20  # ms of one wait for a frame
SPIN_TIME = (
    0.0002  # wall seconds of polling after a frame: answers come shortly after what they answer
)


class FreeSession(Session, Protocol):
    """What the server needs of a free run."""

    @property
    def databases(self) -> Mapping[str, FreeDatabase]:
        """The databases, by community."""

    def now(self) -> int:
        """Return the present instant [ns]."""

    def connected(self, community: str, app: str) -> None:
        """Record an app that has connected."""

    def disconnected(self, community: str, app: str, report: dict[str, Any] | None) -> None:
        """Record an app that has left, with its exit report; None if it sent none."""


# Many methods: half are the steps of ``Server`` that differ in free run.
class FreeServer(Server):
    """A server that commits its clients' posts as they come.

    Attributes:
        waiting: clients that came before the run began, by their socket's identity; then None.
    """

    session: FreeSession

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        host: str,
        port: int | None,
        session: FreeSession,
        keys: Path | None = None,
        *,
        local: str = "",
        token: str = "",
    ) -> None:
        """Bind; see ``ServerSocket`` for the arguments.

        Raises:
            ServerError: the port is in use, or cannot be bound.
        """
        super().__init__(context, host, port, session, keys, local=local, token=token)
        self.socket.setsockopt(zmq.RCVTIMEO, TIMEOUT)
        self._spin = SpinWait(SPIN_TIME)
        self._busy = False
        self.waiting: dict[bytes, tuple[Hello, int]] | None = {}
        self._apps: dict[tuple[str, str], bytes] = {}
        self._posters: dict[bytes, Poster] = {}
        self._readers: dict[Mailbag, Peer] = {}
        self._relayed: dict[bytes, dict[tuple[str, str, str], Poster]] = {}
        self._held: dict[bytes, tuple[str, ...]] = {}
        self._asked: dict[bytes, list[Callable[[str], None]]] = {}

    def serve(self) -> None:
        """Wait a little for a frame, and handle it; just after another, poll first."""
        if self._busy:
            self._spin.poll(self._readable)
        try:
            parts = self.receive()
        except zmq.Again:
            self._busy = False
        else:
            self._busy = True
            self.take(parts)

    def begin(self) -> None:
        """Welcome all waiting clients: the run begins."""
        self.note_ended()
        waiting, self.waiting = self.waiting or {}, None
        for identity, (hello, self.sender) in waiting.items():
            try:
                self.on_hello(identity, hello)
            except Refused as why:
                self.refuse(identity, why)

    def publish(
        self, community: str, poster: Poster, rows: Sequence[Any], size: int = 0
    ) -> list[str]:
        """Commit posts and send them to their readers; return the errors of refused ones."""
        database = self.session.databases[community]
        return database.take(poster, rows, size, self.session.now(), self._send_from)

    def find(self, community: str, app: str) -> Peer | None:
        """Return the client that is the app of this name."""
        return self.peers.get(self._apps.get((community, app), b""))

    def expects(self, community: str, app: str) -> bool:
        """Whether an app of this name has connected, perhaps still waiting for the run to begin."""
        return (community, app) in self._apps

    def ask(self, peer: Peer, then: Callable[[str], None]) -> None:
        """Request an app's appcast; ``then`` is called with it."""
        self._asked.setdefault(peer.identity, []).append(then)
        if len(self._asked[peer.identity]) == 1:
            self.send(peer.identity, "report")

    def make_observer_database(self, community: str) -> Database:
        """Create the database of variables for observers only."""
        return FreeDatabase(community)

    def on_hello(self, identity: bytes, hello: Hello) -> None:
        """Welcome a client, or keep it waiting until the run begins.

        Raises:
            Refused: there is no such community, or the app's name is taken.
        """
        if self.waiting is not None and identity in self.waiting:
            if self.waiting[identity][1] == self.sender:
                raise WireError("hello: already received; the reply is sent when the run begins")
            self._forget_waiting(identity)
        if hello.role == APP:
            key = (self.database_of(hello).community, hello.name)
            if self._apps.setdefault(key, identity) != identity:
                raise Refused(f"{hello.name}: there is an app of that name in {key[0]}")
        if self.waiting is None:
            super().on_hello(identity, hello)
        else:
            check_clients(len(self.waiting), len(self.session.databases))
            self.waiting[identity] = hello, self.sender

    def forget_connections(self, ended: set[int]) -> None:
        """Send nothing more to the clients of connections that have ended."""
        super().forget_connections(ended)
        for identity, (_, connection) in list((self.waiting or {}).items()):
            if connection in ended:
                self._forget_waiting(identity)

    def _forget_waiting(self, identity: bytes) -> None:
        """Forget a client that left before the run began."""
        if self.waiting is not None:
            hello, _ = self.waiting.pop(identity)
            if hello.role == APP:
                del self._apps[self.database_of(hello).community, hello.name]

    def make_peer(self, identity: bytes, hello: Hello) -> Peer:
        """Create the peer of a new client."""
        owner = hello.name if hello.role == APP else f"observer {hello.name}"
        return Peer(identity, self.sender, hello, self.database_of(hello), BatchBag(owner))

    def add_peer(self, peer: Peer) -> None:
        """Add and welcome a client."""
        self._readers[peer.mailbag] = peer
        self._posters[peer.identity] = Poster(peer.name)
        self._relayed[peer.identity] = {}
        super().add_peer(peer)
        if peer.role == APP:
            self.session.connected(peer.community, peer.name)

    def drop(self, peer: Peer, report: dict[str, Any] | None = None) -> None:
        """Remove a client and release the posters that waited for it."""
        if peer.identity not in self.peers:
            return
        super().drop(peer)
        del self._readers[peer.mailbag], self._posters[peer.identity]
        del self._relayed[peer.identity]
        self._held.pop(peer.identity, None)
        self._asked.pop(peer.identity, None)
        self._release()
        if peer.role == APP:
            del self._apps[peer.community, peer.name]
            self.session.disconnected(peer.community, peer.name, report)

    def on_bye(self, peer: Peer, report: dict[str, Any]) -> None:
        """Remove a client that says goodbye, with its exit report."""
        self.drop(peer, report)

    def forward(self, peer: Peer, appcast: str) -> None:
        """Forward an app's appcast to the client that requested it.

        Raises:
            WireError: none was requested.
        """
        if peer.identity not in self._asked:
            super().forward(peer, appcast)
        for then in self._asked.pop(peer.identity):
            then(appcast)

    def take_credit(self, peer: Peer, credit: int) -> None:
        """Send a client the mail it is ready for, and release the posters that waited for it."""
        super().take_credit(peer, credit)
        self._release()

    def handle(self, peer: Peer, parts: tuple[Any, ...], size: int) -> None:
        """Handle a frame of a connected client."""
        if parts[0] == "relay" and peer.role == APP:
            self.post(peer, parts, size, self.relay)
        else:
            super().handle(peer, parts, size)

    def relay(self, peer: Peer, rows: tuple[Any, ...], size: int) -> list[str]:
        """Post for apps of other communities; return the errors of refused posts."""
        complaints = []
        for row in rows:
            if not isinstance(row, tuple) or len(row) != 7:
                raise WireError(
                    "relay: a post is [community, name, value, time, aux, source, from]"
                )
            target, *post, source, origin = row
            if check_name(target) not in self.session.databases:
                raise WireError(f"relay: {target}: no community of this run")
            key = (target, check_name(source), check_name(origin))
            poster = self._relayed[peer.identity].setdefault(key, Poster(source, origin))
            complaints += self.publish(target, poster, [tuple(post)], size // len(rows))
        return complaints

    def commit(self, peer: Peer, rows: tuple[Any, ...], size: int) -> list[str]:
        """Commit a client's posts; return the errors of refused ones."""
        return self.publish(peer.community, self._posters[peer.identity], rows, size)

    def give_credit(self, peer: Peer) -> None:
        """Give a client credit, unless a reader of what it posts or relays does not read."""
        if peer.identity not in self.peers:
            return
        posters = (self._posters[peer.identity], *self._relayed[peer.identity].values())
        # Only apps hold posters back; observers' mail is thinned instead
        # (``Connections.limit_mail``).
        audience = dict.fromkeys(mailbag for poster in posters for mailbag in poster.audience)
        readers = [self._readers[mailbag] for mailbag in audience if mailbag in self._readers]
        slow = tuple(r.name for r in readers if r.role == APP and r.mailbag.weight() > MOST_UNREAD)
        if not slow:
            self._held.pop(peer.identity, None)
            super().give_credit(peer)
        elif self._held.get(peer.identity) != slow:
            self._held[peer.identity] = slow
            self.send(peer.identity, "held", slow)

    def _readable(self) -> bool:
        """Whether a frame has arrived."""
        return bool(int(self.socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN)

    def _send_from(self, mailbag: BatchBag) -> None:
        """Send the queued mail of a client, unless it has just been disconnected."""
        reader = self._readers.get(mailbag)
        if reader is not None:
            self.deliver(reader)

    def _release(self) -> None:
        """Give credit to posters whose readers read again."""
        for identity in list(self._held):
            if identity in self.peers:
                self.give_credit(self.peers[identity])
