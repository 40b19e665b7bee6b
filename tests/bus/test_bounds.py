"""Bounds of a community at the end of a window."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Sequence

import pytest
from networks import app_plan

from steerageway.bus import App, Message, SharingApp
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.core.shares import Inlet, Outlet
from steerageway.bus.core.stamps import instant_of, stamp
from steerageway.bus.lockstep.community_group import CommunityGroup
from steerageway.bus.lockstep.windows import Window
from steerageway.bus.processes.group_host import GroupHost


class Reporter(App):
    """Posts periodically a variable to be forwarded."""

    publishes = ("REPORT",)

    def iterate(self) -> None:
        self.post("REPORT", self.iteration)


class Forwarder(SharingApp):
    """Forwards with mail; with a tick, only the configured variables."""

    publishes = ()
    calm = ("COMMAND",)

    def configure(self) -> None:
        self.outlets = [Outlet("localhost:9201", ("*",))]

    def acts_by_itself(self) -> bool:
        return self.config.text("by_itself") == "yes"

    def on_start(self) -> None:
        self.register("REPORT", *self.config.text("also").split())

    def on_mail(self, mail: Sequence[Message]) -> None:
        for message in mail:
            self.share(message, "localhost:9201", message.name)


class Listener(SharingApp):
    """Accepts forwarded messages."""

    listens = (Inlet("localhost:9201"),)


@pytest.mark.parametrize(
    ("by_itself", "also", "expected"),
    [
        ("no", "", 5.0),  # the next report
        ("yes", "", 0.5),  # its own next tick
        ("no", "DB_UPTIME", 2.0),  # of the database, at 2, 4 ... s
    ],
)
def test_bounds_cover_what_may_be_forwarded_next(
    by_itself: str, also: str, expected: float
) -> None:
    config = {"by_itself": by_itself, "also": also}
    plans = (
        app_plan(Reporter, "pReporter", 0.0, "0.2"),
        app_plan(Forwarder, "pForwarder", 0.0, "2", config, mode=2),
        app_plan(Listener, "pListener", 0.0, "1", community="beta"),
    )
    plan = RunPlan(("alpha", "beta"), plans, warp=math.inf, stop_at=10 * NANO)
    group = CommunityGroup(plan, [Runner(app.app) for app in plans], "alpha")
    bounds = group.run_window(Window(stamp(NANO // 10, 0)))
    assert round(instant_of(bounds.share_bound) / NANO, 3) == expected


@pytest.mark.slow
def test_memory_of_a_process_grows_with_the_number_of_its_communities() -> None:
    taken = []
    for count in (10, 100):
        names = tuple(f"v{number}" for number in range(count))
        kinds = (Reporter, Listener)
        plans = tuple(
            app_plan(kind, f"p{kind.__name__}", 0.0, "1", community=name)
            for name in names
            for kind in kinds
        )
        plan = RunPlan(names, plans, warp=math.inf, stop_at=NANO)
        tracemalloc.start()
        host = GroupHost(plan, names, lambda rank, instant: None)
        taken.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert len(host.ranks) == len(plans)
    assert taken[1] < 20 * taken[0]  # each refers to the apps of all, in a list
