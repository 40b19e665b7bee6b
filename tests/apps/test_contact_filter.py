"""Contact filters: match and ignore rules, and their text in alert requests."""

from __future__ import annotations

import pytest

from steerageway.apps.contacts.alerts import Defaults, parse_alert
from steerageway.helm.contact import ContactList
from steerageway.helm.contact_filter import ContactFilter

ANY_ALERT = Defaults(1000.0, "gray65", "gray35")


def contact(extra=""):
    return ContactList("abe", max_age=60.0).take(f"NAME=ben,X=10,Y=20,TIME=100{extra}", 100.0)


@pytest.mark.parametrize(
    ("rules", "strict", "admitted", "refused"),
    [
        ({"match_type": "kayak:auv"}, True, ",TYPE=kayak", ",TYPE=ship"),
        ({"ignore_group": "red,blue"}, True, ",GROUP=green", ",GROUP=blue"),
        ({"ignore_group": "red"}, True, ",GROUP=green", ""),
        ({"ignore_group": "red"}, False, "", ",GROUP=red"),
        ({"match_region": "0,0:20,0:20,40:0,40"}, True, "", ",X=30"),
        ({"ignore_region": "20,0:60,0:60,40:20,40"}, True, "", ",X=30"),
    ],
)
def test_an_alert_requested_by_a_filters_text_has_the_same_rules(rules, strict, admitted, refused):
    made = ContactFilter(strict=strict)
    for rule, text in rules.items():
        made = made.having(rule, text)
    requested = parse_alert(f"id=avd,on_flag=NEAR=1{made.text()}", ANY_ALERT).filter
    for one in (made, requested):
        assert one.admits(contact(admitted))
        assert not one.admits(contact(refused))


def test_a_filter_without_rules_has_an_empty_text():
    assert ContactFilter().text() == ""


def test_rules_of_one_name_add_up_and_names_count_in_any_case():
    made = ContactFilter().having("match_name", " {Cal , ,dee} ").having("match_name", "BEN")
    assert dict(made.words) == {"match_name": ("cal", "dee", "ben")}
    assert made.admits(contact()) is True
    assert ContactFilter().admits(contact()) is True
    assert ContactFilter().having("ignore_vsource", "AIS").admits(contact(",VSOURCE=radar")) is True
    assert not ContactFilter().having("ignore_vsource", "ais").admits(contact(",VSOURCE=Ais"))
    assert ContactFilter().having("match_group", "red").admits(contact(",GROUP=Red"))
    for empty in ("", " , ", "{}"):
        with pytest.raises(ValueError, match="expected a name, or several"):
            ContactFilter().having("match_type", empty)


@pytest.mark.parametrize("rule", ["match_region", "ignore_region"])
def test_a_region_in_utm_coordinates_is_refused(rule: str):
    region = "pts={597000,6641000:598000,6641000:598000,6642000}"  # 6668 km from the datum
    with pytest.raises(ValueError, match=r"1000 km from the datum: are these UTM coordinates\?"):
        ContactFilter().having(rule, region)


def test_a_rule_is_skipped_in_queries_about_other_fields():
    made = (
        ContactFilter().having("match_type", "ship").having("ignore_region", "0,0:40,0:40,40:0,40")
    )
    ben = contact(",TYPE=kayak")
    assert not made.admits(ben)
    assert not made.admits(ben, ("type",))
    assert not made.admits(ben, ("region",))
    assert made.admits(ben, ("name", "group")) is True


def test_a_filter_is_strict_unless_configured_otherwise():
    assert not ContactFilter().having("ignore_group", "red").admits(contact())
