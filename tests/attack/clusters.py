"""Sweeps on Dask clusters that are killed in part, driver included: the table is as without."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any, Self

from launches import ROOT, TIMEOUT

from steerageway.bus import sleep, wall

DASK = [sys.executable, "-m", "distributed.cli.dask_spec"]
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
PARTS = ("driver", "worker", "scheduler")
WAITING = 120.0  # wall seconds after which a sweep that does not go on is interrupted
SWEEP = """
fixed: {--for: 200, --set: DEPLOY=true}
vary: {--config pMarinePIDV22.yaw_pid_kp: {from: 0.5, to: 1.5, steps: 24}}
record: [max NAV_X]
"""
CAMPAIGN = SWEEP.replace("steps: 24", "steps: 150").replace("200", "10")
SOON = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}  # not half a minute, if a scheduler ends


class Cluster:
    """A scheduler and two workers."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        file = folder / "scheduler.json"
        options = {"port": 0, "dashboard": False, "scheduler_file": str(file)}
        self.scheduler = self._start({"cls": "dask.distributed.Scheduler", "opts": options})
        deadline = wall() + TIMEOUT
        while not (file.exists() and file.read_text().endswith("}")):
            assert wall() < deadline
            sleep(0.02)
        self.address = str(json.loads(file.read_text())["address"])
        self.workers = [self.add_worker(), self.add_worker()]
        self.wait_for(2)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def add_worker(self) -> subprocess.Popen[bytes]:
        """Start a further worker."""
        options = {"nthreads": 1, "dashboard": False}
        return self._start({"cls": "dask.distributed.Worker", "opts": options}, self.address)

    def wait_for(self, number: int) -> None:
        """Wait until this number of workers is there."""
        from distributed import Client

        with Client(self.address, timeout=TIMEOUT) as client:
            client.wait_for_workers(number, timeout=TIMEOUT)

    def _start(self, spec: dict[str, Any], *more: str) -> subprocess.Popen[bytes]:
        command = [*DASK, "--spec", json.dumps(spec), *more]
        return subprocess.Popen(command, cwd=self._folder, **QUIET)


def swept(folder: Path, rng: Random, interruptions: int = 3, text: str = SWEEP) -> dict[str, Any]:
    """Perform a sweep on clusters, of which a part is killed, so many times; compare its table."""
    (folder / "sweep.yml").write_text(text)
    local, there = folder / "local", folder / "there"
    if code := sweeping(folder, local).wait(TIMEOUT):
        return {"wrong": f"on this machine: code {code}"}
    kills: list[str] = []
    wrong, code, clusters = "", None, 0
    while code != 0 and clusters <= interruptions:
        clusters += 1
        (place := folder / f"cluster-{clusters}").mkdir()
        with Cluster(place) as cluster:
            while code != 0 and cluster.scheduler.poll() is None and not wrong:
                running = sweeping(folder, there, "--scheduler", cluster.address)
                kills += _kill_some(cluster, running, there, rng, interruptions - len(kills))
                code = end_of(running, there)
                said = (folder / "said").read_text()
                if "Traceback" in said or code not in (0, 2, -signal.SIGKILL):
                    wrong = f"after {kills}: code {code}: {said[-800:]}"
    tables = [each / "results.csv" for each in (local, there)]
    if code or len({table.read_bytes() if table.exists() else None for table in tables}) != 1:
        wrong = wrong or f"code {code}, the table is another"
    if left := _blocks_left_in(folder):
        wrong = wrong or f"left running: {left}"
    return {"runs": 1, "kills": len(kills), "killed": kills, "wrong": wrong}


def sweeping(folder: Path, results: Path, *more: str) -> subprocess.Popen[bytes]:
    """Perform the sweep of a folder in a process; its output goes to the file ``said`` there."""
    mission = str(ROOT / "missions/alpha")
    command = [sys.executable, str(ROOT / "launch.py"), mission, "--sweep", "sweep.yml"]
    with (folder / "said").open("wb") as file:
        return subprocess.Popen(
            [*command, "--no-log", "--results", str(results), *more],
            cwd=folder,
            stdout=file,
            stderr=file,
            env=os.environ | SOON,
        )


def _kill_some(
    cluster: Cluster, running: subprocess.Popen[bytes], results: Path, rng: Random, most: int
) -> list[str]:
    """Kill a part once rows have come, at most so often, until the sweep ends by it."""
    kills: list[str] = []
    while len(kills) < most and kills[-1:] in ([], ["worker"]):
        if not kills:
            _until_grown(running, results, _rows(results))
        sleep(rng.random())
        if running.poll() is not None:
            break
        kills.append(rng.choice(PARTS))
        if kills[-1] == "worker":
            gone = cluster.workers.pop(0)
            gone.kill()
            gone.wait()
            cluster.workers.append(cluster.add_worker())
        else:
            (running if kills[-1] == "driver" else cluster.scheduler).kill()
    return kills


def _until_grown(running: subprocess.Popen[bytes], results: Path, lines: int) -> None:
    deadline = wall() + WAITING
    while running.poll() is None and _rows(results) <= lines and wall() < deadline:
        sleep(0.02)


def _rows(results: Path) -> int:
    file = results / "rows.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def end_of(running: subprocess.Popen[bytes], results: Path) -> int:
    """Wait for a sweep; one that does not go on is ended, and its code is -1000."""
    while True:
        rows = _rows(results)
        try:
            return running.wait(WAITING)
        except subprocess.TimeoutExpired:
            if _rows(results) == rows:
                running.send_signal(signal.SIGKILL)
                running.wait()
                return -1000


def _blocks_left_in(folder: Path) -> list[str]:
    """Return those that are still there a little later."""
    deadline = wall() + 10.0
    while (found := blocks_in(folder)) and wall() < deadline:
        sleep(0.1)
    return found


def blocks_in(folder: Path) -> list[str]:
    """Return the processes that perform a block for a sweep that was begun in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = (process / "cwd").readlink() == folder.resolve()
            if here and b"launcher.sweep.block" in (process / "cmdline").read_bytes():
                found.append(process.name)
        except OSError:  # it has ended, or is another user's
            continue
    return found
