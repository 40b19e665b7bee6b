"""The page about the field's smaller apps tells of every parameter of theirs, with its default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.registry import load

PAGE = (Path(__file__).parents[2] / "docs" / "field_apps.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|", re.MULTILINE)


PROCESSES = (
    *("uFldObstacleSim", "uFldBeaconRangeSensor", "uFldContactRangeSensor", "uFldGenericSensor"),
    *("pSearchGrid", "pMissionEval", "pMissionHash", "pAutoPoke", "uLoadWatch", "uFldDelve"),
)


@pytest.mark.parametrize("process", PROCESSES)
def test_parameters_of_a_process_are_told_with_their_defaults(process: str) -> None:
    told = {name: default.strip() for name, default in ROW.findall(SECTIONS[process])}
    assert told == {one.name: one.default for one in load(process).parameters}
