"""The broker's process of a run whose communities keep their own time, in windows."""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import Any

from steerageway.bus.core.clock import wall
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import Outcome, RunPlan
from steerageway.bus.core.runner import Account
from steerageway.bus.core.turn import read_turn
from steerageway.bus.lockstep.local import Window
from steerageway.bus.lockstep.window_frames import (
    Row,
    pack_entries,
    pack_stamp,
    pack_window,
    read_entries,
    read_promise,
)
from steerageway.bus.lockstep.windows import Side, Told, Windows
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
        self._told: dict[str, dict[str, Any]] = {}
        self._watched: dict[str, bool] = {}  # whether what was asked for has come
        self._parted: set[str] = set()
        self._steps: dict[int, tuple[tuple[int, int], float]] = {}

    def make_keeper(self, plan: RunPlan) -> Windows:  # type: ignore[override]
        """Make the time keeper."""
        self._windows = Windows(plan)
        return self._windows

    def _keep_time(self) -> None:
        session, windows = self._session, self._windows
        while True:
            found = windows.windows(session.allowed())
            self._send_windows(found)
            if not found and not windows.flying:
                upcoming = windows.idle_until
                if upcoming is None:
                    return
                if session.wait(upcoming) == inf:
                    session.settled()
            self._take(self._crew.receive(self._nap()))
            if wall() - self._looked >= LOOK:
                for community in self._observers.communities:
                    self._watch(community)
                self._look_around()

    def _send_windows(self, found: list[tuple[Side, Window]]) -> None:
        """Send windows, one frame a process."""
        self._crew.send_rows(
            "windows",
            (
                (side.ranks[0], (side.name, pack_window(window)))
                for side, window in found
                if self._crew.has(side.ranks[0])
            ),
        )

    def _ask(self, side: Side, kind: str, *parts: Any) -> None:
        rank = side.ranks[0]
        if self._crew.has(rank):
            self._crew.granted[rank] = wall()
            self._crew.send(rank, kind, side.name, *parts)

    def _take(self, parts: Row | None) -> None:
        if parts is None or parts[0] not in _OF_COMMUNITIES:
            super()._take(parts)
        elif parts[0] == "ran":
            for community, promise in parts[1]:
                self._hear("ran", community, promise)
        else:
            self._hear(*parts)

    def _hear(self, kind: str, community: str, *rest: Any) -> None:
        """Take what is said of a community."""
        side = self._windows.sides[community]
        if not side.open or not self._crew.is_said_by(side.ranks[0]):
            return
        if kind == "shown":
            self._windows.values[community] = rest[0]
            self._note_work(rest[1])
            return
        if kind == "watched":
            self._windows.mirror(community, read_entries(rest[0]))
            self._watched[community] = True
            return
        self._crew.granted.pop(side.ranks[0], None)
        if kind == "accounts":
            self._told[community] = rest[0]
        else:
            if kind == "parted":
                self._parted.add(community)
            promise = read_promise(rest[0])
            self._windows.take(side, promise)
            for failure in promise.failures:
                self._windows.stop("app_failed", failure.name)

    def _note_work(self, rows: list[tuple[int, int, float]]) -> None:
        for rank, answered, spent in rows:
            self._windows.seats[rank].answered = answered
            self._spent[rank] = spent

    def _look_for_hangs(self) -> None:
        self._note_steps()
        for side in self._open_sides():
            rank = side.ranks[0]
            since = self._crew.granted.get(rank)
            if since is None:
                continue
            patience = self._patience_for(starting=self._is_starting(rank))
            since = max(since, self._steps[self._crew.pids[rank]][1])
            if patience and wall() - since > patience:
                self._give_up(self._windows.seats[rank], patience)
                side.close()

    def _note_steps(self) -> None:
        """Note since when each process is at the turn it is at: one window may hold many turns."""
        for pid in dict.fromkeys(self._crew.pids.values()):
            turn = read_turn(self._folder, pid)
            if pid not in self._steps or self._steps[pid][0] != turn:
                self._steps[pid] = (turn, wall())

    def _is_starting(self, rank: int) -> bool:
        """Whether the app is at its start whose turn it is in the process of another."""
        at_turn, instant = self._steps[self._crew.pids[rank]][0]
        return at_turn < 0 or instant <= self._plan.apps[at_turn].start

    def _died(self, ranks: tuple[int, ...], how: str, pid: int) -> None:
        super()._died(ranks, how, pid)
        for side in self._windows.sides.values():
            if side.ranks[0] in ranks:
                side.close()

    def _instant_of_trouble(self, seat: Any, pid: int) -> int:
        rank, instant = read_turn(self._folder, pid)
        return instant if rank >= 0 else super()._instant_of_trouble(seat, pid)

    def _watch(self, community: str) -> None:
        """Ask for everything that a community commits, and for what there is; once is enough."""
        side = self._windows.sides.get(community)
        if side is None or community in self._watched or not self._crew.has(side.ranks[0]):
            return
        self._watched[community] = False
        self._crew.send(side.ranks[0], "watch", community)

    def _have_at_hand(self, community: str) -> None:
        """Wait, but not for long, until what a community holds has come."""
        self._watch(community)
        deadline = wall() + AT_HAND
        while not self._watched.get(community, True) and wall() < deadline:
            self._take(self._crew.receive(LOOK))

    def _tell_progress(self) -> None:
        super()._tell_progress()
        for side in self._windows.sides.values():
            if side.open and self._crew.has(side.ranks[0]):
                self._crew.send(side.ranks[0], "show", side.name)

    def _take_leave(self) -> None:
        """Let every app take leave, the recording ones last; ask for everybody's account."""
        windows = self._windows
        windows.close_books()
        end = (pack_stamp(windows.end), windows.end_instant)
        for last in (False, True):
            self._parted.clear()
            for side in self._open_sides():
                letters, side.letters = pack_entries(side.letters), []
                self._ask(side, "part", *end, letters, last)
            self._await_all(self._parted)
        for side in self._open_sides():
            self._ask(side, "accounts")
        self._await_all(self._told)

    def _open_sides(self) -> list[Side]:
        return [side for side in self._windows.sides.values() if side.open]

    def _await_all(self, heard: set[str] | dict[str, Any]) -> None:
        """Wait until every community has been heard, has died or been given up."""
        while any(side.name not in heard for side in self._open_sides()):
            self._take(self._crew.receive(LOOK))
            self._look_at_launcher()
            self._look_for_hangs()

    def _outcome(self) -> Outcome:
        for community, told in self._told.items():
            database = self._windows.databases[community]
            for count in ("posted", "delivered", "thinned", "refused"):
                setattr(database, count, told[count])
            for name, value in told["values"].items():
                message = Message(name, value, 0.0, "", "", community)
                database.variable(name).last = (0, 0, 0, message)
            for name, result in told["taps"].items():
                self._windows.taps[name] = Told(result)
            self._windows.complaints += told["complaints"]
            self._note_work(told["work"])
            self._accounts |= {rank: Account(*account) for rank, account in told["apps"]}
        return super()._outcome()
