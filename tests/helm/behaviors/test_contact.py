"""Common parameters of contact behaviors, tested with ``BHV_AvoidCollision``."""

from __future__ import annotations

from dataclasses import fields

import pytest
from meeting import meet

from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.base import BehaviorError
from steerageway.helm.behaviors.contact.base import ContactBehavior
from steerageway.helm.behaviors.contact.settings import ContactSettings
from steerageway.helm.settings import CommonSettings
from steerageway.moos.errors import FormatError
from tests.apps.parameters import Shown

KIND = "BHV_AvoidCollision"
ABOUT_ANOTHER = [kind for kind, made in BEHAVIORS.items() if issubclass(made, ContactBehavior)]
BEN = "contact = ben\n"
shared = Shown()


@shared("contact")
def test_a_behavior_looks_at_its_contact_in_any_case_and_at_no_other(alone):
    assert meet(alone(KIND, "contact = BEN"), 0, 60)
    other = alone(KIND, "contact = carl")
    meet(other, 0, 60)
    assert other.objective is None


@shared("on_no_contact_ok")
def test_an_unknown_contact_is_an_error_only_if_configured(alone):
    fine = alone(KIND, BEN)
    fine.step()
    assert fine.objective is None
    with pytest.raises(BehaviorError, match="contact ben is not known"):
        alone(KIND, BEN + "on_no_contact_ok = false").step()


@shared("extrapolate")
@pytest.mark.parametrize(("line", "away"), [("", 40.0), ("extrapolate = false\n", 60.0)])
def test_a_contact_moves_on_between_its_reports(line, away, alone):
    one = alone(KIND, BEN + line)
    meet(one, 0, 60, 180, 2)
    one.step(dt=10.0)
    assert one.behavior.range == pytest.approx(away)


@shared("decay")
@pytest.mark.parametrize(
    ("line", "moved"), [("", 15 + 7.5), ("decay = 2,4\n", 3.0), ("decay = off\n", 100.0)]
)
def test_a_silent_contact_loses_its_speed(line, moved, alone):
    one = alone(KIND, BEN + line)
    meet(one, 0, 60, 0, 1)
    one.step(dt=100.0)
    assert one.behavior.range == pytest.approx(60 + moved)


@shared("decay_end")
@pytest.mark.parametrize(
    ("lines", "decay"),
    [
        ("decay_end = 60", (15, 60)),
        ("decay_end = 10", (10, 10)),
        ("decay = 30,60\ndecay_end = 40", (30, 40)),
        ("decay = off\ndecay_end = 20", (20, 20)),
    ],
)
def test_the_end_of_its_decay_can_be_set_alone(lines, decay, alone):
    assert alone(KIND, BEN + lines).behavior.settings.decay == decay


@pytest.mark.parametrize(
    ("lines", "bounds"),
    [
        ("pwt_outer_dist = 40", (40, 40, 10, 75)),
        ("pwt_inner_dist = 300", (300, 300, 10, 75)),
        ("collision_distance = 80", (50, 200, 80, 80)),
        ("all_clear_distance = 8", (50, 200, 8, 8)),
    ],
)
def test_an_unset_bound_yields_to_the_one_that_is_set(lines, bounds, alone):
    def found():
        s = one.behavior.settings
        return s.pwt_inner_dist, s.pwt_outer_dist, s.min_util_cpa_dist, s.max_util_cpa_dist

    one = alone(KIND, BEN + lines)
    assert found() == bounds
    one = alone(KIND, BEN)
    one.update(lines)
    assert found() == bounds


@shared("time_on_leg")
def test_time_on_leg_limits_how_far_ahead_one_looks(alone):
    far, near = alone(KIND, BEN), alone(KIND, BEN + "time_on_leg = 10")
    for one in (far, near):
        meet(one, 0, 100)
    assert far.utility(course=0, speed=2) == 0
    assert near.utility(course=0, speed=2) > 0


@shared("bearing_lines")
@pytest.mark.parametrize(
    ("line", "color"),
    [
        ("bearing_lines = true\n", "green"),
        ("bearing_line_show = true\n", "green"),
        ("bearing_lines = pink:0, gray:0.65\n", "gray"),
        ("bearing_line_config = info:range, pink:0, gray:0.65\n", "gray"),
    ],
)
def test_a_line_to_the_contact_shows_the_relevance(line, color, alone):
    assert "VIEW_SEGLIST" not in meet(alone(KIND, BEN), 0, 80)
    one = alone(KIND, BEN + line)
    drawn = meet(one, 0, 80)["VIEW_SEGLIST"]
    assert drawn == f"pts={{0,0:0,80}},label=abe_b_bearing,edge_color={color}"
    one.world.ledger.forget("ben")
    assert "active=false" in one.step()["VIEW_SEGLIST"]


