"""``Server``: handles frames of the broker's clients, by ``docs/wire.md``.

In lockstep clients are observers: they see what is committed, and may post, request appcasts, and
control time. They never delay a run: one that does not read has its mail thinned, or is
disconnected.
"""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest
from typing import Any

import zmq

from steerageway.bus.core.clock import wall
from steerageway.bus.core.errors import BusError, Refused, WireError
from steerageway.bus.core.plan import Poke
from steerageway.bus.core.runtime import relaunch_with
from steerageway.bus.core.stamps import NEVER
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbag import EntryBag
from steerageway.bus.observers.connections import Connections
from steerageway.bus.observers.limits import check_clients, check_registered, check_variable
from steerageway.bus.observers.peer import POST_WINDOW, Peer
from steerageway.bus.transport.wire import (
    OBSERVER,
    PROTOCOL,
    Hello,
    check_hello,
    check_post,
    check_registration,
    cost,
    take_apart,
    unpack_foreign,
)
from steerageway.declarations.posted import Value

Commit = Callable[[Peer, tuple[Any, ...], int], list[str]]
MOST_FRAMES = 200  # frames handled at once: many of them may not delay time
LONGEST_LOOK = 0.005  # wall seconds after which a poll handles no further frame
REST = 4  # rest after such a poll, in its durations: the apps have the rest of the time
LATE = 0.05  # wall seconds behind schedule from which on ...
REST_IF_LATE = 19  # ... the rest is longer
WELCOME = 16  # frames of a client for which it counts as new: it registers, and asks
LONGEST_REST = 2.0  # wall seconds of it: a large frame would let clients wait too long
MOST_HELD = 16_384  # cost of one client's posts that may wait for the next instant
MOST_HELD_OF_ALL = 4 * MOST_HELD
_COMPLAINTS = 3  # refused posts of one frame that the error names


