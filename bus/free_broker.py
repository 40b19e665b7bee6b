"""The broker in free run: commits what comes as it comes, and tells the time."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path
from typing import Any

import zmq

from bus.channel import Channel
from bus.clock import FreeClock, RateMeter, wall
from bus.ending import End, Ending
from bus.errors import ControlError
from bus.free_accounts import Account, Accounts
from bus.free_database import FreeDatabase, Poster
from bus.free_door import FreeDoor
from bus.message import NANO, Value
from bus.peer import Peer
from bus.plan import AppPlan, Failure, Input, Outcome, Phase, RunPlan
from bus.reports import INTERVAL, Reports
from bus.stamps import INPUT, stamp
from bus.taps import install_taps
from bus.wire import APP

LOOK = 0.02  # wall seconds between looks at what is no frame
PROGRESS_INTERVAL = 0.5
GRACE = 1.0  # wall seconds that apps get to take leave


class FreeBroker:
    """One free run: its door, its databases, its clock, and the pipe to the launcher's process.

    Attributes:
        databases: community -> its database.
        door: where everyone comes in.
        ended: why the run ends; None while it goes on.
    """

    def __init__(self, plan: RunPlan, folder: Path, link: Channel) -> None:
        """Open the door.

        Raises:
            DoorError: it cannot be opened.
        """
        self._plan = plan
        self._link = link
        self.databases = {name: FreeDatabase(name) for name in plan.communities}
        self.ended: End | None = None
        self._reports = {name: Reports(d, plan.epoch) for name, d in self.databases.items()}
        self._posters = {name: Poster(report.source) for name, report in self._reports.items()}
        self._ending = Ending(plan.until, plan.fail_if, {**self.databases})
        self._taps = install_taps(plan.tap, self.databases)
        self._inputs = sorted(plan.inputs, key=lambda said: said.instant)
        self._accounts = Accounts(plan.apps)
        self._failures: list[Failure] = []
        self._restarts: dict[int, int] = {}
        self._clock: FreeClock | None = None
        self._meter = self._total = RateMeter()
        self._looked = wall()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.door = FreeDoor(
            self._context, plan.host, plan.port, self, plan.keys, local=free_endpoint_in(folder)
        )

    def serve(self) -> None:
        """Run the plan and report the outcome."""
        self._gather()
        self._meter, self._total = RateMeter(), RateMeter()
        if self.ended is None:
            self._begin()
            self._follow()
        elapsed = self._total.elapsed
        self._take_leave()
        outcome = self._outcome()
        outcome.wall_seconds = elapsed
        self.door.close(outcome.exit_reason)
        self._link.send("outcome", asdict(outcome))
        self._context.term()

    # ------------------------------------------------------------------- for the door

    def now(self) -> int:
        """Give the present instant [ns]; 0 until the run begins."""
        return 0 if self._clock is None else self._clock.now()

    def poke(
        self,
        community: str,
        name: str,
        value: Value,
        source: str,
        time: float | None = None,
        aux: str = "",
    ) -> Input | None:
        """Post from outside, now."""
        poster = Poster(source)
        self.door.publish(community, poster, [(name, value, time, aux)])
        return Input(self.now(), Phase.INPUT, community, name, value, source, time, aux)

    def control(self, verb: str, args: tuple[Any, ...]) -> Any:
        """Do what an observer asks.

        Raises:
            ControlError: it cannot be done to a run that follows the wall clock.
        """
        if verb == "status":
            return self.status()
        if verb == "stop":
            self._stop("stopped")
            return None
        raise ControlError(f"{verb}: in free run time is the wall clock's; expected status or stop")

    def appcast(self, community: str, app: str, then: Callable[[str], None]) -> None:
        """Ask for an app's appcast.

        Raises:
            ControlError: there is no such app.
        """
        peer = self.door.find(community, app)
        if peer is None:
            raise ControlError(f"appcast {app}: no such app in {community}")
        self.door.ask(peer, then)

    def describe(self) -> dict[str, Any]:
        """Say what a newcomer needs to know."""
        return {
            "mode": "free",
            "communities": list(self._plan.communities),
            "apps": {
                name: [p.name for p in self.door.peers.values() if p.is_app_of(name)]
                for name in self._plan.communities
            },
            "seed": self._plan.seed,
            "epoch": self._plan.epoch,
            "origin": None if self._clock is None else self._clock.origin,
            "pid": os.getpid(),
            **self.status(),
        }

    def status(self) -> dict[str, Any]:
        """Say how the run stands."""
        return {"time": self.now() / NANO, "warp": self._plan.warp, "paused": False, "case": 0}

    def connected(self, community: str, app: str) -> None:
        """Take note of an app that has come."""
        self._accounts.forget(community, app)
        self._reports[community].connected(app, self.now())
        self._publish(community, [("DB_EVENT", f"connected={app}")])

    def disconnected(self, community: str, app: str, account: Account | None) -> None:
        """Take note of an app that has left, with its account; None when it said nothing."""
        self._reports[community].disconnected(app)
        self._publish(community, [("DB_EVENT", f"disconnected={app}")])
        if account is None:
            return
        failure = self._accounts.take(community, app, account)
        for rank, plan in enumerate(self._plan.apps):
            if failure is not None and (plan.community, plan.name) == (community, app):
                self._fail(rank, failure)

    # ------------------------------------------------------------------- the main loop

    def _gather(self) -> None:
        """Wait until every app that the launcher starts has come."""
        deadline = wall() + (self._plan.start_timeout or inf)
        while (late := self._not_yet_there()) and self.ended is None:
            self.door.serve()
            self.door.gate.poll()
            self._look_at_launcher()
            if wall() > deadline:
                for plan in late:
                    reason = f"did not come within {self._plan.start_timeout:g} s"
                    self._failures.append(Failure(plan.name, plan.community, 0.0, reason))
                self._stop("app_failed", late[0].name)

    def _not_yet_there(self) -> list[AppPlan]:
        return [
            plan
            for plan in self._plan.apps
            if not plan.external and not self.door.expects(plan.community, plan.name)
        ]

    def _begin(self) -> None:
        """Let time begin."""
        self._clock = FreeClock(self._plan.warp)
        self._link.send("ready")
        self.door.begin()

    def _follow(self) -> None:
        """Take what comes until the run ends."""
        while self.ended is None:
            self.door.serve()
            if self._ending.queue:
                self.ended = self.ended or self._ending.look_at_rest()
            if wall() - self._looked >= LOOK:
                self._look_around()

    def _look_around(self) -> None:
        """Look at everything that is not a frame."""
        self._looked = wall()
        now = self.now()
        self.door.gate.poll()
        self.door.flush()
        self._look_at_launcher()
        self._report(now)
        while self._inputs and self._inputs[0].instant <= now:
            said = self._inputs.pop(0)
            self.poke(said.community, said.name, said.value, said.source, said.time, said.aux)
        if self._plan.stop_at is not None and now >= self._plan.stop_at:
            self._stop("for")
        if self._plan.wall_limit and self._total.elapsed >= self._plan.wall_limit:
            self._stop("wall_limit")
        if self._meter.due(PROGRESS_INTERVAL):
            shown = self._values(self._plan.shown)
            self._link.send("progress", now / NANO, self._meter.look(now), [], False, shown)

    def _report(self, now: int) -> None:
        """Post DB_TIME and its like when their time has come; one late report, not several."""
        instant = now // INTERVAL * INTERVAL
        for community, report in self._reports.items():
            if report.next_plain <= stamp(instant, INPUT):
                rows = report.plain(instant) + report.summaries(instant)
                self._publish(community, rows)

    def _look_at_launcher(self) -> None:
        for parts in self._link.receive():
            if parts[0] == "signal":
                self._stop("interrupted", str(parts[1]))
            elif parts[0] == "died":
                for rank in parts[1]:
                    self._died(rank, parts[2])
        if self._link.closed:
            self._stop("interrupted", "launcher gone")

    def _died(self, rank: int, how: str) -> None:
        """Take note of an app's process that has ended."""
        plan = self._plan.apps[rank]
        peer = self.door.find(plan.community, plan.name)
        if peer is not None:
            self.door.drop(peer)
        if self.ended is None and not self._accounts.has(plan.community, plan.name):
            self._fail(rank, Failure(plan.name, plan.community, self.now() / NANO, how))

    def _fail(self, rank: int, failure: Failure) -> None:
        """Note a failure; let the app come back if restarts are left, else end the run."""
        self._failures.append(failure)
        used = self._restarts.get(rank, 0)
        if used < self._plan.restarts:
            self._restarts[rank] = used + 1
            self._link.send("respawn", rank, self._plan.seed)
        else:
            self._stop("app_failed", failure.name)

    def _stop(self, reason: str, text: str = "") -> None:
        if self.ended is None:
            self.ended = End(self.now(), reason, text)

    def _publish(self, community: str, rows: Sequence[tuple[str, Value]]) -> None:
        """Post in the database's own name."""
        full = [(name, value, None, "") for name, value in rows]
        self.door.publish(community, self._posters[community], full)

    # ------------------------------------------------------------------------ the end

    def _take_leave(self) -> None:
        """Let every app take leave, the recording ones last."""
        recorders = {
            (plan.community, plan.name) for plan in self._plan.apps if plan.app.observes_case_reset
        }
        for last in (False, True):
            leaving = [
                peer
                for peer in self.door.peers.values()
                if peer.role == APP and ((peer.community, peer.name) in recorders) is last
            ]
            self._see_off(leaving)

    def _see_off(self, leaving: Sequence[Peer]) -> None:
        """Ask apps to leave, once they have their mail, and wait a little until they have."""
        told: set[bytes] = set()
        deadline = wall() + GRACE
        while wall() < deadline and any(p.identity in self.door.peers for p in leaving):
            for peer in leaving:
                if peer.identity not in told and not peer.mailbag.weight():
                    told.add(peer.identity)
                    self.door.send(peer.identity, "stop")
            self.door.serve()
            self._look_at_launcher()
            self.door.flush()

    def _values(self, names: Sequence[str] | None = None) -> dict[str, dict[str, Value]]:
        """Give the last values of these variables, or of all, by community."""
        return {
            community: {
                name: value
                for name in (database.variables if names is None else names)
                if (value := database.value(name)) is not None
            }
            for community, database in self.databases.items()
        }

    def _outcome(self) -> Outcome:
        databases, ended = self.databases.values(), self.ended or End(0, "finished", "")
        apps = self._accounts.outcomes()
        return Outcome(
            exit_reason=ended.reason,
            condition=ended.text,
            simulated_seconds=ended.instant / NANO,
            posted=sum(d.posted for d in databases),
            delivered=sum(d.delivered for d in databases),
            thinned=sum(d.thinned for d in databases) + self.door.counts.thinned,
            refused=sum(d.refused for d in databases) + sum(app.refused for app in apps),
            lost=self._accounts.unsent,
            missed_ticks=self._accounts.missed_ticks,
            deterministic=False,
            apps=apps,
            failures=self._failures,
            values=self._values(),
            taps={name: tap.result() for name, tap in self._taps.items()},
        )


def free_endpoint_in(folder: Path) -> str:
    """Give the address of a free run's local door."""
    return f"ipc://{folder}/free"
