"""``pContactMgrV20``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.apps.contacts.contact_mgr import app
from steerageway.apps.contacts.contact_mgr.app import ContactMgr
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
NAV = {"NAV_X": 0.0, "NAV_Y": 0.0, "NAV_HEADING": 0.0, "NAV_SPEED": 0.0}
NEAR = "alert = id=avd, on_flag=NEAR=name=$[VNAME] # contact=$[VNAME], off_flag=FAR=$[VNAME], "
shows = Shown()


class Watch:
    """A contact manager at (0, 0), and contacts that are reported to it."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0
        self.posted = {}
        self.posts = []

    def see(self, *reports, mail=(), dt=1.0):
        """Iterate ``dt`` later with reports (name, x, y[, heading, speed[, extra]]) and mail."""
        self.time += dt
        messages = [self.driven.message(k, v, self.time) for k, v in NAV.items()]
        for name, x, y, *rest in reports:
            heading, speed, extra = (*rest, *(0.0, 0.0, "")[len(rest) :])
            utc = EPOCH + self.time
            text = f"NAME={name},X={x},Y={y},HDG={heading},SPD={speed},TIME={utc:.2f}{extra}"
            messages.append(self.driven.message("NODE_REPORT", text, self.time))
        messages += [self.driven.message(k, v, self.time) for k, v in mail]
        found = self.driven.take(self.time, messages)
        self.posted |= found
        return found

    @property
    def warned(self):
        """Its run warnings, in one text."""
        return " ".join(self.driven.app.run_warnings)


@pytest.fixture
def watch(drive):
    return lambda block="": Watch(drive(ContactMgr, block, name="pContactMgrV20", epoch=EPOCH))


@shows("alert")
def test_an_alert_turns_on_near_and_off_far(watch):
    manager = watch(NEAR + "alert_range=80")
    assert "NEAR" not in manager.see(("ben", 0, 100))
    found = manager.see(("ben", 0, 80))
    assert found["NEAR"] == "name=ben # contact=ben"
    assert found["CONTACTS_ALERTED"] == "(ben,avd)"
    assert "NEAR" not in manager.see(("ben", 0, 70))
    found = manager.see(("ben", 0, 90))
    assert found["FAR"] == "ben"
    assert found["CONTACTS_ALERTED"] == ""


def test_within_cpa_range_the_closest_approach_is_used(watch):
    block = NEAR + "alert_range=80, cpa_range=300"
    assert "NEAR" not in watch(block).see(("ben", 0, 200, 0, 2))
    assert "NEAR" in watch(block).see(("ben", 0, 200, 180, 2))
    assert "NEAR" in watch(block).see(("ben", 0, 300, 180, 2))
    assert "NEAR" not in watch(block).see(("ben", 0, 301, 180, 4))


@pytest.mark.parametrize(
    ("ranges", "both"),
    [("alert_range=50, cpa_range=40", 40), ("cpa_range=40, alert_range=50", 50)],
)
def test_the_last_of_ranges_in_the_wrong_order_is_used(ranges, both, watch):
    for away, comes in ((both - 1, True), (both + 1, False)):
        assert ("NEAR" in watch(NEAR + ranges).see(("ben", 0, away))) is comes
    expected = f"cpa_range is less than alert_range: {both} m counts for both"
    assert watch(NEAR + ranges).driven.app.config_warnings == [f"alert avd: {expected}"]
    request = f"id=col, on_flag=COL=$[VNAME],{ranges}"
    manager = watch()
    assert manager.see(("ben", 0, 35), mail=[("BCM_ALERT_REQUEST", request)])["COL"] == "ben"
    assert expected in manager.warned


@pytest.mark.parametrize("ranges", ["", "alert_range=80", "alert_range=80, cpa_range=80"])
def test_ranges_in_order_give_no_warning(ranges, watch):
    assert watch(NEAR + ranges).driven.app.config_warnings == []


