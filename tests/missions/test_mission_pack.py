"""What a user of MOOS-IvP looks for in a mission's folder: a launch script, and buttons."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.launcher.plans import plan

MISSIONS = Path(__file__).parents[2] / "missions"
SCRIPTS = sorted(path.parent.name for path in MISSIONS.glob("*/launch.sh"))
DEPLOYED = sorted(
    path.parent.name for path in MISSIONS.glob("*/*.moos") if " # DEPLOY=true" in path.read_text()
)


def test_the_first_missions_have_scripts() -> None:
    assert {"alpha", "otter_lane"} <= set(SCRIPTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_launches_the_mission_file_beside_it(name: str) -> None:
    (by_script,) = plan(MISSIONS / name / "launch.sh", "--", "3").communities
    (by_folder,) = plan(MISSIONS / name).communities
    assert by_script.mission.path.samefile(by_folder.mission.path)
    assert by_script.launch_list == by_folder.launch_list


@pytest.mark.slow
def test_a_script_without_a_warp_takes_that_of_the_mission_file(tmp_path: Path) -> None:
    mine = shutil.copytree(MISSIONS / "alpha", tmp_path / "mine")
    assert "MOOSTimeWarp = 10\n" in (mine / "alpha.moos").read_text()
    assert plan(mine).plan.warp == 10.0
    assert plan(mine / "launch.sh", "--", "3").plan.warp == 3.0


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_differ_in_the_name_alone(name: str) -> None:
    alpha, script = ((MISSIONS / one / "launch.sh").read_text() for one in ("alpha", name))
    assert script.replace(name, "alpha").split() == alpha.split()


@pytest.mark.process
@pytest.mark.slow
def test_the_log_is_the_same_by_the_script(launch: Callable[..., Any]) -> None:
    options = ("--for", "30", "--warp", "max", "--placement", "one")
    ended = [launch(MISSIONS / "alpha" / name, *options) for name in (".", "launch.sh")]
    assert [one.code for one in ended] == [0, 0], ended[1].said
    hashes = [one.summary["communities"]["alpha"]["log_sha256"] for one in ended]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize("name", DEPLOYED)
def test_buttons_deploy_and_hold_a_vessel(name: str) -> None:
    launch = plan(MISSIONS / name, "--button", "@5:HOLD", "--button", "@9:DEPLOY")
    posts = [(post.name, post.value) for post in launch.plan.inputs]
    assert posts[:3] == [
        ("DEPLOY", "false"),
        ("DEPLOY", "true"),
        ("MOOS_MANUAL_OVERRIDE", "false"),
    ]
    assert len(DEPLOYED) >= 9


def test_a_shore_calls_its_vessels_home() -> None:
    launch = plan(MISSIONS / "berta", "--vessels", "2", "--button", "@5:RETURN")
    (post,) = launch.plan.inputs
    assert (post.community, post.name, post.value) == ("shoreside", "RETURN_ALL", "true")


@pytest.mark.slow
def test_an_otter_sails_a_lane_by_its_sensors(launch: Callable[..., Any]) -> None:
    """Vessel, PID, helm, sensors, filter, drift and wormholes, each an app of the launch list."""
    ended = launch(
        MISSIONS / "otter_lane",
        *("--until", "MISSION = complete", "--for", "900", "--warp", "max", "--placement", "one"),
    )
    assert ended.code == 0, ended.said
    found = [(entry.name, entry.value) for entry in ended.entries()]
    passages = [value for name, value in found if name == "WORMHOLE_PASSAGE"]
    assert len(passages) == 3
    last = dict(found)
    assert abs(float(last["USM_X"])) < 10.0
    assert abs(float(last["USM_Y"]) + 20.0) < 10.0
    assert float(last["NAV_X"]) == pytest.approx(float(last["USM_X"]), abs=3.0)
    assert {"DRIFT_X", "NAV_SOLUTION", "DESIRED_THRUST", "IVPHELM_STATE"} <= set(last)
