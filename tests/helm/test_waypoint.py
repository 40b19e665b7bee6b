"""``BHV_Waypoint``: the effect of each of its parameters, and its posts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from math import atan2, degrees
from typing import Any

import numpy as np
import pytest

from steerageway.bus import ConfigError
from steerageway.helm.behaviors.waypoint.settings import HINTS, WaypointSettings
from steerageway.helm.settings import CommonSettings
from tests.apps.parameters import Shown

shows = Shown()
TWO = "points = 50,0 : 100,0\n"


@pytest.fixture
def visit(behave: Callable[..., Any]) -> Callable[..., Any]:
    """Return a helm with one Waypoint behavior at 2 m/s by default."""

    def start(parameters: str, **given: Any) -> Any:
        return behave("BHV_Waypoint", f"speed = 2\n{parameters}", **given)

    return start


def goal(sailing: Any) -> tuple[float, float]:
    """Return the next point."""
    point: tuple[float, float] = sailing.behavior("b")._route.next
    return point


def track(sailing: Any) -> tuple[float, float]:
    """Return the point steered at, from the last drawing."""
    text = next(p.value for p in reversed(sailing.log) if "trackpt" in str(p.value))
    fields = dict(pair.split("=") for pair in text.split(",") if "=" in pair)
    return float(fields["x"]), float(fields["y"])


@shows("points")
@pytest.mark.parametrize("name", ["points", "polygon", "point", "newpt"])
def test_helm_steers_to_the_first_point(name: str, visit: Callable[..., Any]) -> None:
    sailing = visit(f"{name} = 30,40")
    assert sailing.step()["DESIRED_HEADING"] == round(degrees(atan2(30, 40)))
    assert goal(sailing) == (30, 40)


def test_pattern_can_be_visited(visit: Callable[..., Any]) -> None:
    sailing = visit("points = format=lawnmower,x=50,y=0,width=40,height=20,swath=10,rows=ns")
    sailing.step()
    assert goal(sailing) == pytest.approx((30, 10))


@pytest.mark.parametrize("points", ["format=radial,x=50,y=10,radius=20,pts=4", "radial:50,10,20,4"])
def test_corners_of_a_shape_can_be_visited(points: str, visit: Callable[..., Any]) -> None:
    sailing = visit(f"points = {points}")
    sailing.step()
    side = 20 / 2**0.5
    found = sailing.behavior("b")._route.points
    assert found[0] == pytest.approx((50 - side, 10 - side))
    assert found[1] == pytest.approx((50 - side, 10 + side))
    with pytest.raises(ConfigError, match="radius = -20: expected a number above 0"):
        visit("points = radial:50,0,-20,4")


def test_corners_of_a_shape_begin_near_the_vessel(visit: Callable[..., Any]) -> None:
    square = "format=radial,x=0,y=0,radius=20,pts=4"
    sailing = visit(f"points = {square}\nupdates = UP\ncurrix = 2", NAV_X=90.0, NAV_Y=90.0)
    sailing.step()
    side = 20 / 2**0.5
    assert goal(sailing) == pytest.approx(
        (-side, -side)
    )  # the third from the one to the north-east
    sailing.step({"UP": f"points = {square}"}, NAV_X=90.0, NAV_Y=-90.0)
    assert goal(sailing) == pytest.approx((side, -side))


def test_start_is_where_the_vessel_is_at_first(visit: Callable[..., Any]) -> None:
    sailing = visit("points = start\ncondition = GO = true", NAV_X=12.0, NAV_Y=-8.0)
    sailing.step()
    sailing.step({"GO": "true"}, NAV_X=40.0)
    assert goal(sailing) == (12, -8)
    assert sailing.step()["DESIRED_HEADING"] == 270


def test_empty_list_has_no_weight_until_it_is_updated(visit: Callable[..., Any]) -> None:
    sailing = visit("points = empty\nupdates = UP")
    sailing.step()
    assert sailing.behavior("b").state == "running"
    assert sailing.step({"UP": "points = 50,0"})["DESIRED_HEADING"] == 90


def test_new_points_begin_with_the_first(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "updates = UP")
    sailing.step()
    sailing.step(NAV_X=49.0)
    assert goal(sailing) == (100, 0)
    sailing.step({"UP": "points = 0,9 : 5,9"})
    assert goal(sailing) == (0, 9)


@shows("xpoints")
def test_other_points_keep_the_place_in_the_list(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "updates = UP")
    sailing.step(NAV_X=49.0)
    sailing.step({"UP": "xpoints = 50,0 : 100,70"})
    assert goal(sailing) == (100, 70)
    found = sailing.step({"UP": "xpoints = 1,1"})
    assert "expected as many points as there are: 2" in found["BHV_WARNING"]
    assert goal(sailing) == (100, 70)


@shows("currix")
def test_index_can_be_chosen(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "currix = 1\nupdates = UP")
    sailing.step()
    assert goal(sailing) == (100, 0)
    sailing.step({"UP": "currix = 0"})
    assert goal(sailing) == (50, 0)
    warning = sailing.step({"UP": "currix = 2"})["BHV_WARNING"]
    assert "expected an index below the number of points: 2" in warning


@shows("order")
@pytest.mark.parametrize(
    ("order", "first"), [("normal", 50), ("reverse", 100), ("reversed", 100), ("toggle", 100)]
)
def test_order_sets_which_end_comes_first(
    order: str, first: float, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"order = {order}")
    sailing.step()
    assert goal(sailing) == (first, 0)


def test_toggled_order_turns_round_each_time(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "updates = UP")
    sailing.step()
    firsts = []
    for _ in range(3):
        sailing.step({"UP": "order = toggle"})
        firsts.append(goal(sailing)[0])
    assert firsts == [100, 50, 100]


@shows("greedy_tour")
@pytest.mark.parametrize("order", ["normal", "reverse"])
def test_greedy_tour_goes_to_the_nearest_first(order: str, visit: Callable[..., Any]) -> None:
    sailing = visit(f"points = 30,0 : 10,0 : 22,0\ngreedy_tour = true\norder = {order}")
    sailing.step()
    assert sailing.behavior("b")._route.points == ((10, 0), (22, 0), (30, 0))


@shows("repeat")
@pytest.mark.parametrize(("repeat", "laps"), [("0", 1), ("2", 3), ("forever", 5)])
def test_list_is_visited_as_often_as_configured(
    repeat: str, laps: int, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"repeat = {repeat}\nendflag = GO = false\ncondition = GO = true")
    sailing.step({"GO": "true"})
    for x in (50.0, 100.0) * 5:
        sailing.step(NAV_X=x)
    assert sailing.posted["CYCLE_INDEX"] == laps
    assert ("GO" in sailing.posted) is (repeat != "forever")


@shows("speed")
@pytest.mark.parametrize(("speed", "decided"), [("1.5", 1.5), ("4", 4.0)])
def test_helm_keeps_the_cruise_speed(speed: str, decided: float, visit: Callable[..., Any]) -> None:
    assert visit(TWO + f"speed = {speed}").step()["DESIRED_SPEED"] == decided


def test_speed_above_the_domains_is_brought_down_with_a_warning(
    visit: Callable[..., Any],
) -> None:
    found = visit(TWO + "speed = 6").step()
    assert found["DESIRED_SPEED"] == 4.0
    assert found["BHV_WARNING"] == "b: speed 6 is above the domain's 4, which counts"


@shows("speed_alt", "use_alt_speed")
@pytest.mark.parametrize(
    ("parameters", "decided"),
    [
        ("speed_alt = 1.2", 2.0),
        ("speed_alt = 1.2\nuse_alt_speed = true", 1.2),
        ("use_alt_speed = true", 2.0),
    ],
)
def test_alternate_speed_is_used_if_given_and_selected(
    parameters: str, decided: float, visit: Callable[..., Any]
) -> None:
    assert visit(TWO + parameters).step()["DESIRED_SPEED"] == decided


@shows("end_spd")
@pytest.mark.parametrize(
    ("x", "decided"), [(40.0, 2.0), (75.0, 2.0), (87.0, 1.0), (99.0, 0.0), (99.5, 0.0)]
)
def test_vessel_slows_down_before_the_end(
    x: float, decided: float, visit: Callable[..., Any]
) -> None:
    parameters = "points = 100,0\ncapture_radius = 0.1\nend_spd = slow_dist=25,stop_dist=1"
    assert visit(parameters, NAV_X=x).step()["DESIRED_SPEED"] == decided


def test_vessel_that_goes_round_for_ever_does_not_slow_down(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "repeat = forever\nend_spd = slow_dist=25,stop_dist=1", NAV_X=90.0)
    assert sailing.step()["DESIRED_SPEED"] == 2.0


@shows("capture_radius")
@pytest.mark.parametrize("name", ["capture_radius", "radius"])
@pytest.mark.parametrize(("radius", "reached"), [("9", False), ("11", True)])
def test_point_within_the_radius_is_reached(
    name: str, radius: str, reached: bool, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"{name} = {radius}", NAV_X=40.0)
    sailing.step()
    assert (goal(sailing) == (100, 0)) is reached


@shows("slip_radius")
@pytest.mark.parametrize("name", ["slip_radius", "nm_radius"])
@pytest.mark.parametrize(("radius", "reached"), [("6", False), ("8", True)])
def test_point_passed_within_the_slip_radius_is_reached(
    name: str, radius: str, reached: bool, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"{name} = {radius}", NAV_X=50.0, NAV_Y=7.0)
    sailing.step()
    sailing.step(NAV_X=52.0)
    assert (goal(sailing) == (100, 0)) is reached


@shows("capture_line")
@pytest.mark.parametrize(
    ("line", "x", "y", "reached"),
    [
        ("false", 51.0, 40.0, False),
        ("true", 51.0, 40.0, True),
        ("true", 48.0, 0.0, True),  # within the radius
        ("absolute", 48.0, 0.0, False),
        ("absolute", 51.0, 40.0, True),
    ],
)
def test_point_is_reached_when_level_with_it_if_configured(
    line: str, x: float, y: float, reached: bool, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"capture_line = {line}")
    sailing.step()
    sailing.step(NAV_X=x, NAV_Y=y)
    assert (goal(sailing) == (100, 0)) is reached


@shows("reset_on_idle")
@pytest.mark.parametrize(("reset", "first"), [("false", 100), ("true", 50)])
def test_idling_may_send_it_back_to_the_first_point(
    reset: str, first: float, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"condition = GO = true\nreset_on_idle = {reset}")
    sailing.step({"GO": "true"})
    sailing.step(NAV_X=49.0)
    sailing.step({"GO": "false"})
    sailing.step({"GO": "true"}, NAV_X=20.0)
    assert goal(sailing) == (first, 0)


def test_perpetual_behavior_visits_its_points_again(visit: Callable[..., Any]) -> None:
    parameters = "perpetual = true\ncondition = GO = true\nendflag = GO = false"
    sailing = visit(TWO + parameters)
    sailing.step({"GO": "true"}, NAV_X=49.0)
    assert sailing.step(NAV_X=99.0)["GO"] == "false"
    assert sailing.step()["IVPHELM_BHV_IDLE"] == "b"
    sailing.step({"GO": "true"}, NAV_X=0.0)
    assert goal(sailing) == (50, 0)


@shows("lead")
@pytest.mark.parametrize(
    ("lead", "expected"), [("-1", (100, 0)), ("0", (100, 0)), ("10", (70, 0)), ("60", (100, 0))]
)
def test_lead_steers_back_to_the_line(
    lead: str, expected: tuple[float, float], visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"lead = {lead}", NAV_X=49.0)
    sailing.step()
    sailing.step(NAV_X=60.0, NAV_Y=20.0)
    assert track(sailing) == expected


@shows("lead_damper")
@pytest.mark.parametrize(("damper", "x"), [("-1", 70), ("1", 80)])
def test_damper_looks_further_ahead_near_the_line(
    damper: str, x: float, visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"lead = 10\nlead_damper = {damper}", NAV_X=49.0)
    sailing.step()
    sailing.step(NAV_X=60.0, NAV_Y=0.5)
    assert track(sailing) == (x, 0)


@shows("lead_to_start")
@pytest.mark.parametrize(("to_start", "expected"), [("false", (50, 0)), ("true", (30, 0))])
def test_first_leg_may_begin_at_the_start(
    to_start: str, expected: tuple[float, float], visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"lead = 10\nlead_to_start = {to_start}")
    sailing.step()
    sailing.step(NAV_X=20.0, NAV_Y=5.0)
    assert track(sailing) == expected


def test_first_leg_of_another_lap_begins_at_the_last_point(visit: Callable[..., Any]) -> None:
    sailing = visit("points = 0,0 : 50,0 : 50,50\nrepeat = 1\nlead = 10", NAV_X=0.0)
    sailing.step()
    sailing.step(NAV_X=50.0)
    sailing.step(NAV_Y=50.0)
    sailing.step(NAV_X=40.0, NAV_Y=20.0)
    assert track(sailing) == pytest.approx((30 - 50**0.5, 30 - 50**0.5), abs=0.01)


@shows("lead_condition")
def test_lead_applies_while_its_conditions_hold(visit: Callable[..., Any]) -> None:
    parameters = "lead = 10\nlead_condition = LEAD = true\nlead_condition = NAV_DEPTH < 5"
    sailing = visit(TWO + parameters, NAV_X=49.0, NAV_DEPTH=1.0)
    sailing.step()
    sailing.step(NAV_X=60.0, NAV_Y=20.0)
    assert track(sailing) == (100, 0)
    sailing.step({"LEAD": "true"})
    assert track(sailing) == (70, 0)
    sailing.step(NAV_DEPTH=6.0)
    assert track(sailing) == (100, 0)
    assert {"LEAD", "NAV_DEPTH"} <= set(sailing.driven.registered)


def hill(distance: float, peakwidth: float, basewidth: float, delta: float, high: float) -> float:
    """The definition of a hill without a floor above 0, for one distance."""
    if distance <= peakwidth:
        return high - (delta * distance / peakwidth if peakwidth else 0)
    return max(0.0, (high - delta * (peakwidth > 0)) * (1 - (distance - peakwidth) / basewidth))


def angle(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


@shows("crs_spd_zaic_ratio")
@pytest.mark.parametrize("name", ["crs_spd_zaic_ratio", "patience"])
@pytest.mark.parametrize("ratio", [50, 20, 99])
def test_objective_is_the_moos_ivp_coupler_of_course_and_speed(
    name: str, ratio: int, visit: Callable[..., Any]
) -> None:
    sailing = visit(f"points = 100,40\n{name} = {ratio}", NAV_HEADING=33.3)
    sailing.step()
    objective = sailing.behavior("b").run()
    bearing = degrees(atan2(100, 40))
    courses = [hill(angle(c, bearing), 0, 180, 0, 100) + hill(angle(c, 33.3), 30, 180, 5, 20)
               for c in range(360)]  # fmt: skip
    speeds = [hill(abs(v / 10 - 2), 1, 1.6, 20, 100) for v in range(41)]
    for course, speed in ((0, 0), (68, 20), (33, 21), (250, 3), (359, 40)):
        low, high = min(courses), max(courses)
        expected = ratio * (courses[course] - low) / (high - low)
        low, high = min(speeds), max(speeds)
        expected += (100 - ratio) * (speeds[speed] - low) / (high - low)
        point = {"course": float(course), "speed": speed / 10}
        assert objective.at(sailing.helm._options.domain, point) == pytest.approx(expected)


@shows("ipf_type")
def test_zaic_spd_likes_slower_better_than_faster(visit: Callable[..., Any]) -> None:
    def utilities(kind: str) -> list[float]:
        sailing = visit(TWO + f"ipf_type = {kind}")
        sailing.step()
        table = sailing.behavior("b").run().parts[("speed",)]
        return [float(table[index]) for index in (1, 15, 20, 24, 25, 40)]

    slow = utilities("zaic_spd")
    assert slow == pytest.approx([35, 35 + 15 * 14 / 19, 50, 10, 10 * 15 / 16, 0])
    even = utilities("zaic")
    assert even[1] == pytest.approx(even[4])


def test_rate_of_closure_rewards_closing_at_the_speed(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "ipf_type = roc")
    assert sailing.step()["DESIRED_HEADING"] == 90
    assert sailing.posted["DESIRED_SPEED"] == 2.0
    (table,) = sailing.behavior("b").run().parts.values()
    assert table.shape == (360, 41)
    assert table[90, 20] == pytest.approx(100)
    assert table[90, 0] == pytest.approx(80 * (1 - 2 / 8) + 20)
    assert table[90, 40] == pytest.approx(80 * (1 - 1 / 8) + 20)
    assert table[270, 20] == pytest.approx(80 * (1 - 4 / 8) + 20 * (1 - 2 / 4))
    assert np.isfinite(table).all()


@shows("wpt_status_var", "wpt_index_var", "cycle_index_var")
@pytest.mark.parametrize(
    ("parameter", "default"),
    [
        ("wpt_status_var", "WPT_STAT"),
        ("wpt_status", "WPT_STAT"),
        ("wpt_index_var", "WPT_INDEX"),
        ("wpt_index", "WPT_INDEX"),
        ("cycle_index_var", "CYCLE_INDEX"),
        ("cycle_index", "CYCLE_INDEX"),
    ],
)
def test_status_variables_can_be_named_or_silenced(
    parameter: str, default: str, visit: Callable[..., Any]
) -> None:
    def posted(lines: str) -> Any:
        sailing = visit(TWO + "repeat = 1\n" + lines, NAV_SPEED=2.0)
        sailing.step(NAV_X=49.0)
        assert "CYCLE_INDEX" not in sailing.posted  # before the first traversal is complete
        sailing.step(NAV_X=99.0)
        return sailing.posted

    assert default in posted("")
    named = posted(f"{parameter} = OTHER")
    assert "OTHER" in named
    assert default not in named
    assert default not in posted(f"{parameter} = SILENT")


def test_status_shows_where_the_vessel_is(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "repeat = 1", NAV_SPEED=2.0)
    sailing.step(NAV_X=49.0)
    assert sailing.posted["WPT_STAT"] == (
        "vname=alpha,behavior-name=b,index=1,hits=1/1,cycles=0,dist=51,eta=26"
    )
    assert sailing.posted["WPT_INDEX"] == 1.0
    sailing.step(NAV_X=99.0)
    first, second = sailing.values("WPT_STAT")
    assert first == "behavior-name=b,cycled"
    assert "index=0,hits=2/2,cycles=1,dist=49,eta=24" in second
    assert sailing.posted["CYCLE_INDEX"] == 1.0


def test_status_of_a_stopped_vessel_never_arrives(visit: Callable[..., Any]) -> None:
    assert str(visit(TWO).step()["WPT_STAT"]).endswith("dist=50,eta=inf")


def test_completion_is_reported(visit: Callable[..., Any]) -> None:
    sailing = visit("points = 50,0", NAV_X=49.0)
    assert sailing.step()["WPT_STAT"] == "behavior-name=b,completed"


@shows("post_suffix")
@pytest.mark.parametrize("suffix", ["ONE", "_ONE"])
def test_suffix_is_appended_to_the_status_variables(suffix: str, visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + f"repeat = 1\npost_suffix = {suffix}")
    for x in (50.0, 100.0):
        sailing.step(NAV_X=x)
    found = sailing.posted
    assert {"WPT_STAT_ONE", "WPT_INDEX_ONE", "CYCLE_INDEX_ONE", "WPT_ODO_ONE"} <= set(found)
    assert not {"WPT_STAT", "WPT_INDEX", "CYCLE_INDEX", "WPT_ODO"} & set(found)


@shows("wpt_dist_to_prev", "wpt_dist_to_next")
def test_ways_from_and_to_the_points_are_posted_on_request(visit: Callable[..., Any]) -> None:
    assert not {"FROM", "TO"} & set(visit(TWO).step())
    parameters = "wpt_dist_to_prev = FROM\nwpt_dist_to_next = TO\ncondition = GO = true"
    sailing = visit(TWO + parameters)
    sailing.step({"GO": "true"}, NAV_X=49.0)
    found = sailing.step(NAV_X=60.0)
    assert (found["FROM"], found["TO"]) == (10.0, 40.0)
    found = sailing.step({"GO": "false"})
    assert (found["FROM"], found["TO"]) == (-1.0, -1.0)


@shows("efficiency_measure")
def test_efficiency_is_posted_after_each_leg_on_request(visit: Callable[..., Any]) -> None:
    plain = visit(TWO, NAV_X=50.0)
    plain.step()
    plain.step(NAV_X=100.0)
    assert not any("WPT_EFF" in name for name in plain.posted)
    sailing = visit(TWO + "efficiency_measure = all", NAV_X=50.0)
    sailing.step()
    sailing.step(NAV_X=75.0, NAV_Y=25.0)
    found = sailing.step(NAV_X=100.0, NAV_Y=0.0)
    assert found["WPT_EFF_DIST_LEG"] == pytest.approx(0.5**0.5)
    assert found["WPT_EFF_TIME_LEG"] == pytest.approx(25 / 0.5)
    assert found["WPT_EFF_SUMM_ALL"] == (
        "vname=alpha, bhv_name=b, linear_dist=50, odo_dist=70.7, efficiency_dist=0.707, "
        "linear_time=25, odo_time=0.5, efficiency_time=50"
    )


def test_leg_whose_speed_changed_has_no_efficiency(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "efficiency_measure = all\nupdates = UP", NAV_X=50.0)
    sailing.step()
    sailing.step({"UP": "speed = 3"}, NAV_X=70.0)
    assert "WPT_EFF_DIST_LEG" not in sailing.step(NAV_X=100.0)


@shows("wptflag", "cycleflag")
@pytest.mark.parametrize(("flag", "counts"), [("wptflag", [1, 1]), ("cycleflag", [0, 1])])
def test_flags_report_points_and_laps(
    flag: str, counts: list[int], visit: Callable[..., Any]
) -> None:
    sailing = visit(TWO + f"repeat = 1\n{flag} = F = 1")
    sailing.step()
    posted = []
    for x in (50.0, 100.0):
        sailing.step(NAV_X=x)
        posted.append(len(sailing.values("F")))
    assert posted == counts


@shows("wptflag_on_start")
@pytest.mark.parametrize(("on_start", "expected"), [("false", []), ("true", ["0,0>50,0"])])
def test_waypoint_flags_may_report_the_start(
    on_start: str, expected: list[str], visit: Callable[..., Any]
) -> None:
    flag = "wptflag = F = $[PX],$[PY]>$[NX],$[NY]"
    sailing = visit(TWO + f"{flag}\nwptflag_on_start = {on_start}")
    sailing.step()
    assert sailing.values("F") == expected
    sailing.step()
    assert sailing.values("F") == []


@shows("eager_prev_index_flag")
@pytest.mark.parametrize(("eager", "expected"), [("false", [-1, 0, 1]), ("true", [0, 0, 1])])
def test_previous_index_in_flags_is_that_of_the_point_reached_as_in_moos_ivp(
    eager: str, expected: list[int], visit: Callable[..., Any]
) -> None:
    # MOOS-IvP's helm, with wptflag_on_start: -1, then 0 at the first of three points, 1, 0 ...
    lines = f"wptflag = F = $[PI]\nwptflag_on_start = true\neager_prev_index_flag = {eager}"
    sailing = visit(TWO + lines)
    posted = []
    for x in (0.0, 50.0, 100.0):
        sailing.step(NAV_X=x)
        posted += sailing.values("F")
    assert posted == expected


MACROS = {
    "POINTS": "pts={50,0:100,0}",
    "SPEED": 2.0,
    "SPEED_ALT": -1.0,
    "USE_SPEED_ALT": 0.0,
    "IPF_TYPE": "zaic",
    "WPT_FLAG_ON_START": 0.0,
    "LEAD_TO_START": 0.0,
    "LEAD_DAMPER": -1.0,
    "ORDER": "normal",
    "NI": 1.0,
    "NX": 100.0,
    "NY": 0.0,
    "PI": 0.0,
    "PX": 50.0,
    "PY": 0.0,
    "X": 50.0,
    "Y": 0.0,
    "IX": 1.0,
    "CYCLES": 0.0,
    "CYCREM": 2.0,
    "WPTS": 2.0,
    "WPTS_HIT": 1.0,
    "WPTS_REM": 1.0,
    "CYC_DIST_TOGO": 40.0,
    "ALL_DIST_TOGO": 240.0,
}


@pytest.mark.parametrize(("macro", "value"), MACROS.items())
def test_macro_describes_the_route(
    macro: str, value: float | str, visit: Callable[..., Any]
) -> None:
    """Two points, two repeats; the first is reached, 40 m are left of the leg to the second."""
    sailing = visit(TWO + f"repeat = 2\nrunxflag = M = $[{macro}]")
    sailing.step(NAV_X=50.0)
    sailing.step(NAV_X=60.0)
    assert sailing.step()["M"] == value


def test_every_macro_of_the_route_is_shown(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO)
    assert set(sailing.behavior("b").own_macros()) == set(MACROS)


def test_flags_at_the_end_name_the_last_point(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "wptflag = F = $[PX]>$[NX]", NAV_X=50.0)
    sailing.step()
    assert sailing.step(NAV_X=100.0)["F"] == "100>100"


@shows("visual_hints")
@pytest.mark.parametrize("hint", HINTS)
def test_hint_changes_the_drawing(hint: str, visit: Callable[..., Any]) -> None:
    value = "7" if hint.endswith("size") else "purple"

    def shapes(parameters: str) -> str:
        sailing = visit(TWO + f"lead = 5\nlead_to_start = true\n{parameters}", NAV_Y=9.0)
        sailing.step()
        return ";".join(str(p.value) for p in sailing.posts if p.name.startswith("VIEW"))

    plain, hinted = shapes(""), shapes(f"visual_hints = {hint} = {value}")
    assert plain != hinted
    assert plain.count(value) < hinted.count(value)


def test_hints_add_up_and_the_last_of_a_kind_is_used() -> None:
    settings = WaypointSettings()
    settings.visual_hints = ((("edge_size", "2"), ("edge_color", "red")), (("edge_size", "3"),))
    assert [settings.hint(key) for key in ("edge_size", "edge_color", "vertex_size")] == [
        "3", "red", HINTS["vertex_size"]
    ]  # fmt: skip


@shows("draw_path_loop")
@pytest.mark.parametrize(("loop", "points"), [("false", "50,0:100,0"), ("true", "50,0:100,0:50,0")])
def test_points_may_be_drawn_as_a_loop(loop: str, points: str, visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + f"draw_path_loop = {loop}")
    text = sailing.step()["VIEW_SEGLIST"]
    assert text.startswith(f"pts={{{points}}},label=alpha_b,")


def test_points_are_drawn_while_it_runs_and_removed_then(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "condition = GO = true")
    sailing.step()
    assert not sailing.values("VIEW_POINT")
    sailing.step({"GO": "true"})
    next_point, track_point = sailing.values("VIEW_POINT")
    assert next_point == (
        "x=50,y=0,active=true,label=alpha's nextpt,label_color=aqua,vertex_color=yellow,"
        "vertex_size=5"
    )
    assert track_point.startswith("x=50,y=0,active=false,label=alpha's trackpt,")
    sailing.step({"GO": "false"})
    assert [v.split(",label")[0] for v in sailing.values("VIEW_POINT")] == ["x=50,y=0,active=false"]
    assert sailing.values("VIEW_SEGLIST") == ["pts={0,0:9,0:0,9},active=false,label=alpha_b"]


def test_settings_are_reported_at_the_start_and_after_updates(visit: Callable[..., Any]) -> None:
    sailing = visit(TWO + "updates = UP")
    assert "points={50,0:100,0},order=normal,repeat=0,speed=2," in sailing.step()["BHV_SETTINGS"]
    assert "BHV_SETTINGS" not in sailing.step()
    assert "speed=3," in sailing.step({"UP": "speed = 3"})["BHV_SETTINGS"]


def test_everything_it_may_post_is_declared(visit: Callable[..., Any]) -> None:
    parameters = "efficiency_measure = all\nwpt_dist_to_next = TO\npost_suffix = S\nrepeat = 9"
    sailing = visit(TWO + parameters)
    for x in (50.0, 80.0, 100.0, 70.0, 50.0):
        sailing.step(NAV_X=x)
    assert not sailing.helm.run_warnings
    assert sailing.helm.refused == 0


def test_every_parameter_has_a_test() -> None:
    common = {one.name for one in fields(CommonSettings)}
    assert {one.name for one in fields(WaypointSettings)} - common == shows.names
