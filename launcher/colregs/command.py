"""The command line of ``steerageway colregs``."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from typing import Any

from steerageway.apps.shared.encounters import CONDUCTS, NOISES, InvalidValue, Ship, ship_of
from steerageway.apps.shared.terminal import complete_streams, say
from steerageway.bus import Interrupts, cores
from steerageway.declarations import Number, Whole, write_whole
from steerageway.declarations.arguments import Parser, argument
from steerageway.launcher.colregs.cases import SCORE, SUITES, TRACKS, Case, cases_of, sweep_of
from steerageway.launcher.colregs.mission import HELMS, write_mission
from steerageway.launcher.colregs.report import Worst, page
from steerageway.launcher.colregs.summary import (
    EVENTS,
    RULES,
    badness,
    by_scenario,
    sentence,
    summarized,
)
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.folders import check_summary_file, write_summary
from steerageway.launcher.options import parse_options
from steerageway.launcher.sweep.command import perform_left
from steerageway.launcher.sweep.execution import FAIL_IF, WELL, Row, perform
from steerageway.launcher.sweep.files import check_sweep
from steerageway.launcher.sweep.junit import write_junit
from steerageway.launcher.sweep.results import Results
from steerageway.launcher.sweep.runs import Sweep

PROGRAM = "steerageway colregs"
DONE, FAILED, WRONG = 0, 1, 2
WORST = 5  # worst cases that are named


@dataclass(frozen=True)
class Suite:
    """What is to be performed.

    Attributes:
        cases: in order.
        sweep: that performs them.
        ship: the own vessel.
        helm: the behaviors, as named on the command line.
        folder: of the results.
    """

    cases: tuple[Case, ...]
    sweep: Sweep
    ship: Ship
    helm: str
    folder: Path


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Perform a suite, or one case of it; return the exit code."""
    complete_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser(prog).parse_args(words)
    options.again = f"{prog} {shlex.join(words)}"
    try:
        suite = _suite(options)
        if options.case:
            return _one(suite, options)
        return _all(suite, options)
    except LaunchError as error:
        print(*error.problems, sep="\n", file=sys.stderr)
        return WRONG


def parser(prog: str = PROGRAM) -> Parser:
    """Return the parser of the command line."""
    command = Parser(prog=prog, description="Score a vessel's encounters by the COLREGs.")
    add = command.add_argument
    add("--suite", choices=tuple(SUITES), default="all", help="the scenarios (default: all)")
    add("--scenario", type=Path, metavar="FILE", help="scenarios of a file, instead of a suite")
    add("--helm", default="v22", metavar="NAME|FILE", help=f"{', '.join(HELMS)}, or a .bhv file")
    add("--vessel", default="", metavar="NAME", help="a vessel of inputs/, or its folder")
    add("--speed", type=argument(Number(above=0)), metavar="M/S", help="of the vessel's passage")
    add("--app", action="append", default=[], metavar="APP=PROCESS", help="replace an app")
    add("--seeds", type=argument(Whole(low=1, high=100_000)), default=10, metavar="N",
        help="runs of each scenario; the first is as written (default: 10)")  # fmt: skip
    add("--noise", choices=NOISES, default="none", help="errors of the reported positions")
    add("--conduct", choices=tuple(CONDUCTS), default="written", help="how the other vessels sail")
    add("--jobs", type=argument(Whole(low=1)), default=cores(), metavar="N",
        help="runs at a time (default: the number of processors)")  # fmt: skip
    add("--results", type=Path, metavar="DIR", help="folder of the results")
    add("--case", type=argument(Whole(low=1)), metavar="N", help="run only this case, with logs")
    add("--log", type=Path, metavar="DIR", help="folder of the logs of --case")
    add("--json", default="", metavar="FILE", help="write the summary as JSON; -: to the output")
    add("--junit", type=Path, metavar="FILE", help="write every case as JUnit")
    add("--report", type=Path, metavar="FILE", help="write a page with tables and pictures")
    return command


