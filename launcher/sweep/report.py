"""Summary of a sweep: statistics of outcomes, rank correlation with the varied values, text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steerageway.apps.shared.averages import along_arc, unrolled
from steerageway.apps.shared.meanings import Circle, circle_of
from steerageway.launcher.summary import POSES
from steerageway.launcher.sweep.effects import main_effect
from steerageway.launcher.sweep.execution import TOO_SOON, WELL, Row
from steerageway.launcher.sweep.intervals import Tally, weight_of
from steerageway.launcher.sweep.table import Table, numbers_of

_NOT_OUTCOMES = ("case", "seed", "weight", "exit_code", "exit_reason", "run_warning", "failure")
NOT_WELL = "exit_code not 0"
MOST_FAILURES = 10  # limit of failures listed
MANY = 100  # number of cases from which the probability of their only ending is shown
LEAST_GAP = 0.25  # of a circle, without any angle: those of a wider arc have no order
FEWEST = 6  # least number of cases for which a correlation is shown
Column = Sequence[float | None]


def outcomes(table: Table, varied: Sequence[str]) -> dict[str, list[float | None]]:
    """Return the numeric columns of results that differ between the runs."""
    names = [n for n in table.columns if n not in varied and n not in _NOT_OUTCOMES]
    found = numbers_of(table, names)
    return {name: column for name, column in found.items() if len(set(column)) > 1}


def summary(rows: Mapping[int, Row], table: Table, varied: Sequence[str]) -> dict[str, Any]:
    """Return the summary as ``--json`` writes it.

    Args:
        rows: case number -> row, in order of cases.
        table: of these rows.
        varied: names of the varied columns.
    """
    reasons: Counter[str] = Counter()
    failed, too_soon = [], []
    for number, row in rows.items():
        reasons[row["exit_reason"]] += 1
        if row["exit_code"] not in WELL:
            failed.append(number)
        elif row["exit_code"] == TOO_SOON:
            too_soon.append(number)
    tallies = {reason: Tally() for reason in sorted(reasons)}
    for row in rows.values():
        for reason, tally in tallies.items():
            tally.take(happened=row["exit_reason"] == reason, weight=weight_of(row))
    factors = numbers_of(table, varied)
    found = outcomes(table, varied)
    not_well: Column = [float(code != 0) for code in table.column("exit_code")]
    inputs = {
        name: _along_arc(name, factors[name] if name in factors else table.column(name))[0]
        for name in varied
    }
    order = {name: _order(name, column) for name, column in {**factors, **found}.items()}
    return {
        "cases": len(rows),
        "exit_reasons": dict(sorted(reasons.items())),
        "probabilities": {
            reason: {"share": tally.share, "interval": tally.interval()}
            for reason, tally in tallies.items()
        },
        "main_effects": {
            name: {
                factor: main_effect(values, column, _circle_of(name))
                for factor, values in inputs.items()
            }
            for name, column in (found | {NOT_WELL: not_well}).items()
        },
        "failed": failed,
        "too_soon": too_soon,
        "outcomes": {
            name: {
                **_spread(name, [value for value in column if value is not None]),
                "rank_correlation": {
                    factor: rank_correlation(order[factor], order[name]) for factor in factors
                },
            }
            for name, column in found.items()
        },
    }


def verdict(figures: Mapping[str, Any]) -> str:
    """Return how many cases passed, failed, and ended too soon, as text."""
    failed, soon = len(figures["failed"]), len(figures["too_soon"])
    late = f", {soon} ended too soon" if soon else ""
    return f"{figures['cases'] - failed - soon} passed, {failed} failed{late}"


def text(
    figures: Mapping[str, Any], rows: Mapping[int, Row], criteria: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of the summary's text; ``criteria`` are those of ``Sweep.criteria``."""
    ends = (
        f"{count} {reason}{f' ({criteria[reason]})' if reason in criteria else ''}"
        for reason, count in figures["exit_reasons"].items()
    )
    yield f"{figures['cases']} cases: {verdict(figures)}: {', '.join(ends)}"
    for reason, of in figures["probabilities"].items():
        if figures["cases"] >= (FEWEST if len(figures["probabilities"]) > 1 else MANY):
            low, high = of["interval"]
            interval = f"95 % interval {low:.4g} to {high:.4g}"
            yield f"  {reason}: probability {of['share']:.4g}, {interval}"
    width = max(map(len, figures["outcomes"]), default=0)
    for name, of in figures["outcomes"].items():
        bounds = f"{of['min']:11.5g} to {of['max']:11.5g}, median {of['median']:11.5g}"
        factor = strongest(of["rank_correlation"]) if figures["cases"] >= FEWEST else ""
        yield f"  {name:{width}}  {bounds}  {factor}".rstrip()
    alike: dict[str, list[int]] = {}
    for number in figures["failed"]:
        row = rows[number]
        alike.setdefault(row["failure"] or row["exit_reason"], []).append(number)
    failures = list(alike.items())
    yield from (f"{_some(some)} failed: {why}" for why, some in failures[:MOST_FAILURES])
    if rest := sum(len(some) for _, some in failures[MOST_FAILURES:]):
        yield f"and {rest} more failed"
    for one in figures["failed"][:1]:
        yield f"to repeat one of them, with logs: the same command and --case {one}"
    warned = [(number, said) for number, row in rows.items() if (said := row.get("run_warning"))]
    for first, said in warned[:1]:
        yield f"{len(warned)} with run warnings: case {first}: {said}"
    if figures["too_soon"]:
        soon = figures["too_soon"]
        yield f"{len(soon)} ended before --until held or --for was over: {_some(soon)}"


