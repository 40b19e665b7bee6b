"""Wormholes in mission files, and a simulated vessel that passes through them."""

from pathlib import Path

import pytest

from steerageway.apps.shared.wormholes import drawings, read_wormholes
from steerageway.apps.vessels.usim_marine.app import USimMarine
from steerageway.bus import Config, ConfigError
from steerageway.vessel.wormhole import Side

ROOT = Path(__file__).parents[2]
MOUTHS = "madrid_poly={0,90:20,90:20,110:0,110}, weber_poly={0,-10:20,-10:20,10:0,10}"
NORTHWARD = "start_pos = x=12,y=80,heading=0,speed=2,depth=3\nbuoyancy_rate = 0\nprefix = NAV\n"
THRUST = {"DESIRED_THRUST": 40.0}
DT = 0.25


def config_of(*values):
    return Config([("wormhole", value, f"lane.moos:{k + 1}") for k, value in enumerate(values)])


def test_lines_of_one_tag_add_up_and_the_manuals_example_is_read():
    (one, two) = read_wormholes(
        config_of(
            "tag=One, madrid_poly={format=ellipse,x=80,y=-180,degs=0,major=160,minor=20,pts=20}",
            "tag=one, weber_poly={format=ellipse,x=80,y=0,degs=0,major=160,minor=20,pts=20}",
            f"tag=two, {MOUTHS}",
            "tag=one, connection=from_madrid",
            "tag=one, id_change=true",
            "tag=one, delay=3",
            "tag=one, fade=2.5",
        )
    )
    assert (one.tag, one.entries, one.delay, one.fade) == ("one", (Side.MADRID,), 3, 2.5)
    assert one.id_change
    assert one.madrid.centroid == pytest.approx((80, -180))
    assert one.madrid.contains((1, -180))
    assert not one.madrid.contains((80, -191))
    assert (two.delay, two.fade, two.id_change) == (0, 0, False)


@pytest.mark.parametrize(
    ("word", "entries"),
    [
        ("from_madrid", (Side.MADRID,)),
        ("from_weber", (Side.WEBER,)),
        ("both", (Side.MADRID, Side.WEBER)),
    ],
)
def test_connection_sets_which_mouths_are_entrances(word, entries):
    (hole,) = read_wormholes(config_of(f"tag=t, {MOUTHS}, connection={word}"))
    assert hole.entries == entries


@pytest.mark.parametrize(
    "spec",
    [
        "60,-40:60,-160:150,-160",
        "pts={60,-40:60,-160:150,-160}",
        "pts={60,-40:60,-160:150,-160},label=gate",
        "60,-40:60,-160:150,-160:label,gate",
        "format=radial,x=90,y=-120,radius=30,pts=6",
        "radial::x=90,y=-120,radius=30,pts=6",
        "radial:90,-120,30,6",
        "ellipse:x=90,y=-120,major=60,minor=30,pts=12,degs=45",
        "format=wedge,x=90,y=-130,lang=330,rang=30,range=50,pts=6",
        "rangewedge:x=90,y=-150,lang=0,rang=5,range_min=20,range_max=50",
        "pylon:x1=80,y1=-120,x2=100,y2=-120,axis_pad=5,perp_pad=8",
        "format=oval,x=90,y=-120,rad=10,len=60,ang=45",
    ],
)
def test_mouths_are_polygons_of_every_form(spec):
    hole = f"tag=t, madrid_poly={{{spec}}}, weber_poly={{radial:0,0,9,6}}"
    (read,) = read_wormholes(config_of(hole))
    assert read.madrid.contains(read.madrid.centroid)
    assert 55 < read.madrid.centroid[0] < 155


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["tag=t, madrid_poly={0,0:9,0:1,1:0,9}"], r"lane.moos:1: .*madrid_poly: .*convex"),
        ([f"tag=t, {MOUTHS}", "tag=u, weber_poly={radial:0,0,9,6}"], "lane.moos:2: .*madrid_poly"),
        (["tag=t, madrid_poly={radial:0,0,9,6}", "tag=t, delay=2"], "lane.moos:2: .*weber_poly"),
        ([f"tag=t, {MOUTHS}, conection=both"], "lane.moos:1: .*not conection; .* connection"),
        ([f"tag=t, {MOUTHS}, colour=red"], "lane.moos:1: .*not colour"),
        ([MOUTHS], "lane.moos:1: .*expected tag=NAME"),
        ([f"tag=t, {MOUTHS}", "tag=t, delay=-1"], "lane.moos:2: .*delay: expected seconds"),
        ([f"tag=t, {MOUTHS}", "tag=t, fade=soon"], "lane.moos:2: .*fade: expected seconds"),
        (
            [f"tag=t, {MOUTHS}, connection=to_madrid"],
            "lane.moos:1: .*from_madrid, from_weber, both",
        ),
        ([f"tag=t, {MOUTHS[:-1]}"], "lane.moos:1: .*weber_poly: "),  # a brace is never closed
        ([f"tag=t, {MOUTHS}, id_change=maybe"], "lane.moos:1: .*expected true or false"),
    ],
)
def test_errors_are_reported_with_their_line(lines, message):
    with pytest.raises(ConfigError, match=message):
        read_wormholes(config_of(*lines))