def _suite(options: Any) -> Suite:
    if options.speed is not None and not options.vessel:
        raise LaunchError("--speed: expected together with --vessel")
    if options.app:
        sys.path.append(str(Path.cwd()))  # where a class of one's own is looked for
    try:
        ship = ship_of(options.vessel, options.speed)
    except InvalidValue as error:
        raise LaunchError(f"--vessel {options.vessel}: {error}") from error
    cases = cases_of(options.suite, options.scenario, options.seeds)
    named = options.scenario.stem if options.scenario else options.suite
    parts = (named, Path(options.helm).stem, Path(options.vessel).name, options.noise)
    name = "-".join([*filter(None, parts), options.conduct, str(options.seeds)])
    folder = options.results or Path("logs") / "colregs" / name
    mission = write_mission(ship, options.helm, folder.resolve() / "mission")
    others = (
        f"--config=uEncounter.noise={options.noise}",
        f"--config=uEncounter.conduct={options.conduct}",
        *(f"--app={one}" for one in options.app),
        *(["--set=MOOS_MANUAL_OVERRIDE=false"] if options.app else []),  # else the helm posts it
    )
    return Suite(cases, sweep_of(cases, mission, ship, others), ship, options.helm, folder)


def _one(suite: Suite, options: Any) -> int:
    """Run one case with logs, and print its verdicts."""
    if options.case > len(suite.cases):
        raise LaunchError(f"--case {options.case}: expected 1 to {len(suite.cases)}")
    run = suite.sweep.runs[options.case - 1]
    log = options.log or suite.folder / "runs" / f"{run.number:05}"
    if options.log is None:
        rmtree(log, ignore_errors=True)  # of the same case before
    row = perform(suite.sweep, run, log)
    if row["exit_code"] not in WELL or not row.get(SCORE):
        raise LaunchError(f"case {run.number}: {row['failure'] or row['exit_reason']}")
    say(*_verdicts(json.loads(row[SCORE])), f"steerageway view {shlex.quote(str(log))}")
    return DONE


def _verdicts(result: Mapping[str, Any]) -> Iterator[str]:
    """Yield a run's result as text."""
    far, when = f"{result['cpa_lengths']:.2f} lengths", f"{result['cpa_time']:.1f} s"
    yield f"CPA {result['cpa']:.1f} m, {far}, at {when}"
    if result["aground"] is not None:
        yield f"aground at {result['aground']} s"
    if result["in_zone"] is not None:
        yield f"in a separation zone at {result['in_zone']} s: rule 10(b)"
    for number, met in enumerate(result["encounters"], 1):
        yield f"target{number}: {met['situation']}, CPA {met['cpa']:.1f} m"
        yield from (f"  {sentence(one)}" for one in met["verdicts"])


def _all(suite: Suite, options: Any) -> int:
    for name in ("json", "junit", "report"):
        check_summary_file(str(getattr(options, name) or ""), f"--{name}")
    found = suite.sweep
    given = replace(parse_options((*found.arguments, "--no-log")), jobs=options.jobs)
    inputs, warnings, _ = check_sweep(found, given.missions, must_end=True)
    print(*(f"warning: {warning}\n" for warning in warnings), sep="", end="", file=sys.stderr)
    results = Results(suite.folder / "sweep", found, inputs)
    try:
        with Interrupts() as interrupts:
            machine = perform_left(found, results, given, interrupts)
    finally:
        results.close()
    if interrupts.caught:
        say(f"{len(results.rows)} cases are done; the same command continues", to=sys.stderr)
        return 128 + interrupts.caught
    return _write(suite, results.rows, machine, options)


