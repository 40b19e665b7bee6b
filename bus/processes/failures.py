"""``Failures``: the broker's handling of apps that hang, raise, or whose process ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from steerageway.bus.core.activation_mark import read_activation
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Failure, RunPlan
from steerageway.bus.core.timeouts import no_answer, timeout
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.slot import Slot
from steerageway.bus.processes.app_groups import AppGroups
from steerageway.bus.processes.community_groups import CommunityGroups
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.groups import Work

Respawn = Callable[[int, int], None]


class Failures:
    """Removes failed apps from a run, and restarts them if restarts are left."""

    def __init__(
        self,
        plan: RunPlan,
        folder: Path,
        processes: GroupProcesses,
        groups: AppGroups | CommunityGroups,
        work: Work,
        respawn: Respawn,
        take_all: Callable[[], None],
        machines: Sequence[str] = (),
    ) -> None:
        """Begin without failures.

        Args:
            plan, folder: the run's.
            processes, groups: of the run's apps.
            work: the apps' figures.
            respawn: starts a process for the app of a rank, with a seed.
            take_all: handles everything that processes have sent so far.
            machines: number of a process of a cluster -> name of its machine.
        """
        self._plan = plan
        self._folder = folder
        self._processes = processes
        self._groups = groups
        self._work = work
        self._respawn = respawn
        self._take_all = take_all
        self._machines = machines

    def check_for_hangs(self) -> None:
        """Kill the processes that have not answered in time."""
        if next(self._groups.overdue(self._seconds), None) is not None:
            # It may be the broker that was slow: first read what has arrived.
            self._take_all()
        for slot, seconds in self._groups.overdue(self._seconds):
            self._give_up(slot, seconds)

    def died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        """Fail the apps of a process that ended, first the one that was active.

        Its earlier answers are read first: they count.
        """
        self._take_all()
        slots = self._state.slots
        active, _ = read_activation(self._folder, pid)
        # Killed because of that app, and now it has ended.
        if self._processes.is_former(active, pid):
            how = f"ended with {slots[active].plan.name}, in whose process it was"
        for rank in sorted(ranks, key=lambda rank: rank != active):
            if self._processes.is_former(rank, pid):
                continue
            self._processes.gone(rank)
            if slots[rank].open and rank not in self._work.figures:
                instant = self._groups.instant_of_failure(slots[rank])
                self.fail(slots[rank], instant, how + self._how_far(slots[rank], pid, instant))
        self._groups.lost(ranks)

    def lose(self, number: int, ranks: Sequence[int], how: str) -> None:
        """Fail a process on a machine of a cluster, whose communities fail with it.

        Args:
            number: of the process.
            ranks: its apps.
            how: it ended.
        """
        self._take_all()
        slots = [slot for slot in (self._state.slots[rank] for rank in ranks) if slot.open]
        instants = [self._groups.instant_of_failure(slot) for slot in slots]
        for rank in ranks:
            self._processes.gone(rank)
            self._state.slots[rank].close()
        self._groups.lost(tuple(ranks))
        if slots:
            communities = ", ".join(dict.fromkeys(slot.plan.community for slot in slots))
            name, why = f"worker {self._machines[number]}", f"{how}; it ran {communities}"
            self._state.failures.append(Failure(name, "", min(instants) / NANO, why))
            self._groups.coordinator.stop("app_failed", name)

    def fail(self, slot: Slot, instant: int, reason: str, details: str = "") -> None:
        """Record a failure; restart the app if restarts are left, else end the run."""
        state, plan = self._state, slot.plan
        time = (state.offset + instant) / NANO
        state.failures.append(Failure(plan.name, plan.community, time, reason, details))
        if self._groups.fail(slot, instant):
            self._bring_back(slot)

    @property
    def _state(self) -> CaseState:
        return self._groups.coordinator.state

    def _seconds(self, starting: bool) -> float:
        """Return the time limit of an answer [wall s]; 0: none."""
        return timeout(self._plan, starting=starting, interrupted=self._state.interrupted)

    def _give_up(self, slot: Slot, seconds: float) -> None:
        """Kill a process that does not answer; the failure names its active app."""
        pid = self._processes.pids[slot.rank]
        if self._machines:
            ranks = [rank for rank, its in self._processes.pids.items() if its == pid]
            self.lose(pid, ranks, no_answer(seconds, interrupted=self._state.interrupted))
            return
        stacks = self._processes.kill(pid, self._folder, at_once=self._state.interrupted)
        rank, _ = read_activation(self._folder, pid)
        if self._processes.pids.get(rank) == pid:
            slot = self._state.slots[rank]
        instant = self._groups.instant_of_failure(slot)
        self._processes.gone(slot.rank)
        how = no_answer(seconds, interrupted=self._state.interrupted)
        self.fail(slot, instant, how + self._how_far(slot, pid, instant), stacks)

    def _how_far(self, slot: Slot, pid: int, instant: int) -> str:
        """Return how far an app got beyond the instant of its failure, as text."""
        rank, reached = read_activation(self._folder, pid)
        further = rank == slot.rank and reached - slot.offset > instant
        return f", in its activation at {reached / NANO:g} s" if further else ""

    def _bring_back(self, slot: Slot) -> None:
        """Restart an app: in its process if it hosts others, else in a new one."""
        seed = self._state.seed
        if not self._processes.rebuild_in_place(slot.rank, seed):
            self._processes.gone(slot.rank)
            if not slot.plan.external:
                self._respawn(slot.rank, seed)
