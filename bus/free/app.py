"""``FreeApp``: an app in free run, a client whose ticks follow the wall clock from its start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from steerageway.bus.core.clock import FreeClock, sleep, stopwatch
from steerageway.bus.core.directory import Directory
from steerageway.bus.core.errors import BackPressure, CannotGoOn, ServerError
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import AppPlan, Failure
from steerageway.bus.core.runner import Kind, Runner, failure_of, trouble
from steerageway.bus.core.shares import Copy
from steerageway.bus.core.stamps import NEVER, nth
from steerageway.bus.free.links import Links
from steerageway.bus.transport.client import MAIL_WINDOW, Client
from steerageway.bus.transport.outbox import BATCH
from steerageway.bus.transport.wire import pack

POST_TIMEOUT = 1.0  # wall seconds of one wait for credit
LONGEST_WAIT = 0.2  # wall seconds of one wait for mail
LINK_WAIT = 0.02  # wall seconds between checks for messages of other runs
FINEST_WAIT = 0.001  # wall seconds; for shorter waits it sleeps instead of reading


class _Failed(Exception):
    """The app raised an error."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class AppClient(Client):
    """A client that also posts for apps of other communities."""

    def relay(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Post under the names of apps of other communities.

        Args:
            rows: community, name, value, time, aux, source, community of the source; each.
        Raises:
            BackPressure: see ``flush``; the rows are not sent.
        """
        self.flush()
        self.await_credit()
        self._send_counted(pack("relay", rows), len(rows))


# Many methods: the steps of one loop, which share the client, the mail and the counts.
class FreeApp:
    """Runs one app in free run.

    A tick that could not run before the next one was due is left out and counted as missed; ticks
    are never made up in a burst.
    """

    def __init__(
        self,
        plan: AppPlan,
        client: AppClient,
        runner: Runner,
        directory: Directory | None = None,
        keys: Path | None = None,
    ) -> None:
        self._plan = plan
        self._directory = directory or Directory((plan,))
        self._client = client
        self._runner = runner
        self._clock = FreeClock(client.about["warp"], client.about["origin"])
        self._launcher = os.getppid()
        self._mail: list[Message] = []
        self._next = 1
        self._last_run = 0
        self._grants = self._missed = self._unsent = 0
        self._spent = 0.0
        self._keys = keys
        self._links: Links | None = None
        client.timeout = POST_TIMEOUT
        client.on_refused = runner.app.run_warning
        client.on_report = runner.app.appcast

    def run(self) -> dict[str, Any]:
        """Run until the broker asks it to stop; return its exit report."""
        try:
            self._open_links()
            self._collect(self._plan.start)
            self._run(Kind.START)
            self._next = 1 + self._ticks_until(self._clock.now())
            while self._is_running():
                self._step()
            self._drain()
            self._run(Kind.STOP)
            self._close_links()
        except _Failed as error:
            self._close_links()
            failed = error.failure
            failure = {"failure": failed.reason, "time": failed.time, "details": failed.details}
            return {**self._exit_report(), **failure}
        return self._exit_report()

    def _open_links(self) -> None:
        app = self._plan.sharing
        if app is None:
            return
        try:
            self._links = Links(app.listens, self._clock, self._keys)
        except ServerError as error:
            trouble = CannotGoOn(str(error))
            now = self._clock.now()
            raise _Failed(failure_of(app.name, app.community, now, trouble)) from error

    def _close_links(self) -> None:
        if self._links is not None:
            self._links.close()

    def _is_running(self) -> bool:
        client = self._client
        return not client.stopping and not client.ended and os.getppid() == self._launcher

    def _step(self) -> None:
        """Wait for the next tick, or for mail that makes the app due; run it."""
        mode = self._plan.mode
        tick = NEVER if mode == 1 else self._plan.start + nth(self._next, self._plan.period)
        self._collect(tick)
        if not self._is_running():
            return
        if self._clock.now() >= tick:
            self._run(Kind.ITERATE)
            self._advance()
        elif self._mail:
            self._run(Kind.ITERATE if mode == 1 else Kind.MAIL)

    def _collect(self, until: int) -> None:
        """Read mail until an instant, or until it makes the app due."""
        while self._is_running():
            due = until
            if self._mail and self._plan.mode != 0:
                due = min(until, self._last_run + self._plan.least_gap)
            left = self._clock.wait(due)
            if left <= 0:
                break
            if self._links is not None:
                self._receive_shares(self._links)
                left = min(left, LINK_WAIT)
            if left < FINEST_WAIT:
                sleep(left)
            else:
                # Sockets wait whole milliseconds; the rest is slept in the next round.
                timeout = min(left - left % FINEST_WAIT, LONGEST_WAIT)
                self._mail += self._client.fetch(timeout)
        self._drain()

    def _drain(self) -> None:
        """Read what has arrived, but at most a full window: time goes on."""
        limit = len(self._mail) + MAIL_WINDOW
        while len(self._mail) < limit and (mail := self._client.fetch(0)):
            self._mail += mail

    def _run(self, kind: Kind) -> None:
        """Run one activation, now."""
        instant, client, app = self._clock.now(), self._client, self._runner.app
        mail, self._mail = self._mail, []
        began = stopwatch()
        try:
            posts, registrations, copies = self._runner.run(kind, instant, mail)
        except trouble() as error:
            raise _Failed(failure_of(app.name, app.community, instant, error)) from error
        self._spent += stopwatch() - began
        self._grants += 1
        self._last_run = instant
        if registrations:
            client.send_registrations(registrations)
        client.add(posts)
        self._flush()
        self._send_copies(copies)

    def _send_copies(self, copies: Sequence[Copy]) -> None:
        """Send copies to the listening communities of this run, or to other runs."""
        rows: list[tuple[Any, ...]] = []
        beyond: dict[str, list[Copy]] = {}
        for copy in copies:
            address, name, value, time, source, aux, community = copy
            targets = self._directory.communities(address, name, self._plan.community)
            if targets is None:
                beyond.setdefault(address, []).append(copy)
            row = (name, value, time, aux, source, community)
            rows += ((target, *row) for target in targets or ())
        self._relay(rows)
        for address, lot in beyond.items():
            assert self._links is not None
            if lost := self._links.send(address, lot):
                self._runner.app.run_warning(lost)

    def _receive_shares(self, links: Links) -> None:
        """Post messages of other runs."""
        warn = self._runner.app.run_warning
        rows = links.receive(lambda error: warn(f"what came from another run: {error}"))
        self._relay([(self._plan.community, *row) for row in rows])

    def _relay(self, rows: Sequence[tuple[Any, ...]]) -> None:
        for first in range(0, len(rows), BATCH):
            try:
                self._client.relay(rows[first : first + BATCH])
            except BackPressure as error:
                self._runner.app.run_warning(f"messages from elsewhere were lost: {error}")

    def _flush(self) -> None:
        """Send the posts, however long it takes; once the run is over, for one timeout only."""
        while True:
            try:
                self._client.flush()
                return
            except BackPressure as error:
                self._runner.app.run_warning(str(error))
                if not self._is_running():
                    self._unsent += self._client.discard()
                    return

    def _advance(self) -> None:
        """Move to the next tick; skip those whose successor is due already."""
        latest = max(self._next + 1, self._ticks_until(self._clock.now()))
        missed = latest - self._next - 1
        if missed:
            self._missed += missed
            self._runner.app.run_warning("ticks missed: the app or the machine is too slow")
        self._next = latest

    def _ticks_until(self, instant: int) -> int:
        """Return the number of ticks due at or before an instant."""
        start, period = self._plan.start, self._plan.period
        count = max(0, (instant - start) * period[1] // period[0])
        while start + nth(count + 1, period) <= instant:
            count += 1
        return count

    def _exit_report(self) -> dict[str, Any]:
        app = self._runner.app
        return {
            "grants": self._grants,
            "wall_seconds": self._spent,
            "refused": app.refused,
            "missed_ticks": self._missed,
            "unsent": self._unsent,
            "run_warnings": app.run_warnings,
            "config_warnings": app.config_warnings,
        }
