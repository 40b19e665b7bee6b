"""Links that carry lines of text: UDP, TCP and serial. None of them ever waits.

A peer that does not read loses what it has not read, one that sends too much or too long lines is
cut short, and each such event is counted in ``troubles``.
"""

from __future__ import annotations

import os
import pty
import select
import socket
import termios
import tty
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from steerageway.bus import Share, wall

LONGEST_LINE = 1024  # bytes; NMEA 0183 allows 82
MOST_PEERS = 16  # of a TCP server
MOST_UNSENT = 65_536  # bytes for a TCP peer that does not read
MOST_AT_ONCE = 65_536  # bytes taken in by one look
DATAGRAM = 65_536
MOST_TEXTS = 200  # that are counted each
LONGEST_TURN = 0.02  # wall seconds in which what has come is taken before it rests ...
REST = 4.0  # ... this many times as long

Address = tuple[str, int]
T = TypeVar("T")


class Counts(Counter[str]):
    """Counts by text; of texts that others invent, the first ``MOST_TEXTS`` are kept apart."""

    def __setitem__(self, text: str, count: int) -> None:
        if text not in self and len(self) >= MOST_TEXTS:
            text, count = "others", self["others"] + count
        super().__setitem__(text, count)


class Link(Protocol):
    """A way to other programs.

    Attributes:
        name: as users know it.
        troubles: what went wrong -> how often.
    """

    name: str
    troubles: Counts

    def send(self, data: bytes) -> None:
        """Send whole lines to every peer that is there."""

    def receive(self) -> Iterator[bytes]:
        """Yield the lines that have come, without their ends."""

    def close(self) -> None:
        """Close it; closing again does nothing."""


class Told:
    """Tells what is new among counted troubles, which other threads may count."""

    def __init__(self) -> None:
        self._told: dict[str, Counter[str]] = {}

    def new(self, name: str, troubles: Counter[str]) -> Iterator[str]:
        """Yield each trouble that came since it was asked about the last time.

        Args:
            name: of what has these troubles, and no other.
            troubles: what went wrong -> how often.
        """
        now, told = troubles.copy(), self._told.get(name, Counter[str]())
        self._told[name] = now
        yield from (what for what in now if now[what] > told[what])


class Arrivals(Generic[T]):
    """What comes in, in turns: one that sends without end takes a fifth of a run's wall time.

    Args:
        receive: returns what has come; it is asked again once all of that is taken.
    """

    def __init__(self, receive: Callable[[], Iterator[T]]) -> None:
        self._receive = receive
        self._left: Iterator[T] = iter(())
        self._share = Share()

    def turn(self) -> Iterator[T]:
        """Yield what has come, until it and its use have taken ``LONGEST_TURN``."""
        if self._share.rests:
            return
        began = wall()
        for is_rest in (True, False):  # of an earlier turn
            for one in self._left:
                yield one
                if (took := wall() - began) > LONGEST_TURN:
                    self._share.take(took, REST)
                    return
            if is_rest:
                self._left = self._receive()


class Lines:
    """Splits a stream of bytes into lines; those that are too long are left out and counted."""

    def __init__(self, troubles: Counter[str]) -> None:
        self._rest = b""
        self._skipping = False
        self._troubles = troubles

    def take(self, data: bytes) -> Iterator[bytes]:
        """Yield the lines that are complete with these bytes."""
        *whole, self._rest = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            skipped, self._skipping = self._skipping, False
            if len(line) > LONGEST_LINE or skipped:
                self._troubles["a line is too long"] += 1
            elif line:
                yield line
        if len(self._rest) > LONGEST_LINE:
            self._rest, self._skipping = b"", True


class UdpOut:
    """Sends datagrams, one a line, to an address."""

    def __init__(self, address: Address) -> None:
        self.name = f"udp {address[0]}:{address[1]}"
        self.troubles = Counts()
        self._address = address
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)

    def send(self, data: bytes) -> None:
        for line in data.splitlines(keepends=True):
            try:
                self._socket.sendto(line, self._address)
            except OSError as error:
                self.troubles[f"a line was not sent ({error.strerror})"] += 1

    def receive(self) -> Iterator[bytes]:
        return iter(())

    def close(self) -> None:
        self._socket.close()


class _Datagrams:
    """A UDP socket that is bound or connected to an address."""

    def __init__(self, address: Address, join: Callable[[socket.socket, Address], None]) -> None:
        self.name = f"udp {address[0]}:{address[1]}"
        self.troubles = Counts()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        try:
            join(self._socket, address)
        except OSError:
            self._socket.close()
            raise

    def receive(self) -> Iterator[bytes]:
        """Yield whole datagrams."""
        taken = 0
        while taken < MOST_AT_ONCE:
            try:
                data = self._socket.recv(DATAGRAM)
            except OSError:
                return
            taken += len(data) + 1
            yield data

    def close(self) -> None:
        self._socket.close()