def test_mouths_are_drawn_as_in_moos_ivp():
    (weber, madrid) = drawings(read_wormholes(config_of(f"tag=One, {MOUTHS}")))
    assert weber.startswith("pts={0,-10:20,-10:20,10:0,10},label=one_weber,")
    assert "label=one_madrid,label_color=invisible,edge_color=invisible" in madrid
    assert madrid.endswith("vertex_color=invisible,fill_color=white,fill_transparency=0.10")


def sail(driven, seconds, mail=THRUST, dt=DT):
    """Return the posts of each tick: time -> variable -> last value."""
    received = {}
    for _ in range(round(seconds / dt)):
        now = (driven.app.iteration + 1) * dt
        received[now] = driven.tick(now, mail)
    return received


@pytest.fixture
def northward(drive):
    return lambda more="": drive(
        USimMarine, f"{NORTHWARD}wormhole = tag=one,{MOUTHS.replace(' ', '')}{more}"
    )


def test_place_heading_speed_depth_and_time_of_a_passage(northward):
    posted = sail(northward(), 60)
    for entered in (5.0, 55.0):  # 10 m at 2 m/s; then the 100 m back to the mouth
        assert (posted[entered]["NAV_X"], posted[entered]["NAV_Y"]) == pytest.approx((12, 90))
        out = posted[entered + DT]
        assert (out["NAV_X"], out["NAV_Y"]) == pytest.approx((12, -9.5))
        assert (out["NAV_HEADING"], out["NAV_SPEED"], out["NAV_DEPTH"]) == (0, 2, 3)
        assert out["WORMHOLE_PASSAGE"] == (
            f"tag=one,from=madrid,since={entered:g},x=12,y=90,exit_x=12,exit_y=-10,"
            f"count={1 if entered == 5 else 2}"
        )
    assert {posts["NAV_TRANSP"] for posts in posted.values()} == {1.0}
    names = set().union(*posted.values())
    assert not {"NODE_NAME_UPDATE", "PNR_PAUSE", "USM_RESET_COUNT"} & names


def test_a_delayed_vessel_is_stopped_hidden_and_unreported(northward):
    posts = sail(northward(",delay=3"), 12)
    gone = [5.25 + DT * k for k in range(12)]
    assert {posts[t]["NAV_Y"] for t in gone} == {posts[5.0]["NAV_Y"]}
    assert {posts[t]["NAV_TRANSP"] for t in gone} == {0.0}
    assert [t for t in posts if posts[t].get("PNR_PAUSE") == "true"] == [5.25]
    assert [t for t in posts if posts[t].get("PNR_PAUSE") == "false"] == [8.25]
    assert (posts[8.25]["NAV_Y"], posts[8.25]["NAV_TRANSP"]) == (pytest.approx(-9.5), 1.0)


def test_a_fading_vessel_is_seen_less_and_less_and_then_more_and_more(northward):
    posted = sail(northward(",fade=2"), 12)
    seen = {t: posts["NAV_TRANSP"] for t, posts in posted.items()}
    assert [seen[t] for t in (5.0, 5.5, 6.5, 7.0, 7.25, 8.0, 9.0)] == [
        *(1.0, 0.75, 0.25, 0.0),
        *(0.125, 0.5, 1.0),
    ]
    assert posted[7.25]["NAV_Y"] == pytest.approx(-9.5)
    assert "PNR_PAUSE" not in set().union(*posted.values())


def test_in_the_released_program_it_fades_for_5_s_and_leaves_from_where_it_came_in(northward):
    posted = sail(northward("\nmodel = released"), 16)
    seen = {t: posts["NAV_TRANSP"] for t, posts in posted.items()}
    assert [seen[t] for t in (5.0, 7.5, 10.0, 12.5, 15.0)] == [1.0, 0.5, 0.0, 0.5, 1.0]
    assert posted[10.0]["NAV_Y"] == pytest.approx(100.0)  # found at y = 90, sailed on for 5 s
    assert posted[10.5]["NAV_Y"] == pytest.approx(-9.0)  # (12, -10), and 0.5 s on
    assert (posted[10.5]["NAV_X"], posted[10.5]["NAV_HEADING"]) == pytest.approx((12.0, 0.0))