@pytest.mark.parametrize("word", ["0", "off"])
def test_an_alert_without_a_range_covers_all_contacts_that_pass_its_rules(word, watch):
    manager = watch(NEAR + f"alert_range={word}, match_name=ben\ndisplay_radii = true")
    found = manager.see(("ben", 0, 1900, 0, 2), ("carl", 0, 5))
    assert found["CONTACTS_ALERTED"] == "(ben,avd)"
    assert "VIEW_CIRCLE" not in found


def test_the_variable_of_a_flag_may_have_macros_and_names_may_be_in_lower_case(watch):
    manager = watch("alert = id=a, on_flag=NEAR_$[VNAME]=%[VNAME]:%[VTYPE], alert_range=80")
    assert manager.see(("BEN", 0, 50))["NEAR_BEN"] == "ben:ship"


def test_a_behavior_requests_an_alert_by_mail(watch):
    manager = watch()
    request = "id=col, on_flag=COL=name=$[VNAME],alert_range=50"
    assert manager.see(("ben", 0, 40), mail=[("BCM_ALERT_REQUEST", request)])["COL"] == "name=ben"
    assert "NEAR" not in manager.posted
    found = manager.see(mail=[("BCM_ALERT_REQUEST", "var=ODD,pattern=$[VNAME],alert_range=50")])
    assert found["ODD"] == "ben"
    manager.see(mail=[("BCM_ALERT_REQUEST", "id=odd,rng=50")])
    assert "found rng" in manager.warned


def test_flags_report_the_contact(watch):
    names = ("VNAME", "X", "Y", "HDG", "SPD", "DEP", "VTYPE", "UTIME", "GROUP", "LAT", "LON")
    text = " ".join(f"$[{name}]" for name in names)
    manager = watch(f"alert = id=a,on_flag=TOLD={text},on_flag=AT=$(X),alert_range=50")
    extra = ",DEP=3,TYPE=kayak,GROUP=red,LAT=59.5,LON=10.25"
    found = manager.see(("ben", 12.5, 20, 90, 1.5, extra))
    assert found["TOLD"] == "ben 12.5 20 90 1.5 3 kayak 1000001.00 red 59.5 10.25"
    assert found["AT"] == 12.5


def test_a_flag_for_a_leaving_contact_reports_its_current_position(watch):
    manager = watch("alert = id=a,off_flag=FAR=$[VNAME] at $[Y],alert_range=50")
    manager.see(("ben", 0, 20), ("carl", 0, 30))
    assert manager.see(("ben", 0, 60))["FAR"] == "ben at 60"
    assert manager.see(("carl", 0, 70))["FAR"] == "carl at 70"


def test_an_alert_has_separate_rules(watch):
    manager = watch(NEAR + "alert_range=80, match_type=kayak:auv, ignore_group=red")
    assert "NEAR" not in manager.see(("ben", 0, 50, 0, 0, ",TYPE=ship,GROUP=blue"))
    assert "NEAR" not in manager.see(("carl", 0, 50, 0, 0, ",TYPE=kayak,GROUP=red"))
    assert "NEAR" in manager.see(("dan", 0, 50, 0, 0, ",TYPE=kayak,GROUP=blue"))


def test_an_older_form_of_alerts_is_read(watch):
    manager = watch("alert = id=a, var=NEAR, val=name=$[VNAME], alert_range=80")
    assert manager.see(("ben", 0, 50))["NEAR"] == "name=ben"


@shows("default_alert_range", "default_alert_range_color", "display_radii")
@shows("alert_range_color", "cpa_range_color", "default_cpa_range_color")
@pytest.mark.parametrize("name", ["", "default_"])
def test_alerts_without_ranges_have_the_default_ones(name, watch):
    block = "alert = id=avd, on_flag=NEAR=1\n"
    assert "NEAR" in watch(block).see(("ben", 0, 900))
    assert "NEAR" not in watch(block + "default_alert_range = 800").see(("ben", 0, 900))
    assert "VIEW_CIRCLE" not in watch(block).see()
    colors = f"{name}alert_range_color = pink\n{name}cpa_range_color = dark red"
    manager = watch(f"{block}display_radii = true\n{colors}")
    manager.see()
    circles = manager.driven.values("VIEW_CIRCLE")
    assert circles[0] == "x=0,y=0,radius=1000,label=alpha_avd_alert,edge_color=pink"
    assert circles[1] == "x=0,y=0,radius=1000,label=alpha_avd_cpa,edge_color=darkred"
    found = manager.see(mail=[("BCM_DISPLAY_RADII", "false")])
    assert "active=false" in found["VIEW_CIRCLE"]
    assert "VIEW_CIRCLE" in manager.see(mail=[("BCM_DISPLAY_RADII", "toggle")])


