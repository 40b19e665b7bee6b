"""``BHV_Loiter``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import pytest
from alone import Alone, shows, untested_parameters

from steerageway.helm.behaviors.loiter import HINTS, corners, entry
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.seglist import Point

Make = Callable[..., Alone]
KIND = "BHV_Loiter"
BOX = "polygon = 0,0 : 0,100 : 100,100 : 100,0\n"  # clockwise from its south-western corner


def goal(one: Alone) -> Point:
    """Return the next corner."""
    point: Point = one.behavior._route.next
    return point


def begin(alone: Make, text: str, x: float = 0.0, y: float = -50.0, **nav: float) -> Alone:
    """Return a Loiter behavior at 2 m/s in its first iteration."""
    one = alone(KIND, BOX + "speed = 2\n" + text, NAV_X=x, NAV_Y=y, **nav)
    one.step()
    return one


@shows(KIND, "polygon", "clockwise")
@pytest.mark.parametrize(
    ("place", "clockwise", "counter"),
    [
        ((50, -80), (0, 0), (100, 0)),
        ((-80, 50), (0, 100), (0, 0)),
        ((180, 50), (100, 0), (100, 100)),
        ((50, 180), (100, 100), (0, 100)),
        ((-80, -80), (0, 100), (100, 0)),
    ],
)
def test_way_round_is_joined_along_a_tangent(
    place: Point, clockwise: Point, counter: Point, alone: Make
) -> None:
    assert goal(begin(alone, "", *place)) == clockwise
    assert goal(begin(alone, "clockwise = false", *place)) == counter


SIDES = pytest.mark.parametrize(("heading", "way"), [(315, 1.0), (45, 0.0)])
BEST = "clockwise = best\nrunxflag = WAY = $[CWISE]\ncondition = GO = true\n"


@SIDES
def test_best_way_begins_with_the_smaller_turn(heading: float, way: float, alone: Make) -> None:
    one = begin(alone, BEST, 50, -80, NAV_HEADING=heading)
    one.step({"GO": "true"})
    one.step()
    assert one.posted["WAY"] == way


@shows(KIND, "best_on_start")
@SIDES
def test_best_direction_is_the_default_one_if_it_was_never_idle(
    heading: float, way: float, alone: Make
) -> None:
    nav = {"NAV_X": 50.0, "NAV_Y": -80.0, "NAV_HEADING": heading}
    for line, expected in (("", 1.0), ("best_on_start = true", way)):
        one = alone(KIND, f"{BOX}speed = 2\n{BEST}{line}", **nav)
        one.step({"GO": "true"})
        one.step()
        assert one.posted["WAY"] == expected
        one.step({"GO": "false"})
        one.step({"GO": "true"})
        one.step()
        assert one.posted["WAY"] == way


def test_corners_may_be_given_either_way_round() -> None:
    box = parse_polygon("0,0:100,0:100,100:0,100")
    assert corners(box, clockwise=True) == box.points[::-1]
    assert corners(box, clockwise=False) == box.points


@shows(KIND, "spiral_factor")
def test_from_inside_the_corner_with_the_smallest_turn_comes_first(alone: Make) -> None:
    box = parse_polygon("0,0:0,100:100,100:100,0")
    assert entry(box, (60, 40), 0, 0, clockwise=True) == 0
    assert entry(box, (60, 40), 315, -2, clockwise=True) == 0
    assert entry(box, (60, 40), 315, -30, clockwise=True) == 1
    for lines, first in (("", (0, 0)), ("spiral_factor = -30\n", (0, 100))):
        one = begin(alone, f"{lines}condition = GO = true", 60, 40, NAV_HEADING=315.0)
        one.step({"GO": "true"})
        one.step()
        assert goal(one) == first


@pytest.mark.parametrize(("lines", "first"), [("", (100, 0)), ("best_on_start = true", (0, 0))])
def test_from_inside_it_begins_with_index_0_if_it_runs_from_its_first_iteration(
    lines: str, first: Point, alone: Make
) -> None:
    box = "polygon = 100,0:0,0:0,100:100,100"
    assert goal(begin(alone, f"{lines}\n{box}", 60, 40)) == first


@shows(KIND, "capture_radius", "slip_radius")
def test_corners_are_reached_within_the_radii(alone: Make) -> None:
    one = begin(alone, "", 50, -80)
    one.step(NAV_X=3.5, NAV_Y=0.0)
    assert goal(one) == (0, 0)
    one.step(NAV_X=2.5)
    assert goal(one) == (0, 100)
    one = begin(alone, "capture_radius = 6", 50, -80)
    one.step(NAV_X=5.5, NAV_Y=0.0)
    assert goal(one) == (0, 100)
    for text, reached in (("", True), ("nm_radius = 8", False)):
        one = begin(alone, text, 50, -80)
        one.step(NAV_X=10.0, NAV_Y=0.0)
        one.step(NAV_X=11.0)
        assert (goal(one) == (0, 100)) is reached


def test_it_goes_round_endlessly(alone: Make) -> None:
    one = begin(alone, "", 50, -80)
    seen = []
    for _ in range(9):
        seen.append(goal(one))
        one.step(NAV_X=seen[-1][0], NAV_Y=seen[-1][1])
    assert seen == [(0, 0), (0, 100), (100, 100), (100, 0)] * 2 + [(0, 0)]
    assert one.posted["LOITER_REPORT"] == "index=1,capture_hits=9,nonmono_hits=0,acquire_mode=false"


@shows(KIND, "acquire_dist")
def test_mode_reports_where_it_is(alone: Make) -> None:
    one = begin(alone, "acquire_dist = 20", 50, -50)
    modes = [one.posted["LOITER_MODE"]]
    modes += [one.step(NAV_Y=float(y))["LOITER_MODE"] for y in (-19, 50, 30, -21, 19, -21)]
    assert modes == [
        "acquiring_external", "stable", "recovering_internal", "recovering_internal",
        "acquiring_external", "stable", "recovering_external",
    ]  # fmt: skip
    assert begin(alone, "", 50, -19).posted["LOITER_MODE"] == "acquiring_external"
    assert begin(alone, "", 50, -9).posted["LOITER_MODE"] == "stable"
    assert begin(alone, "", 50, -19).posted["LOITER_ACQUIRE"] == 1
    assert begin(alone, "", 50, -9).posted["LOITER_ACQUIRE"] == 0


def test_a_new_entrance_is_searched_after_leaving(alone: Make) -> None:
    one = begin(alone, "", -3, 50)
    assert one.posted["LOITER_MODE"] == "stable"
    one.step(NAV_X=180.0)
    assert one.posted["LOITER_MODE"] == "recovering_external"
    assert goal(one) == (100, 0)
    one.step(NAV_X=50.0, NAV_Y=180.0)
    assert goal(one) == (100, 100)


def test_the_corner_stays_where_it_comes_too_far_in(alone: Make) -> None:
    one = begin(alone, "", -3, 50, NAV_HEADING=0.0)
    ahead = goal(one)
    one.step(NAV_X=60.0, NAV_Y=40.0, NAV_HEADING=200.0)
    assert one.posted["LOITER_MODE"] == "recovering_internal"
    assert one.posted["LOITER_ACQUIRE"] == 0
    assert goal(one) == ahead


@shows(KIND, "speed", "speed_alt", "use_alt_speed")
def test_helm_keeps_the_speed(alone: Make) -> None:
    assert begin(alone, "").decide()["speed"] == 2
    assert begin(alone, "speed_alt = 1").decide()["speed"] == 2
    assert begin(alone, "speed_alt = 1\nuse_alt_speed = true").decide()["speed"] == 1
    assert begin(alone, "use_alt_speed = true").decide()["speed"] == 2
    one = begin(alone, "speed = 9")
    assert one.decide()["speed"] == 4
    assert "above the domain's 4" in str(one.posted["BHV_WARNING"])


@shows(KIND, "patience", "ipf_type")
def test_objective_has_a_course_and_a_speed(alone: Make) -> None:
    one = begin(alone, "clockwise = false", 100, -50)
    assert one.utility(course=0, speed=2) == pytest.approx(100)
    assert one.utility(course=90, speed=2) == pytest.approx(75)
    assert one.utility(course=0, speed=2.2) == pytest.approx(50 + 50 / 3)
    assert begin(alone, "clockwise = false\npatience = 80", 100, -50).utility(
        course=90, speed=2
    ) == pytest.approx(60)
    slow = begin(alone, "clockwise = false\nipf_type = zaic_spd", 100, -50)
    assert slow.utility(course=0, speed=0.1) == pytest.approx(50 + 85 / 2)
    assert slow.utility(course=0, speed=2.4) == pytest.approx(50 + 20 / 2)


@shows(KIND, "center_assign", "xcenter_assign", "ycenter_assign")
@pytest.mark.parametrize(
    ("text", "center"),
    [
        ("center_assign = 10,20", (10, 20)),
        ("center_assign = x=10,y=20", (10, 20)),
        ("center_assign = present_position", (5, -50)),
        ("xcenter_assign = 7", (7, 50)),
        ("ycenter_assign = 7", (50, 7)),
        ("xcenter_assign = 7 # ycenter_assign = 8", (7, 8)),
    ],
)
def test_polygon_can_be_moved(text: str, center: Point, alone: Make) -> None:
    one = begin(alone, "updates = UP\nrunxflag = C = $[CENTER]", 5, -50)
    assert one.posted["C"] == "x=50,y=50"
    one.update(text)
    one.step()
    assert one.posted["C"] == f"x={center[0]},y={center[1]}"


@shows(KIND, "center_activate")
def test_polygon_is_moved_to_the_vessel_at_each_run(alone: Make) -> None:
    text = (
        "center_activate = true\ncondition = GO = true\nrunxflag = X = $[CX]\nrunxflag = Y = $[CY]"
    )
    one = begin(alone, text, 5, -50)
    for x in (30.0, 80.0):
        one.step({"GO": "true"}, NAV_X=x)
        one.step(NAV_X=1.0)
        assert (one.posted["X"], one.posted["Y"]) == (x, -50)
        one.step({"GO": "false"})
        assert one.posted["LOITER_MODE"] == "idle"


@shows(KIND, "mod_poly_rad")
@pytest.mark.parametrize(("by", "radius"), [(10, hypot(50, 50) + 10), (-200, 5)])
def test_polygon_can_be_made_larger(by: float, radius: float, alone: Make) -> None:
    one = begin(alone, "updates = UP\nrunxflag = R = $[RAD]\nrunxflag = P = $[PTS]")
    assert one.posted["P"] == 4.0  # the number of corners, as in MOOS-IvP
    one.update(f"mod_poly_rad = {by}")
    one.step()
    assert one.posted["R"] == pytest.approx(radius, abs=0.0005)


@shows(KIND, "slingshot")
def test_it_completes_after_part_of_the_way_round(alone: Make) -> None:
    one = begin(alone, "slingshot = 170\nendflag = DONE = true", -5, 50)
    for x, y in ((50, 105), (104, 70)):
        one.step(NAV_X=float(x), NAV_Y=float(y))
    assert "DONE" not in one.posted
    one.step(NAV_X=105.0, NAV_Y=50.0)
    assert one.posted["DONE"] == "true"
    assert one.objective is None
    assert one.step()["LOITER_COMPLETE"] == "true"
    far = begin(alone, "slingshot = 80\nendflag = DONE = true", -90, 50)
    for x, y in ((50, 190), (190, 50), (105, 50)):
        far.step(NAV_X=float(x), NAV_Y=float(y))
    assert "DONE" not in far.posted


@shows(KIND, "post_suffix")
def test_variables_take_a_suffix(alone: Make) -> None:
    one = begin(alone, "post_suffix = a")
    assert {"LOITER_INDEX_A", "LOITER_MODE_A", "LOITER_REPORT_A"} <= set(one.posted)
    assert "LOITER_INDEX" not in one.posted


def test_distances_are_posted(alone: Make) -> None:
    one = begin(alone, "", 50.0, -45.3, NAV_SPEED=2.0)
    assert one.posted["LOITER_DIST_TO_POLY"] == 45
    assert one.posted["LOITER_ETA_TO_POLY"] == 23
    assert one.posted["LOITER_DIST_TO_VERT"] == round(hypot(50, 45.3))
    one.step(NAV_X=5.04, NAV_Y=50.0)
    assert one.posted["LOITER_DIST_TO_POLY"] == -5
    assert one.posted["LOITER_INDEX"] == 0


@shows(KIND, "visual_hints")
def test_polygon_and_next_corner_are_drawn_and_erased(alone: Make) -> None:
    one = begin(alone, "condition = GO = true", 50, -45)
    one.step({"GO": "true"})
    assert "pts={0,0:0,100:100,100:100,0},label=abe_b" in str(one.posted["VIEW_POLYGON"])
    assert "x=0,y=0,active=true,label=abe_waypoint" in str(one.posted["VIEW_POINT"])
    one.step({"GO": "false"})
    assert "active=false,label=abe_b" in str(one.posted["VIEW_POLYGON"])
    assert "active=false,label=abe_waypoint" in str(one.posted["VIEW_POINT"])
    for key in HINTS:
        value = "pink" if key.endswith("color") else "7"
        one = begin(alone, f"visual_hints = {key}={value}", 50, -45)
        assert f"={value}" in str(one.posted["VIEW_POLYGON"]) + str(one.posted["VIEW_POINT"])


def test_polygon_is_needed_unless_an_update_may_give_it(alone: Make) -> None:
    with pytest.raises(ValueError, match="expected a polygon"):
        alone(KIND, "speed = 2")
    one = alone(KIND, "speed = 2\nupdates = UP")
    one.step()
    assert one.objective is None
    one.update("polygon = 0,0:0,9:9,9")
    one.step()
    assert one.decide()["speed"] == 2


def test_every_parameter_has_a_test() -> None:
    assert untested_parameters(KIND) == set()


def test_its_settings_are_posted_at_its_start_when_it_runs_again_and_after_updates(
    alone: Make,
) -> None:
    """BHV_Loiter::postConfigStatus of MOOS-IvP, which onIdleToRunState and updates call."""
    polygon = "polygon = pts={0,0:0,100:100,100:100,0},label=box\n"
    one = alone(KIND, f"{polygon}speed = 1.5\nupdates = UP\ncondition = GO = true\n")
    expected = (
        "type=BHV_Loiter,name=b,x=50.00,y=50.00,clockwise={},dynamic_clockwise=false,"
        'center_activate=false,desired_speed=1.5,polygon="pts={{{}}},label=box"'
    )
    assert "BHV_SETTINGS" not in one.step()
    told = one.step({"GO": "true"})["BHV_SETTINGS"]
    assert one.posted["BHV_SETTINGS"] == told == expected.format("true", "0,0:0,100:100,100:100,0")
    assert "BHV_SETTINGS" not in one.step()
    one.update("clockwise = false")
    assert one.step()["BHV_SETTINGS"] == expected.format("false", "100,0:100,100:0,100:0,0")
