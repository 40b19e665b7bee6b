"""``BHV_AvoidObstacleV24``: rays against steps along them, and the effect of each parameter."""

from __future__ import annotations

from itertools import pairwise
from math import cos, radians, sin

import numpy as np
import pytest
from alone import shows, untested_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.helm.behavior_set import AbleFilters
from steerageway.helm.behaviors import BEHAVIORS
from steerageway.helm.behaviors.avoid_obstacle.obstacle import distances, rays, turned_rays
from steerageway.helm.behaviors.base import BehaviorError
from steerageway.helm.bench import behavior_bench
from steerageway.helm.settings import declarations
from steerageway.helm.shapes import HintReader
from steerageway.ivp import solve
from steerageway.moos.errors import FormatError
from steerageway.moos.polygon import parse_polygon

KIND = "BHV_AvoidObstacleV24"
ROCK = "polygon = -5,30:5,30:5,40:-5,40\nid = rock\n"
NORTH = {"NAV_HEADING": 0.0, "NAV_SPEED": 2.0}


@pytest.fixture
def northbound(alone):
    """Return a behavior of a vessel that goes north at 2 m/s from (0, 0)."""
    return lambda lines="", **nav: alone(KIND, ROCK + lines, **NORTH | nav)


@pytest.mark.slow
@settings(max_examples=25)
@given(st.floats(-40, 40), st.floats(-40, 40), st.integers(3, 8), st.floats(0, 359))
def test_the_distance_of_a_ray_is_that_of_its_nearest_step(x, y, corners, course):
    polygon = parse_polygon(f"format=radial,x={x:.3f},y={y:.3f},radius=15,pts={corners}")
    if polygon.distance((0.0, 0.0)) < 0.5:
        return
    found = rays((0.0, 0.0), polygon, np.array([course]))
    s, c = sin(radians(course)), cos(radians(course))
    steps = [k * 0.05 for k in range(1600)]
    nearest = min((polygon.distance((s * way, c * way)), way) for way in steps)
    assert found.range[0] == pytest.approx(nearest[0], abs=0.03)
    if nearest[0] == 0.0:
        assert found.way[0] == pytest.approx(nearest[1], abs=0.06)
        assert not found.to_port[0]
        assert not found.to_starboard[0]


def along_a_turn(heading, radius, course, way):
    """Return where a vessel from (0, 0) is that turns to a course and goes on straight."""
    turn = radians((course - heading + 180.0) % 360.0 - 180.0)
    x = y = 0.0
    now, step = radians(heading), 0.01
    for _ in range(round(way / step)):
        if turn != 0.0:
            part = min(abs(turn), step / radius) * (1 if turn > 0 else -1)
            now, turn = now + part, turn - part
        x, y = x + step * sin(now), y + step * cos(now)
    return x, y


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
    st.floats(0, 359),
    st.sampled_from([3.0, 8.0]),
    st.integers(0, 359),
)
def test_the_distance_of_a_turn_is_that_of_its_nearest_step(middle, heading, radius, course):
    polygon = parse_polygon(f"format=radial,x={middle[0]:.3f},y={middle[1]:.3f},radius=6,pts=5")
    if polygon.distance((0.0, 0.0)) < 0.5 or abs((course - heading) % 360 - 180) < 0.5:
        return
    found = turned_rays((0.0, 0.0), heading, radius, polygon, np.array([float(course)]))
    ways = np.arange(0.0, 70.0, 0.5)
    away = [polygon.distance(along_a_turn(heading, radius, course, way)) for way in ways]
    assert found.range[0] == pytest.approx(min(away), abs=0.3)
    if min(away) == 0.0:
        assert found.way[0] == pytest.approx(ways[away.index(0.0)], abs=1.1)


