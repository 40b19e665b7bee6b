"""``FreeRun``: state of a free run: its databases, clock, connected apps, and end."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import zmq

from steerageway.bus.core.clock import FreeClock
from steerageway.bus.core.errors import ControlError
from steerageway.bus.core.message import NANO
from steerageway.bus.core.plan import Failure, Input, Outcome, Poke, RunPlan
from steerageway.bus.core.stamps import INPUT, stamp
from steerageway.bus.database.ending import End, Ending
from steerageway.bus.database.reports import INTERVAL, Reports
from steerageway.bus.database.taps import install_taps
from steerageway.bus.free.database import FreeDatabase, Poster
from steerageway.bus.free.exit_reports import ExitReport, ExitReports
from steerageway.bus.free.server import FreeServer
from steerageway.bus.lockstep.session import folder_text
from steerageway.declarations.posted import Value


# Many methods: half are the interface of a session, which the server needs.
class FreeRun:
    """A run by the wall clock, for its server and its broker.

    Attributes:
        databases: community -> its database.
        server: the server of all clients.
        ended: why the run ends; None while it goes on.
        exit_reports: exit reports of the apps that have stopped.
        failed: failures not handled yet: community, name, failure.
        failures: those that have been.
    """

    def __init__(self, plan: RunPlan, context: zmq.Context[zmq.Socket[bytes]], local: str) -> None:
        """Open the server.

        Args:
            plan: the run's.
            context: for the server.
            local: the endpoint for the run's own apps.
        Raises:
            ServerError: it cannot be opened.
        """
        self.plan = plan
        self.databases = {name: FreeDatabase(name) for name in plan.communities}
        self.ended: End | None = None
        self.exit_reports = ExitReports(plan.apps)
        self.failed: list[tuple[str, str, Failure]] = []
        self.failures: list[Failure] = []
        self._reports = {name: Reports(d, plan.epoch) for name, d in self.databases.items()}
        self._posters = {name: Poster(report.source) for name, report in self._reports.items()}
        self._ending = Ending(plan.until, plan.fail_if, {**self.databases})
        self._taps = install_taps(plan.tap, self.databases)
        self._inputs = sorted(plan.inputs, key=lambda post: post.instant)
        self._clock: FreeClock | None = None
        self.server = FreeServer(
            context, plan.host, plan.port, self, plan.keys, local=local, token=plan.token
        )

    def now(self) -> int:
        """Return the present instant [ns]; 0 until the run begins."""
        return 0 if self._clock is None else self._clock.now()

    @property
    def frontier(self) -> int:
        """The present instant [ns]: posts are committed as they come."""
        return self.now()

    @property
    def late(self) -> float:
        """Always 0: this time waits for nobody."""
        return 0.0

    def poke(self, poke: Poke) -> Input | None:
        """Post from outside, now."""
        row = (poke.name, poke.value, poke.time, poke.aux)
        self.server.publish(poke.community, Poster(poke.source), [row])
        return poke.at(self.now())

    def control(self, verb: str, args: tuple[Any, ...]) -> Any:
        """Carry out an observer's request.

        Raises:
            ControlError: it cannot be done in a run that follows the wall clock.
        """
        if verb == "status":
            return self.status()
        if verb == "stop":
            self.stop("stopped")
            return None
        raise ControlError(f"{verb}: in free run time is the wall clock's; expected status or stop")

    def appcast(self, community: str, app: str, then: Callable[[str], None]) -> None:
        """Request an app's appcast.

        Raises:
            ControlError: there is no such app.
        """
        peer = self.server.find(community, app)
        if peer is None:
            raise ControlError(f"appcast {app}: no such app in {community}")
        self.server.ask(peer, then)

    def describe(self) -> dict[str, Any]:
        """Return what a client that connects needs to know."""
        return {
            "mode": "free",
            "communities": list(self.plan.communities),
            "apps": {
                name: [p.name for p in self.server.peers.values() if p.is_app_of(name)]
                for name in self.plan.communities
            },
            "seed": self.plan.seed,
            "epoch": self.plan.epoch,
            "overrides": self.plan.overrides(),
            "origin": None if self._clock is None else self._clock.origin,
            "folder": folder_text(self.plan.run_folder),
            "files": dict(self.plan.files),
            "generated": dict(self.plan.generated),
            "pid": os.getpid(),
            **self.status(),
        }

    def status(self) -> dict[str, Any]:
        """Return the state of the run."""
        now = self.now() / NANO
        standing = {"warp": self.plan.warp, "paused": False, "until": None, "case": 0}
        return {"time": now, "case_time": now, **standing}

    def connected(self, community: str, app: str) -> None:
        """Record an app that has connected."""
        self.exit_reports.forget(community, app)
        self._reports[community].connected(app, self.now())
        self._publish(community, [("DB_EVENT", f"connected={app}")])

    def disconnected(self, community: str, app: str, report: ExitReport | None) -> None:
        """Record an app that has left, with its exit report; None if it sent none."""
        self._reports[community].disconnected(app)
        self._publish(community, [("DB_EVENT", f"disconnected={app}")])
        if report is not None:
            failure = self.exit_reports.take(community, app, report)
            if failure is not None:
                self.failed.append((community, app, failure))

    def begin(self) -> None:
        """Start the clock, and welcome all waiting clients."""
        self._clock = FreeClock(self.plan.warp)
        self.server.begin()

    def stop(self, reason: str, text: str = "") -> None:
        """End the run now."""
        if self.ended is None:
            self.ended = End(self.now(), reason, text)

    def judge(self) -> None:
        """Evaluate the end conditions."""
        if self._ending.queue and self.ended is None:
            # Commits are in the order of time here: no earlier one can still come.
            self.ended = self._ending.evaluate_rest()

    def catch_up(self) -> None:
        """Do what is due by the clock: reports, inputs, the end."""
        now = self.now()
        self._report(now)
        while self._inputs and self._inputs[0].instant <= now:
            self.poke(self._inputs.pop(0).poke)
        if self.plan.stop_at is not None and now >= self.plan.stop_at:
            self.stop("for")

    def values(self, names: Sequence[str] | None = None) -> dict[str, dict[str, Value]]:
        """Return the last values of these variables, or of all, by community."""
        return {
            community: {
                name: value
                for name in (database.variables if names is None else names)
                if (value := database.value(name)) is not None
            }
            for community, database in self.databases.items()
        }

    def outcome(self) -> Outcome:
        """Return the outcome of the run, without its wall times."""
        databases, ended = self.databases.values(), self.ended or End(0, "finished", "")
        apps = self.exit_reports.outcomes()
        return Outcome(
            exit_reason=ended.reason,
            condition=ended.text,
            simulated_seconds=ended.instant / NANO,
            posted=sum(d.posted for d in databases),
            delivered=sum(d.delivered for d in databases),
            thinned=sum(d.thinned for d in databases) + self.server.counts.thinned,
            refused=sum(d.refused for d in databases) + sum(app.refused for app in apps),
            lost=self.exit_reports.unsent,
            missed_ticks=self.exit_reports.missed_ticks,
            deterministic=False,
            apps=apps,
            failures=self.failures,
            complaints=[*self.server.refusals()],
            values=self.values(),
            taps={name: tap.result() for name, tap in self._taps.items()},
        )

    def _report(self, now: int) -> None:
        """Post the database's reports when they are due; one late report, not several."""
        # Reports keep their multiples of 2 s; missed ones are left out.
        instant = now // INTERVAL * INTERVAL
        for community, report in self._reports.items():
            if report.next_plain <= stamp(instant, INPUT):
                self._publish(community, report.plain(instant) + report.summaries(instant))

    def _publish(self, community: str, rows: Sequence[tuple[str, Value]]) -> None:
        """Post as the database."""
        full = [(name, value, None, "") for name, value in rows]
        self.server.publish(community, self._posters[community], full)