RULES = [
    ("match_name = carl:dan", {}, False),
    ("match_name = carl:BEN", {}, True),
    ("ignore_name = ben", {}, False),
    ("ignore_name = carl", {}, True),
    ("match_group = red", {"group": "Red"}, True),
    ("match_group = red", {"group": "blue"}, False),
    ("match_group = red", {}, False),
    ("ignore_group = red", {"group": "red"}, False),
    ("ignore_group = red", {}, False),
    ("ignore_group = red\nstrict_ignore = false", {}, True),
    ("ignore_group = red", {"group": "blue"}, True),
    ("match_type = kayak", {"type": "kayak"}, True),
    ("match_type = kayak", {}, False),
    ("ignore_type = ship", {}, False),
    ("match_vsource = ais", {"vsource": "ais"}, True),
    ("match_vsource = ais", {"vsource": "radar"}, False),
    ("ignore_vsource = ais", {"vsource": "ais"}, False),
    ("match_region = -10,50:10,50:10,70:-10,70", {}, True),
    ("match_region = -10,0:10,0:10,20:-10,20", {}, False),
    ("match_region = 0,0:9,0:9,9\nmatch_region = -9,50:9,50:0,90", {}, True),
    ("ignore_region = -10,50:10,50:10,70:-10,70", {}, False),
]


@shared(
    *("match_name", "ignore_name", "match_group", "ignore_group", "match_type", "ignore_type"),
    *("match_vsource", "ignore_vsource", "match_region", "ignore_region", "strict_ignore"),
)
@pytest.mark.parametrize(("rules", "fields", "counts"), RULES)
def test_only_contacts_that_pass_the_rules_count(rules, fields, counts, alone):
    one = alone(KIND, BEN + rules)
    meet(one, 0, 60, **fields)
    assert (one.objective is not None) == counts


@pytest.mark.parametrize("kind", ABOUT_ANOTHER)
def test_every_behavior_about_another_vessel_heeds_the_rules(kind, alone):
    one = alone(kind, f"{BEN}match_type = kayak\non_no_contact_ok = true")
    meet(one, 0, 60, type="ship")
    assert one.behavior.contact is None
    meet(one, 0, 60, type="kayak")
    assert one.behavior.contact is not None


@shared("exit_on_filter_vtype", "exit_on_filter_group", "exit_on_filter_region")
@pytest.mark.parametrize(
    ("rule", "kind", "before", "after"),
    [
        ("match_type = kayak", "vtype", {"type": "kayak"}, {"type": "ship"}),
        ("match_group = red", "group", {"group": "red"}, {"group": "blue"}),
        ("match_region = -9,50:9,50:9,70:-9,70", "region", {}, {"x": 20}),
    ],
)
def test_a_contact_that_no_longer_passes_may_end_it(rule, kind, before, after, alone):
    for line, ends in (("", False), (f"exit_on_filter_{kind} = true\n", True)):
        one = alone(KIND, BEN + rule + "\n" + line)
        meet(one, 0, 60, **before)
        assert not one.behavior.completed
        meet(one, after.get("x", 0), 60, **{k: v for k, v in after.items() if k != "x"})
        assert one.behavior.completed == ends


@shared("post_per_contact_info")
def test_range_is_posted_under_the_contacts_name_on_request(alone):
    assert "RANGE_AVD_ben" not in meet(alone(KIND, BEN), 0, 60)
    one = alone(KIND, BEN + "post_per_contact_info = true")
    posted = meet(one, 0, 60, 180, 1.5)
    # "RANGE_AVD_" + m_contact, the parameter as it is: BHV_AvoidCollision of MOOS-IvP
    assert posted["RANGE_AVD_ben"] == pytest.approx(60)
    assert posted["CLSG_SPD_AVD_ben"] == pytest.approx(1.5)


@shared("use_plat_model")
def test_a_platform_model_is_accepted_and_changes_nothing(alone):
    plain, model = alone(KIND, BEN), alone(KIND, BEN + "use_plat_model = true")
    assert meet(plain, 0, 60) == meet(model, 0, 60)
    assert plain.utility(course=10, speed=2) == model.utility(course=10, speed=2)


