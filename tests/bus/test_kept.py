"""What a run keeps does not grow with its length; see also ``tests/attack/mail``."""

from __future__ import annotations

from collections.abc import Sequence

from networks import app_plan

from steerageway.bus import App, Message
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Input, Phase, RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.kernel import Kernel
from tests.objects import kept

FEW, MANY = 100, 1000  # posts


class Caller(App):
    """Posts in each iteration."""

    publishes = ("CALL",)

    def iterate(self) -> None:
        self.post("CALL", self.iteration)


class Called(App):
    """Counts what it hears."""

    publishes: Sequence[str] = ()
    heard = 0

    def on_start(self) -> None:
        self.register("CALL")

    def on_mail(self, mail: Sequence[Message]) -> None:
        self.heard += len(mail)


def kernel_of(*, calls: bool, tick: str, mode: int) -> Kernel:
    """Return a kernel with an app that hears ``CALL``, and one that posts it ten times a second."""
    apps = [app_plan(Called, "pCalled", 0.0, tick, mode=mode)]
    apps += [app_plan(Caller, "pCaller", 0.0, "10")] if calls else []
    plan = RunPlan(("alpha",), tuple(apps), 1.0)
    return Kernel(CaseState(plan, history=False), [Runner(app.app) for app in apps])


def run(kernel: Kernel, posts: int) -> None:
    """Run until this many posts have been heard."""
    called = kernel.runners[0].app
    assert isinstance(called, Called)
    while called.heard < posts and (instant := kernel.upcoming()) is not None:
        kernel.run_instant(instant)
    assert called.heard == posts


def test_activations_by_mail_leave_nothing_behind() -> None:
    for tick, mode in (("4", 1), ("4", 2), ("0.005", 2)):
        kernel = kernel_of(calls=True, tick=tick, mode=mode)
        run(kernel, FEW)
        few = kept(kernel)
        run(kernel, MANY)
        assert abs(kept(kernel) - few) < 40, (tick, mode)  # a few outdated stamps


def test_posts_that_come_from_outside_during_a_run_leave_nothing_behind() -> None:
    kernel = kernel_of(calls=False, tick="10", mode=0)
    sizes = []
    for number in range(1, MANY + 1):
        instant = number * NANO // 10
        kernel.outside.insert(Input(instant, Phase.INPUT, "alpha", "CALL", float(number)))
        run(kernel, number)
        if number in (FEW, MANY):
            sizes.append(kept(kernel))
    assert abs(sizes[1] - sizes[0]) < 40
