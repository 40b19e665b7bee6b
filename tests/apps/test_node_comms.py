"""``uFldNodeComms``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from math import cos, hypot, pi, sin, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.apps.communication.node_comms.acoustic import AcousticOptions
from steerageway.apps.communication.node_comms.app import NodeComms
from steerageway.apps.communication.node_comms.medium import Medium
from steerageway.apps.communication.node_comms.options import CommsOptions
from steerageway.bus import Config, ConfigError
from steerageway.helm.contact import ContactList
from steerageway.moos.node_message import NodeMessage
from steerageway.moos.node_report import parse
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown
from tests.objects import kept

EPOCH = 1_000_000.0
FAR = "critical_range = 0\n"  # so that nothing passes only because it is near
MAIL = NodeMessage("RETURN", "true", source="abe", to="ben").text()
shows = Shown()


class Water:
    """The vessels of a fleet and their reports and messages; a report is (name, x, y[, more])."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0

    def receive(self, *reports, mail=(), dt=1.0):
        """Iterate ``dt`` later with reports and other mail; return what was posted, in order."""
        self.time = round(self.time + dt, 6)
        reported = [("NODE_REPORT", self.report(*report)) for report in reports]
        messages = [self.driven.message(k, v, self.time) for k, v in (*reported, *mail)]
        self.driven.take(self.time, messages)
        return [(post.name, post.value) for post in self.driven.posts]

    def report(self, name, x, y, more=""):
        """Write a vessel's report."""
        utc = EPOCH + self.time
        return f"NAME={name},X={x:.2f},Y={y:.2f},SPD=1,HDG=90,TYPE=kayak,TIME={utc:.2f}{more}"

    def passed(self, *reports, **more):
        """Return the pairs (from, to) between which reports pass, in order."""
        return [
            (parse(text).name, name.removeprefix("NODE_REPORT_").lower())
            for name, text in self.receive(*reports, **more)
            if name.startswith("NODE_REPORT_")
        ]

    def got(self, *mail, **more):
        """Return the variables under which messages are passed on."""
        found = self.receive(*more.pop("reports", ()), mail=mail, **more)
        return [name for name, _ in found if "MESSAGE" in name]

    def named(self, name, *reports, **more):
        """Return the posts of a name."""
        return [
            value for posted_name, value in self.receive(*reports, **more) if posted_name == name
        ]


@pytest.fixture
def water(drive):
    return lambda block="": Water(drive(NodeComms, block, name="uFldNodeComms", epoch=EPOCH))


def two(apart):
    """Return the reports of abe and, so far east of it, ben."""
    return ("abe", 0, 0), ("ben", apart, 0)


def test_a_report_goes_to_the_others_and_not_back(water):
    found = water().passed(("abe", 0, 0), ("ben", 10, 0), ("cal", 0, 10))
    names = ("abe", "ben", "cal")
    assert found == [(a, b) for a in names for b in names if a != b]


@pytest.mark.parametrize("medium", ["", "medium = acoustic\n"])
def test_vessels_that_are_gone_leave_nothing_behind(water, medium):
    block = "stale_after = 1\nmin_rpt_interval = 0.1\nmin_msg_interval = 0.1\n"
    sea = water(block + medium + "shared_node_reports = 1\n")
    sizes = []
    for wave in range(50):
        names = [f"v{wave}a", f"v{wave}b"]
        mail = NodeMessage("GO", "true", source=names[0], to=names[1]).text()
        for _ in range(3):
            sea.receive(
                *((n, 10 * k, 0) for k, n in enumerate(names)), mail=[("NODE_MESSAGE", mail)]
            )
        sea.receive(dt=21)  # 20 times ``stale_after`` without a report
        if wave in (4, 49):
            sizes.append(kept(vars(sea.driven.app)))
    assert abs(sizes[1] - sizes[0]) < 10


def test_forwarded_reports_keep_their_text(water):
    sea = water()
    sea.receive(("ben", 10, 0))
    (text,) = sea.named("NODE_REPORT_BEN", ("abe", 1.25, -3, ",MODE=SURVEY,FUEL=80,LENGTH=4"))
    assert parse(text) == parse(sea.report("abe", 1.25, -3, ",MODE=SURVEY,FUEL=80,LENGTH=4"))


