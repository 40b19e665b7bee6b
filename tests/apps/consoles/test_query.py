"""uQueryDB: evaluation of conditions, and the exit codes."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from steerageway.apps.consoles.query.command import Question, Verdict, main, matching
from steerageway.moos.condition import ConditionError


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"X": 5.0, "MODE": "done"}, Verdict.HOLDS),
        ({"X": 1.0, "MODE": "done"}, Verdict.NOT_YET),
        ({"X": 5.0, "MODE": "crash"}, Verdict.FAILS),
        ({"MODE": "crash"}, Verdict.FAILS),
        ({"X": 5.0}, Verdict.NOT_YET),  # MODE was never posted
        ({}, Verdict.NOT_YET),
    ],
)
def test_every_pass_condition_must_hold_and_no_fail_condition(
    values: dict[str, float | str], verdict: Verdict
) -> None:
    question = Question(["X > 3", "X < 9"], ["MODE = crash"], [])
    assert question.names == ["X", "MODE"]
    assert question.judge(values, 0.0) == verdict


def test_a_variable_to_print_must_be_known() -> None:
    question = Question([], [], ["X"])
    assert question.judge({}, 0.0) == Verdict.NOT_YET
    assert question.judge({"X": 1.0}, 0.0) == Verdict.HOLDS


def test_a_pattern_selects_every_variable_it_covers() -> None:
    question = Question(["MODE = GO"], [], ["NAV_*"])
    assert question.judge({"MODE": "GO"}, 0.0) == Verdict.NOT_YET
    assert question.judge({"MODE": "GO", "NAV_Y": 2.0}, 0.0) == Verdict.HOLDS
    assert matching("NAV_*", {"NAV_Y": 2.0, "MODE": "GO", "NAV_X": 1.0}) == ["NAV_X", "NAV_Y"]


def test_elapsed_times_count_from_the_runs_own_clock() -> None:
    question = Question(["SINCE_DELTA > 10"], [], [])
    assert question.judge({"SINCE": 1000.0}, 1005.0) == Verdict.NOT_YET
    assert question.judge({"SINCE": 1000.0}, 1011.0) == Verdict.HOLDS


def test_an_invalid_condition_is_refused() -> None:
    with pytest.raises(ConditionError):
        Question(["X = = 3"], [], [])


@pytest.mark.process
def test_the_exit_code_answers_the_question(stage: Any) -> None:
    mission = stage.mission()
    stage.launch(mission, "--warp", 1)

    def ask(*arguments: object) -> tuple[int, str]:
        result = stage.call("apps.query", *arguments)
        return result.returncode, result.stdout + result.stderr

    assert ask("--condition", "COUNT >= 3", "--wait", 10) == (0, "")
    assert ask(mission, "--condition", "(DEPLOY = false) and (COUNT > 2)") == (0, "")
    assert ask("--condition", "DEPLOY = true") == (1, "")
    assert ask("--condition", "COUNT > 0", "--fail_condition", "DEPLOY = false") == (1, "")
    assert ask("--condition", "NOPE = 1") == (1, "NOPE: never posted\n")
    assert ask("--condition", "NOPE != 1", "--wait", 0.1)[0] == 1
    assert ask("--condition", "(CUONT > 1) and (DEPLOY = false)") == (
        1,
        "CUONT: never posted, the nearest is COUNT\n",
    )
    assert ask("--check_var", "DEPLOI")[1] == "DEPLOI: never posted, the nearest is DEPLOY\n"
    assert ask("--check_var", "DEPLOY", "--check_var=MODE") == (
        0,
        "DEPLOY=false\nMODE=ACTIVE:SURVEYING\n",
    )
    assert ask("--check_var", "MO*") == (0, "MODE=ACTIVE:SURVEYING\nMOOS_MANUAL_OVERRIDE=false\n")
    assert ask("--check_var", "NAV_*") == (1, "NAV_*: never posted\n")
    for form, written in (
        ("--csv", "DEPLOY,false\n"),
        ("--esv", "DEPLOY=false\n"),
        ("--wsv", "DEPLOY false\n"),
        ("--vo", "false\n"),
    ):
        assert ask("--check_var=DEPLOY", form) == (0, "")
        assert (stage.folder / ".checkvars").read_text() == written
    for wrong in (("--condition", "X = = 1"), ("--wait", -1), (), ("nope.moos", "--check_var=X")):
        assert ask(*wrong)[0] == 2


@pytest.mark.process
def test_values_of_communities_in_separate_processes_are_known_at_once(stage: Any) -> None:
    alpha, bravo = stage.mission("alpha"), stage.mission("bravo")
    stage.launch(alpha, bravo, "--placement", "community", "--for", 100)
    stage.ready()
    assert stage.call("apps.poke", "pause").returncode == 0
    finished = stage.call("apps.query", f"{alpha}@bravo", "--condition", "DEPLOY = false")
    assert finished == (0, "", "")
    result = stage.call("apps.poke", "bravo:DEPLOY=true")
    assert 'was "false", Chatty, 0.10 s' in result.stdout


@pytest.mark.process
def test_a_wait_can_be_interrupted_silently(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    for module, name, *options in (
        ("apps.query", "uQueryDB", "--condition=COUNT < 0", "--wait=60"),
        ("apps.may_finish", "uMayFinish"),
    ):
        requested = stage.terminal(module, *options)
        while name not in stage.call("apps.scope", "DB_OBSERVERS", "--once").stdout:
            requested.read(0.05)
        assert requested.leave("\x03") == 128 + signal.SIGINT
        assert not any(line.removeprefix("^C") for line in requested.lines)


def test_a_question_in_the_wrong_form_is_reported_with_the_right_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["NAV_X > 3"])
    assert left.value.code == 2
    assert 'as --condition "NAV_X > 3"' in capsys.readouterr().err


@pytest.mark.process
def test_a_condition_that_holds_for_one_instant_is_waited_for_too(stage: Any) -> None:
    mission, app = stage.mission(), stage.folder / "busy.py"
    flash = '        self.post("FLASH", "on" if self.iteration % 2000 == 1999 else "off")\n'
    app.write_text(app.read_text().replace("range(100)", "range(1)") + flash)
    stage.launch(mission, "--warp", 400)  # half a simulated second takes 1.25 ms
    result = stage.call("apps.query", "--condition", "(FLASH = on) and (COUNT > 0)", "--wait", 60)
    assert result.returncode == 0, result.stderr