class UdpIn(_Datagrams):
    """Receives datagrams of one or several lines.

    Raises:
        OSError: the address cannot be bound.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address, socket.socket.bind)

    def send(self, data: bytes) -> None:
        """Send nothing."""

    def receive(self) -> Iterator[bytes]:
        for data in super().receive():
            yield from Lines(self.troubles).take(data + b"\n")


class _Peer:
    """A client of a TCP server, with what it has not read yet."""

    def __init__(self, connection: socket.socket, host: str, troubles: Counter[str]) -> None:
        connection.setblocking(False)
        # The kernel would keep some megabytes, and tell late that nobody reads.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNSENT)
        self.connection, self.host, self.lines = connection, host, Lines(troubles)
        self.unsent = b""

    def send(self, data: bytes) -> None:
        self.unsent += data
        with suppress(BlockingIOError):
            self.unsent = self.unsent[self.connection.send(self.unsent) :]


class TcpServer:
    """Sends lines to all clients that are connected, and takes theirs.

    Of too many, one of the host that has most connections gives way to the next: the one that has
    sent nothing for the longest time. No number of silent ones keeps another out.

    Raises:
        OSError: the address cannot be bound.
    """

    def __init__(self, address: Address) -> None:
        self.name = f"tcp {address[0]}:{address[1]}"
        self.troubles = Counts()
        self._server = socket.create_server(address, backlog=MOST_PEERS)
        self._server.setblocking(False)
        self._peers: list[_Peer] = []  # the one that was heard last is last

    def send(self, data: bytes) -> None:
        self._accept()
        for peer in list(self._peers):
            try:
                peer.send(data)
            except OSError:
                self._drop(peer, "a client has closed its connection")
            if len(peer.unsent) > MOST_UNSENT:
                self._drop(peer, "a client that did not read was disconnected")

    def receive(self) -> Iterator[bytes]:
        self._accept()
        for peer in list(self._peers):
            try:
                data = peer.connection.recv(MOST_AT_ONCE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if data:
                self._peers.remove(peer)
                self._peers.append(peer)
                yield from peer.lines.take(data)
            else:
                self._drop(peer, "")

    def close(self) -> None:
        for peer in self._peers:
            peer.connection.close()
        self._peers = []
        self._server.close()

    def _accept(self) -> None:
        for _ in range(2 * MOST_PEERS):  # those that wait, and no more, however fast others come
            try:
                connection, (host, _) = self._server.accept()
            except OSError:
                return
            self._peers.append(_Peer(connection, host, self.troubles))
            if len(self._peers) > MOST_PEERS:
                hosts = Counter(peer.host for peer in self._peers)
                quietest = max(self._peers, key=lambda peer: hosts[peer.host])  # the first of them
                self._drop(quietest, f"of more than {MOST_PEERS} clients one was disconnected")

    def _drop(self, peer: _Peer, why: str) -> None:
        if peer in self._peers:
            self._peers.remove(peer)
            peer.connection.close()
            if why:
                self.troubles[why] += 1


class Serial:
    """A serial line: a device that exists, or the name of a pseudo-terminal that is made.

    Raises:
        OSError: the device cannot be opened, or the name is taken by something else.
    """

    def __init__(self, path: Path, baud: int | None) -> None:
        self.name = f"serial {path}"
        self.troubles = Counts()
        self._lines = Lines(self.troubles)
        self._made: Path | None = None
        if path.exists() and not path.is_symlink():
            self._line = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        else:
            self._line = self._make_terminal(path)
        tty.setraw(self._line)
        if baud is not None:
            self._set_speed(baud)

    def _make_terminal(self, path: Path) -> int:
        own, other = pty.openpty()
        if path.is_symlink():  # of an earlier run
            path.unlink()
        path.symlink_to(os.ttyname(other))
        tty.setraw(other)
        os.set_blocking(own, False)
        os.close(other)  # so that we see whether somebody else has opened it
        self._made = path
        return own

    def _is_connected(self) -> bool:
        """Whether somebody has opened the other end; a real line does not tell."""
        poll = select.poll()
        poll.register(self._line, select.POLLOUT)
        return not any(event & select.POLLHUP for _, event in poll.poll(0))

    def _set_speed(self, baud: int) -> None:
        speed = getattr(termios, f"B{baud}")
        attributes = termios.tcgetattr(self._line)
        attributes[4] = attributes[5] = speed
        termios.tcsetattr(self._line, termios.TCSANOW, attributes)

    def send(self, data: bytes) -> None:
        if not self._is_connected():
            return
        try:
            sent = os.write(self._line, data)
        except OSError:  # the reader has not read for long
            sent = 0
        if sent < len(data):
            self.troubles["bytes were not sent, as they are not read"] += len(data) - sent

    def receive(self) -> Iterator[bytes]:
        try:
            data = os.read(self._line, MOST_AT_ONCE)
        except OSError:
            return
        yield from self._lines.take(data)

    def close(self) -> None:
        if self._made is not None:
            self._made.unlink(missing_ok=True)
            self._made = None
        if self._line >= 0:
            os.close(self._line)
            self._line = -1


class UdpPeer(_Datagrams):
    """Exchanges datagrams with one address; those of other senders do not arrive.

    Raises:
        OSError: the address cannot be reached at all.
    """

    def __init__(self, address: Address) -> None:
        super().__init__(address, socket.socket.connect)

    def send(self, data: bytes) -> None:
        try:
            self._socket.send(data)
        except ConnectionError:  # nobody is there yet
            pass
        except OSError as error:
            self.troubles[f"a datagram was not sent ({error.strerror})"] += 1
