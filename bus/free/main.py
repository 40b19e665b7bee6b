"""Entry points of free run: the broker's process, and an app's process.

In free run time follows the wall clock, every app is a client, and no app waits for another. For
hardware, and for clients with a time of their own. Two runs are never quite the same.
"""

from __future__ import annotations

import gc
from pathlib import Path

from steerageway.bus.core.directory import Directory
from steerageway.bus.core.interrupts import ignore_end_signals
from steerageway.bus.core.plan import AppPlan, RunPlan
from steerageway.bus.core.runner import Runner
from steerageway.bus.free.app import AppClient, FreeApp
from steerageway.bus.free.broker import FreeBroker, free_endpoint_in
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.wire import APP

__all__ = ["free_endpoint_in", "make_free_broker", "run_free_app"]

CONNECT_TIMEOUT = 60.0  # wall seconds for the run to begin


def make_free_broker(plan: RunPlan, folder: Path, link: Channel) -> FreeBroker:
    """Create the broker of a free run, in its process.

    Args:
        plan: the run's; its warp is finite.
        folder: in which the apps find the broker, see ``free_endpoint_in``.
        link: the channel to the launcher's process.
    Raises:
        ServerError: the server for clients cannot be opened.
    """
    gc.freeze()
    return FreeBroker(plan, folder, link)


def run_free_app(
    plan: AppPlan,
    address: str,
    *,
    rebuilt_with: int | None = None,
    run: RunPlan | None = None,
) -> bool:
    """Run an app of a free run in this process.

    Args:
        plan: the app.
        address: the broker's.
        rebuilt_with: the seed to rebuild the app with, after a failure; None: use it as it is.
        run: the plan of the whole run; None if the app was started by hand.
    Returns: whether it ended well.
    Raises:
        NoAnswer: the broker did not reply, or fell silent.
        Refused: it rejected the app, because its name is taken.
    """
    ignore_end_signals()
    gc.freeze()
    app = plan.app if rebuilt_with is None else plan.rebuild(rebuilt_with)
    runner = Runner(app) if run is None or run.wrap is None else run.wrap(Runner(app))
    client = AppClient.connect(
        address,
        plan.name,
        role=APP,
        community=plan.community,
        token=None if run is None else run.token,
        timeout=CONNECT_TIMEOUT,
    )
    directory = None if run is None else Directory(run.apps)
    links_keys = None if run is None else run.keys
    report = FreeApp(plan, client, runner, directory, links_keys).run()
    client.close(report)
    return "failure" not in report
