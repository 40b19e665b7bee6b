"""Report of a sweep as one HTML file: outcomes, the worst cases with tracks, and the table."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import nsmallest
from pathlib import Path
from typing import Any

from steerageway.apps.logs.alog.errors import ToolError
from steerageway.apps.logs.alog.tracks import read_track
from steerageway.apps.shared.html_report import Html, Track, element, link, page, picture, tracks
from steerageway.apps.shared.html_report import table as html_table
from steerageway.declarations import write_whole
from steerageway.launcher.sweep.effects import shares
from steerageway.launcher.sweep.execution import FAIL_IF, TOO_SOON, Row, worst_of
from steerageway.launcher.sweep.figures import file_name
from steerageway.launcher.sweep.junit import why
from steerageway.launcher.sweep.report import NOT_WELL, strongest, verdict
from steerageway.launcher.sweep.results import log_folder, output_file
from steerageway.launcher.sweep.runs import Sweep
from steerageway.launcher.sweep.table import Table
from steerageway.moos.errors import FormatError

SHOWN = 5  # number of worst cases without --worst
_REASONS = ("exit_reason", "criterion", "cases", "share", "95 % interval")
_SPREAD = ("min", "median", "mean", "max")
MOST_ROWS = 1000  # limit of cases in the page's table


def worst_cases(rows: Iterable[Row], most: int, by: str = "") -> list[Row]:
    """Return the worst cases: errors, then failures, then ended too soon, then the others.

    Of cases that failed, the earliest come first, and of the others the longest.

    Args:
        rows: of all cases.
        most: number of cases.
        by: an outcome by which they are ranked instead: the largest first, of a minimum the
            smallest.
    """
    return nsmallest(most, rows, key=partial(_rank, by) if by else _badness)


def _rank(by: str, row: Row) -> tuple[float, int]:
    """Return the place of a row by an outcome; of communities the worst counts."""
    return worst_of(row, by, 1.0 if by.startswith("min ") else -1.0), row["case"]


def _badness(row: Row) -> tuple[int, float, int]:
    code, seconds = row["exit_code"], float(row.get("seconds", 0.0))
    kind = {FAIL_IF: 1, TOO_SOON: 2, 0: 3}.get(code, 0)
    return (kind, seconds if kind < 2 else -seconds, row["case"])


def worst_text(sweep: Sweep, folder: Path, rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines about the worst cases: the reason, and the commands that repeat and show each."""
    for row in rows:
        yield f"case {row['case']}: {_ending(row)}"
        yield from (f"  {command}" for command in _commands(sweep, folder, row))


def write_page(
    path: Path,
    name: str,
    sweep: Sweep,
    table: Table,
    figures: Mapping[str, Any],
    worst: Sequence[Row],
) -> None:
    """Write the report.

    Args:
        path: the file, in the sweep's folder.
        name: of the sweep.
        sweep: the sweep.
        table: of its results.
        figures: its summary.
        worst: the rows of the cases to show with tracks and commands.
    """
    parts = [
        element("h2", f"Outcomes of {figures['cases']} cases: {verdict(figures)}"),
        html_table(_REASONS, _reasons(figures, sweep.criteria())),
        html_table(("outcome", *_SPREAD, ""), map(_outcome, figures["outcomes"].items())),
        *_effects(sweep, table, figures["main_effects"]),
        element("h2", "Worst cases"),
        *(part for row in worst for part in _case(sweep, path.parent, row)),
        *_plots(path.parent, figures["outcomes"]),
        element("h2", "All cases"),
        *_all(table),
    ]
    write_whole(path, page(f"Sweep {name}", parts))


def _reasons(
    figures: Mapping[str, Any], criteria: Mapping[str, str]
) -> Iterator[tuple[str | float, ...]]:
    for reason, count in figures["exit_reasons"].items():
        of = figures["probabilities"][reason]
        low, high = of["interval"]
        share = f"{of['share']:.4g}"
        yield (reason, criteria.get(reason, ""), count, share, f"{low:.4g} to {high:.4g}")


def _effects(
    sweep: Sweep, table: Table, effects: Mapping[str, Mapping[str, float | None]]
) -> Iterator[Html]:
    """Yield the share of variance that each factor explains, and where cases do not end well."""
    rows = [(name, *map(_share, of.values())) for name, of in effects.items() if any(of.values())]
    if rows:
        yield element("h2", "Main effects")
        yield element("p", "Share of an outcome's variance that a factor alone explains.")
        yield html_table(("outcome", *sweep.columns), rows)
    not_well = [code != 0 for code in table.column("exit_code")]
    column = table.column("weight") if "weight" in table.columns else [1.0] * len(table)
    weights = [float(weight or 0.0) for weight in column]
    if not any(not_well) or all(not_well):
        return
    for name in sweep.columns:
        levels = list(shares(table.column(name), not_well, weights))
        if len(levels) > 1:
            yield element("h3", f"{NOT_WELL}, over {name}")
            cells: list[tuple[str | float, ...]] = [
                (one.first, one.last, one.cases, *map(_share, one[3:])) for one in levels
            ]
            yield html_table(("from", "to", "cases", "share", "95 % interval from", "to"), cells)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.3f}"


def _outcome(named: tuple[str, Mapping[str, Any]]) -> tuple[str | float | None, ...]:
    name, of = named
    return (name, *(of[key] for key in _SPREAD), strongest(of["rank_correlation"]))


def _plots(folder: Path, outcomes: Iterable[str]) -> Iterator[Html]:
    drawn = {name: folder / file_name(name) for name in outcomes}
    if any(path.is_file() for path in drawn.values()):
        yield element("h2", "Outcomes over factors")
    for name, path in drawn.items():
        if path.is_file():
            yield element("figure", picture(path.read_bytes(), f"{name} over each factor"))


def _case(sweep: Sweep, folder: Path, row: Row) -> Iterator[Html]:
    yield element("h3", f"case {row['case']}: {_ending(row)}")
    values = [str(row[name]) for name in sweep.columns]
    yield html_table((*sweep.columns, "seed"), [(*values, str(row["seed"]))])
    if _is_logged(folder, row):
        yield tracks(f"case {row['case']}", list(_tracks(log_folder(folder, row["case"]))))
    yield element("pre", "\n".join(_commands(sweep, folder, row)))
    output = output_file(row["case"])
    if (folder / output).is_file() and (folder / output).stat().st_size:
        yield element("p", "messages: ", link(output, output))


def _ending(row: Row) -> str:
    seconds = f", {row['seconds']:g} s" if "seconds" in row else ""
    return f"{why(row)}{seconds}"


def _commands(sweep: Sweep, folder: Path, row: Row) -> Iterator[str]:
    yield sweep.alone(row["case"])
    if _is_logged(folder, row):
        yield shlex.join(("steerageway", "view", str(log_folder(folder, row["case"]))))


def _is_logged(folder: Path, row: Row) -> bool:
    return any(_logs(log_folder(folder, row["case"])))


def _logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/*.alog"))


def _tracks(folder: Path) -> Iterator[Track]:
    for log in _logs(folder):
        try:
            track = read_track(log)
        except (ToolError, FormatError):
            continue  # a community without a vessel, or a log of a process that was killed
        yield Track(track.name, track.points)


def _all(table: Table) -> Iterator[Html]:
    yield html_table(table.columns, table.head(MOST_ROWS))
    if len(table) > MOST_ROWS:
        yield element("p", f"and {len(table) - MOST_ROWS} more: see results.csv")
