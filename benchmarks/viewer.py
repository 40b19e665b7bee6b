"""Cost of the viewer's server: ``python benchmarks/viewer.py``; prints a table and writes JSON.

Runs: the alpha mission, its survey repeated eight times, at ``--warp max`` with a viewer whose page
is read by a small client, and without, alternately; from the time at which the run continues with
all
observers connected, to its end. The logs must be the same. Processor times are listed besides
speeds,
as a busy machine changes them less.

Pages: the processor time of a server for a page of 20 and of 200 moving vessels, and for comparison
that of a bare server that sends the same number of bytes at the same rate. Both serve real sockets.

Logs: speed of indexing, compared with a loop that only counts lines; time of a seek to a random
time;
peak memory of the process that indexed it.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from math import cos, sin
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.figures import load_before, options_of, write
from steerageway.apps.shared.runs import find_run
from steerageway.bus import sleep, wall
from steerageway.moos.alog import EntryFormat
from steerageway.web.viewer.frames import scene
from steerageway.web.viewer.log_index import LogIndex
from steerageway.web.viewer.log_set import LogSet, Player
from steerageway.web.viewer.picture import Picture
from steerageway.web.viewer.requests import Requests
from steerageway.web.viewer.session import SCENE, SCENE_OF_MANY, Session
from steerageway.web.viewer.sources import Source
from steerageway.web.viewer.tracks import Track
from steerageway.web.viewer.views import View

ROOT = Path(__file__).parent.parent
ROUNDS = 5
LAPS = 8
SETTLED = 1.0  # wall seconds until all processes just started are idle
SECONDS = 10.0  # duration for which a page is watched
FLEETS = (20, 200)
POINTS = 20_000  # of each vessel's trail
MISSION = ROOT / "missions" / "alpha"
_fork = multiprocessing.get_context("fork")


class Moving(View):
    """A view of moving vessels, each with a long trail."""

    def __init__(self, count: int) -> None:
        super().__init__(Source("1", "moving"))
        self.names = [f"v{number:03}" for number in range(count)]
        self.picture = Picture(self.names, 0.0)
        track = Track()
        for point in range(POINTS):
            track.add(point * 10.0, cos(point) * 1e3, sin(point) * 1e3)
        self._tracks = dict.fromkeys(self.names, track)
        self.time, self.speed = 0.0, 1.0

    def advance(self, wall_seconds: float) -> None:
        self.time += wall_seconds
        for number, name in enumerate(self.names):
            angle = self.time / 10 + number
            self.picture.take(name, "NAV_X", 100 * cos(angle), self.time)
            self.picture.take(name, "NAV_Y", 100 * sin(angle), self.time)
            self.picture.take(name, "NAV_HEADING", number + 0.5, self.time)
        self.picture.advance(self.time)

    def tracks(self) -> Mapping[str, Track]:
        return self._tracks

    def status(self) -> dict[str, Any]:
        return {"time": self.time, "case": 0, "span": [0.0, None], "paused": False}

    def values(self, patterns: Sequence[str]) -> Iterator[Any]:
        return iter(())

    def verbs(self) -> list[str]:
        return []


async def _page(websocket: WebSocket) -> None:
    await websocket.accept()
    view = Moving(int(websocket.query_params["count"]))
    await Session(websocket, view, Requests(view, True, {})).run()


async def _bare(websocket: WebSocket) -> None:
    """Send the same number of bytes at the same rate as to a page."""
    await websocket.accept()
    count = int(websocket.query_params["count"])
    data = bytes(len(scene(list(Picture([], 0.0).vessels.values()), 0, 0.0)) + 32 * count)
    while True:
        await websocket.send_bytes(data)
        await asyncio.sleep(SCENE if count <= 20 else SCENE_OF_MANY)


def _serve(listening: socket.socket) -> None:
    routes = [WebSocketRoute("/page", _page), WebSocketRoute("/bare", _bare)]
    config = uvicorn.Config(
        Starlette(routes=routes), log_level="critical", ws_per_message_deflate=False
    )
    asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """Serve in a separate process; yield its port and process id."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    process = _fork.Process(target=_serve, args=(listening,))
    process.start()
    try:
        yield listening.getsockname()[1], process.pid or 0
    finally:
        process.terminate()
        process.join()
        listening.close()


