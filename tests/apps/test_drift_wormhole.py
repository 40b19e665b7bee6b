"""``uDriftWormhole``, driven by mail and time: every parameter, and all its posts."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from pathlib import Path

import pytest

from steerageway.apps.vessels.drift_wormhole.app import DriftWormhole
from steerageway.bus import ConfigError
from steerageway.vessel.drift import Drift

PAGE = (Path(__file__).parents[2] / "docs" / "drift_and_wormholes.md").read_text()
DT = 0.25
MOUTHS = "madrid_poly={0,90:20,90:20,110:0,110},weber_poly={0,-10:20,-10:20,10:0,10}"
HOLE = f"wormhole = tag=one,{MOUTHS}\narrows = false\n"


@pytest.fixture
def manage(drive):
    return lambda block, **setting: drive(DriftWormhole, block, **setting)


def posts_over(driven, seconds, mail=None, names=None):
    """Return the posts over some seconds: time -> variable -> value; mail comes each time."""
    posts = {}
    for _ in range(round(seconds / DT)):
        now = (driven.app.iteration + 1) * DT
        found = driven.tick(now, mail)
        posts[now] = {k: v for k, v in found.items() if names is None or k in names}
    return posts


def prevailing(posts):
    """Return the active drift after each tick, as a simulator sums it: time -> drift."""
    drift, found = Drift(), {}
    for now, posted in posts.items():
        drift = drift.times(posted.get("DRIFT_VECTOR_MULT", 1.0))  # posted before the others
        drift = Drift(posted.get("DRIFT_X", drift.x), posted.get("DRIFT_Y", drift.y))
        if "DRIFT_VECTOR" in posted:
            drift = Drift.towards(*map(float, posted["DRIFT_VECTOR"].split(",")))
        if "DRIFT_VECTOR_ADD" in posted:
            drift = drift.plus(Drift.towards(*map(float, posted["DRIFT_VECTOR_ADD"].split(","))))
        found[now] = drift
    return found


def drift_of(driven, seconds, mail=None):
    return list(prevailing(posts_over(driven, seconds, mail)).values())


def test_a_constant_drift_is_posted_once(manage):
    posts = posts_over(manage("drift = type=constant,dir=90,mag=1.5"), 2)
    assert posts[DT] == {"DRIFT_X": pytest.approx(1.5), "DRIFT_Y": pytest.approx(0)}
    assert all(posted == {} for now, posted in posts.items() if now > DT)


def test_sources_add_up(manage):
    lines = "drift = type=constant,dir=90,mag=1\ndrift = type=constant,dir=0,mag=2"
    assert drift_of(manage(lines), DT)[0] == pytest.approx((1, 2))


@pytest.mark.parametrize(
    ("form", "names"),
    [("xy", {"DRIFT_X", "DRIFT_Y"}), ("vector", {"DRIFT_VECTOR"}), ("add", {"DRIFT_VECTOR_ADD"})],
)
def test_every_form_of_posts_brings_the_same_drift(manage, form, names):
    lines = "drift = type=tide,dir=30,mag=1,period=40\ndrift = type=constant,dir=120,mag=0.5\n"
    lines += "multiply = at=5,factor=-2,every=3,times=2"
    driven = manage(f"{lines}\npost_as = {form}")
    posts = posts_over(driven, 20)
    assert set().union(*posts.values()) == names | {"DRIFT_VECTOR_MULT"}
    assert set(driven.app.publishes) == names | {"DRIFT_VECTOR_MULT", "VIEW_VECTOR"}
    for now, drift in prevailing(posts).items():
        factor = 1 if now < 5 else -2 if now < 8 else 4
        tide = Drift.towards(30, sin(2 * pi * now / 40))
        assert drift == pytest.approx(tide.plus(Drift.towards(120, 0.5)).times(factor), abs=1e-7)


def test_the_manuals_build_up_is_posted_as_the_manual_scripts_it(manage):
    driven = manage("drift = type=build_up,dir=137,mag=1.25,at=2,steps=5,every=1\npost_as = add")
    posts = posts_over(driven, 15)
    added = [(t, posted["DRIFT_VECTOR_ADD"]) for t, posted in posts.items() if posted]
    assert [t for t, _ in added] == [2.0 + k for k in range(10)]
    assert {text for _, text in added[:5]} == {"137,0.25"}
    assert {text for _, text in added[5:]} == {"317,0.25"}  # 137, -0.25 by another name
    (*_, last) = prevailing(posts).values()
    assert last == pytest.approx((0, 0), abs=1e-9)


def test_valid_build_up_parameters(manage):
    line = "drift = type=build_up,dir=90,mag=2,at=1,steps=2,every=0.5,hold=1,repeat=4"
    east = [round(drift.x, 9) for drift in drift_of(manage(line), 10)]
    cycle = [1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0]
    assert east[:3] == [0, 0, 0]
    assert east[3:35] == cycle * 2
    assert drift_of(manage("drift = type=build_up,dir=90,mag=5"), 10)[0].x == pytest.approx(1)


def test_valid_tide_parameters(manage):
    line = "drift = type=tide,dir=90,mag=0.5,period=20,phase=90"
    east = [drift.x for drift in drift_of(manage(line), 5)]
    assert east == pytest.approx([0.5 * cos(2 * pi * k * DT / 20) for k in range(1, 21)])
    (*_, after) = drift_of(manage("drift = type=tide,dir=90,mag=0.5"), 100)
    assert after.x == pytest.approx(0.5 * sin(2 * pi * 100 / (12.4206 * 3600)), rel=1e-4)


def test_valid_gust_parameters(manage):
    lines = "drift = type=gusts,dir=90,mag=1:2,every=4,rise=1,hold=2,fall=3,spread=20"
    drifts = drift_of(manage(lines), 600)
    blowing = [drift for drift in drifts if drift.magnitude > 1e-9]
    assert max(drift.magnitude for drift in blowing) == pytest.approx(2, abs=0.1)
    assert {60 < drift.direction < 120 for drift in blowing} == {True}
    assert len({round(drift.direction, 3) for drift in blowing}) > 30
    assert len(blowing) / len(drifts) == pytest.approx(6 / 10, abs=0.1)  # 6 s of wind, 4 of calm
    peaks = {round(d.magnitude, 9) for d in blowing if round(d.magnitude, 9) >= 1}
    assert len(peaks) > 30
    steep = drift_of(manage("drift = type=gusts,dir=0,mag=3,every=4,rise=0.1,fall=0.1"), 60)
    assert sum(drift.y > 0 for drift in steep) < 20


def test_valid_gauss_markov_parameters(manage):
    both = drift_of(manage("drift = type=gauss_markov,sigma=0.2,tau=5"), 100)
    assert len({drift.x for drift in both}) == len({drift.y for drift in both}) == 400
    assert max(abs(drift.x) for drift in both) < 1.0
    along = drift_of(manage("drift = type=gauss_markov,dir=45,sigma=0.2,tau=5"), 100)
    assert all(drift.x == pytest.approx(drift.y, abs=1e-8) for drift in along)
    assert drift_of(manage("drift = type=gauss_markov,sigma=0,tau=5"), 1)[-1] == (0, 0)
    slow = drift_of(manage("drift = type=gauss_markov,dir=0,sigma=0.2,tau=10000"), 20)
    steps = [abs(b.y - a.y) for a, b in pairwise(slow)]
    assert max(steps) < 0.01  # 0.2 * sqrt(2 * 0.25 / 10000) is a typical one


def test_a_field_acts_at_the_position_of_the_vessel(manage, tmp_path):
    lines = ["x, y, depth, east, north"]
    lines += [
        f"{x}, {y}, {z}, {x / 100 + z}, {y / 50}"
        for x in (0, 100)
        for y in (0, 100)
        for z in (0, 10)
    ]
    (tmp_path / "bay.csv").write_text("\n".join(lines))
    driven = manage("drift = type=field,file=bay.csv\narrows = false", folder=tmp_path)
    assert posts_over(driven, 1) == {DT * k: {} for k in range(1, 5)}  # nobody knows where it is
    (drift, *_) = drift_of(driven, DT, {"NAV_X": 50.0, "NAV_Y": 25.0})
    assert drift == pytest.approx((0.5, 0.5))
    (drift, *_) = drift_of(driven, DT, {"NAV_X": 60.0, "NAV_DEPTH": 5.0})
    assert drift.x == pytest.approx(5.6)


def test_several_vessels_are_served_from_ashore(manage, tmp_path):
    (tmp_path / "bay.csv").write_text("x, y, east, north\n0, 0, 0, 1\n100, 0, 2, 1\n")
    block = "drift = type=field,file=bay.csv\ndrift = type=gusts,dir=0,mag=1,every=9\n"
    block += "rotate = type=constant,mag=2\nmultiply = at=1,factor=3\nvessels = reported"
    driven = manage(block, folder=tmp_path)
    assert driven.registered == {"NODE_REPORT": 0}
    for k in range(1, 9):
        posts = driven.tick(
            k * DT, {"NODE_REPORT": f"NAME={'abe' if k % 2 else 'ben'},X={k * 5},Y=0"}
        )
    assert posts["DRIFT_X_BEN"] == pytest.approx(3 * 2 * 0.40)
    assert driven.app.run_warnings == {}
    (abe, ben) = [driven.app._drift_field.drift(driven.app._places[n], 2.0) for n in ("abe", "ben")]
    assert (abe.x, ben.x) == pytest.approx((3 * 0.70, 3 * 0.80))
    assert abe.y == ben.y
    first = manage(block, folder=tmp_path).tick(DT, {"NODE_REPORT": "NAME=abe,X=5,Y=0"})
    assert (first["ROTATE_SPEED_ABE"], first["DRIFT_X_ABE"]) == (2, pytest.approx(0.1))
    driven.tick(2.25, {"NODE_REPORT": "NAME=cal,X=here"})
    driven.tick(2.5, {"NODE_REPORT": "NAME=cal"})
    assert len(driven.app.run_warnings) == 2
    for part in ("X=5", "Y=5"):
        posts = driven.tick((driven.app.iteration + 1) * DT, {"NODE_REPORT": f"NAME=cal,{part}"})
        assert not any(name.endswith("_CAL") for name in posts)


def test_vessels_are_turned_in_place(manage):
    lines = "rotate = type=constant,mag=3\nrotate = type=build_up,mag=2,at=1,steps=1,every=1"
    posts = posts_over(manage(lines), 3)
    rotations = {t: found["ROTATE_SPEED"] for t, found in posts.items() if found}
    assert rotations == {DT: 3, 1.0: 5, 2.0: 3}
    assert manage(lines).app.publishes == ("ROTATE_SPEED",)


def test_the_drift_is_drawn_at_the_vessel(manage):
    driven = manage("drift = type=constant,dir=90,mag=0.5")
    assert "VIEW_VECTOR" not in driven.tick(DT)
    posts = posts_over(driven, 2, {"NAV_X": 7.0, "NAV_Y": -3.0})
    assert [t for t, reported in posts.items() if reported] == [1.25]
    assert posts[1.25]["VIEW_VECTOR"] == (
        "x=7,y=-3,ang=90,mag=10,label=alpha_drift,label_color=off,edge_color=deepskyblue"
    )
    long = manage("drift = type=constant,dir=90,mag=0.5\narrow_scale = 40")
    assert ",mag=20," in long.tick(DT, {"NAV_X": 7.0, "NAV_Y": -3.0})["VIEW_VECTOR"]
    off = manage("drift = type=constant,dir=90,mag=0.5\narrows = false")
    assert set(off.tick(DT, {"NAV_X": 7.0, "NAV_Y": -3.0})) == {"DRIFT_X", "DRIFT_Y"}


def test_changes_too_small_to_report_add_up_until_they_are_reported(manage):
    posts = posts_over(
        manage("drift = type=tide,dir=0,mag=1,period=2000000000"), 10
    )  # 8e-10 m/s a tick
    drift = list(prevailing(posts).values())
    assert drift[-1].y == pytest.approx(2 * pi * 10 / 2e9, abs=1e-9)
    assert sum(bool(posted) for posted in posts.values()) < 25


def test_two_identical_lines_have_separate_random_streams(manage):
    gust = "drift = type=gusts,dir=90,mag=1:2,every=4\n"
    alone, both = (drift_of(manage(lines), 60) for lines in (gust, gust * 2))
    assert any(two != pytest.approx(one.times(2)) for one, two in zip(alone, both, strict=True))


def test_an_additional_line_changes_no_other_random_stream(manage):
    gust = "drift = type=gusts,dir=90,mag=1:2,every=4,spread=20\n"
    rng = "drift = type=gauss_markov,dir=0,sigma=1,tau=3\n"
    alone, both = (drift_of(manage(lines), 60) for lines in (gust, rng + gust))
    random = drift_of(manage(rng), 60)
    for one, two, rest in zip(alone, both, random, strict=True):
        assert two == pytest.approx(one.plus(rest), abs=1e-8)
    assert drift_of(manage(gust, seed=2), 60) != alone


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "drift = dir=90,mag=1",
            "expected type=constant, build_up, gusts, gauss_markov, tide or f",
        ),
        ("rotate = type=field,file=a.csv", "expected type=constant, .*, tide$"),
        ("drift = type=constant,mag=1", "dir is missing: expected a number"),
        ("drift = type=constant,dir=1,mag=1,mge=2", "not mge; the nearest is mag"),
        ("drift = type=gusts,dir=1,mag=2:1,every=5", "mag = 2:1: expected a number, or LOW:HIGH"),
        ("drift = type=build_up,dir=1,mag=1,repeat=9", "repeat = 9: expected a number above 9"),
        ("drift = type=field", "expected file=NAME"),
        ("drift = type=field,file=nowhere.csv", "nowhere.csv: expected a readable text file"),
        ("rotate = type=constant,mag=1,dir=4", "expected mag, not dir"),
        ("multiply = at=5", "factor is missing: expected a number"),
        ("post_as = polar", "expected one of xy, vector, add"),
        (f"wormhole = tag=a,{MOUTHS}\nvessels = reported", "expected vessels = own"),
        ("arrow_scale = 0", "above 0"),
    ],
)
def test_errors_are_reported_with_their_line(manage, tmp_path, line, message):
    with pytest.raises(ConfigError, match=rf"test.moos:0: .*{message}"):
        manage(line, folder=tmp_path)


def test_a_block_that_does_nothing_gives_a_warning(manage):
    assert manage("").app.config_warnings != []
    assert manage("rotate = type=constant,mag=1").app.config_warnings == []


def sail(driven, fixes, **more):
    """Post its position, tick by tick; return the app's posts: time -> variable -> value."""
    posts = {}
    for x, y in fixes:
        now = (driven.app.iteration + 1) * DT
        posts[now] = driven.tick(now, {"NAV_X": x, "NAV_Y": y} | more)
    return posts


