"""``uFldGenericSensor``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from statistics import fmean, pstdev

import pytest

from steerageway.apps.sensing.generic_sensor import GenericSensor
from steerageway.bus import NANO, ConfigError, Message
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown

SOURCES = "source_point = x=30,y=0,label=01\nsource_point = x=90,y=0\n"
BLOCK = f"{SOURCES}sensor_config = range=40\nsensor_config = Range=100\n"
OFTEN = "min_sensor_interval = 0\nmin_reset_interval = 0\n"
ABE = ("abe", 0, 0)
shows = Shown()


@pytest.fixture
def sensor(sea):
    return lambda block="", **setting: sea(GenericSensor, BLOCK + block, **setting)


def places(sea):
    """Let abe send a request from (0, 0); return the places it receives."""
    texts = sea.see(ABE, ask=("abe",)).get("UGS_SENSOR_REPORT_ABE", [])
    return [(float(one["x"]), float(one["y"])) for one in (dict(pairs(t)) for t in texts)]


def choose(sea, reach, community="abe", name="abe"):
    """Let it choose a range; return the answer."""
    text = f"vname={name},range={reach}"
    when = sea.time + 1.0
    message = Message("UGS_CONFIG_REQUEST", text, when, "pTest", "", community, round(when * NANO))
    return sea.see(ABE, mail=(message,)).get("UGS_CONFIG_ACK_ABE")


@shows("source_point", "sensor_config")
def test_a_vessel_receives_the_sources_within_its_range(sensor):
    sea = sensor(OFTEN)
    assert len(places(sea)) == 1
    assert choose(sea, 99) == ["vname=abe,range=100"]
    assert len(places(sea)) == 2
    assert choose(sea, 1) == ["vname=abe,range=40"]
    assert len(places(sea)) == 1


def test_uncertainty_of_a_place_grows_with_the_range_of_the_sensor(sensor):
    sea = sensor(OFTEN)
    for reach in (40.0, 100.0):
        choose(sea, reach)
        found = [places(sea)[0] for _ in range(80)]
        for axis, true in ((0, 30.0), (1, 0.0)):
            values = [place[axis] for place in found]
            assert fmean(values) == pytest.approx(true, abs=4 * reach / 4 / 80**0.5)
            assert pstdev(values) == pytest.approx(reach / 4 / 2**0.5, rel=0.35)
        squares = [(x - 30.0) ** 2 + y**2 for x, y in found]
        assert fmean(squares) == pytest.approx((reach / 4) ** 2, rel=0.5)
    assert places(sensor(OFTEN, seed=1)) != places(sensor(OFTEN, seed=2))


@shows("min_sensor_interval")
@pytest.mark.parametrize(
    ("block", "answered"), [("", [1, 31, 61]), ("min_sensor_interval = 20", [1, 21, 41, 61])]
)
def test_answers_come_no_more_often_than_they_may(sensor, block, answered):
    sea = sensor(block)
    assert [n for n in range(1, 65) if places(sea)] == answered
    (warning,) = sea.driven.app.run_warnings
    assert warning.endswith("abe asks again within min_sensor_interval")


@shows("min_reset_interval")
@pytest.mark.parametrize(("block", "wait"), [("", 300), ("min_reset_interval = 50", 50)])
def test_it_chooses_no_more_often_than_it_may(sensor, block, wait):
    sea = sensor(block)
    assert choose(sea, 100)
    sea.time += wait - 2.0
    assert choose(sea, 40) is None
    assert choose(sea, 40) == ["vname=abe,range=40"]


def test_a_vessel_cannot_choose_for_another(sensor):
    sea = sensor()
    assert choose(sea, 100, community="ben") is None
    (warning,) = sea.driven.app.run_warnings
    assert warning.endswith("expected it to come from abe, not from ben")


@shows("options_summary_interval")
def test_offered_options_are_reported_periodically(sensor):
    def summaries(block):
        sea = sensor(block)
        posts = {n: sea.see().get("UGS_OPTIONS_SUMMARY") for n in range(1, 25)}
        return {n: texts for n, texts in posts.items() if texts}

    offer = ["range=40,range=100"]
    assert summaries("") == {1: offer, 11: offer, 21: offer}
    assert list(summaries("options_summary_interval = 4")) == [1, 5, 9, 13, 17, 21]


@shows("show_source_pts", "color_source_pts", "default_color_source_pts")
def test_sources_are_drawn(sensor):
    def drawn(block=""):
        return [dict(pairs(post.value)) for post in sensor(block).driven.started]

    first, second = drawn()
    assert (first["x"], first["label"], first["vertex_color"]) == ("30", "01", "green")
    assert second["x"] == "90"
    for name in ("color_source_pts", "default_color_source_pts"):
        assert drawn(f"{name} = red")[0]["vertex_color"] == "red"
    assert drawn("show_source_pts = false") == []


@shows("scope_transparency")
def test_the_range_of_an_answer_is_drawn(sensor):
    def scope(block=""):
        (text,) = sensor(block).see(ABE, ask=("abe",))["VIEW_CIRCLE"]
        return dict(pairs(text))

    assert (scope()["radius"], scope()["fill_transparency"]) == ("40", "0.25")
    assert scope("scope_transparency = 0.5")["fill_transparency"] == "0.5"


def test_missing_settings_give_a_warning(sea):
    for block, missing in ((SOURCES, "sensor_config"), ("sensor_config = range=9", "source_point")):
        empty = sea(GenericSensor, block)
        assert empty.driven.app.config_warnings == [f"{missing} is not set: nothing is ever sensed"]
        assert "UGS_SENSOR_REPORT_ABE" not in empty.see(ABE, ask=("abe",))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (2 * "source_point = x=1,y=2,label=a\n", "expected another label than a"),
        ("min_reset_interval = -1", "at least 0"),
        ("default_color_source_pts = nil", "expected a colour"),
        ("scope_transparency = 2", "from 0 to 1"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(sensor, line, expected):
    with pytest.raises(ConfigError, match=expected):
        sensor(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in GenericSensor.parameters} == shows.names
