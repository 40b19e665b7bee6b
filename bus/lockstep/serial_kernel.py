"""Placement ``one``: every app runs in this process, one after another, in the run's order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heapify, heapreplace

from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import stopwatch
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import TROUBLE, Runner, failure_of
from steerageway.bus.core.stamps import NEVER, instant_of
from steerageway.bus.database.database import Database
from steerageway.bus.database.mailbox import Entry
from steerageway.bus.database.variable import Variable
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.slot import Slot, Tick


class SerialKernel(Kernel):
    """A kernel that runs the apps itself.

    Apps due at one stamp run by rank; each sees only what was committed before the stamp, so the
    order in which they run decides nothing but the order of their posts.

    Attributes:
        runners: slot rank -> the app's runner.
        wrap: wraps the runner of an app that is made anew.
        spent: slot rank -> wall seconds spent in the app.
    """

    history = False  # whoever registers does so at the stamp that runs

    def __init__(
        self,
        plan: RunPlan,
        runners: Sequence[Runner],
        case: Case | None = None,
        kept: Collection[str] | None = None,
    ) -> None:
        super().__init__(plan, case, kept)
        self.runners = list(runners)
        self.wrap = plan.wrap or (lambda runner: runner)
        self.spent = [0.0] * len(runners)
        self._heap: list[tuple[int, int]] = []
        self._line_up()
        self._by_mail = [slot for slot in self.slots if slot.plan.mode != 0]

    def follow(self, old: Kernel) -> None:
        """Begin where an earlier case ended."""
        super().follow(old)
        if isinstance(old, SerialKernel):
            self.spent = old.spent
        self._line_up()

    def upcoming(self) -> int | None:
        """Give the instant that would run next; None when nothing is left to run."""
        place = self.earliest()
        return None if place >= NEVER or place > self.end else instant_of(place)

    def run_instant(self, instant: int) -> None:
        """Run everything that is due at an instant, and look whether the run ends with it."""
        place = self.earliest()
        while place <= self.end and instant_of(place) == instant:
            self.run_stamp(place)
            place = self.earliest()
        self.judge(place)

    def run_stamp(self, place: int) -> None:
        """Run everything that is due at a stamp."""
        self.reached, instant = place, instant_of(place)
        if self.next_input <= place:
            self.enter_inputs(place + 1)
        if self.next_summary <= place:
            self.summarise(place)
        due, rank = self._heap[0]
        while due == place:
            slot = self.slots[rank]
            self._run(slot, place, instant)
            heapreplace(self._heap, (slot.due, rank))
            due, rank = self._heap[0]

    def stop_all(self) -> None:
        """Give every app its last grant, the recording ones last."""
        self.close_books()
        instant = self.end_instant
        recorders = [s for s in self.slots if s.plan.app.observes_case_reset]
        for slot in [s for s in self.slots if s not in recorders] + recorders:
            if slot.open and slot.started:
                self.dismiss(slot, slot.grant_stop(instant))

    def dismiss(self, slot: Slot, tick: Tick) -> None:
        """Give an app its last grant."""
        self._pass_warnings(slot)
        try:
            answer = self.runners[slot.rank].run(tick.kind, tick.instant, tick.mail)
        except TROUBLE as error:
            instant = tick.instant - slot.offset
            self._note_failure(slot, instant, error)
            self.leave(slot)
            self.restart(slot, instant)
            return
        self.answer(slot, answer)

    def _line_up(self) -> None:
        waiting = [(slot.due, slot.rank) for slot in self.slots if slot.open]
        self._heap = [(NEVER, len(self.slots)), *waiting]
        heapify(self._heap)

    def earliest(self) -> int:
        """Give the stamp of what comes next: a run, or a post from outside; NEVER: nothing can."""
        if self._by_mail:
            self._settle_by_mail()
        due = self._heap[0][0]
        if due <= self.next_input and due <= self.next_summary:
            return due
        if due >= NEVER and not any(slot.by_mail for slot in self._by_mail):
            return due
        return min(self.next_input, self.next_summary)

    def _settle_by_mail(self) -> None:
        """Bring the apps that mail makes due up to date."""
        for slot in self._by_mail:
            if slot.mailbox.entries:
                before = slot.due
                slot.settle()
                if slot.due != before:
                    self._line_up()

    def hold_or_commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry: they come in order; from now on the variable's own app need not ask."""
        variable.sole = entry[1]
        self.commit(database, variable, entry)

    def _run(self, slot: Slot, place: int, instant: int) -> None:
        if slot.warnings:
            self._pass_warnings(slot)
        kind, time, mail = slot.activate(instant)
        began = stopwatch()
        try:
            posts, registrations, copies = self.runners[slot.rank].run(kind, time, mail)
        except TROUBLE as error:
            self._failed(slot, place, error)
            return
        self.spent[slot.rank] += stopwatch() - began
        for registration in registrations:
            self.register(slot, registration, place)
        if posts:
            self.take_posts(slot, place, instant, posts)
        if copies:
            self.take_copies(slot, place, instant, copies)
        if self._by_mail and slot.by_mail:
            slot.settle()

    def _pass_warnings(self, slot: Slot) -> None:
        for warning in slot.warnings:
            self.runners[slot.rank].app.run_warning(warning)
        slot.warnings.clear()

    def _failed(self, slot: Slot, place: int, error: BaseException) -> None:
        """Take an app that raised out of the run; start it again if that was asked for."""
        self._note_failure(slot, instant_of(place), error)
        self.leave(slot)
        if self.restart(slot, instant_of(place)):
            try:
                self.runners[slot.rank] = self.wrap(Runner(slot.plan.rebuild(self.seed)))
            except TROUBLE as again:
                self._failed(slot, place, again)

    def _note_failure(self, slot: Slot, instant: int, error: BaseException) -> None:
        plan = slot.plan
        self.failures.append(failure_of(plan.name, plan.community, self.offset + instant, error))
