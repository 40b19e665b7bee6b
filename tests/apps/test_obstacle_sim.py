"""``uFldObstacleSim``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

from math import dist
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.apps.vessels.obstacle_sim.app import ObstacleSim, random_field, random_point
from steerageway.bus import ConfigError
from steerageway.moos.errors import FormatError
from steerageway.moos.polygon import Polygon, parse_polygon
from steerageway.moos.values import pairs
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
REGION = "pts={-60,-60:60,-60:60,60:-60,60}"
FIELD = f"""\
region = {REGION}
min_range = 10
min_size = 4
max_size = 8
poly = pts={{10,10:16,10:13,16}},label=ob_0
poly = pts={{-30,10:-24,10:-27,16}},label=ob_1,vsource=radar
"""
ROCK = "pts={10,10:16,10:13,16},label=ob_0"
OTHER = "pts={-30,10:-24,10:-27,16},label=ob_1,vsource=radar"
shows = Shown()


class Field:
    """A driven simulator of obstacles, and vessels that report."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0

    def see(self, *places, mail=(), after=1.0):
        """Receive vessels at places (x, y), let the app iterate; return its posts about each."""
        self.time += after
        names = zip(("abe", "ben"), places, strict=False)
        messages = [self.driven.message(k, v, self.time) for k, v in mail]
        for name, (x, y) in names:
            text = f"NAME={name},X={x},Y={y},SPD=0,HDG=0,TIME={EPOCH + self.time:.2f},COLOR=red"
            messages.append(self.driven.message("NODE_REPORT", text, self.time))
        self.driven.take(self.time, messages)
        posted = {}
        for post in self.driven.posts:
            posted.setdefault(post.name, []).append(post.value)
        return posted


@pytest.fixture
def field(drive, tmp_path):
    def start(block="", text=FIELD, **setting):
        (tmp_path / "field.txt").write_text(text)
        lines = f"obstacle_file = field.txt\n{block}"
        setting = {"folder": tmp_path, "epoch": EPOCH, **setting}
        return Field(drive(ObstacleSim, lines, name="uFldObstacleSim", **setting))

    return start


@shows("obstacle_file")
def test_the_obstacles_of_the_file_are_published(field):
    there = field()
    assert [(post.name, post.value) for post in there.driven.started] == [
        ("PLOGGER_CMD", "COPY_FILE_REQUEST = field.txt"),
        ("UFOS_MIN_RNG", 10.0),
    ]
    posted = there.see()
    assert posted["KNOWN_OBSTACLE"] == posted["GIVEN_OBSTACLE"] == [ROCK, OTHER]
    assert there.see() == {}


@pytest.mark.parametrize("greeting", ["PMV_CONNECT", "VEHICLE_CONNECT", "OBM_CONNECT"])
def test_they_are_published_again_for_new_vessels(field, greeting):
    there = field()
    there.see()
    assert len(there.see((100, 100))["GIVEN_OBSTACLE"]) == 2
    assert there.see((100, 101)) == {}
    assert len(there.see((100, 101), (90, 100))["GIVEN_OBSTACLE"]) == 2
    assert len(there.see(mail=[(greeting, "true")])["GIVEN_OBSTACLE"]) == 2


@shows("refresh_interval")
def test_they_are_reported_again_periodically(field):
    there = field("refresh_interval = 5")
    times = [n for n in range(1, 21) if "GIVEN_OBSTACLE" in there.see()]
    assert times == [1, 6, 11, 16]


@shows("min_duration", "max_duration")
@pytest.mark.parametrize(
    ("block", "low", "high"),
    [
        ("min_duration = 20\nmax_duration = 30", 20, 30),
        ("min_duration = 20", 20, 20),
        ("max_duration = 5", 0, 5),
        ("min_duration = 9\nmax_duration = 3", 9, 9),
    ],
)
def test_obstacles_may_last_for_some_time(field, block, low, high):
    lasts = [float(dict(pairs(text))["duration"]) for text in field(block).see()["GIVEN_OBSTACLE"]]
    assert all(low <= one <= high for one in lasts)
    assert (len(set(lasts)) == 2) == (low < high)
    assert field(block).see()["GIVEN_OBSTACLE"] == field(block).see()["GIVEN_OBSTACLE"]


@pytest.mark.parametrize("block", ["", "min_duration = 0", "min_duration = 0\nmax_duration = 0"])
def test_obstacles_last_permanently_unless_a_duration_is_above_0(field, block):
    assert not any("duration" in text for text in field(block).see()["GIVEN_OBSTACLE"])


def test_a_maximum_duration_below_the_minimum_is_a_warning(field):
    (warning,) = field("min_duration = 9\nmax_duration = 3").driven.app.config_warnings
    assert warning == "max_duration is less than min_duration: 9 counts"