def test_a_local_report_is_treated_like_any_other(water):
    sea = water()
    sea.receive(("ben", 10, 0))
    mail = [("NODE_REPORT_LOCAL", sea.report("abe", 0, 0))]
    assert sea.passed(mail=mail) == [("abe", "ben")]


@shows("comms_range")
@pytest.mark.parametrize("apart", [99.9, 100, 100.1])
def test_reports_reach_as_far_as_the_range(water, apart):
    assert bool(water(FAR).passed(*two(apart))) == (apart <= 100)
    assert bool(water(FAR + "comms_range = 50").passed(*two(apart / 2))) == (apart <= 100)


def test_a_negative_range_has_no_limit_and_zero_is_silence(water):
    for far in ("nolimit", "NoLimit", "-1"):
        assert len(water(FAR + f"comms_range = {far}").passed(*two(1e6))) == 2
    assert water(FAR + "comms_range = 0").passed(*two(0)) == [("abe", "ben"), ("ben", "abe")]
    assert water(FAR + "comms_range = 0").passed(*two(0.1)) == []


def test_in_a_large_fleet_reports_reach_exactly_those_in_range_in_the_order_of_the_fleet(water):
    random = Random(2)
    fleet = [(f"v{n}", random.uniform(0, 1000), random.uniform(0, 1000)) for n in range(80)]
    sea = water(FAR + "stealth = vname=v3,stealth=0.5\nearange = vname=v5,earange=3")
    reach = {(a, b): 100 * (0.5 if a == "v3" else 1) * (3 if b == "v5" else 1)
             for a, _, _ in fleet for b, _, _ in fleet if a != b}  # fmt: skip
    near = [
        (a, b)
        for a, x, y in fleet
        for b, east, north in fleet
        if a != b and hypot(east - x, north - y) <= reach[a, b]
    ]
    assert len(near) > 100
    assert sea.passed(*fleet) == near
    held = f"reports held: range: {len(reach) - len(near)}"
    assert held in sea.driven.app.report()


@settings(max_examples=30)
@given(
    places=st.lists(st.tuples(st.floats(0, 400), st.floats(0, 2 * pi)), min_size=2, max_size=6),
    reach=st.floats(1, 400),
)
def test_reports_are_delivered_within_range(places, reach):
    block = {"comms_range": f"{reach}", "critical_range": "0"}
    options = CommsOptions.read(Config([(key, value, "here") for key, value in block.items()]))
    medium = Medium(options, Random(1))
    ledger = ContactList("", 10.0)
    for number, (away, angle) in enumerate(places):
        x, y = away * cos(angle), away * sin(angle)
        ledger.take(f"NAME=v{number},X={x:.9f},Y={y:.9f},TIME=0", 0.0)
    for one in ledger:
        for other in ledger:
            apart = hypot(one.track.x - other.track.x, one.track.y - other.track.y)
            held = medium.holds_report(one, other, 0.0)
            assert held == ("" if apart <= reach else "range")


@shows("critical_range", "groups", "drop_percentage")
def test_within_the_critical_range_every_report_passes(water):
    closed = "drop_percentage = 100\ngroups = true\ncomms_range = 0\nmin_rpt_interval = 99\n"
    sea = water(closed + "critical_range = 40")
    reports = ("abe", 0, 0, ",GROUP=red"), ("ben", 40, 0, ",GROUP=blue")
    assert len(sea.passed(*reports)) == 2
    assert len(sea.passed(*reports)) == 2
    assert water(closed + "critical_range = 39").passed(*reports) == []
    assert len(water(closed).passed(*two(30))) == 2


def test_a_range_below_the_critical_one_is_reported_as_ineffective(drive):
    block = "comms_range = 10"
    (warning,) = drive(NodeComms, block).app.config_warnings
    assert warning == "comms_range = 10: reports reach 30 m all the same, by critical_range"
    for right in (f"{block}\ncritical_range = 10", "comms_range = -1", ""):
        assert not drive(NodeComms, right).app.config_warnings


