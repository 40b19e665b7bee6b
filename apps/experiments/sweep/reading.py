"""Reads a sweep's cases from a YAML file; ``docs/sweeps.md`` describes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steerageway.apps.experiments.sweep.design import (
    KEYS,
    Factor,
    Trial,
    check_keys,
    read_factors,
    read_trials,
)
from steerageway.apps.experiments.sweep.measures import Measures, read_record
from steerageway.bus import Value, is_name
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.moos.condition import Condition, ConditionError, parse_typed_condition
from steerageway.moos.values import auto_value, is_number
from steerageway.world.document import Section, read

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
        awaits, pokes: the variables that it is about, and those that it posts, each with the line
            of its file that says so.
    """

    trials: Sequence[Trial]
    rebuilds: bool
    until: Condition | None
    limit: float
    record: tuple[str, ...]
    state: tuple[str, ...]
    posts: tuple[str, ...]
    awaits: tuple[tuple[str, Diagnostic], ...] = ()
    pokes: tuple[tuple[str, Diagnostic], ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return ("case", "seed", *self.state, *self.posts, "end", "seconds", *self.record)

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """The variables that it is about."""
        until = self.until.variables if self.until else ()
        return tuple(dict.fromkeys((*until, *Measures(self.record).names)))

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
    for factor in posts:
        if not is_name(factor.name):
            expected = "a variable's name: printable, without blanks at its ends"
            factor.section.fail(factor.key, repr(factor.name), expected)
    until, record = _read_until(file), read_record(file)
    plan = SweepPlan(
        trials=read_trials(file, (*state, *posts), seed),
        rebuilds=file.choice("reset", RESETS, RESETS[0]) == RESETS[0],
        until=until,
        limit=file.positive("limit"),
        record=record,
        state=tuple(factor.name for factor in state),
        posts=tuple(factor.name for factor in posts),
        awaits=tuple(_awaited(file, until, record)),
        pokes=tuple((one.name, Diagnostic(one.section.where(one.key))) for one in posts),
    )
    _check_columns(file, plan)
    return plan


def _check_columns(file: Section, plan: SweepPlan) -> None:
    """Refuse a table with two columns of one name.

    Raises:
        InvalidValue: naming file, line and key.
    """
    for name in plan.record:
        if plan.columns.count(name) > 1:
            other = f"last {name}, as the table has a column {name} already"
            file.fail("record", name, other)
    for name in plan.posts:
        if plan.columns.count(name) > 1:
            file.section("posts").fail(name, name, "another: the table has a column of this name")


def _awaited(
    file: Section, until: Condition | None, record: Sequence[str]
) -> Iterator[tuple[str, Diagnostic]]:
    """Give the variables of measures and of the end, and the lines that say so."""
    for text in record:
        line = Diagnostic(file.where("record"), text)
        yield from ((name, line) for name in Measures([text]).names)
    if until is not None:
        line = Diagnostic(file.where("until"), until.text)
        yield from ((name, line) for name in until.variables)


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
        condition = parse_typed_condition(text)
    except ConditionError as error:
        file.fail("until", text, f"a condition; column {error.column}: {error.expected}")
    if condition.timed:
        file.fail("until", text, "no _DELTA here: nothing says when it changes")
    return condition
