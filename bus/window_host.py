"""The process of one community that keeps its own time: takes windows, runs them, answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bus.app import App
from bus.channel import Channel
from bus.host import connect, settle_in
from bus.local import Local
from bus.message import Message
from bus.plan import RunPlan
from bus.runner import Answer, Kind, Runner, account_of
from bus.turn import Turn
from bus.window_frames import pack_promise, read_entries, read_stamp, read_window
from bus.wire import PROTOCOL


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


class WindowHost:
    """All apps of one community, in one process, at the end of one channel."""

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

    def serve(self, channel: Channel) -> None:
        """Take frames until the broker says stop, or is gone."""
        for parts in channel.frames():
            if parts[0] == "stop":
                break
            channel.send(*self._take(*parts))
        channel.close()

    def _take(self, kind: str, *rest: Any) -> tuple[Any, ...]:
        if kind == "window":
            return "ran", self._community, pack_promise(self._keeper.run_window(read_window(rest)))
        if kind == "part":
            end, instant, letters, last = rest
            promise = self._keeper.part(read_stamp(end), instant, read_entries(letters), last=last)
            return "parted", self._community, pack_promise(promise)
        if kind == "appcast":
            rank, number = rest
            return "appcast", rank, number, self._keeper.runners[rank].app.appcast()
        if kind == "show":
            return "shown", self._community, self._values(self._shown), self._work()
        return "accounts", self._community, self._account()

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


def become_window_host(endpoint: str, plan: RunPlan, community: str) -> None:
    """Be the process of a community: what a forked child does with its life.

    Args:
        endpoint: where the broker listens.
        plan: the whole run's.
        community: whose process it is.
    """
    folder, pid = settle_in(endpoint)
    host = WindowHost(plan, community, Turn(folder, pid).note)
    channel = connect(endpoint)
    channel.send("host", PROTOCOL, host.ranks, pid)
    host.serve(channel)