def _write(suite: Suite, rows: Mapping[int, Row], machine: Mapping[str, Any], options: Any) -> int:
    """Write summary, JUnit and report; return the exit code."""
    scored, results, failed = [], [], []
    for case, number in zip(suite.cases, sorted(rows), strict=True):
        row = rows[number]
        if row["exit_code"] in WELL and row.get(SCORE):
            scored.append((number, case))
            results.append(json.loads(row[SCORE]))
        else:
            failed.append(number)
    names = [case.scenario.name for _, case in scored]
    summary = {
        "helm": suite.helm,
        "vessel": suite.ship.name or "the mission's own",
        "length": suite.ship.length,
        "speed": suite.ship.speed,
        "noise": options.noise,
        "conduct": options.conduct,
        "all": summarized(results),
        "scenarios": by_scenario(names, results),
        "worst": [
            {"case": scored[i][0], "scenario": names[i], "variation": scored[i][1].seed}
            for i in sorted(range(len(results)), key=lambda i: badness(results[i]))[:WORST]
        ],
        "failed": failed,
        **machine,
    }
    text = json.dumps(summary, indent=1, allow_nan=False)
    if options.json and options.json != "-":
        write_summary(options.json, text)
    if options.junit:
        judged = [_judged(rows[number]) for number in sorted(rows)]
        name = f"colregs-{suite.helm}"
        alone = f"{options.again} --case {{}}".format
        write_junit(options.junit, name, judged, suite.sweep.columns, alone)
    if options.report:
        _write_report(suite, summary, options)
    say(*([text] if options.json == "-" else _lines(summary)))
    return FAILED if failed else DONE


def _write_report(suite: Suite, summary: Mapping[str, Any], options: Any) -> None:
    """Repeat the worst cases with logs, and write the page."""
    worst = []
    again = replace(suite.sweep, record=(SCORE, TRACKS))
    for one in summary["worst"]:
        case, run = suite.cases[one["case"] - 1], suite.sweep.runs[one["case"] - 1]
        log = suite.folder / "worst" / f"{run.number:05}"
        rmtree(log, ignore_errors=True)
        row = perform(again, run, log)
        result, tracks = (json.loads(row[name]) for name in (SCORE, TRACKS))
        worst.append(Worst(run.number, case.varied(suite.ship), result, tracks, log))
    scenarios = list({case.scenario.name: case.scenario for case in suite.cases}.values())
    try:
        write_whole(options.report, page(summary, scenarios, worst, options.again))
    except OSError as error:
        raise LaunchError(f"--report {options.report}: {error.strerror}") from error


def _judged(row: Row) -> Row:
    """Return a row whose collision or grounding is a failure."""
    if row["exit_code"] not in WELL or not row.get(SCORE):
        return row
    result = json.loads(row[SCORE])
    if result["collision"] or result["aground"] is not None:
        why = f"passed {result['cpa']} m off at {result['cpa_time']} s"
        if result["aground"] is not None:
            why = f"aground at {result['aground']} s"
        return {**row, "exit_code": FAIL_IF, "exit_reason": "unsafe", "failure": why}
    return row


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the summary as text."""
    yield f"{'':12} {'runs':>5} {'hit':>4} {'near':>4} {'CPA':>5} {'safe':>5}  rules " + " ".join(
        f"{rule:>5}" for rule in RULES
    )
    for name, one in (*summary["scenarios"].items(), ("all", summary["all"])):
        yield _line(name, one)
    whole = summary["all"]
    for event in EVENTS:
        found = whole["events"][event]
        if found:
            yield (
                f"{event.replace('_', ' ')}: {found['value']:.1%} of runs,"
                f" {found['low']:.1%} to {found['high']:.1%} at 95 %"
            )
    for one in summary["worst"]:
        yield f"worst: {one['scenario']}, variation {one['variation']}: --case {one['case']}"
    if summary["failed"]:
        yield f"{len(summary['failed'])} runs failed: case {summary['failed'][0]}"
    yield f"{summary['wall_seconds']:.1f} s of wall time, {summary['jobs']} at a time"


def _line(name: str, one: Mapping[str, Any]) -> str:
    events, rules = one["events"], one["rules"]
    hits, near = (round(events[e]["value"] * one["runs"]) for e in ("collision", "near_miss"))
    scores = " ".join(f"{rules[r]['value']:5.2f}" if r in rules else "    -" for r in RULES)
    cpa, safe = one["cpa_lengths"]["least"], one["safety"]["value"]
    return f"{name:12} {one['runs']:5} {hits:4} {near:4} {cpa:5.1f} {safe:5.2f}        {scores}"
