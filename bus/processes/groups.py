"""The process groups of a lockstep run, as the broker deals with them.

A group is what answers as one: an app, whose database the broker keeps (``app_groups``), or a
community with a kernel and a database of its own (``community_groups``). The broker is the same for
both: it starts, waits, watches and ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from steerageway.bus.core.cases import Case
from steerageway.bus.core.message import Value
from steerageway.bus.core.runner import Account
from steerageway.bus.lockstep.session import CaseKernel, Session
from steerageway.bus.lockstep.slot import Slot

Frame = tuple[Any, ...]


class Coordinator(CaseKernel, Protocol):
    """What decides how far each group may run."""

    @property
    def idle_until(self) -> int | None:
        """Return the earliest instant anyone is due at; None when nothing is left to run."""

    def in_flight(self) -> list[Slot]:
        """Return the slots that have not answered yet."""

    def next_case(self) -> Case | None:
        """Return the case that follows the one that has ended, if there is one."""

    def shown(self) -> dict[str, dict[str, Value]]:
        """Return the latest values of the plan's ``shown`` variables, by community."""


class Work:
    """What apps in other processes have done so far.

    Attributes:
        spent: slot rank -> wall seconds spent in the app.
        accounts: slot rank -> its account of itself, once it has stopped or failed.
    """

    def __init__(self, apps: int) -> None:
        self.spent = [0.0] * apps
        self.accounts: dict[int, Account] = {}


class Failed(NamedTuple):
    """An app that failed in its process: whose slot, when [ns], why, and what is known of it."""

    slot: Slot
    instant: int
    reason: str
    details: str = ""


class Waiting(Protocol):
    """What the broker does while a group has to wait for processes."""

    def gather(self) -> bool:
        """Wait until every app's process is there; False when the run ends before."""

    def wait_while(self, condition: Callable[[], bool]) -> None:
        """Take frames, and look after processes, while a condition holds."""


class Groups(Protocol):
    """All groups of a run."""

    @property
    def coordinator(self) -> Coordinator:
        """The coordinator of the present case."""

    def advance(self, session: Session, waiting: Waiting) -> bool:
        """Send what may run now; give whether anything is under way."""

    def awaited(self) -> int | None:
        """Return the rank whose answer holds the others up most; None when there are many."""

    def take(self, frame: Frame) -> list[Failed]:
        """Take a frame of a group; give the apps that it says have failed."""

    def overdue(self, timeout: Callable[[bool], float]) -> Iterator[tuple[Slot, float]]:
        """Return the apps that have not answered in time, with the wall seconds they had.

        Args:
            timeout: gives those of an app that is starting, or not; 0: for ever.
        """

    def lost(self, ranks: tuple[int, ...]) -> None:
        """Take note that the process of these apps is gone."""

    def fail(self, slot: Slot, instant: int) -> bool:
        """Take a failed app out of the run, or let it come back; give whether it does."""

    def instant_of_failure(self, slot: Slot) -> int:
        """Return the instant of the first activation that a process did not answer [ns]."""

    def begin_case(self, case: Case, waiting: Waiting) -> None:
        """Have the apps made anew with the case's seed; those that outlive cases go on."""

    def ask_progress(self) -> None:
        """Ask for what ``Coordinator.shown`` gives, where the broker does not have it."""

    def stop_all(self, waiting: Waiting) -> None:
        """Give every app its last grant, the recording ones last."""

    def collect(self) -> None:
        """Bring the state of the run, and the work done, up to date for the summary."""
