"""Apps and behaviors that a mission names and that do not exist here; and who waits for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher.errors import LaunchError
from tests.launcher.plans import plan

MISSION = """\
Community = alpha
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = pHelmIvP
  Run = pEchoVar
  Run = pMarineViewer
%s}
ProcessConfig = pHelmIvP
{
  behaviors = a.bhv
  domain = course:0:359:360
  domain = speed:0:4:41
}
ProcessConfig = pEchoVar
{
  echo = ONE -> ECHOED
}
ProcessConfig = pMarineViewer
{
  button_one = GO # BY_BUTTON = true
}
"""
BEHAVIORS = """\
initialize INITIAL = true
Behavior = BHV_ConstantSpeed
{
  name = speed
  condition = (FOUND = true) and (INITIAL = true)
  condition = (ECHOED = 1) and (BY_BUTTON = true) and (POKED = 1)
  updates = NEW_SPEED
}
"""
MAGIC = """\
Behavior = BHV_Magic
{
  condition = OF_MAGIC = 1
}
"""
NOBODY = "pHelmIvP waits for {}, which no app here posts; missing: {}"


@pytest.fixture
def launch(tmp_path: Path):
    """Return a function that writes a mission with more apps and behaviors, and plans it."""

    def write(runs: str, behaviors: str, *options: str):
        lines = "".join(f"  Run = {name}\n" for name in runs.split())
        (tmp_path / "a.moos").write_text(MISSION % lines)
        (tmp_path / "a.bhv").write_text(BEHAVIORS + behaviors)
        made = plan(str(tmp_path / "a.moos"), "--set", "POKED=1", *options)
        texts = [str(one).replace(f"{tmp_path}/", "") for one in made.warnings]
        return [app.name for app in made.plan.apps], texts

    return write


def waits(absent: str) -> list[str]:
    return [
        f"a.bhv:7: updates = NEW_SPEED: {NOBODY.format('NEW_SPEED', absent)}",
        "a.bhv:5: condition = (FOUND = true) and (INITIAL = true): "
        + NOBODY.format("FOUND", absent),
    ]


@pytest.mark.parametrize("options", [["--skip", "*"], ["--skip-missing"]])
def test_missing_apps_are_left_out_and_who_waits_for_them_is_reported(launch, options) -> None:
    apps, warnings = launch("pFinder bin/pOther", "", *options)
    assert apps == ["pHelmIvP", "pEchoVar"]
    assert warnings[:2] == [
        f"a.moos:{line}: Run = {name}: no such app here: it is not started"
        for line, name in ((8, "pFinder"), (9, "bin/pOther"))
    ]
    assert warnings[2:] == waits("pFinder, pOther")


@pytest.mark.parametrize("option", ["pFinder,pOther", "pFinder, p?ther", "pFin*,pOth*"])
def test_several_apps_are_skipped_by_names_and_patterns(launch, option) -> None:
    apps, warnings = launch("pFinder pOther", "", "--skip", option)
    assert apps == ["pHelmIvP", "pEchoVar"]
    assert warnings == waits("pFinder, pOther")


def test_an_app_of_a_course_is_not_passed_over_in_silence(launch) -> None:
    assert launch("pEvalLoiter", "")[1] == waits("pEvalLoiter")
    assert launch("", "")[1] == []  # a person may post what no app does


def test_skip_missing_alone_reports_nobody(launch) -> None:
    assert launch("", "", "--skip-missing")[1] == []


AVOID = """\
Behavior = BHV_%s
{
  templating = spawn
  updates = ALERT
}
"""


@pytest.mark.parametrize(
    ("behavior", "manager"),
    [("AvdColregsV22", "pContactMgrV20"), ("AvoidObstacleV24", "pObstacleMgr")],
)
def test_updates_that_a_manager_is_asked_for_are_posted(launch, behavior, manager) -> None:
    alone = launch("pFinder", AVOID % behavior, "--skip-missing")[1]
    assert any(NOBODY.format("ALERT", "pFinder") in text for text in alone)
    managed = launch(f"pFinder {manager}", AVOID % behavior, "--skip-missing")[1]
    assert not any("ALERT" in text for text in managed)


def test_missing_behaviors_are_left_out_with_a_warning(launch) -> None:
    with pytest.raises(LaunchError, match="BHV_Magic"):
        launch("", MAGIC)
    _, warnings = launch("", MAGIC, "--skip-missing")
    assert warnings[0] == "pHelmIvP: a.bhv:9: BHV_Magic is missing here, and left out"
    assert not any("OF_MAGIC" in text for text in warnings)
    assert warnings[1:] == waits("BHV_Magic")
    with pytest.raises(LaunchError, match="waits for FOUND"):
        launch("", MAGIC, "--skip-missing", "--strict")


def test_a_skipped_name_that_fits_no_app_is_an_error(launch) -> None:
    with pytest.raises(LaunchError, match="--skip pFindr: expected an app of the launch list"):
        launch("pFinder", "", "--skip", "pFinder,pFindr")
