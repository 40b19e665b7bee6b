"""Recomputed state of an app at any time of a log: its appcast, and a helm's objective functions.

A worker process runs the real app again on the log's mail up to the time (``apps.shared.rerun``).
It goes on from where it is if the next time is later, and starts again otherwise.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from steerageway.bus import NANO, nanoseconds, wall
from steerageway.web.viewer.log_set import LogSet, run_of

REPORT = 0.2  # interval of progress reports [wall s]
STEP = NANO  # simulated time between looks for a new request [ns]
MOST_WORKERS = 2  # of one source; the one that was used least recently ends


class State(NamedTuple):
    """An app's state at a time.

    Attributes:
        time: that was requested [s].
        appcast: its appcast, one line in MOOS-IvP's form.
        iterated: time of the app's last activation [s].
        packets: a helm's functions of its last iteration: text and behavior.
        decision: a helm's: variable -> value.
        halt: why a helm halted; "" if it did not.
    """

    time: float
    appcast: str
    iterated: float
    packets: list[tuple[str, str]]
    decision: dict[str, float]
    halt: str


class Working(NamedTuple):
    """The state is being computed: the fraction that is done."""

    share: float


class Recomputer:
    """An app of a log in a worker process.

    Args:
        logs: of the run.
        community, app: the app.

    Attributes:
        read_to: the time up to which the log was written then [s].
    """

    def __init__(self, logs: LogSet, community: str, app: str) -> None:
        index = logs.indexes[community]
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_work,
            args=(index.data, app, run_of(index.path), logs.epoch, theirs),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self.read_to = logs.end_of(community)
        self._requested: float | None = None
        self._last: State | Working = Working(0.0)
        self._failed = ""

    def at(self, time: float) -> State | Working:
        """Return the app's state at a time, or how far it is computed; never waits.

        Raises:
            ValueError: it cannot be computed; the text says why.
        """
        if time != self._requested:
            self._requested, self._last = time, Working(0.0)
            self._send(time)
        try:
            while self._ours.poll():
                found = self._ours.recv()
                if isinstance(found, str):
                    self._failed = found
                elif not isinstance(found, State) or found.time == time:
                    self._last = found
        except (EOFError, OSError):
            self._failed = self._failed or "its process has ended"
        if self._failed:
            raise ValueError(self._failed)
        return self._last

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()
        self._ours.close()

    def _send(self, time: float) -> None:
        try:
            self._ours.send(time)
        except OSError:
            return  # it has ended: ``at`` finds its last words


def packets_by_name(packets: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return packets by the name of their function, behavior^iteration."""
    found: dict[str, list[str]] = {}
    for text, _ in packets:
        found.setdefault(text.split(",", 2)[1], []).append(text)
    return found


class Recomputers:
    """The recomputers of one source, by community and app."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Recomputer] = {}

    def at(self, logs: LogSet, community: str, app: str, time: float) -> State | Working:
        """Return an app's state at a time; see ``Recomputer.at``."""
        key = community, app
        time = min(time, logs.end_of(community))
        found = self._of.pop(key, None)
        if found is not None and time > found.read_to:  # the log has grown
            found.close()
            found = None
        found = self._of[key] = found or Recomputer(logs, community, app)
        while len(self._of) > MOST_WORKERS:
            self._of.pop(next(iter(self._of))).close()
        return found.at(time)

    def close(self) -> None:
        """End all processes."""
        for one in self._of.values():
            one.close()
        self._of.clear()


def _work(log: Path, app: str, run: Mapping[str, Any], epoch: float, parent: Connection) -> None:
    """Answer requests for states until the parent has gone (child process)."""
    from steerageway.apps.shared.replay import rerun_of

    try:
        time = parent.recv()
        while True:
            with TemporaryDirectory() as folder:
                rerun = rerun_of(log, app, run, Path(folder))
                time = _forward(rerun, time, epoch, parent)
    except EOFError:
        return
    except Exception as error:  # of a file or of the app: the page shows it
        parent.send(f"{app} cannot be run on this log: {error or type(error).__name__}")


def _forward(rerun: Any, time: float, epoch: float, parent: Connection) -> float:
    """Answer requests as long as each is later than the one before; return the first earlier."""
    reported = wall()
    while True:
        instant = nanoseconds(time + epoch - rerun.record.epoch)
        if instant < rerun.reached:
            return time
        while rerun.reached < instant and not parent.poll():
            before = rerun.reached
            rerun.advance(min(instant, before + STEP))
            if rerun.reached == before:
                rerun.advance(instant)
                break
            if wall() - reported > REPORT:
                reported = wall()
                parent.send(Working(rerun.reached / max(1, instant)))
        if not parent.poll():
            parent.send(_state(rerun, time, epoch))
        time = parent.recv()


def _state(rerun: Any, time: float, epoch: float) -> State:
    app = rerun.app
    iterated = rerun.reached / NANO + rerun.record.epoch - epoch
    if not hasattr(app, "objectives"):
        return State(time, app.appcast(), iterated, [], {}, "")
    decided = app.decided
    return State(
        time, app.appcast(), iterated, app.objectives(), dict(decided.decision), decided.halt
    )
