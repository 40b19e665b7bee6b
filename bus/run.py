"""``run``: the one door through which the launcher starts a mission."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING

from bus.plan import Outcome, Placement, Progress, RunPlan

if TYPE_CHECKING:
    from bus.one import OneProcess
    from bus.supervisor import Supervisor


def run(plan: RunPlan, watch: Callable[[Progress], None]) -> Outcome:
    """Run a plan to its end.

    Args:
        plan: what to run.
        watch: told about twice a wall second how the run stands.
    """
    way = _way(plan, watch)
    gc.freeze()  # spares the garbage collector what lasts: looking through it once takes 20 ms
    try:
        return way.run()
    finally:
        gc.unfreeze()


def _way(plan: RunPlan, watch: Callable[[Progress], None]) -> OneProcess | Supervisor:
    if plan.placement == Placement.ONE:
        from bus.one import OneProcess

        return OneProcess(plan, watch)
    from bus.supervisor import Supervisor

    return Supervisor(plan, watch)
