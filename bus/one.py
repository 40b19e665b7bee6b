"""Runs a plan in placement ``one``: all in this process."""

from __future__ import annotations

from collections.abc import Callable

from bus.clock import Pacer, RateMeter, sleep
from bus.interrupts import Interrupts
from bus.message import NANO, Value
from bus.outcome import app_outcome, sum_up
from bus.plan import Outcome, Progress, RunPlan
from bus.runner import Runner
from bus.serial import Serial

PROGRESS_INTERVAL = 0.5
LONGEST_NAP = 0.1


class OneProcess:
    """A run in this process: pacing, progress and interrupts around a serial time keeper."""

    def __init__(self, plan: RunPlan, watch: Callable[[Progress], None]) -> None:
        self._plan = plan
        self._watch = watch
        wrap = plan.wrap or (lambda runner: runner)
        self._keeper = Serial(plan, [wrap(Runner(app.app)) for app in plan.apps])
        self._pacer = Pacer(plan.warp)
        self._meter = RateMeter()
        self._total = RateMeter()

    def run(self) -> Outcome:
        """Run to the end."""
        keeper = self._keeper
        with Interrupts() as interrupts:
            self._pacer.rebase(0)
            while (instant := keeper.upcoming()) is not None:
                if interrupts.caught:
                    keeper.stop("interrupted", str(interrupts.caught))
                elif self._may_run(instant):
                    keeper.run_instant(instant)
                self._look_around(instant)
            keeper.take_leave()
        return self._outcome()

    def _may_run(self, instant: int) -> bool:
        """Whether an instant's wall time has come; naps a little when it has not."""
        wait = self._pacer.wait(instant)
        sleep(min(wait, LONGEST_NAP))
        return wait <= LONGEST_NAP

    def _look_around(self, instant: int) -> None:
        limit = self._plan.wall_limit
        if limit and self._total.elapsed >= limit:
            self._keeper.stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            self._watch(Progress(instant / NANO, self._meter.look(instant), values=self._shown()))

    def _shown(self) -> dict[str, dict[str, Value]]:
        return {
            name: {v: value for v in self._plan.shown if (value := d.value(v)) is not None}
            for name, d in self._keeper.databases.items()
        }

    def _outcome(self) -> Outcome:
        keeper = self._keeper
        apps = [
            app_outcome(keeper.runners[seat.rank].app, seat, keeper.spent[seat.rank])
            for seat in keeper.seats
        ]
        outcome = sum_up(keeper, apps)
        outcome.wall_seconds = self._total.elapsed
        return outcome
