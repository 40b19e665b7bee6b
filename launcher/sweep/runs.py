"""Runs of a sweep: the cases of a sweep file, and the command-line options of each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import NoReturn

from steerageway.apps.experiments.sweep.design import Trial
from steerageway.apps.experiments.sweep.file import (
    FileOption,
    Goal,
    Precision,
    SweepFile,
    read_sweep_file,
)
from steerageway.apps.experiments.sweep.lazy import Lazy
from steerageway.bus import NANO, Placement
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError, raise_error
from steerageway.launcher.options import Options, parse_options
from steerageway.launcher.run_parameters import failing

NOT_VARIED = (
    *("--sweep", "--case", "--worst", "--jobs", "--scheduler", "--results", "--seed", "--help"),
    *("--table", "--memory-limit", "--log-budget", "--by"),
    *("--log", "--no-log", "--json", "--check", "--graph", "--warp", "--placement", "--free-run"),
    *("--port", "--host", "--keys", "--attach", "--paused", "--external"),
)
VARIED = ("--config", "--set", "--define", "--vessels", "--start", "--until", "--fail-if", "--for")
OF_TABLES = (  # options with a value that change no row
    *("--results", "--jobs", "--scheduler", "--json", "--worst", "--by"),
    *("--table", "--memory-limit", "--log-budget"),
)
FIGURES = ("x", "y", "heading", "speed", "depth", "distance")  # of each community, at the end
OWN_COLUMNS = (
    *("case", "seed", "weight", "exit_code", "exit_reason", "seconds", "failure"),
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
        weight: by which it counts in a probability; None: all runs count once.
    """

    number: int
    seed: int
    values: Mapping[str, str]
    arguments: tuple[str, ...]
    weight: float | None = None


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
        stop: the precision at which it stops; None: after the last run.
    """

    arguments: tuple[str, ...]
    fixed: tuple[str, ...]
    columns: tuple[str, ...]
    runs: Sequence[Run]
    record: tuple[str, ...]
    places: tuple[tuple[str, str], ...] = ()
    stop: Precision | None = None

    def criteria(self) -> dict[str, str]:
        """Return the conditions and limits that end a case, by ``exit_reason``."""
        first = self.command(self.runs[0])
        texts = {"until": " and ".join(first.until), "fail_if": " or ".join(failing(first))}
        if first.stop_at is not None:
            texts["for"] = f"{first.stop_at / NANO:g} s"
        varied = {reason for reason in texts if f"--{reason.replace('_', '-')}" in self.columns}
        return {reason: text for reason, text in texts.items() if text and reason not in varied}

    def locate(self, one: Diagnostic) -> Diagnostic:
        """Return a diagnostic with the place in the sweep file of the option it is about."""
        found = (place for named, place in self.places if _is_about(one, named))
        place = next(found, "")
        return one.of(place) if place else one

    def alone(self, number: int) -> str:
        """Return the command that performs one case alone, with logs."""
        options = self._without(OF_TABLES)
        return shlex.join(("steerageway", "run", *options, "--case", str(number)))

    def plain(self, run: Run) -> list[str]:
        """Return the arguments of ``steerageway run`` that perform a run without the sweep file."""
        given = self._without((*OF_TABLES, "--sweep", "--find-failure"))
        return [*given, *self.fixed, *run.arguments]

    def _without(self, options: Sequence[str]) -> list[str]:
        """Return the arguments of the command line without some options, and with logs."""
        left = []
        arguments = iter(self.arguments[len(self.fixed) :])
        for argument in arguments:
            option, _, value = argument.partition("=")
            if option in options and not value:
                next(arguments)
            elif option not in (*options, "--no-log"):
                left.append(argument)
        return left

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


@dataclass(frozen=True, slots=True)
class Search:
    """A sweep file whose factors are searched for failures.

    Attributes:
        sweep: its sweep, whose runs are not used.
        varied: options that vary.
        goal: what the search goes by.
        seed: of the search.
    """

    sweep: Sweep
    varied: tuple[FileOption, ...]
    goal: Goal
    seed: int

    @property
    def varying(self) -> list[FileOption]:
        """The options with more than one value."""
        return [one for one in self.varied if one.factor.is_range or len(one.factor.values) > 1]

    def run(self, number: int, before: int, point: Sequence[float]) -> Run:
        """Return a run at a point of the unit cube, a dimension for each varying option.

        Args:
            number: of the run in its generation, from 1.
            before: number of runs in earlier generations.
            point: its numbers, from 0 to below 1.
        """
        values = {one.factor.name: one.factor.values[0] for one in self.varied if one.factor.values}
        drawn = zip(self.varying, point, strict=True)
        values |= {one.factor.name: one.factor.at(fraction) for one, fraction in drawn}
        first = self.sweep.runs[0].seed
        return _run(self.varied, Trial(number, first + before + number - 1, values))


def _run(varied: Sequence[FileOption], trial: Trial) -> Run:
    named = {one.name: trial.values[one.factor.name] for one in varied}
    arguments = (one.argument(trial.values[one.factor.name]) for one in varied)
    return Run(trial.number, trial.seed, named, (*arguments, f"--seed={trial.seed}"), trial.weight)


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
    return _sweep_of(_read(options), arguments)


def read_search(options: Options, arguments: Sequence[str]) -> Search:
    """Return the search of a command line and its sweep file.

    Raises:
        LaunchError: an option or the file is not valid, or says not what to search by.
    """
    file = _read(options)
    if file.goal is None:
        expected = "expected search: {minimize: min RANGE}, or another measure, in the sweep file"
        raise LaunchError(f"--find-failure: {expected}")
    search = Search(_sweep_of(file, arguments), file.varied, file.goal, file.seed)
    if not search.varying:
        raise LaunchError("--find-failure: expected a range or a list under vary")
    return search


def _read(options: Options) -> SweepFile:
    path = options.sweep
    assert path is not None
    try:
        file = read_sweep_file(path, options.seed)
        _check(file, options.missions)
    except ValueError as error:
        raise LaunchError(str(error)) from error
    except OSError as error:
        raise LaunchError(f"--sweep {path}: {error.strerror}") from error
    return file


def _sweep_of(file: SweepFile, arguments: Sequence[str]) -> Sweep:
    places = [(option.named, option.where) for option in (*file.varied, *file.fixed)]
    return Sweep(
        arguments=(*file.shared, *arguments),
        fixed=file.shared,
        columns=tuple(option.name for option in file.varied),
        runs=Lazy(len(file.trials), lambda index: _run(file.varied, file.trials[index])),
        record=file.record,
        places=(*places, ("record", file.recorded_at)),
        stop=file.stop,
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