def test_a_vessel_comes_out_under_a_new_name(northward):
    posted = sail(northward(",id_change=true"), 110)
    names = {
        t: posts["NODE_NAME_UPDATE"] for t, posts in posted.items() if "NODE_NAME_UPDATE" in posts
    }
    assert names == {5.25: "alpha_1", 55.25: "alpha_2", 105.25: "alpha_3"}


def test_the_mouths_are_drawn_every_tenth_iteration(northward):
    posted = sail(northward(), 10)
    drawn = [round(t / DT) for t, posts in posted.items() if "VIEW_POLYGON" in posts]
    assert drawn == [10, 20, 30, 40]


def test_a_reset_ends_a_passage_half_way(northward):
    driven = northward(",delay=3")
    sail(driven, 6)
    posts = sail(driven, DT, THRUST | {"USM_RESET": "x=12,y=40,speed=2"})[6.25]
    assert (posts["NAV_Y"], posts["PNR_PAUSE"]) == (pytest.approx(40.5), "false")
    assert sail(driven, 5)[11.25]["NAV_Y"] == pytest.approx(50.5)


def test_a_vessel_is_carried_without_a_reset(drive):
    driven = drive(USimMarine, NORTHWARD)
    sail(driven, 5)
    posts = sail(driven, DT, THRUST | {"USM_TELEPORT": "x=-5,y=7.25"})[5.25]
    assert (posts["NAV_X"], posts["NAV_Y"]) == pytest.approx((-5, 7.75))
    assert (posts["NAV_HEADING"], posts["NAV_SPEED"], posts["NAV_DEPTH"]) == (0, 2, 3)
    assert posts["USM_TELEPORT_COUNT"] == 1
    assert "USM_RESET_COUNT" not in posts
    driven.tick(5.5, {"USM_TELEPORT": "x=3"})
    assert driven.app.run_warnings == {"USM_TELEPORT = 'x=3': expected x=<m>,y=<m>": 1}


@pytest.mark.parametrize("model", ["released", "legacy"])
def test_every_simulator_can_be_carried(drive, model):
    driven = drive(USimMarine, f"model = {model}")
    posts = sail(driven, 0.5, {"USM_TELEPORT": "x=-5,y=7.25"})[0.5]
    assert (posts["USM_X"], posts["USM_Y"]) == (-5, 7.25)


@pytest.mark.slow
def test_a_fossen_vessel_keeps_its_motion_through_a_wormhole_and_when_carried(drive):
    block = "model = fossen\nvessel = inputs/otter\nstart_pos = x=10,y=85,heading=5,speed=1\n"
    wormhole = f"wormhole = tag=one,{MOUTHS.replace(' ', '')}"
    passing = drive(USimMarine, block + wormhole, folder=ROOT)
    plain = drive(USimMarine, block, folder=ROOT)
    pushed = {"DESIRED_THRUST": 50.0, "DESIRED_RUDDER": 20.0}
    posted, sailed = sail(passing, 20, pushed, 0.2), sail(plain, 20, pushed, 0.2)
    (out,) = [t for t, posts in posted.items() if "WORMHOLE_PASSAGE" in posts]
    for t in posted:
        shift = 100 if t >= out else 0
        assert posted[t]["USM_Y"] == pytest.approx(sailed[t]["USM_Y"] - shift, abs=1e-9)
        for name in ("USM_X", "USM_HEADING", "USM_SPEED", "USM_ROLL", "USM_HEAVE"):
            assert posted[t][name] == pytest.approx(sailed[t][name], abs=1e-9)
    before = plain.app.scene.craft.motion
    plain.tick(20.2, {"USM_TELEPORT": "x=500,y=-500"})
    after = plain.app.scene.craft.motion
    assert after.x == pytest.approx(500, abs=0.5)
    assert after.speed == pytest.approx(before.speed, abs=0.05)


def test_the_appcast_shows_wormholes_and_the_present_passage(northward):
    driven = northward(",delay=3")
    assert "Wormholes: one  Passages: 0" in list(driven.app.report())
    sail(driven, 6)
    assert "In one from madrid since 5.00 s" in list(driven.app.report())
    sail(driven, 3)
    assert "Wormholes: one  Passages: 1" in list(driven.app.report())
