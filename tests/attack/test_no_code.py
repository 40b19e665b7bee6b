"""With --no-code a mission is data: Python shipped with it is named and never run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from steerageway.launcher.command import main

APP = (
    "from pathlib import Path\nPath('ran').touch()\n"
    "from steerageway import App\nclass Own(App): pass\n"
)
BEHAVIOR = (
    "from pathlib import Path\nPath('ran').touch()\n"
    "from steerageway.apps.helm import Behavior\nclass Own(Behavior): pass\n"
)
MISSION = """Community = one
ProcessConfig = ANTLER
{{
  Run = pLogger
  {run}
}}
ProcessConfig = pHelmIvP
{{
  domain = course:0:359:360
  behaviors = one.bhv
  {path}
}}
"""


@pytest.fixture(autouse=True)
def mission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with code next to the mission."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own_app_of_a_test.py").write_text(APP)
    (tmp_path / "own.py").write_text(BEHAVIOR)
    (tmp_path / "one.bhv").write_text("")
    return tmp_path / "one.moos"


@pytest.mark.parametrize("check", [("--check",), ("--no-log", "--for", "1")])
@pytest.mark.parametrize(
    ("run", "path", "line"),
    [
        ("Run = own_app_of_a_test:Own", "", "one.moos:5: Run = own_app_of_a_test:Own"),
        ("Run = pHelmIvP", "behavior_path = own.py", "one.moos:11: behavior_path = own.py"),
        ("Run = pHelmIvP", "ivp_behavior_dirs = .", "one.moos:11: ivp_behavior_dirs = ."),
    ],
)
def test_code_of_a_mission_is_refused_by_its_line_and_not_run(
    mission: Path,
    run: str,
    path: str,
    line: str,
    check: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    mission.write_text(MISSION.format(run=run, path=path))
    assert main([str(mission), "--no-code", *check, "--placement", "one"]) == 2
    errors = capsys.readouterr().err
    assert f"{line}: Python of the mission's own; --no-code refuses it" in errors
    assert not Path("ran").exists()
    assert str(mission.parent) not in sys.path


def test_a_mission_without_code_is_launched_as_ever(mission: Path) -> None:
    mission.write_text(MISSION.format(run="Run = pLogger ~ pOther", path="ivp_behavior_dirs = lib"))
    assert main([str(mission), "--no-code", "--check"]) == 0


def test_code_that_the_command_line_names_is_refused_too(mission: Path) -> None:
    mission.write_text(MISSION.format(run="Run = pMine", path=""))
    options = ["--app", "pMine=own_app_of_a_test:Own", "--no-code", "--check"]
    assert main([str(mission), *options]) == 2
    assert not Path("ran").exists()
