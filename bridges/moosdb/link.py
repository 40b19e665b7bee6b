"""``Link``: the run as a client of a live MOOSDB, with which it shares some variables both ways."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from socket import AF_UNSPEC, SO_ERROR, SOCK_STREAM, SOL_SOCKET, gaierror, getaddrinfo, socket
from typing import Any

from steerageway.bridges.moosdb import packets
from steerageway.bridges.moosdb.packets import BadPacket, MoosMessage
from steerageway.bridges.moosdb.session import READ_AT_ONCE, House
from steerageway.bus import BackPressure, BusError, Client, Message, Value, is_pattern
from steerageway.diagnostics.diagnostic import reason

RETRY = 1.0  # wall seconds between two attempts to connect
BEAT = 1.0  # wall seconds between two heartbeats
MOST_UNSENT = 1 << 22  # bytes; a database that does not read them is connected to anew
UNDER_WAY = (0, errno.EINPROGRESS, errno.EWOULDBLOCK)


class Link:
    """A connection to a MOOSDB, made again whenever it breaks.

    What comes from it is posted under the gate's name, with its source as aux, and recorded as all
    posts from outside.
    """

    def __init__(self, about: dict[str, Any], bus: Client, house: House) -> None:
        """Subscribe to what is to be sent.

        Args:
            about: ``host``, ``port``, ``name`` in that database, ``send`` and ``receive``: names
                and patterns of variables.
            bus: a client of the run, of its own. house: of the community.
        """
        self._about, self._bus, self._house = about, bus, house
        self._who = f"MOOSDB {about['host']}:{about['port']}"
        bus.timeout = 0.0
        bus.on_refused = lambda text: house.note(self._who, f"post refused: {text}")
        if about["send"]:
            bus.register(*about["send"])
        self._peer: socket | None = None
        self._stream, self._unsent = bytearray(), bytearray()
        self._skew: float | None = None  # None: not welcomed yet
        self._refused = False
        self._next = self._beat = 0.0
        self._was_there = False

    def attend(self, now: float) -> None:
        """Connect if there is no connection; pass on what has come from either side."""
        try:
            if self._peer is None:
                if now >= self._next and not self._refused:
                    self._next = now + RETRY
                    self._connect(now)
                return
            self._receive(now)
            self._pass_on(now)
            self._send()
        except (OSError, BadPacket) as error:
            self._break(reason(error))

    def close(self) -> None:
        """End the connection."""
        if not self._was_there:
            self._house.note(self._who, "was never reached")
        if self._peer is not None:
            self._peer.close()
        with suppress(BusError):
            self._bus.close()

    def _connect(self, now: float) -> None:
        """Begin to connect.

        Raises:
            OSError: it fails at once.
        """
        try:
            where = getaddrinfo(self._about["host"], self._about["port"], AF_UNSPEC, SOCK_STREAM)
        except gaierror as error:
            raise OSError(error.strerror) from None
        family, kind, protocol, _, address = where[0]
        self._peer = socket(family, kind, protocol)
        self._peer.setblocking(False)
        code = self._peer.connect_ex(address)
        if code not in UNDER_WAY:
            raise OSError(code, os.strerror(code))
        hello = MoosMessage(
            packets.HELLO,
            packets.STRING,
            packets.ASYNCHRONOUS,
            time=now,
            text=self._about["name"].encode(),
            source=self._about["name"],
        )
        self._stream.clear()
        self._unsent[:] = packets.GREETING + packets.packet([hello.packed()])
        self._skew = None
        self._beat = now

    def _break(self, why: str) -> None:
        """Give up a connection."""
        if self._was_there and self._skew is not None:
            self._house.note(self._who, f"connection lost: {why}")
        if self._peer is not None:
            self._peer.close()
        self._peer = self._skew = None

    def _receive(self, now: float) -> None:
        """Take what the database has sent.

        Raises:
            OSError: it is gone. BadPacket: it is no MOOSDB.
        """
        assert self._peer is not None
        try:
            content = self._peer.recv(READ_AT_ONCE)
        except BlockingIOError:
            return
        if not content:
            raise OSError("closed by the other side")
        self._stream += content
        rows: list[tuple[str, Value, float | None, str]] = []
        for messages in packets.take_packets(self._stream):
            for one in messages:
                if self._skew is None:
                    self._take_welcome(one, now)
                elif one.kind == packets.NOTIFY and one.identity != packets.ANSWER:
                    rows.append((one.name, one.value, None, one.source))
        self._bus.add(rows)

    def _take_welcome(self, one: MoosMessage, now: float) -> None:
        """Take the answer to the introduction, and register."""
        if one.kind != packets.WELCOME:
            self._refused = True  # as MOOS does: who is refused does not come again
            self._house.note(self._who, f"refused: {packets.text_of(one.text)}")
            raise OSError("refused")
        self._was_there = True
        self._skew = one.number
        self._queue(_registrations(self._about["receive"], self._about["name"]))

    def _pass_on(self, now: float) -> None:
        """Send the run's posts, and a heartbeat now and then."""
        try:
            mail = self._bus.fetch(0.0)
        except BackPressure:
            return
        except BusError as error:
            self._house.note(self._who, str(error))
            return
        if self._skew is None:
            return
        time = now + self._skew
        if now >= self._beat + BEAT:
            self._beat = now
            timing = MoosMessage(packets.TIMING, name="_async_timing", time=now, number=0.0)
            self._queue([timing.packed()])
        if mail:
            self._queue([packets.delivery(_sent(one, self._about), time) for one in mail])

    def _queue(self, messages: Iterable[bytes]) -> None:
        found = list(messages)
        if found:
            self._unsent += packets.packet(found)

    def _send(self) -> None:
        """Send what waits.

        Raises:
            OSError: the database is gone, or does not read.
        """
        assert self._peer is not None
        if code := self._peer.getsockopt(SOL_SOCKET, SO_ERROR):
            raise OSError(code, os.strerror(code))
        with suppress(BlockingIOError):
            if self._unsent:
                del self._unsent[: self._peer.send(self._unsent)]
        if len(self._unsent) > MOST_UNSENT:
            raise OSError("it does not read what is sent")


def _sent(message: Message, about: dict[str, Any]) -> Message:
    """Return a message as it is sent: from this client, at the time of the database."""
    return message._replace(source=about["name"], aux=message.source, time=0.0)


def _registrations(names: Iterable[str], client: str) -> list[bytes]:
    """Return messages that register for names and patterns."""
    found = []
    for name in names:
        if is_pattern(name):
            text = f"AppPattern=*,VarPattern={name},Interval=0.0".encode()
            one = MoosMessage(
                packets.REGISTER_PATTERN, packets.STRING, client, text=text, source=client
            )
        else:
            one = MoosMessage(packets.REGISTER, name=name, number=0.0, source=client)
        found.append(one.packed())
    return found
