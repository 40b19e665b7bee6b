"""Execution of a sweep's runs in child processes forked from this one, with loaded modules.

A child that dies does not affect the others. If this process dies for any reason, its children end,
too: each has a thread that waits on a pipe whose other end only this process holds open.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from math import ceil
from pathlib import Path

from steerageway.bus import DIED, fork, how_it_ended, wall
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, perform, row_without
from steerageway.launcher.sweep.results import Place, output_file
from steerageway.launcher.sweep.runs import Run, Sweep

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

POLL = 0.2  # polling interval for interruption [wall s]
READ = 65_536  # bytes read at a time
SHARES = 4  # children that each job has at least, so that all jobs end at about the same time
GRACE = 5.0  # after --wall-limit, until a run is taken to hang [wall s]
HUNG = "hung"  # exit reason of a run that was killed then
OURS = "steerageway."


@dataclass
class Worker:
    """A child process that performs runs, one after another.

    Attributes:
        pid: its process id.
        runs: those whose rows have not arrived, in order.
        logged: whether the runs are logged.
        began: when the first of them was started [wall s].
        text: the begin of a row that has not arrived as a whole.
    """

    pid: int
    runs: deque[Run]
    logged: bool
    began: float
    text: bytes = b""


class Workers:
    """A pool of child processes, each for one run, or for a few.

    Attributes:
        jobs: maximum number of children.
        busy: duration of all runs, without the start of their processes [wall s].
        place: of the runs' output and logs; it may be changed between runs.
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
        self.busy = 0.0
        self._sweep = sweep
        self.place = place
        self._together = together
        self._lifeline, self._held = os.pipe()
        self._running: dict[int, Worker] = {}
        self._left: deque[tuple[list[Run], bool]] = deque()  # to be run again, and if logged
        self._hanging: set[int] = set()  # process ids of those that were killed

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        A run that fails without a log is repeated with one: as runs are deterministic, it fails
        again.
        """
        size = max(1, min(self._together, ceil(len(runs) / (SHARES * self.jobs))))
        fresh = iter(runs)
        gc.freeze()  # the collector does not touch, and so copy, the pages that children share
        try:
            while not stopped():
                while len(self._running) < self.jobs:
                    if self._left:
                        self._start(*self._left.popleft())
                    elif part := list(islice(fresh, size)):
                        self._start(part, self.place.logs)
                    else:
                        break
                if not self._running:
                    break
                for pipe in select.select(list(self._running), [], [], POLL)[0]:
                    yield from self._rows_of(pipe)
                self._end_hanging()
        finally:
            gc.unfreeze()
            self._end()

    def _start(self, runs: Sequence[Run], logged: bool) -> None:
        pipe, write = os.pipe()
        pid = fork(lambda: self._run_child(runs, logged, write))
        os.close(write)
        self._running[pipe] = Worker(pid, deque(runs), logged, wall())

    def _run_child(self, runs: Sequence[Run], logged: bool, write: int) -> None:
        """Perform the runs in the child, and send each row as a line."""
        os.setsid()  # the terminal's Ctrl-C is for the sweep
        os.close(self._held)  # else this child would keep the others' lifeline open
        threading.Thread(target=self._end_with_the_sweep, daemon=True).start()
        if self.place.memory is not None:
            _limit_memory(self.place.memory)
        with open(write, "wb") as pipe:
            for run in runs:
                sys.stdout = sys.stderr = output = self.place.output_of(run).open("w", buffering=1)
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                if self.place.limit is not None:
                    faulthandler.dump_traceback_later(self.place.limit + GRACE, file=output)
                began, before = wall(), set(sys.modules)
                row = perform(self._sweep, run, self.place.log(run) if logged else None)
                new = sorted(name for name in sys.modules.keys() - before if name.startswith(OURS))
                pipe.write(json.dumps((row, wall() - began, new)).encode() + b"\n")
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
            row, seconds, loaded = json.loads(line)
            worker.began = wall()
            self.busy += seconds
            for name in loaded:  # so that the children to come need not load it
                with suppress(ImportError):
                    import_module(name)
            yield from self._judged(worker.runs.popleft(), row, logged=worker.logged)
        if sent:
            return
        del self._running[pipe]
        os.close(pipe)
        _, status = os.waitpid(worker.pid, 0)
        if worker.runs:
            run, *rest = worker.runs
            if rest:
                self._left.appendleft((rest, worker.logged))
            yield from self._judged(run, self._lost(worker, status), logged=worker.logged)

    def _lost(self, worker: Worker, status: int) -> Row:
        """Return the row of the run in which a child ended."""
        run = worker.runs[0]
        if worker.pid not in self._hanging:
            return row_without(run, DIED, "died", how_it_ended(status)) | {AGAIN: True}
        self._hanging.remove(worker.pid)
        why = f"no end {GRACE:g} s after --wall-limit; its stacks: {output_file(run.number)}"
        return row_without(run, DIED, HUNG, why) | {AGAIN: True}

    def _judged(self, run: Run, row: Row, *, logged: bool) -> Iterator[Row]:
        """Yield a run's row, unless the run failed without a log: then repeat it with one."""
        well = row["exit_code"] in WELL
        if well:
            self.place.output_of(run).unlink(missing_ok=True)
        if well or row["exit_reason"] == HUNG or logged or not self.place.repeats:
            yield row
        else:
            self._left.appendleft(([run], True))

    def _end_hanging(self) -> None:
        """Kill the runs that do not end: some code in C does not return."""
        if self.place.limit is None:
            return
        latest = wall() - self.place.limit - GRACE - POLL
        for worker in self._running.values():
            if worker.began < latest and worker.pid not in self._hanging:
                self._hanging.add(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

    def _end(self) -> None:
        """Kill the running children and close the pipes."""
        for pipe, worker in self._running.items():
            os.kill(worker.pid, signal.SIGKILL)
            os.waitpid(worker.pid, 0)
            os.close(pipe)
        self._running.clear()
        os.close(self._held)
        os.close(self._lifeline)


def _limit_memory(limit: int) -> None:
    """Limit the memory of this process to what it has now and a limit [MB]."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + limit * 10**6
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