@shows("stealth")
@pytest.mark.parametrize("name", ["abe", "Abe"])
@pytest.mark.parametrize("factor", [0.5, 0.25])
def test_a_stealthy_vessel_is_received_at_a_shorter_range_and_receives_as_before(
    water, name, factor
):
    reach, ben = 100 * factor, ("ben", 0, 0)
    sea = water(FAR + f"stealth = vname=aBE,stealth={factor}")
    assert sea.passed((name, reach + 1, 0), ben) == [("ben", name.lower())]
    assert len(sea.passed((name, reach - 1, 0), ben)) == 2
    assert sea.passed((name, 99, 0), ben) == [("ben", name.lower())]
    assert sea.passed((name, 101, 0), ben) == []


def test_complete_stealth_is_silence_even_with_unlimited_range(water):
    sea = water(FAR + "comms_range = nolimit\nstealth = vname=abe,stealth=0")
    assert sea.passed(*two(1)) == [("ben", "abe")]


@shows("earange")
def test_a_vessel_with_earange_receives_from_farther_away(water):
    sea = water(FAR + "earange = vname=abe,earange=2\nearange = vname=ben,earrange=1.5")
    assert len(sea.passed(*two(149))) == 2
    assert sea.passed(*two(151)) == [("ben", "abe")]
    assert sea.passed(*two(201)) == []


def test_stealth_and_earange_multiply(water):
    sea = water(FAR + "stealth = vname=abe,stealth=0.5\nearange = vname=ben,earange=3")
    assert sea.passed(*two(149)) == [("abe", "ben")]


def test_groups_are_separated_if_configured(water):
    reports = (
        ("abe", 0, 0, ",GROUP=red"),
        ("ben", 50, 0, ",GROUP=blue"),
        ("cal", 0, 50, ",GROUP=RED"),
    )
    assert len(water(FAR).passed(*reports)) == 6
    assert water(FAR + "groups = true").passed(*reports) == [("abe", "cal"), ("cal", "abe")]


@shows("stale_time")
def test_a_vessel_silent_for_too_long_receives_nothing(water):
    for block, age in (("", 5), ("stale_time = 2", 2)):
        sea = water(FAR + block)
        sea.receive(*two(50))
        assert sea.passed(("abe", 0, 0), dt=age) == [("abe", "ben")]
        assert sea.passed(("abe", 0, 0), dt=0.25) == []
    sea = water(FAR + "stale_time = -1")
    sea.receive(*two(50))
    assert sea.passed(("abe", 0, 0), dt=1e5) == [("abe", "ben")]


def test_a_vessel_silent_for_twenty_stale_times_is_removed(water):
    sea = water()
    sea.receive(*two(20))
    assert sea.passed(("abe", 0, 0), dt=100) == [("abe", "ben")]
    assert sea.passed(("abe", 0, 0), dt=1) == []


@shows("min_rpt_interval")
def test_reports_of_a_pair_keep_their_distance_in_time(water):
    sea = water(FAR + "min_rpt_interval = 2\ncomms_range = 60")
    seen = [len(sea.passed(*two(50), dt=0.5)) for _ in range(10)]
    assert seen == [2, 0, 0, 0, 2, 0, 0, 0, 2, 0]


@shows("min_msg_interval")
def test_messages_of_a_vessel_keep_their_distance_in_time(water):
    for block, gap in (("", 30.0), ("min_msg_interval = 3", 3.0)):
        sea = water(block)
        mail = ("NODE_MESSAGE", MAIL)
        assert sea.got(mail, mail, reports=two(50)) == ["NODE_MESSAGE_BEN"]
        assert sea.got(mail, reports=two(50), dt=gap - 0.1) == []
        assert sea.got(mail, reports=two(50), dt=0.1) == ["NODE_MESSAGE_BEN"]


@shows("max_msg_length")
def test_a_message_may_be_too_long(water):
    def mail(length):
        return "NODE_MESSAGE", NodeMessage("A", "x" * length, source="abe", to="ben").text()

    for block, most in (("", 1000), ("max_msg_length = 10", 10)):
        assert water(block).got(mail(most), reports=two(50)) == ["NODE_MESSAGE_BEN"]
        assert water(block).got(mail(most + 1), reports=two(50)) == []
    assert water("max_msg_length = 0").got(mail(5000), reports=two(50)) == ["NODE_MESSAGE_BEN"]


