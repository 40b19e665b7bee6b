"""``python -m launcher.sweep.block``: performs some runs where a cluster's worker is.

A worker has threads, which a run in it must not meet; so it starts this program for a block of
runs, which forks each run from itself as a sweep on one machine does. What to do comes as JSON on
the standard input; a row a line goes to the standard output.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.execution import Row, rehearse
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep
from steerageway.launcher.sweep.workers import Workers

LOOK = 0.2  # wall seconds between looks whether a block is still wanted


class BlockFailed(Exception):
    """The program for a block of runs ended badly on its worker; the text is what it said."""


def block_of(sweep: Sweep, runs: Sequence[Run], place: Place) -> dict[str, Any]:
    """Write down a block of runs, for any machine that has the same files in the same places."""
    return {
        "here": os.getcwd(),
        "sweep": asdict(replace(sweep, runs=())),
        "runs": [asdict(run) for run in runs],
        "folder": str(place.folder.resolve()),
        "logs": place.logs,
    }


def run_block(job: Mapping[str, Any], wanted: Callable[[], bool]) -> list[Row]:
    """Perform a block of runs in a program of its own; for a cluster's worker.

    Args:
        job: the block.
        wanted: whether anybody still waits for its rows; the program is ended when nobody does.
    Raises:
        BlockFailed: it ended badly, or was ended.
    """
    command, pipe = [sys.executable, "-m", "steerageway.launcher.sweep.block"], subprocess.PIPE
    text: str | None = json.dumps({**job, "worker": os.getpid()})
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=job["here"]
    ) as program:
        while program.returncode is None:
            try:
                output, complaints = program.communicate(text, timeout=LOOK)
            except subprocess.TimeoutExpired:
                text = None  # it is on its way
                if not wanted():
                    program.kill()
    if program.returncode:
        raise BlockFailed(complaints)
    return [json.loads(line) for line in output.splitlines()]


def main() -> None:
    """Perform the block that the standard input describes, unless the worker ends before."""
    job = json.load(sys.stdin)
    sweep = Sweep(**{key: tuple(value) for key, value in job["sweep"].items()})
    runs = [Run(**{**run, "arguments": tuple(run["arguments"])}) for run in job["runs"]]
    place = Place(Path(job["folder"]), job["logs"])
    with suppress(LaunchError):  # its row will say so
        rehearse(sweep, runs[0])
    for row in Workers(1, sweep, place).rows(runs, lambda: os.getppid() != job["worker"]):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
