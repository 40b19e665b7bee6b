"""Recording apps for small missions, and scripts that act as observers."""

from __future__ import annotations

import time
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from networks import app_plan

from steerageway.bus import App, Message
from steerageway.bus.core.message import nanoseconds
from steerageway.bus.core.plan import AppPlan, Outcome, Placement, RunPlan
from steerageway.bus.lockstep.session import Session
from steerageway.bus.processes.run import run

PROCESSES = (Placement.PROCESS, Placement.COMMUNITY)
PLACEMENTS = (*PROCESSES, Placement.ONE)  # those of one machine
everywhere = pytest.mark.parametrize(
    "placement",
    [Placement.ONE, *(pytest.param(p, marks=pytest.mark.process) for p in PROCESSES)],
)
in_processes = pytest.mark.parametrize(
    "placement", [pytest.param(p, marks=pytest.mark.process) for p in PROCESSES]
)


class Note(NamedTuple):
    """One call of an app: kind, simulated and wall time [s], mail."""

    call: str
    time: float
    wall: float
    mail: list[Message]

    @property
    def heard(self) -> list[tuple[str, float | str | bytes]]:
        """Names and values of the mail."""
        return [(message.name, message.value) for message in self.mail]


class CallRecorder(App):
    """Subscribes as configured and writes each of its calls to a file."""

    publishes: Sequence[str] = ()

    def configure(self) -> None:
        self.path = Path(self.config.text("notes"))
        self.hears = self.config.text("hears").split()
        self.interval = self.config.number("interval", default=0.0)

    def on_start(self) -> None:
        self.register(*self.hears, interval=self.interval)
        self.note("on_start")

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.note("on_mail", mail)

    def iterate(self) -> None:
        self.note("iterate")

    def on_stop(self) -> None:
        self.note("on_stop")

    def note(self, call: str, mail: Sequence[Message] = ()) -> None:
        """Add a line to the file."""
        line = repr((call, self.time, time.monotonic(), [tuple(message) for message in mail]))
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


class Recorder(CallRecorder):
    """A recorder of everything, like a logger."""

    may_lag = True
    observes_case_reset = True

    def configure(self) -> None:
        super().configure()
        self.hears = ["*"]

    def iterate(self) -> None:
        pass

    def on_case(self, number: int, seed: int) -> None:
        self.note(f"on_case {number}")


def cast(
    kind: type[App],
    name: str,
    notes: Path,
    *,
    tick: str = "10",
    start: float = 0.0,
    community: str = "alpha",
    mode: int = 0,
    most: float = 0.0,
    **config: str,
) -> AppPlan:
    """Plan an app that records in ``notes/name``."""
    lines = {"notes": str(notes / name), **config}
    return app_plan(kind, name, start, tick, lines, community, mode, most)


def mission(*apps: AppPlan, seconds: float = 2.0, warp: float = inf, **more: Any) -> RunPlan:
    """Return a plan of these apps."""
    communities = tuple(dict.fromkeys(app.community for app in apps))
    return RunPlan(communities, apps, warp, stop_at=nanoseconds(seconds), **more)


def play(plan: RunPlan, placement: Placement) -> Outcome:
    """Run a plan to its end."""
    return run(replace(plan, placement=placement), lambda progress: None)


def read_notes(path: Path, *calls: str) -> list[Note]:
    """Read a recorder's notes, of some calls or of all."""
    notes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        call, at, wall, mail = literal_eval(line)
        if not calls or call in calls:
            notes.append(Note(call, at, wall, [Message(*row) for row in mail]))
    return notes


def recorded(path: Path) -> list[Message]:
    """Return all mail of a recorder, in order."""
    return [message for note in read_notes(path) for message in note.mail]


def instants(path: Path, call: str = "iterate") -> list[int]:
    """Return the instants of an app's calls [ns]."""
    return [nanoseconds(note.time) for note in read_notes(path, call)]


Script = Callable[[Session], Iterator[None]]


def direct(monkeypatch: pytest.MonkeyPatch, script: Script) -> None:
    """Run a script as an observer: it continues each time the run reads its clock."""

    class Directed(Session):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self._script = script(self)

        def allowed(self) -> int | None:
            next(self._script, None)
            return super().allowed()

        def wait(self, instant: int) -> float:
            next(self._script, None)
            return super().wait(instant)

    monkeypatch.setattr("steerageway.bus.processes.one.Session", Directed)
    monkeypatch.setattr("steerageway.bus.processes.broker.Session", Directed)


def until(condition: Callable[[], bool]) -> Iterator[None]:
    """Let a script wait for a condition."""
    while not condition():
        yield


def reached(session: Session, time: float) -> Iterator[None]:
    """Let a script wait for a simulated time."""
    return until(lambda: session.status()["time"] >= time)


def passed(seconds: float) -> Iterator[None]:
    """Let a script wait for wall time to pass."""
    end = time.monotonic() + seconds
    return until(lambda: time.monotonic() >= end)


def eventually(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition becomes true within some wall seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return condition()
