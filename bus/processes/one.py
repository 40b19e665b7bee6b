"""Runs a plan in placement ``one``: all in this process."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from steerageway.bus.core.cases import Case, plan_of_case
from steerageway.bus.core.clock import RateMeter, process_age, sleep, wall
from steerageway.bus.core.interrupts import Interrupts
from steerageway.bus.core.message import NANO
from steerageway.bus.core.patience import patience
from steerageway.bus.core.plan import Outcome, Progress, RunPlan
from steerageway.bus.core.runner import TROUBLE, Kind, Runner, account_of, failure_of
from steerageway.bus.lockstep.outcome import app_outcome, exit_reason, sum_up
from steerageway.bus.lockstep.seat import Seat
from steerageway.bus.lockstep.serial import Serial
from steerageway.bus.lockstep.session import Session
from steerageway.bus.observers.observers import Observers
from steerageway.bus.processes.watchdog import Watchdog

PROGRESS_INTERVAL = 0.5
LOOK = 0.02  # wall seconds between looks at the door and the clock


class InProcess:
    """A run in this process, with its cases: what running by itself and being stepped share."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._wrap = plan.wrap or (lambda runner: runner)
        self._keeper = Serial(plan, [self._wrap(Runner(app.app)) for app in plan.apps])
        self._session = Session(plan, self._keeper, self._begin_case)

    def _goes_on(self) -> bool:
        """Begin the case that follows the one that has ended, if there is one."""
        case = self._keeper.next_case()
        if case is not None:
            self._begin_case(case)
        return case is not None

    def _begin_case(self, case: Case) -> None:
        """Make the apps anew with the case's seed; those that outlive cases go on."""
        old = self._keeper
        plan = plan_of_case(self._plan, case, old.age)
        runners = []
        for seat, runner in zip(old.seats, old.runners, strict=True):
            try:
                runners.append(self._made_anew(seat, runner, case))
            except TROUBLE as error:
                name, community = seat.plan.name, seat.plan.community
                old.failures.append(failure_of(name, community, old.age, error))
                old.stop("app_failed", name)
                seat.close()
                runners.append(runner)
        self._keeper = Serial(plan, runners, case)
        self._keeper.follow(old)
        self._session.change_keeper(self._keeper)

    def _made_anew(self, seat: Seat, runner: Runner, case: Case) -> Runner:
        seed = self._plan.seed if case.seed is None else case.seed
        if not runner.app.observes_case_reset:
            fresh: Runner = self._wrap(Runner(seat.plan.rebuild(seed)))
            return fresh
        tick = seat.rest(self._keeper.age)
        runner.begin_case(tick.mail, tick.instant, case.number, seed)
        return runner

    def _outcome(self) -> Outcome:
        keeper = self._keeper
        apps = [
            app_outcome(seat, keeper.spent[seat.rank], account_of(keeper.runners[seat.rank].app))
            for seat in keeper.seats
        ]
        return sum_up(keeper, apps)


class OneProcess(InProcess):
    """A run in this process: pacing, progress and interrupts around a serial time keeper."""

    def __init__(self, plan: RunPlan, watch: Callable[[Progress], None]) -> None:
        super().__init__(plan)
        self._watch = watch
        self._observers = Observers(plan, self._session)
        self._meter = RateMeter()
        self._total = RateMeter()
        self._looked = wall()
        self._startup = 0.0

    def run(self) -> Outcome:
        """Run to the end."""
        with Interrupts() as interrupts, self._watchdog(interrupts):
            self._session.pacer.rebase(0)
            self._run_case(interrupts)
            while self._goes_on():
                self._run_case(interrupts)
            self._keeper.take_leave()
        self._session.close()
        self._observers.close(exit_reason(self._keeper))
        outcome = self._outcome()
        outcome.wall_seconds = self._total.elapsed
        outcome.startup_seconds = self._startup
        return outcome

    def _run_case(self, interrupts: Interrupts) -> None:
        """Run until nothing is left to run before the case, or the run, is over."""
        while True:
            instant = self._keeper.upcoming()
            if instant is None:
                return
            if interrupts.caught:
                self._keeper.stop("interrupted", str(interrupts.caught))
            elif self._may_run(instant):
                self._keeper.run_instant(instant)
                self._startup = self._startup or process_age()
            if wall() - self._looked >= LOOK:
                self._look_around(instant)

    def _watchdog(self, interrupts: Interrupts) -> Watchdog:
        return Watchdog(
            lambda kind: patience(
                self._plan, starting=kind == Kind.START, interrupted=bool(interrupts.caught)
            )
        )

    def _may_run(self, instant: int) -> bool:
        """Whether an instant's wall time has come; naps a little when it has not."""
        wait = self._session.wait(instant)
        if wait <= 0.0:
            return True
        if wait == inf:
            self._session.settled()
        sleep(min(wait, LOOK))
        return False

    def _look_around(self, instant: int) -> None:
        self._looked = wall()
        self._observers.look()
        self._answer_appcasts()
        limit = self._plan.wall_limit
        if limit and self._total.elapsed >= limit:
            self._keeper.stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            now = self._keeper.offset + instant
            paused, rate = bool(self._session.status()["paused"]), self._meter.look(now)
            self._observers.tell_speed(rate, {})
            self._watch(Progress(now / NANO, rate, paused=paused, values=self._keeper.shown()))

    def _answer_appcasts(self) -> None:
        wanted, self._session.appcasts = self._session.appcasts, []
        for community, name, then in wanted:
            for runner in self._keeper.runners:
                if (runner.app.community, runner.app.name) == (community, name):
                    then(runner.app.appcast())
