"""Campaigns of very many runs: the memory of the driver, the table in parts."""

from __future__ import annotations

import tracemalloc
from itertools import islice
from pathlib import Path

import pytest

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
