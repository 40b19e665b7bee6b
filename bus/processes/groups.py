"""Interfaces of a lockstep run's process groups to the broker.

A group is what answers as one: an app, whose database the broker keeps (``app_groups``), or a
community with a kernel and a database of its own (``community_groups``). The broker treats both
alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from steerageway.bus.core.cases import Case
from steerageway.bus.core.runner import AppFigures
from steerageway.bus.lockstep.session import CaseKernel, Session
from steerageway.bus.lockstep.slot import Slot
from steerageway.declarations.posted import Value

Frame = tuple[Any, ...]


class Coordinator(CaseKernel, Protocol):
    """Decides how far each group may run."""

    @property
    def idle_until(self) -> int | None:
        """Earliest instant at which an app is due; None when nothing is left to run."""

    def in_flight(self) -> list[Slot]:
        """Return the slots that have not answered yet."""

    def next_case(self) -> Case | None:
        """Return the case that follows the one that has ended, if there is one."""

    def shown(self) -> dict[str, dict[str, Value]]:
        """Return the latest values of the plan's ``shown`` variables, by community."""


class Work:
    """Figures of apps in other processes.

    Attributes:
        spent: slot rank -> wall seconds spent in the app.
        figures: slot rank -> the app's figures, once it has stopped or failed.
    """

    def __init__(self, apps: int) -> None:
        self.spent = [0.0] * apps
        self.figures: dict[int, AppFigures] = {}


class Failed(NamedTuple):
    """An app that failed in its process: slot, instant [ns], reason, details."""

    slot: Slot
    instant: int
    reason: str
    details: str = ""


class Waiting(Protocol):
    """What a group uses of the broker to wait for processes."""

    def gather(self) -> bool:
        """Wait until every app's process has connected; return False if the run ends before."""

    def wait_while(self, condition: Callable[[], bool]) -> None:
        """Handle frames, and watch processes, while a condition holds."""


class Groups(Protocol):
    """All groups of a run."""

    @property
    def coordinator(self) -> Coordinator:
        """The coordinator of the present case."""

    def advance(self, allowed: int | None, session: Session, waiting: Waiting) -> bool:
        """Send what may run now; return whether any answer is due."""

    def awaited(self) -> int | None:
        """Return the rank whose answer delays the others most; None when there are many."""

    def take(self, frame: Frame) -> list[Failed]:
        """Handle a frame of a group; return the apps that failed."""

    def overdue(self, timeout: Callable[[bool], float]) -> Iterator[tuple[Slot, float]]:
        """Yield the apps that have not answered in time, with their time limits [wall s].

        Args:
            timeout: returns the time limit of an app that is starting (True) or not; 0: none.
        """

    def lost(self, ranks: tuple[int, ...]) -> None:
        """Handle the end of the process of these apps."""

    def fail(self, slot: Slot, instant: int) -> bool:
        """Remove a failed app, or schedule its restart; return whether it is restarted."""

    def instant_of_failure(self, slot: Slot) -> int:
        """Return the instant of the first activation that a process did not answer [ns]."""

    def begin_case(self, case: Case, waiting: Waiting) -> None:
        """Have the apps rebuilt with the case's seed; those that outlive cases continue."""

    def ask_progress(self) -> None:
        """Request what ``Coordinator.shown`` returns, where the broker does not have it."""

    def stop_all(self, waiting: Waiting) -> None:
        """Run every app's last activation, recorders last."""

    def collect(self) -> None:
        """Update the state of the run and the apps' figures, for the summary."""
