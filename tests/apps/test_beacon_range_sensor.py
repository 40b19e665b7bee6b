"""``uFldBeaconRangeSensor``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from statistics import fmean, pstdev

import pytest

from steerageway.apps.sensing.beacon_range_sensor import BeaconRangeSensor
from steerageway.bus import ConfigError
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown

BEACON = "beacon = x=30,y=40,label=01\n"
FAR = "node_push_dist = nolimit\nnode_pull_dist = nolimit\n"
shows = Shown()


def posts_at(sea, *, x=0.0, y=0.0, names=("abe",), speed=0.0, **see):
    """Put vessels at one place; return the posts by variable."""
    return sea.see(*((name, x, y, 90.0, speed) for name in names), **see)


def ranges_in(sea, *, of="BRS_RANGE_REPORT", **at):
    """Return the reported ranges."""
    return [float(dict(pairs(text))["range"]) for text in posts_at(sea, **at).get(of, [])]


@pytest.fixture
def water(sea):
    return lambda block="", **setting: sea(BeaconRangeSensor, block, **setting)


@shows("beacon")
def test_a_requesting_vessel_receives_the_ranges_to_the_beacons(water):
    sea = water(BEACON + "beacon = x=0, y=-20, label=02")
    posted = posts_at(sea, ask=("ABE",))
    assert posted["BRS_RANGE_REPORT"] == [
        "vname=abe,range=50,id=01,time=1000001",
        "vname=abe,range=20,id=02,time=1000001",
    ]
    pulses = [dict(pairs(text)) for text in posted["VIEW_RANGE_PULSE"]]
    assert [one["label"] for one in pulses] == ["abe_range_req", "01", "02"]
    assert posts_at(sea) == {}


def test_between_reports_it_moves_by_dead_reckoning(water):
    sea = water(BEACON)
    posts_at(sea, speed=2.0, x=-8.0, y=40.0)
    (away,) = ranges_in(sea, names=(), ask=("abe",), after=4.0)
    assert away == pytest.approx(30.0)


@shows("default_beacon_report_range", "reach_distance")
@shows(
    *("default_beacon_push_dist", "default_beacon_pull_dist", "node_push_dist", "node_pull_dist")
)
@pytest.mark.parametrize(
    ("block", "away", "expected"),
    [
        ("", 149, True),
        ("", 151, False),
        ("node_push_dist = default=30", 81, False),
        ("node_push_dist = abe=30", 79, True),
        ("node_push_dist = abe=30", 81, False),
        ("node_push_dist = ben=30", 149, True),
        ("node_pull_dist = 30", 81, False),
        ("node_push_dist = nolimit\nnode_pull_dist = default=-1", 9999, True),
        ("default_beacon_push_dist = 10", 111, False),
        ("default_beacon_pull_dist = 10", 111, False),
        ("default_beacon_push_dist = nolimit\ndefault_beacon_pull_dist = nolimit", 9999, True),
        ("reach_distance = default = 30", 81, False),
        ("default_beacon_report_range = 10", 111, False),
    ],
)
def test_a_ping_is_received_within_its_range_and_that_of_the_receiver(water, block, away, expected):
    sea = water(f"{block}\nbeacon = x=0,y=0")
    assert len(ranges_in(sea, x=away, ask=("abe",))) == expected


@pytest.mark.parametrize(
    ("labels", "known_as"),
    [
        (["1", ""], ["1", "2"]),
        (["", ""], ["0", "1"]),
        (["", "0", ""], ["1", "0", "2"]),
        (["3", "", "", ""], ["3", "1", "2", "4"]),
    ],
)
def test_a_beacon_without_a_label_gets_a_number_that_is_free(water, labels, known_as):
    sea = water("".join(f"beacon = x=1,y=2,label={label}\n" for label in labels))
    texts = posts_at(sea, ask=("abe",))["BRS_RANGE_REPORT"]
    assert [dict(pairs(text))["id"] for text in texts] == known_as


def test_a_beacon_may_have_separate_ranges(water):
    sea = water("beacon = x=0,y=0,push_dist=10\nbeacon = x=0,y=0,label=b,report_range=90")
    texts = posts_at(sea, x=120, ask=("abe",))["BRS_RANGE_REPORT"]
    assert [dict(pairs(text))["id"] for text in texts] == ["b"]


def test_a_vessel_is_the_same_in_any_case_of_its_name(water):
    sea = water(
        BEACON + "node_push_dist = ABE=nolimit\nnode_pull_dist = abe=NoLimit\nping_wait = 5"
    )
    far = {"x": 900, "y": 40}
    for name in ("Abe", "aBE"):
        posted = sea.see((name, far["x"], far["y"]), ask=("abe",), after=3.0)
        assert ("BRS_RANGE_REPORT" in posted) == (name == "Abe")  # 3 s later it is too soon


@shows("ping_wait")
@pytest.mark.parametrize(
    ("block", "answered"),
    [
        ("", [1, 31, 61]),
        ("ping_wait = default=20", [1, 21, 41, 61]),
        ("ping_wait = abe=40\nping_wait = default=5", [1, 41]),
        ("ping_wait = nolimit", list(range(1, 62))),
    ],
)
def test_a_vessel_waits_between_two_pings(water, block, answered):
    sea = water(BEACON + block)
    assert [n for n in range(1, 62) if ranges_in(sea, ask=("abe",))] == answered
    assert len(sea.driven.app.run_warnings) == (len(answered) < 61)


@shows("ping_payments")
@pytest.mark.parametrize(
    ("payments", "requests", "answered"),
    [
        ("upon_response", (1, 5, 10, 40), [10, 40]),  # nobody hears it before 6 s
        ("upon_accept", (1, 5, 10, 40), [40]),
        ("upon_accept", (10, 15, 40), [10, 40]),
        ("upon_request", (10, 15, 40, 70), [10, 70]),
    ],
)
def test_its_waiting_begins_with_a_response_a_ping_or_any_request(
    water, payments, requests, answered
):
    sea = water(f"{BEACON}ping_payments = {payments}")
    received = []
    for second in range(1, 75):
        ask = ("abe",) if second in requests else ()
        if ranges_in(sea, x=0 if second > 6 else 900, ask=ask):
            received.append(second)
    assert received == answered


@shows("default_beacon_freq")
@pytest.mark.parametrize(
    ("block", "beacon", "times"),
    [
        ("", "", []),
        ("default_beacon_freq = 20", "", [20, 40, 60]),
        ("default_beacon_freq = 20", ",freq=never", []),
        ("", ",freq=25", [25, 50]),
    ],
)
def test_a_beacon_may_ping_unprompted(water, block, beacon, times):
    sea = water(f"{block}\nbeacon = x=30,y=40{beacon}")
    assert [n for n in range(1, 70) if ranges_in(sea, names=("abe", "ben"))] == times


def test_the_times_of_a_beacon_may_be_drawn(water):
    def pings(seed):
        sea = water("beacon = x=30,y=40,freq=5:15", seed=seed)
        return [n for n in range(1, 400) if ranges_in(sea)]

    times = pings(1)
    gaps = [b - a for a, b in pairwise(times)]
    assert all(5 <= gap <= 16 for gap in gaps)
    assert max(gaps) - min(gaps) > 5
    assert pings(1) == times != pings(2)


@shows("report_vars")
@pytest.mark.parametrize(
    ("style", "names"),
    [
        ("short", {"BRS_RANGE_REPORT"}),
        ("long", {"BRS_RANGE_REPORT_ABE"}),
        ("both", {"BRS_RANGE_REPORT", "BRS_RANGE_REPORT_ABE"}),
    ],
)
def test_reports_go_to_one_variable_or_to_one_of_each_vessel(water, style, names):
    posted = posts_at(water(f"{BEACON}report_vars = {style}"), ask=("abe",))
    assert set(posted) - {"VIEW_RANGE_PULSE"} == names
    if style != "short":
        assert posted["BRS_RANGE_REPORT_ABE"] == ["range=50,id=01,time=1000001"]


@shows("rn_algorithm", "rn_uniform_pct")
@pytest.mark.parametrize(
    "noise", ["rn_algorithm = uniform,pct=0.1", "rn_uniform_pct = 0.1", "rn_algorithm = uniform\n"]
)
def test_measured_ranges_have_their_noise(water, noise):
    if noise.endswith("\n"):
        noise += "rn_uniform_pct = 0.1"
    sea = water(f"{BEACON}ping_wait = nolimit\n{noise}")
    found = [ranges_in(sea, ask=("abe",))[0] for _ in range(400)]
    assert all(45 <= one <= 55 for one in found)
    assert min(found) < 45.5
    assert max(found) > 54.5
    assert fmean(found) == pytest.approx(50, abs=0.6)  # 0.144 m is its standard error


@shows("rn_gaussian_sigma")
def test_noise_may_be_normal(water):
    sea = water(f"{BEACON}ping_wait = nolimit\nrn_algorithm = gaussian\nrn_gaussian_sigma = 2")
    found = [ranges_in(sea, ask=("abe",))[0] for _ in range(200)]
    assert fmean(found) == pytest.approx(50, abs=0.6)
    assert pstdev(found) == pytest.approx(2, rel=0.2)


def test_no_range_is_measured_to_be_below_0(water):
    sea = water("beacon = x=1,y=0\nping_wait = nolimit\nrn_gaussian_sigma = 5")
    found = [ranges_in(sea, ask=("abe",))[0] for _ in range(100)]
    assert min(found) == 0
    assert max(found) > 5


@pytest.mark.parametrize(("kind", "is_wide"), [("uniform", False), ("gaussian", True)])
def test_the_algorithm_selects_one_of_two_noise_settings(water, kind, is_wide):
    noise = f"rn_algorithm = {kind}\nrn_uniform_pct = 0.1\nrn_gaussian_sigma = 9"
    sea = water(f"{BEACON}ping_wait = nolimit\n{noise}")
    found = [ranges_in(sea, ask=("abe",))[0] for _ in range(60)]
    assert (max(found) > 55) == is_wide


@shows("ground_truth")
@pytest.mark.parametrize(
    ("block", "true"),
    [
        ("", []),
        ("rn_algorithm = uniform,pct=0.1", [50.0]),
        ("rn_algorithm = uniform,pct=0.1\nground_truth = false", []),
        ("rn_algorithm = uniform,pct=0", [50.0]),
    ],
)
def test_with_noise_true_ranges_are_reported_too(water, block, true):
    assert ranges_in(water(BEACON + block), of="BRS_RANGE_REPORT_GT", ask=("abe",)) == true
    long = water(f"{BEACON}report_vars = long\n{block}")
    assert ranges_in(long, of="BRS_RANGE_REPORT_GT_ABE", ask=("abe",)) == true


@pytest.mark.parametrize(("away", "expected"), [(150.0, True), (150.01, False)])
def test_a_ping_is_just_received_at_the_sum_of_the_two_ranges(water, away, expected):
    requested, own = water("beacon = x=0,y=0"), water("beacon = x=0,y=0,freq=5")
    assert bool(ranges_in(requested, x=away, ask=("abe",))) is expected
    assert bool(ranges_in(own, x=away, after=5.0)) is expected


def test_the_appcast_counts_pings_and_reports_ranges(water):
    sea = water("beacon = x=30,y=40,label=01,freq=20\nbeacon = x=900,y=0,label=02")
    posts_at(sea, ask=("abe",))  # 01 answers, 02 is too far
    posts_at(sea, ask=("abe",))  # too soon
    posts_at(sea, after=20.0)  # 01 pings by itself
    assert set(sea.driven.app.report()) == {
        "pings of vessels: 1",
        "pings too soon: 1",
        "pings of beacons: 1",
        "pings not heard: 1",
        "ranges: 2",
        "abe: 01 50.0 m, 02 900.0 m",
    }


def test_a_beacon_that_has_answered_waits_again_before_an_unprompted_ping(water):
    sea = water("beacon = x=30,y=40,freq=20")
    answered = [n for n in range(1, 50) if ranges_in(sea, ask=("abe",) if n == 15 else ())]
    assert answered == [15, 35]


def test_a_beacons_own_ping_is_drawn_like_its_answer(water):
    sea = water("beacon = x=30,y=40,label=01,freq=5")
    answer, own = (
        posts_at(sea, ask=ask, after=after) for ask, after in ((("abe",), 1.0), ((), 5.0))
    )
    of_answer, of_own = (dict(pairs(one["VIEW_RANGE_PULSE"][-1])) for one in (answer, own))
    assert of_own.pop("time") != of_answer.pop("time")
    assert of_own == of_answer
    assert (of_own["x"], of_own["y"], of_own["label"]) == ("30", "40", "01")


@shows("default_beacon_shape", "default_beacon_color", "default_beacon_width")
def test_beacons_are_drawn(water):
    def drawn(block):
        (post,) = water(block).driven.started
        return dict(pairs(post.value))

    plain = drawn(BEACON)
    assert (plain["x"], plain["y"], plain["label"]) == ("30", "40", "01")
    assert (plain["type"], plain["primary_color"], plain["width"]) == ("circle", "orange", "4")
    defaults = "shape = square\n", "color = red\n", "width = 8\n"
    fancy = drawn(BEACON.replace("label", "shape=Triangle,label"))
    assert fancy["type"] == "triangle"
    other = drawn("".join(f"default_beacon_{one}" for one in defaults) + BEACON)
    assert (other["type"], other["primary_color"], other["width"]) == ("square", "red", "8")
    own = drawn(
        "default_beacon_color = red\nbeacon = x=0,y=0,color=dark blue,shape=diamond,width=2"
    )
    assert (own["type"], own["primary_color"], own["width"]) == ("diamond", "darkblue", "2")


@shows("verbose")
def test_the_appcast_may_report_pings_out_of_range(water):
    for block, events in (("", 0), ("verbose = true", 1)):
        sea = water(BEACON + block)
        posts_at(sea, x=900, ask=("abe",))
        assert sea.driven.app.events_total == events


def test_the_ranges_of_a_square_of_beacons_are_those_of_geometry(water):
    places = [(0, 0), (80, 0), (80, 80), (0, 80)]
    sea = water(FAR + "".join(f"beacon = x={x},y={y}\n" for x, y in places))
    found = ranges_in(sea, x=13.5, y=61.25, ask=("abe",))
    assert found == pytest.approx([dist((13.5, 61.25), place) for place in places], abs=1e-4)


def test_suspicious_settings_give_a_warning(water):
    assert water().driven.app.config_warnings == ["beacon is not set: nothing is ever ranged"]
    sea = water("beacon = x=0,y=0,rang=9")
    assert sea.driven.app.config_warnings == ["test.moos:0: beacon: rang: no such field"]
    posts_at(sea, ask=("ben",))
    (warning,) = sea.driven.app.run_warnings
    assert warning.startswith("BRS_RANGE_REQUEST = name=ben: expected name=V of a vessel")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (2 * "beacon = x=1,y=2,label=a\n", "expected another label than a"),
        (
            "default_beacon_freq = 9:3",
            "freq = 9:3: expected a number above 0, or never",
        ),
        ("default_beacon_shape = blob", "shape = blob: expected one of "),
        ("default_beacon_color = nil", "expected a colour"),
        ("beacon = x=500000,y=4649776,label=a", "are these UTM coordinates"),
        ("ping_payments = never", "expected one of upon_response"),
        ("rn_algorithm = cauchy", "expected uniform or gaussian"),
        ("rn_uniform_pct = 0.1\nrn_gaussian_sigma = 2", "expected no rn_uniform_pct with it"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(water, line, expected):
    with pytest.raises(ConfigError, match=expected):
        water(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in BeaconRangeSensor.parameters} == shows.names
