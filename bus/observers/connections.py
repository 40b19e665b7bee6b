"""Who has come in at the broker's server, and what they are sent."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import zmq

from steerageway.bus.core.clock import wall
from steerageway.bus.core.message import Message, Value, nanoseconds
from steerageway.bus.core.plan import Input, Poke
from steerageway.bus.core.stamps import stamp
from steerageway.bus.database.database import Database
from steerageway.bus.observers.peer import Peer
from steerageway.bus.transport.server_socket import ServerSocket
from steerageway.bus.transport.wire import OBSERVER, PROTOCOL, cost, pack

MOST_WAITING = 12_000  # cost of the mail that may wait for an observer before it is thinned
PROBE_INTERVAL = 2.0  # wall seconds between looks at who is still there
LAST_WORDS = 0.5  # wall seconds in which the frames of a client that is gone may still come in
LINGER = 500  # ms
_MORE = zmq.SNDMORE | zmq.NOBLOCK


class Session(Protocol):
    """What a server needs to know of the run behind it."""

    @property
    def databases(self) -> Mapping[str, Database]:
        """The databases, by community."""

    @property
    def frontier(self) -> int:
        """How old the run was [ns] at the last instant whose apps were granted a run; -1: none."""

    @property
    def late(self) -> float:
        """The wall seconds by which time is behind its schedule, if it has one."""

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside; None when the run is over."""

    def control(self, verb: str, args: tuple[Any, ...]) -> Any:
        """Do what an observer asks; raises ControlError."""

    def appcast(self, community: str, app: str, then: Callable[[str], None]) -> None:
        """Ask for an app's appcast, to be handed over later; raises ControlError."""

    def describe(self) -> dict[str, Any]:
        """Say what a newcomer needs to know; ``communities`` and ``pid`` are among it."""

    def status(self) -> dict[str, Any]:
        """Say how the run stands; ``time`` [s] is among it."""


@dataclass(slots=True)
class Counts:
    """What happened at a server.

    Attributes:
        frames: that came; malformed: of these, not of the protocol.
        refused: clients turned away or shown out with a reason.
        posts_refused: posts that were not of the protocol, or of the wrong type.
        thinned: messages left out for observers that did not read.
        unsent: frames dropped because their receiver did not read.
        gone: clients that left without a word.
    """

    frames: int = 0
    malformed: int = 0
    refused: int = 0
    posts_refused: int = 0
    thinned: int = 0
    unsent: int = 0
    gone: int = 0


