"""Programs of a launch list: started beside the run, watched, and ended with it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from steerageway.bus import how_it_ended, sleep, wall

GRACE = 2.0  # wall seconds that programs get to end by themselves
PATIENCE = 10.0  # wall seconds in which a program connects, before the run begins without it
LONGEST_LINE = 200  # characters of a program's output that a failure quotes


class Program:
    """A program of a launch list.

    Attributes:
        name: in the launch list, and in its connection. community: its own.
        output: the file of its output.
        connected: whether it has connected.
    """

    def __init__(self, about: dict[str, Any]) -> None:
        """Start it.

        Args:
            about: ``name``, ``community``, ``command``, ``folder`` in which it runs, ``output``.
        Raises:
            OSError: the system refuses.
        """
        self.name, self.community = str(about["name"]), str(about["community"])
        self.output = Path(about["output"])
        self.connected = False
        self._told = False
        with self.output.open("wb") as output:
            self._process = subprocess.Popen(
                about["command"],
                cwd=about["folder"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def end(self, number: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self._process.poll() is None:
            self._process.send_signal(number)

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ended(self) -> tuple[bool, str]:
        """Return whether it has failed, and how it has ended; "" if it has not, or was told."""
        code = self._process.poll()
        if code is None or self._told:
            return False, ""
        self._told = True
        how = how_it_ended(_status(code))
        if not self.connected:
            how += " before it connected to the MOOSDB"
        last = self._last_line()
        told = f"; its last line: {last}" if last else ""
        return code != 0 or not self.connected, f"{how}{told} (output: {self.output})"

    def _last_line(self) -> str:
        """Return the end of its output as one line, without control characters."""
        with self.output.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
            text = file.read().decode(errors="replace")
        lines = ["".join(c for c in line if c.isprintable()).strip() for line in text.splitlines()]
        return next((line[:LONGEST_LINE] for line in reversed(lines) if line), "")


class Programs:
    """The programs of a run.

    Attributes:
        all: the programs, in the order of the launch lists.
    """

    def __init__(self) -> None:
        self.all: list[Program] = []
        self._began = wall()

    def start(self, wanted: Sequence[dict[str, Any]]) -> None:
        """Start them.

        Raises:
            OSError: the system refuses to start one.
        """
        self._began = wall()
        for about in wanted:
            self.all.append(Program(about))

    def connected(self, community: str, name: str) -> None:
        """Note that one has connected."""
        for program in self.all:
            if (program.community, program.name) == (community, name):
                program.connected = True

    def are_ready(self, now: float) -> bool:
        """Whether all have connected, or had their time."""
        return now > self._began + PATIENCE or all(one.connected for one in self.all)

    def missing(self) -> Iterator[Program]:
        """Return those that have not connected."""
        return (one for one in self.all if not one.connected)

    def end(self) -> None:
        """End them: first politely."""
        for program in self.all:
            program.end(signal.SIGTERM)
        deadline = wall() + GRACE
        while any(one.runs for one in self.all) and wall() < deadline:
            sleep(0.01)
        for program in self.all:
            program.end(signal.SIGKILL)
        while any(one.runs for one in self.all):
            sleep(0.001)


def _status(code: int) -> int:
    """Return the exit code of a child as the system's status of it."""
    return -code if code < 0 else code << 8
