"""Execution of a sweep's runs on a Dask cluster, in blocks that are programs on its workers.

Every worker must have Steerageway installed, and the folders of the mission and of the results at
the same paths as here: a shared file system, or the same machine.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from importlib import import_module
from math import ceil
from queue import Empty, Queue
from threading import Thread
from typing import Any

from steerageway.bus import sleep
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.block import block_of, run_block
from steerageway.launcher.sweep.execution import Row
from steerageway.launcher.sweep.files import Inputs
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep

BLOCKS_EACH = 2  # blocks for each thread of the cluster at a time, so that none waits for the next
FIRST = 4  # limit of runs in a block until their duration is known
BLOCK_SECONDS = 40.0  # aim [wall s]: a block's program takes a second to start; its rows come last
LEAST_SECONDS = 10.0  # aim of the last blocks, which are smaller so that all workers end together
TIMEOUT = 5.0  # of the connection to the scheduler [wall s]
PATIENCE = 3 * TIMEOUT  # of the connection and the first request [wall s]
POLL = 0.2  # polling interval of results [wall s]


class Cluster:
    """A connection to a Dask cluster.

    Attributes:
        jobs: number of runs that it performs in parallel.
        busy: duration of all runs, without the start of their programs [wall s].
        place: of the output and logs of the runs to come.
    """

    def __init__(self, address: str, sweep: Sweep, place: Place, inputs: Inputs) -> None:
        """Connect to the cluster.

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
        self._address = address
        self._client, self.jobs = _connected(distributed, address)
        if not self.jobs:
            self._client.close(timeout=TIMEOUT)
            raise LaunchError(f"--scheduler {address}: it has no workers")
        self._sweep, self.place, self._inputs = sweep, place, inputs
        self.busy = 0.0

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        Raises:
            LaunchError: a worker failed.
        """
        waiting: list[Any] = []
        begun = performed = 0
        try:
            while (waiting or begun < len(runs)) and not stopped():
                while begun < len(runs) and len(waiting) < BLOCKS_EACH * self.jobs:
                    size = self._size(len(runs) - begun, performed)
                    job = block_of(
                        self._sweep, runs[begun : begun + size], self.place, self._inputs
                    )
                    waiting.append(self._client.submit(_perform, job, pure=False))
                    begun += size
                sleep(POLL)
                done = [future for future in waiting if future.done()]
                waiting = [future for future in waiting if future not in done]
                for future in done:
                    rows, busy = self._result_of(future)
                    self.busy += busy
                    performed += len(rows)
                    yield from rows
        finally:
            self._client.cancel(waiting)
            self._client.close(timeout=TIMEOUT)

    def _size(self, left: int, performed: int) -> int:
        """Return the number of runs of the next block, by the duration of those performed."""
        share = ceil(left / (BLOCKS_EACH * self.jobs))
        if not performed or not self.busy:
            return min(FIRST, share)
        most, least = (
            ceil(seconds * performed / self.busy) for seconds in (BLOCK_SECONDS, LEAST_SECONDS)
        )
        return min(left, most, max(least, share))

    def _result_of(self, future: Any) -> tuple[list[Row], float]:
        """Return the rows of a block, and the duration of its runs [wall s].

        Raises:
            LaunchError: it failed.
        """
        try:
            result: tuple[list[Row], float] = future.result()
        except CancelledError as error:
            lost = "connection lost; the same command with another scheduler continues the sweep"
            raise LaunchError(f"--scheduler {self._address}: {lost}") from error
        except Exception as error:  # any exception of the worker is raised here
            raise LaunchError(f"--scheduler: a worker failed: {error}") from error
        return result


def _connected(distributed: Any, address: str) -> tuple[Any, int]:
    """Connect to a scheduler; return the client and its number of threads.

    What listens there may be no scheduler, and Dask waits for it or believes what it sends: it does
    so in a thread, which is left to itself if it takes too long.

    Raises:
        LaunchError: there is no scheduler.
    """
    answers: Queue[Any] = Queue()

    def connect() -> None:
        try:
            client = distributed.Client(address, timeout=TIMEOUT)
            answers.put((client, sum(client.nthreads().values())))
        except Exception as error:  # of any kind: e.g. a MemoryError by garbage
            answers.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        answer = answers.get(timeout=PATIENCE)
    except Empty:
        silent = f"no answer of a Dask scheduler within {PATIENCE:g} s"
        raise LaunchError(f"--scheduler {address}: {silent}") from None
    if isinstance(answer, Exception):
        why = f"no Dask scheduler answers there: {answer}"
        raise LaunchError(f"--scheduler {address}: {why}") from answer
    client, threads = answer
    return client, threads


def _perform(job: dict[str, Any]) -> tuple[list[Row], float]:
    """Perform a block on a worker, until the sweep cancels it or disconnects."""
    distributed: Any = import_module("distributed")
    worker = distributed.get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return run_block(job, wanted)