def rank_correlation(first: Column, second: Column) -> float | None:
    """Return Spearman's rank correlation of two columns, over rows with both; ties share a rank.

    None: fewer than three rows, no spread, or a column that has no order and is empty.

    Source: Spearman, "The proof and measurement of association between two things" (1904).
    """
    if not first or not second:
        return None
    columns = np.array([first, second], dtype=float)  # None becomes NaN
    both = columns[:, ~np.isnan(columns).any(axis=0)]
    if both.shape[1] < 3:
        return None
    away = [ranks - ranks.mean() for ranks in map(_ranks, both)]
    scale = (away[0] @ away[0]) * (away[1] @ away[1])
    return float(away[0] @ away[1] / scale**0.5) if scale else None


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean rank of each value among all, from 0."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts + 1) / 2)[which]


def _order(name: str, column: Column) -> Column:
    """Return what a column's ranks follow; of angles around most of a circle nothing."""
    values, is_arc = _along_arc(name, column)
    return values if is_arc else []


def _along_arc(name: str, column: Sequence[Any]) -> tuple[Sequence[Any], bool]:
    """Return a column of angles increasing along their arc, and whether they have an order.

    Other columns are unchanged.
    """
    circle = _circle_of(name)
    known = [value for value in column if isinstance(value, float)]
    if circle is None or not known:
        return column, True
    angles, gap = along_arc(circle, known)
    rest = iter(angles)
    ordered = [next(rest) if isinstance(value, float) else value for value in column]
    return ordered, gap > LEAST_GAP * circle.period


def unrolled_column(name: str, column: Column) -> Column:
    """Return a column of angles with each within half a turn of their mean direction.

    Other columns are unchanged.
    """
    circle = _circle_of(name)
    known = [value for value in column if value is not None]
    if circle is None or not known:
        return column
    _, angles = unrolled(circle, known)
    rest = iter(angles)
    return [None if value is None else next(rest) for value in column]


def _circle_of(name: str) -> Circle | None:
    """Return the circle of a column's angles: of a vessel's heading, or a measure of a variable."""
    kind, variable = ["last", *name.rpartition(":")[2].split()][-2:]
    variable = POSES.get(variable, variable)
    return None if kind in ("count", "std") else circle_of(variable)


def _spread(name: str, values: Sequence[float]) -> dict[str, float | None]:
    """Return the figures of a column; of angles those of the arc around their mean direction.

    The arc leads from ``min`` clockwise to ``max``: 359 to 2 degrees, for example. Angles that
    cancel out have no mean.
    """
    circle = _circle_of(name)
    if circle is None:
        return {
            "min": min(values),
            "median": median(values),
            "mean": fmean(values),
            "max": max(values),
        }
    mean, angles = unrolled(circle, values)
    ends = {"min": min(angles), "median": median(angles), "max": max(angles)}
    arc = {key: circle.wrapped(angle) for key, angle in ends.items()}
    return {"min": arc["min"], "median": arc["median"], "mean": mean, "max": arc["max"]}


def _some(cases: Sequence[int]) -> str:
    """Return the first case numbers of a list as text."""
    more = f" and {len(cases) - MOST_FAILURES} more" if len(cases) > MOST_FAILURES else ""
    return f"case {', '.join(map(str, cases[:MOST_FAILURES]))}{more}"


def strongest(correlations: Mapping[str, float | None]) -> str:
    """Return the factor of the strongest correlation as text; "" for none."""
    known = [(abs(value), name, value) for name, value in correlations.items() if value is not None]
    if not known:
        return ""
    _, name, value = max(known)
    return f"correlates with {name} ({value:+.2f})"
