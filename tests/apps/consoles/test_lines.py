"""Grammar of console lines and quick keys, and the joystick, without a terminal or a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.apps.consoles.poke.command import main
from steerageway.apps.consoles.poke.interpreter import MAX_VALUES, ValueHistory
from steerageway.apps.consoles.poke.joystick import (
    DEAD_MAN,
    RUDDER,
    THRUST,
    Joystick,
    JoystickAxis,
    read_axis,
)
from steerageway.apps.consoles.poke.lines import (
    COMMANDS,
    LineError,
    Order,
    help_text,
    lines_of,
    parse_line,
    read_quick_keys,
)
from steerageway.apps.shared.board import News
from steerageway.apps.shared.display import cut, near, shown_value
from steerageway.bus import Message
from steerageway.moos.errors import FormatError
from steerageway.moos.poke import Poke


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("pause", Order("pause", (), "")),
        ("step 5", Order("step", ("5",), "5")),
        ("run until 300", Order("run", ("until", "300"), "until 300")),
        ("reset x=1, y=2", Order("reset", ("x=1,", "y=2"), "x=1, y=2")),
        (" watch NAV_* DEPLOY ", Order("watch", ("NAV_*", "DEPLOY"), "NAV_* DEPLOY")),
        ("?", Order("help", (), "")),
        ("? warp", Order("help", ("warp",), "warp")),
        ("exit", Order("quit", (), "")),
        ("", None),
    ],
)
def test_a_line_is_a_command_with_its_arguments(line: str, order: Order | None) -> None:
    assert parse_line(line) == order


@pytest.mark.parametrize(
    ("line", "community", "name", "value"),
    [
        ("DEPLOY=true", "", "DEPLOY", "true"),
        ("henry:NAV_X = 5", "henry", "NAV_X", 5.0),
        ("*:DEPLOY := 5", "*", "DEPLOY", "5"),
        ("UP=speed=2 # lead=3", "", "UP", "speed=2 # lead=3"),
    ],
)
def test_a_line_with_an_equals_sign_is_a_post(
    line: str, community: str, name: str, value: object
) -> None:
    poke = parse_line(line)
    assert isinstance(poke, Poke)
    assert (poke.community, poke.name, poke.value(0.0)) == (community, name, value)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("pauze", "expected [NAME:]VAR=VALUE or a command, the nearest is pause"),
        ("PAUSE", "or a command, the nearest is pause"),
        ("hepl", "or a command, the nearest is help"),
        ("DEPLOY", "or a command; DEPLOY=VALUE posts"),
        ("DEPLOY true", "or a command; DEPLOY=true posts"),
        ("LOG_X 5", "or a command; LOG_X=5 posts"),
        ("speed_factor 20", "or a command; speed_factor=20 posts"),
        ("NAV X=1", "expected [NAME:]VAR=VALUE or a command; a variable's name is one word"),
        ("pause now", "pause now: expected pause"),
        ("run 300", "run 300: expected run until T"),
        ("warp", "warp: expected warp N|max"),
        ("watch", r"watch: expected watch NAME* ..."),
    ],
)
def test_an_invalid_line_gives_a_message_with_the_expected_form(line: str, expected: str) -> None:
    with pytest.raises(LineError) as caught:
        parse_line(line)
    assert expected in str(caught.value)


def test_words_of_a_command_line_are_joined_to_lines() -> None:
    lines = ["A=1", "run until 30", "step", "B=2", "step 5", "pause", "reset x=1,y=2", "show A B*"]
    assert lines_of(" ".join(lines).split(" ")) == lines
    assert lines_of(["run until 30", "A=b c"]) == ["run until 30", "A=b c"]


def test_help_explains_every_command() -> None:
    text = help_text()
    assert all(command.usage in text for command in COMMANDS.values())
    assert help_text("warp").split()[:2] == ["warp", "N|max"]
    with pytest.raises(LineError, match="the nearest is resume"):
        help_text("resum")


@pytest.mark.parametrize("words", [["help", "warp"], ["?", "warp"], ["? warp"], ["?warp"]])
def test_the_command_line_explains_a_command_without_a_run(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out == help_text("warp") + "\n"
    assert main(words[:1] if len(words) > 1 else ["?"]) == 0
    assert capsys.readouterr().out == help_text() + "\n"


@pytest.mark.parametrize("head", [b"// a comment", b"\xef\xbb\xbf", b"// n\xe4chste Tonne"])
def test_quick_keys_enter_lines(tmp_path: Path, head: bytes) -> None:
    file = tmp_path / "keys.txt"
    file.write_bytes(head + b"\nF2 = DEPLOY=true // go\n\nAlt-p = pause\n")
    assert [tuple(key) for key in read_quick_keys(file)] == [
        ("F2", ("f2",), "DEPLOY=true"),
        ("Alt-p", ("escape", "p"), "pause"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F2 = DEPLOY", "keys.txt:1: F2 = DEPLOY: DEPLOY: expected [NAME:]VAR=VALUE"),
        ("F99 = pause", "keys.txt:1: F99 = pause: expected F1 to F24 or Alt-LETTER"),
        ("F2 = pause\nF2 = resume", "keys.txt:2: F2 = resume: duplicate key"),
        ("F2 =", "keys.txt:1: F2: expected a line"),
    ],
)
def test_an_invalid_quick_key_names_file_and_line(tmp_path: Path, text: str, expected: str) -> None:
    file = tmp_path / "keys.txt"
    file.write_text(text)
    with pytest.raises(FormatError) as caught:
        read_quick_keys(file)
    assert expected in str(caught.value)
    with pytest.raises(FormatError, match="expected a file of quick keys"):
        read_quick_keys(tmp_path / "none.txt")


def test_received_values_are_offered_latest_first_as_typed() -> None:
    seen = ValueHistory()

    def hear(value: float | str | bytes) -> None:
        seen.note([News("alpha", Message("V", value, 0.0, "pX"))])

    for value in ("true", "false", "12", "true", b"raw", "two\nlines"):
        hear(value)
    assert seen.values("alpha", "V") == ["true", '"12"', "false"]
    for number in range(2 * MAX_VALUES):
        hear(f"value {number}")
    assert len(seen.values("alpha", "V")) == MAX_VALUES
    hear(2.5)
    assert seen.values("alpha", "V") == ["2.5"]
    assert seen.names("alpha") == ["V"]
    assert seen.values("beta", "V") == []


def test_the_stick_moves_by_steps_up_to_its_limits() -> None:
    joystick = Joystick(JoystickAxis("AHEAD", 40.0, 100.0), RUDDER)
    for _ in range(4):
        joystick.press("up", 0.0)
    joystick.press("left", 0.0)
    joystick.press("x", 0.0)
    assert joystick.levels == {"AHEAD": 100.0, "DESIRED_RUDDER": -10.0}
    joystick.press("down", 0.0)
    joystick.press("right", 0.0)
    assert joystick.levels == {"AHEAD": 60.0, "DESIRED_RUDDER": 0.0}


def test_the_stick_is_released_once_a_second_after_the_last_key() -> None:
    joystick = Joystick(THRUST, RUDDER)
    joystick.press("up", 10.0)
    assert not joystick.check_timeout(10.0 + DEAD_MAN - 0.01)
    joystick.press("x", 10.5)  # any key shows that the hand is there
    assert not joystick.check_timeout(10.5 + DEAD_MAN - 0.01)
    assert joystick.check_timeout(10.5 + DEAD_MAN)
    assert joystick.levels == {"DESIRED_THRUST": 0.0, "DESIRED_RUDDER": 0.0}
    assert not joystick.check_timeout(20.0)


def test_a_single_actuator_has_step_and_limit() -> None:
    assert read_axis("th_1:50:1500") == JoystickAxis("th_1", 50.0, 1500.0)
    assert read_axis("th_1") == JoystickAxis("th_1", 10.0, 100.0)
    assert Joystick(read_axis("th_1"), None).levels == {"th_1": 0.0}
    for wrong in ("th_1:x", "th_1:-5", "th_1:1:2:3", ":5", "th_1:inf"):
        with pytest.raises(LineError, match="expected NAME"):
            read_axis(wrong)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["pase"], "pase: expected a run, [NAME:]VAR=VALUE or a command, the nearest is pause"),
        (["DEPLOY"], "or a command; DEPLOY=VALUE posts"),
        (["DEPLOY", "pause"], "DEPLOY: expected a run"),
        (["speed_factor", "20"], "or a command; speed_factor=20 posts"),
        (["bravo:DEPLOY"], "or a command; bravo:DEPLOY=VALUE posts"),
        (["nowhere/alpha"], "nowhere/alpha: expected an existing file or folder"),
        (["nowhere.moos", "X=1"], "nowhere.moos: expected an existing file or folder"),
    ],
)
def test_an_unknown_run_as_first_word_is_reported_with_a_suggestion(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--actuator=th_1"], "--actuator th_1: expected together with --teleop"),
        (["X=1", "--teleop"], "X=1: expected no --teleop or --quick with it"),
        (["X=1", "--quick=keys.txt"], "X=1: expected no --teleop or --quick with it"),
        (["--cache"], "--cache: expected a mission file"),
        (["--teleop", "--actuator=:x"], "--actuator :x: expected NAME[:STEP[:LIMIT]]"),
        (["--quick=nowhere.txt"], "nowhere.txt: expected a file of quick keys"),
    ],
)
def test_incompatible_options_are_reported_before_a_run_is_searched(
    options: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(options) == 2
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.0, "1"),
        (-0.25, "-0.25"),
        (1e-7, "1e-07"),
        (1e20, "1e+20"),
        ("on", '"on"'),
        ("a\nb\x1b[2J", '"a\\nb\\x1b[2J"'),
        ("Ålesund", '"Ålesund"'),
        (b"\x00\x01", "<2 bytes>"),
    ],
)
def test_no_value_can_move_a_cursor(value: float | str | bytes, shown: str) -> None:
    assert shown_value(value) == shown
    assert shown_value(value).isprintable()


def test_names_are_cut_and_the_nearest_is_reported() -> None:
    assert cut("NAV_HEADING", 8) == "NAV_H..."
    assert cut("NAV_X", 8) == "NAV_X"
    assert cut("NAV_HEADING", 2) == ".."
    assert near("DEPOY", ["DEPLOY", "RETURN"]) == ", the nearest is DEPLOY"
    assert near("ZZZ", ["DEPLOY"]) == ""
