"""Failures that are easily missed: errors of behaviors, and their report for CI."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from steerageway.launcher.command import main
from steerageway.launcher.mission_names import SHIPPED

IN_ONE = ("--placement", "one", "--warp", "max", "--no-log", "--for", "30")
RAISES = "raise ValueError('no such tide')"
WRONG = "return 3.5"
BEHAVIOR = """
from steerageway.helm import Behavior


class Tide(Behavior):
    def run(self):
        {body}
"""
BLOCK = """
Behavior = BHV_Tide
{
  name      = tide
  condition = DEPLOY = true
  condition = NAV_Y < -30
}
"""


def mission(folder: Path, body: str) -> Path:
    """Return alpha with a behavior of a user's, which runs from y = -30 on."""
    copy = folder / "alpha"
    shutil.copytree(SHIPPED / "alpha", copy)
    (copy / "tide.py").write_text(BEHAVIOR.format(body=body))
    with (copy / "alpha.bhv").open("a") as file:
        file.write(BLOCK)
    text = (copy / "alpha.moos").read_text()
    line = "  behaviors = alpha.bhv\n"
    (copy / "alpha.moos").write_text(text.replace(line, f"{line}  behavior_path = tide.py\n"))
    return copy


def ended(
    folder: Path, body: str, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, dict[str, Any]]:
    """Run it; return the exit code and the figures."""
    code = main([str(mission(folder, body)), *IN_ONE, "--set", "DEPLOY=true", "--json", "-", *more])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_a_vessel_that_an_error_has_stopped_permanently_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, run = ended(tmp_path, RAISES, capsys)
    assert code == 1
    (warning,) = [text for text in run["complaints"] if "stopped at the end" in text]
    assert warning == (
        "alpha: stopped at the end: BehaviorError: tide: ValueError: no such tide (tide.py:7)"
    )


@pytest.mark.slow
def test_an_invalid_return_type_is_reported_at_the_behaviors_own_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, run = ended(tmp_path, WRONG, capsys)
    assert code == 1
    (warning,) = [text for text in run["complaints"] if "stopped at the end" in text]
    assert "tide: run gave 3.5: expected an objective" in warning
    assert warning.endswith("or None (tide.py:6)")


@pytest.mark.slow
def test_fail_on_behavior_ends_the_run_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, run = ended(tmp_path, RAISES, capsys, "--fail-on", "behavior")
    assert code == 4
    assert run["exit_reason"] == "fail_if"
    assert run["simulated_seconds"] < 20


@pytest.mark.slow
def test_a_vessel_that_continues_after_an_error_does_not_fail_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once = "if self.world.iteration % 40 == 0: raise ValueError('once')"
    code, run = ended(tmp_path, once, capsys, "--for", "29.6")
    assert (code, run["communities"]["alpha"]["all_stop"]) == (0, "clear")


@pytest.mark.slow
def test_quiet_prints_errors_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["alpha", *IN_ONE, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main([str(mission(tmp_path, RAISES)), *IN_ONE, "--quiet"]) == 1
    captured = capsys.readouterr()
    assert captured.out.startswith("alpha: stopped at the end: BehaviorError")
    assert captured.out.count("\n") == 1
