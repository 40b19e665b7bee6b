"""``Kernel``: runs the apps of a process group one after another, in the order of their stamps.

Apps due at one stamp run by rank; each sees only what was committed before the stamp, so the order
in which they run decides nothing but the order of their posts. In placement ``one`` the group is
the whole run. Where each community has a process, it is a community, run up to a bound before which
nothing of another can reach it (``community_group``). Posts go into a sink.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, heapreplace

from steerageway.bus.core.clock import stopwatch
from steerageway.bus.core.plan import Input, Poke
from steerageway.bus.core.runner import Kind, Runner, failure_of, trouble
from steerageway.bus.core.stamps import LAST, NEVER, instant_of, stamp
from steerageway.bus.database.database import Database
from steerageway.bus.lockstep.case_kernel import CaseKernel
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.commitment import Databases
from steerageway.bus.lockstep.outside_posts import OutsidePosts
from steerageway.bus.lockstep.slot import Slot, Tick

_START = Kind.START  # a name, since looking a member up in its enum is slow
MOST_ON_HEAP = 4  # entries for each slot, all but one of them outdated


# Many methods: half are its interface; the others are one loop.
class Kernel(CaseKernel):
    """Runs the apps of this process, as the event loop of a discrete-event simulation.

    Attributes:
        runners: slot rank -> the app's runner.
        spent: slot rank -> wall seconds spent in the app.
        by_mail: the slots of apps that mail may make due.
    """

    def __init__(
        self, state: CaseState, runners: Sequence[Runner], sink: Databases | None = None
    ) -> None:
        self.state = state
        self._sink = sink or Databases(state)
        self.outside = OutsidePosts(state, self._sink.commit)
        self.runners = list(runners)
        self._wrap = state.plan.wrap or (lambda runner: runner)
        self.spent = [0.0] * len(runners)
        self._heap: list[tuple[int, int]] = []
        self._build_heap()
        self.by_mail = [slot for slot in state.slots if slot.open and slot.plan.mode != 0]
        beside: dict[Database, list[Slot]] = {}
        nobody: list[Slot] = []
        for slot in self.by_mail:
            beside.setdefault(slot.database, []).append(slot)
        # Those of a slot's own community: its app's posts make no others due, but its copies may.
        self._beside = [beside.get(slot.database, nobody) for slot in state.slots]
        # Those that may have got mail since ``earliest``. What others commit is not seen here.
        self._always = self.by_mail if sink is not None else []
        self._stirred = self.by_mail

    def follow(self, old: Kernel) -> None:
        """Continue from the end of an earlier case."""
        self.state.follow(old.state)
        self.spent = old.spent
        self._build_heap()

    def upcoming(self) -> int | None:
        """Return the instant that would run next; None when nothing is left to run."""
        place = self.earliest()
        return None if place >= NEVER or place > self.state.end else instant_of(place)

    def run_instant(self, instant: int, seconds: float = 0.0) -> None:
        """Run everything that is due at an instant, then evaluate the end conditions.

        Args:
            instant: the upcoming one.
            seconds: wall time for which the next instants are run likewise.
        """
        state, place, began = self.state, self.earliest(), stopwatch()
        while True:
            last = stamp(instant, LAST)
            while place <= last and place <= state.end:
                self.run_stamp(place)
                place = self.earliest()
            state.judge(place)
            if place >= NEVER or place > state.end or stopwatch() - began >= seconds:
                return
            instant = instant_of(place)

    def run_stamp(self, place: int) -> None:
        """Run everything that is due at a stamp."""
        # Mail committed here makes an app due HOP later at the soonest, so the heap need not be
        # updated before the next stamp (``earliest``).
        outside, instant = self.outside, instant_of(place)
        self.state.reached = place
        # Inputs first: the summaries of a stamp cover everything committed before it.
        if outside.next_input <= place:
            outside.enter_before(place + 1)
            self._stirred = self.by_mail
        if outside.next_summary <= place:
            outside.summarise(place)
            self._stirred = self.by_mail
        slots, heap = self.state.slots, self._heap
        due, rank = heap[0]
        while due == place:
            slot = slots[rank]
            if slot.due == place:
                # It stays on the heap while it runs: its next stamp is known only afterwards.
                self._run(slot, place, instant)
                heapreplace(heap, (slot.due, rank))
            else:
                heappop(heap)  # mail has changed when it is due
            due, rank = heap[0]

    def earliest(self) -> int:
        """Return the stamp of the next activation or post from outside; NEVER if none is left."""
        if self._stirred:
            self._settle_by_mail()
        outside, heap, slots = self.outside, self._heap, self.state.slots
        due, rank = heap[0]
        while due < NEVER and slots[rank].due != due:
            heappop(heap)
            due, rank = heap[0]
        if due <= outside.next_input and due <= outside.next_summary:
            return due
        # Without activations to come, a post from outside matters only if its mail can cause one.
        if due >= NEVER and not any(slot.by_mail for slot in self.by_mail):
            return due
        return min(outside.next_input, outside.next_summary)

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, at the next instant that has not run; None when there is none."""
        self._stirred = self.by_mail
        return super().poke(poke)

    def stop_all(self) -> None:
        """Run every app's last activation, recorders last: they receive what others post in it."""
        self.outside.close()
        instant = self.state.end_instant
        for recording in (False, True):
            self.stop_apps(instant, recording=recording)

    def stop_apps(self, instant: int, *, recording: bool) -> None:
        """Run the last activation of the recorders, or of the other apps."""
        for slot in self.state.slots:
            if slot.open and slot.started and slot.plan.app.observes_case_reset == recording:
                self._stop(slot, slot.grant_stop(instant))

    def _stop(self, slot: Slot, tick: Tick) -> None:
        self._pass_warnings(slot)
        try:
            posts, registrations, copies = self.runners[slot.rank].run(*tick)
        except trouble() as error:
            instant = tick.instant - slot.offset
            self._note_failure(slot, instant, error)
            self.leave(slot, instant)
            self.restart(slot, instant)
            return
        run = slot.answered_run()
        for registration in registrations:
            self._sink.register(slot, registration, run.stamp)
        self._sink.take_posts(slot, run.stamp, run.instant, posts)
        self._sink.take_copies(slot, run.stamp, run.instant, copies)

    def _build_heap(self) -> None:
        # The sentinel keeps the heap from being empty. Its rank lies behind all slots', so that of
        # slots that are never due it comes last.
        slots = self.state.slots
        waiting = [(slot.due, slot.rank) for slot in slots if slot.open]
        self._heap = [(NEVER, len(slots)), *waiting]
        heapify(self._heap)

    def _settle_by_mail(self) -> None:
        """Update the due times of the mail-driven apps that may have got mail."""
        for slot in self._stirred:
            if slot.mailbox.entries:
                before = slot.due
                slot.settle()
                if slot.due != before:  # what the heap holds of it is passed over from now on
                    heappush(self._heap, (slot.due, slot.rank))
        # Passed over, yet kept until its stamp comes: never, for an app that only mail makes due.
        if len(self._heap) > MOST_ON_HEAP * len(self.state.slots):
            self._build_heap()
        self._stirred = self._always

    def _run(self, slot: Slot, place: int, instant: int) -> None:
        if slot.warnings:
            self._pass_warnings(slot)
        kind, time, mail = slot.activate(instant)
        began = stopwatch()
        try:
            posts, registrations, copies = self.runners[slot.rank].run(kind, time, mail)
        except trouble() as error:
            self._failed(slot, place, error)
            return
        self.spent[slot.rank] += stopwatch() - began
        for registration in registrations:
            self._sink.register(slot, registration, place)
        if kind is _START and not registrations and self.runners[slot.rank].app.idles:
            slot.idle()
        if posts:
            self._sink.take_posts(slot, place, instant, posts)
        if copies:
            self._sink.take_copies(slot, place, instant, copies)
            self._stirred = self.by_mail
        elif self._stirred is not self.by_mail:
            for other in self._beside[slot.rank]:
                if other.mailbox.entries:
                    self._stirred = [*self._stirred, other]
        if self.by_mail and slot.by_mail:
            slot.settle()

    def _pass_warnings(self, slot: Slot) -> None:
        for warning in slot.warnings:
            self.runners[slot.rank].app.run_warning(warning)
        slot.warnings.clear()

    def _failed(self, slot: Slot, place: int, error: BaseException) -> None:
        """Remove an app that raised from the run; restart it if that was requested."""
        self._stirred = self.by_mail
        self._note_failure(slot, instant_of(place), error)
        self.leave(slot, instant_of(place))
        if self.restart(slot, instant_of(place)):
            try:
                self.runners[slot.rank] = self._wrap(Runner(slot.plan.rebuild(self.state.seed)))
            except trouble() as again:
                self._failed(slot, place, again)

    def _note_failure(self, slot: Slot, instant: int, error: BaseException) -> None:
        plan, state = slot.plan, self.state
        failure = failure_of(plan.name, plan.community, state.offset + instant, error)
        state.failures.append(failure)
