"""Child process of the configurator, started when a vessel is opened from the viewer's page."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from steerageway.apps.shared.user_code import program
from steerageway.web.child import StartError

ADDRESS = re.compile(r"(https?://[^/]+/)#(\S+)")
OWN = "vessels"  # folder in which it saves new vessels
START_TIMEOUT = 30.0  # start-up timeout [wall s]
STOP_TIMEOUT = 5.0  # shutdown timeout after SIGTERM [wall s]


class ConfiguratorProcess:
    """A configurator's process, started on demand and restarted if it has ended.

    Args:
        roots: folders whose vessels it lists.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._process: Process | None = None
        self._base = self._token = ""

    async def address(self, vessel: str = "") -> str:
        """Return the URL that opens a vessel's folder; of the list of vessels for "".

        Raises:
            StartError: the configurator does not start.
        """
        if self._process is None or self._process.returncode is not None:
            await self._start()
        asked = f"?open={quote(vessel)}" if vessel else ""
        return f"{self._base}{asked}#{self._token}"

    async def end(self) -> None:
        """End the process."""
        process = self._process
        if process is not None and process.returncode is None:
            process.terminate()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _start(self) -> None:
        roots = [part for root in (OWN, *self._roots) for part in ("--root", str(root))]
        command = (*program("steerageway.web.configurator"), "--port", "auto", *roots)
        self._process = await asyncio.create_subprocess_exec(
            *command, stdout=PIPE, stdin=DEVNULL, start_new_session=True
        )
        assert self._process.stdout is not None
        try:
            line = await asyncio.wait_for(self._process.stdout.readline(), START_TIMEOUT)
        except TimeoutError:
            line = b""
        found = ADDRESS.search(line.decode("utf-8", "replace"))
        if found is None:
            await self.end()
            raise StartError("the configurator did not start")
        self._base, self._token = found.groups()