@pytest.mark.parametrize(
    ("to", "group", "who"),
    [
        ("ben", "", "BEN"),
        ("BEN:dee", "", "BEN DEE"),
        ("all", "", "BEN CAL DEE"),
        ("", "all", "BEN CAL DEE"),
        ("", "red", "CAL DEE"),
        ("all", "red", "CAL DEE"),
        ("ben", "Red", "BEN CAL DEE"),
        ("eve", "", ""),
        ("abe", "", ""),
    ],
)
def test_a_message_goes_to_those_it_names(water, to, group, who):
    mail = NodeMessage("A", 1.5, source="abe", to=to, group=group).text()
    reports = [("abe", 0, 0, ",GROUP=red"), ("ben", 9, 0)]
    reports += [(name, 5, 5, ",GROUP=red") for name in ("cal", "dee")]
    found = water().got(("NODE_MESSAGE", mail), reports=reports)
    assert found == [f"NODE_MESSAGE_{name}" for name in who.split()]


@shows("msg_groups")
def test_messages_may_have_to_stay_within_a_group(water):
    reports = ("abe", 0, 0, ",GROUP=red"), ("ben", 50, 0, ",GROUP=blue")
    mail = ("NODE_MESSAGE", MAIL)
    assert water("groups = true").got(mail, reports=reports) == ["NODE_MESSAGE_BEN"]
    assert water("msg_groups = true").got(mail, reports=reports) == []


def test_a_message_needs_range_and_two_vessels_that_are_known(water):
    mail = ("NODE_MESSAGE", MAIL)
    assert water().got(mail, reports=two(100.1)) == []
    assert water().got(mail, reports=[("ben", 0, 0)]) == []
    assert water("comms_range = 0").got(mail, reports=two(1)) == []


def test_a_message_names_the_app_it_came_from(water):
    (text,) = water().named("NODE_MESSAGE_BEN", *two(5), mail=[("NODE_MESSAGE", MAIL)])
    assert dict(pairs(text))["src_app"] == "pTest"


def test_a_message_that_requests_an_ack_and_the_ack_have_separate_names(water):
    requested = NodeMessage("A", 1.0, source="abe", to="ben", ack_id="abe_1", wants_ack=True)
    sea = water("min_msg_interval = 0")
    mail = ("MEDIATED_MESSAGE", requested.text())
    assert sea.got(mail, reports=two(5)) == ["MEDIATED_MESSAGE_BEN"]
    answer = ("ACK_MESSAGE", "id=abe_1,src=ben,dest=abe")
    assert sea.got(answer, reports=two(5)) == ["ACK_MESSAGE_ABE"]


def test_an_ack_goes_only_to_its_addressee(water):
    sea, fleet = water(), [("Abe", 0, 0), ("ben", 5, 0), ("cal", 0, 5)]
    assert sea.got(("ACK_MESSAGE", "id=7,src=ben,dest=ABE"), reports=fleet) == ["ACK_MESSAGE_ABE"]
    assert sea.got(("ACK_MESSAGE", "id=8,src=cal,dest=eve"), reports=fleet) == []


def test_names_and_groups_of_vessels_are_the_same_in_any_case(water):
    sea, fleet = water(), [("abe", 0, 0), ("Ben", 5, 0), ("cal", 0, 5, ",GROUP=Red")]
    text = NodeMessage("A", 1.0, source="ABE", to="bEN", group="rED").text()
    both = ["NODE_MESSAGE_BEN", "NODE_MESSAGE_CAL"]
    assert sea.got(("NODE_MESSAGE", text), reports=fleet) == both


@shows("comms_delay")
@pytest.mark.parametrize("delay", [0.0, 0.7, 2.0])
def test_all_deliveries_are_delayed_by_the_delay(water, delay):
    sea = water(f"comms_delay = {delay}\nmin_msg_interval = 0")
    late = []
    for _ in range(100):
        found = sea.receive(*two(50), mail=[("NODE_MESSAGE", MAIL)], dt=0.1)
        reports = [text for name, text in found if name == "NODE_REPORT_BEN"]
        late += [sea.time - (parse(text).time - EPOCH) for text in reports]
        assert len(reports) == len([1 for name, _ in found if name == "NODE_MESSAGE_BEN"])
    assert late == pytest.approx([delay] * len(late), abs=0.011)  # stamps have two decimals
    assert len(late) == 100 - round(delay / 0.1)