@settings(max_examples=25, deadline=None)
@given(st.floats(-40, 40), st.floats(-40, 40), st.integers(3, 8))
def test_distances_of_many_points_are_those_of_each(x, y, corners):
    polygon = parse_polygon(f"format=radial,x={x:.3f},y={y:.3f},radius=15,pts={corners}")
    points = np.array([(0.0, 0.0), (x, y), (20.0, -7.0)])
    expected = [polygon.distance((px, py)) for px, py in points]
    assert distances(points, polygon) == pytest.approx(expected, abs=1e-9)


def test_a_vessel_that_cannot_turn_at_once_does_not_turn_through_the_obstacle(alone):
    wall = "polygon = 2,-20:8,-20:8,20:2,20\nmin_util_cpa_dist = 1\nmax_util_cpa_dist = 4"
    far = "pwt_inner_dist = 0\npwt_outer_dist = 3\nallowable_ttc = 1000"
    one = alone(KIND, f"{wall}\n{far}", **NORTH | {"NAV_HEADING": 170.0})
    one.step(NAV_Y=18.0)
    assert one.utility(course=5) > 0
    one.world.turn_radius = 6.0
    one.step()
    assert one.utility(course=5) == 0
    assert one.utility(course=190) > 0


def test_a_tighter_turn_is_used_where_no_turn_is_wide_enough(alone):
    one = alone(KIND, "polygon = -60,5:60,5:60,9:-60,9\nallowable_ttc = 1000", **NORTH)
    one.world.turn_radius = 30.0
    one.step()
    assert one.utility(course=180) > 0
    assert one.utility(course=0) == 0


def test_a_ray_determines_the_passing_side_of_the_polygon():
    found = rays((0.0, 0.0), parse_polygon("-5,30:5,30:5,40:-5,40"), np.array([0.0, 30, 330, 180]))
    assert list(found.to_port) == [False, True, False, False]
    assert list(found.to_starboard) == [False, False, True, False]


@shows(KIND, "polygon", "min_util_cpa_dist", "max_util_cpa_dist")
@pytest.mark.parametrize(
    ("lines", "utility"),
    [("", 25 + 75 * 2 / 8), ("min_util_cpa_dist = 11", 0), ("max_util_cpa_dist = 10", 100)],
)
def test_the_utility_of_a_course_follows_from_its_closest_distance(lines, utility, alone):
    one = alone(KIND, f"polygon = 10,25:20,25:20,35:10,35\nallowable_ttc = 1000\n{lines}", **NORTH)
    one.step()
    assert one.utility(course=0) == pytest.approx(utility)
    assert one.utility(course=27) == 0


@shows(KIND, "buffer_dist", "i_understand_this_behavior_is_deprecated")
@pytest.mark.parametrize(("buffer", "utility"), [(9, 25 + 75 / 7), (11, 0)])
def test_the_first_behavior_of_that_name_keeps_a_buffer_distance(buffer, utility, alone):
    rock = "polygon = 10,25:20,25:20,35:10,35\nallowable_ttc = 1000\n"
    known = f"buffer_dist = {buffer}\ni_understand_this_behavior_is_deprecated = true"
    one = alone("BHV_AvoidObstacle", rock + known, **NORTH)
    one.step()
    assert one.utility(course=0) == pytest.approx(utility)


@pytest.mark.parametrize(
    ("line", "bounds"),
    [
        ("buffer_dist = 30", (30, 30, 10, 50)),
        ("max_util_cpa_dist = 5", (5, 5, 10, 50)),
        ("activation_dist = 8", (8, 16, 8, 8)),
        ("pwt_inner_dist = 60", (8, 16, 60, 60)),
        ("pwt_outer_dist = 70", (8, 16, 10, 70)),
        ("completed_dist = 5", (8, 16, 5, 5)),
    ],
)
def test_an_unset_bound_yields_to_the_one_that_is_set(line, bounds, alone):
    s = alone(KIND, line).behavior.settings
    found = (s.min_util_cpa_dist, s.max_util_cpa_dist, s.pwt_inner_dist, s.pwt_outer_dist)
    assert found == bounds
    assert s.completed_dist >= s.pwt_outer_dist


