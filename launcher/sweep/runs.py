"""Runs of a sweep: the cases of a sweep file, and the command-line options of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import NoReturn

from steerageway.apps.experiments.sweep.file import FileOption, SweepFile, read_sweep_file
from steerageway.apps.experiments.sweep.lazy import Lazy
from steerageway.bus import Placement
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError, raise_error
from steerageway.launcher.options import Options, parse_options

NOT_VARIED = (
    *("--sweep", "--case", "--worst", "--jobs", "--scheduler", "--results", "--seed", "--help"),
    *("--table", "--memory-limit", "--log-budget"),
    *("--log", "--no-log", "--json", "--check", "--graph", "--warp", "--placement", "--free-run"),
    *("--port", "--host", "--keys", "--attach", "--paused", "--external"),
)
VARIED = ("--config", "--set", "--define", "--vessels", "--start", "--until", "--fail-if", "--for")
OF_TABLES = (  # options with a value that change no row
    *("--results", "--jobs", "--scheduler", "--json", "--worst"),
    *("--table", "--memory-limit", "--log-budget"),
)
FIGURES = ("x", "y", "heading", "speed", "depth", "distance")  # of each community, at the end
OWN_COLUMNS = (
    *("case", "seed", "exit_code", "exit_reason", "seconds", "failure"),
    *FIGURES,
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a sweep.

    Attributes:
        number: its row in the table, from 1.
        seed: its random seed.
        values: column -> varied value.
        arguments: its command-line arguments in addition to the sweep's.
    """

    number: int
    seed: int
    values: Mapping[str, str]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """A sweep, read and checked.

    Attributes:
        arguments: arguments of every run: the file's, then those of the command line.
        fixed: the file's alone.
        columns: names of the varied values.
        runs: the runs, numbered from 1; each is made when it is asked for.
        record: measures of the table, as written in the file.
        places: (option as diagnostics name it, its place in the file).
    """

    arguments: tuple[str, ...]
    fixed: tuple[str, ...]
    columns: tuple[str, ...]
    runs: Sequence[Run]
    record: tuple[str, ...]
    places: tuple[tuple[str, str], ...] = ()

    def locate(self, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic with the place in the sweep file of the option it is about."""
        found = (place for named, place in self.places if _is_about(one, named))
        place = next(found, "")
        return one.of(place) if place else one

    def alone(self, number: int) -> list[str]:
        """Return the arguments of ``steerageway run`` that perform one case alone, with logs."""
        left = []
        arguments = iter(self.arguments[len(self.fixed) :])
        for argument in arguments:
            option, _, value = argument.partition("=")
            if option in OF_TABLES and not value:
                next(arguments)
            elif option not in (*OF_TABLES, "--no-log"):
                left.append(argument)
        return [*left, "--case", str(number)]

    def options(self, run: Run, log: Path | None) -> Options:
        """Return the options of a run in the sweep: in one process, at warp max.

        Args:
            run: the run.
            log: folder of its logs; None for no logs.
        """
        return replace(
            self.command(run),
            placement=Placement.ONE,
            warp=inf,
            log=log,
            no_log=log is None,
            json="",
        )

    def command(self, run: Run) -> Options:
        """Return the options of a run as a single launch."""
        parsed = parse_options((*self.arguments, *run.arguments), raise_error)
        return replace(parsed, sweep=None, case=None, check=False)


def _is_about(one: Diagnostic, named: str) -> bool:
    """Whether a diagnostic is about an option, as "--config uSimMarineV22.vessel_override=mass"."""
    option, *parts = named.split("=")
    subjects = (one.about, one.where, one.expected)
    said = any(re.match(rf"{re.escape(option)}(?!\w)", subject) for subject in subjects)
    return said and all(part in f"{one.value} {one.expected}" for part in parts)


def read_runs(options: Options, arguments: Sequence[str]) -> Sweep:
    """Return the sweep of a command line and its sweep file.

    Raises:
        LaunchError: an option or the file is not valid.
    """
    path = options.sweep
    assert path is not None
    try:
        file = read_sweep_file(path, options.seed)
        _check(file, options.missions)
    except ValueError as error:
        raise LaunchError(str(error)) from error
    except OSError as error:
        raise LaunchError(f"--sweep {path}: {error.strerror}") from error

    def run(index: int) -> Run:
        trial = file.trials[index]
        values = {option.name: trial.values[option.factor.name] for option in file.varied}
        return Run(trial.number, trial.seed, values, file.arguments(trial))

    columns = tuple(option.name for option in file.varied)
    places = [(option.named, option.where) for option in (*file.varied, *file.fixed)]
    return Sweep(
        arguments=(*file.shared, *arguments),
        fixed=file.shared,
        columns=columns,
        runs=Lazy(len(file.trials), run),
        record=file.record,
        places=(*places, ("record", file.recorded_at)),
    )


def _check(file: SweepFile, missions: Sequence[str]) -> None:
    """Check every option of a file separately.

    Raises:
        ValueError: one is not valid; with file and line.
    """
    names = {*OWN_COLUMNS}
    for option in (*file.fixed, *file.varied):
        if option.kind in NOT_VARIED or not option.kind.startswith("--"):
            meant = f"; --{option.kind}?" if f"--{option.kind}" in VARIED else ""
            expected = f"an option of steerageway run that may differ between runs{meant}"
            option.fail(option.kind, expected)
        for value in option.samples:
            _try(option, value, missions)
    for option in file.varied:
        if option.name in names:
            option.fail(option.name, "another: the table has a column of this name already")
        names.add(option.name)


def _try(option: FileOption, value: str, missions: Sequence[str]) -> None:
    def fail(problem: str) -> NoReturn:
        option.fail(value, f"a valid option of steerageway run: {problem}")

    parse_options((*missions, option.argument(value)), fail)