@pytest.mark.parametrize("percent", [3, 25, 90])
def test_the_configured_percentage_is_lost(water, percent):
    sea = water(f"drop_percentage = {percent}\ncomms_range = 60\n" + FAR)
    rounds, lost = 300, dict.fromkeys([("abe", "ben"), ("ben", "abe")], 0)
    for _ in range(rounds):
        found = sea.passed(*two(50))
        for pair in lost:
            lost[pair] += pair not in found
    share = percent / 100
    sigma = sqrt(rounds * share * (1 - share))
    assert all(abs(count - rounds * share) < 4 * sigma for count in lost.values())


def test_losses_come_one_by_one(water):
    sea = water("drop_percentage = 50\n" + FAR)
    both = [("abe", "ben"), ("ben", "abe")]
    rounds = [
        [pair in found for pair in both] for found in (sea.passed(*two(50)) for _ in range(400))
    ]
    together = sum(one == other for one, other in rounds)
    again = sum(now[0] == then[0] for now, then in zip(rounds[1:], rounds, strict=False))
    assert abs(together - 200) < 4 * 10
    assert abs(again - 199.5) < 4 * 10


def test_a_seed_determines_the_losses(drive):
    def lost(seed):
        sea = Water(drive(NodeComms, FAR + "drop_percentage = 50", epoch=EPOCH, seed=seed))
        return [tuple(sea.passed(*two(50))) for _ in range(40)]

    assert lost(1) == lost(1)
    assert lost(1) != lost(2)


def test_messages_are_lost_as_reports_are(water):
    sea = water("drop_percentage = 40\nmin_msg_interval = 0")
    got = sum(len(sea.got(("NODE_MESSAGE", MAIL), reports=two(50))) for _ in range(400))
    assert abs(got - 240) < 4 * sqrt(400 * 0.4 * 0.6)


@shows("view_node_rpt_pulses", "pulse_duration", "msg_color", "msg_repeat_color")
def test_pulses_show_delivered_messages(water):
    def pulses(block, color=""):
        mail = NodeMessage(
            "A", 1.0, source="abe", to="ben", color=color, ack_id="a1", wants_ack=True
        )
        sea = water(block + "\nmin_msg_interval = 0")
        mails = [("NODE_MESSAGE", mail.text())] * 2
        return [dict(pairs(text)) for text in sea.named("VIEW_COMMS_PULSE", *two(80), mail=mails)]

    report, back, first, again = pulses("")
    assert (report["sx"], report["tx"], report["ptype"]) == ("0", "80", "nrep")
    assert (report["label"], back["label"]) == ("ABE2BEN", "BEN2ABE")
    assert (report["duration"], report["beam_width"], report["fill"]) == ("10.00", "8", "0.35")
    assert (first["fill_color"], again["fill_color"]) == ("white", "light_green")
    assert [one["ptype"] for one in pulses("view_node_rpt_pulses = false")] == ["msg"] * 2
    assert pulses("pulse_duration = 3")[0]["duration"] == "3.00"
    assert pulses("pulse_duration = 0") == []
    assert pulses("msg_color = red\nmsg_repeat_color = blue")[2]["fill_color"] == "red"
    assert pulses("msg_color = red\nmsg_repeat_color = blue")[3]["fill_color"] == "blue"
    assert pulses("msg_color = red", color="gold")[2]["fill_color"] == "gold"
    assert len(pulses("msg_color = off\nmsg_repeat_color = invisible")) == 2


def test_a_message_to_several_is_a_repetition_only_when_it_comes_again(water):
    text = NodeMessage("A", 1.0, source="abe", to="ben:cal", ack_id="a1").text()
    sea = water("min_msg_interval = 0\nview_node_rpt_pulses = false")
    fleet = [("abe", 0, 0), ("ben", 50, 0), ("cal", 0, 50)]
    mails = [("NODE_MESSAGE", text)] * 2
    pulses = [dict(pairs(one)) for one in sea.named("VIEW_COMMS_PULSE", *fleet, mail=mails)]
    assert [one["fill_color"] for one in pulses] == ["white"] * 2 + ["light_green"] * 2


def test_dropped_messages_are_not_drawn(water):
    assert water().named("VIEW_COMMS_PULSE", *two(101)) == []