@shows(KIND, "allowable_ttc")
@pytest.mark.parametrize(("line", "matters"), [("", True), ("allowable_ttc = 8", False)])
def test_a_late_encounter_has_less_weight(line, matters, alone):
    one = alone(KIND, f"polygon = -12,8:-10,12:40,32\n{line}", **NORTH)
    one.step()
    assert one.utility(course=0) == 0  # reached in 7 s
    assert (one.utility(course=45) == 0) == matters  # in 18 s
    one.step(NAV_SPEED=4.0)
    assert one.utility(course=0) == 0


@shows(KIND, "pwt_inner_dist", "pwt_outer_dist", "pwt_grade")
@pytest.mark.parametrize(
    ("lines", "share"),
    [
        ("", 0.5),
        ("pwt_grade = quadratic", 0.25),
        ("pwt_inner_dist = 30", 1.0),
        ("pwt_outer_dist = 70", 2 / 3),
    ],
)
def test_its_weight_grows_as_the_obstacle_comes_near(lines, share, northbound):
    one = northbound(lines)
    one.step()
    assert one.objective.weight == pytest.approx(100 * share)


def test_its_weight_is_half_abeam_and_nothing_further_aft(northbound):
    abeam = northbound(NAV_X=-15.0, NAV_Y=35.0)
    abeam.step()
    near = (50 - 10) / 40
    assert abeam.objective.weight == pytest.approx(
        100 * near * (1 + cos(radians(63.435))) / 2, rel=1e-3
    )
    aft = northbound(NAV_X=-5.0, NAV_Y=60.0)
    aft.step()
    assert aft.objective is None


POCKET = {
    "north": "-20,40:20,40:20,48:-20,48",
    "west": "-20,10:-12,10:-12,38:-20,38",
    "east": "12,10:20,10:20,38:12,38",
}


def test_in_a_pocket_the_decision_turns_with_the_obstacles_that_are_not_aft():
    """MOOS-IvP's own rule (``isObstacleAft(20)``): the number of functions changes each time."""
    kinds = BEHAVIORS["BHV_Waypoint"], BEHAVIORS[KIND]
    benches = [behavior_bench(kinds[0], "points = 0,200\nspeed = 2\npwt = 100")]
    for name, corners in POCKET.items():
        given = f"name = {name}\nid = {name}\npoly = pts={{{corners}}}\npwt = 300\nbuffer_dist = 3"
        ranges = "pwt_outer_dist = 40\npwt_inner_dist = 15\ncompleted_dist = 60"
        benches.append(behavior_bench(kinds[1], f"{given}\nallowable_ttc = 20\n{ranges}"))
    x, y, heading = 0.0, 8.0, 30.0
    decided = []
    for _ in range(24):
        for bench in benches:
            bench.own(x, y, heading, 1.5)
            bench.step()
        functions = [bench.objective for bench in benches if bench.objective is not None]
        course = solve(benches[0].world.domain, functions).values["course"]
        decided.append((course, len(functions)))
        turn = (course - heading + 180.0) % 360.0 - 180.0
        heading = (heading + max(-10.0, min(10.0, turn))) % 360.0
        x, y = x + 0.375 * sin(radians(heading)), y + 0.375 * cos(radians(heading))
    flips = [
        (before[1], after[1])
        for before, after in pairwise(decided)
        if abs((after[0] - before[0] + 180.0) % 360.0 - 180.0) > 90.0
    ]
    assert len(flips) > 4
    assert all(before != after for before, after in flips)


@shows(KIND, "completed_dist", "pwt_outer_dist")
@pytest.mark.parametrize(("line", "limit"), [("", 50), ("completed_dist = 80", 80)])
def test_it_completes_beyond_the_completed_distance(line, limit, northbound):
    one = northbound(f"{line}\nendflag = OVER = true")
    assert "OVER" not in one.step(NAV_Y=30.0 - limit)
    assert one.objective is None
    assert one.step(NAV_Y=29.0 - limit)["OVER"] == "true"


