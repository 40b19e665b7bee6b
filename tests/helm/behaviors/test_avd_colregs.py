"""``BHV_AvdColregsV22``: rules by the geometry of the encounter; each parameter's effect."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest
from alone import shows, untested_parameters
from meeting import meet

from steerageway.geometry.encounter import Motion, Track, closest_approach, seen_from
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.avd_colregs.encounter import TurnRate, encounter
from steerageway.helm.behaviors.avd_colregs.modes import INDEX, NONE, Limits, next_mode
from steerageway.helm.build import file_warnings
from steerageway.helm.kinds import Kinds
from steerageway.moos.bhv import parse_behaviors
from steerageway.moos.errors import FormatError

KIND = "BHV_AvdColregsV22"
WIDE = "pwt_inner_dist = 100\npwt_outer_dist = 200\ncompleted_dist = 500\n"
USUAL = f"contact = ben\npost_per_contact_info = true\nmax_util_cpa_dist = 40\n{WIDE}"
NORTH = {"NAV_HEADING": 0.0, "NAV_SPEED": 2.0}


def at(beta: float, away: float) -> tuple[float, float]:
    """Return the place of a contact that a northbound ownship at (0, 0) sees there."""
    return away * sin(radians(beta)), away * cos(radians(beta))


def mode(one: Any) -> str:
    """Return the mode and submode that were posted last."""
    return str(one.posted["COLREGS_AVOID_MODE_BEN"])


@pytest.fixture
def northbound(alone):
    """Return a behavior of a vessel that goes north at 2 m/s from (0, 0)."""
    return lambda lines="": alone(KIND, USUAL + lines, **NORTH)


ENTRIES = [
    # contact's bearing, range, heading, speed -> mode
    (0, 150, 180, 2, "headon"),
    (11, 150, 180, 2, "headon"),
    (13, 150, 180, 2, "cpa"),  # it will pass starboard to starboard
    (349, 150, 180, 2, "headon"),
    (0, 250, 180, 2, "headon"),  # from twice the outer distance on
    (0, 150, 0, 1, "overtaking:port"),
    (10, 150, 0, 1, "overtaking:port"),
    (350, 150, 0, 1, "overtaking:starboard"),
    (60, 150, 290, 2.5, "giveway:stern"),
    (45, 190, 270, 0.5, "giveway:bow"),
    (300, 150, 70, 2, "standon:stern"),
    (315, 150, 90, 2, "standon:unsure"),
    (305, 150, 90, 6, "standon:bow"),
    (305, 150, 90, 4.5, "standon:unsure_bow"),
    (305, 150, 90, 4, "standon:unsure"),
    (320, 150, 90, 1, "standon:stern"),
    (315, 38, 90, 2, "standon:inextremis"),
    (255, 190, 70, 2.0, "standon:stern"),
    (185, 150, 0, 3, "standon_ot:port"),
    (175, 150, 0, 3, "standon_ot:starboard"),
    (180, 38, 0, 3, "standon_ot:inextremis"),
    (170, 150, 0, 1, "cpa"),  # it falls astern
    (90, 150, 5, 2, "cpa"),  # alongside, opening
    (0, 450, 180, 2, "none"),
]


@pytest.mark.parametrize(("beta", "away", "heading", "speed", "expected"), ENTRIES)
def test_the_geometry_of_the_encounter_determines_the_rule(
    beta, away, heading, speed, expected, northbound
):
    one = northbound()
    meet(one, *at(beta, away), heading, speed)
    assert mode(one) == expected
    full = expected if ":" in expected else f"{expected}:none"
    assert one.posted["COLREGS_SUMMARY_BEN"] == f"mode={full}"
    assert one.posted["COL22_AVOID_MODE_BEN"] == full.partition(":")[0]
    assert one.posted["COLREGS_AVOID_IX_BEN"] == INDEX[expected]


@pytest.mark.parametrize(
    ("beta", "fore", "port"), [(10, 1, 0), (100, 0, 0), (200, 0, 1), (300, 1, 1)]
)
def test_it_reports_position_and_heading_of_the_contact(beta, fore, port, northbound):
    one = northbound()
    meet(one, *at(beta, 150), 77, 1)
    posted = [one.posted[f"{name}_BEN"] for name in ("CN_FORE_OF_OS", "CN_PORT_OF_OS_")]
    assert posted == [fore, port]
    assert one.posted["COLREGS_CONTACT_HDG_BEN"] == 77


def test_giving_way_begins_with_how_far_ahead_it_crosses(northbound):
    """Ownship needs 190 sin 45 / 2 s to the line of the contact, which then is nearer by half."""
    one = northbound()
    meet(one, *at(45, 190), 270, 0.5)
    abeam = 190 * sin(radians(45))
    assert one.posted["XCN_BOW_DIST_BEN"] == pytest.approx(abeam - 0.5 * abeam / 2)
    assert one.posted["XCN_BOW_TURN_GAP_BEN"] == pytest.approx(abeam)
    one = northbound()
    meet(one, *at(60, 150), 290, 2.5)
    assert one.posted["XCN_BOW_DIST_BEN"] == -1
    assert "XCN_BOW_TURN_GAP_BEN" not in one.posted


def test_a_completed_behavior_says_so(northbound):
    """BHV_AvdColregsV22::onCompleteState of MOOS-IvP."""
    one = northbound()
    meet(one, 0, 100, 180, 1)
    for _ in range(2):
        meet(one, 0, 600, 180, 1)
    assert mode(one) == "complete"
    assert one.posted["COLREGS_SUMMARY_BEN"] == "mode=complete:none"


def test_macros_contain_the_mode(northbound):
    one = northbound("runxflag = RULE = $[MODE]/$[SUBMODE]")
    meet(one, *at(60, 150), 290, 2.5)
    assert meet(one, *at(60, 149), 290, 2.5)["RULE"] == "giveway/stern"


def test_the_moos_ivp_macros_contain_mode_number_and_weight(northbound):
    macros = "$[AVD_MODE] $[AVD_SMODE] $[FULL_MODE] $[MODE_ID] $[APWT]"
    one = northbound(f"runxflag = RULE = {macros}\npwt = 150\npost_per_contact_info = true")
    meet(one, *at(5, 50), 185, 2)
    posted = meet(one, *at(5, 49), 185, 2)
    assert posted["RULE"] == f"headon none headon:none {INDEX['headon']} 150"
    assert (one.posted["COLREGS_AVOID_IX_BEN"], one.posted["COLREGS_AVOID_PWT_BEN"]) == (10, 150)


@pytest.mark.parametrize(
    ("beta", "turn", "expected"),
    [
        (355, -1, "bow"), (355, 0, "unsure_bow"), (330, 2, "bow"), (330, 4, "unsure_bow"),
        (300, 0, "bow"), (300, 1, "unsure_bow"), (260, 0, "unsure_bow"), (260, 1, "unsure"),
    ],
)  # fmt: skip
def test_a_contact_that_turns_away_from_the_bow_is_expected_there(beta, turn, expected):
    limits = Limits(200, 10, 40)
    met = encounter(Track(0, 0, 0, 2), Track(*at(beta, 150), 90, 9), 120, turn)
    contact = Motion(25, -30, 0, 3) if expected != "none" else None
    met = met._replace(of_contact=contact, beta=beta, alpha=90, closing=1, cpa=20)
    assert next_mode(NONE, met, limits).submode == expected
    unknown = next_mode(NONE, met._replace(turn_rate=None), limits).submode
    assert unknown == ("unsure" if beta < 270 else "unsure_bow")


def test_the_turn_rate_of_a_contact_is_that_of_five_seconds():
    rate = TurnRate()
    assert [rate.of(heading, time) for time, heading in ((0, 350), (2, 354), (3.9, 0))] == [
        None
    ] * 3
    assert rate.of(2, 4) == pytest.approx(3)
    assert rate.of(2, 8) == pytest.approx(2 / 4.1)


RELEASES = [
    # entry, then: contact's bearing, range, heading, speed -> mode
    ((0, 150, 180, 2), (180, 30, 180, 2), "cpa"),  # opening
    ((0, 150, 180, 2), (30, 60, 160, 2), "cpa"),  # starboard to starboard
    ((0, 150, 0, 1), (190, 30, 0, 1), "cpa"),  # it is astern now
    ((180, 150, 0, 3), (80, 30, 0, 3), "cpa"),  # it has drawn ahead of the beam
    ((60, 150, 290, 1.5), (300, 40, 290, 1.5), "cpa"),  # ownship passed its stern
    ((300, 150, 70, 2), (60, 40, 70, 2), "cpa"),  # it has crossed
    ((300, 150, 70, 2), (300, 250, 70, 2), "none"),  # too far for any rule
    ((60, 150, 290, 1.5), (300, 250, 110, 1.5), "none"),
    # MOOS-IvP's rate_of_closure() < 0 releases, and 0 of a contact in company does not
    ((180, 150, 0, 3), (200, 30, 0, 2), "standon_ot:port"),
    ((0, 150, 0, 1), (10, 30, 0, 2), "overtaking:port"),
]


@pytest.mark.parametrize(("entry", "then", "expected"), RELEASES)
def test_a_rule_is_released(entry, then, expected, northbound):
    one = northbound()
    meet(one, *at(*entry[:2]), *entry[2:])
    assert mode(one) not in ("none", "cpa")
    meet(one, *at(*then[:2]), *then[2:])
    assert mode(one) == expected


def test_a_rule_stays_active_where_another_would_begin(northbound):
    one = northbound()
    meet(one, *at(60, 150), 290, 2.5)
    meet(one, *at(357, 100), 180, 1.5)
    assert mode(one) == "giveway:stern"
    fresh = northbound()
    meet(fresh, *at(357, 100), 180, 1.5)
    assert mode(fresh) == "headon"


def test_side_of_overtaking_changes_only_when_the_contact_is_well_over(northbound):
    one = northbound()
    meet(one, *at(3, 100), 0, 1)
    assert mode(one) == "overtaking:port"
    meet(one, *at(356, 90), 0, 1)
    assert mode(one) == "overtaking:port"
    meet(one, *at(354, 80), 0, 1)
    assert mode(one) == "overtaking:starboard"


def test_every_mode_has_its_own_number():
    assert len(set(INDEX.values())) == len(INDEX)


def test_head_on_turns_to_starboard_and_never_to_port(northbound):
    one = northbound()
    meet(one, 0, 120, 180, 2)
    assert 0 < one.decide()["course"] <= 120
    assert one.utility(course=340, speed=2) == 0
    assert one.utility(course=30, speed=2) > 0


def test_giving_way_passes_astern(northbound):
    one = northbound()
    meet(one, *at(60, 120), 290, 2.5)
    best = one.decide()
    passed = seen_from(Track(*at(60, 120), 290, 2.5), Track(0, 0, best["course"], best["speed"]))
    assert passed.crossing is None or passed.crossing <= 0
    assert one.utility(course=350, speed=4) == 0  # ahead of it


def test_giving_way_ahead_does_not_fall_behind(northbound):
    one = northbound()
    meet(one, *at(45, 180), 270, 0.5)
    assert mode(one) == "giveway:bow"
    assert one.utility(course=120, speed=2) == 0
    assert one.utility(course=0, speed=2) > 0


def test_standing_on_keeps_the_initial_course_and_speed(northbound):
    one = northbound()
    meet(one, *at(300, 150), 70, 2)
    meet(one, *at(300, 140), 70, 2, nav={"NAV_HEADING": 10.0, "NAV_SPEED": 2.5})
    assert one.decide() == {"course": 0.0, "speed": 2.0}
    assert one.utility(course=20, speed=2) == pytest.approx(50 + 50 * 0.25)


def test_in_extremis_ranges_count(northbound):
    one = northbound()
    contact = (*at(315, 38), 90, 2)
    meet(one, *contact)
    best = one.decide()
    own = Track(0, 0, best["course"], best["speed"])
    assert closest_approach(own, Track(*contact), 120).range > 20
    assert one.utility(course=0, speed=2) == 0


@pytest.mark.parametrize(("beta", "good", "bad"), [(5, 340, 25), (355, 20, 335)])
def test_overtaking_keeps_to_its_side(beta, good, bad, northbound):
    one = northbound()
    meet(one, *at(beta, 60), 0, 0.5)
    assert one.utility(course=good, speed=2) > 0
    assert one.utility(course=bad, speed=2) == 0


def test_without_a_rule_ranges_have_the_utility_of_collision_avoidance(northbound):
    one = northbound()
    contact = Track(*at(170, 150), 0, 1)
    meet(one, *contact)
    for course in (0, 90, 170, 180):
        away = closest_approach(Track(0, 0, course, 2), contact, 120).range
        utility = 0 if away < 10 else min(25 + 75 * (away - 10) / 30, 100)
        assert one.utility(course=course, speed=2) == pytest.approx(utility, abs=1e-4)


@shows(KIND, "pwt_inner_dist", "pwt_outer_dist", "pwt_grade")
@pytest.mark.parametrize(
    ("lines", "away", "share"),
    [
        ("", 95, 0.5),
        ("", 80, 1.0),
        ("pwt_grade = quadratic", 95, 0.25),
        ("pwt_inner_dist = 50", 75, 0.5),
        ("pwt_outer_dist = 190\npwt_inner_dist = 100", 145, 0.5),
    ],
)
def test_its_weight_grows_as_the_contact_comes_near(lines, away, share, alone):
    one = alone(KIND, f"contact = ben\npwt = 80\n{lines}", **NORTH)
    meet(one, 0, away, 180, 1)
    assert one.objective.weight == pytest.approx(80 * share)


@shows(KIND, "completed_dist")
@pytest.mark.parametrize(("line", "limit"), [("", 110), ("completed_dist = 300", 330)])
def test_it_completes_beyond_the_completed_distance(line, limit, alone):
    one = alone(KIND, f"contact = ben\n{line}\nendflag = OVER = true", **NORTH)
    assert "OVER" not in meet(one, 0, limit - 1)
    assert meet(one, 0, limit + 1)["OVER"] == "true"


@pytest.mark.parametrize(
    ("lines", "bounds"),
    [
        ("pwt_outer_dist = 190", (90, 190, 190)),
        ("pwt_inner_dist = 190", (190, 190, 190)),
        ("completed_dist = 60", (60, 60, 60)),
        ("pwt_inner_dist = 40\ncompleted_dist = 60", (40, 60, 60)),
        ("pwt_outer_dist = 190\ncompleted_dist = 300", (90, 190, 300)),
    ],
)
def test_it_does_not_complete_where_it_still_has_weight(lines, bounds, alone):
    s = alone(KIND, f"contact = ben\n{lines}").behavior.settings
    assert (s.pwt_inner_dist, s.pwt_outer_dist, s.completed_dist) == bounds


def test_a_completed_distance_below_the_others_lowers_them(alone):
    one = alone(
        KIND, "contact = ben\npwt_inner_dist = 150\npwt_outer_dist = 190\ncompleted_dist = 100"
    )
    s = one.behavior.settings
    assert (s.pwt_inner_dist, s.pwt_outer_dist, s.completed_dist) == (100, 100, 100)


@pytest.mark.parametrize(
    ("kind", "lines", "distances"),
    [
        (KIND, "pwt_inner_dist = 90; pwt_outer_dist = 80", (80, 80)),
        (KIND, "pwt_outer_dist = 80; pwt_inner_dist = 90", (90, 90)),
        ("BHV_AvoidCollision", "active_outer_distance = 80; pwt_inner_dist = 90", (90, 90)),
        ("BHV_AvoidCollision", "max_util_cpa_dist = 5; min_util_cpa_dist = 8", (8, 8)),
        ("BHV_CutRange", "pwt_inner_dist = 90; pwt_outer_dist = 80", (80, 80)),
    ],
)
def test_of_two_contradictory_distances_the_later_holds_with_a_warning(
    kind, lines, distances, alone
):
    """MOOS-IvP's functions setMinPartOfPairOnString and setMaxPartOfPairOnString."""
    text = "contact = ben\n" + lines.replace("; ", "\n")
    behavior = alone(kind, text).behavior
    names = ("pwt_inner_dist", "pwt_outer_dist")
    names = ("min_util_cpa_dist", "max_util_cpa_dist") if "cpa" in lines else names
    assert tuple(getattr(behavior.settings, name) for name in names) == distances
    [block] = parse_behaviors(f"Behavior = {kind}\n{{\n{text}\n}}\n", "x.bhv").behaviors
    [warning] = [str(one) for one in file_warnings([block], Kinds()) if "contra" in str(one)]
    first, last = (line.split(" = ")[1] for line in lines.split("; "))
    assert warning.startswith(f"x.bhv:5: {lines.split('; ')[1]}: contradicts ")
    assert warning.endswith(f" = {first}, which becomes {last}, as in MOOS-IvP")


