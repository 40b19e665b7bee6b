"""``render_mode="human"``: the viewer in a browser follows the vessels, at real speed.

A mission without a simulator runs in a process of its own, and its viewer in another. The
environment posts to it, as an observer, where the vessels and their goals are.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import webbrowser
from collections import deque
from collections.abc import Sequence
from importlib.util import find_spec
from math import degrees, hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import urlsplit

import numpy as np
from gymnasium import error, logger

from steerageway.bus import RUN_FILE, BusError, Client, Pacer, nanoseconds, sleep
from steerageway.launcher.viewing import NEEDED
from steerageway.vessel.fossen.state import PSI, U_, V_, X_, Y_, Z_
from steerageway.vessel.tasks import DT, Task
from steerageway.world.arrays import Flags, Floats

MOST = 50  # vessels that are shown
SAID = "viewer: "  # before the address
NAME = "steerageway.envs"  # source of the posts
MISSION = """Community = learner
LatOrigin = 0
LongOrigin = 0
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = pLogger
}
ProcessConfig = pLogger
{
  AppTick = 10
  WildCardLogging = true
}
"""


class Viewer:
    """The viewer of some vessels: the first ``MOST``. It starts with their first episodes.

    Attributes:
        address, broker: of its page, and of the mission's broker; "" before it has started.
    """

    def __init__(self, names: Sequence[str], length: float) -> None:
        """Take the vessels' names and their length [m].

        Raises:
            gymnasium.error.DependencyNotInstalled: what its page needs.
        """
        if missing := [name for name in NEEDED if find_spec(name) is None]:
            wanted = f"render_mode = 'human': needs {', '.join(missing)}"
            raise error.DependencyNotInstalled(f"{wanted}: pip install 'steerageway[web]'")
        self._names, self._length = names[:MOST], length
        self._marks: dict[str, str] = {}
        self._client: Client | None = None
        self._pacer, self._steps = Pacer(1.0), 0
        self.address = self.broker = ""

    def keep(self, task: Task, x: Floats, begins: Flags) -> None:
        """Show vessels in states (N, 12 + n), after the wall time of a step.

        ``begins`` (N,): their tracks begin anew. Once the viewer has ended, nothing is shown.

        Raises:
            gymnasium.error.Error: it does not start; the text says why.
        """
        if not self.address:
            self._start()
        self._steps += 1
        sleep(max(self._pacer.wait(nanoseconds(self._steps * DT)), 0.0))
        if self._client is None:
            return
        if self._process.poll() is not None:
            self._lost("its process has ended")
            return
        try:
            if begins.any():
                self._client.post("TRAIL_RESET", "true")
            for i, name in enumerate(self._names):
                self._client.post("NODE_REPORT", self._report(name, x[i]))
                self._mark(self._client, name, task.marks(i))
            self._client.flush()
        except BusError as problem:
            self._lost(str(problem))

    def close(self) -> None:
        """End the viewer and its mission, if they run."""
        if self._client is None:
            return
        client, self._client = self._client, None
        client.discard()
        client.close()
        self._process.terminate()
        self._reader.join()
        self._process.communicate()
        self._folder.cleanup()
        atexit.unregister(self.close)

    def _lost(self, problem: str) -> None:
        logger.warn(f"render_mode = 'human': nothing more is shown: {problem}")
        self.close()

    def _start(self) -> None:
        self._folder = TemporaryDirectory()
        mission, log = Path(self._folder.name) / "learner.moos", Path(self._folder.name) / "log"
        mission.write_text(MISSION)
        command = [sys.executable, "-P", "-m", "steerageway", "run", str(mission), "--view"]
        command += ["--warp", "1", "--port", "auto", "--log", str(log)]
        # its errors in the same pipe: with a terminal there it would wait for Ctrl-C
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
        )
        assert self._process.stdout is not None
        said: list[str] = []
        for line in self._process.stdout:
            said.append(line)
            if line.startswith(SAID):
                self.address = line.removeprefix(SAID).strip()
                break
        else:
            self._process.communicate()
            raise error.Error(f"render_mode = 'human': {''.join(said).strip()}")
        # what it says later is read, too, so that it never waits for a reader
        self._reader = Thread(target=deque, args=(self._process.stdout, 0), daemon=True)
        self._reader.start()
        run = json.loads((log / RUN_FILE).read_text(encoding="utf-8"))
        self.broker = run["address"]
        self._client = Client.connect(self.broker, NAME, token=run["token"])
        self._client.on_refused = logger.warn
        atexit.register(self.close)
        show(self.address)
        self._pacer.rebase(0)

    def _report(self, name: str, x: Floats) -> str:
        east, north, down, heading = x[Y_], x[X_], x[Z_], degrees(x[PSI]) % 360.0
        speed = hypot(x[U_], x[V_])
        return (
            f"NAME={name},X={east:.3f},Y={north:.3f},SPD={speed:.3f},HDG={heading:.2f},"
            f"DEP={down:.2f},TYPE=ship,LENGTH={self._length:.2f}"
        )

    def _mark(self, client: Client, name: str, lines: list[Floats]) -> None:
        """Draw the goals of a vessel, where they have changed."""
        for k, line in enumerate(lines):
            points = ":".join(f"{east:.2f},{north:.2f}" for north, east in np.asarray(line))
            label = f"{name}_{k}"
            if self._marks.get(label) != points:
                self._marks[label] = points
                client.post("VIEW_SEGLIST", f"pts={{{points}}},label={label}")


def show(address: str) -> None:
    """Open a page in a browser; where there is no display, say what to do instead."""
    desktop = sys.platform in ("darwin", "win32")
    if desktop or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        webbrowser.open(address)
        return
    port = urlsplit(address).port
    logger.warn(
        f"render_mode = 'human': no display here. Open {address} in a browser, on another machine "
        f"after ssh -L {port}:127.0.0.1:{port} HOST; or make the environment with "
        "render_mode = 'rgb_array', which needs none"
    )
