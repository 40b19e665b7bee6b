"""uMayFinish: its condition, and the exit codes."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from steerageway.apps.consoles.may_finish.command import Finish, main, read_finish
from steerageway.bus import Config, ConfigError

BLOCK = """
ProcessConfig = uMayFinish
{
  finish_var = MODE
  finish_val = ACTIVE:SURVEYING
  max_time   = 5000
}
"""


def lines(**text: str) -> Config:
    return Config([(key, value, "test.moos:1") for key, value in text.items()])


def test_by_default_it_waits_for_the_evaluation() -> None:
    assert read_finish(lines()) == Finish("MISSION_EVALUATED", "true", inf)
    assert read_finish(lines(finish_var="COUNT", finish_val="3", max_time="9")) == Finish(
        "COUNT", 3.0, 9.0
    )
    with pytest.raises(ConfigError, match="above 0"):
        read_finish(lines(max_time="0"))
    with pytest.raises(ConfigError, match="expected a variable's name"):
        read_finish(lines(finish_var="A B"))


def test_an_unknown_line_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    read_finish(lines(max_tim="9"))
    assert "did you mean max_time" in capsys.readouterr().err


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let the command line be called in this process."""
    monkeypatch.setattr("steerageway.apps.consoles.may_finish.command.end_by_signals", lambda: None)
    return monkeypatch


def test_errors_are_reported_with_exit_code_2(
    here: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--max_time=soon"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "command line: max_time = soon: expected a number above 0\n"
    assert captured.out == ""


def test_it_can_be_interrupted_silently(
    here: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    here.setattr("steerageway.apps.consoles.may_finish.command.named_run", interrupted)
    assert main([]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.process
def test_the_exit_code_shows_whether_the_end_came_in_time(stage: Any) -> None:
    mission = stage.mission()
    mission.write_text(mission.read_text() + BLOCK)
    stage.launch(mission, "--warp", 20)

    def wait(*arguments: object) -> int:
        return int(stage.call("apps.may_finish", *arguments).returncode)

    assert wait(mission) == 0  # by the block
    assert wait("--finish_var=DEPLOY", "--finish_val=false") == 0
    assert wait("--max_time=1") == 1
    assert wait(mission, "--finish_var=DEPLOY", "--max_time=2") == 1  # options before the block
    assert wait("--max_time=soon") == 2
    assert wait("nope.moos") == 2


@pytest.mark.process
def test_a_value_overwritten_at_once_is_the_end_too(stage: Any) -> None:
    mission, app = stage.mission(), stage.folder / "busy.py"
    flashes = '        self.post("FLASH", "on")\n        self.post("FLASH", "off")\n'
    app.write_text(app.read_text() + flashes)
    stage.launch(mission, "--warp", 10)
    waited = stage.call(
        "apps.may_finish", "--finish_var=FLASH", "--finish_val=on", "--max_time=100"
    )
    assert waited.returncode == 0, waited.stderr


@pytest.mark.process
def test_a_variable_never_posted_is_reported_with_similar_names(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 20)
    stage.ready()

    def warnings_of(*arguments: object) -> list[str]:
        waited = stage.call("apps.may_finish", *arguments, "--max_time=3", "--finish_val=nothing")
        assert waited.returncode == 1
        return list(waited.stderr.splitlines())

    assert warnings_of("--finish_var=DEPLOI") == [
        "warning: DEPLOI: not posted so far, the nearest is DEPLOY",
        "DEPLOI: not yet after 3 s: never posted, the nearest is DEPLOY",
    ]
    assert warnings_of() == ["MISSION_EVALUATED: not yet after 3 s: never posted"]
    assert warnings_of("--finish_var=DEPLOY") == ["DEPLOY: not yet after 3 s"]


@pytest.mark.process
def test_a_variable_never_posted_is_reported_at_the_end_of_the_run_too(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 50, "--for", 200)
    stage.ready()
    waited = stage.call("apps.may_finish", "--finish_var=DEPLOI")
    assert waited.returncode == 1
    assert waited.stderr.splitlines()[1:] == [
        "the run has ended: for",
        "DEPLOI: never posted, the nearest is DEPLOY",
    ]
