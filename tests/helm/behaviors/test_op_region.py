"""The OpRegion behaviors: the effect of each of their parameters, and what they post."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from alone import DEEP, Alone, shows, untested_parameters

from steerageway.helm.behaviors import BEHAVIORS, BehaviorError
from steerageway.helm.behaviors.op_region.behavior import HINTS
from steerageway.helm.behaviors.op_region.way_back import ray_distances
from steerageway.helm.settings import declarations
from steerageway.helm.shapes import HintReader
from steerageway.moos.polygon import parse_polygon
from steerageway.moos.seglist import project

Make = Callable[..., Alone]
OLD, NEW, BACK = "BHV_OpRegion", "BHV_OpRegionV24", "BHV_OpRegionRecover"
BOX = "0,0 : 0,100 : 100,100 : 100,0"
CORE = f"core_poly = {BOX}\n"


def stops(one: Alone, **nav: float) -> str:
    """Return why an iteration stops the vessel, or ""."""
    try:
        one.step(**nav)
    except BehaviorError as error:
        one._release()
        return str(error)
    return ""


def enter(one: Alone) -> Alone:
    """Have the vessel be at 50,50 for 2 s."""
    for _ in range(3):
        one.step(dt=1.0, NAV_X=50.0, NAV_Y=50.0)
    return one


LIMITED = (
    CORE + "save_dist = 10\nhalt_dist = 20\nmax_time = 500\nmax_depth = 20\nmin_altitude = 5\n"
)


@shows(OLD, "polygon", "trigger_entry_time", "trigger_exit_time")
def test_leaving_the_polygon_stops_the_vessel(alone: Make) -> None:
    one = alone(OLD, f"polygon = {BOX}\ntrigger_entry_time = 1")
    assert not stops(one, NAV_X=-10.0)
    assert not stops(one, NAV_X=50.0, NAV_Y=50.0)
    assert not stops(one, NAV_X=-10.0)
    assert not stops(one, dt=5.0)
    enter(one)
    assert not stops(one, NAV_X=-10.0)
    assert "left the polygon" in stops(one, dt=0.5)
    assert not stops(one, NAV_X=50.0)
    assert not stops(one, NAV_X=-10.0)
    assert "left the polygon" in stops(one, dt=0.5)
    one = alone(OLD, f"polygon = {BOX}")
    assert not stops(one, NAV_X=-10.0)
    assert "left the polygon" in stops(one, dt=0.5)
    one = alone(OLD, f"polygon = {BOX}\ntrigger_entry_time = 10\ntrigger_exit_time = 4")
    enter(one)
    stops(one, NAV_X=-10.0)
    assert not stops(one, dt=9.0)
    one.step(NAV_X=50.0)
    one.step(dt=10.0)
    stops(one, NAV_X=-10.0)
    assert not stops(one, dt=3.9)
    assert stops(one, dt=0.1)


def test_the_vessel_must_be_in_all_of_several_polygons(alone: Make) -> None:
    one = alone(OLD, f"polygon = {BOX}\npolygon = 30,0 : 30,100 : 200,100 : 200,0")
    enter(one)
    assert one.posted["OPREG_ABSOLUTE_PERIM_DIST"] == 20
    assert not stops(one, dt=2.0, NAV_X=90.0, NAV_HEADING=90.0, NAV_SPEED=2.0)
    assert one.posted["OPREG_ABSOLUTE_PERIM_DIST"] == 10
    assert one.posted["OPREG_TRAJECTORY_PERIM_DIST"] == 10
    assert [str(t).split("label=")[1].split(",")[0] for t in one.values("VIEW_POLYGON")] == [
        "abe_b",
        "abe_b_2",
    ]
    one.step(NAV_X=-10.0)
    assert one.posted["OPREG_ABSOLUTE_PERIM_DIST"] == 40
    assert one.posted["OPREG_TRAJECTORY_PERIM_DIST"] == 40
    assert "left the polygon" in stops(one, dt=1.0)
    stops(one, NAV_X=20.0, NAV_HEADING=180.0)
    assert one.posted["OPREG_ABSOLUTE_PERIM_DIST"] == 10
    assert one.posted["OPREG_TRAJECTORY_PERIM_DIST"] == -1


@shows(OLD, "max_depth", "min_altitude")
def test_depth_and_height_have_limits(alone: Make) -> None:
    one = alone(OLD, "max_depth = 30\nmin_altitude = 10")
    assert "NAV_ALTITUDE was never heard" in stops(one)
    one.step({"NAV_ALTITUDE": 12.0})
    assert "below 30 m" in stops(one, NAV_DEPTH=31.0)
    assert not stops(one, NAV_DEPTH=29.0)
    one.world.take("NAV_ALTITUDE", 9.0)
    assert "less than 10 m" in stops(one)
    assert not stops(alone(OLD, "", NAV_DEPTH=900.0))


@shows(OLD, "max_time", "time_remaining_var", "reset_var")
def test_time_has_a_limit_and_can_restart(alone: Make) -> None:
    one = alone(OLD, f"max_time = 60\nreset_var = AGAIN\npolygon = {BOX}")
    assert one.step()["OPREG_TIME_REMAINING"] == 60
    assert one.step(dt=20.0)["OPREG_TIME_REMAINING"] == 40
    assert "60 s are over" in stops(one, dt=40.0)
    assert one.step({"AGAIN": "true"})["OPREG_TIME_REMAINING"] == 60
    enter(one)
    stops(one, NAV_X=-9.0)
    assert "polygon" in stops(one, dt=1.0)
    assert not stops(one, dt=0.1, AGAIN="true")  # type: ignore[arg-type]
    other = alone(OLD, "max_time = 60\ntime_remaining_var = LEFT")
    assert other.step()["LEFT"] == 60
    assert other.posted["OPREG_TIME_REMAINING"] == 60
    assert "AGAIN" in one.subscriptions


@shows(OLD, "soft_poly_breach", "breached_poly_flag")
def test_soft_breach_parks_the_helm(alone: Make) -> None:
    flag = "breached_poly_flag = GONE = $[OSX]"
    one = enter(alone(OLD, f"polygon = {BOX}\nsoft_poly_breach = true\n{flag}"))
    one.step(NAV_X=-10.0)
    assert not stops(one, dt=1.0)
    assert one.values("GONE") == [-10]
    assert one.posted["MOOS_MANUAL_OVERRIDE"] == "true"


@shows(OLD, "opregion_poly_var", "visual_hints")
def test_distances_and_polygon_are_posted(alone: Make) -> None:
    one = alone(OLD, f"polygon = {BOX}\nopregion_poly_var = REGION", NAV_SPEED=2.0)
    enter(one)
    one.step(NAV_X=60.0, NAV_Y=90.0, NAV_HEADING=270.0)
    posted = one.posted
    assert posted["OPREG_ABSOLUTE_PERIM_DIST"] == 10
    assert posted["OPREG_ABSOLUTE_PERIM_ETA"] == 2.5
    assert posted["OPREG_TRAJECTORY_PERIM_DIST"] == pytest.approx(60)
    assert posted["OPREG_TRAJECTORY_PERIM_ETA"] == pytest.approx(30)
    assert posted["SECS_IN_POLY"] == pytest.approx(2.2)
    assert posted["REGION"] == posted["VIEW_POLYGON"]
    assert parse_polygon(str(posted["REGION"])).points[2] == (100, 100)
    for key in HINTS:
        value = "pink" if key.endswith("color") else "7"
        other = alone(OLD, f"polygon = {BOX}\nvisual_hints = {key}={value}")
        other.step()
        assert f"{key}={value}" in str(other.posted["VIEW_POLYGON"])
    one.step(NAV_SPEED=0.0)
    assert one.posted["OPREG_TRAJECTORY_PERIM_ETA"] == -1


def test_ray_intersections_with_the_polygon_match_geometry() -> None:
    polygon = parse_polygon(BOX)
    courses = np.arange(360.0)
    for here in ((-30.0, 50.0), (150.0, 180.0), (50.0, -1.0)):
        ways = ray_distances(polygon, here, courses)
        for course, way in zip(courses, ways, strict=True):
            single = polygon.ray_distance(here, float(course))
            assert way == pytest.approx(np.inf if single is None else single, abs=1e-6)


@shows(BACK, "polygon", "buffer_dist")
def test_vessel_outside_is_steered_back(alone: Make) -> None:
    one = alone(BACK, f"polygon = {BOX}", NAV_X=50.0, NAV_Y=95.0)
    one.step()
    assert one.objective is None
    one.step(NAV_X=-30.0, NAV_Y=50.0, NAV_HEADING=100.0)
    assert one.objective is None
    one.step(dt=0.5)
    assert one.decide() == {"course": 90, "speed": pytest.approx(0.3)}
    assert one.utility(course=90, speed=0.1) == pytest.approx(50 + 80 / 2)
    assert one.utility(course=90, speed=0.5) == pytest.approx(50 + 30 / 2)
    assert one.utility(course=270, speed=0) == 0
    one = alone(BACK, f"polygon = {BOX}\nbuffer_dist = 10", NAV_X=50.0, NAV_Y=109.0)
    one.step()
    one.step(dt=1.0)
    assert one.objective is None
    one.step(NAV_Y=111.0, NAV_HEADING=100.0)
    one.step(dt=0.5)
    assert one.decide()["course"] == 180
    with pytest.raises(ValueError, match="polygon"):
        alone(BACK)


@shows(BACK, "trigger_entry_time", "trigger_exit_time", "reset_var")
def test_region_to_come_back_to_may_have_to_be_entered_first(alone: Make) -> None:
    text = f"polygon = {BOX}\ntrigger_entry_time = 2\ntrigger_exit_time = 3\nreset_var = AGAIN"
    one = alone(BACK, text, NAV_X=-30.0, NAV_Y=50.0)
    one.step()
    one.step(dt=9.0)
    assert one.objective is None
    enter(one)
    one.step(NAV_X=-30.0)
    one.step(dt=2.75)
    assert one.objective is None
    one.step(dt=0.25)
    assert one.objective is not None
    one.step({"AGAIN": "true"}, dt=5.0)
    assert one.objective is None
    assert "AGAIN" in one.subscriptions


@shows(NEW, "recover_spd")
def test_return_keeps_to_the_side_of_the_first_turn(alone: Make) -> None:
    text = CORE + "save_dist = 10\nrecover_spd = 1.5"
    one = enter(alone(NEW, text))
    one.step(NAV_X=-30.0, NAV_HEADING=260.0)
    assert one.decide() == {"course": 90, "speed": 1.5}
    assert one.utility(course=80, speed=1.5) > one.utility(course=120, speed=1.5)
    other = enter(alone(NEW, text))
    other.step(NAV_X=-30.0, NAV_HEADING=280.0)
    assert other.utility(course=95, speed=1.5) > other.utility(course=120, speed=1.5)
    other.step(NAV_HEADING=265.0)
    assert other.utility(course=95, speed=1.5) > other.utility(course=85, speed=1.5) - 50


@shows(NEW, "core_poly", "save_dist", "save_poly", "save_flag", "savex_flag")
@pytest.mark.parametrize("text", ["save_dist = 10", "save_poly = -10,-10:-10,110:110,110:110,-10"])
def test_vessel_outside_the_save_polygon_is_brought_back(text: str, alone: Make) -> None:
    flags = "save_flag = OUT = $[OSX]\nsavex_flag = IN = $[OSX]\n"
    one = enter(alone(NEW, CORE + flags + text, NAV_HEADING=90.0))
    one.step(NAV_X=-9.0)
    one.step(dt=1.0)
    assert one.objective is None
    one.step(NAV_X=-12.0)
    assert one.posted["OUT"] == -12
    assert one.decide()["course"] == 90
    one.step(NAV_X=-8.0)
    assert one.objective is None
    assert one.posted["IN"] == -8
    for when in ("", "trigger_on_poly_entry = false\n"):
        never = alone(NEW, f"{CORE}{when}{text}", NAV_X=-12.0)
        never.step()
        never.step(dt=9.0)
        assert never.objective is None
        never.step(NAV_X=1.0, NAV_Y=1.0)
        never.step(NAV_X=-12.0)
        assert never.objective is not None


@shows(NEW, "halt_dist", "halt_poly", "breached_poly_flag")
@pytest.mark.parametrize("text", ["halt_dist = 20", "halt_poly = -20,-20:-20,120:120,120:120,-20"])
def test_vessel_outside_the_halt_polygon_is_stopped(text: str, alone: Make) -> None:
    one = enter(alone(NEW, f"{CORE}breached_poly_flag = GONE = $[OSX]\n{text}"))
    one.step(NAV_X=-19.0)
    assert not stops(one, dt=1.0)
    one.step(NAV_X=-21.0)
    assert "HaltPoly" in stops(one, dt=1.0)
    assert one.values("GONE") == [-21]
    assert stops(one)
    assert one.values("GONE") == []
    assert not stops(one, NAV_X=50.0)
    one.step(NAV_X=-22.0)
    assert stops(one, dt=1.0)
    assert one.values("GONE") == [-22]


@shows(NEW, "trigger_on_poly_entry", "trigger_entry_time", "trigger_exit_time")
def test_polygon_applies_once_entered_unless_configured_otherwise(alone: Make) -> None:
    one = alone(NEW, CORE + "halt_dist = 20", NAV_X=-50.0)
    one.step()
    assert not stops(one, dt=5.0)
    one = alone(NEW, CORE + "halt_dist = 20\ntrigger_on_poly_entry = false", NAV_X=-50.0)
    one.step()
    assert stops(one, dt=0.5)
    text = CORE + "halt_dist = 20\ntrigger_entry_time = 9\ntrigger_exit_time = 3"
    one = enter(alone(NEW, text))
    one.step(NAV_X=-50.0)
    assert not stops(one, dt=8.0)
    one.step(NAV_X=50.0)
    one.step(dt=9.0)
    one.step(NAV_X=-50.0)
    assert not stops(one, dt=2.9)
    assert stops(one, dt=0.1)


@shows(NEW, "max_depth", "min_altitude", "max_time")
@shows(NEW, "breached_depth_flag", "breached_altitude_flag", "breached_time_flag")
@shows(OLD, "breached_depth_flag", "breached_altitude_flag", "breached_time_flag")
@pytest.mark.parametrize("kind", [OLD, NEW])
@pytest.mark.parametrize(
    ("text", "mail", "flag"),
    [
        ("max_depth = 30", {"NAV_DEPTH": 31.0}, "depth"),
        ("min_altitude = 5", {"NAV_ALTITUDE": 4.0}, "altitude"),
        ("max_time = 1", {}, "time"),
    ],
)
def test_other_limits_stop_its_too(
    text: str, mail: dict[str, float], flag: str, kind: str, alone: Make
) -> None:
    line = f"{CORE if kind == NEW else ''}{text}\nbreached_{flag}_flag = WHICH = {flag}"
    one = alone(kind, line, domain=DEEP)
    assert not stops(one, NAV_ALTITUDE=9.0)
    assert stops(one, dt=1.0, **mail)
    assert one.posted["WHICH"] == flag
    assert stops(one)
    assert one.values("WHICH") == []


@shows(NEW, "reset")
def test_breach_can_be_reset(alone: Make) -> None:
    one = enter(alone(NEW, CORE + "halt_dist = 20"))
    one.step(NAV_X=-50.0)
    assert stops(one, dt=1.0)
    one.update("reset = true")
    assert not stops(one)


@shows(NEW, "dynamic_region_var")
def test_region_can_be_another_one_later(alone: Make) -> None:
    one = enter(alone(NEW, CORE + "halt_dist = 20\ndynamic_region_var = AREA"))
    one.step({"AREA": "-100,-100 : -100,100 : 100,100 : 100,-100"}, NAV_X=-110.0)
    assert not stops(one, dt=2.0)
    assert "convex" in str(one.step({"AREA": "0,0:1,1"})["BHV_WARNING"])
    assert "AREA" in one.subscriptions


def test_polygons_are_drawn_and_erased(alone: Make) -> None:
    text = CORE + "save_dist = 10\nhalt_dist = 20\ncondition = GO = true\n"
    one = alone(NEW, text)
    one.step({"GO": "true"})
    labels = [str(t).split("label=abe_b_")[1] for t in one.values("VIEW_POLYGON")]
    assert [label.partition(",")[0] for label in labels] == ["core", "save", "halt"]
    save = parse_polygon(one.drawn("VIEW_POLYGON", "save"))
    assert save.contains((-9.9, 50))
    assert not save.contains((-10.1, 50))
    one.step({"GO": "false"})
    assert all("active=false" in str(t) for t in one.values("VIEW_POLYGON"))


@shows(NEW, "draw_save_status", "draw_halt_status")
@pytest.mark.parametrize(("kind", "color", "corners"), [("save", "yellow", 12), ("halt", "red", 8)])
def test_the_vessel_is_marked_outside(kind: str, color: str, corners: int, alone: Make) -> None:
    """Around the vessel, a regular polygon of radius 4 m, as XYPolygon of MOOS-IvP draws it."""

    def outside(more: str) -> Alone:
        one = alone(NEW, f"{CORE}{kind}_dist = 1\ntrigger_entry_time = 0\n{more}", NAV_X=50.0)
        one.step(NAV_Y=50.0)
        assert "abe_stat" not in str(one.posts)
        for _ in range(4):
            stops(one, NAV_X=-10.0)
        return one

    text = outside("").drawn("VIEW_POLYGON", "label=abe_stat")
    assert f"edge_color={color}" in text
    mark = parse_polygon(text)
    assert len(mark.points) == corners
    assert mark.points[0] == pytest.approx(project((-10, 50), 180 / corners, 4), abs=0.01)
    other = outside(f"visual_hints = {kind}_status_edge_color=pink")
    assert "edge_color=pink" in other.drawn("VIEW_POLYGON", "label=abe_stat")
    assert "abe_stat" not in str(outside(f"draw_{kind}_status = false").posts)
    if kind == "save":
        other.step(NAV_X=50.0)
        assert "active=false" in other.drawn("VIEW_POLYGON", "label=abe_stat")


@shows(NEW, "visual_hints")
@shows(BACK, "visual_hints", "opregion_poly_var")
@pytest.mark.parametrize(("kind", "core"), [(NEW, CORE), (BACK, f"polygon = {BOX}\n")])
def test_polygons_are_drawn_as_configured(kind: str, core: str, alone: Make) -> None:
    for key in HINTS:
        value = "pink" if key.endswith("color") else "7"
        one = alone(kind, f"{core}visual_hints = {key}={value}")
        one.step()
        assert f"{key}={value}" in str(one.posted["VIEW_POLYGON"])
    if kind == BACK:
        one = alone(kind, f"{core}opregion_poly_var = REGION\ncondition = GO = true")
        one.step({"GO": "true"})
        assert one.posted["REGION"] == one.posted["VIEW_POLYGON"]
        assert "active=false" in str(one.step({"GO": "false"})["VIEW_POLYGON"])


@pytest.mark.parametrize("drawn", ["core", "save", "halt"])
def test_a_hint_may_be_for_one_polygon_only(drawn: str, alone: Make) -> None:
    hints = f"visual_hints = edge_color=red, {drawn}_edge_color=pink\n"
    one = alone(NEW, f"{CORE}save_dist = 1\nhalt_dist = 5\n{hints}")
    one.step()
    texts = list(map(str, one.values("VIEW_POLYGON")))
    pink = {kind for kind in ("core", "save", "halt") for t in texts if kind in t and "pink" in t}
    assert pink == {drawn}
    assert sum("edge_color=red" in text for text in texts) == 2


def test_hints_for_the_mark_of_the_vessel_are_no_warning() -> None:
    # BHV_OpRegionV24 of MOOS-IvP marks the vessel with them while it is outside
    _, declared = declarations(BEHAVIORS[NEW].settings_class)["visual_hints"]
    reader = declared.read
    assert isinstance(reader, HintReader)
    doubts = reader.doubts("save_status_edge_color=yellow, halt_status_edge_color=red")
    assert list(doubts) == []


@shows(BACK, "dynamic_region_var")
def test_recovery_region_can_be_set_later(alone: Make) -> None:
    one = alone(BACK, "dynamic_region_var = AREA", NAV_X=-50.0, NAV_Y=50.0)
    one.step()
    assert one.objective is None
    one.step({"AREA": BOX})
    one.step(dt=0.5)
    assert one.decide()["course"] == 90
    one.step({"AREA": "-200,0:-100,0:-100,100:-200,100"})
    assert one.decide()["course"] == 270
    assert "AREA" in one.subscriptions


def test_distances_need_a_core(alone: Make) -> None:
    with pytest.raises(ValueError, match="core_poly"):
        alone(NEW, "save_dist = 10")


@pytest.mark.parametrize("kind", [OLD, NEW, BACK])
def test_every_parameter_has_a_test(kind: str) -> None:
    assert untested_parameters(kind) == set()


def test_macros_describe_the_polygons_and_the_limits(alone: Make) -> None:
    def expanded(*names: str, **nav: float) -> str:
        text = ":".join(f"$[{name}]" for name in names)
        one = alone(NEW, f"{LIMITED}runxflag = NOW = {text}", DEEP, NAV_X=50.0, NAV_Y=50.0)
        one.step(NAV_SPEED=2.0, NAV_HEADING=90.0, NAV_ALTITUDE=30.0)
        one.step(dt=4.0, NAV_SPEED=1.0, **nav)
        one.step()
        return str(one.posted["NOW"])

    assert expanded("CORE_POLY", "SAVE_DIST", "HALT_DIST") == "pts={0,0:0,100:100,100:100,0}:10:20"
    kinds = ("CORE", "SAVE", "HALT")
    found = [expanded(f"DIST_TO_{k}", f"ETA_TO_{k}", NAV_X=70.0) for k in kinds]
    assert found == ["30:15", "40:20", "50:25"]
    found = [expanded(f"TRAJ_DIST_TO_{k}", f"TRAJ_ETA_TO_{k}", NAV_HEADING=270.0) for k in kinds]
    assert found == ["50:25", "60:30", "70:35"]
    names = ("SECS_IN_HALT_POLY", "SECS_OUT_HALT_POLY", "SECS_OUT_SAVE_POLY")
    assert expanded(*names) == "4.25:0:0"
    names = ("TIME_LEFT", "DEPTH_LEFT", "ALT_LEFT")
    assert expanded(*names, NAV_DEPTH=3.4, NAV_ALTITUDE=9.0) == "495.75:16:4"
    bare = alone(NEW, f"{CORE}runxflag = NOW = $[DIST_TO_HALT]:$[TIME_LEFT]:$[HALT_POLY]")
    bare.step()
    bare.step()
    assert bare.posted["NOW"] == "-1:-1:"
