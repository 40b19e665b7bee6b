"""A field of obstacles, crossed in both directions without a collision."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steerageway.moos.polygon import parse_polygon

pytestmark = pytest.mark.slow

OBSTACLES = Path(__file__).parents[2] / "missions" / "obstacles"
LEAST = 2.0  # nearer than this it would have been luck [m]


def test_a_field_of_obstacles_is_crossed_without_a_hit(launch: Callable[..., Any]) -> None:
    ended = launch(
        OBSTACLES,
        *("--until", "MISSION = complete", "--for", "900"),
        *("--placement", "one", "--warp", "max"),
    )
    assert ended.code == 0, ended.said
    text = (OBSTACLES / "obstacles.moos").read_text()
    polygons = [parse_polygon(spec) for spec in re.findall(r"given_obstacle = (\S+)", text)]
    assert len(polygons) == 10
    last: dict[str, float] = {}
    closest, met = 1e9, set()
    for entry in ended.entries():
        if entry.name in ("NAV_X", "NAV_Y"):
            last[entry.name] = float(entry.value)
        if entry.name == "NAV_Y" and len(last) == 2:
            here = (last["NAV_X"], last["NAV_Y"])
            closest = min(closest, *(polygon.distance(here) for polygon in polygons))
        if entry.name == "IVPHELM_LIFE_EVENT" and "event=spawn" in str(entry.value):
            met.update(re.findall(r"bname=(avoid_ob_\d)", str(entry.value)))
    assert closest > LEAST
    assert len(met) == 10
