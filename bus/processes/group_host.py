"""``GroupHost``: a process that runs communities with kernels of their own."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from steerageway.bus.core.activation_mark import ActivationMark
from steerageway.bus.core.app import App
from steerageway.bus.core.clock import stopwatch
from steerageway.bus.core.interrupts import ignore_end_signals
from steerageway.bus.core.message import Message
from steerageway.bus.core.plan import RunPlan
from steerageway.bus.core.runner import Answer, Kind, Runner, figures_of
from steerageway.bus.lockstep.case_state import CaseState
from steerageway.bus.lockstep.community_group import CommunityGroup
from steerageway.bus.lockstep.windows import (
    Row,
    pack_bounds,
    pack_entries,
    read_entries,
    read_stamp,
    read_window,
)
from steerageway.bus.processes.host import appcast_frame, connect_when_open, set_up_host
from steerageway.bus.transport.channel import Channel, Frame
from steerageway.bus.transport.remote import RemoteChannel
from steerageway.bus.transport.spin_wait import wait_at
from steerageway.bus.transport.wire import PROTOCOL

TIME_SLICE = 1.0  # wall seconds after which a process answers part of its windows


class TrackingRunner:
    """A runner that marks its activations, see ``ActivationMark``."""

    def __init__(self, runner: Runner, rank: int, note: Callable[[int, int], None]) -> None:
        self._runner = runner
        self._rank = rank
        self._note = note

    @property
    def app(self) -> App:
        """The app."""
        return self._runner.app

    def run(self, kind: Kind, instant: int, mail: Sequence[Message]) -> Answer:
        """Mark and run one activation."""
        self._note(self._rank, instant)
        return self._runner.run(kind, instant, mail)


class CommunityHost:
    """All apps of one community, with a kernel of their own."""

    def __init__(
        self, plan: RunPlan, runners: Sequence[Runner], community: str, beside: CaseState
    ) -> None:
        """Begin at time 0; arguments as of ``CommunityGroup``."""
        self.ranks = [r for r, app in enumerate(plan.apps) if app.community == community]
        self._community = community
        self._group = CommunityGroup(plan, runners, community, beside)
        self._shown = plan.shown

    def run(self, window: Row) -> Row:
        """Run a window; return the bounds."""
        return pack_bounds(self._group.run_window(read_window(window)))

    def answer(self, kind: str, *rest: Any) -> Row:
        """Answer a frame."""
        if kind == "part":
            end, instant, transfers, last = rest
            arrived = read_entries(transfers)
            bounds = self._group.stop_apps(read_stamp(end), instant, arrived, recording=last)
            return "parted", self._community, pack_bounds(bounds)
        if kind == "watch":
            return "watched", self._community, pack_entries(self._group.watch())
        if kind == "show":
            return "shown", self._community, self._values(self._shown), self._work()
        return "accounts", self._community, self._summary()

    def app(self, rank: int) -> App:
        """Return an app."""
        return self._group.kernel.runners[rank].app

    def _work(self) -> list[tuple[int, int, float]]:
        """Return each app's slot, number of activations, and wall seconds."""
        kernel = self._group.kernel
        return [(r, kernel.state.slots[r].answered, kernel.spent[r]) for r in self.ranks]

    def _values(self, names: Sequence[str]) -> dict[str, Any]:
        database = self._group.kernel.state.databases[self._community]
        return {name: value for name in names if (value := database.value(name)) is not None}

    def _summary(self) -> dict[str, Any]:
        runners, state = self._group.kernel.runners, self._group.kernel.state
        database = state.databases[self._community]
        return {
            "posted": database.posted,
            "delivered": self._group.delivered,
            "thinned": database.thinned,
            "refused": database.refused,
            "values": self._values(list(database.variables)),
            "taps": {name: tap.result() for name, tap in state.taps.items()},
            "work": self._work(),
            "apps": [(rank, figures_of(runners[rank].app)) for rank in self.ranks],
            "complaints": state.complaints,
        }


class GroupHost:
    """The communities of one process, with one channel."""

    def __init__(
        self, plan: RunPlan, communities: Sequence[str], note: Callable[[int, int], None]
    ) -> None:
        self._plan = plan
        wrap = plan.wrap or (lambda runner: runner)
        # Those of other processes' apps only fill their ranks; they are never run.
        runners = [
            TrackingRunner(wrap(Runner(app.app)), rank, note)
            if app.community in communities
            else Runner(app.app)
            for rank, app in enumerate(plan.apps)
        ]
        beside = CaseState(replace(plan, until=(), fail_if=(), tap=None), communities=())
        self._hosts = {
            name: CommunityHost(plan, runners, name, beside)  # type: ignore[arg-type]
            for name in communities
        }
        self.ranks = [rank for host in self._hosts.values() for rank in host.ranks]

    def serve(self, channel: Channel | RemoteChannel, frames: Iterator[Frame]) -> None:
        """Handle a channel's frames until the broker stops the process, or is gone."""
        gc.freeze()  # one collection of many communities' apps takes seconds
        for parts in frames:
            if parts[0] == "stop":
                break
            if parts[0] == "windows":
                self._run(channel, parts[1])
            else:
                channel.send(*self._take(*parts))
        channel.close()

    def _run(self, channel: Channel | RemoteChannel, windows: Sequence[tuple[str, Row]]) -> None:
        """Run the windows of several communities; answer now and then, as a sign of life."""
        rows: list[tuple[str, Row]] = []
        began = stopwatch()
        for name, window in windows:
            if rows and stopwatch() - began > TIME_SLICE:
                channel.send("ran", rows)
                rows, began = [], stopwatch()
            rows.append((name, self._hosts[name].run(window)))
        channel.send("ran", rows)

    def _take(self, kind: str, *rest: Any) -> Row:
        if kind == "appcast":
            (rank,) = rest
            return appcast_frame(rank, self._hosts[self._plan.apps[rank].community].app(rank))
        community, *asked = rest
        return self._hosts[community].answer(kind, *asked)


def run_group_host(address: str, plan: RunPlan, communities: Sequence[str]) -> None:
    """Run the process of some communities, in a forked child.

    Args:
        address: at which the broker listens, see ``listener.address_in``.
        plan: the whole run's.
        communities: those of this process.
    """
    folder, pid = set_up_host(address)
    host = GroupHost(plan, communities, ActivationMark(folder, pid).note)
    channel = connect_when_open(address)
    channel.send("host", PROTOCOL, host.ranks, pid)
    host.serve(channel, channel.frames(wait_at(plan.warp)))


def run_remote_host(
    address: str, keys: Path, plan: RunPlan, communities: Sequence[str], number: int, parent: int
) -> None:
    """Run the process of some communities on another machine than the broker's.

    Args:
        address: at which the broker listens for such processes, "host:port".
        keys: a file of keys.
        plan: the whole run's.
        communities: those of this process.
        number: of this process, as the broker knows it.
        parent: process id of the process with which this one ends.
    """
    ignore_end_signals()
    host = GroupHost(plan, communities, lambda rank, instant: None)
    channel = RemoteChannel(address, keys, parent)
    channel.send("host", PROTOCOL, host.ranks, number)
    host.serve(channel, channel.frames())
