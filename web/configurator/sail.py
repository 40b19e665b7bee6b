"""Test run of a draft: child processes of a mission with this vessel, and of a viewer for it."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from steerageway.apps.shared.user_code import program
from steerageway.bus import WARP
from steerageway.declarations import member_of
from steerageway.web.child import StartError
from steerageway.web.configurator.draft import Draft

MAIN = "simulation_input.yml"
LINES_KEPT = 40  # lines of output that are kept
START_TIMEOUT = 120.0  # start-up timeout [wall s]: a first compilation takes 40
POLL = 0.2  # polling interval [wall s]
STOP_TIMEOUT = 10.0  # shutdown timeout after SIGINT [wall s]
DONE = (0, 3)  # exit codes of a completed mission: --until held, or --for was over
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
"""Panisim main file for a vessel without one."""
LEGS = (6.0, 12.0)  # legs of the default route, north and east, in lengths of the vessel


class Sailing:
    """The test run: at most one mission, running or ended, and its viewer, which outlives it."""

    def __init__(self) -> None:
        self._run: Process | None = None
        self._viewer: Process | None = None
        self._output: deque[str] = deque(maxlen=LINES_KEPT)
        self._readers: list[asyncio.Task[None]] = []
        self._name = self._address = ""

    def about(self) -> dict[str, Any]:
        """Return the state of the mission, its last output and the viewer's address."""
        return {
            "name": self._name,
            "ended": None if self._run is None else self._run.returncode,
            "said": "\n".join(self._output),
            "address": self._address,
        }

    async def begin(self, draft: Draft, warp: object) -> str:
        """Start a mission with a draft as it is now; return the viewer's address.

        Raises:
            StartError: it did not start; the text says why.
        """
        try:
            member_of({"warp": warp}, "warp", WARP)
        except ValueError as error:
            raise StartError(str(error)) from None
        await self.end()
        main = await asyncio.to_thread(_laid_out, draft)
        self._name, self._output = draft.name, deque(maxlen=LINES_KEPT)
        until = ("--until", "MISSION = complete")
        logs = ("--log", str(main.parent / "log"))
        options = ("--warp", str(warp), "--port", "auto", *logs, *until)
        self._run = await _started(main.parent, "steerageway.launcher", str(main), *options)
        self._readers.append(asyncio.create_task(self._read_output(self._run)))
        whose = ("--of", str(self._run.pid), "--port", "auto")
        self._viewer = await _started(main.parent, "steerageway.web.viewer", *whose)
        for _ in range(round(START_TIMEOUT / POLL)):
            if self._run.returncode not in (None, *DONE):
                await asyncio.gather(*self._readers)
                output = "\n".join(self._output)
                await self.end()
                raise StartError(output or "it ended at once")
            line = await _line(self._viewer, POLL)
            if found := ADDRESS.search(line):
                self._address = found[1]
                self._readers.append(asyncio.create_task(self._read_output(self._viewer)))
                return self._address
        await self.end()
        raise StartError(f"nothing to watch after {START_TIMEOUT:g} s")

    async def end(self) -> None:
        """End the mission and its viewer."""
        for process in (self._run, self._viewer):
            if process is not None:
                await _ended(process)
        await asyncio.gather(*self._readers)
        self._readers.clear()
        self._viewer = None
        self._address = ""

    async def _read_output(self, process: Process) -> None:
        """Keep the last lines of a process's output."""
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._output.append(line.decode("utf-8", "replace").rstrip())


async def _started(folder: Path, module: str, *options: str) -> Process:
    """Start a module of Steerageway as a child process."""
    return await asyncio.create_subprocess_exec(
        *(*program(module), *options),
        stdout=PIPE,
        stderr=STDOUT,
        stdin=DEVNULL,
        cwd=folder,
        start_new_session=True,
    )


async def _line(process: Process, timeout: float) -> str:
    """Return the next line of a process's output; "" if none came in time."""
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), timeout)
    except TimeoutError:
        return ""
    if not line:
        await asyncio.sleep(timeout)
    return line.decode("utf-8", "replace")


async def _ended(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _laid_out(draft: Draft) -> Path:
    """Write a draft's files and a main file to a separate folder; return the main file."""
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
    from steerageway.web.configurator.tree import parsed

    tree = parsed(draft.text("geometry.yml") or "")
    node = tree.get("length") if tree is not None else None
    try:
        length = float(node.real.text) if node is not None else 10.0
    except ValueError:
        length = 10.0
    a, b = (leg * length for leg in LEGS)
    points = f"[[0, 0, 0], [{a:g}, 0, 0], [{a:g}, {b:g}, 0], [0, {b:g}, 0]]"
    return f"waypoints_type: XYZ\nwaypoints: {points}\n"
