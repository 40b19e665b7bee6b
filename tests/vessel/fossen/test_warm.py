"""Compilation is shown while machine code is not cached, and not afterwards."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.world.compiling import BEGUN, compilation_shown, in_steps, report


class Terminal(io.StringIO):
    """A stream that takes what a terminal takes."""

    def isatty(self) -> bool:
        """Return that it is a terminal."""
        return True


def test_a_terminal_shows_a_bar_and_any_other_stream_two_lines() -> None:
    terminal, file = Terminal(), io.StringIO()
    calls = [lambda: report("derivative"), lambda: report("rk4")]
    with compilation_shown(terminal), compilation_shown(file):
        in_steps("the model of otter", calls)
    assert file.getvalue() == f"{BEGUN}\ncompiled 2 functions\n"
    bars = terminal.getvalue().split("\r\033[2K")
    empty, half = "-" * 20, "#" * 10 + "-" * 10
    assert bars[1] == f"[{empty}]   0 %  the model of otter: 1 functions, derivative"
    assert bars[2] == f"[{half}]  50 %  the model of otter: 2 functions, rk4"


@pytest.mark.slow
@pytest.mark.process
def test_warm_compiles_once_per_machine_and_shows_it(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    environment.pop("NUMBA_CACHE_DIR", None)
    shown = []
    for _ in range(2):
        command = (sys.executable, "-m", "steerageway", "warm", "waves")
        warmed = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert warmed.returncode == 0, warmed.stderr
        assert "1/1 waves" in warmed.stdout
        shown.append(warmed.stderr)
    assert shown[0].startswith(BEGUN)
    assert shown[1] == ""
