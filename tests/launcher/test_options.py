"""Parsing of launch.py's options, and errors in them."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from decimal import Decimal
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.bus import Placement
from steerageway.launcher.options import ANY_PORT, instant, parse_options


def test_a_mission_alone_takes_every_default() -> None:
    options = parse_options(["alpha.moos"])
    assert options.missions == ("alpha.moos",)
    assert options.warp is None
    assert options.placement is Placement.PROCESS
    assert options.port is None
    assert options.grant_timeout == 10.0


def test_repeated_options_keep_their_order() -> None:
    options = parse_options(["a.moos", "--set", "A=1", "--set", "B=2", "--until", "A=1"])
    assert options.pokes == ("A=1", "B=2")
    assert options.until == ("A=1",)


def test_missions_may_be_on_both_sides_of_options() -> None:
    options = parse_options(["a.moos", "--set", "A=1", "b.moos", "--no-log", "c.moos"])
    assert options.missions == ("a.moos", "b.moos", "c.moos")


def test_words_may_replace_numbers_where_allowed() -> None:
    options = parse_options(["a.moos", "--warp", "max", "--port", "auto", "--placement", "one"])
    assert options.warp == inf
    assert options.port == ANY_PORT
    assert options.placement is Placement.ONE


@given(st.decimals(min_value=0, max_value=10**6, places=9))
def test_seconds_become_exact_nanoseconds(seconds: Decimal) -> None:
    assert instant(str(seconds)) == int(seconds * 10**9)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "required: MISSION.moos"),
        (["a.moos", "--warp", "0"], "0: expected a number from 1e-06 to 1000000, or max"),
        (["a.moos", "--warp", "fast"], "fast: expected a number from 1e-06 to 1000000, or max"),
        (["a.moos", "--placement", "proces"], "proces: expected one of process, community, one"),
        (["a.moos", "--for", "-1"], "expected a number from 0 to 1000000000"),
        (["a.moos", "--for", "soon"], "soon: expected a number from 0 to 1000000000"),
        (["a.moos", "--for", "nan"], "nan: expected a number from 0 to 1000000000"),
        (["a.moos", "--for", "inf"], "inf: expected a number from 0 to 1000000000"),
        (["a.moos", "--wall-limit", "nan"], "nan: expected a number above 0"),
        (["a.moos", "--wall-limit", "0"], "0: expected a number above 0"),
        (["a.moos", "--grant-timeout", "-2"], "expected a number at least 0"),
        (["a.moos", "--restarts", "1.5"], "1.5: expected a whole number at least 0"),
        (["a.moos", "--port", "70000"], "70000: expected a whole number from 1 to 65535, or auto"),
        (["a.moos", "--placement", "two"], "two: expected one of"),
        (["a.moos", "--seed", "x"], "x: expected a whole number"),
        (["a.moos", "--seed", "1.5"], "1.5: expected a whole number"),
        (["a.moos", "--vessels", "0"], "0: expected a whole number at least 1"),
        (["a.moos", "--path", "no/such"], "'no/such': expected a folder"),
        (["a.moos", "--graph"], "--graph: expected together with --check"),
        (["a.moos", "--log", "d", "--no-log"], "--log and --no-log: expected one of them"),
        (["a.moos", "--wrap", "2"], "--wrap"),
    ],
)
def test_an_invalid_command_line_ends_with_code_2_and_the_reason(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        parse_options(arguments)
    assert ended.value.code == 2
    assert expected in capsys.readouterr().err


def test_an_unknown_option_is_reported_with_the_nearest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for option in ("--untill", "--untill=A = 1"):
        with pytest.raises(SystemExit):
            parse_options([option, "A = 1", "a.moos"])
        assert "--untill: unknown key; did you mean --until?" in capsys.readouterr().err
    assert parse_options(["a.moos", "--until", "A = --b"]).until == ("A = --b",)


@pytest.mark.parametrize("columns", ["20", "80", "300"])
def test_options_are_known_however_narrow_the_terminal_is(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    options = parse_options(["a.moos", "--check", "--grant-timeout=3", "--wall-limit", "4"])
    assert (options.check, options.grant_timeout, options.wall_limit) == (True, 3.0, 4.0)


def test_an_error_is_not_lost_below_a_list_of_all_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parse_options(["alpha.moos", "--for", "ten"])
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_options_are_known_where_the_help_is_in_color(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ArgumentParser.format_help

    def colored(command: ArgumentParser) -> str:
        return re.sub(r"(--?[\w-]+)", "\x1b[1;36m\\1\x1b[0m", plain(command))

    monkeypatch.setattr(ArgumentParser, "format_help", colored)
    options = parse_options(["a.moos", "--skip", "pA", "--no-log", "--for", "5"])
    assert (options.skip, options.no_log) == (("pA",), True)
