"""``Host``: a process that hosts apps: takes grants, runs activations, answers."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from steerageway.bus.core.activation_mark import ActivationMark
from steerageway.bus.core.app import App
from steerageway.bus.core.clock import sleep, stopwatch
from steerageway.bus.core.interrupts import ignore_end_signals
from steerageway.bus.core.plan import AppPlan, RunPlan
from steerageway.bus.core.runner import KINDS, Answer, Kind, Runner, failure_of, figures_of, trouble
from steerageway.bus.transport.channel import Channel, Wait
from steerageway.bus.transport.listener import folder_of
from steerageway.bus.transport.spin_wait import wait_at
from steerageway.bus.transport.wire import PROTOCOL, as_messages

RETRY = 0.002  # wall seconds between attempts to connect
TIME_SLICE = 0.1  # wall seconds after which a host answers part of its grants


class Host:
    """Some apps of a run, in one process with one channel."""

    def __init__(
        self,
        plans: dict[int, AppPlan],
        wrap: Callable[[Runner], Runner] | None = None,
        note: Callable[[int, int], None] = lambda rank, instant: None,
    ) -> None:
        self._plans = plans
        self._note = note
        self._wrap = wrap or (lambda runner: runner)
        self._runners = {rank: self._wrap(Runner(plan.app)) for rank, plan in plans.items()}

    def serve(self, channel: Channel, wait: Wait | None = None) -> None:
        """Handle frames until the broker stops the process, or is gone."""
        for parts in channel.frames(wait):
            if parts[0] == "stop":
                break
            for reply in self._take(parts):
                channel.send(*reply)
        channel.close()

    @property
    def ranks(self) -> list[int]:
        """The slots of its apps."""
        return list(self._runners)

    def _take(self, parts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        kind = parts[0]
        if kind == "grant":
            yield from self._run_all(parts[1])
        elif kind == "appcast":
            yield appcast_frame(parts[1], self._runners[parts[1]].app)
        elif kind == "renew":
            yield "rebuilt", [self._renew(*parts[1:])]
        elif kind == "rebuild":
            yield "rebuilt", [self._rebuild(*row, *parts[2:]) for row in parts[1]]

    def _run_all(self, grants: tuple[tuple[Any, ...], ...]) -> Iterator[tuple[Any, ...]]:
        """Run the grants of several apps; answer now and then, as a sign of life."""
        rows: list[tuple[Any, ...]] = []
        began = stopwatch()
        for granted in grants:
            if rows and stopwatch() - began > TIME_SLICE:
                yield "answers", rows
                rows, began = [], stopwatch()
            rows.append(self._run(*granted))
        yield "answers", rows

    def _run(self, rank: int, warnings: tuple[str, ...], ticks: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run an app's grant; the rest is given back after an activation that changes its mail."""
        runner = self._runners[rank]
        for warning in warnings:
            runner.app.run_warning(warning)
        answers: list[Answer] = []
        began, kind, instant = stopwatch(), Kind.STOP, 0
        try:
            for kind, instant, mail in ticks:
                self._note(rank, instant)
                answer = runner.run(KINDS[kind], instant, as_messages(mail))
                answers.append(answer)
                # The coordinator takes what is not answered back (``Slot.withdraw``).
                if runner.invalidates_rest(answer) or stopwatch() - began > TIME_SLICE:
                    break
        except trouble() as error:
            failed = _described(runner.app, instant, error)
            return rank, stopwatch() - began, answers, failed, figures_of(runner.app)
        figures = figures_of(runner.app) if kind == Kind.STOP else None
        return rank, stopwatch() - began, answers, None, figures

    def _rebuild(
        self, rank: int, instant: int, mail: tuple[Any, ...], number: int, seed: int
    ) -> tuple[int, tuple[Any, ...] | None]:
        """Rebuild an app for a case; one that outlives cases is only told of it."""
        runner = self._runners[rank]
        if not runner.app.observes_case_reset:
            return self._renew(rank, seed)
        try:
            runner.begin_case(as_messages(mail), instant, number, seed)
        except trouble() as error:
            return rank, _described(runner.app, instant, error)
        return rank, None

    def _renew(self, rank: int, seed: int) -> tuple[int, tuple[Any, ...] | None]:
        """Rebuild an app; return its rank, and its failure if it raised."""
        plan = self._plans[rank]
        try:
            self._runners[rank] = self._wrap(Runner(plan.rebuild(seed)))
        except trouble() as error:
            return rank, _described(plan.app, plan.app.instant, error)
        return rank, None


def appcast_frame(rank: int, app: App) -> tuple[Any, ...]:
    """Return the answer to a request for an app's appcast, with the wall seconds that it took."""
    began = stopwatch()
    return "appcast", rank, app.appcast(), stopwatch() - began


def _described(app: App, instant: int, error: BaseException) -> tuple[Any, ...]:
    """Return the failure of an app as sent to the broker."""
    failed = failure_of(app.name, app.community, instant, error)
    return instant, failed.reason, failed.details


def connect_when_open(address: str) -> Channel:
    """Connect to the broker, which may not listen yet; give up when the launcher has ended."""
    launcher = os.getppid()
    while True:
        try:
            return Channel.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            if os.getppid() != launcher:
                raise
            sleep(RETRY)


def run_host(
    address: str, plan: RunPlan, ranks: Sequence[int], *, rebuilt_with: int | None = None
) -> None:
    """Run a hosting process, in a forked child.

    Args:
        address: at which the broker listens, see ``listener.address_in``.
        plan: the whole run's.
        ranks: the slots of its apps.
        rebuilt_with: the seed to rebuild the apps with, after a failure; None: use them as they
            are.
    """
    folder, pid = set_up_host(address)
    plans = {rank: plan.apps[rank] for rank in ranks}
    if rebuilt_with is not None:
        plans = {r: replace(p, app=p.rebuild(rebuilt_with)) for r, p in plans.items()}
    host = Host(plans, plan.wrap, ActivationMark(folder, pid).note)
    channel = connect_when_open(address)
    channel.send("host", PROTOCOL, host.ranks, pid)
    host.serve(channel, wait_at(plan.warp))


def set_up_host(address: str) -> tuple[str, int]:
    """Set a forked child up as a host; return the run's folder and its process id.

    Each function that a child calls, however short, costs it some pages of memory of its own, as
    calls count references. So a child does little, by plain system calls.
    """
    ignore_end_signals()
    folder, pid = folder_of(address), os.getpid()
    # For ``GroupProcesses.kill``: on the signal, the stacks of a hanging host are written here.
    dump = os.open(f"{folder}/stacks-{pid}", os.O_WRONLY | os.O_CREAT, 0o600)
    faulthandler.register(signal.SIGUSR1, file=dump, all_threads=True)
    # What was built before the fork lasts: collecting it would only copy the shared pages.
    gc.freeze()
    return folder, pid
