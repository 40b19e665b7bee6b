"""Campaigns of very many runs: memory, the table in parts, logs, runs that do not end."""

from __future__ import annotations

import csv
import tracemalloc
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from pyarrow.dataset import dataset

from steerageway.launcher.command import main
from steerageway.launcher.options import parse_options
from steerageway.launcher.sweep.execution import row_head
from steerageway.launcher.sweep.files import check_sweep
from steerageway.launcher.sweep.journal import Journal
from steerageway.launcher.sweep.junit import write_junit
from steerageway.launcher.sweep.page import worst_cases
from steerageway.launcher.sweep.report import summary, text
from steerageway.launcher.sweep.runs import read_runs
from steerageway.launcher.sweep.table import Table

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
        write_junit(folder / "junit.xml", "campaign", rows.values(), found.columns)
        list(text(summary(rows, table, found.columns), rows))
        worst_cases(rows.values(), 5)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_row_takes_the_memory_of_its_numbers_only(duet: Path, tmp_path: Path) -> None:
    few, many = (peak_of(cases, duet, tmp_path) for cases in (128, 1024))
    assert (many - few) / (1024 - 128) < ROW + 2 * 8 + 4 * COLUMN
    with (tmp_path / "results.csv").open() as file:
        numbers = [int(line.split(",")[0]) for line in islice(file, 1, None)]
    assert numbers == list(range(1, 1025)), "rows that came in reverse are in order"


def perform(mission: Path, text: str, *options: str) -> int:
    """Perform a sweep without logs, with its results in ``out``; return the exit code."""
    file = mission.parent / "sweep.yml"
    file.write_text(text)
    return main([str(mission), "--sweep", str(file), "--no-log", "--results", "out", *options])


def rows() -> list[dict[str, str]]:
    """Return the rows of the sweep in ``out``."""
    with Path("out/results.csv").open() as file:
        return list(csv.DictReader(file))


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
