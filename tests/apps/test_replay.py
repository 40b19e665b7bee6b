"""Replay of an app on a log: alpha's, logged with all decimals."""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from steerageway.apps.shared.registry import load
from steerageway.apps.shared.replay import replay
from steerageway.launcher.command import main

ROOT = Path(__file__).parents[2]
ALPHA = ROOT / "missions" / "alpha"
APPS = ("pLogger", "uSimMarineV22", "pMarinePIDV22", "pHelmIvP", "pNodeReporter", "uProcessWatch")
pytestmark = pytest.mark.slow


def logged(folder: Path, mission: Path, *options: str) -> Path:
    """Run a mission for a while; return its log."""
    command = [str(mission), "--placement", "one", "--warp", "max", "--log", str(folder)]
    assert main([*command, *options]) in (0, 3)
    (log,) = folder.rglob("*.alog")
    return log


@pytest.fixture(scope="module")
def alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a mission file like alpha's, logged with all decimals, with apps activated by mail."""
    folder = tmp_path_factory.mktemp("alpha")
    (folder / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    text = (ALPHA / "alpha.moos").read_text().replace("AppTick = 8", "DoublePrecision = 16")
    text = text.replace("AppTick = 2\n", "AppTick = 3\n  IterateMode = 2\n")
    text = text.replace("  watch_all", "  IterateMode = 1\n  MaxAppTick = 7\n  watch_all")
    text = text.replace("MSBetweenLaunches = 200", "MSBetweenLaunches = 170")
    file = folder / "alpha.moos"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def log(alpha: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a run with posts by a user."""
    folder = tmp_path_factory.mktemp("log") / "log"
    return logged(folder, alpha, "--for", "45", "--seed", "6", "--set", "@20:SLOW=true")


def again(name: str, log: Path, mission: Path | None = None, *, seed: int = 6) -> int:
    """Replay an app; return the exit code."""
    return replay(load(name), Namespace(replay=log, mission=mission, name=name, seed=seed))


@pytest.mark.parametrize("name", APPS)
def test_every_app_repeats_its_recorded_posts(
    name: str, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert again(name, log) == 0
    output = capsys.readouterr().out
    count = re.search(r"^no difference in (\d+) posts$", output, re.MULTILINE)
    assert count
    assert int(count[1]) > 10


@pytest.mark.parametrize("when", ["", "@6:", "@6.2:", "@0:"])
def test_outside_posts_are_received_at_their_recorded_times(when: str, tmp_path: Path) -> None:
    runs = "  Run = MOOSDB\n  Run = pLogger\n  Run = pEchoVar\n  Run = uTimerScript\n"
    echo = "ProcessConfig = pEchoVar\n{\n  AppTick = 2\n  echo = ASK -> ANSWER\n}\n"
    script = "ProcessConfig = uTimerScript\n{\n  condition = ASK = 7\n  event = var=A, val=1\n}\n"
    mission = tmp_path / "asked.moos"
    antler = f"ProcessConfig = ANTLER\n{{\n  MSBetweenLaunches = 0\n{runs}}}\n"
    mission.write_text(f"Community = asked\n{antler}{echo}{script}")
    found = logged(tmp_path / "log", mission, "--for", "10", "--set", f"{when}ASK=7")
    assert "ANSWER" in found.read_text()
    assert again("pEchoVar", found, seed=0) == 0
    assert again("uTimerScript", found, seed=0) == 0


def test_a_folder_selects_its_only_log(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert again("pNodeReporter", log.parents[1]) == 0
    assert again("pNodeReporter", tmp_path) == 2
    for name in ("a.alog", "b.alog"):
        (tmp_path / name).write_text("")
    assert again("pNodeReporter", tmp_path) == 2
    assert capsys.readouterr().err == (
        f"{tmp_path}: expected a folder with a log in it, found none\n"
        f"{tmp_path}: expected one log, as {tmp_path}/a.alog; found a.alog, b.alog\n"
    )


def test_random_draws_follow_the_seed_of_the_run(tmp_path: Path) -> None:
    runs = "  Run = MOOSDB\n  Run = pLogger\n  Run = uTimerScript\n"
    event = "ProcessConfig = uTimerScript\n{\n  event = var=A, val=$(5), time=1:9, amt=5\n}\n"
    mission = tmp_path / "dice.moos"
    mission.write_text(f"Community = dice\nProcessConfig = ANTLER\n{{\n{runs}}}\n{event}")
    found = logged(tmp_path / "log", mission, "--for", "10", "--seed", "3")
    assert again("uTimerScript", found, seed=3) == 0
    assert again("uTimerScript", found, seed=4) == 1


def test_variables_missing_in_the_log_are_reported(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again("pHelmIvP", log)
    output = capsys.readouterr().out
    assert "not in the log, so not delivered to pHelmIvP: " in output
    assert "RESTART_HELM" in output


def test_another_parameter_makes_a_first_difference(
    log: Path, alpha: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    other = tmp_path / "other.moos"
    other.write_text(alpha.read_text().replace("yaw_pid_kp             = 0.9", "yaw_pid_kp = 0.8"))
    assert again("pMarinePIDV22", log, alpha) == 0
    capsys.readouterr()
    assert again("pMarinePIDV22", log, other) == 1
    output = capsys.readouterr().out
    assert re.search(r"first difference at \d+\.\d{5} s:\n  now:    DESIRED_RUDDER = ", output)
    assert "decimals" not in output
    assert again("pHelmIvP", log, other) == 0


def test_a_change_in_the_ninth_digit_is_found(
    log: Path, alpha: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.moos"
    other.write_text(
        alpha.read_text().replace("yaw_pid_kp             = 0.9", "yaw_pid_kp = 0.90000001")
    )
    assert again("pMarinePIDV22", log, other) == 1
    assert "now:    DESIRED_RUDDER = " in capsys.readouterr().out


def test_an_app_that_fails_now_differs_from_then_on(
    log: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = load("pNodeReporter")
    monkeypatch.setattr(kind, "iterate", lambda self: 1 / 0)
    assert again("pNodeReporter", log) == 1
    assert "now:    failed: ZeroDivisionError: division by zero" in capsys.readouterr().out


def test_a_log_of_few_decimals_reports_it_where_it_differs(
    alpha: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    rough = tmp_path / "alpha.moos"
    rough.write_text(alpha.read_text().replace("DoublePrecision = 16", "DoublePrecision = 0"))
    found = logged(tmp_path / "log", rough, "--for", "20")
    assert again("pMarinePIDV22", found) == 1
    assert "the log has 0 decimals; DoublePrecision = 16" in capsys.readouterr().out


def test_a_log_it_cannot_follow_is_refused(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = tmp_path / "cases.alog"
    cases.write_text(log.read_text() + "%% CASE number=1,seed=0,time=3.00000\n")
    partial = tmp_path / "partial.alog"
    partial.write_text("1.00000 NAV_X uSimMarineV22 1.00000\n")
    alone = tmp_path / "alone.alog"
    alone.write_text(log.read_text())
    for path, message in (
        (cases, "expected the log of one case"),
        (partial, "expected a log of everything"),
        (tmp_path / "none.alog", "expected a log: No such file"),
        (alone, "expected the copy of a mission file"),
    ):
        assert again("pHelmIvP", path) == 2
        assert message in capsys.readouterr().err
    assert again("uTimerScript", log) == 2
    expected = f"{log.parent}: Run = uTimerScript: expected an app of the launch list"
    assert capsys.readouterr().err.startswith(expected)


def test_missing_copies_are_reported_with_the_option_to_supply_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own.py").write_text(
        "from steerageway.helm import Behavior, CommonSettings\n"
        "class Drift(Behavior[CommonSettings]):\n"
        "    settings_class = CommonSettings\n"
        "    def run(self):\n"
        "        return None\n"
    )
    (tmp_path / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    mission = tmp_path / "alpha.moos"
    helm = "ProcessConfig = pHelmIvP\n{\n"
    text = (ALPHA / "alpha.moos").read_text().replace(helm, helm + "  behavior_path = own.py\n")
    mission.write_text(text.replace("AppTick = 8", "DoublePrecision = 16"))
    found = logged(tmp_path / "log", mission, "--for", "10")
    capsys.readouterr()
    assert again("pHelmIvP", found, seed=0) == 2
    errors = capsys.readouterr().err
    assert re.match(
        r"LOG_ALPHA_\S+\.moos:\d+: behavior_path = own.py: expected a Python file", errors
    )
    assert "a mission file before --replay is used instead of its copy" in errors
    assert again("pHelmIvP", found, mission, seed=0) == 0


@pytest.mark.process
def test_the_command_replays_and_gives_its_exit_code(log: Path) -> None:
    command = [sys.executable, "-m", "apps.marine_pid", "--replay", str(log), "--seed", "6"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "no difference in" in done.stdout
