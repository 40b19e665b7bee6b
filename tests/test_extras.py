"""Libraries of extras: what is imported without one names the extra that brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest

DOORS = [
    ("scipy", "import steerageway.control", "control"),
    (
        "scipy",
        "sys.argv[1:] = ['vessel', 'identify', 'a', '--model', 'mmg']; entry.steerageway()",
        "control",
    ),
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


@pytest.mark.process
def test_the_help_of_identify_needs_no_extra() -> None:
    """All libraries of the extra ``control`` are absent."""
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('scipy', 'control', 'matplotlib')))\n"
        "sys.argv[1:] = ['vessel', 'identify', '--help']\n"
        "from steerageway.launcher import entry; entry.steerageway()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "thrust_1" in ended.stdout
