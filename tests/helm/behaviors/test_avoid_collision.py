"""``BHV_AvoidCollision``: the effect of each of its parameters."""

from __future__ import annotations

import numpy as np
import pytest
from alone import DEEP, shows, untested_parameters
from meeting import meet

from steerageway.geometry.encounter import Track, closest_approach
from steerageway.helm.behavior_set import AbleFilters
from steerageway.helm.behaviors.contact import utility
from steerageway.helm.behaviors.contact.approach import courses

KIND = "BHV_AvoidCollision"
BEN = "contact = ben\n"


def test_the_utility_of_a_course_follows_from_its_closest_approach(alone):
    one = alone(KIND, BEN, NAV_HEADING=0.0, NAV_SPEED=2.0)
    meet(one, 40, 100, 270, 1.5)
    for course in range(0, 360, 15):
        for speed in (0.0, 1.0, 2.5, 4.0):
            ranges = closest_approach(
                Track(0, 0, course, speed), Track(40, 100, 270, 1.5), 120
            ).range
            utility = 0 if ranges < 10 else min(25 + 75 * (ranges - 10) / 65, 100)
            assert one.utility(course=course, speed=speed) == pytest.approx(utility, abs=1e-4)


def test_utilities_of_some_courses_equal_those_of_all(alone):
    one = alone(KIND, BEN, NAV_HEADING=0.0, NAV_SPEED=2.0)
    grid, summits = courses(one.behavior.world.domain), 0
    for step in range(60):  # it passes close by, then is too far away to be met
        here, ben = Track(0, 0, 0, 2.0), Track(60 - 5 * step, 40 - step, 265, 1.5)
        meet(one, *ben)
        if one.objective is None:
            continue
        ranges = grid.closest(here, ben, 120)
        least = utility.least_range(float(np.hypot(ben.x, ben.y)), 10)
        whole = utility.stretched(utility.of_ranges(ranges, least, 75))
        table, gain, shift = one.objective.terms["course", "speed"]
        assert (gain, shift) == (1.0, 0.0)
        some = np.array([3, 200, 77])
        assert np.array_equal(table.rows(some), whole[some])
        assert (table.least, table.greatest) == (whole.min(), whole.max())
        assert np.array_equal(table.values, whole)
        for point in list(np.ndindex(table.shape))[::301]:
            if table.summit_at(point):
                assert whole[point] == pytest.approx(whole.max(), rel=1e-14)
                summits += 1
    assert summits > 100


@shows(KIND, "pwt_inner_dist", "pwt_outer_dist", "pwt_grade")
@pytest.mark.parametrize(
    ("lines", "away", "share"),
    [
        ("", 199, (1 / 150) ** 1.5),
        ("", 125, 0.5**1.5),
        ("", 50, 1.0),
        ("", 5, 1.0),
        ("pwt_grade = linear", 125, 0.5),
        ("pwt_grade = quadratic", 125, 0.25),
        ("pwt_inner_dist = 130", 125, 1.0),
        ("pwt_outer_dist = 150\npwt_grade = linear", 125, 0.25),
    ],
)
def test_its_weight_grows_as_the_contact_comes_near(lines, away, share, alone):
    one = alone(KIND, f"{BEN}pwt = 80\n{lines}")
    meet(one, 0, away, 180, 1)
    assert one.objective.weight == pytest.approx(80 * share)


@shows(KIND, "pwt_outer_dist")
def test_it_has_no_weight_beyond_the_outer_distance(alone):
    one = alone(KIND, BEN)
    meet(one, 0, 200)
    assert one.objective is None


@shows(KIND, "completed_dist")
@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("", 550),
        ("completed_dist = 300", 330),
        ("pwt_outer_dist = 600", 660),
        # as measured in MOOS-IvP's m2_berta_pwt, which avoids from 37 to 45 m
        ("pwt_outer_dist = 120\ncompleted_dist = 40", 44),
    ],
)
def test_it_completes_beyond_the_completed_distance(line, limit, alone):
    one = alone(KIND, f"{BEN}{line}\nendflag = OVER = true")
    assert "OVER" not in meet(one, 0, limit - 1)
    assert meet(one, 0, limit + 1)["OVER"] == "true"


def test_it_is_alerted_where_it_does_not_complete_at_once(alone):
    one = alone(KIND, "updates = NEAR\npwt_outer_dist = 120\ncompleted_dist = 40")
    one.behavior.on_helm_start()
    one.step()
    assert "alert_range=40,cpa_range=40" in one.posted["BCM_ALERT_REQUEST"]


