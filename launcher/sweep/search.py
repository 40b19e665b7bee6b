"""Search for cases that fail: the cross-entropy method over the factors of a sweep file.

Each generation is a small sweep with a results folder of its own, so a search is resumed, and runs
on a cluster, as a sweep does. The same file and seed give the same cases.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.experiments.sweep.file import Goal
from steerageway.apps.shared.terminal import say
from steerageway.bus import Interrupts
from steerageway.launcher.folders import write_summary
from steerageway.launcher.options import Options
from steerageway.launcher.sweep.execution import WELL, WRONG, Row, worst_of
from steerageway.launcher.sweep.files import Inputs
from steerageway.launcher.sweep.junit import why
from steerageway.launcher.sweep.results import Results
from steerageway.launcher.sweep.runs import Run, Search

POPULATION = 24  # cases of a generation
ELITE = 6  # of these, the ones that the next generation is drawn around
KEPT = 0.3  # share of the former distribution that remains
LEAST_SPREAD = 0.02  # of the ranges, so that the search does not come to a stop
SHOWN = 10  # limit of the cases that are printed
Perform = Callable[[Any, Results, Options, Interrupts], object]
Points = NDArray[np.float64]


class CrossEntropy:
    """Points of a unit cube, drawn from a normal distribution around the best ones so far.

    Source: Rubinstein, "The cross-entropy method for combinatorial and continuous optimization"
    (1999).
    """

    def __init__(self, size: int, seed: int) -> None:
        """Begin with all of the cube.

        Args:
            size: number of dimensions.
            seed: of the random numbers.
        """
        self._rng = np.random.default_rng(seed)
        self._mean, self._spread = np.full(size, 0.5), np.full(size, inf)

    def draw(self, count: int) -> Points:
        """Return points, shape (count, size), each number from 0 to below 1."""
        size = len(self._mean)
        if np.isinf(self._spread).any():
            return self._rng.random((count, size))
        drawn = self._rng.normal(self._mean, self._spread, (count, size)) % 2
        reflected = np.where(drawn >= 1, 2 - drawn, drawn)  # at the walls of the cube
        return np.minimum(reflected, np.nextafter(1, 0))

    def learn(self, elite: Points) -> None:
        """Move towards the best points, shape (any, size)."""
        mean, spread = elite.mean(axis=0), np.maximum(elite.std(axis=0), LEAST_SPREAD)
        kept = 0.0 if np.isinf(self._spread).any() else KEPT
        if kept:
            mean = kept * self._mean + (1 - kept) * mean
            spread = kept * self._spread + (1 - kept) * spread
        self._mean, self._spread = mean, spread


@dataclass(frozen=True, slots=True)
class Tried:
    """A case of the search.

    Attributes:
        run: the run.
        row: of its table.
        value: that is minimized, -inf for a case that failed.
    """

    run: Run
    row: Row
    value: float


def find_failures(
    search: Search, options: Options, folder: Path, inputs: Inputs, do: Perform
) -> int:
    """Search until so many cases have been run; print the failed ones with their commands.

    Args:
        search: the sweep file.
        options: of the command line, with the number of cases.
        folder: of the results.
        inputs: the input files.
        do: performs a sweep.

    Returns: the exit code: 1 if a case failed.
    """
    cases = options.find_failure or 0
    method = CrossEntropy(len(search.varying), search.seed)
    tried: list[Tried] = []
    with Interrupts() as interrupts:
        while len(tried) < cases and not interrupts.caught:
            points = method.draw(min(POPULATION, cases - len(tried)))
            first = len(tried)
            runs = [search.run(k, first, point) for k, point in enumerate(points.tolist(), 1)]
            place = folder / f"generation-{first // POPULATION + 1:03}"
            results = Results(place, replace(search.sweep, runs=runs), inputs)
            try:
                do(replace(search.sweep, runs=runs), results, options, interrupts)
                rows = [results.rows.get(run.number) for run in runs]
            finally:
                results.close()
            done = [
                Tried(run, row, value_of(row, search.goal))
                for run, row in zip(runs, rows, strict=True)
                if row is not None
            ]
            best = np.argsort([one.value for one in done], kind="stable")[:ELITE]
            if len(done) == len(runs):
                method.learn(points[best])
            tried += done
    if interrupts.caught:
        say(f"{len(tried)} cases are done; the same command continues", to=sys.stderr)
        return 128 + interrupts.caught
    return _report(search, options, tried)


def value_of(row: Row, goal: Goal) -> float:
    """Return the value of a case that is minimized; of communities the least counts.

    A case that failed is below all others, one whose options were wrong above them.
    """
    if row["exit_code"] == WRONG:
        return inf
    if row["exit_code"] not in WELL:
        return -inf
    return worst_of(row, goal.measure, 1.0 if goal.minimizes else -1.0)


def _report(search: Search, options: Options, tried: Sequence[Tried]) -> int:
    """Print what was found; return the exit code."""
    failed = [one for one in tried if one.value == -inf]
    found = [
        {
            "failure": why(one.row),
            "values": dict(one.run.values),
            "command": shlex.join(("steerageway", "run", *search.sweep.plain(one.run))),
        }
        for one in failed
    ]
    text = json.dumps({"cases": len(tried), "failed": found}, indent=2)
    if options.json and options.json != "-":
        write_summary(options.json, text)
    say(*([text] if options.json == "-" else _lines(search, tried, found)))
    return int(bool(failed))


def _lines(
    search: Search, tried: Sequence[Tried], found: Sequence[dict[str, Any]]
) -> Iterator[str]:
    yield f"{len(tried)} cases, {len(found)} failed"
    for one in found[:SHOWN]:
        yield f"{one['failure']}:"
        yield f"  {one['command']}"
    if len(found) > SHOWN:
        yield f"and {len(found) - SHOWN} more"
    near = min(tried, key=lambda one: one.value)
    if not found and near.value < inf:
        value = near.value if search.goal.minimizes else -near.value
        yield f"the nearest: {search.goal.measure} = {value:g}"
        yield f"  {shlex.join(('steerageway', 'run', *search.sweep.plain(near.run)))}"
