"""Execution of a sweep's runs in child processes forked from this one, with loaded modules.

A child that dies does not affect the others. If this process dies for any reason, its children end,
too: each has a thread that waits on a pipe whose other end only this process holds open.
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
from dataclasses import dataclass
from math import ceil

from steerageway.bus import DIED, fork, how_it_ended, preload
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, perform, row_without
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep

POLL = 0.2  # polling interval for interruption [wall s]
READ = 65_536  # bytes read at a time
SHARES = 4  # children that each job has at least, so that all jobs end at about the same time


@dataclass
class Worker:
    """A child process that performs runs, one after another.

    Attributes:
        pid: its process id.
        runs: those whose rows have not arrived, in order.
        logged: whether the runs are logged.
        text: the begin of a row that has not arrived as a whole.
    """

    pid: int
    runs: deque[Run]
    logged: bool
    text: bytes = b""


class Workers:
    """A pool of child processes, each for one run, or for a few.

    Attributes:
        jobs: maximum number of children.
    """

    def __init__(self, jobs: int, sweep: Sweep, place: Place, together: int = 1) -> None:
        """Create the pool; no child is started yet.

        Args:
            jobs: maximum number of children.
            sweep: the sweep.
            place: of the runs' output and logs.
            together: most runs that a child performs one after another: of apps that keep nothing
                outside of themselves.
        """
        self.jobs = jobs
        self._sweep = sweep
        self._place = place
        self._together = together
        self._lifeline, self._held = os.pipe()
        self._running: dict[int, Worker] = {}
        self._left: deque[tuple[Sequence[Run], bool]] = deque()  # of each child, and if logged

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        A run that fails without a log is repeated with one: as runs are deterministic, it fails
        again.
        """
        size = max(1, min(self._together, ceil(len(runs) / (SHARES * self.jobs))))
        self._left += ((runs[k : k + size], self._place.logs) for k in range(0, len(runs), size))
        preload()
        gc.freeze()  # the collector does not touch, and so copy, the pages that children share
        try:
            while (self._left or self._running) and not stopped():
                while self._left and len(self._running) < self.jobs:
                    self._start(*self._left.popleft())
                for pipe in select.select(list(self._running), [], [], POLL)[0]:
                    yield from self._rows_of(pipe)
        finally:
            gc.unfreeze()
            self._end()

    def _start(self, runs: Sequence[Run], logged: bool) -> None:
        pipe, write = os.pipe()
        pid = fork(lambda: self._run_child(runs, logged, write))
        os.close(write)
        self._running[pipe] = Worker(pid, deque(runs), logged)

    def _run_child(self, runs: Sequence[Run], logged: bool, write: int) -> None:
        """Perform the runs in the child, and send each row as a line."""
        os.setsid()  # the terminal's Ctrl-C is for the sweep
        os.close(self._held)  # else this child would keep the others' lifeline open
        threading.Thread(target=self._end_with_the_sweep, daemon=True).start()
        with open(write, "wb") as pipe:
            for run in runs:
                sys.stdout = sys.stderr = output = self._place.output_of(run).open("w", buffering=1)
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                row = perform(self._sweep, run, self._place.log(run) if logged else None)
                pipe.write(json.dumps(row).encode() + b"\n")
                pipe.flush()

    def _end_with_the_sweep(self) -> None:
        os.read(self._lifeline, 1)
        os._exit(DIED)

    def _rows_of(self, pipe: int) -> Iterator[Row]:
        """Yield the rows that have arrived from a child; if it died, one with the reason."""
        worker = self._running[pipe]
        sent = os.read(pipe, READ)
        *lines, worker.text = (worker.text + sent).split(b"\n")
        for line in lines:
            run, row = worker.runs.popleft(), json.loads(line)
            if row["exit_code"] in WELL:
                self._place.output_of(run).unlink(missing_ok=True)
            yield from self._judged(run, row, logged=worker.logged)
        if sent:
            return
        del self._running[pipe]
        os.close(pipe)
        _, status = os.waitpid(worker.pid, 0)
        if worker.runs:
            run, *rest = worker.runs
            if rest:
                self._left.appendleft((rest, worker.logged))
            row = row_without(run, DIED, "died", how_it_ended(status)) | {AGAIN: True}
            yield from self._judged(run, row, logged=worker.logged)

    def _judged(self, run: Run, row: Row, *, logged: bool) -> Iterator[Row]:
        """Yield a run's row, unless the run failed without a log: then repeat it with one."""
        if row["exit_code"] in WELL or logged:
            yield row
        else:
            self._left.appendleft(([run], True))

    def _end(self) -> None:
        """Kill the running children and close the pipes."""
        for pipe, worker in self._running.items():
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            os.close(pipe)
        self._running.clear()
        os.close(self._held)
        os.close(self._lifeline)
