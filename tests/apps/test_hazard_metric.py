"""``uFldHazardMetric``: the penalties of reports."""

from __future__ import annotations

import pytest

from steerageway.apps.sensing.hazard_metric import HazardMetric
from steerageway.moos.values import by_key
from tests.apps.parameters import Shown

OBJECTS = """source = actual
region = pts={0,0:0,100:100,100:100,0}
hazard = x=90,y=10,label=01,type=hazard
hazard = x=90,y=50,label=02,type=hazard
hazard = x=10,y=50,label=03,type=benign
hazrd = x=1
"""
BOTH = "source=abe#name=first#x=90,y=10,label=01#x=90,y=50,label=02"
shows = Shown()


@pytest.fixture
def metric(drive, tmp_path):
    (tmp_path / "h.txt").write_text(OBJECTS)
    return lambda block="": drive(HazardMetric, "hazard_file = h.txt\n" + block, folder=tmp_path)


@shows("hazard_file", "penalty_missed_hazard", "penalty_false_alarm")
@pytest.mark.parametrize(
    ("block", "report", "total", "score"),
    [
        ("", BOTH, 0, 100),
        ("", "source=abe#x=90,y=10,label=01", 100, 100 * 110 / 210),
        ("", "source=abe#x=1,y=1,label=03", 210, 0),
        ("", f"{BOTH}#x=10,y=50,label=03", 10, 100 * 200 / 210),
        ("penalty_false_alarm = 50", f"{BOTH}#x=1,y=2,label=03", 50, 80),
        ("penalty_missed_hazard = 20", "source=abe#x=90,y=10,label=01", 20, 60),
    ],
)
def test_a_report_costs_what_it_lacks_and_what_is_no_hazard(metric, block, report, total, score):
    found = metric(block).tick(1.0, {"HAZARDSET_REPORT": report})
    short = by_key(found["HAZARDSET_EVAL_ABE"])
    assert found["HAZARD_SEARCH_SCORE"] == pytest.approx(score)
    assert float(short["total_score"]) == total
    assert short["vname"] == "abe"
    assert found["HAZARDSET_EVAL"] == found["HAZARDSET_EVAL_ABE"]
    assert found["HAZARDSET_EVAL_FULL"].startswith(found["HAZARDSET_EVAL"])
    missed = "label=01,truth=hazard,report=nothing,penalty=100"
    assert (missed in found["HAZARDSET_EVAL_FULL"]) == ("label=01" not in report and not block)


@shows("max_time", "penalty_max_time_over", "penalty_max_time_rate")
@pytest.mark.parametrize(("limit", "cost"), [("60", 50 + 2 * 40), ("0", 0), ("100", 0)])
def test_time_beyond_the_limit_costs(metric, limit, cost):
    one = metric(f"max_time = {limit}\npenalty_max_time_over = 50\npenalty_max_time_rate = 2")
    one.tick(20.0, {"HAZARD_SEARCH_START": "true"})
    found = by_key(one.tick(120.0, {"HAZARDSET_REPORT": BOTH})["HAZARDSET_EVAL"])
    assert float(found["score_time_overage"]) == cost
    assert (found["total_time"], found["max_time"], found["start_time"]) == ("100", limit, "20")


@shows("penalty_nonopt_hazard", "show_xpath")
def test_penalties_and_region_are_announced(metric):
    """The lane to the north with the fewest hazards lies west of both: 0 to 40."""
    one = metric("penalty_nonopt_hazard = 7\nshow_xpath = true")
    (text,) = one.values("UHZ_MISSION_PARAMS")
    assert "penalty_nonopt_hazard=7,penalty_false_alarm=10" in text
    assert text.endswith("search_region=pts={0,0:0,100:100,100:100,0}")
    region, lane = one.values("VIEW_POLYGON")
    assert "label=search_region" in region
    assert lane.startswith("pts={0,0:0,100:40,100:40,0}")
    assert len(metric().values("VIEW_POLYGON")) == 1
    assert [n for n in range(1, 101) if "UHZ_MISSION_PARAMS" in one.tick(n)] == [50, 100]


@pytest.mark.parametrize("report", ["x=1,y=2,label=3", "source=actual#x=1,y=2,label=01"])
def test_a_report_without_a_vessel_is_refused_with_a_warning(metric, report):
    one = metric()
    assert "HAZARDSET_EVAL" not in one.tick(1.0, {"HAZARDSET_REPORT": report})
    assert "expected source=NAME" in str(list(one.app.run_warnings))
    assert "hazrd" in one.app.config.warnings[0]


def test_every_parameter_has_a_test():
    assert {one.name for one in HazardMetric.parameters} == shows.names
