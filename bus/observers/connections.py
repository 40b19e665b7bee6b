"""``Connections``: clients connected to the broker's server, and their mail."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import zmq

from steerageway.bus.core.clock import Share, wall
from steerageway.bus.core.message import Message, nanoseconds
from steerageway.bus.core.plan import Input, Poke
from steerageway.bus.core.stamps import stamp
from steerageway.bus.database.database import Database
from steerageway.bus.observers.peer import Peer
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.wire import OBSERVER, PROTOCOL, cost, pack
from steerageway.declarations.posted import Value

MOST_WAITING = 12_000  # cost of an observer's unread mail above which it is thinned
MAIL_INTERVAL = 0.02  # wall seconds between two frames of mail to a busy client
PROBE_INTERVAL = 2.0  # wall seconds between probes of clients
VALUES_TIMEOUT = 1.0  # wall seconds that a new client waits for a community's present values
GONE_DELAY = 0.5  # wall seconds in which the last frames of a gone client may still arrive
LINGER = 500  # ms
_MORE = zmq.SNDMORE | zmq.NOBLOCK


class Session(Protocol):
    """What a server needs of its run."""

    @property
    def databases(self) -> Mapping[str, Database]:
        """The databases, by community."""

    @property
    def frontier(self) -> int:
        """Age of the run [ns] at the last instant that was granted; -1: none."""

    @property
    def late(self) -> float:
        """Wall seconds by which time is behind its schedule, if it has one."""

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside; None when the run is over."""

    def control(self, verb: str, args: tuple[Any, ...]) -> Any:
        """Carry out an observer's request; raises ControlError."""

    def appcast(self, community: str, app: str, then: Callable[[str], None]) -> None:
        """Request an app's appcast; ``then`` is called with it later. Raises ControlError."""

    def describe(self) -> dict[str, Any]:
        """Return what new clients need to know, including ``communities`` and ``pid``."""

    def status(self) -> dict[str, Any]:
        """Return the state of the run, including ``time`` [s]."""


@dataclass(slots=True)
class Counts:
    """Counts of events at a server.

    Attributes:
        frames: received; malformed: those not of the protocol.
        refused: clients rejected or disconnected with a reason.
        posts_refused: posts that were not of the protocol, or of the wrong type.
        thinned: messages left out for observers that did not read.
        unsent: frames dropped because their receiver did not read.
        gone: clients that left without a goodbye.
    """

    frames: int = 0
    malformed: int = 0
    refused: int = 0
    posts_refused: int = 0
    thinned: int = 0
    unsent: int = 0
    gone: int = 0


