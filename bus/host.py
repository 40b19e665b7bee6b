"""The process that hosts apps: takes grants from the broker, runs them, answers."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bus.app import App
from bus.channel import Channel
from bus.clock import sleep, stopwatch
from bus.plan import AppPlan
from bus.runner import Answer, Kind, Runner, failure
from bus.wire import PROTOCOL, as_messages

IMPATIENCE = 0.002  # wall seconds between looks whether the broker listens yet


class Host:
    """Some apps of a run, in one process, at the end of one channel."""

    def __init__(
        self, plans: dict[int, AppPlan], wrap: Callable[[Runner], Runner] | None = None
    ) -> None:
        self._plans = plans
        self._wrap = wrap or (lambda runner: runner)
        self._runners = {rank: self._wrap(Runner(plan.app)) for rank, plan in plans.items()}

    def serve(self, channel: Channel) -> None:
        """Take grants until the broker says stop, or is gone."""
        for parts in channel.frames():
            reply = self._take(parts)
            if reply is None:
                break
            channel.send(*reply)
        channel.close()

    @property
    def ranks(self) -> list[int]:
        """The seats of its apps."""
        return list(self._runners)

    def _take(self, parts: tuple[Any, ...]) -> tuple[Any, ...] | None:
        kind = parts[0]
        if kind == "grant":
            return "answers", [self._run(*granted) for granted in parts[1]]
        if kind == "appcast":
            return "appcast", parts[1], parts[2], self._runners[parts[1]].app.appcast()
        if kind == "renew":
            return "renewed", self._renew(*parts[1:])
        if kind == "rebuild":
            return "rebuilt", [self._rebuild(*row, *parts[2:]) for row in parts[1]]
        return None

    def _run(self, rank: int, warnings: tuple[str, ...], ticks: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run an app's ticks; after one that changes what it gets the rest is given back."""
        runner = self._runners[rank]
        for warning in warnings:
            runner.app.run_warning(warning)
        answers: list[Answer] = []
        began, kind, instant = stopwatch(), Kind.STOP, 0
        try:
            for kind, instant, mail in ticks:
                answer = runner.run(kind, instant, as_messages(mail))
                answers.append(answer)
                if runner.turns_back(answer):
                    break
        except Exception as error:
            failed = failure(runner.app.name, runner.app.community, instant, error)
            told = (failed.time, failed.reason, failed.details)
            return rank, stopwatch() - began, answers, told, None
        account = _account(runner.app) if kind == Kind.STOP else None
        return rank, stopwatch() - began, answers, None, account

    def _rebuild(
        self, rank: int, instant: int, mail: tuple[Any, ...], number: int, seed: int
    ) -> int:
        """Make an app anew for a case; the ones that outlive cases only hear of it."""
        runner = self._runners[rank]
        if runner.app.observes_case_reset:
            runner.begin_case(as_messages(mail), instant, number, seed)
        else:
            self._renew(rank, seed)
        return rank

    def _renew(self, rank: int, seed: int) -> int:
        """Make an app anew."""
        self._runners[rank] = self._wrap(Runner(self._plans[rank].rebuild(seed)))
        return rank


def _account(app: App) -> tuple[Any, ...]:
    """Give what the run's summary says of an app."""
    return app.refused, app.run_warnings, app.config_warnings


def connect(endpoint: str) -> Channel:
    """Connect to the broker, which may not listen yet; not for longer than the launcher lives."""
    launcher = os.getppid()
    while True:
        try:
            return Channel.connect(endpoint)
        except (FileNotFoundError, ConnectionRefusedError):
            if os.getppid() != launcher:
                raise
            sleep(IMPATIENCE)


def become_host(
    endpoint: str,
    plans: dict[int, AppPlan],
    wrap: Callable[[Runner], Runner] | None,
    *,
    rebuilt_with: int | None = None,
) -> None:
    """Be a hosting process: what a forked child does with its life.

    Args:
        endpoint: where the broker listens.
        plans: seat rank -> app.
        wrap: wraps each runner (tests).
        rebuilt_with: the seed to make the apps anew with (after a failure).
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    dump = Path(endpoint).parent / f"stacks-{os.getpid()}"
    faulthandler.register(signal.SIGUSR1, file=dump.open("w"), all_threads=True)
    gc.freeze()
    if rebuilt_with is not None:
        plans = {r: replace(p, app=p.rebuild(rebuilt_with)) for r, p in plans.items()}
    host = Host(plans, wrap)
    channel = connect(endpoint)
    channel.send("host", PROTOCOL, host.ranks, os.getpid())
    host.serve(channel)
