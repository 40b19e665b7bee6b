"""Child processes that perform several runs of a sweep, one after another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.launcher.sweep.execution import Row
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep
from steerageway.launcher.sweep.workers import Workers

pytestmark = [pytest.mark.process, pytest.mark.slow]
PACES = (1, 2, -1, 3, 4, 5, 6, 7)  # -1 is refused


def rows(mission: Path, together: int, folder: Path) -> dict[int, Row]:
    """Return the rows of a sweep, by case."""
    runs = tuple(
        Run(
            number,
            number,
            {},
            (f"--config=Walker.pace={pace}", "--set=GO=true", f"--seed={number}"),
        )
        for number, pace in enumerate(PACES, 1)
    )
    found = Sweep((str(mission), "--for=6"), (), (), runs, ("max NAV_X",))
    (folder / "runs").mkdir(parents=True)
    workers = Workers(1, found, Place(folder, logs=False), together)
    return {row["case"]: row for row in workers.rows(runs, lambda: False)}


def test_runs_in_one_process_have_the_rows_of_runs_alone(duet: Path, tmp_path: Path) -> None:
    alone = rows(duet, 1, tmp_path / "alone")
    assert {number: row["exit_code"] for number, row in alone.items()} == {
        number: 2 if pace < 0 else 0 for number, pace in enumerate(PACES, 1)
    }
    assert len({row["max NAV_X"] for row in alone.values() if not row["exit_code"]}) > 3
    assert rows(duet, 8, tmp_path / "together") == alone


def test_a_run_that_kills_its_process_takes_no_other_with_it(
    edit: Callable[[str, str], Path], tmp_path: Path
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    deadly = "import os; self.setting.seed == 5 and os._exit(0)"
    program.write_text(program.read_text().replace('raise RuntimeError("out of steam")', deadly))
    found = rows(mission, 8, tmp_path / "together")
    assert sorted(found) == list(range(1, 9))
    assert {number for number, row in found.items() if row["exit_reason"] == "died"} == {5}
