"""Execution of a sweep's runs on a Dask cluster, in blocks that are programs on its workers.

Every worker must have Steerageway installed, and the folders of the mission and of the results at
the same paths as here: a shared file system, or the same machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from math import ceil
from typing import Any

from steerageway.bus import sleep
from steerageway.launcher.cluster.scheduler import TIMEOUT, connected, wanted_here
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.block import block_of, run_block
from steerageway.launcher.sweep.execution import Row
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep

BLOCKS_EACH = 2  # blocks for each thread of the cluster, so that none is idle for long at the end
LARGEST = 20  # limit of runs in a block, whose rows are returned together
POLL = 0.2  # polling interval of results [wall s]


class Cluster:
    """A connection to a Dask cluster.

    Attributes:
        jobs: number of runs that it performs in parallel.
    """

    def __init__(self, address: str, sweep: Sweep, place: Place) -> None:
        """Connect to the cluster.

        Raises:
            LaunchError: Dask is not installed, there is no scheduler, or it has no workers.
        """
        self._address = address
        self._client, threads = connected(address)
        self.jobs = sum(threads.values())
        self._sweep, self._place = sweep, place

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        Raises:
            LaunchError: a worker failed.
        """
        size = max(1, min(LARGEST, ceil(len(runs) / (BLOCKS_EACH * self.jobs))))
        blocks = (runs[at : at + size] for at in range(0, len(runs), size))
        jobs = [block_of(self._sweep, block, self._place) for block in blocks]
        waiting = [self._client.submit(_perform, job, pure=False) for job in jobs]
        try:
            while waiting and not stopped():
                sleep(POLL)
                done = [future for future in waiting if future.done()]
                waiting = [future for future in waiting if future not in done]
                for future in done:
                    yield from self._rows_of(future)
        finally:
            self._client.cancel(waiting)
            self._client.close(timeout=TIMEOUT)

    def _rows_of(self, future: Any) -> list[Row]:
        """Return the rows of a block.

        Raises:
            LaunchError: it failed.
        """
        try:
            rows: list[Row] = future.result()
        except CancelledError as error:
            lost = "connection lost; the same command with another scheduler continues the sweep"
            raise LaunchError(f"--scheduler {self._address}: {lost}") from error
        except Exception as error:  # any exception of the worker is raised here
            raise LaunchError(f"--scheduler: a worker failed: {error}") from error
        return rows


def _perform(job: dict[str, Any]) -> list[Row]:
    """Perform a block on a worker, until the sweep cancels it or disconnects."""
    return run_block(job, wanted_here())