def spent(pid: int) -> float:
    """Return the processor time of a process [s]."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watched(what: str, count: int) -> tuple[float, float]:
    """Watch a page; return its cost as a fraction of a core, and the bytes of a scene."""
    with served() as (port, pid):
        sleep(1.0)
        with connect(f"ws://127.0.0.1:{port}/{what}?count={count}", max_size=None) as page:
            settled = wall() + 3.0  # trails are sent once
            size = 0
            while wall() < settled:
                frame = page.recv()
                if isinstance(frame, bytes):
                    size = len(frame)
            before, began = spent(pid), wall()
            while wall() - began < SECONDS:
                page.recv()
            return (spent(pid) - before) / (wall() - began), size


def laps_of_alpha(folder: Path, laps: int) -> Path:
    """Copy alpha with a repeated survey, as a single one takes only a second."""
    mission = folder / "alpha"
    shutil.copytree(MISSION, mission)
    behaviors = mission / "alpha.bhv"
    point, more = "  capture_radius = 5\n", f"  repeat = {laps - 1}\n"
    behaviors.write_text(behaviors.read_text().replace(point, point + more, 1))
    return mission


def raced(placement: str, mission: Path, view: bool) -> dict[str, Any]:
    """Run a mission at maximum speed, with a viewer whose page is read, or without.

    Time is measured from when it continues, with all clients connected, until its end.

    Returns: simulated seconds per wall second; processor time of the run's processes that existed
    at the
        beginning, and of the viewer [s]; the log's hash.
    """
    log = tempfile.mkdtemp(dir=mission.parent)
    summary = Path(log) / "summary.json"
    command = [sys.executable, "launch.py", str(mission), "--warp", "max", "--port", "auto"]
    command += ["--placement", placement, "--until", "MISSION = complete", "--log", log]
    command += ["--json", str(summary), "--attach", "--paused"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (Path(log) / "run.json").exists():
        sleep(0.02)
    with viewed(log) if view else nullcontext(0) as viewer, find_run(log).connect("race") as client:
        sleep(SETTLED)
        pids = [run.pid, *children(run.pid)]
        before, watched = {pid: spent(pid) for pid in pids}, spent(viewer) if viewer else 0.0
        began, after = wall(), dict(before)
        client.control("resume")
        while not client.ended:
            client.fetch(0.1)
            with suppress(OSError):
                after = {pid: spent(pid) for pid in pids}
        took = wall() - began
        watched = spent(viewer) - watched if viewer else 0.0
    run.wait()
    summary_data = json.loads(summary.read_text())
    return {
        "speed": summary_data["simulated_seconds"] / took,
        "run_processor_s": sum(after.values()) - sum(before.values()),
        "viewer_processor_s": watched,
        "log_sha256": summary_data["communities"]["alpha"]["log_sha256"],
    }


@contextmanager
def viewed(log: str) -> Iterator[int]:
    """View a run, and read what a page is sent; yield the viewer's process id."""
    command = [sys.executable, "-m", "apps.viewer", log]
    viewer = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert viewer.stdout is not None
    base, _, token = viewer.stdout.readline().split()[1].partition("/#")
    port = int(base.rpartition(":")[2])
    headers = {"Cookie": f"steerageway_{port}={token}"}
    address = f"ws://127.0.0.1:{port}/ws?source=1"
    with connect(address, origin=base, additional_headers=headers, max_size=None) as page:  # type: ignore[arg-type]
        while '"k":"picture"' not in str(page.recv()):
            pass
        reader = threading.Thread(target=_read, args=(page,))
        reader.start()
        yield viewer.pid
    reader.join()
    viewer.terminate()
    viewer.wait()


def _read(page: ClientConnection) -> None:
    """Read the frames sent to a page until it is closed."""
    for _ in page:
        pass


def children(pid: int) -> list[int]:
    """Return all descendants of a process."""
    found = [
        int(child)
        for file in Path(f"/proc/{pid}/task").glob("*/children")
        for child in file.read_text().split()
    ]
    return [*found, *(one for child in found for one in children(child))]


