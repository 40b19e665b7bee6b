"""``python -m launcher.sweep.block``: performs a block of runs on a machine of a Dask cluster.

Runs are forked, which is not safe in a worker's process with its threads. So the worker starts this
program for each block of runs, which forks them as a sweep on one machine does. The block comes as
JSON on the standard input; rows are written to the standard output, one per line, and at last the
duration of the runs.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from steerageway.launcher.cluster.scheduler import run_program
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sources import sources_digest
from steerageway.launcher.sweep.execution import Row, check_run
from steerageway.launcher.sweep.files import Inputs, inputs_of
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep
from steerageway.launcher.sweep.workers import Workers

sources_at_start = cache(sources_digest)  # of this process: all blocks of a sweep are alike


def block_of(sweep: Sweep, runs: Sequence[Run], place: Place, inputs: Inputs) -> dict[str, Any]:
    """Return a block of runs as JSON values, for a machine with the same files and paths."""
    return {
        "here": os.getcwd(),
        "sources": sources_at_start(),
        "inputs": inputs,
        "sweep": asdict(replace(sweep, runs=(), stop=None)),
        "runs": [asdict(run) for run in runs],
        "place": {**asdict(place), "folder": str(place.folder.resolve())},
    }


def run_block(job: Mapping[str, Any], wanted: Callable[[], bool]) -> tuple[list[Row], float]:
    """Perform a block of runs in a child process; called on a cluster's worker.

    Returns: the rows, and the duration of the runs alone [wall s].

    Args:
        job: the block.
        wanted: returns False once the block is cancelled, which kills the child.

    Raises:
        ProgramFailed: it failed, or was killed.
    """
    given = json.dumps({**job, "worker": os.getpid()}).encode()
    output = run_program("steerageway.launcher.sweep.block", given, wanted, job["here"])
    *rows, busy = map(json.loads, output.splitlines())
    return rows, busy


def _check_same(job: Mapping[str, Any]) -> None:
    """End the program if this machine has other code or other files than the sweep's.

    Its rows would not be those of the sweep, and nothing in them would say so.
    """
    names, digest, _ = job["inputs"]
    here = f"on {platform.node()}"
    if sources_digest() != job["sources"]:
        sys.exit(f"another version of Steerageway {here}; expected the same on all machines")
    try:
        same = inputs_of(names).digest == digest
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror} {here}; expected the same files everywhere")
    if not same:
        sys.exit(f"other input files in {job['here']} {here}; expected the same everywhere")


def main() -> None:
    """Perform the block on the standard input; stop if the worker ends."""
    job = json.load(sys.stdin)
    _check_same(job)
    given = job["sweep"].items()
    fields: dict[str, Any] = {key: tuple(value) for key, value in given if value is not None}
    sweep = Sweep(**fields)
    runs = [Run(**{**run, "arguments": tuple(run["arguments"])}) for run in job["runs"]]
    place = Place(**{**job["place"], "folder": Path(job["place"]["folder"])})
    with suppress(LaunchError):  # the run reports the error in its row
        check_run(sweep, runs[0])
    workers = Workers(1, sweep, place)
    for row in workers.rows(runs, lambda: os.getppid() != job["worker"]):
        print(json.dumps(row), flush=True)
    print(workers.busy)


if __name__ == "__main__":
    main()
