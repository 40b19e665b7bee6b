"""Performs runs on a Dask cluster: blocks of them, each a program on a worker's machine.

Every worker must have this project installed, and the mission's and the sweep's folders in the same
places as here: a shared file system, or one machine.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from importlib import import_module
from math import ceil
from typing import Any

from steerageway.bus import sleep
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.block import block_of, run_block
from steerageway.launcher.sweep.execution import Row
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep

BLOCKS_EACH = 2  # for every thread of the cluster, so that none is idle for long at the end
LARGEST = 20  # runs of a block: their rows come together
TIMEOUT = 5.0  # wall seconds to find the scheduler
LOOK = 0.2  # wall seconds between looks at what is done


class Cluster:
    """A cluster that has been found.

    Attributes:
        jobs: how many runs it performs at a time.
    """

    def __init__(self, address: str, sweep: Sweep, place: Place) -> None:
        """Find the cluster.

        Raises:
            LaunchError: Dask is not installed, or nobody is there.
        """
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            expected = 'pip install "steerageway[sweep]"'
            raise LaunchError(f"--scheduler {address}: Dask is not there; {expected}") from None
        try:
            self._client: Any = distributed.Client(address, timeout=TIMEOUT)
        except (OSError, ValueError) as error:
            raise LaunchError(f"--scheduler {address}: {error}") from error
        for logger in ("distributed", "distributed.client"):  # what is wrong is told below
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        self._address = address
        threads = self._client.nthreads()
        self.jobs = sum(threads.values())
        if not self.jobs:
            self._client.close(timeout=TIMEOUT)
            raise LaunchError(f"--scheduler {address}: it has no workers")
        self._sweep, self._place = sweep, place

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; give their rows as they come, until they are through or it is stopped.

        Raises:
            LaunchError: a worker cannot perform them.
        """
        size = max(1, min(LARGEST, ceil(len(runs) / (BLOCKS_EACH * self.jobs))))
        blocks = (runs[at : at + size] for at in range(0, len(runs), size))
        jobs = [block_of(self._sweep, block, self._place) for block in blocks]
        waiting = [self._client.submit(_perform, job, pure=False) for job in jobs]
        try:
            while waiting and not stopped():
                sleep(LOOK)
                done = [future for future in waiting if future.done()]
                waiting = [future for future in waiting if future not in done]
                for future in done:
                    yield from self._rows_of(future)
        finally:
            self._client.cancel(waiting)
            self._client.close(timeout=TIMEOUT)

    def _rows_of(self, future: Any) -> list[Row]:
        """Give the rows of a block.

        Raises:
            LaunchError: it could not be performed.
        """
        try:
            rows: list[Row] = future.result()
        except CancelledError as error:
            lost = "the scheduler was lost; the same command goes on with another"
            raise LaunchError(f"--scheduler {self._address}: {lost}") from error
        except Exception as error:  # whatever was raised where it ran comes through here
            raise LaunchError(f"--scheduler: a worker failed: {error}") from error
        return rows


def _perform(job: dict[str, Any]) -> list[Row]:
    """Perform a block, on a worker, until the sweep takes it back or is gone."""
    distributed: Any = import_module("distributed")
    worker = distributed.get_worker()
    key = worker.get_current_task()

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return run_block(job, wanted)