def logged(folder: Path, megabytes: int) -> Path:
    """Write a log of a size: a moving vessel, and other variables."""
    path = folder / "long.alog"
    rng, line = random.Random(0), EntryFormat(0.0).line
    with path.open("w") as log:
        log.write("%% LOGSTART 1767225600.2\n")
        time, size = 0.0, 0
        while size < megabytes << 20:
            rows = [("NAV_X", time % 999), ("NAV_Y", -time), ("NAV_HEADING", time % 360)]
            rows += [(f"NOISE_{number:02}", rng.random()) for number in range(40)]
            lines = [line(variable, value, time, "uSimMarineV22") for variable, value in rows]
            point = f"x={time:.1f},y=0,label=p{int(time) % 50}"
            lines.append(line("VIEW_POINT", point, time, "pHelmIvP"))
            text = "".join(lines)
            log.write(text)
            size += len(text)
            time += 0.25
    return path


def busy() -> float:
    """Return the processor time of this process [s]."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def indexed(path: Path) -> dict[str, float]:
    """Index a log and seek in it."""
    size = path.stat().st_size / 1e6
    began = busy()
    with path.open("rb") as file:
        sum(1 for _ in file)
    bare = busy() - began
    index, began = LogIndex(path), busy()
    index.read_on()
    took = busy() - began
    player, rng, seeks = Player(LogSet([index], index.start)), random.Random(1), []
    for _ in range(50):
        time = rng.uniform(0.0, index.last)
        began = busy()
        player.seek(time)
        seeks.append(1e3 * (busy() - began))
    return {
        "megabytes": size,
        "megabytes_per_second": size / took,
        "times_a_bare_loop": took / bare,
        "seek_median_ms": statistics.median(seeks),
        "seek_worst_ms": max(seeks),
        "memory_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def apart(work: Callable[..., Any], *args: Any) -> Any:
    """Call a function in a separate process, for its peak memory; return the result."""
    mine, theirs = _fork.Pipe()
    process = _fork.Process(target=lambda: theirs.send(work(*args)))
    process.start()
    result = mine.recv()
    process.join()
    return result


def pages() -> dict[str, Any]:
    """Measure the cost of pages."""
    found: dict[str, Any] = {}
    for count in FLEETS:
        rounds = [(watched("page", count), watched("bare", count)) for _ in range(2)]
        cost = statistics.median(page[0] for page, _ in rounds)
        bare = statistics.median(one[0] for _, one in rounds)
        found[f"{count} vessels"] = {
            "percent_of_a_core": 100 * cost,
            "times_a_bare_server": cost / max(bare, 1e-4),
            "bytes_of_a_scene": rounds[0][0][1],
        }
    return found


def races(folder: Path, rounds: int, laps: int) -> dict[str, Any]:
    """Measure the cost of watching for a run."""
    mission = laps_of_alpha(folder, laps)
    found: dict[str, Any] = {}
    for placement in ("process", "one"):
        pairs = [[raced(placement, mission, view) for view in (True, False)] for _ in range(rounds)]
        ratios = [seen["speed"] / alone["speed"] for seen, alone in pairs]
        work = [seen["run_processor_s"] / alone["run_processor_s"] for seen, alone in pairs]
        viewer = [seen["viewer_processor_s"] / seen["run_processor_s"] for seen, _ in pairs]
        found[placement] = {
            "ratio_median": statistics.median(ratios),
            "ratios": ratios,
            "run_processor_time_ratio_median": statistics.median(work),
            "viewer_share_of_run_processor_time": statistics.median(viewer),
            "logs_are_equal": len({one["log_sha256"] for pair in pairs for one in pair}) == 1,
        }
    return found


def main() -> None:
    """Measure, print and write."""
    parser = options_of(__doc__ or "", "viewer")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="pairs of runs per placement")
    parser.add_argument("--laps", type=int, default=LAPS, help="repetitions of a run's survey")
    parser.add_argument(
        "--megabytes", type=int, nargs="+", default=[100, 1000], help="sizes of logs [MB]"
    )
    options = parser.parse_args()
    figures: dict[str, Any] = load_before()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures["runs"] = races(folder, options.rounds, options.laps)
        figures["pages"] = pages()
        for megabytes in options.megabytes:
            path = logged(folder, megabytes)
            figures[f"log of {megabytes} MB"] = apart(indexed, path)
            path.unlink()
    print(json.dumps(figures, indent=1))
    write(figures, options.json)


if __name__ == "__main__":
    main()
