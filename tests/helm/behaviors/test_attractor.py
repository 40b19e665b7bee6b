"""``BHV_Attractor``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

import pytest
from alone import shows, untested_parameters
from meeting import meet

from steerageway.geometry.encounter import Track, closest_approach, closure

KIND = "BHV_Attractor"
BEN = "contact = ben\n"
NORTH = {"NAV_HEADING": 0.0, "NAV_SPEED": 2.0}


@pytest.mark.slow
@shows(KIND, "patience", "time_on_leg", "cpa_utility_interval")
@pytest.mark.parametrize(
    ("lines", "patience", "horizon", "best", "worst"),
    [
        ("", 0.0, 15, 0, 100),
        ("patience = 40", 0.4, 15, 0, 100),
        ("patience = 100\ntime_on_leg = 30", 1.0, 30, 0, 100),
        ("patience = 50\ncpa_utility_interval = 40,160", 0.5, 15, 40, 160),
    ],
)
def test_it_weighs_haste_against_nearness(lines, patience, horizon, best, worst, alone):
    one = alone(KIND, BEN + lines, **NORTH)
    contact = Track(100, 50, 300, 2)
    meet(one, *contact)
    ways = [Track(0, 0, h, s / 10) for h in range(360) for s in range(41)]
    rates = {way: closure(way, contact) for way in ways}
    low, high = min(rates.values()), max(rates.values())

    def mixed(way):
        cpa = closest_approach(way, contact, horizon).range
        near = min(max((worst - cpa) / (worst - best), 0), 1)
        return (1 - patience) * (rates[way] - low) / (high - low) + patience * near

    values = {way: mixed(way) for way in ways}
    least, most = min(values.values()), max(values.values())
    for course, speed in ((0, 2.0), (63, 4.0), (180, 1.0), (40, 0.5)):
        expected = 100 * (values[Track(0, 0, course, speed)] - least) / (most - least)
        assert one.utility(course=course, speed=speed) == pytest.approx(expected, abs=1e-3)


@shows(KIND, "dist_priority_interval", "strength", "giveup_range")
@pytest.mark.parametrize(
    ("lines", "away", "percent"),
    [
        ("", 50, 200),
        ("dist_priority_interval = 40,80", 20, 50),
        ("dist_priority_interval = 40,80", 50, 125),
        ("dist_priority_interval = 40,80", 90, 200),
        ("dist_priority_interval = 40,80\nstrength = 3", 60, 250),
        ("giveup_range = 60", 61, 0),
    ],
)
def test_it_pulls_more_the_further_off_it_is(lines, away, percent, alone):
    one = alone(KIND, f"{BEN}pwt = 80\n{lines}", **NORTH)
    posts = meet(one, 0, away, 90, 1)
    assert (one.objective.weight if one.objective else 0) == pytest.approx(0.8 * percent)
    assert posts["ATTRACTOR_RANGE_TO_CONTACT"] == away
    assert posts.get("ATTRACTOR_RELEVANCE", 0) == percent


def test_near_to_it_it_takes_its_course_and_speed(alone):
    one = alone(KIND, BEN + "dist_priority_interval = 40,80", **NORTH)
    meet(one, 0, 20, 60, 1.5)
    assert one.decide() == pytest.approx({"course": 60, "speed": 1.5})


def test_a_vessel_that_heads_away_turns_first(alone):
    one = alone(KIND, BEN, **NORTH)
    meet(one, 10, -10, 60, 1.5)
    assert one.decide()["course"] == 135
    assert one.objective.weight == pytest.approx(400)


@shows(KIND, "decay")
def test_it_soon_stops_between_its_reports(alone):
    one = alone(KIND, BEN, **NORTH)
    meet(one, 0, 20, 0, 2)
    one.step(dt=60.0)
    assert one.posted["ATTRACTOR_RANGE_TO_CONTACT"] == 35  # 5 s at full speed, 5 s slowing down


def test_every_parameter_has_a_test():
    assert untested_parameters(KIND) == set()