@shows(KIND, "min_util_cpa_dist", "max_util_cpa_dist")
@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("", "standon:bow"),
        ("max_util_cpa_dist = 60", "standon:unsure_bow"),
        ("min_util_cpa_dist = 60\nmax_util_cpa_dist = 160", "standon:inextremis"),
    ],
)
def test_the_near_distance_determines_the_certainty(lines, expected, northbound):
    one = northbound(lines)
    meet(one, *at(305, 150), 90, 6)
    assert mode(one) == expected


@shows(KIND, "headon_only")
def test_it_may_apply_rule_14_only_and_still_keeps_clear_of_others(northbound):
    one = northbound("headon_only = true")
    contact = Track(*at(60, 150), 290, 1.5)
    meet(one, *contact)
    assert mode(one) == "cpa"
    best = one.decide()
    own = Track(0, 0, best["course"], best["speed"])
    assert closest_approach(own, contact, 120).range >= 40
    meet(one, *at(0, 150), 180, 1.5)
    assert mode(one) == "headon"
    meet(one, *at(180, 90), 180, 1.5)
    assert mode(one) == "cpa"


@shows(KIND, "giveway_bow_dist")
@pytest.mark.parametrize(
    ("line", "expected"),
    [("", "giveway:stern"), ("giveway_bow_dist = 20", "giveway:bow")],
)
def test_a_vessel_far_enough_ahead_crosses_ahead(line, expected, northbound):
    one = northbound(line)
    contact = (*at(45, 150), 270, 1.5)
    crossing = seen_from(Track(*contact), Track(0, 0, 0, 2)).crossing
    assert crossing is not None
    assert 20 < crossing < (2 * 40 + 10) / 3
    meet(one, *contact)
    assert mode(one) == expected


