"""Two helms: when the first falls silent, the standby helm completes the mission."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.bus import run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.moos.alog import read_entries

ALPHA = Path(__file__).parents[2] / "missions" / "alpha"
FADING = """
from steerageway.apps.helm import Helm

class Fading(Helm):
    def iterate(self):
        if not 20.0 < self.time < 40.0:
            super().iterate()
"""


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """Return alpha with a helm that is silent from 20 to 40 s, and a standby helm."""
    text = (ALPHA / "alpha.moos").read_text()
    helms = "Run = fading_helm:Fading ~ pHelmIvP\n  Run = pHelmIvP ~ pHelmStandby"
    (block,) = re.findall(r"ProcessConfig = pHelmIvP\n\{\n.*?\n\}\n", text, re.DOTALL)
    standby = block.replace("pHelmIvP\n{", "pHelmStandby\n{\n  standby = 2")
    text = text.replace("Run = pHelmIvP", helms) + "\n" + standby
    (tmp_path / "alpha.moos").write_text(text)
    (tmp_path / "alpha.bhv").write_text((ALPHA / "alpha.bhv").read_text())
    (tmp_path / "fading_helm.py").write_text(FADING)
    return tmp_path


@pytest.mark.slow
def test_standby_helm_brings_the_mission_to_its_end(mission: Path) -> None:
    log = mission / "log"
    options = [str(mission), "--until", "MISSION = complete", "--for", "400", "--log", str(log)]
    outcome = run(
        plan_launch(parse_options([*options, "--placement", "one", "--warp", "max"])).plan,
        lambda progress: None,
    )
    assert outcome.exit_reason == "until"
    (file,) = log.rglob("*.alog")
    states: list[tuple[str, float | str]] = []
    for entry in read_entries(file):
        post = (entry.source, entry.value)
        if entry.name == "IVPHELM_STATE" and post not in states:
            states.append(post)
    assert states == [
        ("pHelmIvP", "DRIVE"),
        ("pHelmStandby", "STANDBY"),
        ("pHelmStandby", "DRIVE+"),
        ("pHelmIvP", "DISABLED"),
    ]


@pytest.mark.slow
def test_standby_helm_takes_over_while_the_first_one_is_busy(tmp_path: Path) -> None:
    text = (ALPHA / "alpha.moos").read_text()
    (block,) = re.findall(r"ProcessConfig = pHelmIvP\n\{\n.*?\n\}\n", text, re.DOTALL)
    standby = block.replace("pHelmIvP\n{", "pHelmStandby\n{\n  standby = 2")
    busy = block.replace("alpha.bhv", "busy.bhv")
    assert busy != block
    text = text.replace(block, busy) + "\n" + standby
    text = text.replace("Run = pHelmIvP", "Run = pHelmIvP\n  Run = pHelmIvP ~ pHelmStandby")
    (tmp_path / "alpha.moos").write_text(text)
    behaviors = (ALPHA / "alpha.bhv").read_text()
    (tmp_path / "alpha.bhv").write_text(behaviors)
    burn = "name = busy\n  condition = BUSY = true\n  failure_type = burn,10"
    (tmp_path / "busy.bhv").write_text(
        f"{behaviors}\nBehavior = BHV_TestFailure\n{{\n  {burn}\n}}\n"
    )
    options = [
        str(tmp_path),
        "--for",
        "40",
        "--log",
        str(tmp_path / "log"),
        "--set",
        "@20:BUSY=true",
    ]
    run(
        plan_launch(parse_options([*options, "--placement", "one", "--warp", "max"])).plan,
        lambda progress: None,
    )
    (file,) = (tmp_path / "log").rglob("*.alog")
    states = [entry for entry in read_entries(file) if entry.name == "IVPHELM_STATE"]
    took_over = next(entry.time for entry in states if entry.value == "DRIVE+")
    assert 22.0 < took_over < 24.0
    disabled = next(entry.time for entry in states if entry.value == "DISABLED")
    assert 29.0 < disabled < 31.0
    assert not any(e.source == "pHelmIvP" and 20.5 < e.time < disabled for e in states)