@pytest.mark.parametrize(
    "lines",
    [
        [NEAR, "alert = id=avd, alert_range=80, cpa_range=100"],
        ["alert = id=avd,alert_range=80", NEAR + "cpa_range=100"],
    ],
)
def test_lines_of_one_name_are_parts_of_one_alert(lines, watch):
    manager = watch("\n".join(lines))
    assert "NEAR" not in manager.see(("ben", 0, 90, 0, 2))
    assert manager.see(("ben", 0, 90, 180, 2))["NEAR"]
    assert manager.see(("ben", 0, 150, 0, 2))["FAR"] == "ben"


def test_a_request_changes_the_named_settings_of_an_alert(watch):
    manager = watch(NEAR + "alert_range=80")
    request = [("BCM_ALERT_REQUEST", "id=avd,alert_range=30")]
    assert "NEAR" not in manager.see(("ben", 0, 50), mail=request)
    for _ in range(2):
        manager.see(("ben", 0, 200), mail=[("BCM_ALERT_REQUEST", "id=avd,on_flag=TOO=$[VNAME]")])
    manager.see(("ben", 0, 20))
    assert manager.driven.values("TOO") == ["ben"]
    assert manager.driven.values("NEAR")[-1:] == manager.driven.values("NEAR")[:1]


def test_a_contact_too_far_away_or_no_longer_accepted_is_retired(watch):
    manager = watch("reject_range = 100\nretire_flag = LOST = $[CONTACT]\nignore_group = blue")
    manager.see()
    found = manager.see(("ben", 0, 101, 0, 0, ",GROUP=red"))
    assert (found["CONTACTS_RETIRED"], found["LOST"]) == ("ben", "ben")
    assert "LOST" not in manager.see(("ben", 0, 101, 0, 0, ",GROUP=red"))
    assert manager.see(("ben", 0, 99, 0, 0, ",GROUP=red"))["CONTACTS_RETIRED"] == ""
    found = manager.see(("ben", 0, 99, 0, 0, ",GROUP=blue"))
    assert (found["CONTACTS_RETIRED"], found["CONTACTS_LIST"]) == ("ben", "")
    assert "LOST" not in manager.see(("carl", 0, 50, 0, 0, ",GROUP=blue"))


RULES = [
    ("match_name = ben", ""),
    ("ignore_name = carl", ""),
    ("match_group = red", ",GROUP=red"),
    ("ignore_group = blue", ",GROUP=red"),
    ("match_type = kayak", ",TYPE=kayak"),
    ("ignore_type = ship", ",TYPE=kayak"),
    ("match_vsource = ais", ",VSOURCE=ais"),
    ("ignore_vsource = radar", ",VSOURCE=ais"),
    ("match_region = -9,0:9,0:9,60:-9,60", ""),
    ("ignore_region = -9,60:9,60:9,90:-9,90", ""),
]


@shows(*(rule.split(" ")[0] for rule, _ in RULES))
@pytest.mark.parametrize(("rule", "extra"), RULES)
def test_only_contacts_that_pass_the_rules_are_taken(rule, extra, watch):
    manager = watch(rule)
    wrong = ",GROUP=blue,TYPE=ship,VSOURCE=radar"
    manager.see(("carl", 0, 70, 0, 0, wrong), ("ben", 0, 50, 0, 0, extra))
    assert manager.posted["CONTACTS_LIST"] == "ben"


