"""Nothing is compiled after time has started: an app may take ten seconds, compiling more."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from steerageway.world.compiling import BEGUN

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


@pytest.mark.parametrize("mission", ["dataset", "drifting", "harbour_plan", "rexrov_inspection"])
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


def fresh(home: Path) -> dict[str, str]:
    """Return an environment without machine code."""
    hidden = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")
    own = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**own, "HOME": str(home)}


@pytest.mark.parametrize(
    ("mission", "cores", "compiled"),
    [("alpha", 1, ()), ("dataset", 2, ("trace_solids", "amplitudes"))],
)
def test_a_machine_that_has_compiled_nothing_starts_a_mission_of_each_kind(
    mission: str, cores: int, compiled: tuple[str, ...], tmp_path: Path
) -> None:
    """Within the ten seconds that an app may take, however few processors compile.

    The mission dataset has a Fossen vessel and a scene, of which waves are compiled, too.
    """
    allowed = set(sorted(os.sched_getaffinity(0))[:cores])
    words = ("launch.py", f"missions/{mission}", "--warp", "max", "--for", "3", "--no-log")
    done = subprocess.run(
        [sys.executable, *words, "--port", "auto"],
        cwd=ROOT,
        env=fresh(tmp_path),
        preexec_fn=lambda: os.sched_setaffinity(0, allowed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kept = [file.name for file in (tmp_path / ".cache").rglob("*.nbi")]
    assert bool(kept) == bool(compiled)
    assert all(any(f".{function}_" in name for name in kept) for function in compiled)
    assert (BEGUN in done.stderr) == bool(compiled)


def test_a_mission_on_a_fresh_machine_compiles_nothing_and_has_the_same_log(
    tmp_path: Path,
) -> None:
    """As with machine code: an Otter sails by plain Python."""
    found = []
    summary = tmp_path / "summary.json"
    for environment, log in ((fresh(tmp_path), tmp_path / "a"), (os.environ, tmp_path / "b")):
        words = ("launch.py", "missions/otter_survey", "--warp", "max", "--for", "10")
        done = subprocess.run(
            [sys.executable, *words, "--port", "auto", "--json", summary, "--log", log],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        communities = json.loads(summary.read_text())["communities"]
        found.append((communities["otter"]["log_sha256"], BEGUN in done.stderr))
    assert found[0] == (found[1][0], False)
    assert not list((tmp_path / ".cache").rglob("*.nbi"))


def test_a_vessel_is_checked_on_a_fresh_machine_without_compiling(tmp_path: Path) -> None:
    """With the words of a machine that has compiled: its equations are evaluated in Python."""
    said = []
    for environment in (fresh(tmp_path), os.environ):
        command = [sys.executable, "-m", "steerageway", "vessel", "check", "otter"]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path
        )
        said.append((done.stdout, done.stderr))
    assert said[0] == said[1]
    assert said[0][1] == ""
    assert not list((tmp_path / ".cache").rglob("*.nbi"))