# Many methods: one for each kind of frame, and the steps in which ``FreeServer`` differs.
class Server(Connections):
    """Handles clients' frames."""

    sender = 0  # the connection by which the last frame came

    def poll(self) -> None:
        """Handle what has arrived; never waits, and takes only its share of the time.

        A frame of many posts takes long. So when a run is behind its schedule, as on a busy
        machine, its own apps get more of the time. Clients that have just come get half of it: a
        viewer is not to wait for its first picture until a late run has time.
        """
        self.server_socket.poll()
        if self._share.rests:
            self.put_off()
            return
        began = now = wall()
        most = max(LONGEST_LOOK, began - self._polled)
        took = 0.0  # by clients that came before
        for _ in range(MOST_FRAMES):
            try:
                parts = self.receive(zmq.NOBLOCK)
            except zmq.Again:
                break
            self.take(parts)
            before, now = now, wall()
            if not self._is_new(parts[0]):
                took += now - before
            if took > LONGEST_LOOK or now - began > most:
                break
        self._polled = now
        if took > LONGEST_LOOK:
            rest: float = REST
            if self.session.late > LATE:
                rest = max(REST, min(REST_IF_LATE, LONGEST_REST / took))
            self._share.take(took, rest)

    def _is_new(self, identity: bytes) -> bool:
        """Count a frame of a client; return whether it is one of the first, and no posts came."""
        peer = self.peers.get(identity)
        if peer is None:
            return False
        peer.frames += 1
        return peer.frames <= WELCOME and peer.posted == 0

    def put_off(self) -> None:
        """Leave what has come for a later ``poll``: the socket's descriptor signals it no more."""
        self.socket.get(zmq.EVENTS)

    def flush(self) -> None:
        """Send every client its new mail, and the credit it waits for."""
        super().flush()
        for identity in list(self._owed):
            peer = self.peers.get(identity)
            if peer is None or not self._withholds_credit(peer):
                del self._owed[identity]
                if peer is not None:
                    self.give_credit(peer)

    def receive(self, flags: int = 0) -> list[bytes]:
        """Return the next message of the socket: the sender's identity and its frames.

        ``recv_multipart`` does the same, but asks twice whether there is more, which costs as much
        as all the rest.

        Raises:
            zmq.Again: none has come.
        """
        identity, frame = self.socket.recv(flags), self.socket.recv(copy=False)
        self.sender = self.server_socket.connection_of(frame)
        if self.server_socket.ended:
            self.note_ended()
        more = self.socket.recv_multipart() if frame.more else []
        return [identity, frame.bytes, *more]

    def take(self, parts: list[bytes]) -> None:
        """Handle one message of the socket."""
        identity, frame = parts[0], parts[-1]
        try:
            if len(parts) != 2:
                raise WireError(f"{len(parts) - 1} frames: a message is one frame")
            message = unpack_foreign(frame)
            peer = self.peers.get(identity)
            if peer is not None and peer.connection != self.sender:
                self.lose(peer)  # what it may do passes to no other that takes its identity
                peer = None
            if peer is None:
                self._handle_new(identity, message)
            else:
                self.handle(peer, message, len(frame))
        except WireError as error:
            self.counts.malformed += 1
            self.send(identity, "error", "malformed", str(error))
        except Refused as error:
            self.refuse(identity, error)
        self.counts.frames += 1

    def handle(self, peer: Peer, parts: tuple[Any, ...], size: int) -> None:
        """Handle a frame of a connected client."""
        match parts[0]:
            case "post":
                self.post(peer, parts, size, self.commit)
            case "credit":
                self.take_credit(peer, *take_apart(parts, int))
            case "register":
                self._register(peer, *take_apart(parts, tuple))
            case "control":
                self._control(peer, *take_apart(parts, int, str, tuple))
            case "appcast":
                self._appcast(peer, *take_apart(parts, int, str))
            case "bye":
                (report,) = take_apart(parts, dict)
                self.send(peer.identity, "gone")
                self.on_bye(peer, report)
            case "reported":
                self.forward(peer, *take_apart(parts, str))
            case kind:
                raise WireError(f"{kind[:80]}: not a frame of clients")

    def _handle_new(self, identity: bytes, parts: tuple[Any, ...]) -> None:
        """Handle a frame of a client that has not been welcomed."""
        if parts[0] == "who":
            self.send(identity, "broker", PROTOCOL, self.session.describe())
        elif parts[0] == "hello":
            hello = check_hello(parts)
            self._check_token(hello)
            self.server_socket.keep(self.sender)
            self.on_hello(identity, hello)
        else:
            self.send(
                identity,
                "error",
                "hello",
                "expected a hello frame first; see steerageway help wire",
            )

    def _check_token(self, hello: Hello) -> None:
        """Check a new client's token.

        Raises:
            Refused: it is not the run's.
        """
        if self._token and not compare_digest(self._token, hello.token.encode()):
            raise Refused(
                "token: expected that of run.json in the run's folder, readable by the user who "
                "launched it; with --open none is needed"
            )

    def on_hello(self, identity: bytes, hello: Hello) -> None:
        """Welcome a client.

        Raises:
            Refused: it may not connect.
        """
        check_clients(len(self.peers), len(self.session.databases))
        self.add_peer(self.make_peer(identity, hello))

    def refuse(self, identity: bytes, why: Refused) -> None:
        """Tell a client why it may not connect."""
        self.counts.refused += 1
        self.send(identity, "refused", why.reason)

    def make_peer(self, identity: bytes, hello: Hello) -> Peer:
        """Create the peer of a new client.

        Raises:
            Refused: it may not connect.
        """
        if hello.role != OBSERVER:
            again = relaunch_with("--external", hello.name)
            raise Refused(
                "role: in lockstep a client can only come as an observer. An app started by "
                f"steerageway app or serve_app can take part in a run launched by: {again}"
            )
        mailbag = EntryBag(f"observer {hello.name}")
        return Peer(identity, self.sender, hello, self.database_of(hello), mailbag)

    def database_of(self, hello: Hello) -> Database:
        """Return the database of the community that a client names.

        Raises:
            Refused: there is no such community, or it names none of several.
        """
        databases = self.session.databases
        if not hello.community and len(databases) == 1:
            return next(iter(databases.values()))
        if hello.community not in databases:
            named = hello.community or "none named"
            raise Refused(f"community: {named}; expected one of {', '.join(databases)}")
        return databases[hello.community]

    def _register(self, peer: Peer, rows: tuple[Any, ...]) -> None:
        wanted = {row[:2]: row for row in map(check_registration, rows)}  # the last one counts
        for row in wanted.values():
            check_registered(peer.mailbag, peer.database, row)
            peer.database.register(peer.mailbag, row, NEVER)
            if peer.role == OBSERVER:
                self.observer_databases[peer.community].register(peer.mailbag, row, NEVER)
        self.deliver(peer)

    def post(self, peer: Peer, parts: tuple[Any, ...], size: int, commit: Commit) -> None:
        """Take posts, within the client's credit."""
        if len(parts) != 2 or parts[1].__class__ is not tuple:
            take_apart(parts, tuple)
        rows = parts[1]
        if peer.posted >= peer.granted:
            self.counts.posts_refused += len(rows)
            raise WireError(f"post: {len(rows)} posts without credit: not taken")
        complaints = commit(peer, rows, size)
        self._note_posted(peer, cost(len(rows), size))
        if complaints:
            self.complain(peer, complaints)
        if peer.granted - peer.posted < POST_WINDOW // 2:
            self.give_credit(peer)

    def commit(self, peer: Peer, rows: tuple[Any, ...], size: int) -> list[str]:
        """Enter a client's posts; return the errors of refused ones."""
        complaints = []
        for row in rows:
            try:
                name, value, time, aux = check_post(row)
                check_variable(peer.database, name, value)
                check_type(peer.database, name, value)
            except WireError as error:
                complaints.append(str(error))
                continue
            poke = Poke(peer.community, name, value, peer.name, time, aux)
            if self.session.poke(poke) is None:
                complaints.append(f"{name}: not posted, the run is over")
        return complaints

    def complain(self, peer: Peer, complaints: list[str]) -> None:
        """Tell a client which of its posts were refused."""
        self.counts.posts_refused += len(complaints)
        more = len(complaints) - _COMPLAINTS
        text = "; ".join(complaints[:_COMPLAINTS]) + (f"; and {more} more" if more > 0 else "")
        self.send(peer.identity, "error", "post", text)

    def give_credit(self, peer: Peer) -> None:
        """Give a client more credit, once not too many of its posts wait for the next instant."""
        if self._withholds_credit(peer):
            self._owed[peer.identity] = None
            return
        peer.granted = peer.posted + POST_WINDOW
        self.send(peer.identity, "credit", peer.granted)

    def _note_posted(self, peer: Peer, price: int) -> None:
        """Count the cost of posts that were taken."""
        peer.posted += price
        frontier = self.session.frontier
        if frontier > peer.posted_at:
            peer.held, peer.posted_at = 0, frontier
        peer.held += price

    def _withholds_credit(self, peer: Peer) -> bool:
        """Whether too many posts, of a client or of all, wait for the next instant."""
        frontier = self.session.frontier
        if peer.posted_at < frontier:
            return False
        held = sum(other.held for other in self.peers.values() if other.posted_at >= frontier)
        return peer.held >= MOST_HELD or held >= MOST_HELD_OF_ALL

    def take_credit(self, peer: Peer, credit: int) -> None:
        """Send a client the mail it is ready for."""
        peer.take_credit(credit)
        self.deliver(peer)

    def on_bye(self, peer: Peer, report: dict[str, Any]) -> None:
        """Remove a client that says goodbye."""
        self.drop(peer)

    def forward(self, peer: Peer, appcast: str) -> None:
        """Forward an app's appcast to the client that requested it.

        Raises:
            WireError: none was requested.
        """
        raise WireError("reported: unexpected; no appcast was requested")

    def _control(self, peer: Peer, number: int, verb: str, args: tuple[Any, ...]) -> None:
        try:
            result = self.session.control(verb, args)
        except (BusError, ArithmeticError) as error:
            self.send(peer.identity, "reply", number, False, str(error))
        else:
            self.send_new_mail(peer)  # what the answer refers to is sent before it
            self.send(peer.identity, "reply", number, True, result)

    def _appcast(self, peer: Peer, number: int, app: str) -> None:
        def hand_over(text: str) -> None:
            self.send(peer.identity, "reply", number, True, text)

        try:
            self.session.appcast(peer.community, app, hand_over)
        except BusError as error:
            self.send(peer.identity, "reply", number, False, str(error))


def check_type(database: Database, name: str, value: Value) -> None:
    """Check that a value has its variable's type.

    Raises:
        WireError: it has not.
    """
    variable = database.variables.get(name)
    if variable is not None and variable.kind not in (None, value.__class__):
        raise WireError(variable.clash(value))
