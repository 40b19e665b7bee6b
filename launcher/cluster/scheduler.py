"""Connections to a Dask scheduler, and the programs that its workers run."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from steerageway.apps.shared.user_code import program
from steerageway.launcher.errors import LaunchError

TIMEOUT = 5.0  # of the connection to the scheduler [wall s]
PATIENCE = 3 * TIMEOUT  # of the connection and the first request [wall s]
POLL = 0.2  # polling interval of a program's end, and of its being wanted [wall s]


class ProgramFailed(Exception):
    """A program of a worker failed, or was killed; the text is its standard error."""


def connected(address: str) -> tuple[Any, dict[str, int]]:
    """Connect to a scheduler; return the client, and each worker's number of threads.

    What listens there may be no scheduler, and Dask waits for it or believes what it sends: it does
    so in a thread, which is left to itself if it takes too long.

    Raises:
        LaunchError: Dask is not installed, there is no scheduler, or it has no workers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        expected = 'pip install "steerageway[sweep]"'
        raise LaunchError(f"--scheduler {address}: needs Dask; {expected}") from None
    for logger in ("distributed", "distributed.client"):  # errors are reported below
        logging.getLogger(logger).setLevel(logging.CRITICAL)
    answers: Queue[Any] = Queue()

    def connect() -> None:
        try:
            client = distributed.Client(address, timeout=TIMEOUT)
            answers.put((client, client.nthreads()))
        except Exception as error:  # of any kind: e.g. a MemoryError by garbage
            answers.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        answer = answers.get(timeout=PATIENCE)
    except Empty:
        silent = f"no answer of a Dask scheduler within {PATIENCE:g} s"
        raise LaunchError(f"--scheduler {address}: {silent}") from None
    if isinstance(answer, Exception):
        why = f"no Dask scheduler answers there: {str(answer) or type(answer).__name__}"
        raise LaunchError(f"--scheduler {address}: {why}") from answer
    client, threads = answer
    if not threads:
        client.close(timeout=TIMEOUT)
        raise LaunchError(f"--scheduler {address}: it has no workers")
    return client, threads


def wanted_here() -> Any:
    """Return a function that tells, on a worker, whether the client still wants this task."""
    distributed: Any = import_module("distributed")
    worker = distributed.get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return wanted


def run_program(
    module: str, given: bytes, wanted: Callable[[], bool], folder: str | Path | None = None
) -> bytes:
    """Run a module as a program on a worker; return its output.

    Args:
        module: its name.
        given: its input.
        wanted: returns False once the task is cancelled, which kills the program.
        folder: its current folder; None: the worker's.

    Raises:
        ProgramFailed: it failed, or was killed.
    """
    pipe, left = subprocess.PIPE, given
    with subprocess.Popen(
        program(module), stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder
    ) as child:
        while child.returncode is None:
            try:
                output, complaints = child.communicate(left, timeout=POLL)
            except subprocess.TimeoutExpired:
                left = b""  # communicate() takes input only once
                if not wanted():
                    child.kill()
    if child.returncode:
        raise ProgramFailed(complaints.decode(errors="replace"))
    return output