@shows(KIND, "id")
def test_it_completes_when_its_obstacle_is_resolved(northbound):
    one = northbound("endflag = OVER = true")
    assert "OVER" not in one.step({"OBM_RESOLVED": "reef"})
    assert one.step({"OBM_RESOLVED": "rock"})["OVER"] == "true"


def test_an_obstacle_that_is_resolved_far_away_is_over_once(northbound):
    one = northbound("endflag = OVER = $[CTR]")
    one.step({"OBM_RESOLVED": "rock"}, NAV_Y=-500.0)
    assert one.values("OVER") == [1]
    one.step(NAV_Y=-500.0)
    assert one.posted["OVER"] == 1
    assert one.behavior.state == "completed"


def test_it_looks_at_the_obstacle_while_it_is_idle(northbound):
    one = northbound("condition = GO = true\nendflag = OVER = true\nrng_flag = <20 NEAR = $[RNG]")
    assert one.step(NAV_Y=12.0)["NEAR"] == 18
    assert one.step(NAV_Y=-21.0)["OVER"] == "true"
    one.step()
    assert one.behavior.state == "completed"


@shows(KIND, "allstop_on_breach")
def test_inside_the_obstacle_it_stops_or_warns(northbound):
    with pytest.raises(BehaviorError, match="Allstop: Obstacle Breached"):
        northbound().step(NAV_Y=35.0)
    posted = northbound("allstop_on_breach = false").step(NAV_Y=35.0)
    assert "Obstacle Breached" in posted["BHV_WARNING"]


@shows(KIND, "rng_flag", "cpa_flag")
def test_flags_report_ranges_and_the_closest_approach(northbound):
    lines = [
        "rng_flag = <20 NEAR = $[RNG]",
        "rng_flag = ANY = $[RANGE]",
        "cpa_flag = PAST = $[CPA]",
    ]
    one = northbound("\n".join([*lines, "allowable_ttc = 1000", "runxflag = EVER = $[CPA]"]))
    ways = [(0, 5), (0, 12), (0, 15), (-10, 33), (-10, 40.5), (-10, 46), (-12, 45), (-20, 60)]
    posted = [one.step(NAV_X=float(x), NAV_Y=float(y)) for x, y in ways]
    assert [t.get("NEAR") for t in posted[:4]] == [None, 18, 15, 5]
    assert [t.get("ANY") for t in posted[:4]] == [25, 18, 15, 5]
    assert [t.get("PAST") for t in posted] == [None] * 5 + [5, None, None]
    assert one.posted["EVER"] == 5
    far = northbound("cpa_flag = PAST = 1\npwt_outer_dist = 12\npwt_inner_dist = 5")
    for y in (0.0, 20.0, 18.5):
        far.step(NAV_Y=y)
    assert "PAST" in far.posted
    far = northbound("cpa_flag = PAST = 1\npwt_outer_dist = 12\npwt_inner_dist = 5")
    for y in (0.0, 17.0, 15.0):
        far.step(NAV_Y=y)
    assert "PAST" not in far.posted


def test_noise_of_the_position_is_no_closest_approach(northbound):
    one = northbound("cpa_flag = PAST = 1")
    for y in (0, 5, 4.2, 9, 8.4, 15, 14.1):
        one.step(NAV_Y=float(y))
    assert "PAST" not in one.posted


def test_macros_contain_the_position_of_the_obstacle(northbound):
    macros = "$[OBSTACLE_ID]:$[OID]:$[BNG]:$[RBNG]:$[SIDE]:$[SLOCK]:$[OSV]:$[SPD]"
    one = northbound(f"runxflag = NOW = {macros}")
    one.step(NAV_HEADING=10.0)
    one.step()
    assert one.posted["NOW"] == "rock:rock:0:350:port::2:2"
    one.step(NAV_HEADING=350.0, NAV_Y=15.0)
    one.step()
    assert one.posted["NOW"] == "rock:rock:0:10:star:port:2:2"


