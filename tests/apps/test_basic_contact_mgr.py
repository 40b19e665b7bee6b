"""``pBasicContactMgr``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.bus import ConfigError
from steerageway.peers.older.basic_contact_mgr import BasicContactMgr
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
NAV = {"NAV_X": 0.0, "NAV_Y": 0.0, "NAV_HEADING": 0.0, "NAV_SPEED": 0.0}
ALERT = 'alert = id=avd, var=NEAR, val="name=avd_$[VNAME] # contact=$[VNAME]"\n'
GROUPS = ("contacts", "BUOYS", "red")
shows = Shown()


class Watch:
    """A contact manager at (0, 0); each report is (name, x, y[, heading, speed])."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0

    def see(self, *reports, mail=(), dt=1.0):
        """Iterate ``dt`` later; return the posts."""
        self.time += dt
        messages = [self.driven.message(k, v, self.time) for k, v in NAV.items()]
        for name, x, y, *way in reports:
            heading, speed = way or (0, 0)
            where = f"X={x},Y={y},HDG={heading},SPD={speed}"
            text = f"NAME={name},{where},TIME={EPOCH + self.time:.2f}"
            messages.append(self.driven.message("NODE_REPORT", text, self.time))
        messages += [self.driven.message(k, v, self.time) for k, v in mail]
        return self.driven.take(self.time, messages)


@pytest.fixture
def watch(drive):
    def start(block=""):
        return Watch(drive(BasicContactMgr, block, name="pBasicContactMgr", epoch=EPOCH))

    return start


@shows("alert")
def test_a_contact_is_alerted_of_once(watch):
    manager = watch(ALERT + "alert = id=avd, range=80, range_cpa=80")
    assert "NEAR" not in manager.see(("ben", 0, 81))
    found = manager.see(("ben", 0, 79), ("cal", 0, 500))
    assert found["NEAR"] == "name=avd_ben # contact=ben"
    assert (found["CONTACTS_ALERTED"], found["CONTACTS_UNALERTED"]) == ("(ben,avd)", "(cal,avd)")
    assert found["CONTACTS_LIST"] == "ben,cal"
    assert "NEAR" not in manager.see(("ben", 0, 500))
    assert "NEAR" not in manager.see(("ben", 0, 10))


def test_an_alert_of_a_region_ends_when_the_contact_leaves_it(watch):
    lines = (
        "alert = id=zone, region=pts={0,0:0,50:50,50:50,0}\nalert = id=zone, off_flag=GONE=yes\n"
    )
    manager = watch("alert = id=zone, var=IN, val=$[VNAME]\n" + lines)
    assert "IN" not in manager.see(("ben", -5, 20))
    found = manager.see(("ben", 5, 20))
    assert (found["IN"], found["CONTACTS_ALERTED"], "GONE" in found) == ("ben", "(ben,zone)", False)
    assert "IN" not in manager.see(("ben", 10, 20))
    found = manager.see(("ben", 60, 20))
    assert (found["GONE"], found["CONTACTS_ALERTED"]) == ("yes", "")
    assert manager.see(("ben", 40, 20))["IN"] == "ben"


@pytest.mark.parametrize(
    ("text", "again"), [("Ben", True), ("ben,avd", True), ("ben,col", False), ("cal", False)]
)
def test_a_resolved_contact_is_alerted_of_again(watch, text, again):
    block = ALERT + "alert = id=avd,range=80\nalert = id=col,var=COL,val=1,range=5,range_cpa=5"
    manager = watch(block)
    assert "NEAR" in manager.see(("ben", 0, 50))
    resolved = [("CONTACT_RESOLVED", text)]
    assert ("NEAR" in manager.see(("ben", 0, 50), mail=resolved)) == again
    warned = any("CONTACT_RESOLVED = cal" in text for text in manager.driven.app.run_warnings)
    assert warned == (text == "cal")


def test_an_alert_requested_by_mail_is_like_one_of_the_block(watch):
    request = "id=col, on_flag=COL=$[VNAME] at $[X], alert_range=50"
    found = watch().see(("ben", 30, 0), mail=[("BCM_ALERT_REQUEST", request)])
    assert found["COL"] == "ben at 30"


