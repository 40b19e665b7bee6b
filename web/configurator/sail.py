"""Test run of a draft: child processes of a mission with this vessel, and of a viewer for it."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

from steerageway.bus import WARP
from steerageway.declarations import member_of
from steerageway.web.child import POLL, Child, StartError
from steerageway.web.configurator.draft import Draft

MAIN = "simulation_input.yml"
START_TIMEOUT = 120.0  # start-up timeout [wall s]: a first compilation takes 40
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
        self._run: Child | None = None
        self._viewer: Child | None = None
        self._name = self._address = ""

    def about(self) -> dict[str, Any]:
        """Return the state of the mission, its last output and the viewer's address."""
        return {
            "name": self._name,
            "ended": None if self._run is None else self._run.ended,
            "said": "" if self._run is None else self._run.output,
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
        self._name = draft.name
        until = ("--until", "MISSION = complete")
        logs = ("--log", str(main.parent / "log"))
        options = ("--warp", str(warp), "--port", "auto", *logs, *until)
        mission = (str(main), *options)
        self._run = await Child.start("steerageway.launcher", *mission, cwd=main.parent)
        whose = ("--of", str(self._run.pid), "--port", "auto")
        self._viewer = await Child.start("steerageway.web.viewer", *whose, cwd=main.parent)
        for _ in range(round(START_TIMEOUT / POLL)):
            if self._run.ended not in (None, *DONE):
                run = self._run
                await self.end()
                raise StartError(run.output or "it ended at once")
            if found := ADDRESS.search(self._viewer.output):
                self._address = found[1]
                return self._address
            await asyncio.sleep(POLL)
        await self.end()
        raise StartError(f"nothing to watch after {START_TIMEOUT:g} s")

    async def end(self) -> None:
        """End the mission and its viewer."""
        for child in (self._run, self._viewer):
            if child is not None:
                await child.end()
        self._viewer = None
        self._address = ""


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