def test_a_vessel_found_in_a_mouth_is_ordered_out_of_the_other(manage):
    driven = manage(HOLE)
    posts = sail(driven, [(12.0, 89.5), (12.0, 90.25), (12.0, 90.75), (12.0, 91.25)])
    assert [posted.get("USM_TELEPORT") for posted in posts.values()] == [
        *(None, "x=12,y=-9.75", None, None)
    ]
    assert [posted["NAV_TRANSP"] for posted in posts.values()] == [1, 0, 0, 0]
    assert posts[0.5]["PNR_PAUSE"] == "true"
    answer = sail(driven, [(12.0, -9.25)], USM_TELEPORT_COUNT=1.0)[1.25]
    assert answer["PNR_PAUSE"] == "false"
    assert answer["NAV_TRANSP"] == 1
    assert answer["WORMHOLE_PASSAGE"] == (
        "tag=one,from=madrid,since=0.5,x=12,y=90.25,exit_x=12,exit_y=-9.75,count=1"
    )
    assert "USM_SIM_PAUSED" not in set().union(*posts.values(), answer)


def test_every_fix_is_used_not_only_the_last_before_a_tick(manage):
    driven = manage(HOLE)
    fixes = [
        ("NAV_X", 12.0, 0.1),
        ("NAV_Y", 90.5, 0.1),
        ("NAV_X", 12.0, 0.2),
        ("NAV_Y", 115.0, 0.2),
    ]
    posts = driven.take(1.0, [driven.message(*fix) for fix in fixes])
    assert posts["USM_TELEPORT"] == "x=12,y=-9.5"


