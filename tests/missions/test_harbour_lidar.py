"""missions/harbour_lidar: detected objects are avoided, and frames are equal in each placement."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from steerageway.apps.shared.mcap_frames import frames_of
from steerageway.bus import run
from steerageway.launcher import Case, Mission
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256

pytest.importorskip("embreex")
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.harbour_lidar import Passage, passage_of, prepare  # noqa: E402

SEEDS = (5,)  # one of those in which somebody is touched who does not look
MOST_OF_IT = "NAV_Y > 140"
MISSED, FALSE = 0.5, 1.5  # vessels that no track belongs to, tracks of none; on the mean
SEEN = 15.0  # [m] from which everything that floats is seen, at least
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def passages() -> list[Passage]:
    """Return the passage of a harbour; benchmarks/harbour_lidar.py runs a hundred."""
    return [passage_of(seed, until=MOST_OF_IT) for seed in SEEDS]


def test_nothing_is_touched(passages: list[Passage]) -> None:
    assert [passage.touched for passage in passages] == [[]] * len(passages)
    assert all(passage.seconds is not None for passage in passages)


def test_tracks_are_near_the_truth(passages: list[Passage]) -> None:
    rows = [row for passage in passages for row in passage.gospa]
    _, _, missed, false = (sum(column) / len(rows) for column in zip(*rows, strict=True))
    assert missed < MISSED
    assert false < FALSE


def test_everything_near_the_way_is_seen_in_time(passages: list[Passage]) -> None:
    seen = [away for passage in passages for _, away in passage.seen]
    assert len(seen) > 10
    assert all(away is not None and away > SEEN for away in seen)


def test_without_its_tracker_it_touches(tmp_path: Path) -> None:
    touched = [passage_of(seed, tracker=False).touched for seed in SEEDS]
    assert all(touched)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the mission with a logger of clouds."""
    folder = prepare(tmp_path_factory.mktemp("recorded") / "mission", 3)
    file = folder / "harbour.moos"
    text = file.read_text().replace("  Run = uTracker\n", "  Run = uTracker\n  Run = pMcapLogger\n")
    file.write_text(text)
    return folder


@pytest.mark.process
def test_logs_and_clouds_are_the_same_in_every_placement(recorded: Path, tmp_path: Path) -> None:
    hashes = []
    for placement in ("one", "process"):
        log = tmp_path / placement
        words = [str(recorded), "--for", "8", "--placement", placement, "--warp", "max"]
        plan = plan_launch(parse_options([*words, "--port", "auto", "--log", str(log)])).plan
        assert run(plan, lambda progress: None).exit_reason == "for"
        file = (log / "abe.mcap").read_bytes()
        assert len(list(frames_of(log / "abe.mcap"))) > 30
        hashes.append((sha256(file).hexdigest(), log_sha256(log)))
    assert len(set(hashes)) == 1


def test_a_case_after_others_equals_the_case_alone(recorded: Path) -> None:
    seen = []
    for uses in (0, 2):
        with Mission(recorded) as mission:
            mission.register("LIDAR_TOP", "TRACKS", "GIVEN_OBSTACLE")
            for seed in range(uses):
                mission.reset(seed)
                mission.run_until(3.0 + seed)
            mission.reset(Case(seed=9))
            mission.fetch()
            mission.run_until(6.0)
            seen.append([(one.name, one.time, one.value) for one in mission.fetch()])
    assert seen[0] == seen[1]
    assert {name for name, _, _ in seen[0]} == {"LIDAR_TOP", "TRACKS", "GIVEN_OBSTACLE"}