@pytest.mark.parametrize(
    ("name", "index"), [("rock", ""), ("ob_7", "7"), ("radar_4_12", "12"), ("_3", "3")]
)
def test_macros_contain_the_obstacles_index_and_its_utility_ranges(name, index, alone):
    lines = f"polygon = -5,30:5,30:5,40:-5,40\nid = {name}\nmin_util_cpa_dist = 6.5"
    one = alone(KIND, f"{lines}\nrunxflag = NOW = $[OIDX];$[MINU_CPA];$[MAXU_CPA]", **NORTH)
    one.step()
    assert one.posted["NOW"] == f"{index};6.5;16"


def test_its_settings_are_reported_at_its_start_and_after_updates_and_idling(northbound):
    one = northbound("condition = GO = true\nmin_util_cpa_dist = 6.125\ncompleted_dist = 90")
    expected = (
        "type=BHV_AvoidObstacleV24,name=b,allowable_ttc=20.00,min_util_cpa=6.12,"
        "max_util_cpa={},pwt_outer_dist=50.00,pwt_inner_dist=10.00,completed_dist=90.00"
    )
    assert one.posted["BHV_SETTINGS"] == expected.format("16.00")
    assert "BHV_SETTINGS" not in one.step({"GO": "false"})
    assert one.step({"GO": "true"})["BHV_SETTINGS"] == expected.format("16.00")
    assert "BHV_SETTINGS" not in one.step()
    one.update("max_util_cpa_dist = 20")
    assert one.step()["BHV_SETTINGS"] == expected.format("20.00")


@shows(KIND, "visual_hints")
@pytest.mark.parametrize("hint", ["edge_color", "obstacle_edge_color", "gut_edge_color"])
def test_it_is_drawn_and_removed(hint, northbound):
    drawn = northbound(f"visual_hints = {hint} = pink").step()["VIEW_POLYGON"]
    assert drawn.startswith("pts={-5,30:5,30:5,40:-5,40},label=abe_rock,edge_color=pink")
    one = northbound("condition = GO = true")
    one.step({"GO": "true"})
    assert "active=false" in one.step({"GO": "false"})["VIEW_POLYGON"]


def test_sizes_labels_and_transparency_are_drawn_only_if_set(northbound):
    assert "size" not in northbound().step()["VIEW_POLYGON"]
    hints = "gut_vertex_size = 7, edge_size = 2, label_color = off, obst_fill_transparency = 0.3"
    drawn = northbound(f"visual_hints = {hints}").step()["VIEW_POLYGON"]
    expected = "label_color=off,edge_color=white,vertex_color=gray50,vertex_size=7,edge_size=2"
    assert drawn.endswith(f"label=abe_rock,{expected},fill_color=gray60,fill_transparency=0.3")


def test_hints_for_the_polygons_around_it_are_no_warning():
    """MOOS-IvP draws buffers, too: its hints for them are no mistake, and here without effect."""
    _, declared = declarations(BEHAVIORS[KIND].settings_class)["visual_hints"]
    reader = declared.read
    assert isinstance(reader, HintReader)
    assert (
        list(reader.doubts("buffer_min_edge_color = red, buff_max_fill_transparency = 0.1")) == []
    )
    warnings = reader.doubts("mid_vertex_size = 1, rum_color = red, gut_poly_edge_color = red")
    assert [text.split()[1] for text in warnings] == ["rum_color", "gut_poly_edge_color"]


@shows(KIND, "use_refinery", "holonomic_ok")
@pytest.mark.parametrize("line", ["use_refinery = true", "holonomic_ok = false"])
def test_parameters_without_effect_are_accepted(line, northbound):
    plain, other = northbound(), northbound(line)
    assert plain.step() == other.step()
    assert plain.utility(course=20) == other.utility(course=20)


