"""MOOS-IvP's own alpha mission, unmodified, against a run of MOOS-IvP's own programs.

Reference: tests/reference/s1_alpha, one run at warp 1. Times count from DEPLOY=true, which is
where both runs start to move; two of MOOS-IvP's own runs differ by up to 1.6 m.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

REFERENCE = Path(__file__).parents[1] / "reference" / "s1_alpha"
TOLERANCE_M = 1.6
Row = tuple[float, str, str]
Point = tuple[float, float]


@pytest.fixture
def ours(launch: Callable[..., Any]) -> list[Row]:
    """Return the rows of our run of MOOS-IvP's files."""
    ended = launch(
        REFERENCE / "alpha.moos",
        "--as-moos",
        *("--set", "DEPLOY=true", "--set", "MOOS_MANUAL_OVERRIDE=false"),
        *("--until", "MISSION = complete", "--for", "600"),
        *("--placement", "one", "--warp", "max"),
    )
    assert ended.code == 0, ended.said
    return [(entry.time, entry.name, str(entry.value)) for entry in ended.entries()]


def recorded() -> list[Row]:
    """Return the rows of MOOS-IvP's run."""
    with gzip.open(REFERENCE / "s1_alpha_warp1.csv.gz", "rt") as file:
        rows = csv.reader(file)
        next(rows)
        return [(float(time), name, value) for time, name, value in rows]


def since_deployed(rows: Sequence[Row]) -> list[Row]:
    """Return the rows from DEPLOY=true on, with times relative to it."""
    start = next(time for time, name, value in rows if (name, value) == ("DEPLOY", "true"))
    return [(time - start, name, value) for time, name, value in rows if time >= start]


def first(rows: Iterable[Row], text: str, value: str) -> float:
    """Return when a variable first had a value."""
    return next(
        time
        for time, name, found in rows
        if name == text and found.rstrip("0").rstrip(".") == value
    )


def track(rows: Iterable[Row], end: float) -> list[Point]:
    """Return the positions until a time."""
    xs = [float(value) for time, name, value in rows if name == "NAV_X" and time <= end]
    ys = [float(value) for time, name, value in rows if name == "NAV_Y" and time <= end]
    return list(zip(xs, ys, strict=False))


def distance(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point from a segment of a track."""
    along = (end[0] - start[0], end[1] - start[1])
    length = along[0] ** 2 + along[1] ** 2
    part = 0.0
    if length > 0:
        offset = (point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]
        part = min(1.0, max(0.0, offset / length))
    return hypot(
        point[0] - start[0] - part * along[0],
        point[1] - start[1] - part * along[1],
    )


def test_the_last_leg_and_the_end_come_when_those_of_the_reference_do(ours: list[Row]) -> None:
    rows, expected = since_deployed(ours), since_deployed(recorded())
    for name, value, near in (("WPT_INDEX", "4", 308.9), ("MISSION", "complete", 446.0)):
        assert first(rows, name, value) == pytest.approx(near, rel=0.02)
        assert first(rows, name, value) == pytest.approx(first(expected, name, value), rel=0.02)


def test_the_track_stays_near_the_reference_all_the_way(ours: list[Row]) -> None:
    rows, expected = since_deployed(ours), since_deployed(recorded())
    our_track = track(rows, first(rows, "MISSION", "complete"))
    their_track = track(expected, first(expected, "MISSION", "complete"))
    assert len(their_track) > 850
    worst = max(
        min(distance(point, start, end) for start, end in pairwise(our_track))
        for point in their_track
    )
    assert worst < TOLERANCE_M
