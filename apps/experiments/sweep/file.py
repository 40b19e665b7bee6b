"""Reads the file of a sweep over missions: options of ``launch.py``, and the values they get."""

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
    read_factors,
    read_trials,
)
from steerageway.apps.experiments.sweep.measures import read_record
from steerageway.world.document import Section, read


@dataclass(frozen=True)
class FileOption:
    """One option of ``launch.py`` without its value, as a file's key.

    Attributes:
        kind: "--config".
        left: what stands before the value and "=": "uSimMarineV22.turn_rate"; "" for none.
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
        """Values to try the option with: those of a list, the ends of a range."""
        factor = self.factor
        return (factor.at(0.0), factor.at(1.0)) if factor.is_range else factor.values

    @property
    def where(self) -> str:
        """The file and the line in which it stands."""
        return self.factor.section.place(self.factor.key)

    @property
    def named(self) -> str:
        """What a launch calls it: "--config uSimMarineV22.turn_rate", "--set SLOW" of @30:SLOW."""
        left = self.left.rpartition(":")[2] if self.kind == "--set" else self.left
        return f"{self.kind} {left}".rstrip()

    def argument(self, value: str) -> str:
        """Give the option with a value, as on the command line."""
        return f"{self.kind}={self.left}={value}" if self.left else f"{self.kind}={value}"

    def fail(self, value: str, expected: str) -> NoReturn:
        """Raise the error of a wrong value.

        Raises:
            InvalidValue: naming file, line and key.
        """
        self.factor.section.fail(self.factor.key, value, expected)


@dataclass(frozen=True)
class SweepFile:
    """What a file says.

    Attributes:
        fixed: options of every run.
        varied: options that vary, a column each.
        trials: what they are in each run.
        record: the measures of the table.
        recorded_at: the file and the line that say so; "" for none.
    """

    fixed: tuple[FileOption, ...]
    varied: tuple[FileOption, ...]
    trials: Sequence[Trial]
    record: tuple[str, ...]
    recorded_at: str = ""

    @property
    def shared(self) -> tuple[str, ...]:
        """What every run has on its command line."""
        return tuple(option.argument(option.factor.values[0]) for option in self.fixed)

    def arguments(self, trial: Trial) -> tuple[str, ...]:
        """Give what a run has on its command line beside that."""
        varied = (s.argument(trial.values[s.factor.name]) for s in self.varied)
        return (*varied, f"--seed={trial.seed}")


def read_sweep_file(path: Path, seed: int) -> SweepFile:
    """Read a file.

    Args:
        path: the file.
        seed: the first run's.
    Raises:
        InvalidValue: naming file, line, key, value and what would be right; also a ValueError.
        OSError: it cannot be read.
    """
    file = read(path)
    check_keys(file, (*KEYS, "fixed", "vary", "record"))
    fixed, varied = (_read_options(file.section(key)) for key in ("fixed", "vary"))
    for option in fixed:
        if len(option.factor.values) != 1:
            option.fail("several values", "one value; what varies stands under vary")
    trials = read_trials(file, [option.factor for option in varied], seed)
    record = read_record(file)
    return SweepFile(fixed, varied, trials, record, file.place("record"))


def _read_options(section: Section) -> tuple[FileOption, ...]:
    found = []
    for factor in read_factors(section):
        name, _, left = factor.name.partition(" ")
        found.append(FileOption(name, left.strip(), factor))
    return tuple(found)
