"""The plugin of pytest: missions of marked tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

TESTS = """
import pytest

pytestmark = pytest.mark.mission("{mission}", until="NAV_X > 5", set={{"GO": "true"}})


def test_walks(mission):
    assert mission.run_until("NAV_X > 5", limit=6)


@pytest.mark.mission("{mission}", seed=4)
def test_stands(mission):
    mission.run_until(2)
    assert mission.get("NAV_X") == 1


@pytest.mark.mission
def test_has_none(mission):
    pass
"""


@pytest.mark.process
def test_a_marked_test_has_its_mission_and_tells_the_command_when_it_fails(
    duet: Path, tmp_path: Path
) -> None:
    (tmp_path / "test_duet.py").write_text(TESTS.format(mission=duet))
    options = ["-p", "steerageway.launcher.testing", "--strict-markers", "--junit-xml", "out.xml"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "test_duet.py"]
    # Else it is loaded a second time, by its entry point, where the project is installed.
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "1 failed, 1 passed, 1 error" in done.stdout
    said = done.stdout.partition("at 2.000 s of simulated time; the mission alone:\n")[2]
    assert said.startswith(f"steerageway run {duet} --seed=4\n")
    assert 'test_has_none: expected @pytest.mark.mission("NAME")' in done.stdout
    suite = ElementTree.parse(tmp_path / "out.xml")
    properties = [one.get("value") for one in suite.iter("property")]
    walk = f"steerageway run {duet} '--until=NAV_X > 5' --set=GO=true"
    assert properties == [walk, f"steerageway run {duet} --seed=4"]
