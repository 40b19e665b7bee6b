"""``DaskCluster``: the workers of a Dask cluster that run a mission's communities.

A worker's task starts a program, ``launcher.cluster.host``: apps are not to share a process with
Dask's threads.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steerageway.apps.shared.terminal import say
from steerageway.bus import ServerError, sleep, wall
from steerageway.launcher.cluster.scheduler import (
    POLL,
    TIMEOUT,
    connected,
    run_program,
    wanted_here,
)
from steerageway.launcher.cluster.travel import absolute, identity, packed, unpacked
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.files_read import files_read
from steerageway.launcher.options import Options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.sources import OWN

HOST = "steerageway.launcher.cluster.host"
MEMBERS = 2.0  # interval of asking which workers there are [wall s]
LOGS = 60.0  # how long the workers' logs are waited for [wall s]


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker's program needs.

    Attributes:
        options: of the launch, with absolute paths of the launcher's machine.
        own: where our own files are there.
        here: the launcher's current folder.
        files: archive of the mission's files.
        address, keys: where the broker listens, and text of the file of keys.
        groups: number and communities of each process.
    """

    options: Options
    own: str
    here: str
    files: bytes
    address: str
    keys: str
    groups: tuple[tuple[int, tuple[str, ...]], ...]


def plan_on_cluster(options: Options) -> Launch:
    """Plan a launch on the cluster of its options.

    Raises:
        LaunchError: with all errors; nothing has been started.
    """
    with files_read() as read:
        launch = plan_launch(options)
    try:
        if launch.gate is not None:
            raise LaunchError("--placement cluster: not with programs of MOOS")
        files = packed(options, read)
    except LaunchError:
        launch.folder.release()
        raise
    there = replace(
        absolute(options),
        keys=None,
        open=False,
        attach=False,
        paused=False,
        port=None,
        view=None,
        foxglove=None,
        json="",
        host="127.0.0.1",
        epoch=datetime.fromtimestamp(launch.plan.epoch, UTC).isoformat(),
        no_log=launch.folder.path is None,
    )
    cluster = DaskCluster(there, files, launch.folder.path)
    return replace(launch, plan=replace(launch.plan, cluster=cluster))


class DaskCluster:
    """The workers of a scheduler; see ``bus.core.plan.Cluster``."""

    def __init__(self, options: Options, files: bytes, logs: Path | None) -> None:
        """Take a launch; nothing is connected yet.

        Args:
            options: with absolute paths.
            files: archive of the mission's files.
            logs: folder for what the workers log; None for no logs.
        """
        self._address = options.scheduler
        self._options, self._files, self._logs = options, files, logs
        self._client: Any = None
        self._machines: list[str] = []
        self._tasks: dict[str, tuple[Any, list[int]]] = {}  # worker -> task, numbers of processes
        self._reported: set[str] = set()
        self._members: list[str] = []
        self._asked = -MEMBERS

    def connect(self) -> list[str]:
        """Connect, and check the workers; return the worker of each process.

        Raises:
            ServerError: there is no scheduler, it has no workers, or one has other sources.
        """
        try:
            self._client, threads = connected(self._address)
        except LaunchError as error:
            raise ServerError(str(error)) from error
        found = self._client.run(identity, on_error="return")
        ours = identity()
        told = [f"worker {w} {why}" for w in sorted(found) if (why := _difference(found[w], ours))]
        if told:
            raise ServerError(f"--scheduler {self._address}: {'; '.join(told)}")
        rounds = range(max(threads.values()))
        self._machines = [w for turn in rounds for w in sorted(threads) if threads[w] > turn]
        return self._machines

    def host(self) -> str:
        """Return this machine's address as the workers reach it."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            name, _, port = self._machines[0].rpartition("://")[2].rpartition(":")
            probe.connect((name, int(port)))  # sends nothing: it chooses the interface
            return str(probe.getsockname()[0])

    def start(self, address: str, keys: str, groups: list[list[str]]) -> None:
        """Start a program on each worker that gets communities."""
        for worker in dict.fromkeys(self._machines[: len(groups)]):
            numbers = [n for n in range(len(groups)) if self._machines[n] == worker]
            its = tuple((number, tuple(groups[number])) for number in numbers)
            job = Job(self._options, str(OWN), os.getcwd(), self._files, address, keys, its)
            task = self._client.submit(
                *(run_job, job), workers=[worker], allow_other_workers=False, pure=False, retries=0
            )
            self._tasks[worker] = task, numbers

    def failed(self) -> list[tuple[int, str]]:
        """Return the processes of workers that have failed since the last call, and why."""
        found = []
        for worker, (task, numbers) in self._tasks.items():
            why = self._why_lost(worker, task)
            if why and worker not in self._reported:
                self._reported.add(worker)
                found += [(number, why) for number in numbers]
        return found

    def close(self, *, complete: bool) -> None:
        """Take over the workers' logs if the run is complete, and disconnect."""
        if self._client is None:
            return
        deadline = wall() + LOGS
        for worker, (task, _) in self._tasks.items() if complete else ():
            while not task.done() and not self._why_lost(worker, task) and wall() < deadline:
                sleep(POLL)
            if task.status == "finished" and self._logs is not None:
                unpacked(task.result(), self._logs)
            elif self._logs is not None:
                say(f"warning: the logs of worker {worker} are lost", to=sys.stderr)
        self._client.cancel([task for task, _ in self._tasks.values()])
        self._client.close(timeout=TIMEOUT)

    def _why_lost(self, worker: str, task: Any) -> str:
        if task.status in ("error", "cancelled", "lost"):
            error = task.exception() if task.status == "error" else task.status
            return str(error).strip() or type(error).__name__
        if wall() > self._asked + MEMBERS:
            self._asked, self._members = wall(), list(self._client.nthreads())
        return "" if worker in self._members else "it has left the cluster"


def _difference(found: dict[str, str] | Exception, ours: dict[str, str]) -> str:
    """Return how a worker's installation differs from this one; "" if it does not."""
    if isinstance(found, Exception):
        return f"has no such version of Steerageway: {found}"
    differing = [key for key in ours if found[key] != ours[key]]
    return ", ".join(f"has {key} {found[key]}, expected {ours[key]}" for key in differing)


def run_job(job: Job) -> bytes:
    """Run a job's program; called on a worker.

    Returns: an archive of its logs.
    Raises:
        ProgramFailed: it failed.
    """
    return run_program(HOST, pickle.dumps((job, os.getpid())), wanted_here())
