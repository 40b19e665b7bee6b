"""A mission that was started from a page: a child process, ended with the viewer."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections import deque
from contextlib import suppress
from pathlib import Path

from steerageway.apps.consoles.run_files import begun_by

SAID = 40  # lines that are kept of what it prints
PATIENCE = 90.0  # wall seconds until it can be watched: a first compilation takes 40
LOOK = 0.2
GRACE = 10.0  # wall seconds to end after it was asked to


class StartError(RuntimeError):
    """A mission could not be started; the text says why."""


class Child:
    """A mission that goes on, or has.

    Attributes:
        mission: its folder or file.
        source: the id of what shows it; "" until it can be watched.
        ended: its exit code; None while it goes on.
    """

    def __init__(self, mission: str, process: Process) -> None:
        self.mission = mission
        self.source = ""
        self._process = process
        self._said: deque[str] = deque(maxlen=SAID)
        self._reader = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, mission: Path, warp: float | str, paused: bool, cwd: Path) -> Child:
        """Start a mission.

        Args:
            mission: its folder or file.
            warp: simulated seconds per second, or "max".
            paused: whether it stands at 0 s until told to go on.
            cwd: where its ``logs`` go.
        """
        options = [str(mission), "--warp", str(warp), "--port", "auto"]
        command = ["-m", "steerageway.launcher", *options, *(["--paused"] if paused else [])]
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdout=PIPE, stderr=STDOUT, cwd=cwd, start_new_session=True
        )
        return cls(str(mission), process)

    @property
    def ended(self) -> int | None:
        """Its exit code; None while it goes on."""
        return self._process.returncode

    @property
    def said(self) -> str:
        """The last lines that it printed."""
        return "\n".join(self._said)

    async def address(self) -> str:
        """Wait until it can be watched; give where.

        Raises:
            StartError: it ended before, or does not come up.
        """
        for _ in range(round(PATIENCE / LOOK)):
            if self.ended is not None:
                await self._reader
                raise StartError(f"{self.mission}: {self.said or f'exit code {self.ended}'}")
            if address := begun_by(self._process.pid):
                return address
            await asyncio.sleep(LOOK)
        raise StartError(f"{self.mission}: nothing to watch after {PATIENCE:g} s")

    async def end(self) -> None:
        """End it, gently first."""
        if self.ended is None:
            self._process.send_signal(signal.SIGINT)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE)
        if self.ended is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        await self._reader

    async def _listen(self) -> None:
        """Keep the last lines that it prints."""
        stream = self._process.stdout
        assert stream is not None
        while line := await stream.readline():
            self._said.append(line.decode("utf-8", "replace").rstrip())
