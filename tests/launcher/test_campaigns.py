"""Campaigns of very many runs: memory, tables, logs, runs that do not end, probabilities."""

from __future__ import annotations

import csv
import json
import shlex
import tracemalloc
from collections.abc import Callable
from itertools import islice
from math import exp, expm1, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest
from pyarrow.dataset import dataset
from scipy.stats import binomtest

from steerageway.apps.experiments.sweep.design import tilted
from steerageway.apps.experiments.sweep.file import Precision
from steerageway.launcher.cluster.scheduler import ProgramFailed
from steerageway.launcher.command import main
from steerageway.launcher.options import parse_options
from steerageway.launcher.sweep.block import block_of, run_block
from steerageway.launcher.sweep.effects import main_effect, shares
from steerageway.launcher.sweep.execution import row_head
from steerageway.launcher.sweep.files import check_sweep
from steerageway.launcher.sweep.intervals import Stopping, Tally, wilson
from steerageway.launcher.sweep.journal import Journal
from steerageway.launcher.sweep.junit import write_junit
from steerageway.launcher.sweep.page import worst_cases
from steerageway.launcher.sweep.report import summary, text
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import read_runs
from steerageway.launcher.sweep.table import Table
from steerageway.launcher.sweep.workers import portion

SOBOL = """
design: sobol
cases: {cases}
fixed: {{--for: 6}}
vary: {{--config Walker.pace: {{from: 1, to: 4}}, --set GO: ["true", "false"]}}
"""
Edit = Callable[[str, str], Path]
forks = pytest.mark.process
ROW = 8 * 12  # numbers of a row that are kept [bytes]
COLUMN = 2 * (8 + 24)  # of a row while one column is a list of Python's floats [bytes]


def peak_of(cases: int, mission: Path, folder: Path) -> int:
    """Return the memory for a campaign's cases, rows and tables at most [bytes]."""
    file = folder / f"{cases}.yml"
    file.write_text(SOBOL.format(cases=cases))
    arguments = [str(mission), "--sweep", str(file), "--no-log"]
    options = parse_options(arguments)
    tracemalloc.start()
    try:
        found = read_runs(options, arguments)
        check_sweep(found, options.missions)
        rows = Journal(folder / f"{cases}.jsonl", found.runs)
        for k, run in enumerate(reversed(rows.left())):
            ends = {"exit_code": 0, "exit_reason": "for", "seconds": 6.0, "run_warning": ""}
            numbers = dict.fromkeys(("x", "y", "heading", "speed", "distance"), k / 7)
            rows.add(row_head(run) | ends | numbers | {"failure": ""})
        rows.close()
        table = Table(rows.values(), found.columns)
        table.write_csv(folder / "results.csv")
        write_junit(folder / "junit.xml", "campaign", rows.values(), found.columns, found.alone)
        list(text(summary(rows, table, found.columns), rows, found.criteria()))
        worst_cases(rows.values(), 5)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_row_takes_the_memory_of_its_numbers_only(duet: Path, tmp_path: Path) -> None:
    few, many = (peak_of(cases, duet, tmp_path) for cases in (64, 512))
    assert (many - few) / (512 - 64) < ROW + 2 * 8 + 4 * COLUMN
    with (tmp_path / "results.csv").open() as file:
        numbers = [int(line.split(",")[0]) for line in islice(file, 1, None)]
    assert numbers == list(range(1, 513)), "rows that came in reverse are in order"


def perform(mission: Path, text: str, *options: str) -> int:
    """Perform a sweep without logs, with its results in ``out``; return the exit code."""
    file = mission.parent / "sweep.yml"
    file.write_text(text)
    return main([str(mission), "--sweep", str(file), "--no-log", "--results", "out", *options])


