"""Reader of uSweep's YAML file of cases; ``docs/sweeps.md`` describes it."""

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
    """The cases of a sweep, and how they are run.

    Attributes:
        trials: its cases.
        rebuilds: whether each case rebuilds every app, instead of only posting ``USM_RESET``.
        until: ends a case once it holds; None: only the limit does.
        limit: maximum duration of a case [s].
        record: the measures, as in the file.
        state, posts: the columns of the table with the values of a case.
        awaits, pokes: the variables it uses, and those it posts, each with its line of the file.
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
        """The variables it uses."""
        until = self.until.variables if self.until else ()
        return tuple(dict.fromkeys((*until, *Measures(self.record).names)))

    def first(self, trial: Trial) -> dict[str, Value]:
        """Return the posts with which a case begins: its number, and the vessel's state."""
        state = ",".join(f"{key}={trial.values[key]}" for key in self.state)
        return {CASE: float(trial.number), **({RESET: state} if state else {})}

    def then(self, trial: Trial) -> dict[str, Value]:
        """Return the posts of a case for which all apps must be connected."""
        return {name: auto_value(trial.values[name]) for name in self.posts}


NOTHING = SweepPlan((), True, None, 0.0, (), (), ())


def read_sweep(path: Path, seed: int) -> SweepPlan:
    """Read a file.

    Args:
        path: the file.
        seed: the mission's.
    Raises:
        InvalidValue: with file, line, key, value and the expected value.
        OSError: the file cannot be read.
    """
    file = read(path)
    check_keys(file, (*KEYS, "state", "posts", "reset", "until", "limit", "record"))
    state, posts = (read_factors(file.section(key)) for key in ("state", "posts"))
    for factor in (*state, *posts):
        if factor.tilt:
            factor.section.fail(
                factor.key, "a tilt", "none: only a sweep over missions has weights"
            )
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
    """Reject a table with two columns of the same name.

    Raises:
        InvalidValue: with file, line and key.
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
    """Yield the variables of measures and of the end condition, with their lines."""
    for text in record:
        line = Diagnostic(file.where("record"), text)
        yield from ((name, line) for name in Measures([text]).names)
    if until is not None:
        line = Diagnostic(file.where("until"), until.text)
        yield from ((name, line) for name in until.variables)


def _check_state(factor: Factor) -> None:
    """Reject what ``USM_RESET`` does not accept.

    Raises:
        InvalidValue: with file, line and key.
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
        file.fail("until", text, "a condition without _DELTA")
    return condition
