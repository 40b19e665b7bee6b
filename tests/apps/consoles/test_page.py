"""The commands and code of docs/console.md work as written."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import Any

import pytest

from steerageway.apps.consoles.poke.command import parser as poke
from steerageway.apps.consoles.poke.lines import COMMANDS
from steerageway.apps.consoles.query.command import parser as query
from steerageway.apps.consoles.scope.command import parser as scope


def blocks(stage: Any, language: str) -> list[str]:
    """Return the page's blocks of a language."""
    text = (stage.root / "docs" / "console.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def python(stage: Any, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python next to the run."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env=stage.env, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.process
def test_the_commands_and_the_notebook_of_the_page_work(stage: Any) -> None:
    stage.launch(stage.root / "missions" / "alpha", "--warp", 20, "--set", "DEPLOY=false")
    waited = stage.call("apps.query", "--condition", "DEPLOY = false", "--wait", 10)
    assert waited.returncode == 0
    commands = [line for block in blocks(stage, "sh") for line in block.splitlines()]
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "steerageway"
        result = python(stage, "-m", program, *arguments)
        assert (result.returncode, result.stderr) == (0, ""), command
    (block,) = blocks(stage, "python")
    ended = python(stage, "-c", block)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert 118 <= int(ended.stdout.split()[0]) < 240  # four a second, and what is present


def test_the_page_explains_every_command_and_option(stage: Any) -> None:
    text = (stage.root / "docs" / "console.md").read_text()
    assert [name for name in COMMANDS if f"`{name}" not in text] == ["help"]
    options = [
        option
        for parser in (poke(), scope(), query())
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--") and option not in ("--help", "--host", "--port")
    ]
    aliases = {"--serverhost", "--serverport", "--pass_condition", "--color", "--no-color"}
    assert [o for o in options if o not in text and o not in aliases] == []


@pytest.mark.process
def test_scripts_load_no_terminal_library_and_no_numpy(stage: Any) -> None:
    program = (
        "import sys, steerageway.apps.attach, steerageway.apps.poke.command\n"
        "import steerageway.apps.query.command, steerageway.apps.scope.command\n"
        'print(sorted({"prompt_toolkit", "numpy"} & set(sys.modules)))'
    )
    assert python(stage, "-c", program).stdout == "[]\n"
