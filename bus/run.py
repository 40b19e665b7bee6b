"""``run``: the one door through which the launcher starts a mission."""

from __future__ import annotations

from collections.abc import Callable

from bus.plan import Outcome, Placement, Progress, RunPlan


def run(plan: RunPlan, watch: Callable[[Progress], None]) -> Outcome:
    """Run a plan to its end.

    Args:
        plan: what to run.
        watch: told about twice a wall second how the run stands.
    """
    if plan.placement == Placement.ONE:
        from bus.one import OneProcess

        return OneProcess(plan, watch).run()
    from bus.supervisor import Supervisor

    return Supervisor(plan, watch).run()
