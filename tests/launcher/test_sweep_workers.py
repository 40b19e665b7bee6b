"""Child processes that perform several runs of a sweep, one after another."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from steerageway.launcher.sweep.execution import Row, perform
from steerageway.launcher.sweep.results import Place
from steerageway.launcher.sweep.runs import Run, Sweep
from steerageway.launcher.sweep.workers import (
    Workers,
)

pytestmark = [pytest.mark.process, pytest.mark.slow]
ALPHA = Path(__file__).parents[2] / "missions" / "alpha"
NO_LIMIT, LIMIT = None, 4000  # of memory [MB]; runs with a limit have a process each


def rows(
    mission: Path, varied: Sequence[str], folder: Path, memory: int | None = NO_LIMIT
) -> dict[int, Row]:
    """Return the rows of a sweep, a run for each option, by case."""
    runs = tuple(
        Run(number, number, {}, ("--set=GO=true", option, f"--seed={number}"))
        for number, option in enumerate(varied, 1)
    )
    found = Sweep((str(mission), "--for=6"), (), (), runs, ("max NAV_X",))
    (folder / "runs").mkdir(parents=True)
    workers = Workers(1, found, Place(folder, logs=False, memory=memory))
    return {row["case"]: row for row in workers.rows(runs, lambda: False)}


@pytest.fixture
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of runs that each child was started with."""
    sizes: list[int] = []
    start = Workers._start

    def noted(self: Workers, runs: Sequence[Run], *, logged: bool, shared: bool) -> None:
        sizes.append(len(runs))
        start(self, runs, logged=logged, shared=shared)

    monkeypatch.setattr(Workers, "_start", noted)
    return sizes


def test_runs_in_one_process_have_the_rows_of_runs_alone(tmp_path: Path, forked: list[int]) -> None:
    turns = [f"--config=uSimMarineV22.turn_rate={rate}" for rate in (90, 30, "x", 60, 45, 70)]
    alone = rows(ALPHA, turns, tmp_path / "alone", LIMIT)
    assert set(forked) == {1}
    assert [row["exit_code"] for _, row in sorted(alone.items())] == [0, 0, 2, 0, 0, 0]
    assert len({row["x"] for row in alone.values() if not row["exit_code"]}) > 3
    forked.clear()
    assert rows(ALPHA, turns, tmp_path / "together") == alone
    assert max(forked) > 1
    assert forked.count(1) == 1, "the wrong one, again and alone"


def test_a_run_leaves_frozen_what_its_caller_froze_so_that_the_next_ones_remains_are_collected(
    tmp_path: Path,
) -> None:
    run = Run(1, 1, {}, ("--set=GO=true",))
    found = Sweep((str(ALPHA), "--for=1"), (), (), (run,), ())
    perform(found, run, None)
    gc.collect()
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        perform(found, run, None)
        assert gc.get_freeze_count() == frozen
        gc.collect()
        before = len(gc.get_objects())
        for _ in range(3):
            perform(found, run, None)
        gc.collect()
        assert len(gc.get_objects()) < before + 100
    finally:
        gc.unfreeze()


def test_code_of_the_missions_own_begins_anew_in_each_run(
    edit: Callable[[str, str], Path], tmp_path: Path, forked: list[int]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    again = "import duet; assert not hasattr(duet, 'ran'); duet.ran = True"
    program.write_text(program.read_text().replace('raise RuntimeError("out of steam")', again))
    found = rows(mission, ["--set=A=1"] * 5, tmp_path / "own")
    assert {row["exit_code"] for row in found.values()} == {0}
    assert forked == [1] * 5


def test_a_run_that_kills_its_process_takes_no_other_with_it(
    edit: Callable[[str, str], Path], tmp_path: Path
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    program = mission.parent / "duet.py"
    deadly = "import os; self.setting.seed == 5 and os._exit(0)"
    program.write_text(program.read_text().replace('raise RuntimeError("out of steam")', deadly))
    found = rows(mission, ["--set=A=1"] * 8, tmp_path / "together")
    assert sorted(found) == list(range(1, 9))
    assert {number for number, row in found.items() if row["exit_reason"] == "died"} == {5}
