"""Open sources of the viewer's server (runs and logs), and the mission started from a page."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from steerageway.apps.shared.run_files import begun_by
from steerageway.apps.shared.runs import run_at
from steerageway.bus import WARP
from steerageway.declarations import member_of
from steerageway.web.child import POLL, Child, StartError
from steerageway.web.viewer.charts import Background
from steerageway.web.viewer.sources import Attaching, Live, Replay, Source
from steerageway.web.viewer.start_page import StartPage

START_TIMEOUT = 90.0  # start-up timeout of a mission [wall s]: a first compilation takes 40
CONFIGURATOR_TIMEOUT = 30.0  # start-up timeout of a configurator [wall s]
ADDRESS = re.compile(r"(https?://[^/]+/)#(\S+)")
OWN = "vessels"  # folder in which a configurator saves new vessels


class Busy(RuntimeError):
    """A mission that was started from a page is still running."""


class OpenSources:
    """The open sources of the server, and its child processes.

    Args:
        start_page: lists what may be opened.
        read_only: whether requests that change something are rejected.
        folder: working directory of missions, where their logs are written.
        charts: backgrounds of every source's map.

    Attributes:
        sources: id -> source.
        default: the id of the source that a page shows first; "" for the start page.
        overlay: the id of the source that a page lays over it; "" for none.
        child: the process of the mission that was started last from a page.
        configurator: the configurator's process.
    """

    def __init__(
        self,
        start_page: StartPage,
        read_only: bool,
        folder: Path,
        charts: Sequence[Background] = (),
    ) -> None:
        self.start_page, self.read_only, self._folder = start_page, read_only, folder
        self._charts = charts
        self.sources: dict[str, Source] = {}
        self.default = self.overlay = ""
        self.child: Child | None = None
        self.configurator = ConfiguratorProcess(start_page.roots)
        self._ids: dict[str, str] = {}
        self._started: tuple[str, str] = ("", "")  # the mission, and the id of its source

    def open_run(self, address: str, keys: Path | None = None) -> str:
        """Begin to connect to a running mission; return the id of its source."""
        known = self._ids.get(address)
        if known is not None:
            source = self.sources[known]
            if not source.failed and not (isinstance(source, Live) and source.live.ended):
                return known
        id_ = str(len(self.sources) + 1)

        def attached(live: Live) -> None:
            if live.live.folder is not None:
                self.start_page.allow(live.live.folder)
            self._open(address, live)

        attach = lambda: Live(id_, run_at(address, keys=keys))  # noqa: E731
        return self._open(address, Attaching(id_, address, attach, attached))

    def open_logs(self, path: Path) -> str:
        """Open a log, or a run's folder; return the id of its source.

        Raises:
            FormatError: there is no log, or it cannot be read.
        """
        key = str(path.resolve())
        known = self._ids.get(key)
        if known is None:
            return self._open(key, Replay(str(len(self.sources) + 1), path))
        logs = self.sources[known].logs
        if logs is not None:
            logs.read_on()  # the run may have gone on
        return known

    async def start(self, mission: Path, warp: float | str, paused: bool) -> str:
        """Start a mission; return the id of its source.

        Raises:
            Busy: one that was started here is still running.
            StartError: it did not start; the text says why.
        """
        if self.child is not None and self.child.ended is None:
            raise Busy(f"{self._started[0]} is still running; end it first")
        name = str(mission)
        options = (name, "--warp", str(warp), "--port", "auto", *(["--paused"] if paused else []))
        child = await Child.start("steerageway.launcher", *options, cwd=self._folder)
        self.child, self._started = child, (name, "")
        for _ in range(round(START_TIMEOUT / POLL)):
            if child.ended is not None:
                await child.end()
                raise StartError(f"{name}: {child.output or f'exit code {child.ended}'}")
            if address := begun_by(child.pid):
                self._started = name, self.open_run(address)
                return self._started[1]
            await asyncio.sleep(POLL)
        raise StartError(f"{name}: nothing to watch after {START_TIMEOUT:g} s")

    async def end(self) -> None:
        """End the mission that was started from a page."""
        if self.child is not None:
            await self.child.end()

    async def close(self) -> None:
        """End the child processes and close all sources."""
        await self.end()
        await self.configurator.end()
        for source in self.sources.values():
            await source.close()

    def home(self) -> dict[str, Any]:
        """Return the contents of the start page."""
        start_page, child = self.start_page, self.child
        return {
            "version": 1,
            "read_only": self.read_only,
            "roots": [str(root) for root in start_page.roots],
            "default": self.default or None,
            "overlay": self.overlay or None,
            "sources": [
                {"id": one.id, "kind": one.kind, "title": one.title, "failed": one.failed}
                | {"path": str(one.path.resolve()) if isinstance(one, Replay) else ""}
                for one in self.sources.values()
            ],
            "missions": start_page.missions(),
            "runs": start_page.runs(),
            "logs": start_page.logs(),
            "vessels": start_page.vessels(),
            "child": None
            if child is None
            else {
                "mission": self._started[0],
                "source": self._started[1] or None,
                "ended": child.ended,
                "said": child.output,
            },
        }

    def _open(self, key: str, source: Source) -> str:
        self.sources[source.id] = source
        source.charts = self._charts
        self._ids[key] = source.id
        source.start()
        return source.id


def parse_start(body: Mapping[str, Any]) -> tuple[str, float | str, bool]:
    """Return mission, warp and paused state from the body of a start request.

    Raises:
        StartError: it is not of this form.
    """
    mission, warp, paused = body.get("mission"), body.get("warp", 1), body.get("paused", False)
    if not isinstance(mission, str):
        raise StartError("mission: expected a text")
    try:
        member_of({"warp": warp}, "warp", WARP)
    except ValueError as error:
        raise StartError(str(error)) from None
    return mission, warp, bool(paused)


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
        for _ in range(round(CONFIGURATOR_TIMEOUT / POLL)):
            if found := ADDRESS.search(self._child.output):
                self._base, self._token = found.groups()
                return
            if self._child.ended is not None:
                break
            await asyncio.sleep(POLL)
        await self.end()
        raise StartError("the configurator did not start")
