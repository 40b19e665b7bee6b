"""``Broker``: the broker's process in lockstep: time, process groups, observers."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import RateMeter, wall
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Outcome, RunPlan
from steerageway.bus.core.runner import figures_of
from steerageway.bus.core.runtime import relaunch_with
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.community_coordinator import NO_CASES, in_windows
from steerageway.bus.lockstep.outcome import app_outcome, exit_reason, sum_up
from steerageway.bus.lockstep.session import Session
from steerageway.bus.lockstep.slot import Slot
from steerageway.bus.observers.service import Observers
from steerageway.bus.processes.app_groups import AppGroups
from steerageway.bus.processes.community_groups import CommunityGroups
from steerageway.bus.processes.failures import Failures
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.processes.groups import Work
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.listener import Listener
from steerageway.bus.transport.remote import RemoteListener
from steerageway.bus.transport.wire import PROTOCOL

LOOK = 0.02  # wall seconds between checks of the launcher and the server
UNWATCHED_LOOK = 0.1  # the same while there are no observers
PROGRESS_INTERVAL = 0.5
PATIENCE = 5.0  # wall seconds an app may take before it is reported; busy machines need some


class Broker:
    """One run: its process groups, its observers, and the channel to the launcher's process.

    All that a run waits for comes together here, hence its many methods.
    """

    def __init__(
        self,
        plan: RunPlan,
        folder: Path,
        link: Channel,
        listener: Listener | RemoteListener,
        machines: Sequence[str] = (),
    ) -> None:
        """Begin.

        Args:
            plan, folder: the run's.
            link: to the launcher.
            listener: to which the groups' processes connect.
            machines: name of the machine of each process that is not of this one.
        """
        self._plan = plan
        self._folder = folder
        self._link = link
        self._processes = GroupProcesses(listener)
        self._work = Work(len(plan.apps))
        self._names = [(app.community, app.name) for app in plan.apps]
        self._ranks = {name: rank for rank, name in enumerate(self._names)}
        parts = plan, folder, self._processes, self._work
        communities = CommunityGroups(*parts) if in_windows(plan) else None
        self._groups = communities or AppGroups(*parts)
        respawn = lambda rank, seed: link.send("respawn", rank, seed)  # noqa: E731
        self._failures = Failures(
            *parts[:3], self._groups, self._work, respawn, self._take_all, machines
        )
        self._session = Session(plan, self._groups.coordinator, self._begin_case)
        self._session.apps_at = listener.address
        self._observers = Observers(plan, self._session)
        if (descriptor := self._observers.descriptor) is not None:
            listener.watch(descriptor)
        self._communities = communities
        if communities is not None:
            self._session.refuse("reset", NO_CASES)
            self._observers.welcome_when(communities.has_values)
        self._meter = RateMeter()
        self._total = RateMeter()
        self._looked = wall()

    def serve(self) -> None:
        """Run the plan and send the outcome to the launcher."""
        if self.gather():
            self._link.send("ready")
            self._total = RateMeter()
            self._session.pacer.rebase(0)
            self._keep_time()
            while (case := self._groups.coordinator.next_case()) is not None:
                self._begin_case(case)
                self._keep_time()
            elapsed = self._total.elapsed
            self._groups.stop_all(self)
        else:
            elapsed = 0.0
        self._processes.stop_hosts()
        self._session.close()
        self._observers.close(exit_reason(self._state))
        outcome = self._outcome()
        outcome.wall_seconds = elapsed
        self._link.send("outcome", asdict(outcome))
        if self._link.closed:
            shutil.rmtree(self._folder, ignore_errors=True)

    def gather(self) -> bool:
        """Wait until every app's process has connected; return False if the run ends before."""
        # Workers of a cluster plan the mission first; the launcher watches them.
        limit = inf if self._plan.cluster is not None else self._plan.start_timeout or inf
        begun = wall()
        while any(slot.open and not self._processes.has(slot.rank) for slot in self._state.slots):
            self._take(self._processes.receive(LOOK))
            self._check_launcher()
            self._observers.poll()
            self._check_wall_limit()
            if self._meter.due(PROGRESS_INTERVAL):
                self._report_missing(patient=wall() < begun + PATIENCE)
            if self._state.ends_run:
                return False
            if wall() > begun + limit:
                self._take_all()
                if self._fail_late():
                    return False
        return True

    def wait_while(self, condition: Callable[[], bool]) -> None:
        """Handle frames, and watch processes, while a condition holds."""
        while condition():
            self._take(self._processes.receive(LOOK))
            self._observers.put_off()
            self._check_launcher()
            self._failures.check_for_hangs()

    @property
    def _state(self) -> CaseState:
        return self._groups.coordinator.state

    def _keep_time(self) -> None:
        """Grant activations and take answers until nothing is left to run."""
        session, groups = self._session, self._groups
        while True:
            allowed = session.allowed()
            if not groups.advance(allowed, session, self):
                upcoming = groups.coordinator.idle_until
                if upcoming is None:
                    return
                # Everything up to a hold has run: do what waited for that (a reset, the next step).
                if session.wait(upcoming) == inf and session.settled():
                    continue
                self._observers.serve()
            self._take(self._processes.receive(self._wait_timeout(allowed), groups.awaited()))
            # All that has arrived counts for the next grants, which cost more than a frame.
            while self._processes.arrived:
                self._take(self._processes.receive(0.0))
            if wall() - self._looked >= (LOOK if session.watched else UNWATCHED_LOOK):
                self._check_others()
            self._observers.glance()

    def _wait_timeout(self, allowed: int | None) -> float:
        """Return how long to wait for an answer [wall s] before the next instant may be due.

        Args:
            allowed: the last instant of which everything has been granted that may run so far.
        """
        if self._session.pacer.warp == inf:
            return LOOK
        upcoming = self._groups.coordinator.idle_until
        wait = LOOK if upcoming is None else min(LOOK, self._session.wait(upcoming))
        # What is due already waits for an answer.
        blocked = upcoming is not None and allowed is not None and upcoming <= allowed
        return LOOK if blocked else wait

    def _begin_case(self, case: Case) -> None:
        self._groups.begin_case(case, self)
        self._session.change_kernel(self._groups.coordinator)

    def _take_all(self) -> None:
        """Handle everything that processes have sent, as there may have been no time to read it."""
        self._processes.read_all()
        while (frame := self._processes.receive(0.0)) is not None:
            self._take(frame)

    def _take(self, frame: tuple[Any, ...] | None) -> None:
        if frame is None:
            return
        kind, *rest = frame
        if kind == "claim":
            self._fill_external(*rest)
        elif kind == "left":
            # The ends of all others are reported by the supervisor, whose children they are.
            by_hand = [rank for rank in rest[0] if self._plan.apps[rank].external]
            for rank in by_hand:
                self._failures.died((rank,), "its process left", self._processes.pids[rank])
            if self._plan.cluster is not None and rest[0]:
                number = self._processes.pids[rest[0][0]]
                self._failures.lose(number, rest[0], "its connection has ended")
        elif kind == "appcast":
            rank, text, seconds = rest
            process = self._processes.pids.get(rank)
            self._session.appcasts.answer(self._names[rank], text, process, seconds)
        else:
            for failed in self._groups.take(frame):
                self._failures.fail(*failed)

    def _fill_external(self, protocol: int, community: str, name: str, pid: int) -> None:
        """Give an app that was started by hand its slot, if one is reserved for it."""
        slots = [
            s for s in self._state.slots if (s.plan.community, s.plan.name) == (community, name)
        ]
        why_not = self._why_not(protocol, community, name, slots)
        if why_not:
            self._processes.reply("refused", why_not)
            return
        self._processes.note_host(slots[0].rank, pid)
        self._processes.reply("seated", slots[0].rank)

    def _why_not(self, protocol: int, community: str, name: str, slots: list[Slot]) -> str:
        """Return why an app that was started by hand cannot take its slot; "" if it can."""
        if protocol != PROTOCOL:
            return f"it speaks protocol {protocol}, the run {PROTOCOL}"
        again = relaunch_with("--external", name)
        if not slots:
            return f"no line Run = {name} in {community}; with it, it can take part in: {again}"
        if not slots[0].plan.external:
            return (
                f"the run has started {name} itself; it can take part in a run launched by: {again}"
            )
        return f"{name} is taken by another process" if self._processes.has(slots[0].rank) else ""

    def _fail_late(self) -> bool:
        """Fail the apps that have not connected, except those to be started by hand."""
        late = [
            slot
            for slot in self._state.slots
            if slot.open and not self._processes.has(slot.rank) and not slot.plan.external
        ]
        for slot in late:
            self._failures.fail(slot, 0, f"did not come within {self._plan.start_timeout:g} s")
        return bool(late)

    def _check_others(self) -> None:
        """Check everything that is not an app's answer."""
        self._looked = wall()
        if self._communities is not None:
            for community in self._observers.communities:
                self._communities.watch(community)
        self._check_launcher()
        self._failures.check_for_hangs()
        self._observers.poll()
        self._request_appcasts()
        self._check_wall_limit()
        if self._meter.due(PROGRESS_INTERVAL):
            self._report_progress()

    def _check_wall_limit(self) -> None:
        if self._plan.wall_limit and self._total.elapsed >= self._plan.wall_limit:
            self._groups.coordinator.stop("wall_limit")

    def _check_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self._groups.coordinator.stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                self._failures.died(*parts[1:])
            elif parts[0] == "lost":
                self._failures.lose(*parts[1:])
        if self._link.closed:
            self._groups.coordinator.stop("interrupted", "launcher gone")

    def _request_appcasts(self) -> None:
        """Request the appcasts that observers want."""
        processes = self._processes

        def process_of(name: tuple[str, str]) -> int | None:
            rank = self._ranks.get(name, -1)
            return processes.pids.get(rank) if processes.has(rank) else None

        for name in self._session.appcasts.take(process_of):
            processes.send(self._ranks[name], "appcast", self._ranks[name])

    def _report_missing(self, *, patient: bool) -> None:
        """Report the apps without a process; while ``patient`` only those to be started by hand."""
        state = self._state
        absent = [s.plan for s in state.slots if not self._processes.has(s.rank)]
        missing = [plan.name for plan in absent if plan.external or not patient]
        self._meter.measure(state.age)
        self._link.send("progress", state.age / NANO, 0.0, missing, False, {})

    def _report_progress(self) -> None:
        coordinator = self._groups.coordinator
        instant = coordinator.state.age
        late = self._processes.awaited_for
        waiting = [s.plan.name for s in coordinator.in_flight() if late(s.rank, PATIENCE)]
        rate = self._meter.measure(instant)
        paused = bool(self._session.status()["paused"])
        self._observers.send_speed(rate, self._loads())
        self._link.send("progress", instant / NANO, rate, waiting, paused, coordinator.shown())
        self._groups.ask_progress()

    def _loads(self) -> dict[tuple[str, str], float]:
        """Return the mean wall time of every app's activation [us]."""
        return {
            (slot.plan.community, slot.plan.name): spent / max(1, slot.answered) * 1e6
            for slot, spent in zip(self._state.slots, self._work.spent, strict=True)
        }

    def _outcome(self) -> Outcome:
        self._groups.collect()
        apps = []
        for slot in self._state.slots:
            figures = self._work.figures.get(slot.rank) or figures_of(slot.plan.app)
            apps.append(app_outcome(slot, self._work.spent[slot.rank], figures))
        return sum_up(self._state, apps)