@shows(KIND, "turn_radius")
@pytest.mark.parametrize(
    ("line", "expected"), [("", "giveway:stern"), ("turn_radius = 40", "giveway:bow")]
)
def test_a_vessel_that_cannot_turn_to_the_stern_crosses_ahead(line, expected, northbound):
    one = northbound(line)
    meet(one, *at(75, 40), 290, 1.5)
    assert mode(one) == expected


def test_a_vessel_giving_way_keeps_its_side(northbound):
    ahead, astern = (*at(45, 150), 270, 0.5), (*at(60, 120), 290, 2.5)
    for first, then, kept in ((ahead, astern, "bow"), (astern, ahead, "stern")):
        one = northbound()
        meet(one, *first)
        meet(one, *then)
        assert mode(one) == f"giveway:{kept}"
        meet(one, *at(180, 90), 180, 2)
        meet(one, *then)
        assert mode(one) != f"giveway:{kept}"


def test_a_vessel_on_the_same_way_without_crossing_does_not_fall_behind(northbound):
    one = northbound()
    contact = (*at(110, 9), 40, 2)
    assert seen_from(Track(*contact), Track(0, 0, 0, 2)).crossing is None
    meet(one, *contact)
    assert mode(one) == "giveway:bow"
    assert one.utility(course=0, speed=2) > 0


