"""Worker processes of the configurator's server, to which it sends jobs as lines of JSON."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Any

from steerageway.apps.shared.user_code import program

WORKER = "steerageway.web.configurator.worker"
LONGEST_LINE = 64 << 20  # bytes of a reply
LONGEST_STATUS = 400  # characters of a worker's last output line that are kept


class WorkError(RuntimeError):
    """A job failed; the text says why."""


class WorkerProcess:
    """A worker process, started with its first job; jobs are done one at a time.

    Args:
        patience: time limit of a job [wall s].

    Attributes: last_line: the last line of the worker's standard error, its progress.
    """

    def __init__(self, time_limit: float) -> None:
        self._time_limit = time_limit
        self._process: Process | None = None
        self._turn = asyncio.Lock()
        self._count = 0
        self._reader: asyncio.Task[None] | None = None
        self.last_line = ""

    async def do(self, what: str, **job: Any) -> Any:
        """Run a job in the worker; return its result.

        Raises:
            WorkError: it failed, exceeded the time limit, or was cancelled.
        """
        async with self._turn:
            process = await self._running()
            self._count += 1
            self.last_line = ""
            assert process.stdin is not None
            assert process.stdout is not None
            line = json.dumps({"id": self._count, "do": what, **job})
            try:
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
                answer = await asyncio.wait_for(process.stdout.readline(), self._time_limit)
            except TimeoutError:
                await self.cancel()
                raise WorkError(f"not done within {self._time_limit:g} s") from None
            except OSError:
                answer = b""
            except asyncio.CancelledError:
                await self.cancel()
                raise
            if not answer:
                await self.cancel()
                raise WorkError("cancelled")
            reply = json.loads(answer)
            if "error" in reply:
                raise WorkError(reply["error"])
            return reply["result"]

    async def cancel(self) -> None:
        """Kill the worker and with it the running job; the next job starts a new worker."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reader is not None:
            await self._reader
            self._reader = None

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *program(WORKER),
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,
            )
            self._reader = asyncio.create_task(self._listen(self._process))
        return self._process

    async def _listen(self, process: Process) -> None:
        """Keep the last line of the worker's standard error, its progress."""
        assert process.stderr is not None
        with suppress(ValueError):
            while line := await process.stderr.readline():
                self.last_line = line.decode("utf-8", "replace").strip()[:LONGEST_STATUS]
