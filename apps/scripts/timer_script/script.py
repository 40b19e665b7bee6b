"""A script at work: which events are due, as its clock, pauses, conditions and resets have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from random import Random
from typing import NamedTuple

from steerageway.apps.scripts.timer_script.draws import Draw, Key, drawn
from steerageway.apps.scripts.timer_script.values import evaluate
from steerageway.moos.values import Value, fixed, trimmed


class Range(NamedTuple):
    """Bounds of a number that is drawn uniformly."""

    low: float
    high: float

    def draw(self, random: Random) -> float:
        """Draw the number; no draw is spent where there is nothing to choose."""
        return self.low if self.low == self.high else random.uniform(self.low, self.high)


AT_ONCE, UNWARPED = Range(0.0, 0.0), Range(1.0, 1.0)


class Awake(StrEnum):
    """What happens when the conditions hold again."""

    NOTHING = "n/a"
    RESET = "reset"
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a script; ``variable`` is empty for the one that ends it."""

    variable: str
    text: str
    time: Range
    quoted: bool = False


COUNTS = ("COUNT", "TCOUNT", "IDX")  # macros: posts since the last reset, in all, the event


@dataclass(frozen=True, slots=True)
class Plan:
    """A script as it was written.

    Attributes:
        events: in the order of the file, one for each time it is to happen.
        draws: the random numbers its values name.
        atomic: once begun it runs on whatever the conditions say, and cannot be paused.
        reset_max: how many resets there may be.
        reset_time: of the script [s] at which it resets itself; None: when all is posted;
            infinite: never.
        shuffle: whether a reset draws the events' times again.
        delay_start, delay_reset: script seconds by which its events come later.
        warp: script seconds a simulated second.
    """

    name: str
    events: Sequence[Event]
    draws: Sequence[Draw] = ()
    paused: bool = False
    atomic: bool = False
    reset_max: float = inf
    reset_time: float | None = inf
    shuffle: bool = True
    delay_start: Range = AT_ONCE
    delay_reset: Range = AT_ONCE
    warp: Range = UNWARPED
    upon_awake: Awake = Awake.NOTHING


class _Pending(NamedTuple):
    time: float
    number: int
    event: Event


@dataclass(slots=True)
class Script:
    """A script at work.

    Attributes:
        elapsed: its clock [script s].
        posted, total: events posted since the last reset, and altogether.
        resets: how often it was reset.
        paused: whether somebody has stopped its clock.
        awake: whether its conditions held when last looked at.
        over: whether it has come to its ``quit``.
    """

    plan: Plan
    random: Random
    elapsed: float = 0.0
    posted: int = 0
    total: int = 0
    resets: int = 0
    paused: bool = False
    awake: bool = True
    over: bool = False
    _delay: float = 0.0
    _start_delay: float = 0.0
    _reset_delay: float = 0.0
    _warp: float = 1.0
    _numbers: dict[str, str] = field(default_factory=dict)
    _pending: list[_Pending] = field(default_factory=list)
    _times: list[_Pending] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.paused = self.plan.paused
        self.begin()

    def begin(self) -> None:
        """Begin, or begin anew as if nothing had been."""
        self.resets = 0
        self._warp = self.plan.warp.draw(self.random)
        self._numbers = drawn(self.plan.draws, (Key.AT_START, Key.AT_RESET), self.random)
        self._start_delay = self.plan.delay_start.draw(self.random)
        self._draw_times()
        self._rewind(self._start_delay)

    def reset(self) -> None:
        """Go back to the beginning, if a reset is left."""
        if self.resets >= self.plan.reset_max:
            return
        self.resets += 1
        self._numbers |= drawn(self.plan.draws, (Key.AT_RESET,), self.random)
        self._warp = self.plan.warp.draw(self.random)
        self._reset_delay = self.plan.delay_reset.draw(self.random)
        if self.plan.shuffle:
            self._draw_times()
        self._rewind(self._reset_delay)

    def forward(self, seconds: float) -> None:
        """Let so many script seconds have passed; to the next event when not positive."""
        if seconds > 0:
            self.elapsed += seconds
        elif self._pending:
            self.elapsed = max(self.elapsed, self._pending[0].time + self._delay)

    def wake(self, holds: bool) -> None:
        """Note whether the conditions hold."""
        if holds and not self.awake and not self._runs_on:
            if self.plan.upon_awake is Awake.RESET and self.elapsed > 0:
                self.reset()
            elif self.plan.upon_awake is Awake.RESTART:
                self.begin()
        self.awake = holds

    def advance(self, seconds: float, macros: Mapping[str, str]) -> list[tuple[str, Value]]:
        """Let simulated time pass; give the posts that have become due.

        Args:
            seconds: of simulated time.
            macros: what the app knows: DBTIME, UTC, NAV_X ...
        """
        if self.over or not (self._runs_on or (self.awake and not self.paused)):
            return []
        self.elapsed += seconds * self._warp
        posts = []
        while self._pending and not self.over and self._is_due:
            posts += self._carry_out(self._pending.pop(0), macros)
        at = self.plan.reset_time
        if not self.over and (not self._pending if at is None else self.elapsed >= at):
            self.reset()
        return posts

    def status(self) -> str:
        """Give the text of ``UTS_STATUS``."""
        plan = self.plan
        most = "any" if plan.reset_max == inf else trimmed(plan.reset_max)
        return (
            f"name={plan.name}, elapsed_time={fixed(self.elapsed, 2)}, posted={self.posted}, "
            f"pending={len(self._pending)}, paused={_word(self.paused)}, "
            f"conditions_ok={_word(self.awake)}, time_warp={trimmed(self._warp)}, "
            f"delay_start={trimmed(self._start_delay)}, delay_reset={trimmed(self._reset_delay)}, "
            f"shuffle={_word(plan.shuffle)}, upon_awake={plan.upon_awake}, "
            f"resets={self.resets}/{most}"
        )

    @property
    def _is_due(self) -> bool:
        return self._pending[0].time + self._delay <= self.elapsed

    @property
    def _runs_on(self) -> bool:
        """Whether nothing may stop it: an atomic script that has begun and has not finished."""
        return self.plan.atomic and self.posted > 0 and bool(self._pending)

    def _draw_times(self) -> None:
        events = enumerate(self.plan.events)
        self._times = sorted(_Pending(e.time.draw(self.random), i, e) for i, e in events)

    def _rewind(self, delay: float) -> None:
        self.elapsed, self.posted, self._delay = 0.0, 0, delay
        self._pending = list(self._times)

    def _carry_out(self, due: _Pending, macros: Mapping[str, str]) -> list[tuple[str, Value]]:
        event = due.event
        if not event.variable:
            self.over = True
            return []
        self._numbers |= drawn(self.plan.draws, (Key.AT_POST,), self.random)
        counts = dict(
            zip(COUNTS, (f"{self.posted}", f"{self.total}", f"{due.number:03}"), strict=True)
        )
        known = {**macros, **counts, **self._numbers}
        value = evaluate(event.text, known, self.random, quoted=event.quoted)
        self.posted += 1
        self.total += 1
        return [(event.variable, value)]


def _word(holds: bool) -> str:
    return "true" if holds else "false"