@shows("default_alert_range")
def test_an_alert_without_a_range_has_the_default(watch):
    for name in ("default_alert_range", "alert_range"):
        manager = watch(ALERT + f"{name} = 40")
        assert "NEAR" not in manager.see(("ben", 0, 41))
        assert "NEAR" in manager.see(("ben", 0, 39))
    assert "NEAR" in watch(ALERT).see(("ben", 0, 999))


@shows("default_alert_range_cpa", "default_alert_range_cpa_time", "default_cpa_range")
@shows("alert_range", "alert_cpa_range", "alert_cpa_time")
def test_within_range_cpa_the_future_closest_point_is_used(watch):
    def alerted(*lines):
        block = ALERT + "\n".join(("default_alert_range = 50", *lines))
        return "NEAR" in watch(block).see(("ben", 0, 200, 180, 2))

    assert not alerted()
    assert not alerted("default_alert_range_cpa_time = 70")
    assert alerted("default_alert_range_cpa_time = 80")
    assert alerted("alert_cpa_time = 80", "alert_cpa_range = 201")
    assert not alerted("alert_cpa_time = 80", "alert_cpa_range = 199")
    assert not alerted("default_alert_range_cpa_time = 80", "default_alert_range_cpa = 199")
    assert not alerted("default_alert_range_cpa_time = 80", "default_cpa_range = 199")
    assert alerted("alert = id=avd,range_cpa_time=80")
    near = watch(ALERT + "alert_range = 201").see(("ben", 0, 200, 180, 2))
    assert "NEAR" in near
    assert not alerted("alert = id=avd,range_cpa_time=80,range_cpa=199")


@shows("ignore_group")
def test_vessels_of_a_group_may_be_no_contacts(watch):
    # as BasicContactMgr::handleMailNodeReport of MOOS-IvP, in any case
    manager = watch("ignore_group = Contacts\nignore_group = buoys")
    mail = [
        ("NODE_REPORT", f"NAME={group},X=0,Y=9,SPD=0,HDG=0,TIME={EPOCH},GROUP={group}")
        for group in GROUPS
    ]
    assert manager.see(("ben", 0, 80), mail=mail)["CONTACTS_LIST"] == "ben,red"


@shows("reject_range")
@pytest.mark.parametrize(
    ("line", "far"), [("", 2001), ("reject_range = 100", 101), ("reject_range = off", None)]
)
def test_a_vessel_far_away_becomes_no_contact(line, far, watch):
    manager = watch(line)
    found = manager.see(("ben", 0, far or 9000))
    assert found.get("CONTACTS_LIST", "") == ("" if far else "ben")
    near = (far or 9000) - 2
    assert manager.see(("cal", 0, near))["CONTACTS_LIST"] == ("cal" if far else "ben,cal")
    assert "CONTACTS_LIST" not in manager.see(("cal", 0, 20_000))  # it stays one


@shows("contact_max_age")
def test_a_silent_contact_is_retired_and_alerted_of_when_it_returns(watch):
    for block, age in (("", 600), ("contact_max_age = 20", 20)):
        manager = watch(ALERT + block)
        manager.see(("ben", 0, 50))
        assert "CONTACTS_RETIRED" not in manager.see(dt=age)
        assert manager.see(dt=1.0)["CONTACTS_RETIRED"] == "ben"
        assert "NEAR" in manager.see(("ben", 0, 50))


@shows("default_alert_range_color", "default_alert_range_cpa_color")
@shows("alert_range_color", "default_cpa_range_color", "cpa_range_color")
def test_circles_have_the_colours_of_the_block_unless_an_alert_has_its_own(watch):
    names = (
        ("default_alert_range_color", "default_alert_range_cpa_color"),
        ("default_alert_range_color", "default_cpa_range_color"),
        ("alert_range_color", "cpa_range_color"),
    )
    blocks = [(f"{near} = gold\n{far} = navy\n", ["gold", "navy"]) for near, far in names]
    for block, found in (*blocks, ("", ["gray65", "gray35"])):
        manager = watch(ALERT + "display_radii = true\n" + block)
        manager.see()
        circles = manager.driven.values("VIEW_CIRCLE")
        assert [text.partition("edge_color=")[2] for text in circles] == found


