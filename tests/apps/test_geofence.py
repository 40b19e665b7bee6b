"""``uGeofence``: every parameter, and all its posts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steerageway.apps.vessels.geofence import Geofence, contains
from steerageway.bus import Config, ConfigError
from steerageway.geometry.geodesy import Datum

PAGE = (Path(__file__).parents[2] / "docs" / "panisim.md").read_text()
DATUM = Datum(12.99, 80.24)
ORIGIN = Config([("LatOrigin", "12.99", "a.moos:1"), ("LongOrigin", "80.24", "a.moos:2")])
U_SHAPE = [(0, 0), (30, 0), (30, 30), (20, 30), (20, 10), (10, 10), (10, 30), (0, 30)]


def ring(points=U_SHAPE):
    return " : ".join("{!r},{!r}".format(*DATUM.to_latlon(x, y)) for x, y in points)


@pytest.fixture
def guard(drive):
    return lambda block: drive(Geofence, block, globals=ORIGIN)


def at(driven, x, y):
    """Return the posts at a position."""
    return driven.tick(float(driven.app.iteration + 1), {"NAV_X": x, "NAV_Y": y})


@pytest.mark.parametrize(
    ("point", "inside"),
    [((5, 20), True), ((15, 20), False), ((25, 20), True), ((15, 5), True), ((15, 31), False)],
)
def test_a_ring_need_not_be_convex(point, inside):
    assert contains(U_SHAPE, point) is inside
    assert contains([*U_SHAPE, U_SHAPE[0]], point) is inside


@settings(max_examples=30)
@given(
    corners=st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3, max_size=3),
    here=st.tuples(st.integers(-25, 25), st.integers(-25, 25)),
)
def test_within_a_triangle_is_on_the_same_side_of_all_its_edges(corners, here):
    (ax, ay), (bx, by), (cx, cy) = corners
    edges = [((ax, ay), (bx, by)), ((bx, by), (cx, cy)), ((cx, cy), (ax, ay))]
    x, y = here
    turns = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in edges]
    assume(all(turns))  # on the line of an edge it may be either
    assert contains(corners, here) is (len({turn > 0 for turn in turns}) == 1)


def test_its_appcast_shows_its_last_posts_and_that_the_fence_is_waiting(guard):
    driven = guard(f"fence = {ring()}\nworld_east = 50")
    waiting = "Not inside the fence yet: it counts from then on"
    at(driven, -10.0, 5.0)
    lines = ["GEOFENCE_BREACH: false", "WORLD_BREACH: false"]
    assert list(driven.app.report()) == [*lines, waiting]
    at(driven, 5.0, 5.0)
    assert list(driven.app.report()) == lines
    assert driven.app.events_total == 0
    at(driven, -10.0, 5.0)
    assert next(iter(driven.app.report())) == "GEOFENCE_BREACH: true"
    assert driven.app.events_total == 1


def test_leaving_the_fence_is_reported_and_stops_the_helm(guard):
    driven = guard(f"fence = {ring()}")
    assert at(driven, 15.0, 5.0) == {"GEOFENCE_BREACH": "false"}
    assert at(driven, 15.0, 9.0) == {}
    out = {"GEOFENCE_BREACH": "true", "MOOS_MANUAL_OVERRIDE": "true"}
    assert at(driven, 15.0, 15.0) == out
    assert at(driven, 15.0, 15.0) == {"MOOS_MANUAL_OVERRIDE": "true"}
    assert at(driven, 15.0, 5.0) == {"GEOFENCE_BREACH": "false"}


def test_the_fence_is_active_once_the_vessel_is_inside(guard):
    driven = guard(f"fence = {ring()}")
    assert at(driven, -10.0, 5.0) == {"GEOFENCE_BREACH": "false"}
    at(driven, 5.0, 5.0)
    assert at(driven, -10.0, 5.0)["GEOFENCE_BREACH"] == "true"


def test_stop_sets_how_actuators_are_stopped(guard):
    driven = guard(f"fence = {ring()}\nstop = th_1=0,cs_1=0")
    at(driven, 5.0, 5.0)
    assert at(driven, -5.0, 5.0)["ACTUATOR_CMD_OVERRIDE"] == "th_1=0,cs_1=0"
    assert at(driven, -5.0, 5.0)["ACTUATOR_CMD_OVERRIDE"] == "th_1=0,cs_1=0"


def test_an_obstacle_is_hit_inside_of_it(guard):
    far = [(x + 100, y) for x, y in U_SHAPE]
    driven = guard(f"obstacle = {ring()}\nobstacle = {ring(far)}")
    assert at(driven, 15.0, 20.0) == {"OBSTACLE_HIT": "false"}
    assert at(driven, 5.0, 5.0) == {"OBSTACLE_HIT": "true"}
    assert at(driven, 115.0, 20.0) == {"OBSTACLE_HIT": "false"}
    assert at(driven, 105.0, 5.0) == {"OBSTACLE_HIT": "true"}


@pytest.mark.parametrize(("key", "beyond"), [("world_north", (0, -60)), ("world_east", (60, 0))])
def test_the_world_has_an_end(guard, key, beyond):
    driven = guard(f"{key} = 50")
    assert at(driven, 40.0, -40.0) == {"WORLD_BREACH": "false"}
    assert at(driven, *map(float, beyond))["WORLD_BREACH"] == "true"
    x, y = beyond
    assert at(driven, float(y), float(x)) == {"WORLD_BREACH": "false"}


@pytest.mark.parametrize(
    "line", ["fence = 1,2 : 3,4", "obstacle = a,b : 1,2 : 3,4", "fence = nan,1 : 1,2 : 3,4"]
)
def test_an_invalid_ring_is_refused(guard, drive, line):
    with pytest.raises(ConfigError, match=r"test.moos:0.*three points"):
        guard(line)
    with pytest.raises(ConfigError, match="LatOrigin"):
        drive(Geofence, f"fence = {ring()}")
