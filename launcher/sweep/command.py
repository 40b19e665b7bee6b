"""``launch.py --sweep``: performs the runs of a sweep, writes its tables, returns the exit code."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from steerageway.apps.shared.terminal import say
from steerageway.bus import Interrupts, Outcome, cores, wall
from steerageway.declarations import write_whole
from steerageway.diagnostics.nearest import nearest
from steerageway.diagnostics.progress import progress_bar
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.folders import check_summary_file, usual_logs, write_summary
from steerageway.launcher.options import Options
from steerageway.launcher.plan import Launch, plan_launch
from steerageway.launcher.sweep.budget import LogBudget
from steerageway.launcher.sweep.cluster import Cluster
from steerageway.launcher.sweep.execution import WELL, WRONG, Row, columns_of, row_of, tapped
from steerageway.launcher.sweep.figures import draw
from steerageway.launcher.sweep.files import Inputs, check_sweep
from steerageway.launcher.sweep.intervals import Stopping
from steerageway.launcher.sweep.junit import write_junit
from steerageway.launcher.sweep.page import SHOWN, worst_cases, worst_text, write_page
from steerageway.launcher.sweep.report import summary, text
from steerageway.launcher.sweep.results import Place, Results, log_folder
from steerageway.launcher.sweep.runs import FIGURES, Run, Sweep, read_runs, read_search
from steerageway.launcher.sweep.search import find_failures
from steerageway.launcher.sweep.table import Store, Table
from steerageway.launcher.sweep.workers import Workers

CSV, PARQUET, SUMMARY, JUNIT = "results.csv", "results.parquet", "summary.txt", "junit.xml"
REPORT = "report.html"
FAILED = 1
DOUBTFUL = (
    "error: names of its options are in doubt (see the warnings), and a misspelt one tests nothing;"
    " --allow-unknown accepts them"
)

Launcher = Callable[[Options, Launch], tuple[Outcome, int]]
EVERY = 0.5  # interval of lines on a terminal [wall s]
PLAIN_EVERY = 20.0  # interval of lines elsewhere [wall s]
_CLEAR = "\r\033[2K"


def sweep(options: Options, arguments: Sequence[str], launch_one: Launcher) -> int:
    """Perform a sweep, continue one, or perform one case of it as a single run.

    Args:
        options: read from the arguments; ``sweep`` is given.
        arguments: the command line, without the program's name.
        launch_one: runs a launch, prints its summary, and returns outcome and exit code.

    Returns: the exit code: that of the single case; 1 if a case failed; else 2 if a name in an
        option is in doubt; else 3 if one ended before its ``--until`` held; else 0.

    Raises:
        LaunchError: an option or a file is not valid.
    """
    search = read_search(options, arguments) if options.find_failure else None
    found = search.sweep if search else read_runs(options, arguments)
    _check_rank(options.by, found)
    if options.case is not None:
        return _perform_one(found, options.case, launch_one)
    check_summary_file(options.json)
    inputs, warnings, doubtful = check_sweep(found, options.missions, must_end=not options.check)
    print(*(f"warning: {warning}\n" for warning in warnings), sep="", end="", file=sys.stderr)
    if options.check:
        say(*(_shown(found, run) for run in found.runs))
        return 0
    folder = options.results or _usual_folder(options)
    try:
        if search is not None:
            code = find_failures(search, options, folder, inputs, perform_left)
        else:
            code = _perform_all(found, options, folder, inputs)
    except OSError as error:
        raise LaunchError(f"{error.filename or folder}: {error.strerror}") from error
    if doubtful and code in WELL and not options.allow_unknown:
        say(DOUBTFUL, to=sys.stderr)
        return WRONG
    return code


def _check_rank(by: str, found: Sweep) -> None:
    """Check that cases can be ranked by an outcome; "" is none.

    Raises:
        LaunchError: the table has no such column.
    """
    known = ("seconds", *FIGURES, *found.record)
    if by and by not in known:
        raise LaunchError(f"--by {by}: expected an outcome of the table, {nearest(by, known)}")


def _perform_one(found: Sweep, number: int, launch_one: Launcher) -> int:
    if not 1 <= number <= len(found.runs):
        raise LaunchError(f"--case {number}: expected a number from 1 to {len(found.runs)}")
    run = found.runs[number - 1]
    say(_shown(found, run), to=sys.stderr)
    options = found.command(run)
    launch = plan_launch(options)
    launch = replace(launch, plan=tapped(launch.plan, found.record))
    outcome, code = launch_one(options, launch)
    if options.json != "-":
        row = row_of(run, outcome, launch, waited_for=bool(options.until))
        say("", *(f"{name} = {value}" for name, value in row.items()))
    return code


def _usual_folder(options: Options) -> Path:
    """Return the default folder of the results: ``logs/<mission>-<sweep file>``."""
    assert options.sweep is not None
    return usual_logs(options) / f"{Path(options.missions[0]).resolve().stem}-{options.sweep.stem}"


def _shown(found: Sweep, run: Run) -> str:
    """Return the arguments that the sweep file adds to a case's command line, as text."""
    return f"case {run.number}: {shlex.join((*found.fixed, *run.arguments))}"


