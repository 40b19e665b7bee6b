"""``FreeBroker``: the broker's process of a free run: serves clients, watches apps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path

import zmq

from steerageway.bus.core.clock import RateMeter, wall
from steerageway.bus.core.context import terminate
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import AppPlan, Failure, RunPlan
from steerageway.bus.free.run import FreeRun
from steerageway.bus.observers.connections import LINGER
from steerageway.bus.observers.peer import Peer
from steerageway.bus.observers.run_file import RunFile
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.wire import APP

LOOK = 0.02  # wall seconds between checks of what is no frame
PROGRESS_INTERVAL = 0.5
GRACE = 1.0  # shutdown timeout of apps [wall s], extended while they take mail


# Many methods: all that a free run waits for comes together here.
class FreeBroker:
    """One free run, and the channel to the launcher's process.

    Attributes:
        run: its state.
        server: the server of all clients.
    """

    def __init__(self, plan: RunPlan, folder: Path, link: Channel) -> None:
        """Open the server.

        Raises:
            ServerError: it cannot be opened.
        """
        self._plan = plan
        self._link = link
        self._restarts: dict[int, int] = {}
        self._meter = self._total = RateMeter()
        self._looked = wall()
        self._run_file: RunFile | None = None
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.run = FreeRun(plan, self._context, free_endpoint_in(folder))
        self.server = self.run.server

    def serve(self) -> None:
        """Run the plan and send the outcome to the launcher."""
        self._write_run_file()
        self._gather()
        self._meter, self._total = RateMeter(), RateMeter()
        if self.run.ended is None:
            self._link.send("ready")
            self.run.begin()
            self._follow()
        elapsed = self._total.elapsed
        self._stop_all()
        outcome = self.run.outcome()
        outcome.wall_seconds = elapsed
        self.server.close(outcome.exit_reason)
        self._link.send("outcome", asdict(outcome))
        terminate(self._context, LINGER)

    def _gather(self) -> None:
        """Wait until every app that the launcher starts has connected."""
        deadline = wall() + (self._plan.start_timeout or inf)
        while (late := self._missing_apps()) and self.run.ended is None:
            self.server.serve()
            self.server.note_ended()
            self._check_launcher()
            if wall() > deadline:
                for plan in late:
                    reason = f"did not come within {self._plan.start_timeout:g} s"
                    self.run.failures.append(Failure(plan.name, plan.community, 0.0, reason))
                self.run.stop("app_failed", late[0].name)

    def _missing_apps(self) -> list[AppPlan]:
        return [
            plan
            for plan in self._plan.apps
            if not plan.external and not self.server.expects(plan.community, plan.name)
        ]

    def _follow(self) -> None:
        """Handle frames until the run ends."""
        self._write_run_file()
        while self.run.ended is None:
            self.server.serve()
            self.run.judge()
            # Not after every frame: under load these checks would cost more than the frames.
            if wall() - self._looked >= LOOK:
                self._check_others()
        if self._run_file is not None:
            self._run_file.finish(self.run.ended.reason)

    def _write_run_file(self) -> None:
        """Write the run file: before the run begins, and again when it has."""
        if self.server.port is not None:
            self._run_file = RunFile(self._plan, self.run.describe(), self.server.port)

    def _check_others(self) -> None:
        """Check everything that is not a frame."""
        self._looked = wall()
        self.server.flush()
        self._check_launcher()
        self._handle_failed()
        self.run.catch_up()
        if self._plan.wall_limit and self._total.elapsed >= self._plan.wall_limit:
            self.run.stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            now, shown = self.run.now(), self.run.values(self._plan.shown)
            self._link.send("progress", now / NANO, self._meter.measure(now), [], False, shown)

    def _check_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self.run.stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                for rank in parts[1]:
                    self._died(rank, parts[2])
        if self._link.closed:
            self.run.stop("interrupted", "launcher gone")

    def _died(self, rank: int, how: str) -> None:
        """Handle the end of an app's process."""
        plan = self._plan.apps[rank]
        peer = self.server.find(plan.community, plan.name)
        if peer is not None:
            self.server.drop(peer)
        if not self.run.exit_reports.has(plan.community, plan.name):
            time = self.run.now() / NANO
            self._fail(rank, Failure(plan.name, plan.community, time, how))

    def _handle_failed(self) -> None:
        """Handle apps that reported a failure."""
        failed, self.run.failed = self.run.failed, []
        for community, name, failure in failed:
            for rank, plan in enumerate(self._plan.apps):
                if (plan.community, plan.name) == (community, name):
                    self._fail(rank, failure)

    def _fail(self, rank: int, failure: Failure) -> None:
        """Record a failure; restart the app if restarts are left, else end the run."""
        self.run.failures.append(failure)
        used = self._restarts.get(rank, 0)
        if used < self._plan.restarts and self.run.ended is None:
            self._restarts[rank] = used + 1
            self._link.send("respawn", rank, self._plan.seed)
        else:
            self.run.stop("app_failed", failure.name)

    def _stop_all(self) -> None:
        """Stop every app, recorders last: they receive what others post at the end."""
        recorders = {
            (plan.community, plan.name) for plan in self._plan.apps if plan.app.observes_case_reset
        }
        for last in (False, True):
            leaving = [
                peer
                for peer in self.server.peers.values()
                if peer.role == APP and ((peer.community, peer.name) in recorders) is last
            ]
            self._stop_apps(leaving)
        self._handle_failed()

    def _stop_apps(self, leaving: Sequence[Peer]) -> None:
        """Ask apps to stop once they have their mail, and wait a little until they have.

        As long as they take mail the wait is extended, unless the run was interrupted.
        """
        asked: set[bytes] = set()
        deadline, least = wall() + GRACE, inf
        patient = self.run.ended is not None and self.run.ended.reason != "interrupted"
        while wall() < deadline and any(p.identity in self.server.peers for p in leaving):
            weight = sum(peer.mailbag.weight() for peer in leaving)
            if weight < least and patient:
                deadline, least = wall() + GRACE, weight
            for peer in leaving:
                if peer.identity not in asked and not peer.mailbag.weight():
                    asked.add(peer.identity)
                    self.server.send(peer.identity, "stop")
            self.server.serve()
            self._check_launcher()
            self.server.flush()


def free_endpoint_in(folder: Path) -> str:
    """Return the address of a free run's local server."""
    return f"ipc://{folder}/free"