@shows("display_radii")
def test_circles_show_the_ranges(watch):
    block = ALERT + "alert = id=avd,range=80,range_cpa=95,range_color=red,range_cpa_color=blue\n"
    assert "VIEW_CIRCLE" not in watch(block).see()
    manager = watch(block + "display_radii = true")
    manager.see()
    assert manager.driven.values("VIEW_CIRCLE") == [
        "x=0,y=0,radius=80,label=alpha_avd_alert,edge_color=red",
        "x=0,y=0,radius=95,label=alpha_avd_cpa,edge_color=blue",
    ]


def test_contacts_move_on_between_their_reports(watch):
    manager = watch()
    manager.see(("ben", 0, 100, 180, 2))
    assert manager.see(dt=10.0)["CONTACTS_RECAP"] == "vname=ben,range=80.00,age=10.00"


@shows("decay")
def test_a_contact_may_lose_its_speed_when_it_is_silent(watch):
    for block, left in (("", 20), ("decay = off", 20), ("decay = 5,15", 80)):
        manager = watch(block)
        manager.see(("ben", 0, 100, 180, 2))
        assert f"range={left}.00," in manager.see(dt=40.0)["CONTACTS_RECAP"]


@shows("contacts_recap_interval")
@pytest.mark.parametrize(("line", "expected"), [("", 6), ("contacts_recap_interval = 2.5", 2)])
def test_recaps_come_at_the_configured_interval(watch, line, expected):
    manager = watch(line)
    found = [manager.see(("ben", 0, 100 + step)) for step in range(6)]
    assert sum("CONTACTS_RECAP" in posted for posted in found) == expected


def test_recaps_may_be_off(watch):
    assert "CONTACTS_RECAP" not in watch("contacts_recap_interval = off").see(("ben", 0, 100))


@shows("alert_verbose")
def test_an_alert_may_be_reported_in_plain_text(watch):
    assert "ALERT_VERBOSE" not in watch(ALERT).see(("ben", 0, 50))
    found = watch(ALERT + "alert_verbose = true").see(("ben", 0, 50))
    assert found["ALERT_VERBOSE"] == "contact=ben,alert_id=avd"


@shows("contact_local_coords")
def test_the_moos_ivp_option_for_local_coordinates_has_no_effect(watch):
    plain, other = watch(ALERT), watch(ALERT + "contact_local_coords = lazy_lat_lon")
    assert plain.see(("ben", 0, 50)) == other.see(("ben", 0, 50))


def test_invalid_mail_is_a_warning_that_is_posted(watch):
    manager = watch()
    found = manager.see(mail=[("NODE_REPORT", "NAME=ben,X=1")])
    assert found["CONTACT_MGR_WARNING"].startswith("NODE_REPORT: ")
    found = manager.see(mail=[("BCM_ALERT_REQUEST", "id=a,rng=5")])
    assert found["CONTACT_MGR_WARNING"].startswith("BCM_ALERT_REQUEST = id=a,rng=5: expected")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("range=5", "expected var=VAR"),
        ("on_flag=A=1,range=far", "expected a range in metres"),
        ("on_flag=A=1,range_cpa_time=soon", "expected seconds"),
        ("on_flag=A=1,rang=5", "it is read up to rang, and no further"),
    ],
)
def test_a_wrong_field_of_an_alert_is_a_warning(fields, expected, watch):
    (warning,) = watch(f"alert = id=avd,{fields}").driven.app.config.warnings
    assert expected in warning


@shows("verbose")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("default_alert_range = -1", "at least 0"),
        ("decay = 30", "expected BEGIN,END in seconds"),
        ("verbose = perhaps", "expected true or false"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(line, expected, watch):
    with pytest.raises(ConfigError, match=expected):
        watch(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in BasicContactMgr.parameters} == shows.names
