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
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import DIED, fork, how_it_ended, wall
from steerageway.launcher.sweep.execution import AGAIN, WELL, Row, perform, row_without
from steerageway.launcher.sweep.results import Place, output_file
from steerageway.launcher.sweep.runs import Run, Sweep

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

POLL = 0.2  # polling interval for interruption [wall s]
GRACE = 5.0  # after --wall-limit, until a run is taken to hang [wall s]
HUNG = "hung"  # exit reason of a run that was killed then
OURS = "steerageway."


class Worker(NamedTuple):
    """A child process that performs a run.

    Attributes:
        pid: its process id.
        run: its run.
        logged: whether the run is logged.
        began: when it was started [wall s].
    """

    pid: int
    run: Run
    logged: bool
    began: float


class Workers:
    """A pool of child processes, each for one run.

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
        self._sweep = sweep
        self.place = place
        self._lifeline, self._held = os.pipe()
        self._running: dict[int, Worker] = {}
        self._hanging: set[int] = set()  # process ids of those that were killed

    def rows(self, runs: Sequence[Run], stopped: Callable[[], bool]) -> Iterator[Row]:
        """Perform runs; yield their rows as they arrive, until all are done or ``stopped`` is true.

        A run that fails without a log is repeated with one: as runs are deterministic, it fails
        again.
        """
        fresh, again = iter(runs), deque[Run]()
        gc.freeze()  # the collector does not touch, and so copy, the pages that children share
        try:
            while not stopped():
                while len(self._running) < self.jobs:
                    logged = self.place.logs or bool(again)
                    run = again.popleft() if again else next(fresh, None)
                    if run is None:
                        break
                    self._start(run, logged)
                if not self._running:
                    break
                for pipe in select.select(list(self._running), [], [], POLL)[0]:
                    worker = self._running.pop(pipe)
                    row = self._finish(worker, pipe)
                    well = row["exit_code"] in WELL or row["exit_reason"] == HUNG
                    if well or worker.logged or not self.place.repeats:
                        yield row
                    else:
                        again.append(worker.run)
                self._end_hanging()
        finally:
            gc.unfreeze()
            self._end()

    def _start(self, run: Run, logged: bool) -> None:
        pipe, write = os.pipe()
        pid = fork(lambda: self._run_child(run, logged, write))
        os.close(write)
        self._running[pipe] = Worker(pid, run, logged, wall())

    def _run_child(self, run: Run, logged: bool, write: int) -> None:
        """Perform the run in the child, and send its row."""
        os.setsid()  # the terminal's Ctrl-C is for the sweep
        os.close(self._held)  # else this child would keep the others' lifeline open
        threading.Thread(target=self._end_with_the_sweep, daemon=True).start()
        sys.stdout = sys.stderr = output = self.place.output_of(run).open("w", buffering=1)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        if self.place.limit is not None:
            faulthandler.dump_traceback_later(self.place.limit + GRACE, file=output)
        if self.place.memory is not None:
            _limit_memory(self.place.memory)
        began, before = wall(), set(sys.modules)
        row = perform(self._sweep, run, self.place.log(run) if logged else None)
        loaded = sorted(name for name in sys.modules.keys() - before if name.startswith(OURS))
        with open(write, "wb") as pipe:
            pipe.write(json.dumps((row, wall() - began, loaded)).encode())

    def _end_with_the_sweep(self) -> None:
        os.read(self._lifeline, 1)
        os._exit(DIED)

    def _finish(self, worker: Worker, pipe: int) -> Row:
        """Return a run's row; if the child died, a row with the reason."""
        with open(pipe, "rb") as stream:
            sent = stream.read()
        _, status = os.waitpid(worker.pid, 0)
        if status and worker.pid in self._hanging:
            self._hanging.remove(worker.pid)
            stacks = output_file(worker.run.number)
            why = f"no end {GRACE:g} s after --wall-limit; its stacks: {stacks}"
            row = row_without(worker.run, DIED, HUNG, why) | {AGAIN: True}
        elif status:
            row = row_without(worker.run, DIED, "died", how_it_ended(status)) | {AGAIN: True}
        else:
            row, seconds, loaded = json.loads(sent)
            self.busy += seconds
            for name in loaded:  # so that the children to come need not load it
                with suppress(ImportError):
                    import_module(name)
        if row["exit_code"] in WELL:
            self.place.output_of(worker.run).unlink(missing_ok=True)
        return row

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
