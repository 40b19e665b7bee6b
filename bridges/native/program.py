"""``LockstepProgram``: one program with the preloaded library, from grant to grant."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from steerageway.bridges.moosdb import packets
from steerageway.bus import CannotGoOn, how_it_ended

START, PATIENCE = 40.0, 8.0  # wall seconds from a grant to its report, at the start and later
GRACE = 2.0  # wall seconds to end in
BACKLOG = 128  # connections that wait at the database's port
_REPORT, _GRANT = Struct("<qqqqqq"), Struct("<qq")


class Report(NamedTuple):
    """What a program tells when all its threads wait.

    Attributes:
        now: its time. next: its earliest deadline [ns since 1970].
        received, sent: bytes of its present connection to the database.
        connections: how many there have been, times 65536, and this end's port of the present one.
        reads: of the clock, that time had to be moved for.
    """

    now: int
    next: int
    received: int
    sent: int
    connections: int
    reads: int


class ProgramFailed(CannotGoOn):
    """The program has ended, or does not wait."""


class LockstepProgram:
    """A program, and its connection to a database, which is this object.

    Attributes:
        port: of the database.
        folder: which exists as long as the program.
        report: the latest.
    """

    def __init__(self) -> None:
        """Open the database's port."""
        self._temporary = tempfile.TemporaryDirectory(prefix="steerageway-")
        self.folder = Path(self._temporary.name)
        self._waiting = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
        self._waiting.settimeout(PATIENCE)
        self.port = int(self._waiting.getsockname()[1])
        self.report = Report(0, 0, 0, 0, 0, 0)
        self._control: socket.socket | None = None
        self._peer: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stream = bytearray()
        self._greeted = False
        self._given = self._taken = 0  # bytes of the present connection

    def start(
        self,
        command: Sequence[str],
        library: Path,
        folder: Path,
        output: Path,
        instant: int,
        port: int = 9000,
    ) -> None:
        """Start it, and run it until it waits.

        Args:
            command: of the program. library: to preload. folder: in which it runs.
            output: file of its output. instant: the time that it sees [ns since 1970].
            port: at which it finds the database, whatever the true one is.
        Raises:
            ProgramFailed: it cannot be started, or does not take part.
        """
        path = self.folder / "control"
        environment: Mapping[str, str] = {
            **os.environ,
            "LD_PRELOAD": str(library),
            "STEERAGEWAY_LOCKSTEP": str(path),
            "STEERAGEWAY_MOOSDB": f"{port}:{self.port}",
        }
        with socket.socket(socket.AF_UNIX) as door, output.open("wb") as file:
            door.bind(str(path))
            door.listen()
            door.settimeout(PATIENCE)
            try:
                self._process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                )
                self._control, _ = door.accept()
            except TimeoutError:
                raise ProgramFailed(
                    "it does not load the library: is it linked statically?"
                ) from None
            except OSError as error:
                raise ProgramFailed(f"it cannot be started: {error.strerror}") from error
        self.grant(instant, START)

    def grant(self, until: int, patience: float = PATIENCE) -> None:
        """Let it run until an instant [ns since 1970] and wait.

        Raises:
            ProgramFailed: it has ended, or does not wait.
        """
        assert self._control is not None
        self._control.settimeout(patience)
        self._close_strangers()
        content = b""
        try:
            self._control.sendall(_GRANT.pack(until, self._given))
            while len(content) < _REPORT.size:
                part = self._control.recv(_REPORT.size - len(content))
                if not part:
                    raise ConnectionError
                content += part
        except TimeoutError:
            raise ProgramFailed(f"has not waited for {patience:g} s: {self._threads()}") from None
        except OSError:
            raise ProgramFailed(self._how_it_ended()) from None
        before, self.report = self.report, Report(*_REPORT.unpack(content))
        try:
            if self.report.connections != before.connections:
                self._accept()
            self._read()
        except OSError as error:
            raise ProgramFailed(f"its connection to the database fails: {error}") from None

    def send(self, content: bytes) -> None:
        """Send bytes to its connection, for the next grant."""
        if self._peer is not None:
            with suppress(OSError):  # a connection that it has closed
                self._peer.sendall(content)
                self._given += len(content)

    def messages(self) -> list[packets.MoosMessage]:
        """Return the messages that it has sent.

        Raises:
            ProgramFailed: they are not of the protocol.
        """
        if not self._greeted:
            if len(self._stream) < len(packets.GREETING):
                return []
            del self._stream[: len(packets.GREETING)]
            self._greeted = True
        try:
            return [one for found in packets.take_packets(self._stream) for one in found]
        except packets.BadPacket as error:
            raise ProgramFailed(f"does not speak the MOOSDB protocol: {error}") from None

    def end(self) -> None:
        """End it: it ends by itself once nobody grants it time."""
        for one in (self._control, self._peer, self._waiting):
            if one is not None:
                one.close()
        if self._process is not None:
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._temporary.cleanup()

    def _close_strangers(self) -> None:
        """Close the connections that wait while the program does not run: it has made none."""
        self._waiting.settimeout(0.0)
        with suppress(OSError):
            for _ in range(BACKLOG):
                self._waiting.accept()[0].close()
        self._waiting.settimeout(PATIENCE)

    def _accept(self) -> None:
        """Take its new connection, and close those of strangers."""
        while True:
            if self._peer is not None:
                self._peer.close()
            self._peer, (_, port) = self._waiting.accept()
            if port == self.report.connections & 0xFFFF:
                break
        self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._peer.settimeout(PATIENCE)
        self._stream.clear()
        self._greeted = False
        self._given = self._taken = 0

    def _read(self) -> None:
        """Read all that it has sent."""
        while self._peer is not None and self._taken < self.report.sent:
            content = self._peer.recv(1 << 20)
            if not content:
                return
            self._taken += len(content)
            self._stream += content

    def _how_it_ended(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "its process no longer answers"
        return how_it_ended(-code if code < 0 else code << 8)

    def _threads(self) -> str:
        """Return the system's view of its threads: R runs, S waits where the library cannot see."""
        assert self._process is not None
        found = []
        for task in sorted(Path(f"/proc/{self._process.pid}/task").glob("*")):
            with suppress(OSError, IndexError):
                name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
                where = (task / "wchan").read_text().strip("0") or "its own code"
                found.append(f"{name} {rest.split()[0]} in {where}")
        return "threads " + ", ".join(found)