@shows(KIND, "can_disable")
@pytest.mark.parametrize(("line", "obeys"), [("", False), ("can_disable = true", True)])
def test_it_may_be_switched_off_by_its_obstacle(line, obeys, northbound):
    one = northbound(line)
    AbleFilters().apply("action=disable,obstacle_id=rock", [one.behavior])
    one.step()
    assert (one.objective is None) == obeys


@pytest.mark.parametrize(("source", "obeys"), [("radar", True), ("lidar", False)])
def test_it_may_be_disabled_by_the_source_of_its_obstacle(source, obeys, alone):
    rock = "poly = pts={-5,30:5,30:5,40:-5,40},label=rock,vsource=radar"
    one = alone(KIND, f"{rock}\ncan_disable = true", **NORTH)
    AbleFilters().apply(f"action=disable,vsource={source}", [one.behavior])
    one.step()
    assert (one.objective is None) == obeys


@shows(KIND, "no_alert_request")
def test_it_requests_alerts_when_the_helm_starts(northbound):
    silent = northbound("updates = OBSTACLE\nno_alert_request = true")
    silent.behavior.on_helm_start()
    assert silent.behavior.postings == []
    one = northbound("updates = OBSTACLE")
    one.behavior.on_helm_start()
    one.step()
    assert one.posted["OBM_ALERT_REQUEST"] == "name=b,update_var=OBSTACLE,alert_range=50"


def test_near_an_obstacle_the_side_stays(northbound):
    one = northbound("allowable_ttc = 200")
    one.step(NAV_X=1.0, NAV_Y=16.0)
    assert one.behavior.side == "port"
    one.step(NAV_X=-1.0)
    assert one.behavior.side == "port"
    assert one.utility(course=300) == 0
    assert one.utility(course=70) > 0
    one.step(NAV_HEADING=180.0)
    assert one.behavior.side == ""


@pytest.mark.parametrize("grade", ["linear", "quadratic"])
def test_the_side_stays_until_the_obstacle_hardly_matters(grade, northbound):
    one = northbound(f"pwt_grade = {grade}")
    sides = []
    for y in (5.0, 7.0, -10.0, -15.0, -17.0):  # 0.625, 0.675, 0.25, 0.125, 0.075
        one.step(NAV_X=1.0, NAV_Y=y)
        sides.append(one.behavior.side)
    assert sides == ["port", "port", "port", "port", ""]
    far = northbound(f"pwt_grade = {grade}")
    far.step(NAV_X=1.0, NAV_Y=3.0)  # 27 m: 0.575
    assert far.behavior.side == ""


def test_near_an_obstacle_escape_courses_remain(northbound):
    one = northbound()
    one.step(NAV_Y=26.0)
    assert one.utility(course=180) > 0
    assert one.utility(course=0) == 0


def test_without_a_polygon_it_has_no_weight(alone):
    one = alone(KIND, "id = rock")
    one.step()
    assert one.objective is None


def test_moos_ivp_names_load_it():
    assert (
        len({BEHAVIORS[f"BHV_AvoidObstacle{version}"] for version in ("", "V21", "V24", "X")}) == 1
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "min_util_cpa_dist = 20\nmax_util_cpa_dist = 16",
            "expected at most max_util_cpa_dist, which is 16",
        ),
        (
            "pwt_outer_dist = 50\npwt_inner_dist = 60",
            "expected at most pwt_outer_dist, which is 50",
        ),
        ("rng_flag = <20m NEAR = 1", "expected @<50"),
        ("rng_flag = @<20 NEAR = 1", "expected"),
        ("visual_hints = fill_color=rd", "expected a colour"),
        ("poly = 0,0:1,1", "expected at least 3 corners"),
    ],
)
def test_an_invalid_value_is_refused_with_the_expected_form(line, expected, northbound):
    with pytest.raises(FormatError, match=expected):
        northbound(line)


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()


