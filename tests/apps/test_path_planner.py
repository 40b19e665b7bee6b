"""pPathPlanner: from a map, a goal and node reports to updates of a waypoint behavior."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from math import hypot

import numpy as np
import pytest

from steerageway.apps.control.path_planner import PathPlanner
from steerageway.bus import ConfigError
from steerageway.moos.seglist import parse_seglist
from steerageway.vessel.perception.measurement import Measurement, pack

pytestmark = pytest.mark.slow

NAV = {"NAV_X": 40.0, "NAV_Y": 10.0, "NAV_HEADING": 0.0}
BLOCK = "goal = 40,70\nspeed = 1.5\nclearance = 2"


def chart(*blocks: tuple[int, int, int, int]) -> bytes:
    """Return a map of 80 m by 80 m whose corner is the datum, with blocks: south, north, ... ."""
    data = np.zeros((160, 160), np.uint8)
    for south, north, west, east in blocks:
        data[2 * south : 2 * north, 2 * west : 2 * east] = 100
    return pack(Measurement(1.0, "m", data, (0.0,) * 6, cell=0.5))


def points_of(update: str) -> list[tuple[float, float]]:
    """Return the points of an update."""
    return list(parse_seglist(update.partition("#")[0].partition("=")[2]).points)


def test_the_helm_gets_a_path_around_what_the_map_has(drive: Callable) -> None:
    driven = drive(PathPlanner, BLOCK)
    posted = driven.tick(1.0, {"OCCUPANCY_MAP": chart((35, 40, 25, 60)), **NAV})
    assert posted["PLAN_STATE"] == "planned"
    assert posted["PLAN_UPDATE"].endswith("# speed = 1.5")
    points = [(40.0, 10.0), *points_of(posted["PLAN_UPDATE"])]
    legs = np.concatenate([np.linspace(a, b, 100) for a, b in pairwise(points)])
    inside = (legs > (25 - 1.5, 35 - 1.5)) & (legs < (60 + 1.5, 40 + 1.5))
    assert not inside.all(axis=1).any()
    assert hypot(points[-1][0] - 40.0, points[-1][1] - 70.0) <= 4.0
    plan = json.loads(posted["PATH_PLAN"])
    assert plan["complete"]
    assert plan["states"][0][:2] == [40.0, 10.0]
    least = hypot(17.0, 25.0) + 5.0 + hypot(17.0, 30.0) - 4.0  # by the wall's western corners
    assert least < 1.5 * (plan["states"][-1][3] - 1.0) < 1.25 * least


def test_a_path_is_kept_while_it_is_clear_and_planned_again_when_it_is_not(
    drive: Callable,
) -> None:
    driven = drive(PathPlanner, BLOCK)
    driven.tick(1.0, {"OCCUPANCY_MAP": chart(), **NAV})
    assert driven.tick(2.0, {"OCCUPANCY_MAP": chart((30, 34, 70, 75))}) == {}
    posted = driven.tick(3.0, {"OCCUPANCY_MAP": chart((38, 42, 38, 42))})
    assert "points" in posted["PLAN_UPDATE"]
    report = "NAME=ben,X=10,Y=40,SPD=1.2,HDG=90,LENGTH=8,TYPE=ship,VSOURCE=ais"
    meeting = {"NODE_REPORT": f"{report},TIME=4"}
    posted = driven.tick(4.0, {"OCCUPANCY_MAP": chart(), **meeting})
    assert "points" in posted["PLAN_UPDATE"]
    others = drive(PathPlanner, BLOCK + "\nmatch_vsource = lidar")
    others.tick(3.0, {"OCCUPANCY_MAP": chart(), **NAV})
    assert others.tick(4.0, meeting) == {}


def test_it_stops_where_there_is_no_path_and_goes_on_once_there_is(drive: Callable) -> None:
    driven = drive(PathPlanner, BLOCK)
    shut = chart((35, 38, 0, 80))
    posted = driven.tick(1.0, {"OCCUPANCY_MAP": shut, **NAV})
    assert (posted["PLAN_STATE"], posted["PLAN_UPDATE"]) == ("blocked", "speed = 0")
    posted = driven.tick(2.0, {"OCCUPANCY_MAP": chart((35, 38, 0, 50))})
    assert posted["PLAN_STATE"] == "planned"


def test_it_stops_once_the_map_is_old_or_the_goal_is_taken_away(drive: Callable) -> None:
    driven = drive(PathPlanner, BLOCK)
    driven.tick(1.0, {"OCCUPANCY_MAP": chart(), **NAV})
    assert "points" in driven.tick(6.0)["PLAN_UPDATE"]  # as old as it may be
    posted = driven.tick(6.1)
    assert (posted["PLAN_STATE"], posted["PLAN_UPDATE"]) == ("blocked", "speed = 0")
    assert driven.tick(7.0, {"OCCUPANCY_MAP": chart()})["PLAN_STATE"] == "planned"
    assert not driven.app.run_warnings
    posted = driven.tick(8.0, {"PLAN_GOAL": "off"})
    assert (posted["PLAN_STATE"], posted["PLAN_UPDATE"]) == ("waiting", "speed = 0")


def test_goals_are_reached_one_after_another(drive: Callable) -> None:
    driven = drive(PathPlanner)
    assert driven.tick(1.0, {"OCCUPANCY_MAP": chart(), **NAV}) == {}
    posted = driven.tick(2.0, {"PLAN_GOAL": "40,30:60,50"})
    assert points_of(posted["PLAN_UPDATE"])[-1] == pytest.approx((40.0, 30.0), abs=4.0)
    posted = driven.tick(3.0, {"NAV_Y": 28.0})
    assert points_of(posted["PLAN_UPDATE"])[-1] == pytest.approx((60.0, 50.0), abs=4.0)
    posted = driven.tick(4.0, {"NAV_X": 58.0, "NAV_Y": 49.0})
    assert (posted["PLAN_STATE"], posted["PLAN_UPDATE"]) == ("reached", "speed = 0")
    assert driven.tick(5.0, {"PLAN_GOAL": "somewhere"}) == {}
    assert "PLAN_GOAL = 'somewhere'" in " ".join(driven.app.run_warnings)


def test_a_goal_beyond_the_map_is_the_end_of_the_path(drive: Callable) -> None:
    driven = drive(PathPlanner, "goal = 40,500")
    posted = driven.tick(1.0, {"OCCUPANCY_MAP": chart((40, 44, 10, 80)), **NAV})
    *path, last = points_of(posted["PLAN_UPDATE"])
    assert last == (40.0, 500.0)
    assert path[-1][1] == pytest.approx(80.0, abs=3.0)


def test_a_comfort_below_the_clearance_is_refused(drive: Callable) -> None:
    with pytest.raises(ConfigError, match=r"test.moos:1: comfort = 1: expected above clearance, 3"):
        drive(PathPlanner, "clearance = 3\ncomfort = 1")
