"""Occupancy grid: compared with the scene that its scans come from, and with a plain model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from steerageway.vessel.perception.occupancy import HIGH, MISS, UNKNOWN, OccupancyGrid
from steerageway.world.rays.caster import NOTHING, Caster
from steerageway.world.scene.document import load
from steerageway.world.scene.synthetic import scene_text

HEIGHT = 1.2  # of the sensor [m]
CELL = 0.5


def scan(caster: Caster, eye: np.ndarray, count: int, far: float) -> np.ndarray:
    """Return the horizontal ranges (count,) of a scan in one plane [m]; nan: no return."""
    angles = 2.0 * np.pi * (np.arange(count) + 0.5) / count - np.pi
    ways = np.stack((np.cos(angles), np.sin(angles), np.zeros(count)), 1)
    hits = caster.cast(eye, ways, 0.0, far)
    places = eye[:2] + hits.ranges[:, None] * ways[:, :2]
    return np.where((hits.numbers != NOTHING)[:, None], places, np.nan)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 9])
def test_the_map_is_that_of_the_scene_whose_surfaces_were_seen(seed: int, tmp_path: Path) -> None:
    """The truth is ray-traced from other places: inside of things no cell is free, and so on."""
    (tmp_path / "maze.yml").write_text(scene_text("maze", seed))
    caster = Caster(load(tmp_path / "maze.yml").standing())
    rng, grid = np.random.default_rng(seed), OccupancyGrid(160, CELL)
    eyes = np.array([(y, 8.0 * np.sin(y / 9.0), -HEIGHT) for y in np.arange(0.0, 30.0, 1.0)])
    for eye in eyes:
        points = scan(caster, eye, 360, 60.0)
        points = points[np.isfinite(points).all(axis=1)]
        ways = points - eye[:2]
        ranges = np.hypot(*ways.T)
        noisy = ranges + rng.normal(0.0, 0.05, len(ranges))
        points = eye[:2] + ways * (noisy / ranges)[:, None]
        grid.centre_on(*eye[:2])
        grid.add(tuple(eye[:2]), points, noisy, noisy < 60.0, 30.0)
    percent = grid.percent()
    known = percent != UNKNOWN
    rows, columns = np.nonzero(known)
    centres = np.column_stack((rows + 0.5, columns + 0.5)) * CELL + grid.corner
    occupied = percent[known] >= 65
    # What a cell holds: rays from above meet something higher than the scan.
    above = np.column_stack((centres, np.full(len(centres), -40.0)))
    down = np.tile([0.0, 0.0, 1.0], (len(centres), 1))
    full = caster.cast(above, down, 0.0, 100.0).ranges < 40.0 - HEIGHT
    free_inside = full & (percent[known] < 35)
    assert free_inside.mean() < 0.001
    # An occupied cell is at a surface: rays around it meet one within a cell and the noise.
    nearest = np.full(occupied.sum(), np.inf)
    for angle in np.arange(16) * np.pi / 8.0:
        way = np.array([np.cos(angle), np.sin(angle), 0.0])
        eyes_of = np.column_stack((centres[occupied], np.full(occupied.sum(), -HEIGHT)))
        ranges = caster.cast(eyes_of, np.tile(way, (len(eyes_of), 1)), 0.0, 5.0).ranges
        nearest = np.minimum(nearest, np.nan_to_num(ranges, nan=5.0))
    assert (nearest[~full[occupied]] < CELL + 0.15).mean() > 0.995
    # And what is near is in the map: rays ten times as dense from the last place end in it.
    seen = scan(caster, eyes[-1], 3600, 20.0)
    seen = seen[np.isfinite(seen).all(axis=1)]
    i, j = np.floor((seen - grid.corner) / CELL).astype(int).T
    around = [percent[i + a, j + b] for a in (-1, 0, 1) for b in (-1, 0, 1)]
    found = np.max([np.where(one == UNKNOWN, 0, one) for one in around], axis=0) >= 65
    assert len(seen) > 250
    assert found.mean() > 0.99


@pytest.mark.slow
def test_the_map_moves_over_the_plane_and_forgets_what_leaves_it() -> None:
    """A plain model: a dictionary of cells by their place on the plane."""
    rng, grid = np.random.default_rng(5), OccupancyGrid(12, CELL)
    model: dict[tuple[int, int], int] = {}
    north, east = -3.0, 7.0
    for _ in range(60):
        north, east = north + rng.normal(0, 1.5), east + rng.normal(0, 1.5)
        grid.centre_on(north, east)
        first = np.floor(np.array((north, east)) / CELL).astype(int) - 6
        model = {
            k: v for k, v in model.items() if (k - first >= 0).all() and (k - first < 12).all()
        }
        point = np.array((north, east)) + rng.uniform(-2.5, 2.5, 2)
        grid.add((north, east), point[None], np.ones(1), np.ones(1, bool), 0.0)
        cell = tuple(np.floor(point / CELL).astype(int).tolist())
        model[cell] = model.get(cell, 0) + 1
        assert grid.corner == pytest.approx(tuple(first * CELL))
        seen = {
            tuple((np.array(k) + first).tolist()) for k in np.argwhere(grid.percent() > 50).tolist()
        }
        occupied = {k for k in seen if grid.percent()[tuple(np.array(k) - first)] != UNKNOWN}
        assert occupied == set(model)


def test_what_has_gone_is_free_after_as_many_views_as_its_odds_need() -> None:
    grid = OccupancyGrid(40, CELL)
    post, wall = np.array([[10.2, 0.2]]), np.array([[18.2, 0.3]])
    grid.centre_on(10.0, 0.0)
    for _ in range(10):
        grid.add((2.0, 0.2), post, np.array([8.2]), np.array([True]), 0.0)
    i, j = np.floor((post[0] - grid.corner) / CELL).astype(int)
    assert grid.log_odds[i, j] == HIGH
    views = 0
    while grid.percent()[i, j] >= 50:
        grid.add((2.0, 0.2), wall, np.array([16.2]), np.array([True]), 0.0)
        views += 1
    assert views == np.ceil(HIGH / -MISS)


@pytest.mark.parametrize(("clear", "expected"), [(0.0, UNKNOWN), (9.0, 40)])
def test_a_bearing_without_returns_is_free_as_far_as_is_asked_for(
    clear: float, expected: int
) -> None:
    grid = OccupancyGrid(40, CELL)
    grid.centre_on(0.0, 0.0)
    grid.add((0.0, 0.0), np.zeros((0, 2)), np.zeros(0), np.zeros(0, bool), clear)
    percent = grid.percent()
    assert percent[20 + 16, 20] == expected  # 8 m to the north; odds of exp(-0.4)
    assert percent[20 + 19, 20] == UNKNOWN
