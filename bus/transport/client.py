"""``Client``: connects scripts, consoles and free-running apps to a run.

    with Client.connect("tcp://127.0.0.1:9000", name="script") as client:
        client.post("DEPLOY", "true")
        client.wait_for("MISSION", lambda value: value == "complete", timeout=600)

A client has no thread: it reads when ``fetch`` or another waiting method is called, and its posts
are sent in batches. It may be used from one thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Self

from steerageway.bus.core.app import Registration
from steerageway.bus.core.clock import wall
from steerageway.bus.core.errors import (
    BackPressure,
    ControlError,
    NoAnswer,
    PostRefused,
    Refused,
    ValueRefused,
    WireError,
)
from steerageway.bus.core.message import Message, as_value
from steerageway.bus.core.runtime import token_for
from steerageway.bus.transport.connection import Connection
from steerageway.bus.transport.outbox import BATCH, Outbox, Row
from steerageway.bus.transport.wire import OBSERVER, PROTOCOL, cost, ungroup
from steerageway.declarations.posted import Value

MAIL_WINDOW = 8192  # cost of the mail that the broker may send ahead
LONGEST_WAIT = 1.0  # wall seconds of one wait on the socket
LINGER = 1000  # ms


# Many methods: it is all that a script may ask of a broker.
class Client:
    """One connection to a broker.

    Attributes:
        about: what the broker's welcome tells about the run.
        name, community: source and community of this client's posts.
        heard: the latest simulated time of mail that has come [s].
        thinned: messages the broker left out because this observer did not read.
        stopping: whether the broker asked this app to stop.
        ended: why the run ended, or this client was disconnected; empty before.
        timeout: wall seconds to wait for answers, and for credit to post.
        on_refused: called with the text of refused posts; raises PostRefused unless replaced.
        on_report: returns this app's appcast when an observer requests it.
    """

    def __init__(self, connection: Connection, timeout: float) -> None:
        """Wrap a connection; use ``connect`` to make a client."""
        self._connection = connection
        self.timeout = timeout
        self._outbox = Outbox()
        self._inbox: list[Message] = []
        self._sent = self._allowed = 0
        self._received, self._given = 0, MAIL_WINDOW
        self._held_by: tuple[str, ...] = ()
        self._number = 0
        self._replies: dict[int, tuple[bool, Any]] = {}
        self.about: dict[str, Any] = {}
        self.name = self.community = self.ended = ""
        self.heard = 0.0
        self.thinned = 0
        self.stopping = False
        self.on_refused: Callable[[str], None] = _raise_refused
        self.on_report: Callable[[], str] = str

    @classmethod
    def connect(
        cls,
        address: str,
        name: str,
        *,
        role: str = OBSERVER,
        community: str = "",
        whole: bool = False,
        keys: Path | None = None,
        token: str | None = None,
        timeout: float = 5.0,
        shares: bool = False,
    ) -> Self:
        """Connect to a broker's server.

        Args:
            address: "tcp://host:port", "host:port" or "ipc://path".
            name: source of this client's posts.
            role: "observer", which delays nobody, or "app" (free run only).
            community: the one to connect to; may be left out where there is one.
            whole: as an observer, to be disconnected rather than miss a message.
            keys: this client's ``.key`` file, see ``bus.transport.keys``.
            token: the run's token; None: read it from the run's file, if this user may.
            timeout: wall seconds to wait for answers, and for credit to post.
            shares: whether it is one of many clients in this process: they share ZeroMQ's threads.
        Raises:
            NoAnswer: no reply, or the keys do not fit.
            Refused: the broker rejected the client; the text says why.
        """
        options = {"role": role, "community": community, "whole": whole}
        make = partial(Connection, address, keys, shares=shares)
        known = token_for(address) if token is None else token
        try:
            return cls._connected(make, timeout, name, {**options, "token": known})
        except Refused:
            newer = token_for(address) if token is None else known
            if newer == known:
                raise
        # The run began, and wrote its token, after it was looked up.
        return cls._connected(make, timeout, name, {**options, "token": newer})

    @classmethod
    def _connected(
        cls, make: Callable[[], Connection], timeout: float, name: str, options: dict[str, Any]
    ) -> Self:
        client = cls(make(), timeout)
        try:
            client._greet(name, **options)
        except BaseException:
            client._connection.close(0)
            raise
        return client

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is not None:
            self.discard()
        self.close()

    def fileno(self) -> int:
        """Return a descriptor for ``select``, to wait for several clients at once.

        It becomes readable when something has come, and not again before ``fetch`` has taken it;
        sending may take the sign away, so look with ``fetch(0)`` now and then in any case.
        """
        return self._connection.fileno()

    def post(self, name: str, value: object, time: float | None = None, aux: str = "") -> None:
        """Post a value with the next batch, sent at ``BATCH`` posts, by ``flush`` or by any wait.

        Args:
            name: the variable.
            value: float, str or bytes; other real numbers become floats.
            time: the stamp [s since the mission's start]; the broker's time if not given.
            aux: a comment stored beside the source.
        Raises:
            ValueRefused: not a finite number, text or bytes.
            BackPressure: see ``flush``.
        """
        kind = value.__class__
        taken: Value = value if kind is float or kind is str else as_value(name, value)  # type: ignore[assignment]
        if taken.__class__ is float and not -inf < taken < inf:
            raise ValueRefused(name, value)
        rows = self._outbox.rows
        rows.append((name, taken, time, aux))
        if len(rows) >= BATCH:
            self.flush()

    def add(self, posts: Iterable[Row]) -> None:
        """Add checked posts to the next batch."""
        self._outbox.rows += posts

    def discard(self) -> int:
        """Drop the unsent posts and return their number."""
        return self._outbox.discard()

    def flush(self) -> None:
        """Send the waiting posts.

        Raises:
            BackPressure: a reader of the posts does not read, and the timeout passed; the posts are
                kept for the next flush.
        """
        outbox = self._outbox
        while outbox.rows:
            self.await_credit()
            frame, count = outbox.pack()
            self._send_counted(frame, count)
            # Only now: rows that could not be sent stay for the next flush.
            del outbox.rows[:count]

    def register(self, *names: str, interval: float = 0.0, source: str = "*") -> None:
        """Subscribe to these variables: to all later posts, and at once to their present values.

        Args:
            names: variables, or patterns with * and ?.
            interval: least time between two deliveries of one variable [s].
            source: only posts of this client: a name or a pattern.
        Raises:
            RegistrationRefused: a name is no str, or the interval no number >= 0.
        """
        wanted = [Registration(name, source, interval).checked() for name in names]
        self.send_registrations(wanted)

    def unregister(self, *names: str, source: str = "*") -> None:
        """Cancel the registrations of exactly these names or patterns."""
        self.send_registrations([Registration(name, source, active=False) for name in names])

    def send_registrations(self, registrations: Sequence[Registration]) -> None:
        """Register and unregister, in order."""
        self._send("register", registrations)

    def fetch(self, timeout: float = inf) -> list[Message]:
        """Wait for mail; return what has come, oldest first, which need not be all.

        Args:
            timeout: most wall seconds to wait; 0: do not wait.
        Returns:
            Empty when the time has passed or the run has ended.
        Raises:
            NoAnswer: the broker has been silent for long.
            PostRefused: for an earlier post, unless ``on_refused`` was replaced.
        """
        if self._outbox.rows:
            self.flush()
        if not self._inbox:
            deadline = wall() + timeout
            while self._read(deadline) and not self._inbox and not self.stopping:
                pass
        # Credit follows what the caller takes, so that unread mail is bounded by the window.
        mail, self._inbox = self._inbox, []
        self._give_credit()
        return mail

    def wait_for(
        self, name: str, predicate: Callable[[Value], bool], timeout: float = inf
    ) -> Message:
        """Wait until a variable has a value that satisfies a predicate; return that message.

        Mail of other variables is kept for ``fetch``.

        Raises:
            NoAnswer: the time passed or the run ended before, or unfetched mail has used up the
                window, so that no more can come.
        """
        self.register(name)
        kept: list[Message] = []
        deadline = wall() + timeout
        try:
            while self._inbox or self._read(deadline):
                found = self._sift(name, predicate, kept)
                if found is not None:
                    return found
                if not kept:
                    self._give_credit()
                elif self._received >= self._given:
                    raise NoAnswer(f"{name}: {len(kept)} other messages wait to be fetched")
        finally:
            self._inbox = kept + self._inbox
        raise NoAnswer(f"{name}: {self.ended or f'no value that satisfies within {timeout:g} s'}")

    def control(self, verb: str, *args: Any) -> Any:
        """Control the run: pause, resume, step, warp, stop ...

        Raises:
            ControlError: it was refused; the text says why.
            NoAnswer: no answer came in time, or the run has ended.
        """
        return self._ask("control", verb, args)

    def appcast(self, app: str) -> str:
        """Return an app's appcast.

        Raises:
            ControlError: there is no such app.
            NoAnswer: the app did not answer in time.
        """
        return str(self._ask("appcast", app))

    def request(self, kind: str, *rest: Any) -> int:
        """Send a request ("control", verb, args; "appcast", app); return its number."""
        self._number += 1
        self._send(kind, self._number, *rest)
        return self._number

    def answer(self, number: int) -> Any:
        """Return the answer to a request, None if it has not come; raises ControlError."""
        well, result = self._replies.pop(number, (True, None))
        if not well:
            raise ControlError(result)
        return result

    def wait_answer(self, number: int, request: str) -> Any:
        """Wait for the answer to a request; see ``control`` for errors, which name ``request``."""
        deadline = wall() + self.timeout
        while number not in self._replies and self._read(deadline):
            pass
        if number not in self._replies:
            over = f"the run has ended: {self.ended}" if self.ended else ""
            raise NoAnswer(f"{request}: {over or f'no answer within {self.timeout:g} s'}")
        return self.answer(number)

    def close(self, account: dict[str, Any] | None = None) -> None:
        """Send waiting posts, say goodbye, and close; closing again does nothing.

        Args:
            account: an app's figures for the summary.
        """
        if self._connection.closed:
            return
        try:
            if not self.ended:
                self._send("bye", account or {})
                self._wait_disconnected()
        finally:
            self._connection.close(LINGER)

    def _wait_disconnected(self) -> None:
        """Wait until the broker has read everything: closing the connection would drop the rest."""
        deadline = wall() + LINGER / 1000
        with suppress(NoAnswer):  # the broker no longer replies
            while (left := deadline - wall()) > 0:
                parts = self._connection.receive(left)
                if parts is not None and parts[0] in ("gone", "bye", "refused"):
                    return

    def _greet(self, name: str, **options: Any) -> None:
        self._connection.send("hello", PROTOCOL, name, {**options, "credit": MAIL_WINDOW})
        deadline = wall() + self.timeout
        while not self.about and self._read(deadline):
            pass
        if self.ended:
            raise Refused(self.ended)
        if not self.about:
            address = self._connection.address
            raise NoAnswer(f"{address}: no broker answered within {self.timeout:g} s")
        self.name, self.community = self.about["name"], self.about["community"]

    def _send(self, *parts: Any) -> None:
        """Send a frame, after the waiting posts."""
        self.flush()
        self._connection.send(*parts)

    def _ask(self, kind: str, *rest: Any) -> Any:
        return self.wait_answer(self.request(kind, *rest), f"{kind} {rest[0]}")

    def _sift(
        self, name: str, predicate: Callable[[Value], bool], kept: list[Message]
    ) -> Message | None:
        """Search the inbox for a value that satisfies; set other variables' mail aside."""
        mail, self._inbox = self._inbox, []
        for place, message in enumerate(mail):
            if message.name != name:
                kept.append(message)
            elif predicate(message.value):
                self._inbox = mail[place + 1 :]
                return message
        return None

    def await_credit(self) -> None:
        """Wait for credit to send; raises BackPressure."""
        if self._sent < self._allowed:
            return
        deadline = wall() + self.timeout
        while self._sent >= self._allowed and self._read(deadline):
            pass
        if self.ended:
            raise Refused(self.ended)
        if self._sent >= self._allowed:
            raise BackPressure(self._held_by, self.timeout)

    def _send_counted(self, frame: bytes, rows: int) -> None:
        """Send a frame with so many posts and count it against the credit."""
        self._connection.send_packed(frame)
        self._sent += cost(rows, len(frame))

    def _give_credit(self) -> None:
        """Give the broker more credit, once half of the window has been received."""
        if self._given - self._received < MAIL_WINDOW // 2 and not self.ended:
            self._given = self._received + MAIL_WINDOW
            self._connection.send("credit", self._given)

    def _read(self, deadline: float) -> bool:
        """Take the next frame, or let time pass; False when the deadline or the run is over."""
        if self.ended:
            return False
        left = deadline - wall()
        wait = left if left < LONGEST_WAIT else LONGEST_WAIT
        parts = self._connection.receive(wait, self.timeout)
        if parts is None:
            return left > 0
        self._take(parts)
        return True

    def _take(self, parts: tuple[Any, ...]) -> None:
        if parts[0] == "mail":
            mail = ungroup(parts[1])
            self._received += cost(len(mail), self._connection.size)
            self._inbox += mail
            self.heard = max(self.heard, mail[-1].time) if mail else self.heard
            return
        match parts:
            case ("credit", credit) if credit > self._allowed:
                self._allowed, self._held_by = credit, ()
            case ("held", names):
                self._held_by = names
            case ("reply", number, well, result):
                self._replies[number] = (well, result)
            case ("welcome", _, about):
                self.about, self._allowed = about, about["credit"]
            case ("refused" | "bye", reason):
                self.ended = reason
            case ("thinned", total):
                self.thinned = total
            case ("stop",):
                self.stopping = True
            case ("report",):
                self._connection.send("reported", self.on_report())
            case ("error", "post", text):
                self.on_refused(text)
            case ("error", _, text):
                raise WireError(text)


def _raise_refused(text: str) -> None:
    raise PostRefused(text)