@pytest.mark.parametrize("text", ["kayak, uuv", "{uuv,kayak}", "uuv:kayak", "Kayak"])
def test_a_rule_may_name_several(text, watch):
    for block in (
        f"match_type = {text}",
        NEAR + f"alert_range=80,match_type={{{text.strip('{}')}}}",
    ):
        manager = watch(block)
        found = manager.see(
            ("ben", 0, 50, 0, 0, ",TYPE=kayak"), ("carl", 0, 60, 0, 0, ",TYPE=ship")
        )
        assert "ben" in found["CONTACTS_LIST"]
        assert found["CONTACTS_ALERTED"] == ("(ben,avd)" if "avd" in block else "")
        assert ("carl" in found["CONTACTS_LIST"]) == ("avd" in block)


@shows("strict_ignore")
@pytest.mark.parametrize(("line", "listed"), [("", ""), ("strict_ignore = false", "ben")])
def test_contacts_without_the_field_may_be_ignored(line, listed, watch):
    manager = watch(f"ignore_group = red\n{line}")
    manager.see(("ben", 0, 50))
    assert manager.posted["CONTACTS_LIST"] == listed


@shows("contact_max_age", "max_retired_history")
def test_a_silent_contact_is_retired(watch):
    manager = watch("contact_max_age = 10\nmax_retired_history = 2\n" + NEAR + "alert_range=80")
    manager.see(("ben", 0, 10), ("carl", 0, 20), ("dan", 0, 30))
    found = manager.see(dt=10.5)
    assert found["CONTACTS_RETIRED"] == "dan,carl"
    assert found["CONTACTS_LIST"] == ""
    assert manager.driven.values("FAR") == ["ben", "carl", "dan"]
    patient = watch()
    patient.see(("ben", 0, 10))
    assert "CONTACTS_RETIRED" not in patient.see(dt=59)
    assert "CONTACTS_RETIRED" in patient.see(dt=2)


@shows("max_contacts", "reject_range")
def test_too_many_or_too_far_contacts_are_not_taken(watch):
    manager = watch("max_contacts = 2\nreject_range = 100")
    manager.see()
    manager.see(("a", 0, 101), ("b", 0, 99), ("c", 0, 10), ("d", 0, 10))
    assert manager.posted["CONTACTS_LIST"] == "b,c"
    everywhere = watch("reject_range = off")
    everywhere.see()
    everywhere.see(("a", 0, 9999))
    assert everywhere.posted["CONTACTS_LIST"] == "a"


@shows("decay")
@pytest.mark.parametrize(("line", "moved"), [("", 15 + 5 * 2.5 / 3), ("decay = 5,15", 10.0)])
def test_a_contact_moves_on_between_its_reports(line, moved, watch):
    manager = watch(f"{line}\npost_closest_range = true\ncontact_max_age = 100")
    manager.see(("ben", 0, 50, 0, 1))
    assert manager.see(dt=20)["CONTACT_CLOSEST_RANGE"] == int(50 + moved)


@shows("recap_interval", "contacts_recap_interval")
@pytest.mark.parametrize(
    ("line", "times"), [("", 6), ("recap_interval = 3", 2), ("contacts_recap_interval = 3", 2)]
)
def test_a_recap_comes_at_intervals(line, times, watch):
    manager = watch(line)
    found = [manager.see(("ben", 3, 4)) for _ in range(6)]
    recaps = [f["CONTACTS_RECAP"] for f in found if "CONTACTS_RECAP" in f]
    assert recaps == ["vname=ben,range=5.00,age=0.00"] * times
    assert "CONTACTS_RECAP" not in watch("contacts_recap_interval = off").see(("ben", 3, 4))


@shows("post_closest_range", "post_closest_relbng", "post_all_ranges")
def test_the_closest_contact_is_reported(watch):
    names = ("CONTACT_CLOSEST_RANGE", "CONTACT_CLOSEST_RELBNG", "CONTACT_RANGES")
    plain = watch().see(("ben", 3, 4), ("carl", 10, 0))
    assert plain["CONTACT_CLOSEST"] == "ben"
    assert plain["CONTACT_CLOSEST_TIME"] == EPOCH + 1
    assert not set(names) & set(plain)
    block = "post_closest_range = true\npost_closest_relbng = true\npost_all_ranges = true"
    manager = watch(block)
    found = manager.see(("ben", 30, 0), ("carl", 10, 0))
    assert [found[name] for name in names] == [10.0, 90.0, "10,30"]
    assert "CONTACT_CLOSEST_RANGE" not in manager.see(("ben", 30, 0), ("carl", 10.7, 0))
    assert manager.see(("ben", 3, 4))["CONTACT_CLOSEST"] == "ben"


