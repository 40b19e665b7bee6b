"""Nothing is compiled after time has started: an app may take ten seconds, compiling more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.process, pytest.mark.slow]

# Every first call of a compiled function asks its dispatcher for machine code, cached or not: this
# needs no empty cache, and misses none that a machine of today compiles quickly.
LISTENING = """
import sys
from numba.core.dispatcher import Dispatcher
ask, late = Dispatcher.compile, set()
def compile(self, signature):
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename.endswith("bus/core/runner.py"):
            late.add(self.py_func.__name__)
        frame = frame.f_back
    return ask(self, signature)
Dispatcher.compile = compile
from steerageway.launcher.command import main
code = main(sys.argv[1:])
print("late:", *sorted(late))
sys.exit(code)
"""


@pytest.mark.parametrize(
    "mission", ["dataset", "drifting", "harbour_lidar", "otter_survey", "rexrov_inspection"]
)
def test_no_activation_of_an_app_compiles(mission: str, tmp_path: Path) -> None:
    words = (f"missions/{mission}", "--warp", "max", "--for", "5", "--placement", "one")
    done = subprocess.run(
        [sys.executable, "-c", LISTENING, *words, "--log", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "late:"


def test_a_machine_that_has_compiled_nothing_starts_a_mission_with_sensors(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("NUMBA_CACHE_DIR", None)
    words = ("launch.py", "missions/dataset", "--warp", "max", "--for", "3", "--no-log")
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "cache").rglob("*trace_solids*.nbi"))