def _perform_all(found: Sweep, options: Options, folder: Path, inputs: Inputs) -> int:
    store = Store(options.table) if options.table else None
    results = Results(folder, found, inputs)
    try:
        with Interrupts() as interrupts:
            machine = perform_left(found, results, options, interrupts)
            worst = worst_cases(results.rows.values(), options.worst or SHOWN, options.by)
            if options.worst:
                _log(found, worst, options, results, interrupts)
    finally:
        results.close()
    if interrupts.caught:
        say(f"{len(results.rows)} cases are done; the same command continues", to=sys.stderr)
        return 128 + interrupts.caught
    _report(found, results, options, machine, worst, store)
    if results.rows.failed:
        return FAILED
    return max(int(row["exit_code"]) for row in results.rows.values())


def perform_left(
    found: Sweep, results: Results, options: Options, interrupts: Interrupts
) -> dict[str, Any]:
    """Perform the remaining cases, unless interrupted; return the figures of the machine."""
    cases, before, left = len(found.runs), len(results.rows), results.rows.left()
    done = f", {before} of them done before" if before else ""
    say(f"sweep: {cases} cases{done}; results: {results.folder}", to=sys.stderr)
    engine = _engine(found, options, results)
    status = SweepStatus(sys.stderr, cases, before)
    budget = LogBudget(results.folder, options.log_budget) if options.no_log else None
    stopping = Stopping(found.stop, results.rows)
    for row in engine.rows(left, lambda: bool(interrupts.caught) or stopping.holds()):
        results.rows.add(row)
        if budget is not None and row["exit_code"] not in WELL:
            budget.take(row["case"])
            engine.place = replace(engine.place, repeats=not budget.is_spent)
        status.show(len(results.rows), results.rows.failed)
    status.clear()
    if stopping.holds() and stopping.after is not None:
        results.rows.end_after(stopping.after)
    elapsed = status.elapsed
    share = engine.busy / (elapsed * engine.jobs)
    return {"wall_seconds": elapsed, "jobs": engine.jobs, "share_of_runs": min(share, 1.0)}


def _log(
    found: Sweep,
    worst: Sequence[Row],
    options: Options,
    results: Results,
    interrupts: Interrupts,
) -> None:
    """Perform the cases again that have no logs, with logs; their rows are the same."""
    folder = results.folder
    numbers = {row["case"] for row in worst if not log_folder(folder, row["case"]).is_dir()}
    runs = [found.runs[number - 1] for number in sorted(numbers)]
    if runs and not interrupts.caught:
        engine = _engine(found, replace(options, no_log=False), results)
        for _ in engine.rows(runs, lambda: bool(interrupts.caught)):
            pass


def _engine(found: Sweep, options: Options, results: Results) -> Workers | Cluster:
    """Return the executor of runs: processes of this machine, or a cluster."""
    if options.memory_limit and sys.platform != "linux":
        raise LaunchError("--memory-limit: expected Linux, which limits a process's memory")
    limit = found.command(found.runs[0]).wall_limit or None
    place = Place(
        results.folder, not options.no_log, memory=options.memory_limit or None, limit=limit
    )
    if not options.scheduler:
        return Workers(options.jobs or cores(), found, place)
    return Cluster(options.scheduler, found, place, results.inputs)


