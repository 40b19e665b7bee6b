"""missions/hazards: a search for objects on the sea floor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.launcher.mission import Mission
from steerageway.moos.hazard import hazard_lines, parse_hazard

MISSION = Path(__file__).parents[2] / "missions" / "hazards"

pytestmark = pytest.mark.slow


def test_a_perfect_sensor_detects_and_classifies_every_object_in_its_lanes() -> None:
    """Lanes are as far apart as the swath is wide, so that each object is passed."""
    objects = map(parse_hazard, (v for _, v in hazard_lines((MISSION / "hazards.txt").read_text())))
    truth = {one.label: one.is_hazard for one in objects}
    perfect = ["uFldHazardMgr.sensor_pd=1", "uFldHazardSensor.sensor_config=width=11,exp=1,class=1"]
    with Mission(MISSION, config=perfect) as mission:
        mission.register("UHZ_HAZARD_REPORT")
        assert mission.run_until("MISSION = complete", limit=900)
        mission.run_until(mission.time + 1)
        reports = [str(one.value) for one in mission.fetch() if one.name == "UHZ_HAZARD_REPORT"]
        final = str(mission.get("HAZARDSET_REPORT"))
    classified = {text.split("label=")[1].split(",")[0]: "type=hazard" in text for text in reports}
    assert classified == truth
    assert set(re.findall(r"label=(\d+)", final)) == set(truth)
