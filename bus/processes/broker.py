"""The broker's process: grants time to the hosted apps, keeps the database, serves observers."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

from steerageway.bus.core.cases import Case, plan_of_case
from steerageway.bus.core.clock import RateMeter, wall
from steerageway.bus.core.message import NANO
from steerageway.bus.core.patience import patience
from steerageway.bus.core.plan import Failure, Outcome, Placement, RunPlan
from steerageway.bus.core.runner import Account, Answer, Kind, account_of
from steerageway.bus.core.stamps import instant_of
from steerageway.bus.core.turn import read_turn
from steerageway.bus.lockstep.ahead import Ahead, Grant
from steerageway.bus.lockstep.outcome import app_outcome, exit_reason, sum_up
from steerageway.bus.lockstep.seat import NEXT_OF, Seat
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.observers import Observers
from steerageway.bus.processes.crew import Crew
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.wire import PROTOCOL

LOOK = 0.02  # wall seconds between looks at the launcher and the door
PROGRESS_INTERVAL = 0.5
FEW = 3  # apps in flight up to which it pays to wait for one of them


class Broker:
    """One run: its time keeper, its crew, and the pipe to the launcher's process."""

    def __init__(self, plan: RunPlan, folder: Path, link: Channel) -> None:
        self._plan = plan
        self._folder = folder
        self._link = link
        self._crew = Crew(endpoint_in(folder))
        self._keeper = self.make_keeper(plan)
        self._session = Session(plan, self._keeper, self._begin_case)
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

    def make_keeper(self, plan: RunPlan) -> Ahead:
        """Make the time keeper."""
        return Ahead(plan)

    def serve(self) -> None:
        """Run the plan and report the outcome."""
        if self._gather():
            self._link.send("ready")
            self._total = RateMeter()
            self._session.pacer.rebase(0)
            self._keep_time()
            while (case := self._keeper.next_case()) is not None:
                self._begin_case(case)
                self._keep_time()
            elapsed = self._total.elapsed
            self._take_leave()
        else:
            elapsed = 0.0
        self._crew.dismiss()
        self._session.close()
        self._observers.close(exit_reason(self._keeper))
        outcome = self._outcome()
        outcome.wall_seconds = elapsed
        self._link.send("outcome", asdict(outcome))
        if self._link.closed:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _gather(self) -> bool:
        """Wait until every app's host has come."""
        deadline = wall() + (self._plan.start_timeout or inf)
        while not all(self._crew.has(seat.rank) for seat in self._keeper.seats if seat.open):
            self._take(self._crew.receive(LOOK))
            self._look_at_launcher()
            self._observers.look()
            self._look_at_wall_limit()
            if self._meter.due(PROGRESS_INTERVAL):
                self._tell_who_is_missing()
            if self._keeper.ends_run:
                return False
            if wall() > deadline and self._late_comers():
                return False
        return True

    def _late_comers(self) -> bool:
        """Fail the apps that have not come; one that is started by hand may take its time."""
        late = [
            seat
            for seat in self._keeper.seats
            if seat.open and not self._crew.has(seat.rank) and not seat.plan.external
        ]
        for seat in late:
            self._fail(seat, 0, f"did not come within {self._plan.start_timeout:g} s")
        return bool(late)

    def _keep_time(self) -> None:
        """Grant and take answers until nothing is left to run."""
        session = self._session
        while True:
            grants = self._keeper.grants(session.allowed(), eager=session.eager)
            if grants:
                self._send(grants)
            elif not self._keeper.in_flight():
                upcoming = self._keeper.idle_until
                if upcoming is None:
                    return
                if session.wait(upcoming) == inf:
                    session.settled()
            self._take(self._crew.receive(self._nap(), self._awaited()))
            if wall() - self._looked >= LOOK:
                self._look_around()

    def _send(self, grants: list[Grant]) -> None:
        """Send grants, waiting for apps that come back; those that do not are out of the run."""
        if not all(self._crew.has(seat.rank) for seat, _ in grants):
            if not self._gather():
                for seat in self._keeper.seats:
                    if seat.open and not self._crew.has(seat.rank):
                        self._keeper.leave(seat)
            grants = [g for g in grants if g.seat.flight and self._crew.has(g.seat.rank)]
        self._crew.send_grants(grants)

    def _awaited(self) -> int | None:
        """Give the rank whose answer holds the others up most; None when there are many."""
        flying = [s for s in self._keeper.seats if s.flight and not s.may_lag]
        if not 0 < len(flying) <= FEW or not all(self._crew.has(s.rank) for s in flying):
            return None
        return min(flying, key=NEXT_OF).rank

    def _nap(self) -> float:
        """Give the wall seconds to wait for an answer before time may go on without one."""
        if self._session.pacer.warp == inf:
            return LOOK
        upcoming = self._keeper.idle_until
        return LOOK if upcoming is None else min(LOOK, self._session.wait(upcoming))

    def _take(self, parts: tuple[Any, ...] | None) -> None:
        if parts is None:
            return
        if parts[0] == "answers":
            for row in parts[1]:
                self._take_answer(*row)
            if self._plan.placement == Placement.COMMUNITY:
                self._crew.note_life()
        elif parts[0] == "claim":
            self._seat_external(*parts[1:])
        elif parts[0] == "left":
            by_hand = [rank for rank in parts[1] if self._plan.apps[rank].external]
            for rank in by_hand:
                self._died((rank,), "its process left", self._crew.pids[rank])
        elif parts[0] == "appcast":
            self._appcasts.pop(parts[2])(parts[3])
        elif parts[0] == "rebuilt":
            self._take_rebuilt(parts[1])

    def _seat_external(self, protocol: int, community: str, name: str, pid: int) -> None:
        """Give an app that was started by hand its seat, if one is reserved for it."""
        for seat in self._keeper.seats:
            plan = seat.plan
            if plan.external and (plan.community, plan.name) == (community, name):
                if protocol != PROTOCOL or self._crew.has(seat.rank):
                    break
                self._crew.seat(seat.rank, pid)
                self._crew.reply("seated", seat.rank)
                return
        self._crew.reply("refused", f"no free place is reserved for {name} in {community}")

    def _begin_case(self, case: Case) -> None:
        """Have the apps made anew with the case's seed; those that outlive cases go on."""
        self._gather()
        old = self._keeper
        keeper = Ahead(plan_of_case(self._plan, case, old.age), case)
        staying = [s for s in old.seats if s.open and s.plan.app.observes_case_reset]
        self._rebuilding = {seat.rank for seat in old.seats if seat.open}
        ticks = {seat.rank: seat.rest(old.age) for seat in staying}
        self._crew.send_rebuild(ticks, case.number, keeper.seed)
        deadline = wall() + (self._plan.start_timeout or inf)
        while self._rebuilding and not old.ends_run:
            self._take(self._crew.receive(LOOK))
            self._look_at_launcher()
            if wall() > deadline:
                self._give_up(old.seats[min(self._rebuilding)], self._plan.start_timeout)
        self._keeper = keeper
        keeper.follow(old)
        self._session.change_keeper(keeper)

    def _take_rebuilt(self, rows: tuple[tuple[int, tuple[Any, ...] | None], ...]) -> None:
        for rank, failed in rows:
            seat = self._keeper.seats[rank]
            if failed is not None and seat.open:
                self._fail(seat, failed[0] - seat.offset, *failed[1:])
            self._rebuilding.discard(rank)

    def _pass_appcasts_on(self) -> None:
        """Ask the apps whose appcasts somebody wants."""
        wanted, self._session.appcasts = self._session.appcasts, []
        for community, name, then in wanted:
            for seat in self._keeper.seats:
                here = (seat.plan.community, seat.plan.name) == (community, name)
                if here and self._crew.has(seat.rank):
                    self._asked += 1
                    self._appcasts[self._asked] = then
                    self._crew.send(seat.rank, "appcast", seat.rank, self._asked)

    def _take_answer(
        self,
        rank: int,
        spent: float,
        answers: tuple[Answer, ...],
        failed: tuple[Any, ...] | None,
        account: Account | None,
    ) -> None:
        if not self._crew.is_said_by(rank):
            return
        seat = self._keeper.seats[rank]
        self._spent[rank] += spent
        self._crew.granted.pop(rank, None)
        if account is not None:
            self._accounts[rank] = account
        if not seat.open:
            return
        self._keeper.accept(seat, answers)
        if failed is not None:
            self._fail(seat, failed[0] - seat.offset, *failed[1:])

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
            self._keeper.stop("wall_limit")

    def _tell_who_is_missing(self) -> None:
        missing = [s.plan.name for s in self._keeper.seats if not self._crew.has(s.rank)]
        self._meter.look(self._keeper.age)
        self._link.send("progress", self._keeper.age / NANO, 0.0, missing, False, {})

    def _look_at_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self._keeper.stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                self._died(*parts[1:])
        if self._link.closed:
            self._keeper.stop("interrupted", "launcher gone")

    def _look_for_hangs(self) -> None:
        for seat in self._keeper.in_flight():
            if seat.rank in self._crew.granted:
                patience = self._patience(seat)
                if self._crew.overdue(seat, patience):
                    self._give_up(seat, patience)

    def _patience(self, seat: Seat) -> float:
        """Give the wall seconds that an app gets to answer; 0: for ever."""
        return self._patience_for(starting=seat.flight[0].kind == Kind.START)

    def _patience_for(self, *, starting: bool) -> float:
        return patience(self._plan, starting=starting, interrupted=self._interrupted)

    @property
    def _interrupted(self) -> bool:
        return self._keeper.ended is not None and self._keeper.ended.reason == "interrupted"

    def _give_up(self, seat: Seat, patience: float) -> None:
        """End a process that does not answer; name the app of it whose turn it was."""
        pid = self._crew.pids[seat.rank]
        stacks = self._crew.kill(pid, self._folder, at_once=self._interrupted)
        rank, _ = read_turn(self._folder, pid)
        if self._crew.pids.get(rank) == pid:
            seat = self._keeper.seats[rank]
        instant = self._instant_of_trouble(seat, pid)
        self._crew.gone(seat.rank)
        self._fail(seat, instant, f"did not answer within {patience:g} s of wall time", stacks)

    def _died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        """Take apps whose process ended out of the run, first the one whose turn it was."""
        at_turn, _ = read_turn(self._folder, pid)
        if self._crew.is_former(at_turn, pid):  # it was given up, and its process ended
            how = f"ended with {self._keeper.seats[at_turn].plan.name}, in whose process it was"
        for rank in sorted(ranks, key=lambda rank: rank != at_turn):
            if self._crew.is_former(rank, pid):
                continue
            seat = self._keeper.seats[rank]
            self._crew.gone(rank)
            if seat.open and rank not in self._accounts:
                self._fail(seat, self._instant_of_trouble(seat, pid), how)

    def _instant_of_trouble(self, seat: Seat, pid: int) -> int:
        """Give the instant at which a process ended or hangs, as far as that is known [ns]."""
        if not seat.flight:
            return max(0, instant_of(self._keeper.reached))
        rank, instant = read_turn(self._folder, pid)
        known = rank == seat.rank and instant - seat.offset >= seat.flight[0].instant
        return instant - seat.offset if known else seat.flight[0].instant

    def _fail(self, seat: Seat, instant: int, reason: str, details: str = "") -> None:
        """Note a failure; let the app come back if restarts are left, else end the run."""
        keeper, plan = self._keeper, seat.plan
        time = (keeper.offset + instant) / NANO
        keeper.failures.append(Failure(plan.name, plan.community, time, reason, details))
        keeper.leave(seat)
        if seat.rank in self._rebuilding:
            self._rebuilding.discard(seat.rank)
            keeper.stop("app_failed", plan.name)
        elif keeper.restart(seat, instant):
            self._accounts.pop(seat.rank, None)
            self._bring_back(seat)

    def _bring_back(self, seat: Seat) -> None:
        """Have an app made anew: in its process if others live there, else in one of its own."""
        seed = self._keeper.seed
        if not self._crew.renew(seat.rank, seed):
            self._crew.gone(seat.rank)
            if not seat.plan.external:
                self._link.send("respawn", seat.rank, seed)

    def _tell_progress(self) -> None:
        keeper = self._keeper
        instant = keeper.age
        stalled = self._crew.waits(PROGRESS_INTERVAL)
        waiting = [seat.plan.name for seat in keeper.in_flight()] if stalled else []
        rate = self._meter.look(instant)
        paused = bool(self._session.status()["paused"])
        self._observers.tell_speed(rate, self._loads())
        self._link.send("progress", instant / NANO, rate, waiting, paused, keeper.shown())

    def _loads(self) -> dict[tuple[str, str], float]:
        """Give the wall microseconds a turn of every app."""
        return {
            (seat.plan.community, seat.plan.name): spent / max(1, seat.answered) * 1e6
            for seat, spent in zip(self._keeper.seats, self._spent, strict=True)
        }

    def _take_leave(self) -> None:
        """Give every app its last grant, the recording ones last."""
        keeper = self._keeper
        keeper.close_books()
        keeper.flush()
        for recording in (False, True):
            seats = [
                seat
                for seat in keeper.seats
                if seat.open and seat.started and seat.plan.app.observes_case_reset == recording
            ]
            for seat in seats:
                tick = seat.grant_stop(keeper.end_instant)
                if self._crew.has(seat.rank):
                    self._crew.send_grants([(seat, [tick])])  # type: ignore[list-item]
            self._await(seats)
            keeper.flush()

    def _await(self, seats: list[Seat]) -> None:
        """Wait until these have answered, died or been given up."""
        while any(seat.flight and self._crew.has(seat.rank) for seat in seats):
            self._take(self._crew.receive(LOOK))
            self._look_at_launcher()
            self._look_for_hangs()

    def _outcome(self) -> Outcome:
        apps = []
        for seat in self._keeper.seats:
            account = self._accounts.get(seat.rank) or account_of(seat.plan.app)
            apps.append(app_outcome(seat, self._spent[seat.rank], account))
        return sum_up(self._keeper, apps)


def endpoint_in(folder: Path) -> str:
    """Give the address of a run's apps' socket."""
    return f"{folder}/apps"
