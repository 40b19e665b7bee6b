"""pOccupancyMap: from clouds to a map, and to a grid that viewers draw."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin

import numpy as np
import pytest

from steerageway.apps.sensing.occupancy_map import OccupancyMap
from steerageway.bus import ConfigError
from steerageway.vessel.perception.measurement import Measurement, pack, unpack
from steerageway.web.viewer.shapes import parse_shape

FIELDS = ("x", "y", "z", "intensity", "ring")
BLOCK = "cloud = LIDAR_TOP\nsize = 80\nleast_range = 1"


def cloud(time: float, pose: tuple[float, ...], points: np.ndarray) -> bytes:
    """Return a cloud of points (n, 3) north, east, down, seen from a pose without roll or pitch."""
    places, c, s = points - pose[:3], cos(pose[5]), sin(pose[5])
    local = places @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    values = np.hstack((local, np.zeros((len(local), 2)))).astype("<f4")
    return pack(Measurement(time, "TOP", values, pose, FIELDS))


def wall() -> np.ndarray:
    """Return returns of a wall 20 m to the north of the datum, of the water, and of a bridge."""
    east = np.arange(-15.0, 15.0, 0.2)
    rows = [(20.2, -1.5), (6.0, -0.1), (9.0, -20.0)]
    return np.concatenate(
        [np.column_stack((np.full_like(east, n), east, np.full_like(east, d))) for n, d in rows]
    )


@pytest.mark.slow
def test_a_wall_is_occupied_the_water_before_it_free_and_what_is_behind_unknown(
    drive: Callable,
) -> None:
    driven, maps = drive(OccupancyMap, BLOCK), []
    for k in range(1, 11):
        pose = (0.4 * k, -2.0 + 0.1 * k, -1.2, 0.0, 0.0, 0.3 * k)  # the map moves with the sensor
        posted = driven.tick(0.2 * k, {"LIDAR_TOP": cloud(0.2 * k, pose, wall())})
        maps += [unpack(posted["OCCUPANCY_MAP"])] if "OCCUPANCY_MAP" in posted else []
    found = maps[-1]
    assert found.cell == 0.5
    assert found.data.shape == (160, 160)

    def at(north: float, east: float) -> int:
        i, j = np.floor((np.array((north, east)) - found.pose[:2]) / found.cell).astype(int)
        return int(found.data[i, j])

    assert all(at(20.2, east) >= 95 for east in (-12.0, 0.0, 12.0))
    assert all(at(north, 0.0) <= 20 for north in (6.0, 9.0, 15.0, 19.0))
    assert at(22.0, 0.0) == at(30.0, 5.0) == 255


@pytest.mark.slow
def test_viewers_draw_the_walls_place(drive: Callable) -> None:
    driven = drive(OccupancyMap, BLOCK + "\nview_cell = 2")
    pose = (0.0, 0.0, -1.2, 0.0, 0.0, 0.0)
    driven.tick(0.2, {"LIDAR_TOP": cloud(0.2, pose, wall())})
    posted = driven.tick(3.0, {"LIDAR_TOP": cloud(3.0, pose, wall())})
    shape = parse_shape("VIEW_GRID", posted["VIEW_GRID"])
    drawn = np.array([(x, y) for x, y, value in shape["cells"] if value > 0])
    assert (drawn[:, 1] == 20.0).all()  # south-west corners of the cells
    assert (drawn[:, 0].min(), drawn[:, 0].max()) == (-16.0, 14.0)
    assert len(drawn) == 16


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("cell = 0.05", "cell = 0.05: expected 2 to 1024 cells along a side of 160 m"),
        ("view_cell = 0.5", "view_cell = 0.5: expected 2 to 141 cells"),
        ("most_range = 1", "most_range = 1: expected most_range above least_range"),
    ],
)
def test_a_map_that_is_too_large_is_refused(drive: Callable, lines: str, expected: str) -> None:
    with pytest.raises(ConfigError, match=f"test.moos:0: {expected}"):
        drive(OccupancyMap, lines)


@pytest.mark.slow
def test_a_cloud_from_nowhere_the_future_or_the_past_changes_nothing(drive: Callable) -> None:
    driven = drive(OccupancyMap, BLOCK)
    pose = (0.0, 0.0, -1.2, 0.0, 0.0, 0.0)
    driven.tick(2.0, {"LIDAR_TOP": cloud(2.0, pose, wall())})
    before = list(driven.app.report())
    far = cloud(2.1, (1e300, *pose[1:]), np.zeros((0, 3)))
    driven.tick(2.1, {"LIDAR_TOP": far})
    driven.tick(2.2, {"LIDAR_TOP": cloud(1e9, pose, wall())})
    driven.tick(2.3, {"LIDAR_TOP": cloud(1.0, pose, wall())})
    assert list(driven.app.report()) == [before[0].replace("0 left", "1 left"), before[1]]
    warnings = " ".join(driven.app.run_warnings)
    assert "at most 1e+07 m from the datum" in warnings
    assert "expected at most 2.2 s" in warnings
