"""``CommunityGroups``: communities in other processes, with databases and kernels of their own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from steerageway.bus.core.activation_mark import read_activation
from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import wall
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import AppFigures
from steerageway.bus.core.stamps import instant_of
from steerageway.bus.lockstep.community_coordinator import CommunityCoordinator, Remote, TapResult
from steerageway.bus.lockstep.session import Session
from steerageway.bus.lockstep.slot import Slot
from steerageway.bus.lockstep.windows import (
    pack_entries,
    pack_stamp,
    pack_window,
    read_bounds,
    read_entries,
)
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.groups import Failed, Frame, Waiting, Work

_OF_COMMUNITIES = ("parted", "shown", "watched", "accounts")


# Many methods: over half are those of ``AppGroups``, too; the others read the answers to windows.
class CommunityGroups:
    """Sends windows to communities in other processes, and takes their bounds.

    Attributes:
        coordinator: grants the communities windows.
    """

    def __init__(self, plan: RunPlan, folder: Path, processes: GroupProcesses, work: Work) -> None:
        self._plan = plan
        self._folder = folder
        self._processes = processes
        self._work = work
        self.coordinator = CommunityCoordinator(plan)
        self._summaries: dict[str, dict[str, Any]] = {}
        self._watched: dict[str, bool] = {}  # community -> whether its present values have come
        self._stopped: set[str] = set()
        self._steps: dict[int, tuple[tuple[int, int], float]] = {}

    def advance(self, allowed: int | None, session: Session, waiting: Waiting) -> bool:
        """Send what may run now, one frame to each process; return whether any answer is due."""
        found = self.coordinator.windows(allowed)
        rows = [
            (remote.ranks[0], (remote.name, pack_window(window)))
            for remote, window in found
            if self._processes.has(remote.ranks[0])
        ]
        self._processes.send_rows("windows", rows)
        return bool(found) or bool(self.coordinator.awaited)

    def awaited(self) -> int | None:
        """Return None: any community's answer may let others continue."""
        return None

    def take(self, frame: Frame) -> list[Failed]:
        """Handle a frame of a group; its failures are among the bounds."""
        kind, *rest = frame
        if kind == "ran":
            for community, bounds in rest[0]:
                self._take("ran", community, bounds)
            # A process runs its communities one after another: an answer is a sign of life of all.
            self._processes.restart_time_limits()
        elif kind in _OF_COMMUNITIES:
            self._take(kind, *rest)
        return []

    def overdue(self, timeout: Callable[[bool], float]) -> Iterator[tuple[Slot, float]]:
        """Yield the groups' apps that have not answered in time, with their limits [wall s]."""
        self._note_steps()
        for remote in self._open_remotes():
            rank = remote.ranks[0]
            since = self._processes.granted.get(rank)
            if since is not None:
                seconds = timeout(self._is_starting(rank))
                # A window may hold many activations: each gets the time limit, not the window.
                since = max(since, self._steps[self._processes.pids[rank]][1])
                if seconds and wall() - since > seconds:
                    yield self.coordinator.state.slots[rank], seconds
                    remote.close()

    def lost(self, ranks: tuple[int, ...]) -> None:
        """Close the communities of a process that is gone."""
        for remote in self.coordinator.remotes.values():
            if remote.ranks[0] in ranks:
                remote.close()

    def fail(self, slot: Slot, instant: int) -> bool:
        """Remove a failed app and end the run: there are no restarts here."""
        slot.close()
        self.coordinator.stop("app_failed", slot.plan.name)
        return False

    def instant_of_failure(self, slot: Slot) -> int:
        """Return the first instant that a community's process has not answered [ns]."""
        unanswered = self.coordinator.remotes[slot.plan.community].next
        return max(0, instant_of(min(unanswered, self.coordinator.state.reached)))

    def begin_case(self, case: Case, waiting: Waiting) -> None:
        """Refuse: a run in windows has one case, see ``in_windows``."""
        raise AssertionError("a run in windows has no cases")

    def watch(self, community: str) -> None:
        """Request a community's present values and all later commits, once."""
        remote = self.coordinator.remotes.get(community)
        if remote is None or community in self._watched:
            return
        if self._processes.has(remote.ranks[0]):
            self._watched[community] = False
            self._processes.send(remote.ranks[0], "watch", community)

    def has_values(self, community: str) -> bool:
        """Whether a community's present values have come; requests them."""
        self.watch(community)
        return self._watched.get(community, True)

    def ask_progress(self) -> None:
        """Request the shown variables, and the apps' figures."""
        for remote in self._open_remotes():
            if self._processes.has(remote.ranks[0]):
                self._processes.send(remote.ranks[0], "show", remote.name)

    def stop_all(self, waiting: Waiting) -> None:
        """Run every app's last activation, recorders last; request all exit reports."""
        coordinator = self.coordinator
        coordinator.close()
        end = (pack_stamp(coordinator.state.end), coordinator.state.end_instant)
        for last in (False, True):
            self._stopped.clear()
            for remote in self._open_remotes():
                transfers, remote.transfers = pack_entries(remote.transfers), []
                self._ask(remote, "part", *end, transfers, last)
            self._await_all(self._stopped, waiting)
        for remote in self._open_remotes():
            self._ask(remote, "accounts")
        self._await_all(self._summaries, waiting)

    def collect(self) -> None:
        """Take the communities' figures into the state of the run, for the summary."""
        state = self.coordinator.state
        for community, figures in self._summaries.items():
            database = state.databases[community]
            for count in ("posted", "delivered", "thinned", "refused"):
                setattr(database, count, figures[count])
            for name, value in figures["values"].items():
                message = Message(name, value, 0.0, "", "", community)
                database.variable(name).last = (0, 0, 0, message)
            for name, result in figures["taps"].items():
                state.taps[name] = TapResult(result)
            state.complaints += figures["complaints"]
            self._note_work(figures["work"])
            self._work.figures |= {rank: AppFigures(*row) for rank, row in figures["apps"]}

    def _take(self, kind: str, community: str, *rest: Any) -> None:
        """Handle a community's answer."""
        remote = self.coordinator.remotes[community]
        if not remote.open or not self._processes.is_from_host_of(remote.ranks[0]):
            return
        if kind == "shown":
            self.coordinator.values[community] = rest[0]
            self._note_work(rest[1])
            return
        if kind == "watched":
            self.coordinator.mirror(community, read_entries(rest[0]))
            self._watched[community] = True
            return
        self._processes.granted.pop(remote.ranks[0], None)
        if kind == "accounts":
            self._summaries[community] = rest[0]
            return
        if kind == "parted":
            self._stopped.add(community)
        bounds = read_bounds(rest[0])
        self.coordinator.take(remote, bounds)
        for failure in bounds.failures:
            self.coordinator.stop("app_failed", failure.name)

    def _ask(self, remote: Remote, kind: str, *parts: Any) -> None:
        rank = remote.ranks[0]
        if self._processes.has(rank):
            self._processes.granted[rank] = wall()
            self._processes.send(rank, kind, remote.name, *parts)

    def _await_all(self, answered: Collection[str], waiting: Waiting) -> None:
        """Wait until every community has answered, died or been given up."""
        waiting.wait_while(lambda: any(r.name not in answered for r in self._open_remotes()))

    def _note_work(self, rows: list[tuple[int, int, float]]) -> None:
        for rank, answered, spent in rows:
            self.coordinator.state.slots[rank].answered = answered
            self._work.spent[rank] = spent

    def _note_steps(self) -> None:
        """Record since when each process is at its present activation: one window may hold many."""
        for pid in dict.fromkeys(self._processes.pids.values()):
            activation = read_activation(self._folder, pid)
            if pid not in self._steps or self._steps[pid][0] != activation:
                self._steps[pid] = (activation, wall())

    def _is_starting(self, rank: int) -> bool:
        """Whether the activation under way in an app's process is a start."""
        active, instant = self._steps[self._processes.pids[rank]][0]
        if active < 0:  # nothing has run, or it runs on another machine
            its = self.coordinator.remotes[self._plan.apps[rank].community]
            last = max(self._plan.apps[rank].start for rank in its.ranks)
            return instant_of(its.next) <= last
        return instant <= self._plan.apps[active].start

    def _open_remotes(self) -> list[Remote]:
        return [remote for remote in self.coordinator.remotes.values() if remote.open]
