"""Child process of a mission that was started from the viewer's page; it ends with the viewer."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import PIPE, STDOUT, Process
from collections import deque
from contextlib import suppress
from pathlib import Path

from steerageway.apps.shared.run_files import begun_by
from steerageway.apps.shared.user_code import program

LINES_KEPT = 40  # lines of its output that are kept
START_TIMEOUT = 90.0  # start-up timeout [wall s]: a first compilation takes 40
POLL = 0.2  # polling interval [wall s]
STOP_TIMEOUT = 10.0  # shutdown timeout after SIGINT [wall s]


class StartError(RuntimeError):
    """A mission could not be started; the text says why."""


class Child:
    """A mission's process, running or ended.

    Attributes:
        mission: its folder or file.
        source: the id of the source that shows it; "" until observers can connect.
        ended: its exit code; None while it is running.
    """

    def __init__(self, mission: str, process: Process) -> None:
        self.mission = mission
        self.source = ""
        self._process = process
        self._output: deque[str] = deque(maxlen=LINES_KEPT)
        self._reader = asyncio.create_task(self._read_output())

    @classmethod
    async def start(cls, mission: Path, warp: float | str, paused: bool, cwd: Path) -> Child:
        """Start a mission.

        Args:
            mission: its folder or file.
            warp: simulated seconds per second, or "max".
            paused: whether it waits at 0 s until it is resumed.
            cwd: the folder in which its ``logs`` are written.
        """
        options = [str(mission), "--warp", str(warp), "--port", "auto"]
        command = [*program("steerageway.launcher"), *options]
        command += ["--paused"] if paused else []
        # in a new session, so that Ctrl-C at the viewer's terminal does not reach it before end()
        process = await asyncio.create_subprocess_exec(
            *command, stdout=PIPE, stderr=STDOUT, cwd=cwd, start_new_session=True
        )
        return cls(str(mission), process)

    @property
    def ended(self) -> int | None:
        """Its exit code; None while it is running."""
        return self._process.returncode

    @property
    def output(self) -> str:
        """The last lines that it printed."""
        return "\n".join(self._output)

    async def address(self) -> str:
        """Wait until observers can connect; return the address.

        Raises:
            StartError: it ended before, or did not start within ``PATIENCE``.
        """
        for _ in range(round(START_TIMEOUT / POLL)):
            if self.ended is not None:
                await self._reader
                raise StartError(f"{self.mission}: {self.output or f'exit code {self.ended}'}")
            if address := begun_by(self._process.pid):
                return address
            await asyncio.sleep(POLL)
        raise StartError(f"{self.mission}: nothing to watch after {START_TIMEOUT:g} s")

    async def end(self) -> None:
        """End it by SIGINT, after a timeout by SIGKILL."""
        if self.ended is None:
            self._process.send_signal(signal.SIGINT)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT)
        if self.ended is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
        await self._reader

    async def _read_output(self) -> None:
        """Keep the last lines that it prints."""
        stream = self._process.stdout
        assert stream is not None
        while line := await stream.readline():
            self._output.append(line.decode("utf-8", "replace").rstrip())