def test_a_range_report_is_kept_up(watch):
    request = [("BCM_REPORT_REQUEST", "var=NEAR,range=50,type=kayak,group=red,reason=teaming")]
    expected = ",TYPE=kayak,GROUP=red"
    manager = watch()
    near = [(n, 0, y, 0, 0, expected) for n, y in (("c", 40), ("b", 20), ("d", 60))]
    near += [("e", 0, 5, 0, 0, ",TYPE=ship,GROUP=red"), ("f", 0, 5, 0, 0, ",TYPE=kayak,GROUP=blue")]
    assert manager.see(*near, mail=request)["NEAR"] == "b,c"
    assert "NEAR" not in manager.see()
    assert manager.see(("b", 0, 99, 0, 0, expected), dt=30)["NEAR"] == "c"


@shows("range_report_timeout", "range_report_maxsize")
@pytest.mark.parametrize(("age", "kept"), [(4, True), (6, False)])
def test_an_old_range_report_makes_room_for_more(watch, age, kept):
    manager = watch("range_report_timeout = 5\nrange_report_maxsize = 1")
    manager.see(("a", 0, 40), mail=[("BCM_REPORT_REQUEST", "var=OLD,range=50")])
    manager.see(("a", 0, 40), mail=[("BCM_REPORT_REQUEST", "var=NEW,range=50")], dt=age)
    found = manager.see(("a", 0, 60), dt=0.5)
    assert found["NEW"] == ""
    assert (found.get("OLD") == "") == kept


def test_a_range_report_may_be_refreshed(watch):
    manager = watch()
    manager.see(("a", 0, 9), mail=[("BCM_REPORT_REQUEST", "var=NEAR,range=50,refresh=3")])
    assert ["NEAR" in manager.see() for _ in range(4)] == [False, False, True, False]
    requested = [("BCM_REPORT_REQUEST", "var=NEAR,range=50,refresh=true")]
    assert manager.see(mail=requested)["NEAR"] == "a"
    assert "NEAR" not in manager.see(mail=[("BCM_REPORT_REQUEST", "var=NEAR,range=50")])
    manager.see(mail=[("BCM_REPORT_REQUEST", "range=50")])
    assert "expected var=NAME" in manager.warned
    manager.see(mail=[("BCM_REPORT_REQUEST", "var=NEAR,refresh=soon")])
    assert "refresh = soon: expected a number, or true, or false" in manager.warned


@shows("hold_alerts_for_helm")
def test_alerts_may_wait_for_the_helm(watch):
    manager = watch(NEAR + "alert_range=80\nhold_alerts_for_helm = true")
    assert "NEAR" not in manager.see(("ben", 0, 50), mail=[("IVPHELM_STATE", "PARK")])
    assert "NEAR" in manager.see(mail=[("IVPHELM_STATE", "DRIVE")])


@shows("early_warning_time")
def test_an_upcoming_alert_gives_an_early_warning_and_comes_at_its_time(watch):
    lines = "early_warning_time = 10\nearly_warning_flag = SOON = $[CONTACT]"
    manager = watch(NEAR + f"alert_range=80,cpa_range=80\n{lines}")
    assert not {"NEAR", "SOON"} & set(manager.see(("ben", 0, 101, 180, 2), ("carl", 0, 99, 0, 2)))
    found = manager.see(("ben", 0, 99, 180, 2))
    assert found["SOON"] == "ben"
    assert "NEAR" not in found
    assert "NEAR" in manager.see(("ben", 0, 79, 180, 2))