@shows(KIND, "min_util_cpa_dist", "max_util_cpa_dist")
@pytest.mark.parametrize(
    ("lines", "utility"),
    [("", 25 + 75 * 20 / 65), ("min_util_cpa_dist = 31", 0), ("max_util_cpa_dist = 30", 100)],
)
def test_utility_of_ranges_follows_from_the_minimum_and_the_desired_one(lines, utility, alone):
    one = alone(KIND, BEN + lines)
    meet(one, 30, 90)
    assert one.utility(course=0, speed=4) == pytest.approx(utility, abs=1e-3)


def test_within_the_minimum_range_half_of_the_remaining_range_is_the_limit(alone):
    one = alone(KIND, BEN)
    meet(one, 0, 8)
    assert one.utility(course=0, speed=4) == 0
    assert one.utility(course=180, speed=4) > 0


@shows(KIND, "time_on_leg")
def test_it_looks_two_minutes_ahead(alone):
    one, short = alone(KIND, BEN), alone(KIND, BEN + "time_on_leg = 60")
    for behavior in (one, short):
        meet(behavior, 0, 190)
    assert one.utility(course=0, speed=1.6) == 0
    assert short.utility(course=0, speed=1.6) == pytest.approx(100)


@shows(KIND, "collision_depth")
@pytest.mark.parametrize(("line", "has_say"), [("", True), ("collision_depth = 20", False)])
def test_it_may_have_zero_weight_at_depth(line, has_say, alone):
    one = alone(KIND, BEN + line, domain=DEEP, NAV_DEPTH=30.0)
    meet(one, 0, 60)
    assert (one.objective is not None) == has_say


@shows(KIND, "no_alert_request")
def test_it_requests_alerts_when_the_helm_starts(alone):
    lines = "updates = NEAR\nmatch_type = kayak:auv\nignore_region = 0,0:9,0:9,9\n"
    asking = alone(KIND, lines)
    asking.behavior.on_helm_start()
    asking.step()
    assert asking.posted["BCM_ALERT_REQUEST"] == (
        "id=b,on_flag=NEAR=name=$[VNAME] # contact=$[VNAME],alert_range=200,cpa_range=500"
        ",match_type=kayak:auv,ignore_region=pts={0,0:9,0:9,9}"
    )
    silent = alone(KIND, lines + "no_alert_request = true")
    silent.behavior.on_helm_start()
    silent.step()
    assert "BCM_ALERT_REQUEST" not in silent.posted


@shows(KIND, "can_disable")
@pytest.mark.parametrize(("line", "obeys"), [("", False), ("can_disable = true", True)])
def test_it_may_be_switched_off_by_its_contact(line, obeys, alone):
    one = alone(KIND, BEN + line)
    meet(one, 0, 60, vsource="ais")
    AbleFilters().apply("action=disable,contact=BEN,vsource=ais", [one.behavior])
    one.step()
    assert (one.objective is None) == obeys


def test_one_that_was_spawned_leaves_with_its_contact(alone):
    for line, leaves in (("", False), ("templating = clone\nupdates = NEAR\n", True)):
        one = alone(KIND, BEN + line)
        one.step()
        assert not one.behavior.completed
        meet(one, 0, 60)
        one.world.ledger.forget("ben")
        one.step()
        assert one.behavior.completed == leaves


@shows(KIND, "use_refinery")
def test_a_refinery_is_accepted_and_changes_nothing(alone):
    plain, refined = alone(KIND, BEN), alone(KIND, BEN + "use_refinery = true")
    assert meet(plain, 20, 60, 200, 1) == meet(refined, 20, 60, 200, 1)
    assert plain.utility(course=10, speed=2) == refined.utility(course=10, speed=2)


def test_it_reports_the_contact(alone):
    posted = meet(alone(KIND, BEN), 0, 125, 180, 1)
    assert posted["AVD_STATUS"] == "avoiding"
    assert posted["AVD_DEBUG"] == "contact=ben,range=125,cpa=5,relevance=0.354"
    assert meet(alone(KIND, BEN), 0, 300, 0, 1)["AVD_STATUS"] == "clear"


def test_helm_turns_away_from_a_contact_in_the_way(alone):
    one = alone(KIND, BEN)
    meet(one, 0, 60)
    best = one.decide()
    assert one.utility(**best) == 100
    assert one.utility(course=0, speed=2) == 0


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()
