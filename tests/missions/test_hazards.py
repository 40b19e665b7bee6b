"""missions/hazards and missions/rescue: searches, with a referee."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steerageway.launcher.mission import Mission
from steerageway.moos.hazard import parse_hazard
from steerageway.moos.lines import keyed_lines

MISSION = Path(__file__).parents[2] / "missions" / "hazards"
RESCUE = MISSION.with_name("rescue")

pytestmark = pytest.mark.slow


def test_a_perfect_sensor_detects_and_classifies_every_object_in_its_lanes() -> None:
    """Lanes are as far apart as the swath is wide, so that each object is passed."""
    lines = keyed_lines((MISSION / "hazards.txt").read_text())
    objects = [parse_hazard(value) for _, _, value in lines]
    truth = {one.label: one.is_hazard for one in objects}
    perfect = ["uFldHazardMgr.sensor_pd=1", "uFldHazardSensor.sensor_config=width=11,exp=1,class=1"]
    perfect.append("uFldHazardMetric.max_time=0")
    with Mission(MISSION, config=perfect) as mission:
        mission.register("UHZ_HAZARD_REPORT")
        assert mission.run_until("MISSION = complete", limit=900)
        mission.run_until(mission.time + 1)
        reports = [str(one.value) for one in mission.fetch() if one.name == "UHZ_HAZARD_REPORT"]
        final = str(mission.get("HAZARDSET_REPORT"))
        score = mission.get("HAZARD_SEARCH_SCORE")
    classified = {text.split("label=")[1].split(",")[0]: "type=hazard" in text for text in reports}
    assert classified == truth
    assert set(re.findall(r"label=(\d+)", final)) == set(truth)
    # Two benign objects among five, all reported: 70 of a possible 370 are lost.
    assert score == pytest.approx(100 * (1 - 70 / 370))


def test_a_rescue_ends_when_every_swimmer_is_rescued() -> None:
    with Mission(RESCUE) as mission:
        mission.register("RESCUED_SWIMMER", "SCOUTED_SWIMMER_CAL", "NAV_X", "NAV_Y")
        assert mission.run_until("UFRM_FINISHED = true", limit=1200)
        mail = list(mission.fetch())
    rescued = [str(one.value) for one in mail if one.name == "RESCUED_SWIMMER"]
    found = [str(one.value) for one in mail if one.name == "SCOUTED_SWIMMER_CAL"]
    assert len({text.split(",")[0] for text in rescued}) == len(rescued) == 3 + len(found)
    assert all(text.endswith("finder=abe") for text in rescued)
    assert mission.get("UFRM_WINNER") == "abe"