def test_a_disabled_alert_stays_as_it_is(watch):
    # isAlertDisabled in ContactMgrV20::checkForAlerts of MOOS-IvP passes over it
    alert = "alert = id=avd,on_flag=NEAR=$[VNAME],off_flag=FAR=$[VNAME],alert_range=80"
    manager = watch(alert)
    able = ("BCM_ALERT_REQUEST", "id=avd, action={}")
    assert "NEAR" not in manager.see(("ben", 0, 70), mail=[(able[0], able[1].format("disable"))])
    assert manager.see(mail=[(able[0], able[1].format("enable"))])["NEAR"] == "ben"
    manager.see(mail=[(able[0], able[1].format("disable"))])
    assert not {"NEAR", "FAR"} & set(manager.see(("ben", 0, 150)))
    assert manager.see(mail=[(able[0], able[1].format("enable"))])["FAR"] == "ben"
    manager.see(mail=[(able[0], "id=avd,action=halt"), (able[0], "action=disable")])
    assert "expected id=NAME,action=disable or enable" in manager.warned


@shows(*(f"{verb}_{what}" for verb in ("disable", "enable", "expunge") for what in ("var", "flag")))
@pytest.mark.parametrize("verb", ["disable", "enable", "expunge"])
def test_behaviors_are_disabled_enabled_and_expunged_by_contact(verb, watch):
    manager = watch(f"{verb}_var = ORDER\n{verb}_flag = DONE = {verb} $[VNAME]")
    found = manager.see(mail=[("ORDER", "ben")])
    assert found["BHV_ABLE_FILTER"] == f"contact=ben,action={verb}"  # as MOOS-IvP
    assert found["DONE"] == f"{verb} ben"
    found = manager.see(mail=[("ORDER", "vsource=ais")])
    assert found["BHV_ABLE_FILTER"] == f"vsource=ais,action={verb}"
    whole = f"contact=ben,action={verb}"
    assert manager.see(mail=[("ORDER", whole)])["BHV_ABLE_FILTER"] == whole
    assert "BHV_ABLE_FILTER" not in manager.see(mail=[("ORDER", "contact=ben,action=halt")])
    assert f"to {verb} takes no other action" in manager.warned


def test_a_flag_may_report_all_that_are_disabled(watch):
    manager = watch(
        "disable_var = DISABLE\nenable_var = ENABLE\nexpunge_var = EXPUNGE\n"
        "disable_flag = LAST = id=$[RECENT_DISABLED]\nenable_flag = BACK = id=$[RECENT_ENABLED]\n"
        "able_flag = ALL = $[TOTAL_DISABLED]: $[ALL_DISABLED]"
    )
    manager.see(mail=[("DISABLE", "ben")])
    found = manager.see(mail=[("DISABLE", "contact=carl")])
    assert (found["LAST"], found["ALL"]) == ("id=carl", "2: carl,ben")
    found = manager.see(mail=[("ENABLE", "carl")])
    assert (found["BACK"], found["ALL"]) == ("id=carl", "1: ben")
    manager.see(mail=[("EXPUNGE", "ben")])
    assert manager.see(mail=[("DISABLE", "dan")])["ALL"] == "1: dan"
    assert manager.see(mail=[("ENABLE", "dan")])["BACK"] == "id=dan"


def test_of_many_disabled_contacts_the_last_are_remembered(watch, monkeypatch):
    monkeypatch.setattr(app, "MOST_NAMES", 3)
    manager = watch("disable_var = DISABLE\nable_flag = ALL = $[TOTAL_DISABLED]: $[ALL_DISABLED]")
    orders = [("DISABLE", f"v{number}") for number in range(30)]
    assert manager.see(mail=orders)["ALL"] == "3: v29,v28,v27"


@shows("able_flag")
def test_a_flag_may_report_whatever_is_enabled_or_disabled(watch):
    lines = [f"{verb}_var = {verb.upper()}" for verb in ("disable", "enable", "expunge")]
    manager = watch("\n".join([*lines, "able_flag = DONE = $[VNAME]"]))
    assert manager.see(mail=[("DISABLE", "ben")])["DONE"] == "ben"
    assert manager.see(mail=[("ENABLE", "carl")])["DONE"] == "carl"
    assert "DONE" not in manager.see(mail=[("EXPUNGE", "dan")])


