"""``Session``: one program of MOOS that is connected to the gateway, as an observer of the run.

It has a client of the bus of its own, so its posts have its name, its registrations are the
broker's, and mail that it does not read is thinned there and counted.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from socket import socket
from typing import NamedTuple

from steerageway.bridges.moosdb import packets
from steerageway.bridges.moosdb.clock import ProgramClock
from steerageway.bridges.moosdb.packets import BadPacket, MoosMessage
from steerageway.bus import (
    BackPressure,
    BusError,
    Client,
    PostRefused,
    Value,
    ValueRefused,
    is_name,
)
from steerageway.declarations import finite

HELLO_TIMEOUT = 5.0  # wall seconds in which a program must introduce itself
SILENCE = 5.0  # wall seconds without a heartbeat after which a program is gone
STUCK = 6.0  # wall seconds in which a program must read something
MOST_UNREAD = 1 << 20  # bytes on their way to a program, above which no more mail is fetched
READ_AT_ONCE = 1 << 18  # bytes
MOST_NOTED = 5  # different faults of a program that are told
MOST_FAULTS = 500  # of all programs, whose names are invented
MOST_FETCHES = 16  # frames of mail that are taken at once
CLIENTS = "DB_CLIENTS"

LONGEST_INTERVAL = 1e9  # s

_REGISTRATIONS = (
    *(packets.REGISTER, packets.UNREGISTER),
    *(packets.REGISTER_PATTERN, packets.UNREGISTER_PATTERN),
)
_Row = tuple[str, Value, float | None, str]
_PATTERN = re.compile(r"(AppPattern|VarPattern|Interval)=([^,\s]*)", re.IGNORECASE)


class RegistrationOf(NamedTuple):
    """A registration: name or pattern, of which sources, least interval [s], or its end."""

    name: str
    source: str
    interval: float
    active: bool


class Leave(Exception):
    """The connection is to be closed; the text says why, "": nothing is wrong."""


@dataclass
class House:
    """What the sessions of a community share.

    Attributes:
        community: its name. epoch: UTC of simulated time zero [s].
        time: returns MOOS time now [s]. warp: the run's.
        connect: makes a client of the bus with a name.
        taken: says why a name cannot be had; "": it can.
        programs: returns the names of the programs that are connected.
        summary: returns the present value of a report of the database, such as DB_VARSUMMARY.
        clear: clears the database.
        faults: what programs have done wrong, with the number of times.
        posted: posts taken since the broker was last heard, of all programs.
    """

    community: str
    epoch: float
    warp: float
    time: Callable[[], float]
    connect: Callable[[str], Client]
    taken: Callable[[str], str]
    programs: Callable[[], Iterable[str]]
    summary: Callable[[str], str]
    clear: Callable[[], None]
    faults: Counter[str] = field(default_factory=Counter)
    posted: int = 0

    def note(self, who: str, what: str) -> None:
        """Count a fault."""
        told = f"{who}: {what}"[:300]
        if told not in self.faults:
            mine = sum(one.startswith(f"{who}: ") for one in self.faults)
            told = told if mine < MOST_NOTED else f"{who}: others"
        known = told in self.faults or len(self.faults) < MOST_FAULTS
        self.faults[told if known else "others: further faults"] += 1


# Many methods: one for each step of the protocol.
class Session:
    """A connection to a program.

    Attributes:
        name: of the program; "" before it has introduced itself.
        posts: how many it has made.
        bus: its client of the bus; None before the introduction.
    """

    def __init__(self, peer: socket, house: House, now: float) -> None:
        peer.setblocking(False)
        self.name = ""
        self.posts = 0
        self.bus: Client | None = None
        self._peer, self._house = peer, house
        self._stream, self._unsent = bytearray(), bytearray()
        self._greeted = self._asynchronous = False
        self._owed = 0  # packets that a synchronous program waits for
        self._answers: list[bytes] = []
        self._todo: deque[Callable[[Client], object]] = deque()  # posts and registrations, in order
        self._held = False  # whether they wait for the broker
        self._clock = ProgramClock(now, 0.0, house.warp)
        self._now = self._heard = self._took = now

    def fileno(self) -> int:
        """Return the descriptor of its connection."""
        return self._peer.fileno()

    @property
    def is_ready(self) -> bool:
        """Whether what it sends may be read: its posts so far were taken."""
        return not self._held

    @property
    def wants_to_send(self) -> bool:
        """Whether bytes wait for the program to read."""
        return bool(self._unsent)

    def close(self) -> None:
        """End the connection."""
        self._peer.close()
        if self.bus is not None:
            with suppress(BusError):
                self.bus.discard()
                self.bus.close()

    def receive(self, now: float) -> None:
        """Take what the program has sent.

        Raises:
            Leave: it is gone, or does not speak the protocol.
        """
        try:
            content = self._peer.recv(READ_AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            content = b""
        if not content:
            raise Leave("ended in mid-message" if self._stream else "")
        self._now = now
        if self.bus is not None:  # an introduction that comes byte by byte has no more time
            self._heard = now
        self._stream += content
        if not self._greeted:
            self._greet()
        try:
            for messages in packets.take_packets(self._stream) if self._greeted else ():
                if self.bus is None:
                    self._introduce(messages, now)
                else:
                    self._handle(messages, now)
        except BadPacket as error:
            raise Leave(f"not the MOOSDB protocol: {error}") from None

    def attend(self, now: float) -> None:
        """Pass on posts and mail, correct its clock, and look whether it is still there.

        Raises:
            Leave: it is gone or does not read, or the run has ended.
        """
        self._now = now
        if self.bus is None:
            if now - self._heard > HELLO_TIMEOUT:
                raise Leave("no introduction within 5 s")
            return
        if now - self._heard > SILENCE:
            raise Leave("no heartbeat for 5 s, taken as gone")
        if self._unsent and now - self._took > STUCK:
            raise Leave("did not read for 6 s, disconnected")
        self._exchange(self._pass_on)
        waits = self._owed if not self._asynchronous else len(self._unsent) < MOST_UNREAD
        if not waits:
            return
        mail = self._mail()
        answers, self._answers = self._answers, []
        if not self._asynchronous:
            self._owed -= 1
            filler = MoosMessage(packets.FILLER, number=self._house.time()).packed()
            self.send(packets.packet([filler, *mail, *answers]))
        else:
            timing = self._timing()
            if timing or mail or answers:
                self.send(packets.packet([*timing, *mail, *answers]))

    def send(self, content: bytes = b"") -> None:
        """Send bytes, and those that wait, as many as the program takes now.

        Raises:
            Leave: it is gone.
        """
        if not self._unsent:
            self._took = self._now
        self._unsent += content
        try:
            sent = self._peer.send(self._unsent) if self._unsent else 0
        except BlockingIOError:
            return
        except OSError:
            raise Leave("") from None
        if sent:
            self._took = self._now
            del self._unsent[:sent]

    def _greet(self) -> None:
        """Take the words that a connection begins with."""
        begin = bytes(self._stream[: len(packets.GREETING)])
        words = packets.GREETING.rstrip(b"\0")
        if not words.startswith(begin.rstrip(b"\0")):
            raise Leave("not the MOOSDB protocol, or another version of it")
        if len(begin) == len(packets.GREETING):
            del self._stream[: len(begin)]
            self._greeted = True

    def _introduce(self, messages: Sequence[MoosMessage], now: float) -> None:
        """Welcome the program, or refuse its name."""
        if len(messages) != 1 or messages[0].kind != packets.HELLO:
            raise BadPacket("expected an introduction first")
        (hello,) = messages
        name = packets.text_of(hello.text)
        why = self._house.taken(name)
        if not why:
            try:
                self.bus = self._house.connect(name)
            except BusError as error:
                why = str(error)
        if self.bus is None:
            poison = MoosMessage(
                packets.POISON, packets.STRING, text=why.encode(), community=self._house.community
            )
            self.send(packets.packet([poison.packed()]))
            raise Leave(f"refused: {why}")
        self.name, self.bus.timeout = name, 0.0
        self.bus.on_refused = lambda text: self._house.note(name, f"post refused: {text}")
        self._heard = now
        self._asynchronous = hello.name == packets.ASYNCHRONOUS
        local = hello.time if isfinite(hello.time) else 0.0
        self._clock = ProgramClock(now, local, self._house.warp)
        skew = self._clock.greeted(self._house.time())
        self.send(packets.welcome(self._house.community, hello.time, skew))

    def _handle(self, messages: Sequence[MoosMessage], now: float) -> None:
        """Carry out the messages of a packet."""
        self._owed += not self._asynchronous
        latest = self._house.time()
        posts: list[_Row] = []
        for one in messages:
            kind = one.kind
            if kind == packets.NOTIFY:
                posts.append(self._post(one, latest))
                continue
            if kind == packets.TIMING and isfinite(one.time):
                self._clock.beat(now, one.time)
            elif kind == packets.REQUEST:
                self._answer(one)
            elif kind not in _REGISTRATIONS:
                if kind not in (packets.TIMING, packets.FILLER):
                    self._house.note(self.name, f"a message of unknown type {kind!r}")
            else:
                self._enter(posts)
                posts = []
                self._register(one)
        self._enter(posts)

    def _enter(self, posts: list[_Row]) -> None:
        """Put posts behind what is to be done."""
        if posts:
            self.posts += len(posts)
            self._house.posted += len(posts)
            self._todo.append(partial(Client.add, posts=posts))

    def _post(self, one: MoosMessage, latest: float) -> _Row:
        """Return a post: its stamp not in the future, and the broker's if before the run."""
        epoch = self._house.epoch
        time = min(one.time, latest) - epoch if one.time >= epoch else None
        return one.name, one.value, time, one.aux

    def _register(self, one: MoosMessage) -> None:
        """Put a registration, or its end, behind what is to be done."""
        wanted = registration_of(one)
        if wanted is None or not (is_name(wanted.name) and is_name(wanted.source)):
            self._house.note(self.name, f"cannot register for {one.name!r}")
            return
        name, source, interval, active = wanted
        if active:
            self._todo.append(lambda bus: bus.register(name, interval=interval, source=source))
        else:
            self._todo.append(lambda bus: bus.unregister(name, source=source))

    def _answer(self, request: MoosMessage) -> None:
        """Answer a request to the database."""
        house = self._house
        if "PROC_SUMMARY" in request.name:
            texts = [_process_text(one) for one in house.summary("DB_RWSUMMARY").split(",") if one]
            name = "PROC_SUMMARY"
        elif "VAR_SUMMARY" in request.name:
            texts, name = [house.summary("DB_VARSUMMARY")], "VAR_SUMMARY"
        elif "DB_CLEAR" in request.name:
            house.clear()
            return
        else:
            house.note(self.name, f"request {request.name} is not answered")
            return
        self._answers += [
            MoosMessage(
                packets.NOTIFY,
                packets.STRING,
                name,
                time=house.time(),
                text=text.encode(),
                source=f"MOOSDB_{house.community}",
                community=house.community,
                identity=packets.ANSWER,
            ).packed()
            for text in texts
        ]

    def _timing(self) -> list[bytes]:
        """Return a message that corrects the clock of the program, if it is wrong."""
        correction = self._clock.correction(self._now, self._house.time())
        if correction is None:
            return []
        time, number = correction
        name = "_async_timing"
        return [MoosMessage(packets.TIMING, name=name, time=time, number=number).packed()]

    def _pass_on(self, bus: Client) -> None:
        """Send posts and registrations, in the order in which the program sent them."""
        bus.flush()
        while self._todo:
            self._todo.popleft()(bus)
            bus.flush()

    def _mail(self) -> list[bytes]:
        """Return the program's new mail."""
        found: list[bytes] = []
        epoch = self._house.epoch

        def fetch(bus: Client) -> None:
            for _ in range(MOST_FETCHES):
                mail = bus.fetch(0.0)
                if not mail:
                    break
                for one in mail:
                    if one.name == CLIENTS and isinstance(one.value, str):
                        others = "".join(f"{name}," for name in self._house.programs())
                        one = one._replace(value=f"{one.value}{others}")
                    found.append(packets.delivery(one, epoch))

        if not self._held:
            self._exchange(fetch)
        return found

    def _exchange(self, act: Callable[[Client], object]) -> None:
        """Use the client of the bus; what the broker refuses is counted.

        Raises:
            Leave: the run has ended.
        """
        assert self.bus is not None
        while True:
            self._held = False
            try:
                act(self.bus)
            except BackPressure:
                self._held = True
            except (ValueRefused, PostRefused) as error:  # that post is dropped, others follow
                self._house.note(self.name, f"post refused: {error}")
                continue
            except BusError as error:
                self._house.note(self.name, str(error))
            if self.bus.ended:
                raise Leave("")
            return


def registration_of(one: MoosMessage) -> RegistrationOf | None:
    """Return what a message registers for; None if it is none of this kind."""
    if one.kind not in _REGISTRATIONS:
        return None
    name, source, interval = one.name, "*", one.number
    if one.kind in (packets.REGISTER_PATTERN, packets.UNREGISTER_PATTERN):
        found = _PATTERN.findall(packets.text_of(one.text))
        given = {key.lower(): value for key, value in found}
        name, source = given.get("varpattern", ""), given.get("apppattern", "*")
        interval = finite(given.get("interval", "")) or 0.0
    least = interval if 0 < interval < LONGEST_INTERVAL else 0.0
    active = one.kind in (packets.REGISTER, packets.REGISTER_PATTERN)
    return RegistrationOf(name, source, least, active)


def _process_text(report: str) -> str:
    """Return a client of DB_RWSUMMARY as the answer to PROC_SUMMARY: A=X:Y&Z."""
    name, _, variables = report.partition("=")
    subscribed, _, published = variables.partition("&")
    return f"{name}:SUBSCRIBED={_list(subscribed)},PUBLISHED={_list(published)}"


def _list(names: str) -> str:
    """Return names between colons as names after commas."""
    return "".join(f",{one}" for one in names.split(":") if one)