def rows() -> list[dict[str, str]]:
    """Return the rows of the sweep in ``out``."""
    with Path("out/results.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("seconds", "jobs"), [(0.005, 2), (0.1, 2), (0.1, 64), (3.0, 16)])
def test_a_hundred_thousand_runs_are_so_few_tasks_that_a_scheduler_needs_little(
    seconds: float, jobs: int
) -> None:
    """Dask's documentation gives a task of its scheduler up to 1 ms; here each may take 0.1 s."""
    runs, sizes = 100_000, list[int]()
    while left := runs - sum(sizes):
        performed = sum(sizes[: -2 * jobs])  # those before the ones that run and wait
        sizes.append(portion(left, jobs, performed, performed * seconds))
    assert min(sizes) >= 1
    assert max(sizes) * seconds <= 40.0 + seconds  # so a lost worker loses no more
    assert 0.1 * len(sizes) < 0.05 * runs * seconds


@forks
def test_the_table_in_parts_is_the_table_and_a_full_place_loses_no_row(
    duet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.launcher.sweep.table.PART", 2)
    text = SOBOL.format(cases=5) + "record: [ECHO]"
    place = Path("bucket").absolute()
    place.mkdir()
    (place / "part-00001.parquet").symlink_to("/dev/full")
    (place / "part-00007.parquet").write_text("of a longer table")
    assert perform(duet, text, "--table", f"file://{place}") == 2
    errors = capsys.readouterr().err
    assert f"--table file://{place}: [Errno 28] No space left on device; the rows are" in errors
    (place / "part-00001.parquet").unlink()
    before = Path("out/rows.jsonl").read_bytes()
    assert perform(duet, text, "--table", f"file://{place}") == 0
    assert Path("out/rows.jsonl").read_bytes() == before
    names = sorted(path.name for path in place.iterdir())
    assert names == [f"part-{number:05}.parquet" for number in range(3)]
    cells = dataset(place).to_table().to_pylist()
    assert [row["case"] for row in cells] == [1, 2, 3, 4, 5]
    assert [row["x"] for row in cells] == [float(row["x"]) for row in rows()]
    assert perform(duet, text, "--table", "s9://bucket") == 2
    assert "--table s9://bucket: " in capsys.readouterr().err


BREAKS = """
fixed: {--for: 6, --wall-limit: 0.5}
vary: {--config Breaker.at: [memory, hang, 99]}
"""


@forks
def test_the_row_of_a_run_that_hangs_or_exhausts_memory_says_so(
    edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steerageway.launcher.sweep.workers.GRACE", 0.5)
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    does = """
        at = self.config.text("at")
        if self.iteration == 3 and at == "memory":
            self.all = bytearray(10**9)
        if self.iteration == 3 and at == "hang":
            import itertools
            1 in itertools.repeat(0)  # in C, for ever"""
    code = program.read_text().partition("class Breaker")
    program.write_text(f"{code[0]}class Breaker(App):\n    def iterate(self):{does}\n")
    assert perform(mission, BREAKS, "--memory-limit", "300") == 1
    memory, hang, well = rows()
    assert memory["failure"].startswith("Breaker at 1.000 s: MemoryError")
    assert (hang["exit_reason"], hang["failure"]) == (
        "hung",
        "no end 0.5 s after --wall-limit; its stacks: runs/00002.txt",
    )
    assert "in iterate" in Path("out/runs/00002.txt").read_text()
    assert well["exit_code"] == "0"


@forks
def test_logs_of_failed_runs_stay_within_their_budget(edit: Edit) -> None:
    mission = edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    ends = "fixed: {--for: 60, --fail-if: NAV_X > 5, --set: GO=true}"
    text = f"{ends}\nvary: {{--config Walker.pace: [1, 2, 3, 4]}}"
    assert perform(mission, text, "--log-budget", "0") == 1
    assert [path.name for path in Path("out/runs").iterdir() if path.is_dir()] == []
    assert [row["exit_code"] for row in rows()] == ["4"] * 4


@pytest.mark.parametrize(("count", "of"), [(0, 1), (0, 40), (3, 40), (40, 40), (12345, 100_000)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_interval_of_a_probability_is_scipys(count: int, of: int, confidence: float) -> None:
    expected = binomtest(count, of).proportion_ci(confidence, method="wilson")
    assert wilson(count, of, confidence) == pytest.approx((expected.low, expected.high), abs=1e-12)


def campaign(rng: Random, probability: float, cases: int) -> dict[int, dict[str, Any]]:
    """Return the rows of cases that fail with a probability."""
    ends = ("fail_if" if rng.random() < probability else "for" for _ in range(cases))
    return {number: {"exit_reason": end} for number, end in enumerate(ends, 1)}


def test_a_campaign_stops_after_the_same_case_in_whatever_order_rows_come() -> None:
    rng = Random(7)
    wanted = Precision("fail_if", 0.05, 0.95)
    covered = 0
    for _ in range(200):
        every = campaign(rng, 0.1, 500)
        there: dict[int, dict[str, Any]] = {}
        stopping, order = Stopping(wanted, there), list(every)
        rng.shuffle(order)
        for number in order:
            there[number] = every[number]
            if stopping.holds():
                break
        after = stopping.after or 0
        ends = [every[number]["exit_reason"] for number in range(1, after + 1)]
        low, high = wilson(ends.count("fail_if"), after)
        before = wilson(ends[:-1].count("fail_if"), after - 1)
        assert high - low <= 0.1 < before[1] - before[0]
        covered += low <= 0.1 <= high
    assert covered >= 0.9 * 200


def test_the_main_effect_is_the_first_order_sobol_index() -> None:
    ends = [(a, b) for a in range(40) for b in range(40)]
    first, second = [float(a) for a, _ in ends], [float(b) for _, b in ends]
    outcome = [2.0 * a + b for a, b in ends]
    within = 1 / 64  # of its variance is left by eight levels of a factor
    assert main_effect(first, outcome) == pytest.approx(0.8 * (1 - within), abs=0.005)
    assert main_effect(second, outcome) == pytest.approx(0.2 * (1 - within), abs=0.005)
    product = [(a - 19.5) * (b - 19.5) for a, b in ends]
    assert main_effect(first, product) == 0.0, "an interaction is no main effect"
    words = ["low" if a < 20 else "high" for a, _ in ends]
    assert main_effect(words, [float(word == "low") for word in words]) == pytest.approx(1.0)
    assert main_effect(first, [1.0] * 1600) is None
    assert main_effect([1.0, 2.0], [1.0, None]) is None


def test_levels_have_equal_numbers_of_cases_and_their_shares() -> None:
    factor = [float(k) for k in range(80)]
    levels = list(shares(factor, [k >= 70 for k in range(80)], [1.0] * 80))
    assert [(one.first, one.last, one.cases) for one in levels] == [
        (f"{10 * k}", f"{10 * k + 9}", 10) for k in range(8)
    ]
    assert [one.share for one in levels] == [0.0] * 7 + [1.0]
    assert (levels[0].low, levels[0].high) == wilson(0, 10)


def test_levels_of_weighted_cases_have_the_shares_that_plain_cases_would_have() -> None:
    drawn = [tilted((k + 0.5) / 4000, 6.0) for k in range(4000)]
    other = [tilted((k * 1597 % 4000 + 0.5) / 4000, -3.0) for k in range(4000)]  # in another order
    happened = [a * b > 0.36 for (a, _), (b, _) in zip(drawn, other, strict=True)]
    weights = [one * two for (_, one), (_, two) in zip(drawn, other, strict=True)]
    for level in shares([a for a, _ in drawn], happened, weights):
        low, high = float(level.first), float(level.last)
        share = max(0.0, 1 - 0.36 * log(high / low) / (high - low)) if low > 0.36 else 0.0
        assert level.share == pytest.approx(share, abs=0.05) or low < 0.36 < high


UNLIKELY = 1e-3  # probability of the event below
TILT = 20.0


def estimate(tilt: float, seed: int, cases: int) -> Tally:
    """Return the estimate of the probability that an even number exceeds 1 - UNLIKELY."""
    rng, tally = Random(seed), Tally()
    for _ in range(cases):
        value, weight = tilted(rng.random(), tilt)
        tally.take(happened=value > 1 - UNLIKELY, weight=weight)
    return tally


def test_tilted_cases_estimate_a_rare_probability_without_bias_and_more_closely() -> None:
    plain, tilts = ([estimate(tilt, seed, 500) for seed in range(200)] for tilt in (0.0, TILT))
    mean = fmean(one.share for one in tilts)
    # The mean of squared weights over the event: (exp(t) - 1) / t times the integral of exp(-t u).
    square = expm1(TILT) / TILT * exp(-TILT) * expm1(TILT * UNLIKELY) / TILT
    error = sqrt((square - UNLIKELY**2) / 500)
    assert stdev(one.share for one in tilts) == pytest.approx(error, rel=0.15)
    assert mean == pytest.approx(UNLIKELY, abs=3 * error / sqrt(200))
    assert stdev(one.share for one in plain) > 4 * error
    covered = sum(low <= UNLIKELY <= high for low, high in (one.interval() for one in tilts))
    assert covered >= 0.9 * 200
    widths = [fmean(b - a for a, b in (one.interval() for one in some)) for some in (tilts, plain)]
    assert widths[0] < widths[1] / 5


def test_an_estimate_of_plain_cases_has_wilsons_interval() -> None:
    for count in (0, 3, 40):
        tally = Tally()
        for k in range(40):
            tally.take(happened=k < count)
        assert tally.interval() == pytest.approx(wilson(count, 40), abs=1e-12)


STOPS = """
design: random
cases: 60
fixed: {{--for: 6, --fail-if: NAV_X > 50, --set: GO=true}}
vary: {{--config Walker.pace: {{from: 1, to: 4}}}}
stop: {{outcome: fail_if, half_width: {width}}}
"""


@forks
def test_a_campaign_stops_at_its_precision_and_continues_for_a_better_one(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert perform(duet, STOPS.format(width=0.3), "--jobs", "3") == 1
    few = rows()
    failed = sum(row["exit_reason"] == "fail_if" for row in few)
    low, high = wilson(failed, len(few))
    assert high - low <= 0.6
    assert len(few) < 20
    assert f"fail_if: probability {failed / len(few):.4g}, 95 % interval {low:.4g} to" in (
        capsys.readouterr().out
    )
    assert perform(duet, STOPS.format(width=0.15)) == 1
    more = rows()
    assert more[: len(few)] == few
    assert len(more) > len(few)
    assert perform(duet, STOPS.format(width=0.7)) == 2
    assert "half_width" in capsys.readouterr().err
    page = Path("out/report.html").read_text()
    assert "Main effects" in page


RARE = """
design: random
cases: 1
fixed: {--for: 6, --fail-if: NAV_X > 83.5, --set: GO=true}
vary:
  --config Walker.pace: {from: 0.1, to: 4}
  --config pEcho.word: {from: 0, to: 1}
search: {maximize: max NAV_X}
"""


@forks
def test_a_search_finds_rare_failures_and_prints_commands_that_repeat_them(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limit = 83.5 / 21  # of the pace: a failure in 0.6 % of the range, 21 steps
    assert perform(duet, RARE, "--find-failure", "48", "--json", "found.json") == 1
    found = json.loads(Path("found.json").read_text())
    assert found["cases"] == 48
    paces = [float(one["values"]["Walker.pace"]) for one in found["failed"]]
    assert paces
    assert min(paces) > limit
    said = capsys.readouterr().out
    command = found["failed"][0]["command"]
    reached = f"NAV_X = {21 * paces[0]:.5f} at 5.95 s"
    assert f"--fail-if NAV_X > 83.5: {reached}:\n  {command}\n" in said
    repeated = shlex.split(command.removeprefix("steerageway run "))
    assert main([*repeated, "--placement", "one", "--warp", "max"]) == 4
    before = [path.read_bytes() for path in sorted(Path("out").glob("*/rows.jsonl"))]
    assert perform(duet, RARE, "--find-failure", "48") == 1
    assert [path.read_bytes() for path in sorted(Path("out").glob("*/rows.jsonl"))] == before
    assert perform(duet, RARE.replace("search:", "# "), "--find-failure", "9") == 2
    assert "--find-failure: expected search: {minimize:" in capsys.readouterr().err


@forks
def test_a_worker_with_other_code_or_files_is_refused(duet: Path, tmp_path: Path) -> None:
    file = tmp_path / "sweep.yml"
    file.write_text(SOBOL.format(cases=4))
    arguments = [str(duet), "--sweep", str(file), "--no-log"]
    options = parse_options(arguments)
    found = read_runs(options, arguments)
    inputs, *_ = check_sweep(found, options.missions)
    (tmp_path / "runs").mkdir()
    job = block_of(found, list(found.runs), Place(tmp_path, logs=False), inputs)
    done, busy = run_block(job, lambda: True)
    assert [row["case"] for row in done] == [1, 2, 3, 4]
    assert busy > 0
    with pytest.raises(ProgramFailed, match="another version of Steerageway on "):
        run_block(job | {"sources": "0"}, lambda: True)
    duet.write_text(duet.read_text() + "\n// changed\n")
    with pytest.raises(ProgramFailed, match="other input files in "):
        run_block(job, lambda: True)


TILTED = """
design: random
cases: 30
fixed: {{--for: 4, --fail-if: NAV_X > 38, --set: GO=true}}
vary: {{--config Walker.pace: {{from: 1, to: 4, tilt: {tilt}}}}}
"""


@forks
def test_the_probability_of_a_tilted_campaign_is_the_mean_of_its_cases_weights(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert perform(duet, TILTED.format(tilt=-6), "--json", "out.json") == 1
    weights, failed = [float(row["weight"]) for row in rows()], rows()[0]["exit_code"]
    happened = [row["exit_code"] == "4" for row in rows()]
    assert 0 < sum(happened) < 15 < 30 - sum(happened), failed
    for row, weight in zip(rows(), weights, strict=True):
        height = (float(row["Walker.pace"]) - 1) / 3
        assert weight == pytest.approx(expm1(-6) / -6 * exp(6 * height), rel=1e-4)
    shown = json.loads(Path("out.json").read_text())["probabilities"]["fail_if"]
    share = sum(w for w, did in zip(weights, happened, strict=True) if did) / 30
    assert shown["share"] == pytest.approx(share)
    assert shown["interval"][0] < share < shown["interval"][1]
    assert perform(duet, TILTED.format(tilt=-51)) == 2
    assert "vary.--config Walker.pace.tilt = -51: expected" in capsys.readouterr().err
    grid = "vary: {--config Walker.pace: {from: 1, to: 4, steps: 3, tilt: 2}}"
    assert perform(duet, grid) == 2
    assert "a tilt: expected none, or a design that is drawn" in capsys.readouterr().err