# Many methods: they are the work of one socket, in steps that ``Server`` and ``FreeServer`` extend.
class Connections:
    """The server's socket, and the connected clients.

    Attributes:
        port: the TCP port it is bound to.
        socket: poll it for incoming frames.
        peers: the welcomed clients, by their socket's identity.
        counts: see ``Counts``; ``denied`` counts failed handshakes.
        has_values: whether a community's present values are here, so that it may have clients.
    """

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        host: str,
        port: int | None,
        session: Session,
        keys: Path | None = None,
        *,
        local: str = "",
        token: str = "",
    ) -> None:
        """Bind; see ``ServerSocket`` for the other arguments.

        Args:
            token: what clients must present to connect; "": none is needed.

        Raises:
            ServerError: the port is in use, or cannot be bound.
        """
        self.server_socket = ServerSocket(context, host, port, keys, local=local)
        self.session = session
        self._token = token.encode()
        self.socket, self.port = self.server_socket.socket, self.server_socket.port
        self.peers: dict[bytes, Peer] = {}
        self.counts = Counts()
        self.has_values: Callable[[str], bool] = lambda community: True
        self.observer_databases = {
            name: self.make_observer_database(name) for name in session.databases
        }
        self._gone: dict[bytes, float] = {}  # clients without a route, since when [wall s]
        self._unwelcomed: dict[bytes, float] = {}  # new clients, since when [wall s]
        self._owed: dict[bytes, None] = {}  # clients that get credit at the next instant
        self._share = Share()  # of the time, for clients' frames
        self._probed = self._polled = wall()

    @property
    def denied(self) -> int:
        """Connections that failed the handshake."""
        return self.server_socket.denied

    def refusals(self) -> Iterator[str]:
        """Yield one line about rejected clients, frames and posts, if there were any."""
        counts = self.counts
        counted = (
            ("connections that are no ZeroMQ client's, or have not the right keys", self.denied),
            ("malformed frames", counts.malformed),
            ("clients refused or shown out", counts.refused),
            ("posts refused", counts.posts_refused),
        )
        if any(count for _, count in counted):
            found = "; ".join(f"{what}: {count}" for what, count in counted if count)
            yield f"refused from outside: {found}"

    def make_observer_database(self, community: str) -> Database:
        """Create the database of variables for observers only."""
        return Database(community, history=False)

    def flush(self) -> None:
        """Send every client its new mail; check for clients that are gone."""
        self.note_ended()
        self._welcome()
        for peer in list(self.peers.values()):
            self.send_new_mail(peer)
        now = wall()
        # A client that is gone is noticed only when something is sent to it.
        if now - self._probed >= PROBE_INTERVAL:
            self._probed = now
            for peer in self.peers.values():
                self.send(peer.identity, "credit", peer.granted)
        for identity, since in list(self._gone.items()):
            if now - since >= GONE_DELAY:
                self.lose(self.peers[identity])

    def note_ended(self) -> None:
        """Note clients whose connection has ended: they are sent nothing more."""
        self.server_socket.poll()
        ended, self.server_socket.ended = set(self.server_socket.ended), []
        if ended:
            self.forget_connections(ended)

    def forget_connections(self, ended: set[int]) -> None:
        """Send nothing more to the clients of connections that have ended."""
        for peer in self.peers.values():
            if peer.connection in ended:
                self._gone.setdefault(peer.identity, wall())

    def flush_idle(self) -> None:
        """Send the clients their new mail that have got none for ``MAIL_INTERVAL``."""
        self.note_ended()
        self._welcome()
        since = wall() - MAIL_INTERVAL
        for peer in list(self.peers.values()):
            if peer.mailbag.entries and peer.sent_at <= since:
                self.send_new_mail(peer)

    def send_new_mail(self, peer: Peer) -> None:
        """Send a client its new mail, from the present case's database."""
        database = self.session.databases[peer.community]
        if peer.database is not database:
            peer.move(database)
        self.deliver(peer)

    def publish_to_observers(self, community: str, name: str, value: Value) -> None:
        """Send observers a variable that is not the mission's: in no database and no log."""
        database, time = self.observer_databases[community], self.session.status()["time"]
        instant = nanoseconds(time)
        message = Message(name, value, time, f"MOOSDB_{community}", "", community, instant)
        database.commit(database.variable(name), (stamp(instant, 0), 0, 0, message))

    def close(self, reason: str) -> None:
        """Say goodbye to all clients and close."""
        for peer in list(self.peers.values()):
            self.deliver(peer)
            self.send(peer.identity, "bye", reason)
        self.server_socket.close(LINGER)

    def add_peer(self, peer: Peer) -> None:
        """Add a client, and welcome it once its community's values are here."""
        self.peers[peer.identity] = peer
        if peer.role == OBSERVER:
            self.observer_databases[peer.community].mailboxes.append(peer.mailbag)
            self._list_observers(peer.community)
        self._unwelcomed[peer.identity] = wall()
        self._welcome()

    def _welcome(self) -> None:
        """Welcome the clients whose values are here, or have not come for some time."""
        for identity, since in list(self._unwelcomed.items()):
            peer = self.peers[identity]
            if self.has_values(peer.community) or wall() - since > VALUES_TIMEOUT:
                del self._unwelcomed[identity]
                about = {"name": peer.name, "community": peer.community, "credit": peer.granted}
                self.send(identity, "welcome", PROTOCOL, {**self.session.describe(), **about})

    def deliver(self, peer: Peer) -> None:
        """Send a client its waiting mail, as far as its credit goes."""
        identity, mailbag = peer.identity, peer.mailbag
        if identity in self._gone or identity in self._unwelcomed:
            return
        if peer.announced != peer.thinned and peer.sent < peer.allowed:
            peer.announced = peer.thinned
            self.send(identity, "thinned", peer.thinned)
        while peer.sent < peer.allowed and (frame := mailbag.pack()) is not None:
            if not self._send_frame(identity, frame):
                return
            peer.sent += cost(mailbag.remove_sent(), len(frame))
            peer.sent_at = wall()
        if peer.role == OBSERVER and peer.mailbag.weight() > MOST_WAITING:
            self.limit_mail(peer)

    def limit_mail(self, peer: Peer) -> None:
        """Limit the mail of an observer that does not read."""
        if peer.whole:
            self.counts.refused += 1
            reason = "disconnected: it subscribed to all mail and did not read it"
            self.send(peer.identity, "refused", reason)
            self.drop(peer)
        else:
            before = peer.thinned
            peer.thin()
            self.counts.thinned += peer.thinned - before

    def send(self, identity: bytes, *parts: Any) -> None:
        """Send a frame; count it if it cannot be sent."""
        self._send_frame(identity, pack(*parts))

    def lose(self, peer: Peer) -> None:
        """Remove a client that left without a goodbye."""
        self.counts.gone += 1
        self.drop(peer)

    def drop(self, peer: Peer) -> None:
        """Remove a client."""
        if self.peers.pop(peer.identity, None) is None:
            return
        self._gone.pop(peer.identity, None)
        self._unwelcomed.pop(peer.identity, None)
        peer.database.leave(peer.mailbag)
        if peer.role == OBSERVER:
            self.observer_databases[peer.community].leave(peer.mailbag)
            self._list_observers(peer.community)

    def _send_frame(self, identity: bytes, frame: bytes) -> bool:
        if identity in self._gone:  # another client may have this identity by now
            return False
        try:
            # The first part chooses the route; without one it raises EHOSTUNREACH.
            self.socket.send(identity, _MORE)
            self.socket.send(frame, zmq.NOBLOCK)
        except zmq.ZMQError as error:
            if error.errno == errno.EHOSTUNREACH:
                if identity in self.peers:
                    # Not removed yet: its last frames may still be in the socket.
                    self._gone.setdefault(identity, wall())
            elif error.errno == errno.EAGAIN:
                self.counts.unsent += 1
            else:
                raise
            return False
        return True

    def _list_observers(self, community: str) -> None:
        names = [
            p.name for p in self.peers.values() if (p.role, p.community) == (OBSERVER, community)
        ]
        self.publish_to_observers(community, "DB_OBSERVERS", "".join(f"{name}," for name in names))
