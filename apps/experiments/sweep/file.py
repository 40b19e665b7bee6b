"""Reader of sweep files for whole missions: options of ``launch.py`` and their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from steerageway.apps.experiments.sweep.design import (
    KEYS,
    Factor,
    Trial,
    check_keys,
    extremes,
    read_factors,
    read_trials,
)
from steerageway.apps.experiments.sweep.measures import EXPECTED, Measure, read_record
from steerageway.vessel.errors import InvalidValue
from steerageway.world.document import Section, read

OUTCOMES = ("fail_if", "until", "for", "app_failed")
CONFIDENCE = 0.95
REPEATED = ("--until", "--fail-if", "--fail-on")
"""Options that a run may have several times: a list of ``fixed`` gives all of its values."""


@dataclass(frozen=True)
class FileOption:
    """One option of ``launch.py`` without its value, as a file's key.

    Attributes:
        kind: "--config".
        left: the part before "=": "uSimMarineV22.turn_rate"; "" for none.
        factor: its values.
    """

    kind: str
    left: str
    factor: Factor

    @property
    def name(self) -> str:
        """The name of its column."""
        return self.left or self.kind.removeprefix("--")

    @property
    def samples(self) -> Sequence[str]:
        """Values with which to check the option: those of a list, the ends of a range."""
        factor = self.factor
        if factor.is_range:
            return (factor.at(0.0), factor.at(1.0))
        return extremes(dict.fromkeys(factor.values))

    @property
    def where(self) -> str:
        """The file and line of the option."""
        return self.factor.section.place(self.factor.key)

    @property
    def named(self) -> str:
        """The option on a command line: "--config uSimMarineV22.turn_rate", "--set SLOW"."""
        left = self.left.rpartition(":")[2] if self.kind == "--set" else self.left
        return f"{self.kind} {left}".rstrip()

    def argument(self, value: str) -> str:
        """Return the option with a value, as on the command line."""
        return f"{self.kind}={self.left}={value}" if self.left else f"{self.kind}={value}"

    def fail(self, value: str, expected: str) -> NoReturn:
        """Raise the error of an invalid value.

        Raises:
            InvalidValue: with file, line and key.
        """
        self.factor.section.fail(self.factor.key, value, expected)


@dataclass(frozen=True, slots=True)
class Precision:
    """The precision at which a campaign stops.

    Attributes:
        outcome: the exit reason whose probability is estimated.
        half_width: of the interval of the probability.
        confidence: of the interval.
    """

    outcome: str
    half_width: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Goal:
    """What a search for failures goes by: a measure, the lower (or higher) the nearer to one.

    Attributes:
        measure: as written in the file, "min RANGE".
        minimizes: whether lower values are nearer.
    """

    measure: str
    minimizes: bool


@dataclass(frozen=True)
class SweepFile:
    """Contents of a sweep file.

    Attributes:
        fixed: options of every run.
        varied: options that vary, a column each.
        trials: their values in each run.
        record: the measures of the table.
        recorded_at: the file and the line of the measures; "" for none.
        stop: the precision at which the sweep stops; None: after the last trial.
        goal: of a search for failures; None for none.
        seed: of the design.
    """

    fixed: tuple[FileOption, ...]
    varied: tuple[FileOption, ...]
    trials: Sequence[Trial]
    record: tuple[str, ...]
    recorded_at: str = ""
    stop: Precision | None = None
    goal: Goal | None = None
    seed: int = 0

    @property
    def shared(self) -> tuple[str, ...]:
        """The arguments common to all runs."""
        return tuple(
            option.argument(value) for option in self.fixed for value in option.factor.values
        )


def read_sweep_file(path: Path, seed: int) -> SweepFile:
    """Read a file.

    Args:
        path: the file.
        seed: of the first run.
    Raises:
        InvalidValue: with file, line, key, value and the expected value; also a ValueError.
        OSError: the file cannot be read.
    """
    file = read(path)
    if not file.nodes:
        raise InvalidValue("expected vary: with options of launch.py and their values", str(path))
    check_keys(file, (*KEYS, "fixed", "vary", "record", "stop", "search"))
    fixed, varied = (_read_options(file.section(key)) for key in ("fixed", "vary"))
    for option in fixed:
        if len(option.factor.values) != 1 and option.kind not in REPEATED:
            option.fail("several values", "one value; options that vary belong under vary")
    trials = read_trials(file, [option.factor for option in varied], seed)
    record, goal = read_record(file), _read_goal(file)
    if goal is not None:
        record = tuple(dict.fromkeys((*record, goal.measure)))
    at, seed = file.place("record"), file.whole("seed", 0)
    return SweepFile(fixed, varied, trials, record, at, _read_stop(file), goal, seed)


def _read_goal(file: Section) -> Goal | None:
    if "search" not in file:
        return None
    search = file.section("search")
    check_keys(search, ("minimize", "maximize"))
    if len(search.nodes) != 1:
        file.fail("search", ", ".join(search.nodes), "minimize or maximize, with a measure")
    (key,) = search.nodes
    try:
        return Goal(Measure(search.text(key)).text, key == "minimize")
    except ValueError:
        search.fail(key, search.text(key), EXPECTED)


def _read_stop(file: Section) -> Precision | None:
    if "stop" not in file:
        return None
    stop = file.section("stop")
    check_keys(stop, ("outcome", "half_width", "confidence"))
    return Precision(
        stop.choice("outcome", OUTCOMES),
        stop.number("half_width", above=0.0, high=0.5),
        stop.number("confidence", CONFIDENCE, low=0.5, high=0.9999),
    )


def _read_options(section: Section) -> tuple[FileOption, ...]:
    found = []
    for factor in read_factors(section):
        name, _, left = factor.name.partition(" ")
        found.append(FileOption(name, left.strip(), factor))
    return tuple(found)
