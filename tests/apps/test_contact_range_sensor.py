"""``uFldContactRangeSensor``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from math import exp
from statistics import fmean, pstdev

import pytest

from steerageway.apps.sensing.contact_range_sensor import ContactRangeSensor
from steerageway.bus import ConfigError
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown

ABE = ("abe", 0, 0)
OFTEN = "ping_wait = nolimit\n"
shows = Shown()


@pytest.fixture
def sonar(sea):
    def sonar(block="", **setting):
        return sea(ContactRangeSensor, f"report_vars = long\n{block}", **setting)

    return sonar


def ping(sea, *others, of="CRS_RANGE_REPORT_ABE"):
    """Let abe ping from (0, 0); return the ranges it receives, by target."""
    texts = sea.see(ABE, *others, ask=("abe",)).get(of, [])
    fields = [dict(pairs(text)) for text in texts]
    return {one["target"]: float(one["range"]) for one in fields}


def test_a_ping_measures_the_range_to_every_other_vessel(sonar):
    sea = sonar()
    posted = sea.see(ABE, ("ben", 30, 40), ("cal", 0, -20), ask=("abe",))
    assert posted["CRS_RANGE_REPORT_ABE"] == [
        "range=50,target=ben,time=1000001",
        "range=20,target=cal,time=1000001",
    ]
    assert "CRS_RANGE_REPORT_BEN" not in posted


@shows("push_distance", "pull_distance", "reach_distance", "reply_distance")
@shows("push_dist", "pull_dist")
@pytest.mark.parametrize(
    ("block", "reach"),
    [
        ("", 200),
        ("push_dist = 30", 130),
        ("push_dist = default=30\npush_dist = abe=60", 160),
        ("push_dist = ben=30", 200),
        ("pull_dist = ben=30", 130),
        ("pull_dist = abe=30", 200),
        ("push_distance = 20\npull_distance = 20", 40),
        ("reach_distance = 20\nreply_distance = 20", 40),
    ],
)
def test_echoes_come_surely_within_reach_and_ever_more_rarely_beyond(sonar, block, reach):
    sea = sonar(OFTEN + block)
    assert all(ping(sea, ("ben", reach - 1, 0)) for _ in range(5))
    far = sum(bool(ping(sea, ("ben", 1.2 * reach, 0))) for _ in range(100))
    assert far == pytest.approx(100 * exp(-0.6), abs=20)  # 5 is its standard deviation
    assert not any(ping(sea, ("ben", 4 * reach, 0)) for _ in range(10))


def test_without_a_limit_every_echo_comes(sonar):
    assert ping(sonar("push_dist = nolimit"), ("ben", 9999, 0)) == {"ben": 9999.0}


@shows("ping_wait")
@pytest.mark.parametrize(
    ("block", "answered"),
    [("", [1, 31]), ("ping_wait = 20", [1, 21, 41]), ("ping_wait = abe=45", [1, 46])],
)
def test_a_vessel_waits_between_two_pings(sonar, block, answered):
    sea = sonar(block)
    assert [n for n in range(1, 60) if ping(sea, ("ben", 9, 0))] == answered
    assert len(sea.driven.app.run_warnings) == 1


@shows("allow_echo_types", "ignore_group")
@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("", {"ben", "cal"}),
        ("allow_echo_types = uuv, glider", {"ben"}),
        ("allow_echo_types = uuv:kayak", {"ben", "cal"}),
        ("allow_echo_types = KAYAK", {"cal"}),
        ("allow_echo_types = ship", set()),
        ("ignore_group = Red", {"cal"}),
        ("ignore_group = red\nignore_group = blue", set()),
    ],
)
def test_not_every_vessel_echoes(sonar, block, expected):
    others = ("ben", 9, 0, 0, 0, "uuv", "RED"), ("cal", 0, 9, 0, 0, "kayak", "blue")
    assert set(ping(sonar(block), *others)) == expected


def test_the_appcast_counts_pings_and_echoes(sonar):
    sea = sonar()
    ping(sea, ("ben", 9, 0), ("cal", 0, 9))
    ping(sea)  # too soon
    expected = {"pings: 1", "pings too soon: 1", "echoes: 2", "vessels: abe, ben, cal"}
    assert set(sea.driven.app.report()) == expected


def test_with_zero_range_no_vessel_is_received(sonar):
    deaf = sonar(f"{OFTEN}push_dist = 0\npull_dist = 0")
    assert [ping(deaf, ("ben", x, 0)) for x in (0, 1e-9, 5)] == [{}] * 3


@shows("sensor_arc")
@pytest.mark.parametrize(
    ("arc", "expected"),
    [
        ("360", {"n", "e", "s", "w"}),
        ("0:360", {"n", "e", "s", "w"}),
        ("45:135", {"e"}),
        ("45:135, 225:315", {"e", "w"}),
        ("300:60", {"n"}),
        ("271:90", {"n", "e"}),
        ("271:89", {"n"}),
        ("-45:45", {"n"}),
        ("270:1", {"n", "w"}),
        ("90:270", {"e", "s", "w"}),
    ],
)
def test_a_vessel_receives_within_arcs_from_its_bow(sonar, arc, expected):
    places = {"n": (0, 9), "e": (9, 0), "s": (0, -9), "w": (-9, 0)}
    sea = sonar(f"sensor_arc = {arc}")
    assert set(ping(sea, *((name, *at) for name, at in places.items()))) == expected
    turned = sonar("sensor_arc = 45:135").see(
        ("abe", 0, 0, 90), *((name, *at) for name, at in places.items()), ask=("abe",)
    )
    assert "target=s" in turned["CRS_RANGE_REPORT_ABE"][0]


@shows("report_vars")
def test_reports_go_to_one_variable_or_to_one_of_each_vessel(sea):
    def names(block):
        posted = sea(ContactRangeSensor, block).see(ABE, ("ben", 9, 0), ask=("abe",))
        return {name for name in posted if name.startswith("CRS")}

    assert names("") == names("report_vars = short") == {"CRS_RANGE_REPORT"}
    assert names("report_vars = long") == {"CRS_RANGE_REPORT_ABE"}
    assert len(names("report_vars = both")) == 2


@shows("rn_algorithm", "rn_uniform_pct", "rn_gaussian_sigma", "ground_truth")
@pytest.mark.parametrize(
    ("noise", "spread"),
    [
        ("rn_algorithm = gaussian,sigma=2", 2.0),
        ("rn_algorithm = gauss\nrn_gaussian_sigma = 2", 2.0),
        ("rn_gaussian_sigma = 2", 2.0),
        ("rn_algorithm = uniform,pct=0.1", 10 / 3**0.5),
        ("rn_uniform_pct = 0.1", 10 / 3**0.5),
    ],
)
def test_measured_ranges_have_their_noise(sonar, noise, spread):
    sea = sonar(OFTEN + noise)
    found = [ping(sea, ("ben", 100, 0))["ben"] for _ in range(120)]
    assert fmean(found) == pytest.approx(100, abs=4 * spread / 120**0.5)
    assert pstdev(found) == pytest.approx(spread, rel=0.25)
    assert ping(sea, ("ben", 100, 0), of="CRS_RANGE_REPORT_GT_ABE") == {"ben": 100.0}
    without = sonar(f"{OFTEN}{noise}\nground_truth = false")
    assert ping(without, ("ben", 100, 0), of="CRS_RANGE_REPORT_GT_ABE") == {}
    assert ping(sonar(), ("ben", 100, 0), of="CRS_RANGE_REPORT_GT_ABE") == {}


def test_the_same_seed_draws_the_same_noise(sonar):
    def found(seed):
        return ping(sonar("rn_algorithm = gaussian,sigma=2", seed=seed), ("ben", 100, 0))

    assert found(1) == found(1) != found(2)


@shows("reply_color")
@shows("display_pulses", "ping_color", "echo_color")
def test_pings_and_echoes_are_drawn(sonar):
    def pulses(block=""):
        posted = sonar(block).see(ABE, ("ben", 9, 0), ask=("abe",))
        drawn = [dict(pairs(text)) for text in posted.get("VIEW_RANGE_PULSE", [])]
        return [(one["label"], one["edge_color"]) for one in drawn]

    assert pulses() == [("abe_ping", "white"), ("ben_echo", "chartreuse")]
    colors = "ping_color = red\necho_color = blue"
    assert pulses(colors) == [("abe_ping", "red"), ("ben_echo", "blue")]
    assert pulses("reply_color = blue") == [("abe_ping", "white"), ("ben_echo", "blue")]
    assert pulses("display_pulses = false") == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sensor_arc = 45", "expected FROM:TO in degrees"),
        ("sensor_arc = 45:45", "expected FROM:TO in degrees"),
        ("sensor_arc = bow:45", "expected FROM:TO in degrees"),
        ("echo_color = nil", "expected a colour"),
        ("rn_algorithm = cauchy", "expected uniform or gaussian"),
        ("rn_algorithm = gaussian,pct=1", "sigma is missing: expected a number at least 0"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(sonar, line, expected):
    with pytest.raises(ConfigError, match=expected):
        sonar(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in ContactRangeSensor.parameters} == shows.names
