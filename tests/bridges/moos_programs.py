"""Missions that programs of MOOS take part in, and such a program, down to its bytes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from steerageway.bridges.moosdb import packets
from steerageway.bridges.moosdb.packets import MoosMessage

ROOT = Path(__file__).parents[2]
APPS = '''
from steerageway.bus import App


class Counter(App):
    """Counts, and repeats what it is asked; it has a value of each type."""

    def on_start(self):
        self.register("ASK", "ASK_BYTES")
        self.post("TEXT", "none")
        self.post("BYTES", bytes(range(256)))

    def on_mail(self, mail):
        for message in mail:
            self.post(message.name.replace("ASK", "ANSWER"), message.value)

    def iterate(self):
        self.post("COUNT", self.iteration)
'''
MISSION = """\
Community = alpha
ServerPort = 9000

ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = pLogger
  Run = counting:Counter ~ pCounter
}

ProcessConfig = pLogger
{
  AppTick = 10
  WildCardLogging = true
}

ProcessConfig = pCounter
{
  AppTick = 10
}
"""


def mission(folder: Path, *runs: str, block: str = "") -> Path:
    """Write the mission, with further lines of its launch list and a block."""
    (folder / "counting.py").write_text(APPS)
    file = folder / "counting.moos"
    more = "".join(f"  Run = {run}\n" for run in runs)
    file.write_text(MISSION.replace("~ pCounter\n", f"~ pCounter\n{more}") + block)
    return file


_OPEN = ExitStack()


def close_all() -> None:
    """End all runs and connections of a test."""
    _OPEN.close()


class Running:
    """A run of the launcher, with a MOOSDB port."""

    def __init__(self, file: Path, *options: str, log: str = "log") -> None:
        self.folder = file.parent
        self.log = self.folder / log
        self.summary = self.folder / f"{log}.json"
        command = [sys.executable, str(ROOT / "launch.py"), str(file), "--log", str(self.log)]
        command += ["--json", str(self.summary), "--port", "auto", *options]
        environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(self.folder / "runtime"),
            "PYTHONPATH": str(ROOT),
        }
        self.process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = ""
        self.port = 0
        _OPEN.callback(self._end)

    def _end(self) -> None:
        self.process.terminate()
        self.process.communicate()

    def opened(self) -> int:
        """Wait until the MOOSDB port is open; return it."""
        assert self.process.stderr is not None
        while line := self.process.stderr.readline():
            self.said += line
            if "MOOSDB at" in line:
                self.port = int(line.split("127.0.0.1:")[1].split(";")[0])
                return self.port
        raise AssertionError(self.said)

    def ended(self) -> tuple[int, dict[str, Any]]:
        """Wait for the end; return exit code and summary, {} if there is none."""
        _, said = self.process.communicate(timeout=60)
        self.said += said or ""
        there = self.summary.exists()
        return self.process.returncode, json.loads(self.summary.read_text()) if there else {}


def log_hash(summary: dict[str, Any]) -> str:
    """Return the hash of the log of the community."""
    return str(summary["communities"]["alpha"]["log_sha256"])


class Program:
    """A program of MOOS, down to its bytes; without a clock of its own."""

    def __init__(self, port: int, name: str = "", mode: str = packets.ASYNCHRONOUS) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(10.0)
        self._closed, self.lock = threading.Event(), threading.Lock()
        _OPEN.callback(self.close)
        self._stream = bytearray()
        self.mail = self._received()
        if name:
            hello = MoosMessage(
                packets.HELLO, packets.STRING, mode, time=1000.0, text=name.encode(), source=name
            )
            self.socket.sendall(packets.GREETING + packets.packet([hello.packed()]))
            threading.Thread(target=self._beat).start()

    def _beat(self) -> None:
        """Send a heartbeat now and then, as programs must, until the connection is closed."""
        with suppress(OSError):
            while not self._closed.wait(1.0):
                self.send(MoosMessage(packets.TIMING, name="_async_timing", time=1000.0))

    def close(self) -> None:
        """End the connection."""
        self._closed.set()
        self.socket.close()

    def send(self, *messages: MoosMessage) -> None:
        """Send a packet."""
        with self.lock:
            self.socket.sendall(packets.packet([one.packed() for one in messages]))

    def post(self, name: str, value: float | str | bytes, when: float = -1.0) -> None:
        """Post a value."""
        if isinstance(value, float):
            self.send(MoosMessage(packets.NOTIFY, packets.DOUBLE, name, time=when, number=value))
        else:
            data = packets.BINARY if isinstance(value, bytes) else packets.STRING
            text = value if isinstance(value, bytes) else value.encode()
            self.send(MoosMessage(packets.NOTIFY, data, name, time=when, text=text))

    def register(self, name: str, interval: float = 0.0) -> None:
        """Register for a variable."""
        self.send(MoosMessage(packets.REGISTER, name=name, number=interval))

    def _received(self) -> Iterator[MoosMessage]:
        """Return what comes, until the connection ends."""
        while True:
            for messages in packets.take_packets(self._stream):
                yield from messages
            try:
                content = self.socket.recv(1 << 16)
            except ConnectionResetError:
                return
            if not content:
                return
            self._stream += content

    def next(self, name: str) -> MoosMessage:
        """Return the next message of a name, or of a kind."""
        return next(one for one in self.mail if name in (one.name, one.kind.decode()))


def eventually(holds: Any, seconds: float = 10.0) -> bool:
    """Whether something comes to hold within some wall time."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
