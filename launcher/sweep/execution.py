"""Execution of one run of a sweep in this process, and its row of the table."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from steerageway.apps.experiments.sweep.measures import Measures
from steerageway.apps.shared.terminal import say
from steerageway.bus import Message, Outcome, RunPlan
from steerageway.bus import run as run_plan
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.distance import Distance, distance_of, navigation_prefixes
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.summary import exit_code, figures, values_of
from steerageway.launcher.sweep.runs import FIGURES, Run, Sweep
from steerageway.launcher.translation import translated

Row = dict[str, Any]
WRONG = 2
TOO_SOON = 3  # a run ended before its --until held
FAIL_IF = 4  # a condition of --fail-if held
VALUES = "values"  # column: those of a condition that held, or never did
AGAIN = "again"  # key of rows of runs that failed for an external reason; not in the table
WELL = (0, TOO_SOON)  # exit codes of runs that are not repeated with logs


class Tap:
    """Tap of a community: the distance sailed, and the measures of the table."""

    def __init__(self, distance: Distance, record: tuple[str, ...]) -> None:
        self._distance = distance
        self._measures = Measures(record)
        self.names = tuple(dict.fromkeys((*self._distance.names, *self._measures.names)))

    def take(self, message: Message) -> None:
        """Take one committed message."""
        if message.name in self._distance.names:
            self._distance.take(message)
        self._measures.take(message)

    def result(self) -> dict[str, Any]:
        """Return the distance and the measures."""
        return {**self._distance.result(), "measures": self._measures.result()}


def check_run(sweep: Sweep, run: Run, *, must_end: bool = False) -> tuple[Diagnostic, ...]:
    """Check a run by planning it, so that errors are found before the sweep starts.

    It also loads the modules and models that processes forked from this one then share.

    Returns: the warnings.

    Raises:
        LaunchError: with all errors of the run's files and options, or it must end and has no end.
    """
    launch = plan_launch(replace(sweep.options(run, None), check=True))
    plan = launch.plan
    if must_end and plan.stop_at is None and not (plan.until or plan.fail_if or plan.wall_limit):
        expected = "expected --for, --until, --fail-if or --wall-limit"
        raise LaunchError(f"--sweep: its cases have no end: {expected}")
    recorded = launch.posters.check("record", Measures(sweep.record).names)
    return (*launch.diagnostics, *recorded)


def has_no_code(sweep: Sweep, run: Run) -> bool:
    """Whether a run is valid and has no Python, and no machine code, of the mission's own."""
    try:
        plan_launch(replace(sweep.options(run, None), check=True, no_code=True))
    except LaunchError:
        return False
    return True


def perform(sweep: Sweep, run: Run, log: Path | None, *, no_code: bool = False) -> Row:
    """Perform a run, printing the tracebacks of failures; return its row of the table.

    Args:
        sweep: the sweep. run: one of its runs.
        log: a new folder for its logs; None for no logs.
        no_code: whether the run is wrong if it has code of its own.
    """
    try:
        options = sweep.options(run, log)
        options = replace(options, no_code=no_code or options.no_code)
        launch = plan_launch(options)
    except LaunchError as error:
        return row_without(run, WRONG, "wrong", "; ".join(error.problems))
    outcome = translated(run_plan(tapped(launch.plan, sweep.record), lambda progress: None), launch)
    for failed in outcome.failures:
        say(failed.details, to=sys.stderr, end="")
    row = row_of(run, outcome, launch, waited_for=bool(options.until))
    unexplained = not any(failed.details for failed in outcome.failures)
    blameless = outcome.exit_reason == "app_failed" and unexplained
    return row | {AGAIN: True} if blameless or outcome.exit_reason == "wall_limit" else row


def tapped(plan: RunPlan, record: tuple[str, ...]) -> RunPlan:
    """Return the plan with taps for the measures of the sweep."""
    prefixes = navigation_prefixes(plan.apps)
    return replace(
        plan,
        tap=lambda community: Tap(distance_of(prefixes, community), record),
    )


def columns_of(outcome: str, columns: Iterable[str]) -> list[str]:
    """Return the columns of an outcome: one, or one of each community."""
    return [name for name in columns if name == outcome or name.endswith(f":{outcome}")]


def worst_of(row: Row, outcome: str, sign: float) -> float:
    """Return the least of an outcome times a sign, over all communities; inf if it has none."""
    cells = (row[name] for name in columns_of(outcome, row))
    return min((sign * cell for cell in cells if isinstance(cell, float | int)), default=inf)


def row_head(run: Run) -> Row:
    """Return the first columns of a run's row: case, varied values, seed, and weight if any."""
    weight = {} if run.weight is None else {"weight": run.weight}
    return {"case": run.number, **run.values, "seed": run.seed, **weight}


def row_without(run: Run, code: int, reason: str, failure: str) -> Row:
    """Return the row of a run without results."""
    return row_head(run) | {"exit_code": code, "exit_reason": reason, "failure": failure}


def row_of(run: Run, outcome: Outcome, launch: Launch, *, waited_for: bool) -> Row:
    """Return the row of a completed run; it does not depend on the machine."""
    summary = figures(outcome, launch)
    row: Row = {
        **row_head(run),
        "exit_code": exit_code(
            outcome, waited_for=waited_for, bounded=launch.plan.stop_at is not None
        ),
        "exit_reason": outcome.exit_reason,
        "seconds": outcome.simulated_seconds,
    }
    several = len(launch.plan.communities) > 1
    for name in launch.plan.communities:
        prefix = f"{name}:" if several else ""
        row |= _community_columns(prefix, summary["communities"][name], outcome.taps[name])
    if values := values_of(outcome, launch):
        row[VALUES] = f"{values} at {outcome.simulated_seconds:g} s"
    return row | {"run_warning": _run_warning(summary["apps"]), "failure": _failure(outcome)}


def _failure(outcome: Outcome) -> str:
    """Return the failed apps with reasons, or the ``--fail-if`` that held; "" for neither."""
    if outcome.exit_reason == "fail_if":
        return f"--fail-if {outcome.condition}"
    return "; ".join(f"{f.name} at {f.time:.3f} s: {f.reason}" for f in outcome.failures)


def _run_warning(apps: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the first run warning of any app, and the number of others; "" for none."""
    texts = [f"{name}: {text}" for name, app in apps.items() for text in app["run_warnings"]]
    more = f" (and {len(texts) - 1} more)" if len(texts) > 1 else ""
    return texts[0] + more if texts else ""


def _community_columns(prefix: str, summary: Mapping[str, Any], tap: Mapping[str, Any]) -> Row:
    posed = {f"{prefix}{key}": summary[key] for key in FIGURES if summary[key] is not None}
    return posed | {f"{prefix}{key}": value for key, value in tap["measures"].items()}
