"""Options of commands are declared in tables."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import pytest

from steerageway.declarations import Number
from steerageway.declarations.arguments import Parser, add_options


@pytest.fixture
def command() -> ArgumentParser:
    command = Parser(prog="tool")
    add_options(
        command,
        """
            --quick, -q: without a \
                rest
            --name TEXT: a text
            --set=pokes VAR=VALUE ...: may be repeated
            --speed M/S: a number
            --wall-limit SECONDS: another
            --form: one of two
        """,
        speed=Number(above=0),
        wall_limit=(Number(low=0), 5.0),
        form={"choices": ("a", "b"), "default": "b"},
    )
    return command


def test_a_line_declares_a_flag_a_text_a_list_or_what_a_reader_reads(
    command: ArgumentParser,
) -> None:
    usual: dict[str, Any] = {"quick": False, "name": "", "pokes": [], "speed": None}
    assert vars(command.parse_args([])) == {**usual, "wall_limit": 5.0, "form": "b"}
    line = "-q --name x --set A=1 --set B=2 --speed 3 --wall-limit 0 --form a"
    assert vars(command.parse_args(line.split())) == {
        "quick": True,
        "name": "x",
        "pokes": ["A=1", "B=2"],
        "speed": 3.0,
        "wall_limit": 0.0,
        "form": "a",
    }


def test_a_reader_of_a_line_refuses_and_the_help_shows_the_line(
    command: ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.parse_args(["--speed", "0"])
    assert "argument --speed: 0: expected a number above 0" in capsys.readouterr().err
    assert "--set VAR=VALUE" in command.format_help()
