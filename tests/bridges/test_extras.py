"""What only a bridge needs is loaded by that bridge alone."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOREIGN = (
    *("cyclonedds", "fmpy", "foxglove", "mcap", "pymavlink", "pyais", "pynmeagps", "rerun"),
    *("rosbags", "zenoh"),
)


@pytest.mark.slow
def test_an_alpha_run_imports_nothing_of_a_bridge(tmp_path: Path) -> None:
    command = (sys.executable, "-X", "importtime", "launch.py", "missions/alpha", "--warp", "max")
    options = ("--placement", "one", "--for", "1", "--log", str(tmp_path))
    result = subprocess.run(
        (*command, *options), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0
    loaded = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "steerageway.apps.logs.logger.recorder" in loaded
    foreign = re.compile(rf"({'|'.join(FOREIGN)}|steerageway\.bridges)\b")
    assert sorted(filter(foreign.match, loaded)) == []


@pytest.mark.slow
def test_what_shows_a_run_starts_without_the_compiler() -> None:
    """Numba takes half the time of a start, in which a run is not shown."""
    program = (
        "import sys, steerageway.bridges.foxglove_live, steerageway.web.viewer.server\n"
        'print(sorted({"numba", "scipy", "steerageway.vessel.fossen.dynamics"} & set(sys.modules)))'
    )
    command = [sys.executable, "-c", program]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