PASSES = [
    ("@<50", [(0, 60), (0, 49), (0, 40)], [0, 1, 0]),
    ("@>50", [(0, 60), (0, 49), (0, 51), (0, 55)], [0, 0, 1, 0]),
    ("<50", [(0, 60), (0, 49), (0, 40)], [0, 1, 1]),
    (">45", [(0, 60), (0, 49), (0, 40)], [1, 1, 0]),
    ("@os_passed_cn", [(9, 5), (9, -1), (9, -5)], [0, 1, 0]),
    ("@os_passed_cn_port", [(9, 5), (9, -1)], [0, 1]),
    ("@os_passed_cn_star", [(9, 5), (9, -1)], [0, 0]),
    ("@os_passed_cn_star", [(-9, 5), (-9, -1)], [0, 1]),
    ("@cn_passed_os", [(9, -5), (9, 1)], [0, 1]),
    ("@cn_passed_os_star", [(9, -5), (9, 1)], [0, 1]),
    ("@cn_passed_os_port", [(-9, -5), (-9, 1)], [0, 1]),
    ("@os_passed_cn", [(9, -5), (9, 1), (9, 5)], [0, 1, 0]),
    ("@cn_passed_os_star", [(9, 5), (9, -1)], [0, 1]),
    ("@cn_crossed_os", [(9, 5), (-1, 5)], [0, 1]),
    ("@os_crossed_cn_stern", [(9, 5), (-1, 5)], [0, 1]),
    ("@cn_crosses_os", [(9, 5), (-1, 5)], [0, 1]),
    ("@cn_crosses_os_bow", [(9, 5), (-1, 5)], [0, 1]),
    ("@cn_crosses_os_stern", [(9, -5), (-1, -5)], [0, 1]),
    ("@os_crosses_cn", [(9, 5), (-1, 5)], [0, 1]),
    ("@os_crosses_cn_stern", [(9, 5), (-1, 5)], [0, 1]),
    ("@os_crosses_cn_bow", [(9, -5), (-1, -5)], [0, 1]),
]


@shared("cnflag")
@pytest.mark.parametrize(("tag", "places", "due"), PASSES)
def test_flags_report_what_happens_between_two_northbound_vessels(tag, places, due, alone):
    one = alone(KIND, f"{BEN}completed_dist = 500\ncnflag = {tag} MET = $[RANGE]")
    seen = [len([v for v in [meet(one, x, y, 0, 1)] if "MET" in v]) for x, y in places]
    assert seen == due


def test_flag_at_the_closest_point_of_approach(alone):
    one = alone(KIND, BEN + "cnflag = @cpa MET = $[CN_NAME] at $[RANGE]")
    assert "MET" not in meet(one, 10, 20, 180, 2)
    assert "MET" not in meet(one, 10, 5, 180, 2)
    assert meet(one, 10, -5, 180, 2)["MET"] == "ben at 11.18"
    assert "MET" not in meet(one, 10, -9, 180, 2)


SIDES = ("FORE", "AFT", "PORT", "STAR")


def test_macros_describe_the_contact(alone):
    names = (
        "CNX CNY CNH CNV CN_RANGE ROC CPA OS_CN_REL_BNG CN_OS_REL_BNG BNG_RATE CN_VTYPE CN_GROUP"
    )
    text = " ".join(f"$[{name}]" for name in names.split())
    one = alone(KIND, f"{BEN}cnflag = <500 MET = {text}")
    posted = meet(one, 30, 40, 270, 2, type="kayak", group="red")["MET"]
    assert posted == "30 40 270 2 50 1.2 40 36.87 306.87 -1.83 kayak red"
    places = [f"$[{a}_{side}_OF_{b}]" for a, b in (("OS", "CN"), ("CN", "OS")) for side in SIDES]
    text = ":".join([*places, "$[CN_SPD_IN_OS_POS]"])
    one = alone(KIND, f"{BEN}cnflag = <500 MET = {text}")
    posted = meet(one, 30, 40, 270, 2)["MET"]
    assert posted == "true:false:true:false:true:false:false:true:1.2"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("decay = 30,15", "expected BEGIN,END"),
        ("bearing_lines = green:2", "expected a number from 0 to 1"),
        ("cnflag = MET = true", "expected @<50"),
        ("cnflag = @os_flew MET = true", "expected @<50"),
        ("match_region = 0,0:9,0", "expected at least 3 corners"),
        ("match_name = :", "expected a name"),
    ],
)
def test_an_invalid_value_is_refused_with_the_expected_form(line, expected, alone):
    with pytest.raises(FormatError, match=expected):
        alone(KIND, BEN + line)


def test_every_shared_parameter_has_a_test() -> None:
    common = {one.name for one in fields(CommonSettings)}
    assert {one.name for one in fields(ContactSettings)} - common == shared.names
