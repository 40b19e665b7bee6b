"""Performs runs in processes forked from this one, which is warm: a run leaves nothing behind.

A child that dies takes nobody along. If this process dies, however it does, its children end, too:
each has a thread that waits for the other end of a pipe which only this process holds to close.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from steerageway.bus import DIED, fork, how_it_ended
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, perform, row_without
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep

LOOK = 0.2  # wall seconds between looks whether to stop


class Worker(NamedTuple):
    """A child that performs a run.

    Attributes:
        pid: of its process.
        run: what it does.
        logged: whether it leaves a log.
    """

    pid: int
    run: Run
    logged: bool


class Workers:
    """A few children at a time, each for one run.

    Attributes:
        jobs: how many at a time.
    """

    def __init__(self, jobs: int, sweep: Sweep, place: Place) -> None:
        """Get ready.

        Args:
            jobs: how many at a time.
            sweep: whose runs they are.
            place: where they leave what they print and log.
        """
        self.jobs = jobs
        self._sweep = sweep
        self._place = place
        self._lifeline, self._held = os.pipe()
        self._running: dict[int, Worker] = {}

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; give their rows as they come, until they are through or it is stopped.

        A run that fails without a log is tried again with one: it will fail again.
        """
        left = deque((run, self._place.logs) for run in runs)
        gc.freeze()  # spares the children a copy of what lasts
        try:
            while (left or self._running) and not stopped():
                while left and len(self._running) < self.jobs:
                    self._start(*left.popleft())
                for pipe in select.select(list(self._running), [], [], LOOK)[0]:
                    worker = self._running.pop(pipe)
                    row = self._finish(worker, pipe)
                    if row["exit_code"] in WELL or worker.logged:
                        yield row
                    else:
                        left.appendleft((worker.run, True))
        finally:
            gc.unfreeze()
            self._end()

    def _start(self, run: Run, logged: bool) -> None:
        pipe, write = os.pipe()
        pid = fork(lambda: self._live(run, logged, write))
        os.close(write)
        self._running[pipe] = Worker(pid, run, logged)

    def _live(self, run: Run, logged: bool, write: int) -> None:
        """Be a child: perform the run, and send its row."""
        os.setsid()  # the terminal's Ctrl-C is for the sweep
        os.close(self._held)
        threading.Thread(target=self._end_with_the_sweep, daemon=True).start()
        sys.stdout = sys.stderr = output = self._place.output_of(run).open("w", buffering=1)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        row = perform(self._sweep, run, self._place.log(run) if logged else None)
        with open(write, "wb") as pipe:
            pipe.write(json.dumps(row).encode())

    def _end_with_the_sweep(self) -> None:
        os.read(self._lifeline, 1)
        os._exit(DIED)

    def _finish(self, worker: Worker, pipe: int) -> Row:
        """Read a run's row; make one up that says how the child died if it sent none."""
        with open(pipe, "rb") as stream:
            sent = stream.read()
        _, status = os.waitpid(worker.pid, 0)
        if status:
            row = row_without(worker.run, DIED, "died", how_it_ended(status)) | {AGAIN: True}
        else:
            row = json.loads(sent)
        if row["exit_code"] in WELL:
            self._place.output_of(worker.run).unlink(missing_ok=True)
        return row

    def _end(self) -> None:
        """End what still runs."""
        for pipe, worker in self._running.items():
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            os.close(pipe)
        self._running.clear()
        os.close(self._held)
        os.close(self._lifeline)
