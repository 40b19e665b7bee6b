"""``run``: runs a plan to its end; the launcher's entry point to the bus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from steerageway.bus.core.directory import check_isolated
from steerageway.bus.core.plan import Outcome, Placement, Progress, RunPlan

if TYPE_CHECKING:
    from steerageway.bus.processes.one import OneProcess
    from steerageway.bus.processes.supervisor import Supervisor


def run(plan: RunPlan, watch: Callable[[Progress], None]) -> Outcome:
    """Run a plan to its end.

    Args:
        plan: what to run.
        watch: called about twice a wall second with the state of the run.
    Raises:
        ServerError: the server for observers cannot be opened, an app would share with another run,
            which needs free run, or the placement needs forks and there are none; nothing has
            run.
    """
    if not plan.free_run:
        check_isolated(plan.apps)
    return _runner(plan, watch).run()


def _runner(plan: RunPlan, watch: Callable[[Progress], None]) -> OneProcess | Supervisor:
    if plan.placement == Placement.ONE:
        from steerageway.bus.processes.one import OneProcess

        return OneProcess(plan, watch)
    from steerageway.bus.processes.children import check_forks
    from steerageway.bus.processes.supervisor import Supervisor

    check_forks()
    if plan.cluster is not None:
        from steerageway.bus.processes.cluster import ClusterSupervisor

        return ClusterSupervisor(plan, watch, plan.cluster)
    return Supervisor(plan, watch)
