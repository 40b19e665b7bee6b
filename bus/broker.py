"""The broker's process: grants time to the hosted apps, keeps the database, serves observers."""

from __future__ import annotations

from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

import zmq

from bus.ahead import Ahead
from bus.clock import Pacer, RateMeter, wall
from bus.crew import Crew
from bus.link import Link
from bus.message import NANO, Value
from bus.outcome import sum_up
from bus.plan import AppOutcome, Failure, Outcome, RunPlan
from bus.runner import Answer, Kind
from bus.seat import Seat
from bus.stamps import instant_of

LOOK = 0.02  # wall seconds between looks at the launcher and the door
PROGRESS_INTERVAL = 0.5


class Broker:
    """One run: its time keeper, its crew, and the pipe to the launcher's process."""

    def __init__(self, plan: RunPlan, folder: Path, link: Link) -> None:
        self._plan = plan
        self._folder = folder
        self._link = link
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._crew = Crew(self._context, endpoint_in(folder))
        self.keeper = Ahead(plan)
        self._pacer = Pacer(plan.warp)
        self._meter = RateMeter()
        self._total = RateMeter()
        self._looked = wall()
        self._spent = [0.0] * len(plan.apps)
        self._accounts: dict[int, tuple[Any, ...]] = {}

    def serve(self) -> None:
        """Run the plan and report the outcome."""
        if self._gather():
            self._link.send("ready")
            self._total = RateMeter()
            self._pacer.rebase(0)
            self._keep_time()
            elapsed = self._total.elapsed
            self._take_leave()
        else:
            elapsed = 0.0
        self._crew.send_all("stop")
        outcome = self._outcome()
        outcome.wall_seconds = elapsed
        self._link.send("outcome", asdict(outcome))
        self._context.destroy(linger=500)

    # ------------------------------------------------------------------- the main loop

    def _gather(self) -> bool:
        """Wait until every app's host has come."""
        deadline = wall() + (self._plan.start_timeout or inf)
        while not all(self._crew.has(seat.rank) for seat in self.keeper.seats if seat.open):
            self._take(self._crew.receive(LOOK))
            self._look_at_launcher()
            if self.keeper.ended is not None:
                return False
            if wall() > deadline:
                self._late_comers()
                return False
        return True

    def _late_comers(self) -> None:
        for seat in self.keeper.seats:
            if not self._crew.has(seat.rank) and not seat.plan.external:
                reason = f"did not come within {self._plan.start_timeout:g} s"
                self._fail(seat, Failure(seat.plan.name, seat.plan.community, 0.0, reason))

    def _keep_time(self) -> None:
        """Grant and take answers until nothing is left to run."""
        keeper = self.keeper
        while True:
            grants = keeper.grants(self._pacer.allowed(), eager=self._pacer.warp != inf)
            if grants:
                if not all(self._crew.has(seat.rank) for seat, _ in grants):
                    self._gather()
                self._crew.send_grants(grants)
            elif keeper.idle_until is None and not keeper.in_flight():
                return
            self._take(self._crew.receive(self._nap()))
            if wall() - self._looked >= LOOK:
                self._look_around()

    def _nap(self) -> float:
        """Give the wall seconds to wait for an answer before time may go on without one."""
        if self._pacer.warp == inf:
            return LOOK
        upcoming = self.keeper.idle_until
        return LOOK if upcoming is None else min(LOOK, self._pacer.wait(upcoming))

    def _take(self, parts: tuple[Any, ...] | None) -> None:
        if parts is None:
            return
        if parts[0] == "answers":
            for row in parts[1]:
                self._take_answer(*row)

    def _take_answer(
        self,
        rank: int,
        spent: float,
        answers: tuple[tuple[Any, ...], ...],
        failed: tuple[Any, ...] | None,
        account: tuple[Any, ...] | None,
    ) -> None:
        seat = self.keeper.seats[rank]
        self._spent[rank] += spent
        self._crew.granted.pop(rank, None)
        if account is not None:
            self._accounts[rank] = account
        if not seat.open:
            return
        self.keeper.accept(seat, [Answer(*answer) for answer in answers])
        if failed is not None:
            self._fail(seat, Failure(seat.plan.name, seat.plan.community, *failed))

    # ------------------------------------------------------------------ around the loop

    def _look_around(self) -> None:
        """Look at everything that is not an app's answer."""
        self._looked = wall()
        self._look_at_launcher()
        self._look_for_hangs()
        if self._plan.wall_limit and self._total.elapsed >= self._plan.wall_limit:
            self.keeper.stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            self._tell_progress()

    def _look_at_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self.keeper.stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                self._died(parts[1], parts[2])
        if self._link.closed:
            self.keeper.stop("interrupted", "launcher gone")

    def _look_for_hangs(self) -> None:
        for seat in self.keeper.in_flight():
            starting = seat.flight[0].kind == Kind.START
            patience = self._plan.start_timeout if starting else self._plan.grant_timeout
            if self._crew.overdue(seat, patience):
                time = seat.flight[0].instant / NANO
                stacks = self._crew.kill(seat.rank, self._folder)
                reason = f"did not answer within {patience:g} s of wall time"
                name, community = seat.plan.name, seat.plan.community
                self._fail(seat, Failure(name, community, time, reason, stacks))

    def _died(self, ranks: tuple[int, ...], how: str) -> None:
        """Take apps whose process ended out of the run."""
        for rank in ranks:
            seat = self.keeper.seats[rank]
            self._crew.gone(rank)
            if seat.open and rank not in self._accounts:
                time = self.keeper.end_instant / NANO
                self._fail(seat, Failure(seat.plan.name, seat.plan.community, time, how))

    def _fail(self, seat: Seat, failure: Failure) -> None:
        """Note a failure; let the app come back if restarts are left, else end the run."""
        keeper = self.keeper
        keeper.failures.append(failure)
        instant = round(failure.time * NANO)
        keeper.leave(seat)
        if keeper.restart(seat, instant):
            self._crew.gone(seat.rank)
            self._link.send("respawn", seat.rank, keeper.case.seed)

    def _tell_progress(self) -> None:
        keeper = self.keeper
        instant = instant_of(max(0, keeper.reached))
        waiting = [seat.plan.name for seat in keeper.in_flight()] if self._stalled() else []
        rate = self._meter.look(instant)
        self._link.send("progress", instant / NANO, rate, waiting, False, self._shown())

    def _stalled(self) -> bool:
        return any(wall() - since > PROGRESS_INTERVAL for since in self._crew.granted.values())

    def _shown(self) -> dict[str, dict[str, Value]]:
        return {
            name: {v: value for v in self._plan.shown if (value := d.value(v)) is not None}
            for name, d in self.keeper.databases.items()
        }

    # ------------------------------------------------------------------------ the end

    def _take_leave(self) -> None:
        """Give every app its last grant, the recording ones last."""
        keeper = self.keeper
        keeper.close_books()
        keeper.flush()
        for recording in (False, True):
            seats = [
                seat
                for seat in keeper.seats
                if seat.open and seat.plan.app.observes_case_reset == recording
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
        for seat in self.keeper.seats:
            refused, warnings, config = self._accounts.get(seat.rank, (0, {}, ()))
            apps.append(
                AppOutcome(
                    seat.plan.name,
                    seat.plan.community,
                    seat.answered,
                    self._spent[seat.rank],
                    refused,
                    warnings,
                    tuple(config),
                )
            )
        return sum_up(self.keeper, apps)


def endpoint_in(folder: Path) -> str:
    """Give the address of a run's apps' socket."""
    return f"ipc://{folder}/apps"
