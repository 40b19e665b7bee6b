"""The broker's process: grants time to the hosted apps, keeps the database, serves observers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

from steerageway.bus.core.activation_mark import read_activation
from steerageway.bus.core.cases import Case, plan_of_case
from steerageway.bus.core.clock import RateMeter, wall
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Failure, Outcome, Placement, RunPlan
from steerageway.bus.core.runner import Account, Answer, Kind, account_of
from steerageway.bus.core.stamps import instant_of
from steerageway.bus.core.timeouts import timeout
from steerageway.bus.lockstep.outcome import app_outcome, exit_reason, sum_up
from steerageway.bus.lockstep.parallel_kernel import Grant, ParallelKernel
from steerageway.bus.lockstep.session import Session
from steerageway.bus.lockstep.slot import NEXT_OF, Slot
from steerageway.bus.observers.service import Observers
from steerageway.bus.processes.group_processes import GroupProcesses
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.wire import PROTOCOL

LOOK = 0.02  # wall seconds between looks at the launcher and the server
PROGRESS_INTERVAL = 0.5
FEW = 3  # apps in flight up to which it pays to wait for one of them


class Broker:
    """One run: its kernel, its crew, and the pipe to the launcher's process."""

    def __init__(self, plan: RunPlan, folder: Path, link: Channel) -> None:
        self._plan = plan
        self._folder = folder
        self._link = link
        self._groups = GroupProcesses(endpoint_in(folder))
        self._kernel = self.make_kernel(plan)
        self._session = Session(plan, self._kernel, self._begin_case)
        self._session.apps_at = endpoint_in(folder)
        self._observers = Observers(plan, self._session)
        self._meter = RateMeter()
        self._total = RateMeter()
        self._looked = wall()
        self._spent = [0.0] * len(plan.apps)
        self._accounts: dict[int, Account] = {}
        self._appcasts: dict[int, Callable[[str], None]] = {}
        self._asked = 0
        self._rebuilding: set[int] = set()

    def make_kernel(self, plan: RunPlan) -> ParallelKernel:
        """Make the kernel."""
        return ParallelKernel(plan)

    def serve(self) -> None:
        """Run the plan and report the outcome."""
        if self._gather():
            self._link.send("ready")
            self._total = RateMeter()
            self._session.pacer.rebase(0)
            self._keep_time()
            while (case := self._kernel.next_case()) is not None:
                self._begin_case(case)
                self._keep_time()
            elapsed = self._total.elapsed
            self._stop_all()
        else:
            elapsed = 0.0
        self._groups.dismiss()
        self._session.close()
        self._observers.close(exit_reason(self._kernel))
        outcome = self._outcome()
        outcome.wall_seconds = elapsed
        self._link.send("outcome", asdict(outcome))
        if self._link.closed:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _gather(self) -> bool:
        """Wait until every app's host has come."""
        deadline = wall() + (self._plan.start_timeout or inf)
        while not all(self._groups.has(slot.rank) for slot in self._kernel.slots if slot.open):
            self._take(self._groups.receive(LOOK))
            self._look_at_launcher()
            self._observers.look()
            self._look_at_wall_limit()
            if self._meter.due(PROGRESS_INTERVAL):
                self._tell_who_is_missing()
            if self._kernel.ends_run:
                return False
            if wall() > deadline and self._late_comers():
                return False
        return True

    def _late_comers(self) -> bool:
        """Fail the apps that have not come; one that is started by hand may take its time."""
        late = [
            slot
            for slot in self._kernel.slots
            if slot.open and not self._groups.has(slot.rank) and not slot.plan.external
        ]
        for slot in late:
            self._fail(slot, 0, f"did not come within {self._plan.start_timeout:g} s")
        return bool(late)

    def _keep_time(self) -> None:
        """Grant and take answers until nothing is left to run."""
        session = self._session
        while True:
            grants = self._kernel.grants(session.allowed(), eager=session.eager)
            if grants:
                self._send(grants)
            elif not self._kernel.in_flight():
                upcoming = self._kernel.idle_until
                if upcoming is None:
                    return
                if session.wait(upcoming) == inf:
                    session.settled()
            self._take(self._groups.receive(self._nap(), self._awaited()))
            if wall() - self._looked >= LOOK:
                self._look_around()

    def _send(self, grants: list[Grant]) -> None:
        """Send grants, waiting for apps that come back; those that do not are out of the run."""
        if not all(self._groups.has(slot.rank) for slot, _ in grants):
            if not self._gather():
                for slot in self._kernel.slots:
                    if slot.open and not self._groups.has(slot.rank):
                        self._kernel.leave(slot)
            grants = [g for g in grants if g.slot.pending and self._groups.has(g.slot.rank)]
        self._groups.send_grants(grants)

    def _awaited(self) -> int | None:
        """Give the rank whose answer holds the others up most; None when there are many."""
        flying = [s for s in self._kernel.slots if s.pending and not s.may_lag]
        if not 0 < len(flying) <= FEW or not all(self._groups.has(s.rank) for s in flying):
            return None
        return min(flying, key=NEXT_OF).rank

    def _nap(self) -> float:
        """Give the wall seconds to wait for an answer before time may go on without one."""
        if self._session.pacer.warp == inf:
            return LOOK
        upcoming = self._kernel.idle_until
        return LOOK if upcoming is None else min(LOOK, self._session.wait(upcoming))

    def _take(self, parts: tuple[Any, ...] | None) -> None:
        if parts is None:
            return
        if parts[0] == "answers":
            for row in parts[1]:
                self._take_answer(*row)
            if self._plan.placement == Placement.COMMUNITY:
                self._groups.note_life()
        elif parts[0] == "claim":
            self._fill_external(*parts[1:])
        elif parts[0] == "left":
            by_hand = [rank for rank in parts[1] if self._plan.apps[rank].external]
            for rank in by_hand:
                self._died((rank,), "its process left", self._groups.pids[rank])
        elif parts[0] == "appcast":
            self._appcasts.pop(parts[2])(parts[3])
        elif parts[0] == "rebuilt":
            self._take_rebuilt(parts[1])

    def _fill_external(self, protocol: int, community: str, name: str, pid: int) -> None:
        """Give an app that was started by hand its slot, if one is reserved for it."""
        for slot in self._kernel.slots:
            plan = slot.plan
            if plan.external and (plan.community, plan.name) == (community, name):
                if protocol != PROTOCOL or self._groups.has(slot.rank):
                    break
                self._groups.note_host(slot.rank, pid)
                self._groups.reply("seated", slot.rank)
                return
        self._groups.reply("refused", f"no free place is reserved for {name} in {community}")

    def _begin_case(self, case: Case) -> None:
        """Have the apps made anew with the case's seed; those that outlive cases go on."""
        self._gather()
        old = self._kernel
        kernel = ParallelKernel(plan_of_case(self._plan, case, old.age), case)
        staying = [s for s in old.slots if s.open and s.plan.app.observes_case_reset]
        self._rebuilding = {slot.rank for slot in old.slots if slot.open}
        ticks = {slot.rank: slot.rest(old.age) for slot in staying}
        self._groups.send_rebuild(ticks, case.number, kernel.seed)
        deadline = wall() + (self._plan.start_timeout or inf)
        while self._rebuilding and not old.ends_run:
            self._take(self._groups.receive(LOOK))
            self._look_at_launcher()
            if wall() > deadline:
                self._give_up(old.slots[min(self._rebuilding)], self._plan.start_timeout)
        self._kernel = kernel
        kernel.follow(old)
        self._session.change_kernel(kernel)

    def _take_rebuilt(self, rows: tuple[tuple[int, tuple[Any, ...] | None], ...]) -> None:
        for rank, failed in rows:
            slot = self._kernel.slots[rank]
            if failed is not None and slot.open:
                self._fail(slot, failed[0] - slot.offset, *failed[1:])
            self._rebuilding.discard(rank)

    def _pass_appcasts_on(self) -> None:
        """Ask the apps whose appcasts somebody wants."""
        wanted, self._session.appcasts = self._session.appcasts, []
        for community, name, then in wanted:
            for slot in self._kernel.slots:
                here = (slot.plan.community, slot.plan.name) == (community, name)
                if here and self._groups.has(slot.rank):
                    self._asked += 1
                    self._appcasts[self._asked] = then
                    self._groups.send(slot.rank, "appcast", slot.rank, self._asked)

    def _take_answer(
        self,
        rank: int,
        spent: float,
        answers: tuple[Answer, ...],
        failed: tuple[Any, ...] | None,
        account: Account | None,
    ) -> None:
        if not self._groups.is_said_by(rank):
            return
        slot = self._kernel.slots[rank]
        self._spent[rank] += spent
        self._groups.granted.pop(rank, None)
        if account is not None:
            self._accounts[rank] = account
        if not slot.open:
            return
        self._kernel.accept(slot, answers)
        if failed is not None:
            self._fail(slot, failed[0] - slot.offset, *failed[1:])

    def _look_around(self) -> None:
        """Look at everything that is not an app's answer."""
        self._looked = wall()
        self._look_at_launcher()
        self._look_for_hangs()
        self._observers.look()
        self._pass_appcasts_on()
        self._look_at_wall_limit()
        if self._meter.due(PROGRESS_INTERVAL):
            self._tell_progress()

    def _look_at_wall_limit(self) -> None:
        if self._plan.wall_limit and self._total.elapsed >= self._plan.wall_limit:
            self._kernel.stop("wall_limit")

    def _tell_who_is_missing(self) -> None:
        missing = [s.plan.name for s in self._kernel.slots if not self._groups.has(s.rank)]
        self._meter.look(self._kernel.age)
        self._link.send("progress", self._kernel.age / NANO, 0.0, missing, False, {})

    def _look_at_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self._kernel.stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                self._died(*parts[1:])
        if self._link.closed:
            self._kernel.stop("interrupted", "launcher gone")

    def _look_for_hangs(self) -> None:
        for slot in self._kernel.in_flight():
            if slot.rank in self._groups.granted:
                timeout = self._timeout(slot)
                if self._groups.overdue(slot, timeout):
                    self._give_up(slot, timeout)

    def _timeout(self, slot: Slot) -> float:
        """Give the wall seconds that an app gets to answer; 0: for ever."""
        return self._timeout_for(starting=slot.pending[0].kind == Kind.START)

    def _timeout_for(self, *, starting: bool) -> float:
        return timeout(self._plan, starting=starting, interrupted=self._interrupted)

    @property
    def _interrupted(self) -> bool:
        return self._kernel.ended is not None and self._kernel.ended.reason == "interrupted"

    def _give_up(self, slot: Slot, timeout: float) -> None:
        """End a process that does not answer; name the app of it whose activation it was."""
        pid = self._groups.pids[slot.rank]
        stacks = self._groups.kill(pid, self._folder, at_once=self._interrupted)
        rank, _ = read_activation(self._folder, pid)
        if self._groups.pids.get(rank) == pid:
            slot = self._kernel.slots[rank]
        instant = self._instant_of_trouble(slot, pid)
        self._groups.gone(slot.rank)
        self._fail(slot, instant, f"did not answer within {timeout:g} s of wall time", stacks)

    def _died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        """Take apps whose process ended out of the run, first the one whose activation it was."""
        active, _ = read_activation(self._folder, pid)
        if self._groups.is_former(active, pid):  # it was given up, and its process ended
            how = f"ended with {self._kernel.slots[active].plan.name}, in whose process it was"
        for rank in sorted(ranks, key=lambda rank: rank != active):
            if self._groups.is_former(rank, pid):
                continue
            slot = self._kernel.slots[rank]
            self._groups.gone(rank)
            if slot.open and rank not in self._accounts:
                self._fail(slot, self._instant_of_trouble(slot, pid), how)

    def _instant_of_trouble(self, slot: Slot, pid: int) -> int:
        """Give the instant at which a process ended or hangs, as far as that is known [ns]."""
        if not slot.pending:
            return max(0, instant_of(self._kernel.reached))
        rank, instant = read_activation(self._folder, pid)
        known = rank == slot.rank and instant - slot.offset >= slot.pending[0].instant
        return instant - slot.offset if known else slot.pending[0].instant

    def _fail(self, slot: Slot, instant: int, reason: str, details: str = "") -> None:
        """Note a failure; let the app come back if restarts are left, else end the run."""
        kernel, plan = self._kernel, slot.plan
        time = (kernel.offset + instant) / NANO
        kernel.failures.append(Failure(plan.name, plan.community, time, reason, details))
        kernel.leave(slot)
        if slot.rank in self._rebuilding:
            self._rebuilding.discard(slot.rank)
            kernel.stop("app_failed", plan.name)
        elif kernel.restart(slot, instant):
            self._accounts.pop(slot.rank, None)
            self._bring_back(slot)

    def _bring_back(self, slot: Slot) -> None:
        """Have an app made anew: in its process if others live there, else in one of its own."""
        seed = self._kernel.seed
        if not self._groups.renew(slot.rank, seed):
            self._groups.gone(slot.rank)
            if not slot.plan.external:
                self._link.send("respawn", slot.rank, seed)

    def _tell_progress(self) -> None:
        kernel = self._kernel
        instant = kernel.age
        stalled = self._groups.waits(PROGRESS_INTERVAL)
        waiting = [slot.plan.name for slot in kernel.in_flight()] if stalled else []
        rate = self._meter.look(instant)
        paused = bool(self._session.status()["paused"])
        self._observers.tell_speed(rate, self._loads())
        self._link.send("progress", instant / NANO, rate, waiting, paused, kernel.shown())

    def _loads(self) -> dict[tuple[str, str], float]:
        """Give the wall microseconds a turn of every app."""
        return {
            (slot.plan.community, slot.plan.name): spent / max(1, slot.answered) * 1e6
            for slot, spent in zip(self._kernel.slots, self._spent, strict=True)
        }

    def _stop_all(self) -> None:
        """Give every app its last grant, the recording ones last."""
        kernel = self._kernel
        kernel.close_books()
        kernel.flush()
        for recording in (False, True):
            slots = [
                slot
                for slot in kernel.slots
                if slot.open and slot.started and slot.plan.app.observes_case_reset == recording
            ]
            for slot in slots:
                tick = slot.grant_stop(kernel.end_instant)
                if self._groups.has(slot.rank):
                    self._groups.send_grants([(slot, [tick])])  # type: ignore[list-item]
            self._await(slots)
            kernel.flush()

    def _await(self, slots: list[Slot]) -> None:
        """Wait until these have answered, died or been given up."""
        while any(slot.pending and self._groups.has(slot.rank) for slot in slots):
            self._take(self._groups.receive(LOOK))
            self._look_at_launcher()
            self._look_for_hangs()

    def _outcome(self) -> Outcome:
        apps = []
        for slot in self._kernel.slots:
            account = self._accounts.get(slot.rank) or account_of(slot.plan.app)
            apps.append(app_outcome(slot, self._spent[slot.rank], account))
        return sum_up(self._kernel, apps)


def endpoint_in(folder: Path) -> str:
    """Give the address of a run's apps' socket."""
    return f"{folder}/apps"
