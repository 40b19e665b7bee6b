"""``python -m launcher.cluster.host``: runs communities of a mission on a worker of a cluster.

The mission's files are unpacked, and the mission is planned from them as the launcher has done.
Each process is then forked, with its communities. The job comes on the standard input; an archive
of the logs is written to the standard output.
"""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from steerageway.bus import Placement, RunPlan, fork, run_remote_host, sleep
from steerageway.launcher.cluster.travel import archived, moved, unpacked
from steerageway.launcher.cluster.workers import Job
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.plan import plan_launch

POLL = 0.1  # polling interval of the processes [wall s]


def main() -> None:
    """Run the job on the standard input; stop if the worker ends."""
    job, worker = pickle.load(sys.stdin.buffer)
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # where apps may print
    with TemporaryDirectory(ignore_cleanup_errors=True) as place:
        folder = Path(place)
        try:
            plan = _planned(job, folder)
        except LaunchError as error:
            sys.exit("; ".join(error.problems))
        _run(job, plan, folder, worker)
        with open(output, "wb") as pipe:
            pipe.write(archived(folder / "logs"))


def _planned(job: Job, folder: Path) -> RunPlan:
    """Plan the mission, from files unpacked below a folder.

    Raises:
        LaunchError: with all errors.
    """
    files = folder / "files"
    unpacked(job.files, files)
    here = Path(f"{files}{job.here}")
    here.mkdir(parents=True, exist_ok=True)
    os.chdir(here)
    options = replace(
        moved(job.options, job.own, files),
        placement=Placement.ONE,
        log=None if job.options.no_log else folder / "logs",
    )
    return plan_launch(options).plan


def _run(job: Job, plan: RunPlan, folder: Path, worker: int) -> None:
    """Fork the processes, and wait for them."""
    keys = folder / "worker.key"
    keys.touch(mode=0o600)
    keys.write_text(job.keys)
    left = []
    for number, communities in job.groups:
        run = partial(run_remote_host, job.address, keys, plan, communities, number, os.getpid())
        left.append(fork(run, communities[0]))
    while left and os.getppid() == worker:
        left = [pid for pid in left if not os.waitpid(pid, os.WNOHANG)[0]]
        sleep(POLL)


if __name__ == "__main__":
    main()
