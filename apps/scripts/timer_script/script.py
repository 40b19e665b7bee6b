"""A running script: its clock, and the events due given pauses, conditions and resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from random import Random
from typing import NamedTuple

from steerageway.apps.scripts.timer_script.values import Draw, Key, drawn, evaluate
from steerageway.moos.values import Value, fixed, trimmed


class Range(NamedTuple):
    """Bounds of a uniformly distributed number."""

    low: float
    high: float

    def draw(self, random: Random) -> float:
        """Draw the number; equal bounds consume no random number."""
        return self.low if self.low == self.high else random.uniform(self.low, self.high)


AT_ONCE, UNWARPED = Range(0.0, 0.0), Range(1.0, 1.0)


class Awake(StrEnum):
    """What happens when the conditions hold again."""

    NOTHING = "n/a"
    RESET = "reset"
    RESTART = "restart"


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a script; ``variable`` is empty for ``quit``."""

    variable: str
    text: str
    time: Range
    quoted: bool = False


COUNTS = ("COUNT", "TCOUNT", "IDX")  # macros: posts since the last reset, in all, the event


@dataclass(frozen=True, slots=True)
class Plan:
    """A script as written.

    Attributes:
        events: in the order of the file, one for each repetition.
        draws: the random numbers of its values.
        atomic: once started, conditions do not stop it.
        reset_max: maximum number of resets.
        reset_time: script time [s] at which it resets itself, and of the last events that it posts;
            None: when all is posted; infinite: never.
        shuffle: whether a reset redraws the events' times.
        delay_start, delay_reset: delay of its events [script s].
        warp: script seconds per simulated second.
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
    """A running script.

    Attributes:
        elapsed: its clock [script s].
        posted, total: events posted since the last reset, and altogether.
        resets: number of resets.
        paused: whether its clock is paused by a command.
        awake: whether its conditions held when last evaluated.
        over: whether it has reached its ``quit``.
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
        """Start, or start again with all state cleared."""
        self.resets = 0
        self._warp = self.plan.warp.draw(self.random)
        self._numbers = drawn(self.plan.draws, (Key.AT_START, Key.AT_RESET), self.random)
        self._start_delay = self.plan.delay_start.draw(self.random)
        self._draw_times()
        self._rewind(self._start_delay)

    def reset(self) -> None:
        """Reset to the beginning, if a reset is left."""
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
        """Advance the clock by script seconds; if not positive, to the next event."""
        if seconds > 0:
            self.elapsed += seconds
        elif self._pending:
            self.elapsed = max(self.elapsed, self._pending[0].time + self._delay)

    def wake(self, holds: bool) -> None:
        """Set whether the conditions hold."""
        if holds and not self.awake and not self._runs_on:
            if self.plan.upon_awake is Awake.RESET and self.elapsed > 0:
                self.reset()
            elif self.plan.upon_awake is Awake.RESTART:
                self.begin()
        self.awake = holds

    def advance(self, seconds: float, macros: Mapping[str, str]) -> list[tuple[str, Value]]:
        """Advance simulated time; return the posts that have become due.

        Args:
            seconds: of simulated time.
            macros: the app's values: DBTIME, UTC, NAV_X ...
        """
        if self.over or self.paused or not (self.awake or self._runs_on):
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
        """Return the text of ``UTS_STATUS``."""
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
        time, last = self._pending[0].time, self.plan.reset_time
        return time + self._delay <= self.elapsed and (last is None or time <= last)

    @property
    def _runs_on(self) -> bool:
        """Whether conditions cannot stop it: atomic, begun and not finished."""
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
