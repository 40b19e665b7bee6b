"""``launch.py``: runs from the command line, their output and exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.bus import Client
from steerageway.launcher.command import main
from steerageway.launcher.options import parse_options
from steerageway.launcher.run_parameters import failing

Edit = Callable[[str, str], Path]
LAUNCH = Path(__file__).parents[2] / "launch.py"
IN_ONE = ("--placement", "one", "--warp", "max", "--no-log")
GOING = ("--set", "GO=true")


def one(mission: Path, *arguments: str) -> int:
    """Run a mission in this process; return the exit code."""
    return main([str(mission), *IN_ONE, *arguments])


def test_a_run_that_reaches_its_condition_ends_with_0(duet: Path) -> None:
    assert one(duet, *GOING, "--until", "ARRIVED = true") == 0


def test_a_run_cut_short_before_its_condition_ends_with_3(duet: Path) -> None:
    assert one(duet, "--until", "ARRIVED = true", "--for", "5") == 3


def test_a_run_for_a_while_ends_with_0(duet: Path) -> None:
    assert one(duet, "--for", "5") == 0


def test_a_run_that_meets_its_failure_ends_with_4(duet: Path) -> None:
    assert one(duet, *GOING, "--until", "ARRIVED = true", "--fail-if", "NAV_X > 3") == 4


@pytest.mark.process
@pytest.mark.process
def test_the_port_of_a_run_at_any_port_is_printed(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--port", "auto", "--no-log", "--for", "30", "--warp", "10"]
    assert main([str(duet), *arguments, "--placement", "one", "--attach"]) == 0
    printed = re.findall(r"^broker: tcp://127\.0\.0\.1:(\d+)$", capsys.readouterr().err, re.M)
    assert len(printed) == 1
    assert int(printed[0]) > 1023


@pytest.mark.slow
def test_a_python_without_the_environment_gets_a_one_line_error(duet: Path) -> None:
    command = [sys.executable, "-S", LAUNCH, duet, *IN_ONE, "--for", "1"]  # -S: nothing installed
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith(f"{sys.executable} has no zmq, msgpack, numpy, yaml: ")
    assert found.stderr.count("\n") == 1


def test_an_app_that_raises_ends_the_run_with_1_and_its_traceback(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    assert one(mission, "--for", "5") == 1
    captured = capsys.readouterr()
    assert "RuntimeError: out of steam" in captured.out
    assert "Traceback" in captured.err


def test_the_summary_goes_to_a_file_or_to_stdout(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one(duet, "--for", "5", "--json", "run.json")
    capsys.readouterr()
    one(duet, "--for", "5", "--json", "-")
    shown = json.loads(capsys.readouterr().out)
    written = json.loads(Path("run.json").read_text())
    assert shown["simulated_seconds"] == written["simulated_seconds"] == 5.0


def test_a_poke_without_a_subscriber_is_reported_at_the_end(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pokes = ("GOO=true", "NAV_X=3", "@1:NEVER=1", "END=1", "duet:ECHO=x")
    sets = [word for poke in pokes for word in ("--set", poke)]
    one(duet, *sets, "--for", "6", "--fail-if", "END = 2", "--json", "-")
    output = json.loads(capsys.readouterr().out)["complaints"]
    assert [text for text in output if text.startswith("--set")] == [
        "--set GOO: no app subscribed to it; the nearest is GO",
        "--set ECHO: no app subscribed to it in duet",
    ]
    one(duet, *sets, "--for", "0.1", "--json", "-")  # nobody can listen so soon
    output = json.loads(capsys.readouterr().out)["complaints"]
    assert [text for text in output if text.startswith("--set")] == []


def test_pokes_due_after_the_end_are_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = ("--set", "@2:GO=true", "--set", "@60.5:GO=true", "--set", "@70:GO=true")
    one(duet, *sets, "--for", "60", "--until", "ARRIVED = true", "--json", "-")
    captured = capsys.readouterr()
    assert "--set GO: never posted at 70 s, as --for 60 ends the run before" in captured.err
    assert "never posted at 2 s" not in captured.err
    run = json.loads(captured.out)
    (warning,) = run["complaints"]
    end = f"{run['simulated_seconds']:g}"
    assert warning == f"never came, as the run ended at {end} s: GO, at 60.5 s; GO, at 70 s"


def test_a_reset_of_a_replay_that_comes_after_the_end_is_reported(
    duet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "inputs.jsonl"
    reset = '{"instant": 9000000000, "case": 0, "verb": "reset", "number": 1, "seed": 7}'
    file.write_text(reset)
    one(duet, "--inputs", str(file), "--for", "6", "--json", "-")
    (output,) = json.loads(capsys.readouterr().out)["complaints"]
    assert output == "never came, as the run ended before: the reset of case 0, at 9 s"


def test_a_summary_that_does_not_fit_on_the_disk_ends_with_code_2(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert one(duet, "--for", "5", "--json", "/dev/full") == 2
    captured = capsys.readouterr()
    assert "simulated 5.000 s" in captured.out
    assert captured.err.endswith("--json /dev/full: No space left on device\n")


def test_the_result_of_a_run_takes_precedence_over_a_failed_summary_file(duet: Path) -> None:
    full = ("--json", "/dev/full")
    assert one(duet, *GOING, "--until", "ARRIVED = true", "--fail-if", "NAV_X > 3", *full) == 4


@pytest.mark.process
@pytest.mark.parametrize("arguments", [("--for", "3", "--json", "run.json"), ("--check",)])
def test_a_standard_output_without_room_is_reported_in_one_line(
    duet: Path, arguments: tuple[str, ...]
) -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, str(LAUNCH), str(duet), *IN_ONE, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    assert found.returncode == 2
    assert found.stderr.splitlines()[-1] == "the standard output: No space left on device"
    assert Path("run.json").exists() == ("run.json" in arguments)
    assert "Traceback" not in found.stderr


@pytest.mark.process
def test_a_run_continues_when_its_progress_cannot_be_written(duet: Path) -> None:
    run = ("--placement", "one", "--warp", "max", "--log", "logs", "--for", "3")
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [sys.executable, str(LAUNCH), str(duet), *run],
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            timeout=60,
        )
    assert (found.returncode, "simulated 3.000 s" in found.stdout) == (0, True)


def test_a_summary_that_cannot_be_written_is_refused_beforehand(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert one(duet, "--for", "5", "--json", "nowhere/run.json") == 2
    assert (
        "--json nowhere/run.json: expected a file in an existing folder" in capsys.readouterr().err
    )


def test_a_summary_in_a_folder_of_another_user_is_refused_beforehand(
    duet: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != "." or mode != os.W_OK)
    assert one(duet, "--for", "5", "--json", "run.json") == 2
    assert capsys.readouterr().err == "--json run.json: Permission denied\n"


def test_distance_and_last_position_reach_the_summary(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one(duet, *GOING, "--until", "ARRIVED = true", "--json", "-")
    (pose,) = json.loads(capsys.readouterr().out)["communities"].values()
    assert (pose["x"], pose["y"], pose["distance"]) == (10.0, 0.0, 10.0)


def test_warnings_and_skipped_apps_are_printed_before_the_run(
    edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    one(edit("pace = 2", "pase = 2"), "--for", "1")
    errors = capsys.readouterr().err
    assert "duet: pMarineViewer is not started: a viewer" in errors
    assert "pase = 2: unknown key; did you mean pace" in errors


@pytest.mark.parametrize(
    ("old", "new", "arguments", "expected"),
    [
        ("pace = 2", "pace = two", (), "duet.moos:16: pace = two: expected a number"),
        ("pace = 2", "pase = 2", ("--strict",), "did you mean pace"),
        ("duet:Walker", "pHelmivp", (), "the nearest is pHelmIvP"),
        ("Run = MOOSDB", "Run = MOOSDB @ Console = x", ("--strict",), "the nearest is newconsole"),
        ("pace = 2", "pace = 2", ("--until", "X >"), "--until: 'X >', column 4: expected"),
        ("pace = 2", "pace = 2", ("--set", "GO"), "expected [@T:][NAME:]VAR=VALUE"),
        ("pace = 2", "pace = 2", ("--config", "Walkr.pace=1"), "the nearest is Walker"),
        ("pace = 2", "pace = 2", ("--inputs", "none.jsonl"), "No such file"),
        ("pace = 2", "pace = 2", ("--paused",), "--paused: no observers with --placement one"),
        ("pace = 2", "pace = 2", ("--paused", "--free-run"), "--paused: not with --free-run"),
    ],
)
def test_errors_end_with_code_2_before_anything_starts(
    old: str,
    new: str,
    arguments: tuple[str, ...],
    expected: str,
    edit: Edit,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([str(edit(old, new)), *arguments, "--placement", "one"]) == 2
    shown = capsys.readouterr()
    assert expected in shown.err
    assert shown.out == ""
    assert not Path("logs/duet-001").exists()


def test_a_missing_file_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.moos"]) == 2
    assert "nowhere.moos: expected a mission file: No such file" in capsys.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "one"])
def test_a_port_in_use_ends_with_2_and_names_its_holder(placement: str, duet: Path) -> None:
    command = [sys.executable, str(LAUNCH), str(duet), "--placement", placement, "--attach"]
    with subprocess.Popen([*command, "--port", "auto", "--warp", "1", "--log", "first"]) as holder:
        while not Path("first/run.json").exists():
            time.sleep(0.02)
        port = json.loads(Path("first/run.json").read_text())["address"].rpartition(":")[2]
        late = subprocess.run(
            [*command, "--port", port, "--log", "second"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        holder.terminate()
    assert late.returncode == 2
    assert f"port {port} is in use by the run of duet (process " in late.stderr
    assert "logs:" not in late.stderr  # there are none
    assert not Path("second").exists()


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "community", "one"])
def test_a_run_that_begins_paused_waits_for_an_observer_and_is_the_same(
    placement: str, duet: Path
) -> None:
    command = [sys.executable, str(LAUNCH), str(duet), "--placement", placement, "--attach"]
    command += ["--port", "auto", "--warp", "max", "--for", "9"]
    straight = subprocess.run([*command, "--json", "straight"], check=False)
    held = [*command, "--log", "run", "--json", "held", "--paused"]
    with subprocess.Popen(held) as running:
        while not Path("run/run.json").exists():
            time.sleep(0.02)
        address = json.loads(Path("run/run.json").read_text())["address"]
        with Client.connect(address.removeprefix("tcp://"), name="script") as run:
            time.sleep(0.3)
            status = run.control("status")
            assert (status["time"], status["paused"]) == (0.0, True)
            run.control("resume")
        assert running.wait(30) == straight.returncode == 0
    kept = ("simulated_seconds", "posted", "communities")
    one, other = (json.loads(Path(file).read_text()) for file in ("straight", "held"))
    assert {key: one[key] for key in kept} == {key: other[key] for key in kept}


def steered(command: list[str], name: str) -> dict[str, Any]:
    """Run a mission steered from outside by its mail; return its figures."""
    with subprocess.Popen([*command, "--log", name, "--json", f"{name}.json"]) as running:
        while not Path(name, "run.json").exists():
            time.sleep(0.02)
        address = json.loads(Path(name, "run.json").read_text())["address"]
        with Client.connect(address.removeprefix("tcp://"), name="script") as run:
            run.register("NAV_X")
            for step in range(1, 13):
                run.control("run_until", 0.5 * step)
                while run.control("status")["until"] is not None:
                    time.sleep(0.001)
                mail = run.fetch(timeout=0)
                x = mail[-1].value if mail else 0.0
                run.post("GO", "false" if x % 3 == 1 else "true")
            run.control("stop")
        assert running.wait(30) == 0
    record: dict[str, Any] = json.loads(Path(f"{name}.json").read_text())["communities"]
    return record


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "one"])
def test_two_runs_that_are_steered_from_outside_in_step_are_the_same(
    placement: str, edit: Edit
) -> None:
    mission = edit("  Run = MOOSDB\n", "  Run = MOOSDB\n  Run = pLogger\n")
    command = [sys.executable, str(LAUNCH), str(mission), "--placement", placement]
    command += ["--paused", "--port", "auto", "--warp", "max"]
    first, second = (steered(command, name) for name in ("first", "second"))
    assert first == second
    (community,) = first.values()
    assert community["log_sha256"]
    assert community["x"] > 0


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "community", "one"])
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_run_ends_soon_with_a_message(
    placement: str, number: signal.Signals, code: int, duet: Path
) -> None:
    command = [sys.executable, LAUNCH, duet, "--placement", placement, "--warp", "1"]
    command += ["--log", "run", "--port", "auto"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        while not Path("run/run.json").exists():
            time.sleep(0.02)
        time.sleep(0.5)
        running.send_signal(number)
        output, _ = running.communicate(timeout=9)  # an app that hangs is given up after 10
    assert running.returncode == code
    assert output.startswith(f"ended: interrupted by {number.name}")


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "one"])
def test_logs_are_whole_when_the_terminal_is_lost(placement: str, tmp_path: Path) -> None:
    master, terminal = os.openpty()
    take_it = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    begin = [sys.executable, "-c", f"{take_it}os.execv(sys.executable, sys.argv[1:])"]
    command = [sys.executable, LAUNCH, LAUNCH.parent / "missions" / "alpha", "--port", "auto"]
    command += ["--placement", placement, "--warp", "5", "--log", tmp_path / "run"]
    at = {"stdin": terminal, "stdout": terminal, "stderr": terminal}
    with subprocess.Popen([*begin, *command], **at, start_new_session=True) as running:
        os.close(terminal)
        while not any(log.stat().st_size for log in (tmp_path / "run").rglob("*.alog")):
            time.sleep(0.02)
        os.close(master)
        assert running.wait(60) == 129
    (log,) = (tmp_path / "run").rglob("*.alog")
    assert log.read_bytes().endswith(b"\n")


@pytest.mark.process
@pytest.mark.parametrize("placement", ["process", "community"])
def test_processes_end_with_the_codes_of_one(placement: str, edit: Edit) -> None:
    mission = edit("Run = pMarineViewer", "Run = duet:Breaker")
    command = [sys.executable, LAUNCH, mission, "--placement", placement, "--port", "auto"]
    command += ["--warp", "max", "--no-log", *GOING]
    ended = [
        subprocess.run([*command, *arguments], capture_output=True, timeout=60, check=False)
        for arguments in (
            ["--skip", "duet:Breaker", "--until", "ARRIVED = true"],
            ["--for", "5"],
            ["--skip", "duet:Breaker", "--until", "ARRIVED = never", "--for", "5"],
            ["--skip", "duet:Breaker", "--fail-if", "ARRIVED = true"],
        )
    ]
    assert [run.returncode for run in ended] == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--free-run", "--warp", "max", "--placement", "process"), "--warp max"),
        (("--free-run", "--warp", "10"), "--placement one"),
        (("--external", "pEcho"), "--external"),
        (("--keys", "nowhere"), "--keys"),
    ],
)
def test_options_that_exclude_each_other_are_reported_before_anything_starts(
    duet: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
) -> None:
    assert one(duet, *arguments) == 2
    assert expected in capsys.readouterr().err


def test_a_post_from_outside_that_is_refused_is_reported(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert one(duet, "--set", "@0:GO=1", "--set", "@1:GO=true", "--for", "3") == 0
    assert "GO = 'true': refused, this variable is a number" in capsys.readouterr().out


def test_a_variable_that_never_came_is_reported_with_the_nearest(
    duet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = (duet, "--until", "GOO = 1", "--set", "GO=true", "--for", "5")
    assert one(*command) == 2, "nobody can post it"
    assert "no app declares that it posts GOO; the nearest is GO" in capsys.readouterr().err
    assert one(*command, "--allow-unknown") == 3
    assert "GOO was never posted; the nearest is GO" in capsys.readouterr().out


@pytest.mark.process
def test_the_wall_limit_holds_while_an_app_is_waited_for(duet: Path) -> None:
    command = [sys.executable, LAUNCH, duet, "--external", "pEcho", "--wall-limit", "1"]
    ended = subprocess.run(
        [*command, "--port", "auto", "--no-log"], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0
    assert "ended: wall_limit" in ended.stdout
    assert "waiting for pEcho" in ended.stderr


TIMED = """Community = alpha
ProcessConfig = ANTLER
{
  Run = MOOSDB
  Run = uTimerScript
}
ProcessConfig = uTimerScript
{
  event = var=COUNT, val=1, time=0
}
"""


@pytest.mark.process
def test_an_app_started_by_hand_receives_the_changes_of_the_command_line(tmp_path: Path) -> None:
    mission, run = tmp_path / "timed.moos", tmp_path / "run"
    mission.write_text(TIMED)
    given = ("--config", "uTimerScript.event=var=COUNT, val=7, time=0")
    command = [sys.executable, LAUNCH, mission, "--external", "uTimerScript", *given]
    ends = ("--until", "COUNT = 7", "--for", "10", "--wall-limit", "30", "--warp", "max")
    with subprocess.Popen([*command, *ends, "--port", "auto", "--log", run]) as launched:
        while not (run / "run.json").exists():
            time.sleep(0.02)
        port = json.loads((run / "run.json").read_text())["address"].rpartition(":")[2]
        by_hand = [sys.executable, "-m", "apps.timer_script", mission, "--moos_port", port]
        subprocess.run(by_hand, check=True, timeout=60)
    assert launched.returncode == 0


@pytest.mark.process
def test_an_uninvited_app_is_given_the_command_that_would_let_it_in(tmp_path: Path) -> None:
    mission = tmp_path / "timed.moos"
    mission.write_text(TIMED)
    by_hand = [sys.executable, "-m", "apps.timer_script", str(mission), "--moos_port"]
    command = [sys.executable, str(LAUNCH), str(mission), "--warp", "max", "--port", "auto"]
    for number, ends in enumerate((["--wall-limit", "60"], ["--until", "COUNT = 1"])):
        run = tmp_path / str(number)
        with subprocess.Popen([*command, "--log", str(run), *ends]) as launched:
            while not (run / "run.json").exists():
                time.sleep(0.02)
            port = json.loads((run / "run.json").read_text())["address"].rpartition(":")[2]
            ended = subprocess.run([*by_hand, port], capture_output=True, text=True, timeout=60)
            if number:
                break
            launched.terminate()
        assert ended.returncode == 2
        given = shlex.split(ended.stderr.partition("launched by: ")[2])
        assert given == [*command, "--log", str(run), *ends, "--external", "uTimerScript"]
        command += ["--external", "uTimerScript"]
    assert (ended.returncode, launched.returncode) == (0, 0)


@pytest.mark.process
@pytest.mark.parametrize("expected", ["--for 5", "--check --graph"])
def test_a_reader_that_has_seen_enough_gets_no_traceback(duet: Path, expected: str) -> None:
    command = f"{sys.executable} {LAUNCH} {duet} {' '.join(IN_ONE)} {expected} | head -1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in ended.stderr


def test_fail_on_abbreviates_conditions_and_checks_run_warnings(duet: Path) -> None:
    named = ("--fail-on", "envelope", "--fail-on", "behavior", "--fail-on", "warning")
    options = parse_options([str(duet), *named])
    assert failing(options) == ("USM_ENVELOPE_LEFT > 0", 'BHV_ERROR != ""')
    with pytest.raises(SystemExit):
        parse_options([str(duet), "--fail-on", "weather"])
