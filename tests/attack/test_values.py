"""Values of unexpected types break no summary, no status line and no terminal."""

from __future__ import annotations

import json
import os
from contextlib import redirect_stdout, suppress
from pathlib import Path

import pytest

from steerageway.apps.logs.alog.command import main as alog
from steerageway.bus import ConfigError, Progress, add_client, make_server
from steerageway.bus.core.activation_mark import read_activation
from steerageway.launcher.command import main
from steerageway.launcher.status import MOST_SHOWN, community_line
from steerageway.vessel.__main__ import main as vessel

ODD = ("NAV_X", "NAV_Y", "NAV_HEADING", "NAV_SPEED", "NAV_DEPTH", "IVPHELM_STATE", "MODE")


def test_bytes_where_a_position_is_expected_are_no_position(tmp_path: Path) -> None:
    values = {"IVPHELM_ALLSTOP": b"no text", **dict.fromkeys(ODD, b"q")}
    inputs = tmp_path / "inputs.jsonl"
    inputs.write_text(
        "".join(
            json.dumps(
                {
                    "instant": 0,
                    "phase": 0,
                    "community": "one",
                    "name": name,
                    "value": {"base64": ""},
                }
            )
            + "\n"
            for name in values
        )
    )
    mission = tmp_path / "one.moos"
    mission.write_text(
        "Community = one\nProcessConfig = ANTLER\n{\nRun = pLogger @ NewConsole = false\n}\n"
    )
    summary = tmp_path / "summary.json"
    arguments = [str(mission), "--inputs", str(inputs), "--for", "1", "--warp", "max"]
    options = ["--placement", "one", "--no-log", "--json", str(summary)]
    assert main([*arguments, *options]) == 0
    record = json.loads(summary.read_text())["communities"]["one"]
    assert record["x"] is record["helm"] is record["all_stop"] is None


def test_an_infinite_distance_is_null_in_the_summary(tmp_path: Path) -> None:
    mission = tmp_path / "one.moos"
    mission.write_text(
        "Community = one\nProcessConfig = ANTLER\n{\nRun = pLogger @ NewConsole = false\n}\n"
    )
    summary = tmp_path / "summary.json"
    posts = [
        option
        for time, x in ((0.1, -1.7e308), (0.2, 1.7e308))
        for name in ("NAV_X", "NAV_Y")
        for option in ("--set", f"@{time}:{name}={x:.0f}")
    ]
    arguments = [str(mission), *posts, "--for", "1", "--warp", "max", "--placement", "one"]
    assert main([*arguments, "--no-log", "--json", str(summary)]) == 0
    assert json.loads(summary.read_text())["communities"]["one"]["distance"] is None


def test_a_status_line_holds_no_long_text_and_nothing_that_steers_a_terminal() -> None:
    line = community_line("one", Progress(1.0, 1.0), {"MODE": "\x1b[2J" + "x" * 10**6})
    assert line.isprintable()
    assert len(line) < MOST_SHOWN + 80
    odd = community_line("one", Progress(1.0, 1.0), dict.fromkeys(ODD, b"q"))
    assert odd == "one:       1.0 s  warp 1.0"


@pytest.mark.parametrize("held", [b"", b"\0" * 7])
def test_a_turn_not_yet_written_is_ignored(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "turn-1").write_bytes(held)
    assert read_activation(tmp_path, 1) == (-1, -1)


ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f"


@pytest.mark.parametrize("tool", ["scan", "avg", "helm", "diff"])
def test_a_log_steers_no_terminal(
    tool: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (("one", "1"), ("two", "2")):
        (tmp_path / f"{name}.alog").write_text(
            f"%% LOGSTART 1\n0.5 NAV_X{ESCAPES} p{ESCAPES} {value}\n"
            f"0.6 IVPHELM_STATE pHelm{ESCAPES} DRIVE{ESCAPES}{value}\n",
            encoding="utf-8",
        )
    files = [str(tmp_path / f"{name}.alog") for name in ("one", "two")]
    arguments = {"diff": files, "avg": [files[0], f"NAV_X{ESCAPES}"]}.get(tool, files[:1])
    alog([tool, *arguments])
    output = capsys.readouterr()
    for text in (output.out, output.err):
        assert not {*text} & {*"\x1b\x07\x9b\x7f\r"}
    assert output.out + output.err


@pytest.mark.parametrize("tool", ["grep", "clip", "head", "csv"])
def test_a_log_that_is_copied_steers_no_terminal_and_is_the_same_elsewhere(
    tool: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    line = f"0.5 NAV_X uSim {ESCAPES} \n".encode()
    log = tmp_path / "one.alog"
    log.write_bytes(b"%% LOGSTART 1\n" + line)
    more = {"grep": ["NAV_X"], "csv": ["NAV_X"], "clip": ["0", "1"]}.get(tool, [])
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal, redirect_stdout(terminal):
        alog([tool, str(log), *more])
    raw = b""
    with suppress(OSError):  # of the end: no process has the other side open
        while part := os.read(master, 10_000):
            raw += part
    shown = raw.decode()
    os.close(master)
    assert "owned" in shown
    assert not {*shown.replace("\r\n", "\n")} & {*"\x1b\x07\x9b\x7f\r"}
    alog([tool, str(log), *more])
    assert ESCAPES.encode() in capfdbinary.readouterr().out


def test_what_a_vessels_file_holds_steers_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # YAML writes the escape character as \e and the bell as \a
    (tmp_path / "inertia.yml").write_text('mass: "\\e]0;owned\\a"\n')
    assert vessel(["check", str(tmp_path)]) == 2
    output = capsys.readouterr()
    assert "mass = ?]0;owned?: expected a number above 0" in output.err
    assert not {*output.out, *output.err} & {*"\x1b\x07"}


def test_what_the_launcher_says_steers_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.moos").write_text(
        f"Community = a\nProcessConfig = ANTLER\n{{\nRun = {ESCAPES}\n}}\n"
    )
    assert main([str(tmp_path / "one.moos"), "--check"]) == 2
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a\nb", "a\x1bb", "a\r", "", ".a", "a/b"])
def test_a_client_whose_name_is_no_line_gets_no_keys(name: str, tmp_path: Path) -> None:
    make_server(tmp_path)
    with pytest.raises(ConfigError, match="expected a name that can name a file"):
        add_client(tmp_path, name)
    assert list((tmp_path / "allowed").iterdir()) == []


@pytest.mark.process
@pytest.mark.parametrize(
    "options", [("--placement", "one", "--warp", "max"), ("--free-run", "--warp", "10")]
)
def test_an_apps_name_of_any_length_ends_no_app_that_composes_names_of_it(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    longest = "u" * 256  # a client's name may be as long; uProcessWatch registers for uuu..._STATUS
    mission, summary = tmp_path / "one.moos", tmp_path / "summary.json"
    lines = f"Run = uTimerScript ~ {longest}\nRun = uProcessWatch"
    mission.write_text(f"Community = one\nProcessConfig = ANTLER\n{{\n{lines}\n}}\n")
    arguments = [str(mission), "--for", "3", "--no-log", "--json", str(summary), *options]
    assert main(arguments) == 0
    (watch,) = (a for n, a in json.loads(summary.read_text())["apps"].items() if "Watch" in n)
    assert any("not registered" in text for text in watch["run_warnings"])
