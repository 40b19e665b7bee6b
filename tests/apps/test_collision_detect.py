"""``uFldCollisionDetect``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from itertools import combinations
from math import cos, hypot, inf, radians, sin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import default_rng

from steerageway.apps.contacts.collision_detect.app import CollisionDetect
from steerageway.apps.contacts.collision_detect.monitor import Encounter, Monitor
from steerageway.bus import ConfigError
from steerageway.geometry.encounter import Track
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
ALL = "report_all_encounters = true\n"
shows = Shown()


class Meeting:
    """Ben lies at (0, 0); abe passes it, reporting each second, heading east at 4 m/s."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0
        self.posts = []
        self.x = -32.0

    def go(self, cpa, *, until=30.0, groups=("", ""), mail=()):
        """Let abe pass so far north of ben [m]; return the encounters that were reported."""
        self.x = -32.0
        while self.x <= until:
            self.see(
                ("abe", self.x, cpa, 90, 4, groups[0]), ("ben", 0, 0, 0, 0, groups[1]), mail=mail
            )
            mail = ()
            self.x += 4.0
        return self.reports()

    def see(self, *reports, mail=()):
        """Receive reports (name, x, y, heading, speed, group) and iterate a second later."""
        self.time += 1.0
        messages = [self.driven.message(k, v, self.time) for k, v in mail]
        for name, x, y, heading, speed, group in reports:
            where = f"X={x:.2f},Y={y:.2f},HDG={heading},SPD={speed}"
            text = f"NAME={name},{where},TIME={EPOCH + self.time:.2f},GROUP={group}"
            messages.append(self.driven.message("NODE_REPORT", text, self.time))
        self.driven.take(self.time, messages)
        self.posts += self.driven.posts

    def values(self, name):
        return [post.value for post in self.posts if post.name == name]

    def reports(self):
        return [
            {key: value.strip() for key, value in pairs(text)} for text in self.values("UCD_REPORT")
        ]


@pytest.fixture
def meet(drive):
    return lambda block="": Meeting(
        drive(CollisionDetect, block, name="uFldCollisionDetect", epoch=EPOCH)
    )


@shows("encounter_range", "near_miss_range", "collision_range")
@pytest.mark.parametrize(
    ("cpa", "block", "rank"),
    [
        (2.9, "", "collision"),
        (3.1, "", "near_miss"),
        (5.9, "", "near_miss"),
        (6.1, "", "clear"),
        (19.9, "", "clear"),
        (20.1, "", None),
        (7.9, "collision_range = 8", "collision"),
        (8.1, "collision_range = 8", "clear"),
        (9.9, "near_miss_range = 10", "near_miss"),
        (11.9, "encounter_range = 12", "clear"),
        (12.1, "encounter_range = 12", None),
    ],
)
def test_an_encounter_has_the_rank_of_its_minimum_range(meet, cpa, block, rank):
    found = meet(ALL + block).go(cpa)
    assert [one["rank"] for one in found] == ([rank] if rank else [])
    assert all(float(one["cpa"]) == pytest.approx(cpa, abs=0.4) for one in found)
    assert all((one["vname1"], one["vname2"]) == ("abe", "ben") for one in found)


@pytest.mark.slow
@settings(max_examples=20)
@given(course=st.floats(0, 360), speed=st.floats(1, 5), offset=st.floats(-15, 15))
def test_on_straight_courses_the_minimum_range_is_the_closest_approach(course, speed, offset):
    s, c = sin(radians(course)), cos(radians(course))
    start = Track(offset * c - 30.0 * speed * s, -offset * s - 30.0 * speed * c, course, speed)
    lying = Track(0.0, 0.0, 0.0, 0.0)
    monitor = Monitor(20.0)
    found = []
    for tick in range(120):
        found += monitor.look({"abe": start.ahead(speed * tick / 2), "ben": lying})
    (encounter,) = found
    assert abs(offset) - 1e-6 <= encounter.cpa <= hypot(offset, speed / 4) + 1e-6
    assert monitor.closest_ever == encounter.cpa


