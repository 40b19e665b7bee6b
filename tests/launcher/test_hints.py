"""Hints for behavior files that are unexpanded templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.apps.helm.files import read_files
from steerageway.apps.helm.options import HelmOptions
from steerageway.bus import Config, ConfigError
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import Launch, plan_launch

MISSION = """\
Community = $(VNAME:=abe)
#define BHV %s
ProcessConfig = ANTLER
{
  Run = pHelmIvP
}
ProcessConfig = pHelmIvP
{
  behaviors = $(BHV)
  domain = course:0:359:360
  domain = speed:0:4:41
}
"""
BEHAVIOR = "Behavior = BHV_Waypoint\n{\n  name = w\n  points = 9,9\n  speed = %s\n}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mission folder; the process stands in an empty one."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    mission = tmp_path / "mission"
    mission.mkdir()
    return mission


def plan(*arguments: str) -> Launch:
    return plan_launch(parse_options([*arguments, "--no-log"]))


def problem(*arguments: str) -> str:
    with pytest.raises(LaunchError) as error:
        plan(*arguments)
    return str(error.value)


def test_a_missing_behavior_file_is_reported_with_the_template_that_may_make_it(
    folder: Path,
) -> None:
    (folder / "meta.moos").write_text(MISSION % "targ_$(VNAME).bhv")
    given = (f"{folder}/meta.moos@ben", "--define", "VNAME=ben")
    assert "--plug" not in problem(*given)
    (folder / "meta_vehicle.bhv").write_text(BEHAVIOR % "2")
    assert problem(*given).endswith("; perhaps --plug meta_vehicle.bhv=targ_ben.bhv@ben")
    assert plan(*given, "--plug", "meta_vehicle.bhv=targ_ben.bhv@ben").warnings == ()


def test_the_template_with_the_most_similar_name_is_reported(folder: Path) -> None:
    (folder / "meta.moos").write_text(MISSION % "targ_$(VNAME).bhv")
    for name in ("abe", "ben"):
        (folder / f"meta_{name}.bhv").write_text(BEHAVIOR % "2")
    given = (f"{folder}/meta.moos@ben", "--define", "VNAME=ben")
    assert problem(*given).endswith("; perhaps --plug meta_ben.bhv=targ_ben.bhv@ben")
    (folder / "meta_ben.bhv").rename(folder / "meta_cal.bhv")
    assert "--plug" not in problem(*given)


def test_every_behavior_file_that_is_not_there_is_named_by_the_error(folder: Path) -> None:
    (folder / "a.bhv").write_text(BEHAVIOR % "2")
    config = Config(("behaviors", name, "") for name in ("b.bhv", "a.bhv", "sub/c.bhv"))
    domain = Config([*config, ("domain", "speed:0:4:41", "")])
    with pytest.raises(ConfigError) as error:
        read_files(HelmOptions.read(domain), domain, folder)
    assert error.value.missing == ("b.bhv", "sub/c.bhv")


def test_unexpanded_directives_of_a_behavior_file_are_reported(folder: Path) -> None:
    (folder / "meta.moos").write_text(MISSION % "a.bhv")
    (folder / "a.bhv").write_text(f"#ifdef FAST\ninitialize A = 1\n#endif\n{BEHAVIOR % 1}")
    (warning,) = plan(f"{folder}/meta.moos").warnings
    assert f"{folder}/meta.moos:9: behaviors = a.bhv" in warning
    assert "--plug a.bhv=a.bhv" in warning
    assert plan(f"{folder}/meta.moos", "--plug", "a.bhv=a.bhv").warnings == ()


def test_valid_text_of_a_condition_is_not_taken_for_a_macro(folder: Path) -> None:
    (folder / "meta.moos").write_text(MISSION % "a.bhv")
    (folder / "a.bhv").write_text(BEHAVIOR % "1\n  condition = GO == = 1")
    error = problem(f"{folder}/meta.moos")
    assert "a.bhv:6: condition = GO == = 1: column 7: expected a number" in error
    assert "--" not in error


def test_an_unexpanded_macro_in_a_behavior_file_is_reported(folder: Path) -> None:
    (folder / "meta.moos").write_text(MISSION % "a.bhv")
    (folder / "a.bhv").write_text(BEHAVIOR % "$(SPD)")
    assert "macros are replaced with --plug a.bhv=a.bhv" in problem(f"{folder}/meta.moos")
    assert "replaced with" not in problem(f"{folder}/meta.moos", "--plug", "a.bhv=a.bhv")
