"""The process of communities that keep their own time: takes windows, runs them, answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from steerageway.bus.core.app import App
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Answer, Kind, Runner, account_of
from steerageway.bus.core.turn import Turn
from steerageway.bus.lockstep.local import Local
from steerageway.bus.lockstep.window_frames import (
    Row,
    pack_entries,
    pack_promise,
    read_entries,
    read_stamp,
    read_window,
)
from steerageway.bus.processes.host import connect, settle_in
from steerageway.bus.transport.channel import Channel
from steerageway.bus.transport.vigil import at_speed
from steerageway.bus.transport.wire import PROTOCOL


class Noting:
    """A runner that notes whose turn it is, for when the process ends or hangs."""

    def __init__(self, runner: Runner, rank: int, note: Callable[[int, int], None]) -> None:
        self._runner = runner
        self._rank = rank
        self._note = note

    @property
    def app(self) -> App:
        """The app."""
        return self._runner.app

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        """Run one grant."""
        self._note(self._rank, instant)
        return self._runner.run(kind, instant, mail)


class Household:
    """All apps of one community, and their time."""

    def __init__(self, plan: RunPlan, community: str, note: Callable[[int, int], None]) -> None:
        wrap = plan.wrap or (lambda runner: runner)
        runners = [
            Noting(wrap(Runner(app.app)), rank, note)
            if app.community == community
            else Runner(app.app)
            for rank, app in enumerate(plan.apps)
        ]
        self.ranks = [r for r, app in enumerate(plan.apps) if app.community == community]
        self._community = community
        self._keeper = Local(plan, runners, community)  # type: ignore[arg-type]
        self._shown = plan.shown

    def run(self, window: Row) -> Row:
        """Run a window; give the promise."""
        return pack_promise(self._keeper.run_window(read_window(window)))

    def answer(self, kind: str, *rest: Any) -> Row:
        """Do what a frame asks for."""
        if kind == "part":
            end, instant, letters, last = rest
            promise = self._keeper.part(read_stamp(end), instant, read_entries(letters), last=last)
            return "parted", self._community, pack_promise(promise)
        if kind == "watch":
            return "watched", self._community, pack_entries(self._keeper.watch())
        if kind == "show":
            return "shown", self._community, self._values(self._shown), self._work()
        return "accounts", self._community, self._account()

    def appcast(self, rank: int) -> str:
        """Give an app's appcast."""
        return self._keeper.runners[rank].app.appcast()

    def _work(self) -> list[tuple[int, int, float]]:
        """Give of each app its seat, how often it ran, and the wall seconds it took."""
        keeper = self._keeper
        return [(rank, keeper.seats[rank].answered, keeper.spent[rank]) for rank in self.ranks]

    def _values(self, names: Sequence[str]) -> dict[str, Any]:
        database = self._keeper.databases[self._community]
        return {name: value for name in names if (value := database.value(name)) is not None}

    def _account(self) -> dict[str, Any]:
        keeper, database = self._keeper, self._keeper.databases[self._community]
        return {
            "posted": database.posted,
            "delivered": keeper.delivered,
            "thinned": database.thinned,
            "refused": database.refused,
            "values": self._values(list(database.variables)),
            "taps": {name: tap.result() for name, tap in keeper.taps.items()},
            "work": self._work(),
            "apps": [(rank, account_of(keeper.runners[rank].app)) for rank in self.ranks],
            "complaints": keeper.complaints,
        }


class WindowHost:
    """The communities of one process, at the end of one channel."""

    def __init__(
        self, plan: RunPlan, communities: Sequence[str], note: Callable[[int, int], None]
    ) -> None:
        self._plan = plan
        self._households = {name: Household(plan, name, note) for name in communities}
        self.ranks = [rank for household in self._households.values() for rank in household.ranks]

    def serve(self, channel: Channel) -> None:
        """Take frames until the broker says stop, or is gone."""
        for parts in channel.frames(at_speed(self._plan.warp)):
            if parts[0] == "stop":
                break
            channel.send(*self._take(*parts))
        channel.close()

    def _take(self, kind: str, *rest: Any) -> Row:
        if kind == "windows":
            return "ran", [(name, self._households[name].run(window)) for name, window in rest[0]]
        if kind == "appcast":
            rank, number = rest
            household = self._households[self._plan.apps[rank].community]
            return "appcast", rank, number, household.appcast(rank)
        community, *asked = rest
        return self._households[community].answer(kind, *asked)


def become_window_host(endpoint: str, plan: RunPlan, communities: Sequence[str]) -> None:
    """Be the process of some communities: what a forked child does with its life.

    Args:
        endpoint: where the broker listens.
        plan: the whole run's.
        communities: whose process it is.
    """
    folder, pid = settle_in(endpoint)
    host = WindowHost(plan, communities, Turn(folder, pid).note)
    channel = connect(endpoint)
    channel.send("host", PROTOCOL, host.ranks, pid)
    host.serve(channel)