class Connections:
    """The socket for clients, and who has come in.

    Attributes:
        port: the TCP port it is bound to.
        socket: to be watched for incoming frames.
        peers: the welcomed clients, by their socket's identity.
        counts: see ``Counts``; ``denied`` beside it counts failed handshakes.
        prepare: told of a community before anybody who is to look at it is welcomed.
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
            token: what clients must say to come in; "" if anybody may.

        Raises:
            ServerError: the port is in use, or cannot be bound.
        """
        self.server_socket = ServerSocket(context, host, port, keys, local=local)
        self.session = session
        self._token = token.encode()
        self.socket, self.port = self.server_socket.socket, self.server_socket.port
        self.peers: dict[bytes, Peer] = {}
        self.counts = Counts()
        self.prepare: Callable[[str], None] = _as_it_is
        self.asides = {name: self.make_aside(name) for name in session.databases}
        self._gone: dict[bytes, float] = {}
        self._owed: dict[bytes, None] = {}  # clients that get credit once time has gone on
        self._probed = wall()

    @property
    def denied(self) -> int:
        """Connections that did not get through the handshake."""
        return self.server_socket.denied

    def troubles(self) -> Iterator[str]:
        """Tell in a line what came to the server and was not taken, if anything."""
        counts = self.counts
        counted = (
            ("connections that are no ZeroMQ client's, or have not the right keys", self.denied),
            ("malformed frames", counts.malformed),
            ("clients refused or shown out", counts.refused),
            ("posts refused", counts.posts_refused),
        )
        if any(count for _, count in counted):
            found = "; ".join(f"{what}: {count}" for what, count in counted if count)
            yield f"not taken from outside: {found}"

    def make_aside(self, community: str) -> Database:
        """Make the database of what only observers are told."""
        return Database(community, history=False)

    def flush(self) -> None:
        """Send every client the mail that was committed since; see who is still there."""
        for peer in list(self.peers.values()):
            self.bring(peer)
        now = wall()
        if now - self._probed >= PROBE_INTERVAL:
            self._probed = now
            for peer in self.peers.values():
                self.send(peer.identity, "credit", peer.granted)
        for identity, since in list(self._gone.items()):
            if now - since >= LAST_WORDS:
                self.counts.gone += 1
                self.drop(self.peers[identity])

    def bring(self, peer: Peer) -> None:
        """Send a client the mail that was committed since."""
        database = self.session.databases[peer.community]
        if peer.database is not database:
            peer.move(database)
        self.deliver(peer)

    def tell(self, community: str, name: str, value: Value) -> None:
        """Return observers a variable that is not the mission's: it is in no database and no log."""
        database, time = self.asides[community], self.session.status()["time"]
        instant = nanoseconds(time)
        message = Message(name, value, time, f"MOOSDB_{community}", "", community, instant)
        database.commit(database.variable(name), (stamp(instant, 0), 0, 0, message))

    def close(self, reason: str) -> None:
        """Say goodbye to everyone and close."""
        for peer in list(self.peers.values()):
            self.deliver(peer)
            self.send(peer.identity, "bye", reason)
        self.server_socket.close(LINGER)

    def enter(self, peer: Peer) -> None:
        """Welcome a client."""
        self.prepare(peer.community)
        self.peers[peer.identity] = peer
        if peer.role == OBSERVER:
            self.asides[peer.community].mailboxes.append(peer.mailbag)
            self._list_observers(peer.community)
        about = {"name": peer.name, "community": peer.community, "credit": peer.granted}
        self.send(peer.identity, "welcome", PROTOCOL, {**self.session.describe(), **about})

    def deliver(self, peer: Peer) -> None:
        """Send a client the mail that waits for it, as far as it is ready for it."""
        identity, mailbag = peer.identity, peer.mailbag
        if identity in self._gone:
            return
        if peer.announced != peer.thinned and peer.sent < peer.allowed:
            peer.announced = peer.thinned
            self.send(identity, "thinned", peer.thinned)
        while peer.sent < peer.allowed and (frame := mailbag.pack()) is not None:
            if not self._send_frame(identity, frame):
                return
            peer.sent += cost(mailbag.went(), len(frame))
        if peer.role == OBSERVER and peer.mailbag.weight() > MOST_WAITING:
            self.bound(peer)

    def bound(self, peer: Peer) -> None:
        """Keep the mail of an observer that does not read within bounds."""
        if peer.whole:
            self.counts.refused += 1
            self.send(peer.identity, "refused", "shown out: it asked for all mail and did not read")
            self.drop(peer)
        else:
            before = peer.thinned
            peer.thin()
            self.counts.thinned += peer.thinned - before

    def send(self, identity: bytes, *parts: Any) -> None:
        """Send a frame; one that cannot be sent is counted."""
        self._send_frame(identity, pack(*parts))

    def drop(self, peer: Peer) -> None:
        """Forget a client."""
        if self.peers.pop(peer.identity, None) is None:
            return
        self._gone.pop(peer.identity, None)
        peer.database.leave(peer.mailbag)
        if peer.role == OBSERVER:
            self.asides[peer.community].leave(peer.mailbag)
            self._list_observers(peer.community)

    def _send_frame(self, identity: bytes, frame: bytes) -> bool:
        try:
            self.socket.send(identity, _MORE)
            self.socket.send(frame, zmq.NOBLOCK)
        except zmq.ZMQError as error:
            if error.errno == errno.EHOSTUNREACH:
                if identity in self.peers:
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
        self.tell(community, "DB_OBSERVERS", "".join(f"{name}," for name in names))


def _as_it_is(community: str) -> None:
    """Most communities are at hand."""
