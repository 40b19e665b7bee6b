"""``AppGroups``: apps in other processes, whose databases the broker keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path

from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import wall
from steerageway.bus.core.plan import Placement, RunPlan
from steerageway.bus.core.runner import Answer, AppFigures, Kind
from steerageway.bus.core.stamps import instant_of
from steerageway.bus.lockstep.app_coordinator import AppCoordinator, Grant
from steerageway.bus.lockstep.session import Session
from steerageway.bus.lockstep.slot import NEXT_OF, Slot
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.groups import Failed, Frame, Waiting, Work

DISK_RATE = 20e6  # bytes a wall second that an app is expected to write at least
FEW_PENDING = 3  # pending apps up to which it pays to wait for one in particular
Described = tuple[int, str, str]  # a failure: instant [ns], reason, details


# Many methods: three quarters are those of ``CommunityGroups``, too.
class AppGroups:
    """Grants activations to apps in other processes, and takes their answers.

    Attributes:
        coordinator: that of the present case.
    """

    def __init__(self, plan: RunPlan, folder: Path, processes: GroupProcesses, work: Work) -> None:
        self._plan = plan
        self._processes = processes
        self._work = work
        self.coordinator = AppCoordinator(plan)
        self._rebuilding: set[int] = set()  # ranks of the apps that are being rebuilt
        self._rebuilt_by = inf

    def advance(self, allowed: int | None, session: Session, waiting: Waiting) -> bool:
        """Send what may run now; return whether any app has still to answer."""
        recorded = session.recorded()
        grants = self.coordinator.grants(allowed, eager=session.eager, recorded=recorded)
        if not grants:
            return bool(self.coordinator.in_flight())
        has = self._processes.has
        if not all(has(slot.rank) for slot, _ in grants):  # some are being restarted
            if not waiting.gather():
                for slot in self.coordinator.state.slots:
                    if slot.open and not has(slot.rank):
                        self.coordinator.leave(slot, self.instant_of_failure(slot))
            grants = [g for g in grants if g.slot.pending and has(g.slot.rank)]
        self._processes.send_grants(grants)
        return True

    def awaited(self) -> int | None:
        """Return the rank whose answer delays the others most; None when there are many."""
        pending = [s for s in self.coordinator.state.slots if s.pending and not s.may_lag]
        if not 0 < len(pending) <= FEW_PENDING or not all(
            self._processes.has(s.rank) for s in pending
        ):
            return None
        return min(pending, key=NEXT_OF).rank

    def take(self, frame: Frame) -> list[Failed]:
        """Handle a frame of a host; return the apps that failed."""
        if frame[0] == "answers":
            failed = [found for row in frame[1] for found in self._take_answer(*row)]
            if self._plan.placement == Placement.COMMUNITY:
                # A process runs its apps one after another: an answer is a sign of life of all.
                self._processes.restart_time_limits()
            return failed
        if frame[0] == "rebuilt":
            return [found for row in frame[1] for found in self._take_rebuilt(*row)]
        return []

    def overdue(self, timeout: Callable[[bool], float]) -> Iterator[tuple[Slot, float]]:
        """Yield the apps that have not answered in time, with their time limits [wall s].

        Args:
            timeout: returns the time limit of an app that is starting (True) or not; 0: none.
        """
        slots, limit = self.coordinator.state.slots, self._plan.start_timeout
        if self._rebuilding and wall() > self._rebuilt_by:
            yield slots[min(self._rebuilding)], limit
        for slot in self.coordinator.in_flight():
            if slot.pending and slot.rank in self._processes.granted:
                seconds = timeout(slot.pending[0].kind == Kind.START)
                if seconds and self.coordinator.state.interrupted:
                    seconds += _size(slot) / DISK_RATE  # a log of large values takes its time
                if self._processes.overdue(slot, seconds):
                    yield slot, seconds

    def lost(self, ranks: tuple[int, ...]) -> None:
        """Do nothing: no state depends on the process."""

    def fail(self, slot: Slot, instant: int) -> bool:
        """Remove a failed app, or schedule its restart; return whether it is restarted."""
        self.coordinator.leave(slot, instant)
        if slot.rank in self._rebuilding:
            self._rebuilding.discard(slot.rank)
            self.coordinator.stop("app_failed", slot.plan.name)
            return False
        comes_back = self.coordinator.restart(slot, instant)
        if comes_back:
            self._work.figures.pop(slot.rank, None)
        return comes_back

    def instant_of_failure(self, slot: Slot) -> int:
        """Return the instant of the first unanswered activation, among those reached [ns].

        The app may have got further, but that has no effect on anyone.
        """
        return max(0, instant_of(min(slot.next, self.coordinator.state.reached)))

    def begin_case(self, case: Case, waiting: Waiting) -> None:
        """Have the apps rebuilt with the case's seed; those that outlive cases continue."""
        waiting.gather()
        old = self.coordinator
        coordinator = AppCoordinator(self._plan.of_case(case, old.state.age), case)
        staying = [s for s in old.state.slots if s.open and s.plan.app.observes_case_reset]
        self._rebuilding = {slot.rank for slot in old.state.slots if slot.open}
        self._rebuilt_by = wall() + (self._plan.start_timeout or inf)
        ticks = {slot.rank: slot.take_rest(old.state.age) for slot in staying}
        self._processes.send_rebuild(ticks, case.number, coordinator.state.seed)
        waiting.wait_while(lambda: bool(self._rebuilding) and not old.state.ends_run)
        self.coordinator = coordinator
        coordinator.follow(old)

    def ask_progress(self) -> None:
        """Do nothing: the databases, and the values that ``shown`` returns, are here."""

    def stop_all(self, waiting: Waiting) -> None:
        """Run every app's last activation, recorders last."""
        coordinator = self.coordinator
        coordinator.close()
        # Recorders come last, and after a flush: they receive the others' last posts.
        for recording in (False, True):
            slots = [
                slot
                for slot in coordinator.state.slots
                if slot.open and slot.started and slot.plan.app.observes_case_reset == recording
            ]
            for slot in slots:
                tick = slot.grant_stop(coordinator.state.end_instant)
                if self._processes.has(slot.rank):
                    self._processes.send_grants([Grant(slot, [tick])])
            waiting.wait_while(lambda slots=slots: self._any_pending(slots))  # type: ignore[misc]
            coordinator.flush()

    def collect(self) -> None:
        """Do nothing: the state is here."""

    def _any_pending(self, slots: list[Slot]) -> bool:
        return any(slot.pending and self._processes.has(slot.rank) for slot in slots)

    def _take_answer(
        self,
        rank: int,
        spent: float,
        answers: tuple[Answer, ...],
        failed: Described | None,
        figures: AppFigures | None,
    ) -> list[Failed]:
        if not self._processes.is_from_host_of(rank):
            return []
        slot = self.coordinator.state.slots[rank]
        self._work.spent[rank] += spent
        self._processes.granted.pop(rank, None)
        if figures is not None:
            self._work.figures[rank] = figures
        if not slot.open:
            return []
        self.coordinator.accept(slot, answers)
        return _failures(slot, failed)

    def _take_rebuilt(self, rank: int, failed: Described | None) -> list[Failed]:
        slot = self.coordinator.state.slots[rank]
        found = _failures(slot, failed) if slot.open else []
        if not found:
            self._rebuilding.discard(rank)
        return found


def _size(slot: Slot) -> int:
    """Return the bytes of the texts and bytes in an app's unanswered grant."""
    values = (entry[3].value for run in slot.pending for entry in run.entries)
    return sum(len(value) for value in values if not isinstance(value, float))


def _failures(slot: Slot, failed: Described | None) -> list[Failed]:
    """Return the failure that a process reported, if it did."""
    if failed is None:
        return []
    instant, reason, details = failed
    return [Failed(slot, instant - slot.offset, reason, details)]
