"""The console in a real terminal, with a run that posts two hundred variables a second."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from steerageway.apps.shared.board import Board
from steerageway.bus import add_client, make_server, sleep

pytestmark = pytest.mark.process

UP, LEFT = "\033[A", "\033[D"
F2, F3 = "\033OQ", "\033OR"


def inputs(folder: Path) -> list[tuple[str, Any]]:
    """Return what observers have posted: name and value."""
    (file,) = folder.rglob("inputs.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [(line["name"], line["value"]) for line in lines if "verb" not in line]


def changes(posts: list[tuple[str, Any]], name: str) -> list[Any]:
    """Return the values of a variable, without repeats caused by the dead-man timeout."""
    return [value for value, _ in groupby(value for n, value in posts if n == name)]


def test_the_pane_moves_while_a_half_typed_line_and_its_menu_stay(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    console.type("watch COUNT NOISE_00*\r")
    console.see("NOISE_009")
    console.type("DEP")
    console.see(lambda lines: "           DEPLOY" in lines)  # the menu, below the word
    menu = console.lines.index("           DEPLOY")
    for _ in range(3):
        console.moves("COUNT")
        assert console.lines[menu - 1 : menu + 1] == ["alpha> DEP", "           DEPLOY"]
        assert console.screen.cursor.x == len("alpha> DEP")
    console.type("\t")
    console.see("alpha> DEPLOY=")
    console.type("f")
    console.see(lambda lines: f"{' ' * 16}false" in lines)  # a value it has had
    console.type("\t\r")
    console.see('DEPLOY = "false" (was "false", Chatty, 0.10 s)')
    console.type("DEPLOY=5\rDEPLOYY\r")
    console.see("DEPLOY = 5.0: refused, this variable is text; DEPLOY:=5 posts text")
    console.see("DEPLOYY: expected [NAME:]VAR=VALUE or a command")
    console.resize(44, 14)
    console.moves("COUNT")
    assert all(len(line) <= 44 for line in console.lines)
    console.see("more)")
    console.resize(24, 14)
    console.see(lambda lines: len(console.line("NOISE_000").split()) == 3)  # without the source
    assert "..." not in console.line("NOISE_000")
    console.resize(80, 24)
    console.see("NOISE_009")
    console.type("unwatch\r")
    assert console.leave("\x04") == 0
    assert inputs(stage.folder) == [("DEPLOY", "false")]


def test_time_is_steered_and_the_end_of_the_run_is_reported(stage: Any) -> None:
    run = stage.launch(stage.mission(), "--warp", 1)
    keys = stage.folder / "keys.txt"
    keys.write_text("F2 = pause\nAlt-d = DEPLOY=true\n")
    console = stage.terminal("apps.poke", "--quick", keys)
    console.see("alpha>")
    console.type("watch COUNT\r")
    console.see("COUNT  ")
    console.type("half a line" + F2)
    lines = console.see("paused -")
    assert "alpha> half a line" in lines
    count = console.number("COUNT")
    console.type("\x15step 9\r")
    console.see(lambda lines: console.number("COUNT") >= count + 2)
    console.type("run until 0.1\r")
    console.see("run until 0.1: expected a later time")
    console.type("step x\r")
    console.see("step x: expected a whole number at least 1")
    console.see("paused -")
    console.type("\033d")
    console.see("delivered when time resumes")
    console.type("warp 50\rrun until 20\r")
    console.see("-- alpha  20.00 s  warp 50  paused")
    assert console.line("COUNT").split() == ["COUNT", "Chatty", "19.60", "39"]
    console.type("reset x=5,hedding=9\r")
    console.see("reset x=5,hedding=9: hedding: the nearest is heading")
    console.type("reset x=5,y=-10\rlog\rcase 3\r")
    console.see('USM_RESET = "x=5,y=-10"')
    console.see(".alog")
    console.see("case 1")
    console.see("s  warp 50  case 1 (2")
    console.type("run until 1000\r")
    console.see("warp 50  until 1000 s  case 1 (")
    console.type("resume\r")
    console.see("s  warp 50  case 1 (")
    console.type("stop")
    console.see("alpha> stop")
    assert console.leave("\r") == 0
    assert "the run has ended: stopped" in console.lines
    assert "ended: stopped" in run.communicate()[0]
    assert inputs(stage.folder)[:2] == [("DEPLOY", "true"), ("USM_RESET", "x=5,y=-10")]


def test_a_signal_leaves_the_terminal_as_it_was_and_history_is_kept(stage: Any) -> None:
    run = stage.launch(stage.mission(), "--warp", 1)
    stage.ready()
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    console.type("show ODD\r")
    console.see('"one\\ntwo\\x1b[31m red"')
    console.type("given up\x03half a li")
    console.see("alpha> half a li")
    console.process.send_signal(signal.SIGTERM)
    assert console.end() == 128 + signal.SIGTERM
    assert run.poll() is None
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    console.type(UP)
    console.see("alpha> show ODD")  # what was typed before is remembered
    console.type("\x03")
    assert console.leave("\x04") == 0


def test_a_key_between_two_prompts_is_neither_lost_nor_a_signal(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    for number in range(60):
        console.type(f"DESIRED_RUDDER={number}\r")
        sleep(number / 10_000)
        console.type("given up\x03")
        console.see(f"DESIRED_RUDDER = {number} ")
    console.type("unwatch\r")
    assert console.leave("\x04") == 0


def test_a_key_after_a_quick_key_is_neither_lost_nor_a_signal(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    keys = stage.folder / "keys.txt"
    keys.write_text("F2 = DESIRED_RUDDER=1\nF3 = quit\n")
    console = stage.terminal("apps.poke", "--quick", keys)
    console.see("alpha>")
    for number in range(60):
        console.type("half a line" + F2)
        sleep(number / 10_000)
        console.type(f"\x15DESIRED_THRUST={number}\r")
        console.see(f"DESIRED_THRUST = {number} ")
    assert "F2: DESIRED_RUDDER=1" in console.lines
    assert console.leave(F3) == 0
    assert inputs(stage.folder) == [
        row for number in range(60) for row in (("DESIRED_RUDDER", 1), ("DESIRED_THRUST", number))
    ]


def test_a_poke_deploys_alpha(stage: Any) -> None:
    stage.launch(stage.root / "missions" / "alpha", "--set", "DEPLOY=false", "--warp", 5)
    console = stage.terminal("apps.poke", stage.root / "missions" / "alpha")
    console.see("alpha>")
    console.type("watch NAV_SPEED DEPLOY\r")
    console.see('"false"')
    console.type("DEPLOY=true\r")
    console.see(lambda lines: console.number("NAV_SPEED") > 1)
    assert console.leave("quit\r") == 0


def test_several_communities_are_poked_by_name(stage: Any) -> None:
    alpha = stage.mission("alpha")
    stage.launch(alpha, stage.mission("bravo"), "--warp", 1)
    stage.ready()
    wrong = stage.call("apps.poke", "DEPLOY=true")
    assert wrong.returncode == 2
    assert wrong.stderr == "DEPLOY: expected NAME:DEPLOY=..., there are alpha, bravo\n"
    result = stage.call("apps.poke", "bravo:DEPLOY=true", "*:MODE=PARK")
    assert [line.partition(" (")[0] for line in result.stdout.splitlines()] == [
        'bravo:DEPLOY = "true"',
        'alpha:MODE = "PARK"',
        'bravo:MODE = "PARK"',
    ]
    for community in ("alpha", "bravo"):
        stage.wait_for("MODE = PARK", f"--community={community}")
    assert stage.call("apps.poke", alpha, "DEPLOY=on").stdout.startswith('alpha:DEPLOY = "on"')
    for line in stage.call("apps.poke", "*:FRESH=1").stdout.splitlines():
        assert line.endswith(":FRESH = 1 (new: never posted before)")  # nor is it near to itself
    shown = stage.call("apps.poke", "show", "MODE").stdout.splitlines()
    assert [line.split()[0] for line in shown] == ["alpha:MODE", "bravo:MODE"]
    shown = stage.call("apps.poke", alpha, "show", "bravo:MODE").stdout.splitlines()
    assert [line.split()[0] for line in shown] == ["bravo:MODE"]
    assert "proc=Chatty" in stage.call("apps.poke", "cast", "bravo:Chatty").stdout
    scoped = stage.call("apps.scope", f"{alpha}@bravo", "MODE", "--once", "--show=c")
    assert scoped.stdout.splitlines()[1].split() == ["MODE", "bravo", '"PARK"']
    scoped = stage.call("apps.scope", "bravo:MODE", "alpha:MOD", "--once", "--show=c")
    (row, virgin) = (line.split() for line in scoped.stdout.splitlines()[1:])
    assert (row, virgin[0]) == (["bravo:MODE", "bravo", '"PARK"'], "alpha:MOD")
    assert scoped.stderr == "alpha:MOD: never posted, the nearest is MODE\n"
    console = stage.terminal("apps.poke")
    console.see("alpha>")
    console.type("*:DEP")
    console.see(lambda lines: any(line.strip() == "DEPLOY" for line in lines))
    console.type("\x15use bravo\rwatch DEPLOY\rcast Chatty\rshow bravo:MODE\rwatch br")
    console.see("bravo:DEPLOY  uPokeDB")
    console.see("alpha:DEPLOY  uPokeDB")
    console.see("proc=Chatty")
    console.see("bravo:MODE  uPokeDB")
    console.see("bravo> watch br")
    console.type("\x15alpha:DEPLOY=flase\r")
    console.see('alpha:DEPLOY = "flase" (was "on"')
    console.see("probably misspelt, the neare")
    stage.wait_for("DEPLOY = flase", "--community=alpha")
    console.type("unwatch\ralpha:DEPLOY=off\r")
    console.see('alpha:DEPLOY = "off" (was "flase"')
    stage.wait_for("DEPLOY = off", "--community=alpha")
    console.type("show alpha:DEPLOY\r")
    console.see(lambda lines: console.line("alpha:DEPLOY  ").endswith('"off"'))
    assert console.leave("\x03\x04") == 0


def test_the_one_shot_form_reports_the_result_of_each_post(stage: Any) -> None:
    mission = stage.mission()
    stage.launch(mission, "--warp", 1)
    stage.ready()
    result = stage.call("apps.poke", mission, "DEPLOY:=007", 'SPEED="3"', "DEPLOYS=1.5", "AT=@UTC")
    assert result.returncode == 0
    first, *others = result.stdout.splitlines()
    assert first == 'DEPLOY = "007" (was "false", Chatty, 0.10 s)'
    assert others[0] == 'SPEED = "3" (new: never posted before)'
    assert others[1] == "DEPLOYS = 1.5 (new: never posted before, the nearest is DEPLOY)"
    assert others[2].startswith('AT = "17672256')  # the mission's epoch, not today's
    stage.wait_for("(DEPLOYS = 1.5) and (SPEED = 3)", mission)
    refused = stage.call("apps.poke", mission, "DEPLOY=1")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "refused, this variable is text; DEPLOY:=1 posts text" in refused.stderr
    refused = stage.call("apps.poke", mission, "COUNT:=1")
    assert "refused, this variable is a number; COUNT=1 posts a number" in refused.stderr
    shown = stage.call("apps.poke", "show", "NOPE", "DEPLOY*", "CUONT", "MODE")
    assert [line.split()[0] for line in shown.stdout.splitlines()] == ["DEPLOY", "DEPLOYS", "MODE"]
    assert (shown.returncode, shown.stderr) == (
        2,
        "NOPE: never posted\nCUONT: never posted, the nearest is COUNT\n",
    )
    for wrong_reset in ("x 5", "x=5 y=5", "x=5,y=north"):
        result = stage.call("apps.poke", "reset", *wrong_reset.split(" "))
        expected = f"reset {wrong_reset}: expected numbers, as in reset x=0,y=-20,heading=90\n"
        assert (result.returncode, result.stderr) == (2, expected)
    for right_reset in ("x=5, hdg=90", "5,10,90"):
        result = stage.call("apps.poke", "reset", right_reset)
        assert result.stdout.startswith(f'USM_RESET = "{right_reset}"')
    cached = stage.call("apps.poke", mission, "--cache")
    assert (cached.returncode, cached.stdout.split(" (")[0]) == (1, 'DEPLOY = "true"')
    assert "SPEED = 3.0: refused" in cached.stderr
    for words in ([mission, "DEPLOY"], [mission, "a:b:c=1"], ["none.moos", "X=1"], ["X Y=1"]):
        wrong = stage.call("apps.poke", *words)
        assert (wrong.returncode, wrong.stdout) == (2, "")
        assert len(wrong.stderr.splitlines()) == 1


@pytest.mark.parametrize("placement", ["one", "process"])
def test_a_post_that_ends_the_run_is_reported_even_without_an_answer(
    stage: Any, placement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("--attach", "--placement", placement, "--warp", "max", "--until", "GONE = 1")
    run = stage.launch(stage.mission(), *options)
    sync = Board.sync

    def sync_late(board: Board, *homes: str) -> None:
        while homes and not board.ended:  # something was posted there
            board.poll()
        sync(board, *homes)

    monkeypatch.setattr(Board, "sync", sync_late)
    result = stage.call("apps.poke", "GONE=1")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "GONE = 1 (new: never posted before)\n"
    assert "ended: until GONE = 1" in run.communicate()[0]


def test_time_commands_of_the_command_line_are_waited_for(stage: Any) -> None:
    mission = stage.mission()
    run = stage.launch(mission, "--warp", 5, "--for", 100)
    assert stage.call("apps.poke", mission, "pause", "warp", "max").returncode == 0
    until = stage.call("apps.poke", mission, "DEPLOY=true", "run", "until", 50, "show", "COUNT")
    assert until.returncode == 0, until.stderr
    _, standing, shown = until.stdout.splitlines()
    assert standing == "alpha  50.00 s  warp max  paused"
    assert shown.split() == ["COUNT", "Chatty", "49.60", "99"]
    stepped = stage.call("apps.poke", "step 7")
    assert (stepped.returncode, stepped.stdout[-7:]) == (0, "paused\n")
    for words, expected in (
        (["step", "x"], "step x: expected a whole number at least 1"),
        (["step", "1.5"], "step 1.5: expected a whole number at least 1"),
        (["warp", "0"], "warp 0: expected a number from 1e-06 to 1000000, or max"),
        (["watch", "X"], "watch X: expected [NAME:]VAR=VALUE, or a command that needs no console"),
        (["run", "until", "1"], "run until 1: expected a later time than 5"),
        (["pauze"], "pauze: "),
        (["run until inf"], "run until inf: expected a number"),
    ):
        wrong = stage.call("apps.poke", *words)
        assert (wrong.returncode, expected in wrong.stderr) == (2, True)
    over = stage.call("apps.poke", "run until 1000")
    assert over.returncode == 1
    assert over.stderr == "run until 1000: the run has ended: for\n"
    run.communicate()


def test_lines_may_come_from_a_pipe(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    result = stage.call("apps.poke", typed="pause\nDEPLOY=true\nstatus\nquit\n")
    assert result.returncode == 0
    assert "paused" in result.stdout
    until = stage.call("apps.poke", typed="warp max\nrun until 20\nstep 3\nshow COUNT\nquit\n")
    assert until.stdout.splitlines()[1] == "alpha  20.00 s  warp max  paused"
    assert until.stdout.splitlines()[3].split()[:2] == ["COUNT", "Chatty"]
    commented = stage.call("apps.poke", typed="# first\n  // then\nstatus\nquit\n")
    assert (commented.returncode, commented.stdout.count("paused")) == (0, 1)
    lines = ["DEPLOY=true  // go", 'WORD="a // b" // c', "PAGE=http://host/x", "quit // gone"]
    assert stage.call("apps.poke", typed="\n".join(lines)).returncode == 0
    posted = (("DEPLOY", "true"), ("WORD", "a // b"), ("PAGE", "http://host/x"))
    assert set(posted) <= set(inputs(stage.folder))
    wrong = stage.call("apps.poke", typed="resume\npauze\nDEPLOY=never\n")
    assert (wrong.returncode, "the nearest is pause" in wrong.stderr) == (2, True)
    assert ("DEPLOY", "never") not in inputs(stage.folder)


def test_commands_are_executed_when_the_output_is_not_read(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    stage.ready()
    command = [sys.executable, "-m", "apps.poke", *["show", *"*" * 40], "MODE=PARK"]
    poke = subprocess.Popen(command, cwd=stage.folder, env=stage.env, stdout=subprocess.PIPE)
    assert poke.stdout is not None
    poke.stdout.close()
    assert poke.wait() == 0
    assert ("MODE", "PARK") in inputs(stage.folder)


def test_the_arrows_steer_and_everything_stops_without_a_key(stage: Any) -> None:
    stage.launch(stage.mission(), "--warp", 1)
    stage.ready()
    wheel = stage.terminal("apps.poke", "--teleop")
    wheel.see("arrows steer")
    wheel.type(UP + UP + LEFT)
    wheel.see("DESIRED_THRUST 20  DESIRED_RUDDER -10")
    wheel.see("no key pressed: stopped")
    wheel.see("DESIRED_THRUST 0  DESIRED_RUDDER 0")
    wheel.type(UP)
    wheel.see("DESIRED_THRUST 10")
    wheel.type(" ")
    wheel.see("DESIRED_THRUST 0")
    wheel.type(UP)
    wheel.see("DESIRED_THRUST 10")
    assert wheel.leave("q") == 0
    posts = inputs(stage.folder)
    assert posts[0] == ("MOOS_MANUAL_OVERRIDE", "true")
    assert posts[-1] == ("MOOS_MANUAL_OVERRIDE", "false")  # as it was
    assert changes(posts, "DESIRED_THRUST") == [10.0, 20.0, 0.0, 10.0, 0.0, 10.0, 0.0]
    assert changes(posts, "DESIRED_RUDDER") == [0.0, -10.0, 0.0]
    wheel = stage.terminal("apps.poke", "--teleop", "--actuator", "th_1:50:70")
    wheel.see("th_1 0")
    wheel.type(UP + UP)
    wheel.see("th_1 70")
    assert wheel.leave("\x04") == 0
    assert changes(inputs(stage.folder)[len(posts) :], "th_1") == [50.0, 70.0, 0.0]


@pytest.mark.parametrize(
    ("begins", "afterwards"),
    [
        ("pass", "true"),
        ('self.post("IVPHELM_STATE", "PARK")', "true"),
        ('self.post("IVPHELM_STATE", "DRIVE")', "false"),
        ('self.post("MOOS_MANUAL_OVERRIDE", "true")', "true"),
    ],
)
def test_helm_and_controller_are_silent_during_manual_control_even_without_an_override(
    stage: Any, begins: str, afterwards: str
) -> None:
    stage.launch(stage.mission(begins=begins), "--warp", 1)
    stage.ready()
    wheel = stage.terminal("apps.poke", "--teleop")
    wheel.see("arrows steer")
    wheel.type(UP)
    wheel.see("DESIRED_THRUST 10")
    assert wheel.leave("q") == 0
    values = [value for name, value in inputs(stage.folder) if name == "MOOS_MANUAL_OVERRIDE"]
    assert values == ["true", afterwards]


def test_a_run_with_keys_accepts_clients_that_have_one(
    stage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_server(tmp_path / "keys")
    key = add_client(tmp_path / "keys", "me")
    stage.launch(stage.mission(), "--warp", 1, "--keys", tmp_path / "keys")
    result = stage.call("apps.poke", "--keys", key, "MODE=PARK")
    assert (result.returncode, result.stdout[:14]) == (0, 'MODE = "PARK" ')
    monkeypatch.setattr("steerageway.bus.processes.standalone.TIMEOUT", 0.1)
    assert "no broker answers" in stage.call("apps.poke", "MODE=PARK").stderr


def test_in_free_run_time_cannot_be_steered_and_all_else_works(stage: Any) -> None:
    stage.launch(stage.mission(), "--free-run")
    stage.ready()
    result = stage.call("apps.poke", typed="DEPLOY=true\nlog\npause\n")
    assert result.returncode == 1
    assert re.match(r'DEPLOY = "true" \(was "false", Chatty, \d+\.\d\d s\)', result.stdout)
    assert "in free run time is the wall clock's" in result.stderr
