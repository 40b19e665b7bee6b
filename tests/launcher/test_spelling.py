"""Warnings about misspelt variables at launch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch

MISSION = """\
Community = alpha
ProcessConfig = ANTLER
{{
  Run = pHelmIvP
  Run = uTimerScript
}}
ProcessConfig = pHelmIvP
{{
  behaviors = alpha.bhv
  domain = course:0:359:360
  domain = speed:0:4:41
}}
ProcessConfig = uTimerScript
{{
  event = var=STATION_1, val=true, time=5
}}
{more}
"""
BEHAVIORS = """\
initialize DEPLOY = true
initialize RETURN = false
set MODE = ACTIVE
{{
  DEPLOY = true
  {mode}
}}
Behavior = BHV_ConstantSpeed
{{
  name      = cruise
  condition = {condition}
  speed     = 1
  duration  = no-time-limit
}}
"""
Planned = Callable[..., Launch]


@pytest.fixture
def planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Planned:
    """Return a way to plan a mission in this folder whose behavior has a condition."""
    monkeypatch.chdir(tmp_path)

    def plan(
        *options: str, condition: str, mode: str = "DEPLOY != false", more: str = ""
    ) -> Launch:
        (tmp_path / "alpha.moos").write_text(MISSION.format(more=more))
        (tmp_path / "alpha.bhv").write_text(BEHAVIORS.format(condition=condition, mode=mode))
        return plan_launch(parse_options([".", "--no-log", *options]))

    return plan


def test_a_misspelt_variable_is_reported_with_its_line_and_the_intended_one(
    planned: Planned,
) -> None:
    launch = planned(condition="(DEPLOY = true) and (RETRUN = false)")
    expected = (
        "alpha.bhv:11: condition = (DEPLOY = true) and (RETRUN = false): nobody here posts or "
    )
    expected += "initializes RETRUN; the nearest is RETURN"
    assert launch.warnings == (f"pHelmIvP: {expected}",)
    helm = launch.plan.apps[0]
    assert helm.app.config_warnings == [expected]
    assert helm.rebuild(3).config_warnings == [expected]


def test_lines_of_behavior_and_mission_files_are_reported_with_their_folder(
    planned: Planned, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned(condition="RETURN = false")
    monkeypatch.chdir(tmp_path.parent)
    mission = tmp_path / "alpha.moos"
    mission.write_text(mission.read_text().replace("  behaviors", "  ok_skw = 1\n  behaviors"))
    behaviors = tmp_path / "alpha.bhv"
    behaviors.write_text(behaviors.read_text().replace("= RETURN", "= RETRUN"))
    launch = plan_launch(parse_options([tmp_path.name, "--no-log"]))
    warnings = [warning.removeprefix("pHelmIvP: ") for warning in launch.warnings]
    assert sorted(place.partition(":")[0] for place in warnings) == [
        f"{tmp_path.name}/alpha.bhv",
        f"{tmp_path.name}/alpha.moos",
    ]


def test_a_misspelt_variable_of_a_mode_is_reported_too(planned: Planned) -> None:
    (warning,) = planned(condition="MODE = ACTIVE", mode="RETURM = true").warnings
    assert "alpha.bhv:3: RETURM = true: nobody here posts or initializes RETURM" in warning


@pytest.mark.parametrize(
    "condition",
    [
        "RETURN = false",  # initialized
        "GO_AHEAD = true",  # like no other name: a person's
        "STATION_2 = true",  # another number than STATION_1, which is posted
        "AVOID_ALL = true",
        "NAV_SPEED > 1",  # nobody posts it here, and nothing is like it
        "PHELMIVP_STATUS != x",
        "DB_UPTIME > 5",
        "DESIRED_SPEED > 1",  # the helm's own
    ],
)
def test_a_variable_that_a_user_or_an_app_may_post_is_not_reported(
    planned: Planned, condition: str
) -> None:
    assert planned(condition=condition).warnings == ()


def test_mentioned_and_poked_variables_are_taken_as_correct(planned: Planned) -> None:
    assert planned(condition="DEPLOYS = true").warnings
    assert not planned("--set", "DEPLOYS=true", condition="DEPLOYS = true").warnings
    button = "ProcessConfig = pMarineViewer\n{\n  button_one = GO # DEPLOYS=true\n}\n"
    assert not planned(condition="DEPLOYS = true", more=button).warnings


def test_variables_of_a_sweep_within_a_mission_are_checked_too(
    tmp_path: Path,
) -> None:
    text = "limit: 3\nposts: {DEPLYO: [1, 2], RETURN: false}\nstate: {x: [1, 2]}\n"
    text += "until: DEPLOYY = true\nrecord: [max RETURM, DEPLOY]\n"
    cases = tmp_path / "cases.yml"
    cases.write_text(text)
    block = "ProcessConfig = uSweep\n{\n  cases = cases.yml\n}\n"
    mission = MISSION.replace("  Run = uTimerScript", "  Run = uTimerScript\n  Run = uSweep")
    (tmp_path / "alpha.moos").write_text(mission.format(more=block))
    (tmp_path / "alpha.bhv").write_text(BEHAVIORS.format(condition="DEPLOY = true", mode="A = 1"))
    command = [str(tmp_path), "--no-log"]
    with pytest.raises(LaunchError) as refused:  # with a broker, too, where observers may post
        plan_launch(parse_options(command))
    said = str(refused.value).splitlines()
    unposted = "no app declares that it posts"
    places = (f"{cases}:5: record: max RETURM", f"{cases}:4: until: DEPLOYY = true")
    for place, name, near in zip(places, ("RETURM", "DEPLOYY"), ("RETURN", "DEPLOY"), strict=True):
        (line,) = (line for line in said if place in line)
        assert f"{unposted} {name}" in line
        assert line.endswith(near)
    launch = plan_launch(parse_options([*command, "--allow-unknown"]))
    assert [place for place in places for one in launch.warnings if place in one] == [*places]
    (posted,) = (one for one in launch.warnings if ":2: posts" in one)
    assert "DEPLYO: no app posts it or subscribes to it; the nearest is DEPLOY" in posted


def test_a_misspelt_variable_of_set_is_reported(planned: Planned) -> None:
    assert planned(
        "--set", "@3:DEPLYO=1", "--set", "DEPLYO=2", condition="DEPLOY = true"
    ).warnings == ("--set DEPLYO: no app posts it or subscribes to it; the nearest is DEPLOY",)
    with pytest.raises(LaunchError, match="--set DEPLYO: no app"):
        planned("--set", "DEPLYO=1", "--strict", condition="DEPLOY = true")


@pytest.mark.parametrize(
    "poke",
    [
        "DEPLOY=true",
        "@3:alpha:DEPLOY=true",
        "GO_AHEAD=true",  # like no other name
        "STATION_2=true",  # another number than one that is posted
        "MOOS_MANUAL_OVERRIDE=false",
        "DEPLOYS=a",  # an updates line of the behavior file names it
        "BUTTON=true",  # the mission file mentions it
    ],
)
def test_a_variable_that_an_app_may_subscribe_to_is_not_reported(
    planned: Planned, poke: str
) -> None:
    more = "ProcessConfig = pMarineViewer\n{\n  button_one = GO # BUTTON=true\n}\n"
    condition = "DEPLOY = true\n  updates = DEPLOYS"
    assert planned("--set", poke, condition=condition, more=more).warnings == ()


@pytest.mark.parametrize("flag", ["RETRUN = true", "#all+ RETRUN = true", "RETRUN = true (A = 1)"])
def test_a_misspelt_variable_of_a_flag_is_reported(planned: Planned, flag: str) -> None:
    (warning,) = planned(condition=f"RETURN = false\n  endflag = {flag}").warnings
    line = f"alpha.bhv:12: endflag = {flag}"
    assert (
        warning == f"pHelmIvP: {line}: no app posts it or subscribes to it; the nearest is RETURN"
    )


def test_a_flag_in_a_template_is_reported_at_the_users_own_file(planned: Planned) -> None:
    flag = "endflag = RETRUN = true"
    expanded = planned(condition=f"RETURN = false\n  {flag}", more="#define PACE 1")
    assert expanded.communities[0].source_map.folder is not None
    (warning,) = expanded.warnings
    assert warning.startswith(f"pHelmIvP: alpha.bhv:12: {flag}: ")


@pytest.mark.parametrize(
    ("flag", "more"),
    [
        ("RETURN = true", ""),  # a condition looks at it
        ("ARRIVAL = true", ""),  # like no other name: a person's
        ("DEPLOYS = true\n  updates = DEPLOYS", ""),
        ("DEPLOYS = true", "ProcessConfig = pShare\n{\n  output = DEPLOYS -> localhost:9200\n}\n"),
    ],
)
def test_a_flag_that_an_app_may_receive_is_not_reported(
    planned: Planned, flag: str, more: str
) -> None:
    assert planned(condition=f"RETURN = false\n  endflag = {flag}", more=more).warnings == ()


def test_a_flag_that_ends_the_run_is_not_reported(planned: Planned) -> None:
    condition = "RETURN = false\n  endflag = DEPLOYS = true"
    assert planned("--until", "DEPLOYS = true", condition=condition).warnings == ()
