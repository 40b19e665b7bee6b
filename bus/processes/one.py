"""``OneProcess``: a run in placement ``one``, everything in this process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from steerageway.bus.core.cases import Case
from steerageway.bus.core.clock import RateMeter, process_age, stopwatch, wall
from steerageway.bus.core.interrupts import Interrupts
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Outcome, Progress, RunPlan
from steerageway.bus.core.runner import Kind, Runner, failure_of, figures_of, trouble
from steerageway.bus.core.timeouts import no_answer, timeout
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.kernel import Kernel
from steerageway.bus.lockstep.outcome import app_outcome, exit_reason, sum_up
from steerageway.bus.lockstep.session import Session
from steerageway.bus.lockstep.slot import Slot
from steerageway.bus.observers.service import Observers
from steerageway.bus.processes.watchdog import Watchdog

PROGRESS_INTERVAL = 0.5
LOOK = 0.02  # wall seconds between checks of the server and the clock
AT_ONCE = 0.001  # wall seconds for which instants run without any check, at full speed


class InProcess:
    """A run in this process, with its cases: common to ``OneProcess`` and ``Stepped``."""

    def __init__(self, plan: RunPlan) -> None:
        self._plan = plan
        self._wrap = plan.wrap or (lambda runner: runner)
        self._kernel = _kernel(plan, [self._wrap(Runner(app.app)) for app in plan.apps])
        self._session = Session(plan, self._kernel, self._begin_case)

    def _begin_next_case(self) -> bool:
        """Begin the case that follows the one that has ended; return whether there is one."""
        case = self._kernel.next_case()
        if case is not None:
            self._begin_case(case)
        return case is not None

    def _begin_case(self, case: Case) -> None:
        """Rebuild the apps with the case's seed; those that outlive cases continue."""
        old = self._kernel
        plan = self._plan.of_case(case, old.state.age)
        runners = []
        for slot, runner in zip(old.state.slots, old.runners, strict=True):
            try:
                runners.append(self._rebuilt(slot, runner, case))
            except trouble() as error:
                name, community = slot.plan.name, slot.plan.community
                # Its old runner stays in place, so that ranks remain valid; the run ends.
                old.state.failures.append(failure_of(name, community, old.state.age, error))
                old.stop("app_failed", name)
                slot.close()
                runners.append(runner)
        self._kernel = _kernel(plan, runners, case)
        self._kernel.follow(old)
        self._session.change_kernel(self._kernel)

    def _rebuilt(self, slot: Slot, runner: Runner, case: Case) -> Runner:
        seed = self._plan.seed if case.seed is None else case.seed
        if not runner.app.observes_case_reset:
            fresh: Runner = self._wrap(Runner(slot.plan.rebuild(seed)))
            return fresh
        tick = slot.take_rest(self._kernel.state.age)
        runner.begin_case(tick.mail, tick.instant, case.number, seed)
        return runner

    def _outcome(self) -> Outcome:
        kernel = self._kernel
        apps = [
            app_outcome(slot, kernel.spent[slot.rank], figures_of(kernel.runners[slot.rank].app))
            for slot in kernel.state.slots
        ]
        return sum_up(kernel.state, apps)


class OneProcess(InProcess):
    """A run in this process: pacing, progress and interrupts around a kernel."""

    def __init__(self, plan: RunPlan, watch: Callable[[Progress], None]) -> None:
        super().__init__(plan)
        self._watch = watch
        self._observers = Observers(plan, self._session)
        self._ranks = {(app.community, app.name): rank for rank, app in enumerate(plan.apps)}
        self._meter = RateMeter()
        self._total = RateMeter()
        self._looked = wall()
        self._startup = 0.0

    def run(self) -> Outcome:
        """Run to the end."""
        with Interrupts() as interrupts, self._watchdog(interrupts):
            self._session.pacer.rebase(0)
            self._run_case(interrupts)
            while self._begin_next_case():
                self._run_case(interrupts)
            self._kernel.stop_all()
        self._session.close()
        self._observers.close(exit_reason(self._kernel.state))
        outcome = self._outcome()
        outcome.wall_seconds = self._total.elapsed
        outcome.startup_seconds = self._startup
        return outcome

    def _run_case(self, interrupts: Interrupts) -> None:
        """Run until nothing is left of the case, or the run is over."""
        while True:
            instant = self._kernel.upcoming()
            if instant is None:
                return
            if interrupts.caught:
                self._kernel.stop("interrupted", str(interrupts.caught))
            elif self._may_run(instant):
                unlimited = self._session.allowed() is None
                self._kernel.run_instant(instant, AT_ONCE if unlimited else 0.0)
                self._startup = self._startup or process_age()
            if wall() - self._looked >= LOOK:
                self._check_others(instant)
            self._observers.glance()

    def _watchdog(self, interrupts: Interrupts) -> Watchdog:
        return Watchdog(
            lambda kind: timeout(
                self._plan, starting=kind == Kind.START, interrupted=bool(interrupts.caught)
            ),
            lambda seconds: no_answer(seconds, interrupted=bool(interrupts.caught)),
        )

    def _may_run(self, instant: int) -> bool:
        """Whether an instant's wall time has come; sleeps a little if not."""
        wait = self._session.wait(instant)
        if wait <= 0.0:
            return True
        if wait == inf and self._session.settled():
            return False
        self._observers.serve()
        self._observers.sleep(min(wait, LOOK))
        return False

    def _check_others(self, instant: int) -> None:
        self._looked = wall()
        self._observers.poll()
        self._answer_appcasts()
        limit = self._plan.wall_limit
        if limit and self._total.elapsed >= limit:
            self._kernel.stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            now = self._kernel.state.offset + instant
            paused, rate = bool(self._session.status()["paused"]), self._meter.measure(now)
            self._observers.send_speed(rate, {})
            self._watch(
                Progress(now / NANO, rate, paused=paused, values=self._kernel.state.shown())
            )

    def _answer_appcasts(self) -> None:
        for name in self._session.appcasts.take(lambda name: name in self._ranks or None):
            began = stopwatch()
            text = self._kernel.runners[self._ranks[name]].app.appcast()
            self._session.appcasts.answer(name, text, True, stopwatch() - began)


def _kernel(plan: RunPlan, runners: Sequence[Runner], case: Case | None = None) -> Kernel:
    """Create the kernel of a case in this process."""
    return Kernel(CaseState(plan, case, history=False), runners)
