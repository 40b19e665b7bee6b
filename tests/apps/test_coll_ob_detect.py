"""``uFldCollObDetect``, driven by mail and time: the effect of each of its parameters."""

from __future__ import annotations

import pytest

from steerageway.apps.contacts.coll_ob_detect import CollObDetect
from steerageway.bus import ConfigError
from tests.apps.parameters import Shown

EPOCH = 1_000_000.0
ROCK = "pts={0,0:10,0:10,10:0,10},label=rock"
shows = Shown()


class Field:
    """A rock from (0, 0) to (10, 10), and abe, who goes east by it at 2 m/s."""

    def __init__(self, driven):
        self.driven = driven
        self.time = 0.0
        self.posts = []

    def receive(self, *mail, dt=1.0):
        self.time += dt
        messages = [self.driven.message(name, text, self.time) for name, text in mail]
        self.driven.take(self.time, messages)
        self.posts += self.driven.posts

    def at(self, x, y, *mail):
        utc = EPOCH + self.time + 1.0
        report = f"NAME=Abe,X={x},Y={y},HDG=90,SPD=2,TIME={utc:.2f}"
        self.receive(*mail, ("NODE_REPORT", report))

    def pass_by(self, away):
        """Let abe pass so far south of the rock [m]; negative: through it."""
        self.receive(("KNOWN_OBSTACLE", ROCK))
        for x in range(-40, 60, 2):
            self.at(x, -away)
        return self.posts

    def values(self, name):
        return [post.value for post in self.posts if post.name == name]


@pytest.fixture
def field(drive):
    return lambda block="": Field(drive(CollObDetect, block, name="uFldCollObDetect", epoch=EPOCH))


FLAGS = "".join(
    f"{kind}_flag = {kind.upper()}=$DIST\n" for kind in ("encounter", "near_miss", "collision")
)


@shows("encounter_dist", "near_miss_dist", "collision_dist")
@shows("encounter_flag", "near_miss_flag", "collision_flag")
@pytest.mark.parametrize(
    ("away", "block", "kinds"),
    [
        (-2, "", "COLLISION ENCOUNTER"),
        (0.9, "", "COLLISION ENCOUNTER"),
        (1, "", "NEAR_MISS ENCOUNTER"),
        (4.9, "", "NEAR_MISS ENCOUNTER"),
        (5, "", "ENCOUNTER"),
        (15, "", "ENCOUNTER"),
        (15.1, "", ""),
        (15.1, "encounter_dist = 16", "ENCOUNTER"),
        (5, "near_miss_dist = 5.1", "NEAR_MISS ENCOUNTER"),
        (2, "collision_dist = 2.1", "COLLISION ENCOUNTER"),
    ],
)
def test_an_encounter_is_classified_by_its_minimum_distance(field, away, block, kinds):
    posts = field(FLAGS + block).pass_by(away)
    found = [post.name for post in posts if post.name != "OB_GLOBAL_MIN"]
    assert found == kinds.split()
    assert all(post.value == max(away, 0) for post in posts if post.name in found)


def test_flags_have_macros(field):
    block = (
        "encounter_flag = SAW_$UP_VNAME=$VNAME saw $ID at $DIST\nencounter_flag = NUMBER=$ENC_CNT\n"
        "near_miss_flag = MISSES=$MISS_CNT\ncollision_flag = HITS=$COLL_CNT of $ENC_CNT\n"
    )
    watch = field(block)
    for away in (3, 3, -1):
        watch.pass_by(away)
    assert watch.values("SAW_ABE") == ["Abe saw rock at 3"] * 2 + ["Abe saw rock at 0"]
    assert watch.values("NUMBER") == [1, 2, 3]
    assert watch.values("MISSES") == [1, 2]
    assert watch.values("HITS") == ["1 of 3"]


def test_the_minimum_distance_so_far_is_posted(field):
    watch = field()
    watch.pass_by(8)
    first, *_, last = watch.values("OB_GLOBAL_MIN")
    assert last == 8
    assert first > 30
    watch.pass_by(9)
    assert watch.values("OB_GLOBAL_MIN")[-1] == 8


def test_a_cleared_field_is_removed_except_new_obstacles(field):
    watch = field(FLAGS)
    watch.receive(("KNOWN_OBSTACLE", ROCK))
    watch.receive(("KNOWN_OBSTACLE", ROCK.replace("rock", "reef")), dt=10.0)
    watch.at(5, -3, ("KNOWN_OBSTACLE_CLEAR", "all"))
    watch.at(60, -3)
    assert len(watch.values("ENCOUNTER")) == 1
    watch.at(5, -3)
    watch.receive(("KNOWN_OBSTACLE_CLEAR", "reef"), dt=9.0)
    watch.at(60, -3)
    assert len(watch.values("ENCOUNTER")) == 1


@shows("bin_min_val", "bin_delta")
def test_the_appcast_has_a_histogram_if_it_is_to(field):
    def histogram(block):
        watch = field(block)
        for away in (1, 4, 6, 6, 11):
            watch.pass_by(away)
        return [line for line in watch.driven.app.report() if "so far" in line]

    bins = ["0 m: 1, so far 20.0 %", "5 m: 3, so far 80.0 %", "10 m: 1, so far 100.0 %"]
    assert histogram("bin_min_val = 0\nbin_delta = 5") == bins
    assert histogram("bin_min_val = 2\nbin_delta = 5") == bins[1:]
    assert histogram("") == histogram("bin_delta = 5") == histogram("bin_min_val = 0") == []


def test_distances_out_of_order_are_raised_with_a_warning(field):
    watch = field(FLAGS + "collision_dist = 18")
    assert len(watch.driven.app.config_warnings) == 2
    watch.pass_by(17)
    assert len(watch.values("COLLISION")) == 1


def test_invalid_mail_is_a_warning(field):
    watch = field()
    watch.receive(("KNOWN_OBSTACLE", "pts={0,0},label=rock"), ("NODE_REPORT", "NAME=abe"))
    obstacle, report = watch.driven.app.run_warnings
    assert obstacle.startswith("KNOWN_OBSTACLE: ")
    assert report.startswith("NODE_REPORT: ")


@pytest.mark.parametrize(
    ("line", "expected"),
    [("encounter_dist = -1", "at least 0"), ("collision_flag = HIT", "expected VAR=value")],
)
def test_an_invalid_line_is_refused_with_the_expected_form(field, line, expected):
    with pytest.raises(ConfigError, match=expected):
        field(line)


def test_every_parameter_has_a_test():
    assert {one.name for one in CollObDetect.parameters} == shows.names
