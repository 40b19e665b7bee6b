"""Child process of the configurator, started when a vessel is opened from the viewer's page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from steerageway.web.child import POLL, Child, StartError

ADDRESS = re.compile(r"(https?://[^/]+/)#(\S+)")
OWN = "vessels"  # folder in which it saves new vessels
START_TIMEOUT = 30.0  # start-up timeout [wall s]


class ConfiguratorProcess:
    """A configurator's process, started on demand and restarted if it has ended.

    Args:
        roots: folders whose vessels it lists.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._roots = roots
        self._child: Child | None = None
        self._base = self._token = ""

    async def address(self, vessel: str = "") -> str:
        """Return the URL that opens a vessel's folder; of the list of vessels for "".

        Raises:
            StartError: the configurator does not start.
        """
        if self._child is None or self._child.ended is not None:
            await self._start()
        asked = f"?open={quote(vessel)}" if vessel else ""
        return f"{self._base}{asked}#{self._token}"

    async def end(self) -> None:
        """End the process."""
        if self._child is not None:
            await self._child.end()

    async def _start(self) -> None:
        roots = [part for root in (OWN, *self._roots) for part in ("--root", str(root))]
        options = ("--port", "auto", *roots)
        self._child = await Child.start("steerageway.web.configurator", *options, errors=None)
        for _ in range(round(START_TIMEOUT / POLL)):
            if found := ADDRESS.search(self._child.output):
                self._base, self._token = found.groups()
                return
            if self._child.ended is not None:
                break
            await asyncio.sleep(POLL)
        await self.end()
        raise StartError("the configurator did not start")