def test_a_delayed_vessel_is_held_until_it_is_carried(manage):
    driven = manage(HOLE.replace("tag=one", "tag=one,delay=1"))
    posts = sail(driven, [(12.0, 90.0)] * 7)
    assert [t for t, posted in posts.items() if posted.get("USM_SIM_PAUSED") == "true"] == [0.25]
    assert [t for t, posted in posts.items() if posted.get("USM_SIM_PAUSED") == "false"] == [1.25]
    assert [t for t, posted in posts.items() if "USM_TELEPORT" in posted] == [1.25]


def test_a_vessel_gets_another_name_once_it_was_carried(manage):
    driven = manage(HOLE.replace("tag=one", "tag=one,id_change=true"))
    posts = sail(driven, [(12.0, 90.0)] * 3)
    assert "NODE_NAME_UPDATE" not in set().union(*posts.values())
    assert (
        sail(driven, [(12.0, -9.5)], USM_TELEPORT_COUNT=1.0)[1.0]["NODE_NAME_UPDATE"] == "alpha_1"
    )


def test_a_reset_calls_a_passage_off(manage):
    driven = manage(HOLE.replace("tag=one", "tag=one,delay=5"))
    sail(driven, [(12.0, 90.0)] * 3)
    posts = sail(driven, [(0.0, 0.0)], USM_RESET_COUNT=1.0)[1.0]
    assert (posts["PNR_PAUSE"], posts["USM_SIM_PAUSED"], posts["NAV_TRANSP"]) == (
        "false",
        "false",
        1,
    )
    later = sail(driven, [(40.0, 0.0)] * 30)
    assert "USM_TELEPORT" not in set().union(*later.values())


