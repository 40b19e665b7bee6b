"""Execution of a sweep's runs on a Dask cluster, in blocks that are programs on its workers.

Every worker must have Steerageway installed, and the folders of the mission and of the results at
the same paths as here: a shared file system, or the same machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

from steerageway.bus import sleep
from steerageway.launcher.cluster.scheduler import TIMEOUT, connected, wanted_here
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.sweep.block import block_of, run_block
from steerageway.launcher.sweep.execution import Row
from steerageway.launcher.sweep.files import Inputs
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep
from steerageway.launcher.sweep.workers import portion

BLOCKS_EACH = 2  # blocks for each thread of the cluster at a time, so that none waits for the next
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
        self._address = address
        self._client, threads = connected(address)
        self.jobs = sum(threads.values())
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
                    size = portion(len(runs) - begun, self.jobs, performed, self.busy)
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


def _perform(job: dict[str, Any]) -> tuple[list[Row], float]:
    """Perform a block on a worker, until the sweep cancels it or disconnects."""
    return run_block(job, wanted_here())