def _report(
    found: Sweep,
    results: Results,
    options: Options,
    machine: dict[str, Any],
    worst: Sequence[Row],
    store: Store | None,
) -> None:
    """Write the tables, the figures and the summary."""
    folder, name = results.folder, _usual_folder(options).name
    table = Table(results.rows.values(), found.columns)
    table.write_csv(folder / CSV)
    write_junit(folder / JUNIT, name, results.rows.values(), found.columns, found.alone)
    if store is not None:
        store.write(table)
    missing = []
    if not table.write_parquet(folder / PARQUET):
        missing.append('no Parquet without pyarrow: pip install "steerageway[sweep]"')
    if not draw(table, found.columns, folder):
        missing.append('no figures without Matplotlib: pip install "steerageway[plot]"')
    found_figures = summary(results.rows, table, found.columns)
    lines = [*text(found_figures, results.rows, found.criteria()), *_empty(table, found.record)]
    write_whole(folder / SUMMARY, "\n".join(lines) + "\n")
    write_page(folder / REPORT, name, found, table, found_figures, worst)
    written = json.dumps(found_figures | machine, indent=2, allow_nan=False)
    if options.json == "-":
        say(written)
        return
    if options.json:
        write_summary(options.json, written)
    wall = (
        f"{machine['wall_seconds']:.1f} s of wall time, {machine['jobs']} at a time,"
        f" {machine['share_of_runs']:.0%} of it in runs"
    )
    shown = worst_text(found, folder, worst) if options.worst else ()
    say(*lines, wall, *shown, f"table: {folder / CSV}", f"report: {folder / REPORT}", *missing)


def _empty(table: Table, measures: Sequence[str]) -> list[str]:
    """Return a line for each measure that has no value in any case."""
    return [f"{m}: no value in any case" for m in measures if not _is_posted(table, m)]


def _is_posted(table: Table, measure: str) -> bool:
    columns = columns_of(measure, table.columns)
    return any(cell not in (None, "") for column in columns for cell in table.column(column))


class SweepStatus:
    """Shows how many cases are done and failed, and the estimated remaining time."""

    def __init__(self, stream: TextIO, cases: int, before: int) -> None:
        """Make the display.

        Args:
            stream: of the output; the line is rewritten if it is a terminal.
            cases: number of all cases.
            before: number of cases that were done before.
        """
        self._stream, self._cases, self._before = stream, cases, before
        self._rewrites = stream.isatty()
        self._began = self._shown = wall()

    def show(self, done: int, failed: int) -> None:
        """Show the progress, if the interval has passed."""
        now = wall()
        if now - self._shown >= (EVERY if self._rewrites else PLAIN_EVERY):
            self._shown = now
            rate = (done - self._before) / (now - self._began)
            line = progress_text(done, self._cases, failed, rate)
            end = "" if self._rewrites else "\n"
            print(_CLEAR * self._rewrites + line, end=end, file=self._stream, flush=True)

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._rewrites:
            print(_CLEAR, end="", file=self._stream, flush=True)

    @property
    def elapsed(self) -> float:
        """Time since the start [wall s]."""
        return wall() - self._began


def progress_text(done: int, cases: int, failed: int, rate: float) -> str:
    """Return the progress of a sweep as text, with the remaining time at the present rate.

    Args:
        done: number of finished cases. cases: of all. failed: of failed ones.
        rate: cases that are finished in a second [1/wall s].
    """
    parts = [f"{progress_bar(done / cases)}  {done} of {cases} cases"]
    if failed:
        parts.append(f"{failed} failed")
    if rate:
        minutes, seconds = divmod(round((cases - done) / rate), 60)
        hours, minutes = divmod(minutes, 60)
        parts += [f"{rate:.3g} a second", f"{hours}:{minutes:02}:{seconds:02} left"]
    return ", ".join(parts)
