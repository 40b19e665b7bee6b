"""What a broker does about apps that hang, whose process ends, or that raise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from steerageway.bus.core.activation_mark import read_activation
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Failure, RunPlan
from steerageway.bus.core.timeouts import no_answer, timeout
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import Slot
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.groups import Groups, Work

Respawn = Callable[[int, int], None]


class Failures:
    """Takes failed apps out of a run, and brings them back where restarts are left."""

    def __init__(
        self,
        plan: RunPlan,
        folder: Path,
        processes: GroupProcesses,
        groups: Groups,
        work: Work,
        respawn: Respawn,
        take_all: Callable[[], None],
    ) -> None:
        """Begin.

        Args:
            plan, folder: the run's.
            processes, groups: those of its apps.
            work: what the apps have done.
            respawn: has a process made for the app of a rank, with a seed.
            take_all: takes everything that processes have said so far.
        """
        self._plan = plan
        self._folder = folder
        self._processes = processes
        self._groups = groups
        self._work = work
        self._respawn = respawn
        self._take_all = take_all

    def look_for_hangs(self) -> None:
        """End the processes that have not answered in time, once all they said has been read."""
        if next(self._groups.overdue(self._seconds), None) is not None:
            self._take_all()
        for slot, seconds in self._groups.overdue(self._seconds):
            self._give_up(slot, seconds)

    def died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        """Take apps whose process ended out of the run, first the one that was active.

        What it had answered before is read first: that has happened.
        """
        self._take_all()
        slots = self._state.slots
        active, _ = read_activation(self._folder, pid)
        if self._processes.is_former(active, pid):  # it was given up, and its process ended
            how = f"ended with {slots[active].plan.name}, in whose process it was"
        for rank in sorted(ranks, key=lambda rank: rank != active):
            if self._processes.is_former(rank, pid):
                continue
            self._processes.gone(rank)
            if slots[rank].open and rank not in self._work.accounts:
                instant = self._groups.instant_of_failure(slots[rank])
                self.fail(slots[rank], instant, how + self._how_far(slots[rank], pid, instant))
        self._groups.lost(ranks)

    def fail(self, slot: Slot, instant: int, reason: str, details: str = "") -> None:
        """Note a failure; let the app come back if restarts are left, else end the run."""
        state, plan = self._state, slot.plan
        time = (state.offset + instant) / NANO
        state.failures.append(Failure(plan.name, plan.community, time, reason, details))
        if self._groups.fail(slot, instant):
            self._bring_back(slot)

    @property
    def _state(self) -> CaseState:
        return self._groups.coordinator.state

    @property
    def _interrupted(self) -> bool:
        ended = self._state.ended
        return ended is not None and ended.reason == "interrupted"

    def _seconds(self, starting: bool) -> float:
        """Return the wall seconds that an app gets to answer; 0: for ever."""
        return timeout(self._plan, starting=starting, interrupted=self._interrupted)

    def _give_up(self, slot: Slot, seconds: float) -> None:
        """End a process that does not answer; name the app of it that was active."""
        pid = self._processes.pids[slot.rank]
        stacks = self._processes.kill(pid, self._folder, at_once=self._interrupted)
        rank, _ = read_activation(self._folder, pid)
        if self._processes.pids.get(rank) == pid:
            slot = self._state.slots[rank]
        instant = self._groups.instant_of_failure(slot)
        self._processes.gone(slot.rank)
        how = no_answer(seconds, interrupted=self._interrupted)
        self.fail(slot, instant, how + self._how_far(slot, pid, instant), stacks)

    def _how_far(self, slot: Slot, pid: int, instant: int) -> str:
        """Tell how far an app got beyond the instant at which it counts as failed, if it did."""
        rank, reached = read_activation(self._folder, pid)
        further = rank == slot.rank and reached - slot.offset > instant
        return f", in its activation at {reached / NANO:g} s" if further else ""

    def _bring_back(self, slot: Slot) -> None:
        """Have an app made anew: in its process if others live there, else in one of its own."""
        seed = self._state.seed
        if not self._processes.renew(slot.rank, seed):
            self._processes.gone(slot.rank)
            if not slot.plan.external:
                self._respawn(slot.rank, seed)
