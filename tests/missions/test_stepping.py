"""Alpha controlled by a script: stepped, reset, and observed for learning."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher import Case, Mission
from steerageway.launcher.command import main
from steerageway.launcher.summary import log_sha256

MISSIONS = Path(__file__).parents[2] / "missions"
ALPHA = MISSIONS / "alpha"
STATE = "x=40,y=-60,heading=200,speed=1.5"
pytestmark = pytest.mark.slow


def test_a_stepped_mission_leaves_the_log_of_the_launched_one(tmp_path: Path) -> None:
    launched, stepped = tmp_path / "launched", tmp_path / "stepped"
    command = [str(ALPHA), "--placement", "one", "--warp", "max", "--log", str(launched)]
    assert main([*command, "--until", "MISSION = complete", "--seed", "3"]) == 0
    with Mission(ALPHA, log=stepped, seed=3) as alpha:
        while not alpha.run_until("MISSION = complete", limit=alpha.time + 7.3):
            pass
    assert log_sha256(stepped) == log_sha256(launched)


def test_a_case_of_a_used_mission_sails_the_track_of_a_fresh_one() -> None:
    case = Case(seed=8, first={"USM_RESET": STATE})
    tracks = []
    for uses in (0, 3):
        with Mission(ALPHA) as alpha:
            alpha.register("NAV_*", "DESIRED_*")
            for seed in range(uses):
                alpha.reset(seed)
                alpha.run_until(31.7 + seed)
            alpha.reset(case)
            alpha.fetch()
            assert alpha.run_until("MISSION = complete", limit=600)
            tracks.append(alpha.fetch())
    assert len(tracks[0]) > 1000
    assert tracks[0] == tracks[1]


@pytest.mark.parametrize(
    ("mission", "options"),
    [
        ("otter_survey", {}),
        ("estimated_nav", {}),
        ("gusts", {}),
        ("wormhole_lane", {"vessels": 2}),
        ("fleet", {"vessels": 3}),
    ],
)
def test_no_mission_remembers_an_earlier_case(mission: str, options: dict[str, int]) -> None:
    case = Case(seed=8, first={"USM_RESET": STATE})
    received = []
    for uses in (0, 2):
        with Mission(MISSIONS / mission, **options) as run:
            for community in run.communities:
                run.register("*", community=community)
            for seed in range(uses):
                run.reset(seed)
                run.run_until(6.3 + seed)
            run.reset(case)
            run.fetch()
            run.run_until(9.0)
            received.append(run.fetch())
    assert len(received[0]) > 300
    assert received[0] == received[1]