@shows("post_points", "rate_points", "sensor_range")
def test_points_may_be_sensed_instead_of_given(field):
    there = field("post_points = true\nrate_points = 3\nsensor_range = 20")
    posted = there.see((13, -9), (200, 0))
    assert "GIVEN_OBSTACLE" not in posted
    assert len(posted["KNOWN_OBSTACLE"]) == 2
    assert "TRACKED_FEATURE_BEN" not in posted
    points = [dict(pairs(text)) for text in posted["TRACKED_FEATURE_ABE"]]
    assert [one["key"] for one in points] == ["ob_0"] * 3
    assert {one["y"] for one in points} == {"10"}  # of the edge that it sees
    assert len({one["x"] for one in points}) == 3
    assert all(10 <= float(one["x"]) <= 16 for one in points)
    near_all = field("post_points = true").see((0, 0))["TRACKED_FEATURE_ABE"]
    assert len(near_all) == 10
    assert near_all[-1].endswith(",key=ob_1,vsource=radar")


@shows("point_size")
def test_points_are_drawn_and_their_size_may_be_changed(field):
    there = field("post_points = true\nrate_points = 1\npoint_size = 4")

    def size(order=()):
        mail = [("UFOS_POINT_SIZE", order)] if order else ()
        point = dict(pairs(there.see((13, -9), mail=mail)["VIEW_POINT"][0]))
        assert (point["vertex_color"], point["label_color"]) == ("red", "invisible")
        return float(point["vertex_size"])

    assert [size(), size("bigger"), size("smaller"), size("9")] == [4, 5, 4, 9]
    assert size("huge") == 9
    (warning,) = there.driven.app.run_warnings
    assert warning.startswith("UFOS_POINT_SIZE = huge")


@shows("post_visuals", "draw_region")
def test_drawn_items_may_be_chosen(field):
    drawn = field().see()["VIEW_POLYGON"]
    assert [dict(pairs(text))["label"] for text in drawn] == ["ob_0", "ob_1", "obs_region"]
    assert len(field("draw_region = false").see()["VIEW_POLYGON"]) == 2
    assert "VIEW_POLYGON" not in field("post_visuals = false").see()
    assert "VIEW_POINT" not in field("post_visuals = false\npost_points = true").see((13, -9))


@shows(
    *("poly_fill_color", "poly_edge_color", "poly_vert_color", "poly_label_color"),
    *("poly_edge_size", "poly_vert_size", "poly_transparency"),
    *("region_edge_color", "region_vert_color"),
)
@pytest.mark.parametrize(
    ("line", "which", "expected"),
    [
        ("poly_fill_color = red", 0, "fill_color=red"),
        ("poly_edge_color = red", 0, "edge_color=red"),
        ("poly_vert_color = red", 0, "vertex_color=red"),
        ("poly_label_color = red", 0, "label_color=red"),
        ("poly_edge_size = 3", 0, "edge_size=3"),
        ("poly_vert_size = 3", 0, "vertex_size=3"),
        ("poly_transparency = 0.7", 0, "fill_transparency=0.7"),
        ("region_edge_color = red", 2, "edge_color=red"),
        ("region_vert_color = red", 2, "vertex_color=red"),
    ],
)
def test_looks_may_be_chosen(field, line, which, expected):
    assert expected in field(line).see()["VIEW_POLYGON"][which].split(",")
    assert expected not in field().see()["VIEW_POLYGON"][which].split(",")


@shows("reset_interval", "reset_range")
def test_the_field_is_regenerated_when_every_vessel_has_left_it(field):
    there = field("reset_interval = 30\nreset_range = 25")
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 200), after=40)  # nobody was in it yet
    there.see((0, 0), (0, 10))
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 90), (0, 10))
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 90), (0, 80))  # 20 m off
    posted = there.see((0, 90), (0, 86))
    assert posted["KNOWN_OBSTACLE_CLEAR"] == ["all"]
    assert posted["UFOS_MIN_RNG"] == [10.0]
    labels = [dict(pairs(text))["label"] for text in posted["GIVEN_OBSTACLE"]]
    assert labels == ["ob_0", "ob_1"]
    assert ROCK not in posted["GIVEN_OBSTACLE"]
    there.see((0, 0))
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 200), (0, 200))  # too soon
    assert "KNOWN_OBSTACLE_CLEAR" not in field().see((0, 200), after=99)


@shows("reset_interval")
@pytest.mark.parametrize(("last", "is_reset"), [(27.0, True), (26.9, False)])
def test_the_field_is_regenerated_as_soon_as_the_interval_is_over(field, last, is_reset):
    there = field("reset_interval = 30")
    there.see((0, 0), after=3.0)
    assert ("KNOWN_OBSTACLE_CLEAR" in there.see((0, 200), after=last)) == is_reset


