"""``ClusterSupervisor``: a run whose communities are on other machines; the broker is here.

The broker's process is forked first, while this one has no threads, and waits. Nothing of the run
begins before the machines are checked.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from typing import Any

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.plan import Cluster, Progress, RunPlan
from steerageway.bus.lockstep.community_coordinator import NO_CASES, in_windows
from steerageway.bus.processes.broker import Broker
from steerageway.bus.processes.children import fork
from steerageway.bus.processes.supervisor import LOOK, Supervisor
from steerageway.bus.transport.remote import RemoteListener


class ClusterSupervisor(Supervisor):
    """The launcher's side of a run on a cluster."""

    def __init__(self, plan: RunPlan, watch: Callable[[Progress], None], cluster: Cluster) -> None:
        """Make the run's folder.

        Raises:
            ServerError: the system refuses, or an app asks for cases.
        """
        if not in_windows(plan):
            raise ServerError(f"--placement cluster: {NO_CASES}")
        super().__init__(plan, watch)
        self._cluster = cluster
        self._ranks: list[list[int]] = []  # of each process
        self._groups_at: tuple[str, str] | None = None  # address and keys

    def _start(self) -> None:
        self._broker = fork(self._run_broker, "broker")
        self._broker_link.close()
        machines = self._cluster.connect()
        ranks = self._ranks_of_communities()
        processes = min(len(machines), len(ranks))
        groups = [list(ranks)[place::processes] for place in range(processes)]
        self._ranks = [[rank for name in group for rank in ranks[name]] for group in groups]
        self._link.send("begin", self._cluster.host(), machines[:processes])
        while self._groups_at is None:
            select.select([self._link], [], [], LOOK)
            for parts in self._link.receive():
                self._handle(parts)
            if self._link.closed:
                raise ServerError("the broker's process ended unexpectedly")
        self._cluster.start(*self._groups_at, groups)

    def _ranks_of_communities(self) -> dict[str, list[int]]:
        ranks: dict[str, list[int]] = {}
        for rank, app in enumerate(self._plan.apps):
            ranks.setdefault(app.community, []).append(rank)
        return ranks

    def _make_broker(self) -> Broker:
        for _, host, machines in self._broker_link.frames():
            listener = RemoteListener(host, self._folder)
            broker = Broker(self._plan, self._folder, self._broker_link, listener, machines)
            self._broker_link.send("listening", listener.address, listener.keys)
            return broker
        raise ServerError("the launcher has ended")

    def _handle(self, parts: tuple[Any, ...]) -> None:
        if parts[0] == "listening":
            _, address, keys = parts
            self._groups_at = address, keys
        else:
            super()._handle(parts)

    def _reap(self) -> None:
        super()._reap()
        for number, why in self._cluster.failed():
            self._link.send("lost", number, self._ranks[number], why)

    def _end_all(self) -> None:
        super()._end_all()
        self._cluster.close(complete=self._outcome is not None and self._startup > 0)