@shows("alert_verbose")
@pytest.mark.parametrize(("line", "message"), [("", False), ("\nalert_verbose = true", True)])
def test_an_alert_may_be_reported(line, message, watch):
    manager = watch(NEAR + "alert_range=80" + line)
    found = manager.see(("ben", 0, 50))
    left = manager.see(("ben", 0, 90))
    for change, post in (("off-->alerted", found), ("alerted-->off", left)):
        expected = f"contact=ben,alert_id=avd,{change},alert_range=80,alert_range_cpa=80"
        assert post.get("ALERT_VERBOSE") == (expected if message else None)


def test_alerts_that_are_on_are_counted(watch):
    manager = watch(NEAR + "alert_range=80")
    assert manager.see(("ben", 0, 200))["CONTACTS_COUNT"] == 0
    assert manager.see(("ben", 0, 50), ("carl", 0, 60))["CONTACTS_COUNT"] == 2
    assert manager.see(("ben", 0, 200))["CONTACTS_COUNT"] == 1


def test_an_alert_looks_hours_ahead(watch):
    manager = watch(NEAR + "alert_range=80,cpa_range=600")
    assert "NEAR" in manager.see(("ben", 0, 590, 180, 0.1))
    assert "NEAR" not in watch(NEAR + "alert_range=80,cpa_range=600").see(("ben", 0, 590, 90, 2))


@shows("display_radii_id")
def test_circles_of_one_alert_alone_may_be_drawn(watch):
    alerts = "".join(f"alert = id={name},on_flag=A=1,alert_range=80\n" for name in ("avd", "say"))
    labels = {}
    for line in ("", "display_radii_id = say"):
        manager = watch(f"{alerts}display_radii = true\n{line}")
        manager.see()
        drawn = manager.driven.values("VIEW_CIRCLE")
        labels[line] = {text.partition("label=")[2].split(",")[0] for text in drawn}
    assert len(labels[""]) == 4
    assert labels["display_radii_id = say"] == {"alpha_say_alert", "alpha_say_cpa"}
    manager = watch(alerts)
    manager.see(mail=[("BCM_DISPLAY_RADII", "avd")])
    assert "alpha_avd_alert" in manager.driven.values("VIEW_CIRCLE")[0]
    for word, drawn in (("true", True), ("toggle", False), ("false", False), ("toggle", True)):
        found = manager.see(mail=[("BCM_DISPLAY_RADII", word)])
        assert ("VIEW_CIRCLE" in found and "active=false" not in found["VIEW_CIRCLE"]) == drawn


@shows("early_warning_range", "early_warning_rng", "early_warning_flag", "cease_warning_flag")
@pytest.mark.parametrize("name", ["early_warning_range", "early_warning_rng"])
def test_a_contact_that_comes_near_gives_a_warning_once_until_it_has_left(name, watch):
    flags = (
        "early_warning_flag = SEE = $[CONTACT] at $[RNG]\ncease_warning_flag = GONE = $[CONTACT]"
    )
    manager = watch(f"{name} = 100\n{flags}")
    assert "SEE" not in manager.see(("ben", 0, 101))
    assert manager.see(("ben", 0, 90))["SEE"] == "ben at 90"
    assert "SEE" not in manager.see(("ben", 0, 80))
    assert "GONE" not in manager.see(("ben", 0, 94))
    assert manager.see(("ben", 0, 95))["GONE"] == "ben"
    assert manager.see(("ben", 0, 90))["SEE"] == "ben at 90"


@shows("early_warning_ref_spd")
@pytest.mark.parametrize(
    ("heading", "speed", "warned"),
    [(180, 3, True), (180, 1.5, False), (170, 3, True), (120, 5, False)],
)
def test_a_fast_closing_contact_gives_an_earlier_warning(heading, speed, warned, watch):
    lines = "early_warning_range = 100\nearly_warning_ref_spd = 2\nearly_warning_flag = SEE = 1"
    found = watch(lines).see(("ben", 0, 140, heading, speed))
    assert ("SEE" in found) == warned
    assert "SEE" not in watch(lines).see(("ben", 0, 151, 180, 3))


