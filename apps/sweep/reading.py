"""Reads a sweep's cases from a YAML file; ``docs/sweeps.md`` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.design import KEYS, Factor, Trial, check_keys, read_factors, read_trials
from apps.measures import Measures, read_record
from bus import Value
from moos.condition import Condition, ConditionError, parse_condition
from moos.values import auto_value, is_number
from vessel.fossen.document import Section, read

STATE = ("x", "y", "heading", "speed", "depth")
RESETS = ("case", "vessel")
RESET, CASE = "USM_RESET", "SWEEP_CASE"


@dataclass(frozen=True)
class SweepPlan:
    """What a sweep does.

    Attributes:
        trials: its cases.
        rebuilds: whether each case is a fresh start of every app, or only a ``USM_RESET``.
        until: ends a case once it holds; None: its limit does.
        limit: how long a case may last [s].
        record: the measures, as the file has them.
        state, posts: the columns of the table that say what a case was.
    """

    trials: Sequence[Trial]
    rebuilds: bool
    until: Condition | None
    limit: float
    record: tuple[str, ...]
    state: tuple[str, ...]
    posts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return ("case", "seed", *self.state, *self.posts, "end", "seconds", *self.record)

    @property
    def heard(self) -> tuple[str, ...]:
        """The variables that it is about."""
        until = self.until.variables if self.until else ()
        return tuple(dict.fromkeys((*until, *Measures(self.record).names)))

    def awaited(self, file: str) -> list[tuple[str, str]]:
        """Give the variables that it is about, and the lines of its file that say so."""
        until = () if self.until is None else self.until.variables
        found = {name: f"{file}: record: {text}" for text in self.record for name in _names(text)}
        found |= {name: f"{file}: until: {self.until.text}" for name in until if self.until}
        return list(found.items())

    def first(self, trial: Trial) -> dict[str, Value]:
        """Give the posts with which a case begins: its number, and the vessel's state."""
        state = ",".join(f"{key}={trial.values[key]}" for key in self.state)
        return {CASE: float(trial.number), **({RESET: state} if state else {})}

    def then(self, trial: Trial) -> dict[str, Value]:
        """Give the posts of a case that wait until every app is there."""
        return {name: auto_value(trial.values[name]) for name in self.posts}


NOTHING = SweepPlan((), True, None, 0.0, (), (), ())


def read_sweep(path: Path, seed: int) -> SweepPlan:
    """Read a file.

    Args:
        path: the file.
        seed: the mission's.
    Raises:
        InvalidValue: naming file, line, key, value and what would be right.
        OSError: it cannot be read.
    """
    file = read(path)
    check_keys(file, (*KEYS, "state", "posts", "reset", "until", "limit", "record"))
    state, posts = (read_factors(file.section(key)) for key in ("state", "posts"))
    for factor in state:
        _check_state(factor)
    return SweepPlan(
        trials=read_trials(file, (*state, *posts), seed),
        rebuilds=file.choice("reset", RESETS, RESETS[0]) == RESETS[0],
        until=_read_until(file),
        limit=file.positive("limit"),
        record=read_record(file),
        state=tuple(factor.name for factor in state),
        posts=tuple(factor.name for factor in posts),
    )


def _names(measure: str) -> tuple[str, ...]:
    return Measures([measure]).names


def _check_state(factor: Factor) -> None:
    """Refuse what ``USM_RESET`` does not take.

    Raises:
        InvalidValue: naming file, line and key.
    """
    expected = f"one of {', '.join(STATE)}"
    if factor.name not in STATE:
        factor.section.fail(factor.key, factor.name, expected)
    for value in factor.values:
        if not is_number(value):
            factor.section.fail(factor.key, value, "a number without an exponent")


def _read_until(file: Section) -> Condition | None:
    text = file.text("until")
    if not text:
        return None
    try:
        condition = parse_condition(text)
    except ConditionError as error:
        file.fail("until", text, f"a condition; column {error.column}: {error.expected}")
    if condition.timed:
        file.fail("until", text, "no _DELTA here: nothing says when it changes")
    return condition