@pytest.mark.parametrize("width", [60.0, 600.0, 6000.0])
def test_in_a_fleet_each_pair_is_watched_as_if_it_were_alone(width):
    """Courses that cross, vessels that come and go, and a group: pair by pair, and all at once."""
    rng = default_rng(7)
    names = [f"v{number}" for number in range(12)]
    starts = dict(zip(names, rng.uniform(-width / 2, width / 2, (12, 2)), strict=True))
    courses = dict(zip(names, rng.uniform(0, 360, 12), strict=True))
    ignored = names[:3]
    together = Monitor(20.0)
    apart = {two: Monitor(20.0) for two in combinations(sorted(names), 2)}
    for tick in range(120):
        tracks = {
            name: Track(*start, courses[name], 3.0).ahead(tick / 2)
            for name, start in starts.items()
            if (tick // 30 + int(name[1:])) % 5
        }
        expected = []
        for two, monitor in apart.items():
            pair = {name: tracks[name] for name in two if name in tracks}
            expected += monitor.look(pair, ignored)
        assert together.look(tracks, ignored) == expected
        closest = min(monitor.closest for monitor in apart.values())
        assert together.closest == closest < inf
    assert together.closest_ever == min(monitor.closest_ever for monitor in apart.values())


def test_jitter_of_less_than_a_metre_ends_no_encounter():
    monitor = Monitor(20.0)
    ranges = [30.0 - n / 2 for n in range(50)]
    jittering = [away + (0.4 if n % 2 else -0.4) for n, away in enumerate(ranges)]
    tracks = [{"abe": Track(away, 0, 0, 0), "ben": Track(0, 0, 0, 0)} for away in jittering]
    assert [one for track in tracks for one in monitor.look(track)] == []
    (encounter,) = monitor.look({"abe": Track(20, 0, 0, 0), "ben": Track(0, 0, 0, 0)})
    assert encounter.cpa == pytest.approx(min(jittering))


def test_a_jump_out_of_range_ends_an_encounter_too():
    monitor = Monitor(20.0)
    lying = Track(0, 0, 0, 0)
    looks = [monitor.look({"abe": Track(x, 0, 0, 0), "ben": lying}) for x in (25, 15, 5, 500, 9)]
    assert [len(found) for found in looks] == [0, 0, 0, 1, 0]
    assert looks[3][0].cpa == 5


def test_between_reports_a_vessel_moves_by_dead_reckoning(meet):
    watch = meet(ALL)
    watch.see(("abe", -30, 2, 90, 4, ""), ("ben", 0, 0, 0, 0, ""))
    for _ in range(14):
        watch.see()
    (found,) = watch.reports()
    assert float(found["cpa"]) == pytest.approx(2, abs=1)


def test_each_encounter_is_counted_once_and_totals_start_at_zero(meet):
    watch = meet()
    started = {post.name: post.value for post in watch.driven.started}
    assert [started[f"{kind}_TOTAL"] for kind in ("ENCOUNTER", "NEAR_MISS", "COLLISION")] == [0] * 3
    for cpa in (2, 5, 5, 10, 30):
        watch.go(cpa, until=50)
    assert watch.values("ENCOUNTER_TOTAL") == [1, 2, 3, 4]
    assert watch.values("NEAR_MISS_TOTAL") == [1, 2]
    assert watch.values("COLLISION_TOTAL") == [1]


@shows("report_all_encounters")
def test_clear_encounters_are_reported_if_they_are_to_be(meet):
    assert meet().go(10) == []
    assert len(meet(ALL).go(10)) == 1


@pytest.mark.parametrize(
    ("north", "sides", "ends"), [(5, "star:star", "aft:aft"), (-5, "port:port", "aft:aft")]
)
def test_a_report_shows_how_they_passed(meet, north, sides, ends):
    watch = meet()
    for x in range(-30, 30, 2):
        reports = ("abe", x, north, 90, 2, ""), ("ben", -x, 0, 270, 2, "")
        watch.see(*reports)
    (found,) = watch.reports()
    assert (found["ptype"], found["xtype"]) == (sides, ends)
    assert float(found["alpha"]) == pytest.approx(float(found["beta"]), abs=0.01)


@pytest.mark.parametrize(
    ("beta", "alpha", "sides", "ends"),
    [
        (185.0, 175.0, "port:star", "aft:aft"),
        (5.0, 355.0, "star:port", "fore:fore"),
        (95.0, 85.0, "star:star", "aft:fore"),
        (275.0, 265.0, "port:port", "fore:aft"),
    ],
)
def test_sides_and_ends_are_those_of_the_first_vessel_first(beta, alpha, sides, ends):
    found = Encounter("abe", "ben", 2.0, (0.0, 0.0), alpha, beta)
    assert (found.sides, found.ends) == (sides, ends)


def test_an_encounter_is_halfway_between_the_two_with_both_relative_bearings():
    monitor, lying = Monitor(20.0), Track(110.0, 40.0, 90.0, 0.0)
    found = []
    for y in (60.0, 50.0, 48.0, 56.0):  # due north of ben, which heads east; abe heads north
        found += monitor.look({"abe": Track(110.0, y, 0.0, 2.0), "ben": lying})
    (one,) = found
    assert (one.one, one.other, one.cpa) == ("abe", "ben", 8.0)
    assert one.place == (110.0, 48.0)
    assert (one.alpha, one.beta) == (270.0, 180.0)  # on ben's port beam; right astern of abe


@shows("encounter_flag", "near_miss_flag", "collision_flag")
def test_flags_are_posted_by_rank_with_their_macros(meet):
    block = (
        "encounter_flag = MET=$V1 and $V2\nencounter_flag = MET_$UP_V1=$IDX\n"
        "near_miss_flag = NEAR_$V1_$V2=cpa=$CPA,up=$UP_V2\n"
        "collision_flag = HIT_$IDX=$CPA\ncollision_flag = CROWD=$[V1@40]\n"
        "collision_flag = ALONE=$[ben@1] of $[v2@99]\ncollision_flag = COST=100\n"
    )
    watch = meet(block)
    watch.go(10)
    values = {post.name: post.value for post in watch.posts}
    assert (values["MET"], values["MET_ABE"]) == ("abe and ben", 1.0)
    assert not {"HIT_1", "COST"} & set(values)
    watch.go(5, until=50)
    values = {post.name: post.value for post in watch.posts}
    assert values["NEAR_abe_ben"].startswith("cpa=5")
    assert values["NEAR_abe_ben"].endswith(",up=BEN")
    watch.go(2, until=50)
    values = {post.name: post.value for post in watch.posts}
    assert values["HIT_3"] == pytest.approx(2, abs=0.5)
    assert (values["CROWD"], values["ALONE"], values["COST"]) == (1.0, "0 of 1", 100.0)


@shows("condition")
def test_encounters_count_only_while_the_conditions_hold(meet):
    watch = meet("condition = DEPLOY_ALL = true\ncondition = LEVEL > 2")
    assert {"DEPLOY_ALL", "LEVEL"} <= set(watch.driven.registered)
    assert watch.go(2) == []
    assert watch.go(2, mail=[("DEPLOY_ALL", "true")]) == []
    assert len(watch.go(2, mail=[("LEVEL", 3.0)])) == 1


@shows("ignore_group", "reject_group")
@pytest.mark.parametrize(
    ("block", "groups", "count"),
    [
        ("ignore_group = Red", ("red", "RED"), 0),
        ("ignore_group = red", ("red", "blue"), 1),
        ("ignore_group = red\nignore_group = blue", ("red", "blue"), 0),
        ("ignore_group = red", ("", ""), 1),
        ("reject_group = Red", ("red", "blue"), 0),
        ("reject_group = red", ("blue", ""), 1),
        ("reject_group = red\nreject_group = blue", ("blue", ""), 0),
    ],
)
def test_groups_may_not_count(meet, block, groups, count):
    assert len(meet(block).go(2, groups=groups)) == count


@shows("pulse_render", "pulse_range", "pulse_duration")
def test_near_misses_and_collisions_are_drawn(meet):
    def pulse(cpa, block=""):
        watch = meet(block)
        watch.go(cpa)
        return [dict(pairs(text)) for text in watch.values("VIEW_RANGE_PULSE")]

    (near,), (hit,) = pulse(5), pulse(2)
    assert (near["edge_color"], hit["fill_color"]) == ("yellow", "red")
    assert (near["radius"], near["duration"]) == ("20", "10.00")
    assert float(near["y"]) == pytest.approx(2.5)
    assert pulse(10, ALL) == []
    assert pulse(2, "pulse_render = false") == []
    (small,) = pulse(2, "pulse_range = 7\npulse_duration = 3")
    assert (small["radius"], small["duration"]) == ("7", "3.00")


@shows("encounter_rings")
def test_each_vessel_has_a_ring_of_the_encounter_range(meet):
    def rings(block):
        watch = meet(block)
        watch.see(("abe", 1, 2, 90, 0, ""))
        return watch.values("VIEW_CIRCLE")

    look = "label=aberng,label_color=off,edge_color=white"
    assert rings("encounter_range = 12") == [f"x=1,y=2,radius=12,{look}"]
    assert rings("encounter_rings = false") == []


@shows("post_closest_range", "post_closest_range_ever")
def test_closest_ranges_are_posted_if_they_are_to_be(meet):
    watch = meet("post_closest_range = true\npost_closest_range_ever = true")
    still = ("ben", 0, 0, 0, 0, "")
    watch.see(("abe", 50, 0, 0, 0, ""))
    watch.see(("abe", 50, 0, 0, 0, ""), still)
    watch.see(("abe", 9, 0, 0, 0, ""))
    watch.see(("abe", 70, 0, 0, 0, ""))
    assert watch.values("UCD_CLOSEST_RANGE") == [50, 9, 70]
    assert watch.values("UCD_CLOSEST_RANGE_EVER") == [50, 9, 9]
    watch.see(still, mail=[("UCD_RESET", "true")])
    assert watch.values("UCD_CLOSEST_RANGE_EVER")[-1] == 70
    assert not watch.driven.app.run_warnings  # before there are two, nothing is posted
    watch = meet()
    watch.go(2)
    assert watch.values("UCD_CLOSEST_RANGE") + watch.values("UCD_CLOSEST_RANGE_EVER") == []


def test_each_vessel_receives_the_encounter_ranges_once(meet):
    watch = meet()
    watch.go(2)
    expected = "collision_range=3, near_miss_range=6, encounter_range=20"
    assert watch.values("COLLISION_DETECT_PARAMS_ABE") == [expected]
    assert {post.name: post.value for post in watch.driven.started}[
        "COLLISION_DETECT_PARAMS"
    ] == expected


def test_ranges_out_of_order_are_raised_with_a_warning(meet):
    watch = meet("collision_range = 30")
    assert len(watch.driven.app.config_warnings) == 2
    (found,) = watch.go(25, until=60)
    assert found["rank"] == "collision"


def test_an_invalid_report_is_a_warning(meet):
    watch = meet()
    watch.see(mail=[("NODE_REPORT", "NAME=abe,X=1")])
    (warning,) = watch.driven.app.run_warnings
    assert warning.startswith("NODE_REPORT")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("encounter_range = -1", "at least 0"),
        ("collision_flag = HIT", "expected VAR=value"),
        ("condition = (A", "condition = "),
        ("ignore_group = a b", "expected the name of a group"),
        ("reject_group =", "expected the name of a group"),
        ("pulse_render = maybe", "expected true or false"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(meet, line, expected):
    with pytest.raises(ConfigError, match=expected):
        meet(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in CollisionDetect.parameters} == shows.names
