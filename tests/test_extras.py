"""Libraries of extras: what is imported without one names the extra that brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest

DOORS = [
    ("scipy", "import steerageway.control", "control"),
    ("scipy", "sys.argv[1:] = ['vessel', 'identify', '-h']; entry.steerageway()", "control"),
    ("gymnasium", "import steerageway.envs", "learn"),
    ("pettingzoo", "import steerageway.envs.parallel", "learn"),
]


@pytest.mark.process
@pytest.mark.parametrize(("library", "door", "extra"), DOORS)
def test_a_door_without_its_library_names_the_extra(library: str, door: str, extra: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None\nfrom steerageway.launcher import entry\n"
    ended = subprocess.run([sys.executable, "-c", code + door], capture_output=True, text=True)
    assert ended.returncode != 0
    last = ended.stderr.splitlines()[-1]
    assert last.endswith(f" needs {library}: pip install 'steerageway[{extra}]'")
    assert "entry." not in door or len(ended.stderr.splitlines()) == 1
