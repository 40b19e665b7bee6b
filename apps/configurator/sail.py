"""A mission with the vessel that is being edited: a child process, with a viewer of its own."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from steerageway.apps.configurator.draft import Draft
from steerageway.apps.web.child import StartError

MAIN = "simulation_input.yml"
SAID = 40  # lines that are kept of what it prints
PATIENCE = 120.0  # wall seconds until it can be watched: a first compilation takes 40
GRACE = 10.0
ADDRESS = re.compile(r"viewer: (https?://\S+)")
ROUTE = """\
sim_time: 600
time_step: 0.05
gps_datum: [59.9, 10.7, 0]
world_size: [Inf, Inf, Inf]
nagents: 1
agents:
  - name: {name}
    geometry: {name}/geometry.yml
    guidance: {name}/guidance.yml
"""
"""A main file for a vessel that brings none."""
LEGS = (6.0, 12.0)  # lengths of the square that is sailed without guidance: north, east


class Sailing:
    """A mission that goes on, or has; at most one."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._said: deque[str] = deque(maxlen=SAID)
        self._address: asyncio.Future[str] | None = None
        self._reader: asyncio.Task[None] | None = None
        self._name = ""

    def about(self) -> dict[str, Any]:
        """Tell what goes on."""
        process = self._process
        address = self._address
        return {
            "name": self._name,
            "begun": process is not None,
            "ended": None if process is None else process.returncode,
            "said": "\n".join(self._said),
            "address": address.result() if address is not None and address.done() else "",
        }

    async def begin(self, draft: Draft, warp: object) -> str:
        """Start a mission with a draft as it is now; give the viewer's address.

        Raises:
            StartError: it does not come up; the text says why.
        """
        if not (warp == "max" or (isinstance(warp, (int, float)) and warp > 0)):
            raise StartError('expected a warp: a number above 0, or "max"')
        await self.end()
        main = await asyncio.to_thread(_laid_out, draft)
        self._name, self._said = draft.name, deque(maxlen=SAID)
        self._address = asyncio.get_running_loop().create_future()
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "steerageway.launcher", str(main)),
            *("--warp", str(warp), "--port", "auto", "--view", "--log", str(main.parent / "log")),
            *("--until", "MISSION = complete"),
            stdout=PIPE,
            stderr=STDOUT,
            stdin=asyncio.subprocess.DEVNULL,
            cwd=main.parent,
            start_new_session=True,
        )
        self._reader = asyncio.create_task(self._listen(self._process, self._address))
        try:
            return await asyncio.wait_for(asyncio.shield(self._address), PATIENCE)
        except TimeoutError:
            await self.end()
            raise StartError(f"nothing to watch after {PATIENCE:g} s") from None

    async def end(self) -> None:
        """End it, gently first, and its viewer with it."""
        process = self._process
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        if self._reader is not None:
            await self._reader

    async def _listen(self, process: Process, address: asyncio.Future[str]) -> None:
        """Keep the last lines that it prints, and the viewer's address."""
        assert process.stdout is not None
        while line := await process.stdout.readline():
            said = line.decode("utf-8", "replace").rstrip()
            if found := ADDRESS.search(said):
                if not address.done():
                    address.set_result(found[1])
            else:
                self._said.append(said)
        if not address.done():
            address.set_exception(StartError("\n".join(self._said) or "it ended at once"))


def _laid_out(draft: Draft) -> Path:
    """Write a draft, and a main file for it, to a folder of its own; give the main file."""
    top = draft.folder / "sail"
    shutil.rmtree(top, ignore_errors=True)
    contents = draft.contents()
    for file, data in contents.items():
        path = top / draft.name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if MAIN in contents:
        return top / draft.name / MAIN
    main = top / MAIN
    main.write_text(ROUTE.format(name=draft.name))
    guidance = top / draft.name / "guidance.yml"
    if not guidance.exists() or not guidance.read_text().strip():
        guidance.write_text(_square(draft))
    return main


def _square(draft: Draft) -> str:
    from steerageway.apps.configurator.tree import parsed

    tree = parsed(draft.text("geometry.yml") or "")
    node = tree.get("length") if tree is not None else None
    try:
        length = float(node.real.text) if node is not None else 10.0
    except ValueError:
        length = 10.0
    a, b = (leg * length for leg in LEGS)
    points = f"[[0, 0, 0], [{a:g}, 0, 0], [{a:g}, {b:g}, 0], [0, {b:g}, 0]]"
    return f"waypoints_type: XYZ\nwaypoints: {points}\n"
