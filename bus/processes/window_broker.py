"""The broker's process of a run whose communities keep their own time, in coordinator."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any

from steerageway.bus.core.activation_mark import read_activation
from steerageway.bus.core.clock import wall
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Outcome, RunPlan
from steerageway.bus.core.runner import Account
from steerageway.bus.lockstep.community_kernel import Window
from steerageway.bus.lockstep.coordinator import Coordinator, Remote, TapResult
from steerageway.bus.lockstep.window_frames import (
    Row,
    pack_entries,
    pack_stamp,
    pack_window,
    read_bounds,
    read_entries,
)
from steerageway.bus.processes.broker import LOOK, Broker
from steerageway.bus.transport.channel import Channel

AT_HAND = 1.0  # wall seconds that somebody who comes in waits for what a community holds
_OF_COMMUNITIES = ("ran", "parted", "shown", "watched", "accounts")
_NO_CASES = "a run of several communities, each in a process, has no cases; use --placement process"


class WindowBroker(Broker):
    """Says how far each community may run; the rest is as with any broker."""

    def __init__(self, plan: RunPlan, folder: Path, link: Channel) -> None:
        super().__init__(plan, folder, link)
        self._session.refuse("reset", _NO_CASES)
        self._observers.before_welcome(self._have_at_hand)
        self._community_accounts: dict[str, dict[str, Any]] = {}
        self._watched: dict[str, bool] = {}  # whether what was asked for has come
        self._parted: set[str] = set()
        self._steps: dict[int, tuple[tuple[int, int], float]] = {}

    def make_kernel(self, plan: RunPlan) -> Coordinator:  # type: ignore[override]
        """Make the kernel."""
        self._coordinator = Coordinator(plan)
        return self._coordinator

    def _keep_time(self) -> None:
        session, coordinator = self._session, self._coordinator
        while True:
            found = coordinator.windows(session.allowed())
            self._send_windows(found)
            if not found and not coordinator.awaited:
                upcoming = coordinator.idle_until
                if upcoming is None:
                    return
                if session.wait(upcoming) == inf:
                    session.settled()
            self._take(self._groups.receive(self._nap()))
            if wall() - self._looked >= LOOK:
                for community in self._observers.communities:
                    self._watch(community)
                self._look_around()

    def _send_windows(self, found: list[tuple[Remote, Window]]) -> None:
        """Send coordinator, one frame a process."""
        self._groups.send_rows(
            "windows",
            (
                (remote.ranks[0], (remote.name, pack_window(window)))
                for remote, window in found
                if self._groups.has(remote.ranks[0])
            ),
        )

    def _ask(self, remote: Remote, kind: str, *parts: Any) -> None:
        rank = remote.ranks[0]
        if self._groups.has(rank):
            self._groups.granted[rank] = wall()
            self._groups.send(rank, kind, remote.name, *parts)

    def _take(self, parts: Row | None) -> None:
        if parts is None or parts[0] not in _OF_COMMUNITIES:
            super()._take(parts)
        elif parts[0] == "ran":
            for community, bounds in parts[1]:
                self._hear("ran", community, bounds)
        else:
            self._hear(*parts)

    def _hear(self, kind: str, community: str, *rest: Any) -> None:
        """Take what a community answers."""
        remote = self._coordinator.remotes[community]
        if not remote.open or not self._groups.is_said_by(remote.ranks[0]):
            return
        if kind == "shown":
            self._coordinator.values[community] = rest[0]
            self._note_work(rest[1])
            return
        if kind == "watched":
            self._coordinator.mirror(community, read_entries(rest[0]))
            self._watched[community] = True
            return
        self._groups.granted.pop(remote.ranks[0], None)
        if kind == "accounts":
            self._community_accounts[community] = rest[0]
        else:
            if kind == "parted":
                self._parted.add(community)
            bounds = read_bounds(rest[0])
            self._coordinator.take(remote, bounds)
            for failure in bounds.failures:
                self._coordinator.stop("app_failed", failure.name)

    def _note_work(self, rows: list[tuple[int, int, float]]) -> None:
        for rank, answered, spent in rows:
            self._coordinator.slots[rank].answered = answered
            self._spent[rank] = spent

    def _look_for_hangs(self) -> None:
        self._note_steps()
        for remote in self._open_remotes():
            rank = remote.ranks[0]
            since = self._groups.granted.get(rank)
            if since is None:
                continue
            timeout = self._timeout_for(starting=self._is_starting(rank))
            since = max(since, self._steps[self._groups.pids[rank]][1])
            if timeout and wall() - since > timeout:
                self._give_up(self._coordinator.slots[rank], timeout)
                remote.close()

    def _note_steps(self) -> None:
        """Note since when each process is at the turn it is at: one window may hold many turns."""
        for pid in dict.fromkeys(self._groups.pids.values()):
            turn = read_activation(self._folder, pid)
            if pid not in self._steps or self._steps[pid][0] != turn:
                self._steps[pid] = (turn, wall())

    def _is_starting(self, rank: int) -> bool:
        """Whether the app is at its start whose activation it is in the process of another."""
        active, instant = self._steps[self._groups.pids[rank]][0]
        return active < 0 or instant <= self._plan.apps[active].start

    def _died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        super()._died(ranks, how, pid)
        for remote in self._coordinator.remotes.values():
            if remote.ranks[0] in ranks:
                remote.close()

    def _instant_of_trouble(self, slot: Any, pid: int) -> int:
        rank, instant = read_activation(self._folder, pid)
        return instant if rank >= 0 else super()._instant_of_trouble(slot, pid)

    def _watch(self, community: str) -> None:
        """Ask for everything that a community commits, and for what there is; once is enough."""
        remote = self._coordinator.remotes.get(community)
        if remote is None or community in self._watched or not self._groups.has(remote.ranks[0]):
            return
        self._watched[community] = False
        self._groups.send(remote.ranks[0], "watch", community)

    def _have_at_hand(self, community: str) -> None:
        """Wait, but not for long, until what a community holds has come."""
        self._watch(community)
        deadline = wall() + AT_HAND
        while not self._watched.get(community, True) and wall() < deadline:
            self._take(self._groups.receive(LOOK))

    def _tell_progress(self) -> None:
        super()._tell_progress()
        for remote in self._coordinator.remotes.values():
            if remote.open and self._groups.has(remote.ranks[0]):
                self._groups.send(remote.ranks[0], "show", remote.name)

    def _stop_all(self) -> None:
        """Let every app take leave, the recording ones last; ask for everybody's account."""
        coordinator = self._coordinator
        coordinator.close_books()
        end = (pack_stamp(coordinator.end), coordinator.end_instant)
        for last in (False, True):
            self._parted.clear()
            for remote in self._open_remotes():
                transfers, remote.transfers = pack_entries(remote.transfers), []
                self._ask(remote, "part", *end, transfers, last)
            self._await_all(self._parted)
        for remote in self._open_remotes():
            self._ask(remote, "accounts")
        self._await_all(self._community_accounts)

    def _open_remotes(self) -> list[Remote]:
        return [remote for remote in self._coordinator.remotes.values() if remote.open]

    def _await_all(self, heard: set[str] | dict[str, Any]) -> None:
        """Wait until every community has been heard, has died or been given up."""
        while any(remote.name not in heard for remote in self._open_remotes()):
            self._take(self._groups.receive(LOOK))
            self._look_at_launcher()
            self._look_for_hangs()

    def _outcome(self) -> Outcome:
        for community, account in self._community_accounts.items():
            database = self._coordinator.databases[community]
            for count in ("posted", "delivered", "thinned", "refused"):
                setattr(database, count, account[count])
            for name, value in account["values"].items():
                message = Message(name, value, 0.0, "", "", community)
                database.variable(name).last = (0, 0, 0, message)
            for name, result in account["taps"].items():
                self._coordinator.taps[name] = TapResult(result)
            self._coordinator.complaints += account["complaints"]
            self._note_work(account["work"])
            self._accounts |= {rank: Account(*account) for rank, account in account["apps"]}
        return super()._outcome()
