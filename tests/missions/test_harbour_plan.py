"""missions/harbour_plan: through the gap of a wall by map and plan, the same in every placement."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256

pytest.importorskip("embreex")
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.harbour_plan import BLIND, passage_of, prepare  # noqa: E402

SEED = 4
BEHIND = "NAV_Y > 62"  # the first wall, which crosses the basin at 50 m
pytestmark = pytest.mark.slow


def test_a_wall_is_passed_by_its_gap_and_nothing_is_touched() -> None:
    """benchmarks/harbour_plan.py goes on, and in other mazes."""
    passage = passage_of(SEED, until=BEHIND)
    assert passage.seconds is not None
    assert passage.touched == []


def test_without_a_plan_the_wall_is_touched() -> None:
    passage = passage_of(SEED, BLIND, BEHIND)
    assert any(name.startswith("wall") for name in passage.touched)


@pytest.mark.process
def test_logs_are_the_same_in_every_placement(tmp_path: Path) -> None:
    mission, hashes = prepare(tmp_path / "mission", SEED), []
    for placement in ("one", "process"):
        log = tmp_path / placement
        words = [str(mission), "--for", "5", "--placement", placement, "--warp", "max"]
        plan = plan_launch(parse_options([*words, "--port", "auto", "--log", str(log)])).plan
        assert run(plan, lambda progress: None).exit_reason == "for"
        (path,) = log.rglob("*.alog")
        assert "PLAN_UPDATE" in path.read_text()
        hashes.append(log_sha256(log))
    assert len(set(hashes)) == 1
