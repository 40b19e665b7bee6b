"""uTracker: contacts and obstacles from point clouds."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import cos, pi, sin

import numpy as np
import pytest

from steerageway.apps.contacts.tracker.app import SceneTracker
from steerageway.bus import Config, ConfigError, Entry, Setting
from steerageway.moos.node_report import parse
from steerageway.moos.polygon import parse_polygon
from steerageway.vessel.perception.measurement import Measurement, pack

POSE = (10.0, -5.0, -2.0, 0.0, 0.0, 0.5)  # of the sensor: north, east, down, yaw


def cloud(time: float, *shapes: np.ndarray) -> bytes:
    """Return a cloud of points in the world (n, 3), as the sensor has them."""
    places = np.vstack(shapes) - POSE[:3]
    c, s = cos(POSE[5]), sin(POSE[5])
    local = places @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    values = np.hstack((local, np.zeros((len(local), 2)))).astype("<f4")
    return pack(Measurement(time, "TOP", values, POSE, ("x", "y", "z", "intensity", "ring")))


def box(north: float, east: float, length: float = 1.0, breadth: float = 1.0) -> np.ndarray:
    """Return returns of a box's corners and sides, a metre above the water."""
    along = np.linspace(-0.5, 0.5, 9)
    side = np.ones_like(along) / 2
    u = length * np.concatenate((along, along, side, -side))
    v = breadth * np.concatenate((side, -side, along, along))
    return np.array((north + u, east + v, -np.ones_like(u))).T


def water() -> np.ndarray:
    """Return returns of the water around the sensor."""
    angles = np.linspace(0.0, 2 * pi, 60)
    ring = np.array((30 * np.cos(angles), 30 * np.sin(angles), -0.1 * np.ones(60)))
    return ring.T + np.array((POSE[0], POSE[1], 0.0))


def posted_values(
    driven: object, name: str, seconds: float, scene: Callable[[float], tuple]
) -> list[str]:
    """Return the posts of a variable while clouds come ten times a second."""
    found: list[str] = []
    for k in range(1, round(10 * seconds) + 1):
        driven.tick(0.1 * k, {"LIDAR_TOP": cloud(0.1 * k, water(), *scene(0.1 * k))})
        found += driven.values(name)
    return found


def test_a_resting_object_is_an_obstacle_of_its_size_and_no_contact(drive: Callable) -> None:
    driven = drive(SceneTracker)
    obstacles = posted_values(driven, "GIVEN_OBSTACLE", 5, lambda t: (box(39.0, 9.0, 2.0, 2.0),))
    assert not driven.values("NODE_REPORT")
    assert len(obstacles) == 1
    polygon = parse_polygon(obstacles[0])
    assert polygon.fields["label"] == "seen_at_6_1"
    assert polygon.center == pytest.approx((9.0, 39.0), abs=0.05)
    assert polygon.distance((9.0, 40.0)) < 0.05
    assert polygon.distance((9.0, 41.0)) == pytest.approx(1.0, abs=0.05)


def test_a_moving_object_is_a_contact_and_no_obstacle(drive: Callable) -> None:
    driven = drive(SceneTracker, epoch=1000.0)
    scene = lambda t: (box(40.0, -20.0 + 3.0 * t, 2.0, 6.0),)  # noqa: E731
    reports = posted_values(driven, "NODE_REPORT", 6, scene)
    last = parse(reports[-1])
    assert (last.x, last.y) == pytest.approx((-2.0, 40.0), abs=0.3)
    assert last.speed == pytest.approx(3.0, abs=0.1)
    assert last.heading == pytest.approx(90.0, abs=2.0)
    assert last.time == pytest.approx(1006.0)
    assert (last.length, last.beam) == pytest.approx((6.0, 2.0), abs=0.05)
    assert not driven.values("GIVEN_OBSTACLE")


@pytest.mark.slow
def test_an_object_that_comes_to_rest_is_an_obstacle_until_it_moves(
    drive: Callable,
) -> None:
    driven = drive(SceneTracker)
    scene = lambda t: (box(40.0, 2.0 * max(0.0, t - 5.0)),)  # noqa: E731
    obstacles = posted_values(driven, "GIVEN_OBSTACLE", 9, scene)
    assert "duration=" in obstacles[0]
    left = {parse_polygon(text).fields["label"]: "active=false" in text for text in obstacles}
    assert all(left.values())


@pytest.mark.slow
def test_a_quay_becomes_pieces_that_cover_it_and_leave_the_basin_free(drive: Callable) -> None:
    line = np.arange(0.0, 60.0, 0.5)
    first = np.array((np.full_like(line, 60.0), line - 30.0, -np.ones_like(line))).T
    second = np.array((line, np.full_like(line, 30.0), -np.ones_like(line))).T
    obstacles = posted_values(drive(SceneTracker), "GIVEN_OBSTACLE", 2, lambda t: (first, second))
    polygons = [parse_polygon(text) for text in obstacles]
    assert max(min(p.distance((x, 60.0)) for p in polygons) for x in line - 30.0) < 0.6
    assert min(p.distance((10.0, 30.0)) for p in polygons) > 15.0


@pytest.mark.slow
def test_a_wall_that_is_seen_past_something_that_moves_does_not_move(drive: Callable) -> None:
    """Seen through a gap that goes along it, a part of the wall seems to move with the gap."""
    line = np.arange(0.0, 60.0, 0.3)
    wall = np.array((np.full_like(line, 60.0), line - 30.0, -np.ones_like(line))).T

    def scene(t: float) -> tuple:
        gap = -30.0 + 3.0 * t
        through = (wall[:, 1] > gap) & (wall[:, 1] < gap + 12.0) if t > 2 else np.full(200, True)
        return (wall[through],)

    driven = drive(SceneTracker)
    assert not posted_values(driven, "NODE_REPORT", 12, scene)


def test_tracks_are_reported_with_the_time_of_the_scan(drive: Callable) -> None:
    driven = drive(SceneTracker)
    (*_, last) = posted_values(driven, "TRACKS", 2, lambda t: (box(40.0, 2.0 * t), box(20.0, 0.0)))
    tracks = json.loads(last)
    assert tracks["time"] == pytest.approx(2.0)
    assert [one["id"] for one in tracks["tracks"]] == [1, 2]
    still, moving = tracks["tracks"]
    assert (still["vx"], moving["vx"]) == pytest.approx((0.0, 2.0), abs=0.2)
    assert (moving["x"], moving["y"]) == pytest.approx((4.0, 40.0), abs=0.2)


def test_an_invalid_cloud_is_reported(drive: Callable) -> None:
    driven = drive(SceneTracker)
    driven.tick(0.1, {"LIDAR_TOP": "x=1"})
    driven.tick(0.2, {"LIDAR_TOP": b"\x00"})
    warnings = " ".join(driven.app.run_warnings)
    assert "expected a measurement in bytes" in warnings
    assert len(driven.app.run_warnings) == 2


def test_heights_in_the_wrong_order_are_refused() -> None:
    config = Config([Entry("least_height", "20", "a.moos:7")], where="a.moos")
    with pytest.raises(ConfigError, match=r"a\.moos:7: least_height = 20: expected most_height"):
        SceneTracker(Setting(name="uTracker", config=config)).configure()
