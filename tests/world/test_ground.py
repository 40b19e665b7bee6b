"""The way of a keel over a grid of depths: where it meets the ground."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.world.environment import Environment
from steerageway.world.ground import Ground
from steerageway.world.tide import Tide

WEST, SOUTH, SPACING = -30.0, 10.0, 7.0


def grid(depths: object) -> Ground:
    return Ground("grid.asc", WEST, SOUTH, SPACING, np.array(depths, np.float64))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_a_way_ends_where_dense_samples_of_the_depth_first_fall_to_the_limit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground = grid(rng.uniform(-4.0, 10.0, (6, 8)))
    ends = [WEST, SOUTH] + rng.uniform(0.0, 1.0, (2, 2)) * SPACING * np.array([7, 5])
    start, end = (tuple(row) for row in ends.tolist())
    shares = np.linspace(0.0, 1.0, 20001)
    depths = np.array([ground.depth(*(1 - s) * ends[0] + s * ends[1]) for s in shares])
    limit = float(rng.uniform(-3.0, 4.0))
    below = np.flatnonzero(depths[1:] <= limit)
    found = ground.shoal(start, end, limit)
    if depths.min() > limit + 1e-3:
        assert found is None
    elif len(below):
        first = 0.0 if depths[0] <= limit else shares[1:][below[0]]
        assert found == pytest.approx(first, abs=1e-4)


def test_one_shoal_cell_is_not_jumped_however_long_the_way() -> None:
    depths = np.full((3, 40), 10.0)
    depths[:, 20] = -3.0
    ground = grid(depths)
    y, peak = SOUTH + SPACING, WEST + 20 * SPACING
    start, end = (WEST, y), (WEST + 39 * SPACING, y)
    met = ground.shoal(start, end, 0.0)
    assert met is not None
    # from 10 m to -3 m in a cell: dry after 10/13 of it
    assert WEST + met * 39 * SPACING == pytest.approx(peak - SPACING + SPACING * 10.0 / 13.0)


def test_a_keel_that_stands_on_a_slope_may_leave_it_but_not_climb_it() -> None:
    ground = grid([[0.0, 7.0, 14.0]] * 3)
    at = WEST + 3.0
    depth = ground.depth(at, SOUTH + 1.0)
    assert ground.shoal((at, SOUTH + 1.0), (at + 2.0, SOUTH + 1.0), depth) is None
    assert ground.shoal((at, SOUTH + 1.0), (at - 2.0, SOUTH + 1.0), depth) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("t", "dry"), [(0.0, False), (2.0, False), (4.0, True), (6.0, True), (8.0, True), (10.0, False)]
)
def test_a_flat_that_dries_at_ebb_grounds_even_what_has_no_draught(t: float, dry: bool) -> None:
    flat = grid(np.full((3, 3), 0.0))
    tide = Tide(range=2.0, period=12.0)
    place = WEST + 5.0, SOUTH + 5.0
    world = Environment(ground=flat, tide=tide)
    assert (world.depth_at(*place, t) <= 1e-12) == dry
    assert (world.shoal(place, place, 0.0, t) is not None) == dry
