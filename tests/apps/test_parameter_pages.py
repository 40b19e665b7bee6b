"""The pages about apps tell of every parameter of theirs, with its default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.apps.registry import load

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "contacts.md": ("pContactMgrV20", "pObstacleMgr"),
    "fleets.md": (
        *("uFldNodeComms", "uFldMessageHandler", "uFldCollisionDetect", "uFldCollObDetect"),
        *("uFldPathCheck", "pSpoofNode", "pBasicContactMgr"),
    ),
    "field_apps.md": (
        *("uTimerScript", "uFldObstacleSim", "uFldBeaconRangeSensor", "uFldContactRangeSensor"),
        *("uFldGenericSensor", "pSearchGrid", "pMissionEval", "pMissionHash", "pAutoPoke"),
        *("uLoadWatch", "uFldDelve"),
    ),
    "scenes.md": ("uSceneSensors",),
}
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|", re.MULTILINE)


@pytest.mark.parametrize(
    ("page", "process"), [(page, one) for page, processes in PAGES.items() for one in processes]
)
def test_parameters_of_a_process_are_told_with_their_defaults(page: str, process: str) -> None:
    section = dict(SECTION.findall((DOCS / page).read_text()))[process]
    told = {name: default.strip() for name, default in ROW.findall(section)}
    assert told == {one.name: one.default for one in load(process).parameters}
