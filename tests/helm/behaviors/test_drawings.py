"""Behaviors erase their drawings when they cease to run and when their duration is over."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from alone import DEEP, Alone
from meeting import meet

Make = Callable[..., Alone]
SQUARE = "-50,-50:50,-50:50,50:-50,50"
FAR_SQUARE = "100,100:150,100:150,150:100,150"
DRAWING = {
    "BHV_AvoidObstacleV24": f"poly = {FAR_SQUARE}\npwt_outer_dist = 300\ncompleted_dist = 400",
    "BHV_BearingLine": "bearing_point = 30,40",
    "BHV_Convoy": "contact = ben",
    "BHV_FullStop": "",
    "BHV_HSLine": "",
    "BHV_Loiter": f"polygon = {SQUARE}\nspeed = 2",
    "BHV_OpRegion": f"polygon = {SQUARE}",
    "BHV_OpRegionRecover": f"polygon = {SQUARE}",
    "BHV_OpRegionV24": f"core_poly = {SQUARE}\nsave_dist = 10\nhalt_dist = 20",
    "BHV_Shadow": "contact = ben\nbearing_line_show = true",
    "BHV_SimpleWaypoint": "ptx = 30\npty = 40\nspeed = 2",
    "BHV_StationKeep": "station_pt = 30,40",
    "BHV_Trail": "contact = ben",
    "BHV_Waypoint": "points = 30,40:60,80\nspeed = 2",
    "BHV_ZigZag": "stem_hdg = 0\nzig_angle = 30\nspeed = 2",
}
ENDS = {"it idles": "condition = GO = true", "its duration is over": "duration = 1"}


def shown(posts: list[tuple[str, object]]) -> set[tuple[str, str]]:
    """Return the drawings after posts, by variable and label."""
    found = set()
    for name, value in posts:
        if name.startswith("VIEW_"):
            label = re.search(r"(?:^|[,}:])label[=,]([^,]*)", str(value))
            assert label is not None, value
            drawn = (name, label[1])
            (found.discard if "active=false" in str(value) else found.add)(drawn)
    return found


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", DRAWING)
def test_nothing_stays_on_the_chart_when_it(kind: str, end: str, alone: Make) -> None:
    nav = {"NAV_SPEED": 1.0, "NAV_DEPTH": 2.0, "NAV_ALTITUDE": 50.0}
    one = alone(kind, f"{DRAWING[kind]}\n{ENDS[end]}", DEEP, **nav)
    one.world.take("DESIRED_HEADING", 30.0)
    one.world.take("DESIRED_SPEED", 2.0)
    one.world.take("GO", "true")
    posts = []
    for _ in range(3):
        meet(one, 60.0, 60.0)
        posts += one.posts
    assert shown(posts)
    one.world.take("GO", "false")
    for _ in range(4):
        meet(one, 60.0, 60.0)
        posts += one.posts
    assert one.behavior.state == ("idle" if "condition" in ENDS[end] else "completed")
    assert shown(posts) == set()