@shows(KIND, "eval_tol")
@pytest.mark.parametrize(("line", "free"), [("", False), ("eval_tol = 10", True)])
def test_eval_tol_limits_how_far_ahead_one_looks(line, free, northbound):
    one = northbound(line)
    meet(one, *at(90, 100), 90, 0)
    assert (one.utility(course=90, speed=2) > 0) == free


@shows(KIND, "velocity_filter")
@pytest.mark.parametrize(
    ("own", "other", "share"),
    [(0.2, 0.1, 0.4), (0.5, 0.2, 0.4), (1.0, 0.0, 0.7), (0.2, 1.0, 0.7), (0.5, 1.5, 1), (3, 1, 1)],
)
def test_slow_vessels_may_keep_off_less(own, other, share, northbound):
    lines = "min_util_cpa_dist = 40\nmax_util_cpa_dist = 56\neval_tol = 300\n"
    one = northbound(lines + "velocity_filter = min_spd=0.5,max_spd=1.5,pct=40")
    contact = Track(*at(170, 60), 170, other)  # it goes away
    meet(one, *contact, nav={"NAV_SPEED": own})
    assert mode(one) == "cpa"
    assert one.objective.weight == 100
    least, enough = 40 * share, 56 * share
    for course in (194, 214, 240):
        away = closest_approach(Track(0, 0, course, 4), contact, 300).range
        utility = 0 if away < least else min(25 + 75 * (away - least) / (enough - least), 100)
        assert one.utility(course=course, speed=4) == pytest.approx(utility, abs=1e-3)