@shows("early_warning_radii", "ewarn_radii_color")
@pytest.mark.parametrize(
    ("color", "drawn"), [("", "green"), ("\newarn_radii_color = dodger_blue", "dodger_blue")]
)
def test_the_range_of_early_warnings_may_be_drawn(color, drawn, watch):
    line = f"early_warning_radii = true{color}"
    assert "VIEW_CIRCLE" not in watch(line).see()
    found = watch(f"{line}\nearly_warning_range = 90").see()
    assert found["VIEW_CIRCLE"] == f"x=0,y=0,radius=90,label=ewarn_alpha,edge_color={drawn}"


@shows("retire_flag")
def test_flags_report_a_retired_contact(watch):
    manager = watch("contact_max_age = 10\nretire_flag = LOST = $[CONTACT]")
    manager.see(("ben", 0, 10))
    assert manager.see(dt=11)["LOST"] == "ben"


@shows("ownship_group", "ownship_type", "contact_local_coords")
def test_parameters_ignored_in_moos_ivp_are_read_without_a_warning(watch):
    lines = "ownship_group = red\nownship_type = ship\ncontact_local_coords = verbatim"
    manager = watch(f"{lines}\nignore_group = red\nstrict_ignore = false")
    assert manager.driven.app.config_warnings == []
    assert manager.see(("ben", 0, 50))["CONTACTS_LIST"] == "ben"


def test_a_report_that_is_not_usable_gives_a_warning(watch):
    manager = watch()
    manager.see(mail=[("NODE_REPORT", "NAME=ben,X=1")])
    assert "expected the UTC time" in manager.warned


def test_nothing_is_reported_without_navigation(drive):
    driven = drive(ContactMgr, "", name="pContactMgrV20")
    assert driven.tick(1.0, {"NODE_REPORT": "NAME=ben,X=1,Y=2,TIME=0"}) == {}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("match_name = :", "expected a name"),
        ("decay = 30,15", "expected BEGIN,END"),
        ("reject_range = 0", "above 0"),
        ("default_alert_range_color = nil", "expected a colour"),
        ("disable_var = two words", "expected a variable's name"),
        ("disable_flag = DONE", "expected VAR=value"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(line, expected, watch):
    with pytest.raises(ConfigError, match=expected):
        watch(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in ContactMgr.parameters} == shows.names


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("rng=5", "found rng"),
        ("alert_range=far", "expected a range in metres"),
        ("off_flag=AWAY", "expected VAR=value"),
        ("alert_range_color=nil", "alert_range_color: expected a colour"),
        ("strict_ignore=5", "expected true or false"),
        ("match_region=0,0", "expected"),
    ],
)
def test_an_alert_is_read_up_to_its_first_wrong_field_with_a_warning(wrong, expected, watch):
    """As MOOS-IvP's manager reads it: what comes before the field counts, and what follows not."""
    text = f"id=avd, on_flag=NEAR=$[VNAME], alert_range=80, {wrong}, alert_range=20, var=X, val=1"
    manager = watch(f"alert = {text}")
    (warning,) = manager.driven.app.config_warnings
    assert expected in warning
    assert warning.endswith(f"it is read up to {wrong.partition('=')[0]}, and no further")
    found = manager.see(("ben", 0, 50))
    assert found["NEAR"] == "ben"
    assert "X" not in found


def test_a_request_by_mail_is_read_up_to_its_first_wrong_field(watch):
    manager = watch(NEAR + "alert_range=80")
    request = "id=col, on_flag=COL=$[VNAME], alert_range=100, range=10"
    assert manager.see(("ben", 0, 90), mail=[("BCM_ALERT_REQUEST", request)])["COL"] == "ben"
    (warning,) = manager.driven.app.run_warnings
    assert "it is read up to range" in warning