@pytest.mark.parametrize("ttc", [1, 2, 5])
def test_moving_away_is_better_than_a_late_collision(ttc, alone):
    block = "polygon = -60,4:60,4:60,9:-60,9\nmin_util_cpa_dist = 3\nmax_util_cpa_dist = 7"
    one = alone(KIND, f"{block}\nallowable_ttc = {ttc}", **NORTH)
    one.step()
    assert one.utility(course=180) == 100
    assert one.utility(course=80) < 100
    assert one.utility(course=30) < one.utility(course=80)


AHEAD = "polygon = 20,-5:30,-5:30,5:20,5\npwt = 100\npwt_inner_dist = 10\npwt_outer_dist = 30\n"
EAST = {"NAV_HEADING": 90.0, "NAV_SPEED": 2.0}


@pytest.mark.parametrize(
    ("heading", "polygon", "weight"),
    [
        (90, "20,-5:30,-5:30,5:20,5", 50 * cos(radians(14.0362))),  # corners 75.96 and 104.04
        (76, "20,-5:30,-5:30,5:20,5", 50 * cos(radians(0.0362))),
        (90, "-5,20:5,20:5,30:-5,30", 50),  # abeam, across due north
        (180, "20,-5:30,-5:30,5:20,5", 50 * cos(radians(75.9638))),
        (0, "20,-9:30,-9:30,-1:20,-1", 0.5),  # abaft the beam by less than 20 degrees
    ],
)
def test_as_moos_the_weight_is_that_of_the_nearer_of_the_outer_bearings(
    heading, polygon, weight, alone
):
    """ObShipModelV24::getRangeRelevance of MOOS-IvP."""
    one = alone(KIND, AHEAD.replace("20,-5:30,-5:30,5:20,5", polygon), **EAST)
    one.world.as_moos = True
    one.step(NAV_HEADING=heading)
    assert one.objective.weight == pytest.approx(weight, abs=0.03)


@pytest.mark.parametrize(
    ("lines", "x", "course", "utility"),
    [
        # the corner (20, 5) is 20 sin(45) - 5 cos(45) off a course of 45 degrees, 10.61 m
        ("", 0, 45, 100 * (10.6066 - 8) / 8),
        ("allowable_ttc = 1", 0, 90, 0),  # although it is 10 s away
        # at 14 m, 11.45 m off the corner on 20 degrees; the best course keeps the range
        ("", 6, 20, 100 * (14 * cos(radians(20)) - 5 * sin(radians(20)) - 8) / (14 - 8)),
        (
            "use_refinery = true",
            6,
            20,
            100 * (14 * cos(radians(20)) - 5 * sin(radians(20)) - 8) / 8,
        ),
        ("use_refinery = true", 6, 0, 100),
        ("use_refinery = true", 6, 90, 0),
    ],
)
def test_as_moos_the_utility_grows_from_0_with_the_distance(lines, x, course, utility, alone):
    """ObShipModelV24::evalHdgSpd, and the plateau of RefineryObAvoidV24, which is at 100."""
    one = alone(KIND, AHEAD + "min_util_cpa_dist = 8\nmax_util_cpa_dist = 16\n" + lines, **EAST)
    one.world.as_moos = True
    one.step(NAV_X=x)
    assert one.utility(course=course) == pytest.approx(utility, abs=0.01)


def test_as_moos_there_is_no_way_out_within_the_least_distance(alone):
    """The path of every course begins nearer than min_util_cpa_dist: each has the utility 0."""
    one = alone(KIND, AHEAD + "min_util_cpa_dist = 8", NAV_X=13.0, **EAST)
    one.step()
    one.world.as_moos = True
    with pytest.raises(BehaviorError, match="Allstop: obstacle unavoidable"):
        one.step()