def test_a_command_without_a_subscriber_gives_a_warning(manage):
    driven = manage(HOLE)
    sail(driven, [(12.0, 90.0)] * 20)
    assert driven.app.run_warnings == {}
    sail(driven, [(12.0, 90.0)] * 3)
    assert list(driven.app.run_warnings) == [
        "USM_TELEPORT: no simulator answers by USM_TELEPORT_COUNT"
    ]


def test_mouths_are_drawn(manage):
    posts = sail(manage(HOLE), [(0.0, 0.0)] * 20)
    assert [t for t, posted in posts.items() if "VIEW_POLYGON" in posted] == [2.5, 5.0]


def test_a_prefix_selects_the_source_of_the_position(manage):
    driven = manage(HOLE + "prefix = NAV_GT")
    assert "NAV_GT_X" in driven.registered
    assert "USM_TELEPORT" not in sail(driven, [(12.0, 90.0)])[0.25]
    truth = {"NAV_GT_X": 12.0, "NAV_GT_Y": 90.0}
    assert driven.tick(0.5, truth)["USM_TELEPORT"] == "x=12,y=-10"


TESTED = {
    "drift": test_sources_add_up,
    "rotate": test_vessels_are_turned_in_place,
    "multiply": test_every_form_of_posts_brings_the_same_drift,
    "post_as": test_every_form_of_posts_brings_the_same_drift,
    "arrows": test_the_drift_is_drawn_at_the_vessel,
    "arrow_scale": test_the_drift_is_drawn_at_the_vessel,
    "vessels": test_several_vessels_are_served_from_ashore,
    "prefix": test_a_prefix_selects_the_source_of_the_position,
    "wormhole": test_a_vessel_found_in_a_mouth_is_ordered_out_of_the_other,
}


@pytest.mark.parametrize("name", [parameter.name for parameter in DriftWormhole.parameters])
def test_every_parameter_has_a_test_of_its_effect(name):
    assert name in TESTED


def test_the_blocks_of_the_page_are_read(manage, tmp_path):
    (tmp_path / "harbour.csv").write_text("x, y, east, north\n0, 0, 0, 1\n")
    blocks = PAGE.split("ProcessConfig = ")[1:]
    assert [block.partition("\n")[0] for block in blocks] == ["uDriftWormhole", "uSimMarineV22"]
    for block in blocks:
        lines = block.partition("{")[2].partition("\n    }")[0]
        assert manage(lines, folder=tmp_path).app.config_warnings == []


def test_the_appcast_shows_drift_and_wormholes(manage):
    driven = manage(HOLE + "drift = type=constant,dir=90,mag=0.5\npost_as = add")
    sail(driven, [(12.0, 80.0), (12.0, 90.0)])
    assert list(driven.app.report()) == [
        "Posts drift as add; turns vessels by 0 deg/s",
        "alpha at 12, 90: 90 deg, 0.5 m/s",
        "Wormholes: one  Passages: 0",
        "In one from madrid since 0.50 s",
    ]
