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
from math import ceil
from pathlib import Path

from steerageway.bus import DIED, fork, how_it_ended, wall
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, has_no_code, perform, row_without
from steerageway.launcher.sweep.results import Place, output_file
from steerageway.launcher.sweep.runs import Run, Sweep

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

POLL = 0.2  # polling interval for interruption [wall s]
READ = 65_536  # bytes read at a time
SHARES = 2  # of the remaining runs, for each job, so that all jobs end at about the same time
FIRST = 4  # limit of runs in a portion until their duration is known
MOST_SECONDS = 40.0  # aim of a portion [wall s]: on a cluster its rows come last
LEAST_SECONDS = 10.0  # aim of the last portions: a child, or a program, takes time to start
ALONE = ("wrong", "died")  # exit reasons that a run in a process of its own may not have
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
        shared: whether they are performed one after another in the process.
        began: when the first of them was started [wall s].
        text: the begin of a row that has not arrived as a whole.
    """

    pid: int
    runs: deque[Run]
    logged: bool
    shared: bool
    began: float
    text: bytes = b""


def portion(left: int, jobs: int, performed: int, busy: float) -> int:
    """Return the number of runs to perform one after another, by the duration of those performed.

    Args:
        left: number of runs that are not begun.
        jobs: number of portions at a time.
        performed: number of runs that are over. busy: their duration [wall s].
    """
    share = ceil(left / (SHARES * jobs))
    if not performed or not busy:
        return min(FIRST, share)
    most, least = (ceil(seconds * performed / busy) for seconds in (MOST_SECONDS, LEAST_SECONDS))
    return min(left, most, max(least, share))


class Workers:
    """A pool of child processes.

    A child performs as many runs as take some ten seconds, if none has code of its own: Python of
    the mission's may keep something outside of its apps, which the next run would find. Such runs,
    and runs with limited memory, have a process each.

    Attributes:
        jobs: maximum number of children.
        busy: duration of all runs, without the start of their processes [wall s].
        place: of the runs' output and logs; it may be changed between runs.
    """

    def __init__(self, jobs: int, sweep: Sweep, place: Place) -> None:
        """Create the pool; no child is started yet.

        Args:
            jobs: maximum number of children.
            sweep: the sweep.
            place: of the runs' output and logs.
        """
        self.jobs = jobs
        self.busy = 0.0
        self._performed = 0
        self._sweep = sweep
        self.place = place
        self._lifeline, self._held = os.pipe()
        self._running: dict[int, Worker] = {}
        self._left: deque[tuple[Run, bool]] = deque()  # to be run again, alone, and if logged
        self._hanging: set[int] = set()  # process ids of those that were killed

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        A run that fails without a log is repeated with one: as runs are deterministic, it fails
        again.
        """
        shared = bool(runs) and self.place.memory is None and has_no_code(self._sweep, runs[0])
        begun = 0
        gc.freeze()  # the collector does not touch, and so copy, the pages that children share
        try:
            while not stopped():
                while len(self._running) < self.jobs:
                    if self._left:
                        run, logged = self._left.popleft()
                        self._start([run], logged=logged, shared=False)
                    elif left := len(runs) - begun:
                        size = portion(left, self.jobs, self._performed, self.busy)
                        part = runs[begun : begun + (size if shared else 1)]
                        self._start(part, logged=self.place.logs, shared=shared)
                        begun += len(part)
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

    def _start(self, runs: Sequence[Run], *, logged: bool, shared: bool) -> None:
        pipe, write = os.pipe()
        pid = fork(lambda: self._run_child(runs, logged, shared, write))
        os.close(write)
        self._running[pipe] = Worker(pid, deque(runs), logged, shared, wall())

    def _run_child(self, runs: Sequence[Run], logged: bool, shared: bool, write: int) -> None:
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
                log = self.place.log(run) if logged else None
                row = perform(self._sweep, run, log, no_code=shared)
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
            self._performed += 1
            for name in loaded:  # so that the children to come need not load it
                with suppress(ImportError):
                    import_module(name)
            yield from self._judged(worker, worker.runs.popleft(), row)
        if sent:
            return
        del self._running[pipe]
        os.close(pipe)
        _, status = os.waitpid(worker.pid, 0)
        if worker.runs:
            lost = self._lost(worker, status)
            run, *rest = worker.runs
            self._left.extendleft((one, worker.logged) for one in reversed(rest))
            yield from self._judged(worker, run, lost)

    def _lost(self, worker: Worker, status: int) -> Row:
        """Return the row of the run in which a child ended."""
        run = worker.runs[0]
        if worker.pid not in self._hanging:
            return row_without(run, DIED, "died", how_it_ended(status)) | {AGAIN: True}
        self._hanging.remove(worker.pid)
        why = f"no end {GRACE:g} s after --wall-limit; its stacks: {output_file(run.number)}"
        return row_without(run, DIED, HUNG, why) | {AGAIN: True}

    def _judged(self, worker: Worker, run: Run, row: Row) -> Iterator[Row]:
        """Yield a run's row, unless it is to be repeated: alone, and with a log."""
        well, logged = row["exit_code"] in WELL, worker.logged
        output = self.place.output_of(run)
        if well or not (output.exists() and output.stat().st_size):
            output.unlink(missing_ok=True)
        if worker.shared and row["exit_reason"] in ALONE:
            self._left.appendleft((run, logged or self.place.repeats))
        elif well or row["exit_reason"] == HUNG or logged or not self.place.repeats:
            yield row
        else:
            self._left.appendleft((run, True))

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