@shows(KIND, "pts_port_turns_ok")
@pytest.mark.parametrize(("line", "allowed"), [("", True), ("pts_port_turns_ok = false", False)])
def test_a_turn_to_port_that_passes_astern_may_be_refused(line, allowed, northbound):
    one = northbound(line)
    meet(one, 10, 59, 270, 3)
    assert mode(one) == "giveway:stern"
    assert seen_from(Track(10, 59, 270, 3), Track(0, 0, 350, 2)).crossing == pytest.approx(
        -69, abs=1
    )
    assert (one.utility(course=350, speed=2) > 0) == allowed
    assert one.utility(course=10, speed=2) > 0


@shows(KIND, "no_alert_request", "use_refinery", "can_disable")
def test_features_shared_by_contact_behaviors_are_available(northbound):
    one = northbound("no_alert_request = true\nuse_refinery = true")
    assert "BCM_ALERT_REQUEST" not in one.behavior.publishes(one.behavior.settings)


def test_moos_ivp_names_load_it():
    kinds = {BEHAVIORS[f"BHV_AvdColregs{version}"] for version in ("", "V17", "V19", "V22", "V26")}
    assert len(kinds) == 1


@pytest.mark.parametrize(
    "text", ["min_spd=1", "min_spd=2,max_spd=1,pct=40", "min_spd=0,max_spd=1,pct=140"]
)
def test_an_invalid_velocity_filter_is_refused(text, northbound):
    with pytest.raises(FormatError, match="expected"):
        northbound(f"velocity_filter = {text}")


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()