@shows("shared_node_reports")
def test_reports_may_be_shared_for_a_viewer(water):
    def count(block):
        sea = water(block)
        return sum(len(sea.named("NODE_REPORT_UNC", ("abe", 0, 0), dt=0.25)) for _ in range(8))

    assert count("") == 0
    assert count("shared_node_reports = false") == 0
    assert count("shared_node_reports = true") == 8
    assert count("shared_node_reports = 0.5") == 4


@pytest.mark.parametrize("line", ["stealth = vname=abe,stealth=1", "earange = VNAME=abe,EARANGE=1"])
def test_a_factor_of_one_changes_nothing(water, line):
    assert len(water(FAR + line).passed(*two(100))) == 2
    assert water(FAR + line).passed(*two(100.1)) == []


def test_the_appcast_counts_messages(water):
    sea, mail = water(), ("NODE_MESSAGE", MAIL)
    far = ("NODE_MESSAGE", NodeMessage("A", 1.0, source="cal", to="ben").text())
    sea.got(mail, mail, far, reports=[*two(50), ("cal", 900, 0)])
    counts = {"messages heard: 3", "messages passed: 1", "messages held: range: 1"}
    assert counts | {"messages too soon: 1"} <= set(sea.driven.app.report())


@shows("verbose", "debug")
def test_the_appcast_shows_held_messages(water):
    for block, expected in (("", 0), ("verbose = true", 2), ("debug = true", 2)):
        sea = water(block)
        sea.receive(*two(500))
        assert sea.driven.app.appcast().count("not passed") == expected
        assert "reports held: range: 2" in sea.driven.app.appcast()


@pytest.mark.parametrize(
    ("order", "value", "apart", "before", "after"),
    [
        ("UNC_COMMS_RANGE", 200.0, 150, 0, 2),
        ("UNC_COMMS_RANGE", -1.0, 150, 0, 2),
        ("UNC_COMMS_RANGE", 0.0, 80, 2, 0),
        ("UNC_EARANGE", "vname=abe,earange=2", 150, 0, 1),
        ("UNC_STEALTH", "vname=abe,stealth=0.5", 80, 2, 1),
        ("UNC_DROP_PCT", 100.0, 80, 2, 0),
    ],
)
def test_mail_changes_delivery(water, order, value, apart, before, after):
    sea = water()
    assert len(sea.passed(*two(apart))) == before
    assert len(sea.passed(*two(apart), mail=[(order, value)])) == after


def test_mail_switches_pulses_and_sharing(water):
    sea = water()
    off = [("UNC_VIEW_NODE_RPT_PULSES", "false"), ("UNC_SHARED_NODE_REPORTS", "true")]
    names = [name for name, _ in sea.receive(*two(50), mail=off)]
    assert "VIEW_COMMS_PULSE" not in names
    assert names.count("NODE_REPORT_UNC") == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NODE_REPORT", "NAME=abe"),
        ("NODE_MESSAGE", "src_node=abe"),
        ("ACK_MESSAGE", "src=abe"),
        ("UNC_STEALTH", "vname=abe,stealth=2"),
        ("UNC_EARANGE", "earange=2"),
        ("UNC_DROP_PCT", 101.0),
        ("UNC_COMMS_RANGE", "far"),
        ("UNC_VIEW_NODE_RPT_PULSES", "perhaps"),
        ("UNC_SHARED_NODE_REPORTS", "-1"),
    ],
)
def test_invalid_mail_is_a_warning_that_names_it(water, name, value):
    sea = water()
    sea.receive(*two(5), mail=[(name, value)])
    (warning,) = sea.driven.app.run_warnings
    assert warning.startswith(name)
    assert "expected" in warning


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("stealth = stealth=0.5", "expected vname=NAME"),
        ("stealth = vname=abe", "stealth is missing: expected a number from 0 to 1"),
        ("comms_range = far", "expected a number"),
        ("critical_range = -1", "at least 0"),
        ("drop_percentage = 101", "from 0 to 100"),
        ("comms_delay = -1", "at least 0"),
        ("max_msg_length = -1", "at least 0"),
        ("msg_color = nil", "expected a colour"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(line, expected, water):
    with pytest.raises(ConfigError, match=expected):
        water(line)


def test_every_parameter_has_a_test():
    elsewhere = {one.name for one in AcousticOptions.parameters()}  # test_acoustic_comms
    assert {one.name for one in NodeComms.parameters} - elsewhere == shows.names
