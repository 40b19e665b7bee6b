"""Child processes of the servers: programs of Steerageway that are started from a page."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections import deque
from contextlib import suppress
from pathlib import Path

from steerageway.apps.shared.user_code import program

LINES_KEPT = 40  # lines of its output that are kept
POLL = 0.2  # polling interval of those who wait for a child [wall s]
STOP_TIMEOUT = 10.0  # shutdown timeout after SIGINT [wall s]


class StartError(RuntimeError):
    """A program could not be started; the text says why."""


class Child:
    """A program's process, running or ended.

    Attributes:
        pid: its process id.
    """

    def __init__(self, process: Process) -> None:
        self._process, self.pid = process, process.pid
        self._output: deque[str] = deque(maxlen=LINES_KEPT)
        self._reader = asyncio.create_task(self._read_output())

    @classmethod
    async def start(
        cls, module: str, *options: str, cwd: Path | None = None, errors: int | None = STDOUT
    ) -> Child:
        """Start a program.

        Args:
            module: its module.
            options: its command line.
            cwd: its current folder; None: that of the server.
            errors: where its standard error goes: to its output; None: to that of the server.
        """
        # in a new session, so that Ctrl-C at the server's terminal does not reach it before end()
        process = await asyncio.create_subprocess_exec(
            *(*program(module), *options),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=errors,
            cwd=cwd,
            start_new_session=True,
        )
        return cls(process)

    @property
    def ended(self) -> int | None:
        """Its exit code; None while it is running."""
        return self._process.returncode

    @property
    def output(self) -> str:
        """The last lines that it printed."""
        return "\n".join(self._output)

    async def end(self) -> None:
        """End it by SIGINT, and what is left of it, or all of it after a timeout, by SIGKILL."""
        if self.ended is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGINT)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), STOP_TIMEOUT)
        if not self._reader.done():  # it, or a process that it has left, still has the pipe
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        await self._process.wait()
        await self._reader

    async def _read_output(self) -> None:
        """Keep the last lines that it prints."""
        stream = self._process.stdout
        assert stream is not None
        while line := await stream.readline():
            self._output.append(line.decode("utf-8", "replace").rstrip())
