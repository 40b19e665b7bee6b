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
from steerageway.bus.lockstep.keeper import Keeper
from steerageway.bus.lockstep.seat import Seat, Tick


class Serial(Keeper):
    """A time keeper that runs the apps itself.

    Apps due at one stamp run by rank; each sees only what was committed before the stamp, so the
    order in which they run decides nothing but the order of their posts.

    Attributes:
        runners: seat rank -> the app's runner.
        wrap: wraps the runner of an app that is made anew.
        spent: seat rank -> wall seconds spent in the app.
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
        self._by_mail = [seat for seat in self.seats if seat.plan.mode != 0]

    def follow(self, old: Keeper) -> None:
        """Begin where an earlier case ended."""
        super().follow(old)
        if isinstance(old, Serial):
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
            seat = self.seats[rank]
            self._run(seat, place, instant)
            heapreplace(self._heap, (seat.due, rank))
            due, rank = self._heap[0]

    def take_leave(self) -> None:
        """Give every app its last grant, the recording ones last."""
        self.close_books()
        instant = self.end_instant
        recorders = [s for s in self.seats if s.plan.app.observes_case_reset]
        for seat in [s for s in self.seats if s not in recorders] + recorders:
            if seat.open and seat.started:
                self.dismiss(seat, seat.grant_stop(instant))

    def dismiss(self, seat: Seat, tick: Tick) -> None:
        """Give an app its last grant."""
        self._pass_warnings(seat)
        try:
            answer = self.runners[seat.rank].run(tick.kind, tick.instant, tick.mail)
        except TROUBLE as error:
            instant = tick.instant - seat.offset
            self._note_failure(seat, instant, error)
            self.leave(seat)
            self.restart(seat, instant)
            return
        self.answer(seat, answer)

    def _line_up(self) -> None:
        waiting = [(seat.due, seat.rank) for seat in self.seats if seat.open]
        self._heap = [(NEVER, len(self.seats)), *waiting]
        heapify(self._heap)

    def earliest(self) -> int:
        """Give the stamp of what comes next: a run, or a post from outside; NEVER: nothing can."""
        if self._by_mail:
            self._settle_by_mail()
        due = self._heap[0][0]
        if due <= self.next_input and due <= self.next_summary:
            return due
        if due >= NEVER and not any(seat.by_mail for seat in self._by_mail):
            return due
        return min(self.next_input, self.next_summary)

    def _settle_by_mail(self) -> None:
        """Bring the apps that mail makes due up to date."""
        for seat in self._by_mail:
            if seat.mailbox.entries:
                before = seat.due
                seat.settle()
                if seat.due != before:
                    self._line_up()

    def hold_or_commit(self, database: Database, variable: Variable, entry: Entry) -> None:
        """Commit an entry: they come in order; from now on the variable's own app need not ask."""
        variable.sole = entry[1]
        self.commit(database, variable, entry)

    def _run(self, seat: Seat, place: int, instant: int) -> None:
        if seat.warnings:
            self._pass_warnings(seat)
        kind, told, mail = seat.turn(instant)
        began = stopwatch()
        try:
            posts, registrations, copies = self.runners[seat.rank].run(kind, told, mail)
        except TROUBLE as error:
            self._failed(seat, place, error)
            return
        self.spent[seat.rank] += stopwatch() - began
        for registration in registrations:
            self.register(seat, registration, place)
        if posts:
            self.take_posts(seat, place, instant, posts)
        if copies:
            self.take_copies(seat, place, instant, copies)
        if self._by_mail and seat.by_mail:
            seat.settle()

    def _pass_warnings(self, seat: Seat) -> None:
        for warning in seat.warnings:
            self.runners[seat.rank].app.run_warning(warning)
        seat.warnings.clear()

    def _failed(self, seat: Seat, place: int, error: BaseException) -> None:
        """Take an app that raised out of the run; start it again if that was asked for."""
        self._note_failure(seat, instant_of(place), error)
        self.leave(seat)
        if self.restart(seat, instant_of(place)):
            try:
                self.runners[seat.rank] = self.wrap(Runner(seat.plan.rebuild(self.seed)))
            except TROUBLE as again:
                self._failed(seat, place, again)

    def _note_failure(self, seat: Seat, instant: int, error: BaseException) -> None:
        plan = seat.plan
        self.failures.append(failure_of(plan.name, plan.community, self.offset + instant, error))