def test_a_command_regenerates_the_field_as_soon_as_no_vessel_is_near(field):
    there = field()
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 0), mail=[("UFOS_RESET", "true")])
    assert "KNOWN_OBSTACLE_CLEAR" not in there.see((0, 69))
    first = there.see((0, 71))["GIVEN_OBSTACLE"]
    assert there.see((0, 71)) == {}
    again, other = field(), field(seed=7)
    for one in (again, other):
        one.see((0, 0), mail=[("UFOS_RESET", "true")])
    assert again.see((0, 71))["GIVEN_OBSTACLE"] == first
    assert other.see((0, 71))["GIVEN_OBSTACLE"] != first


@shows("reuse_ids")
def test_regenerated_obstacles_may_have_new_labels(field):
    there = field("reuse_ids = false")
    there.see()
    given = there.see(mail=[("UFOS_RESET", "true")])["GIVEN_OBSTACLE"]
    labels = [dict(pairs(text))["label"] for text in given]
    assert labels == ["ob_0", "ob_1", "ob_2", "ob_3"]
    assert [text.endswith(",duration=0") for text in given] == [True, True, False, False]


def test_without_room_the_obstacles_stay(field):
    there = field(text=FIELD.replace("min_range = 10", "min_range = 500"))
    posted = there.see(mail=[("UFOS_RESET", "true")])
    assert posted["GIVEN_OBSTACLE"] == [ROCK, OTHER]
    assert "there is no room for 2 obstacles" in next(iter(there.driven.app.run_warnings))


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 6), apart=st.floats(0, 12))
def test_thrown_obstacles_lie_apart_in_their_region(seed, count, apart):
    region = parse_polygon(REGION)
    thrown = random_field(region, count, (4.0, 8.0), apart, Random(seed))
    assert thrown is not None
    for one in thrown:
        assert all(region.contains(corner) for corner in one.points)
        across = max(dist(a, b) for a in one.points for b in one.points)
        assert 2.0 < across <= 8.0 + 1e-9
        others = [other for other in thrown if other is not one]
        assert all(o.distance(corner) >= apart - 1e-9 for o in others for corner in one.points)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), x=st.floats(-40, 40), y=st.floats(-40, 40))
def test_a_sensed_point_lies_on_the_near_edge(seed, x, y):
    rock = Polygon(((-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)))
    found = random_point(rock, (x, y), Random(seed))
    if rock.contains((x, y)):
        assert found is None
        return
    assert found is not None
    assert rock.distance_to_edge(found) < 1e-9
    halfway = ((found[0] + x) / 2, (found[1] + y) / 2)
    assert not rock.contains(halfway) or rock.distance_to_edge(halfway) < 1e-6


def test_suspicious_settings_give_a_warning(drive, field):
    assert drive(ObstacleSim, "").app.config_warnings == [
        "obstacle_file is not set: there are no obstacles"
    ]
    warnings = field(text="size = 3\npoly = pts={0,0:1,0:1,1},label=a").driven.app.config_warnings
    assert "field.txt:1: size: expected one of region" in warnings[0]
    assert "lacks region, min_range, min_size, max_size" in warnings[1]
    there = field()
    there.see(mail=[("NODE_REPORT", "NAME=abe")])
    assert next(iter(there.driven.app.run_warnings)).startswith("NODE_REPORT: ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rate_points = -1", "at least 0"),
        ("poly_fill_color = nil", "expected a colour"),
        ("poly_transparency = 2", "from 0 to 1"),
    ],
)
def test_an_invalid_line_is_refused_with_the_expected_form(field, line, expected):
    with pytest.raises(ConfigError, match=expected):
        field(line)


def test_a_missing_file_is_a_warning_and_an_invalid_one_is_refused(drive, field, tmp_path):
    driven = drive(ObstacleSim, "obstacle_file = nope.txt")
    assert "nope.txt: there is no such file" in driven.app.config_warnings[0]
    assert driven.started == []
    with pytest.raises(ConfigError, match="expected a file of obstacles: Is a directory"):
        drive(ObstacleSim, f"obstacle_file = {tmp_path}")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    with pytest.raises(ConfigError, match="expected a file of obstacles: this is not text"):
        drive(ObstacleSim, f"obstacle_file = {tmp_path}/picture.png")
    with pytest.raises(FormatError, match=r"field\.txt:1.*above 0"):
        field(text="min_range = 0")


def test_every_parameter_has_a_test():
    assert {one.name for one in ObstacleSim.parameters} == shows.names
