"""Paths through a map: against SciPy, closed forms, and what a path must keep to."""

from __future__ import annotations

from itertools import pairwise
from math import acos, atan2, hypot, pi, tau

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from steerageway.vessel.perception.measurement import Measurement
from steerageway.vessel.planning import Mover, Plan, Planner, PlannerSettings
from steerageway.vessel.planning.costs import clearances, ways_to_go

CELL = 0.5
SETTINGS = PlannerSettings()


def planner(occupied: np.ndarray, **settings: float) -> Planner:
    """Return a planner with a map whose south-west corner is the datum."""
    made = Planner(PlannerSettings(**settings))
    percent = np.where(occupied, 100, 0).astype(np.uint8)
    made.take(Measurement(0.0, "map", percent, (0.0,) * 6, cell=CELL))
    return made


def blocks(seed: int, count: int = 14) -> np.ndarray:
    """Return a map (200, 200) with square blocks, and free water around both ends of a way."""
    rng, occupied = np.random.default_rng(seed), np.zeros((200, 200), bool)
    for i, j, size in rng.integers((30, 0, 4), (160, 190, 16), (count, 3)):
        occupied[i : i + size, j : j + size] = True
    return occupied


def test_clearances_are_those_of_scipy() -> None:
    occupied = np.random.default_rng(1).random((60, 90)) < 0.02
    expected = np.maximum(0.0, distance_transform_edt(~occupied) - 0.5) * CELL
    np.testing.assert_allclose(clearances(occupied, CELL), expected, atol=1e-12)
    assert np.isinf(clearances(np.zeros((4, 5), bool), CELL)).all()


def test_ways_to_go_are_those_of_scipys_dijkstra() -> None:
    rng, n = np.random.default_rng(2), 24
    weight = 1.0 + 5.0 * rng.random((n, n))
    weight[rng.random((n, n)) < 0.2] = np.inf
    weight[20, 3] = 1.0
    rows: list[tuple[float, int, int]] = []
    for i, j in np.argwhere(np.isfinite(weight)):
        for a, b in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if 0 <= i + a < n and 0 <= j + b < n and np.isfinite(weight[i + a, j + b]):
                length = CELL * hypot(a, b) * 0.5 * (weight[i, j] + weight[i + a, j + b])
                rows.append((length, i * n + j, (i + a) * n + j + b))
    lengths, ends, others = zip(*rows, strict=True)
    graph = coo_array((lengths, (ends, others)), (n * n, n * n)).tocsr()
    expected = dijkstra(graph, directed=False, indices=20 * n + 3).reshape(n, n)
    goal = np.array([20.5, 3.5]) * CELL
    np.testing.assert_allclose(ways_to_go(weight, CELL, goal, 0.1), expected, rtol=1e-12)


def dubins(heading: float, goal: tuple[float, float], radius: float) -> float:
    """Return the shortest way from the origin to a place, by an arc and a straight line."""
    ways = []
    for side in (-1.0, 1.0):
        north, east = -side * radius * np.sin(heading), side * radius * np.cos(heading)
        a, b = goal[0] - north, goal[1] - east
        away = hypot(a, b)
        if away >= radius:
            # from the centre, the tangent point lies this angle before the goal's bearing
            leave = atan2(b, a) - side * acos(radius / away)
            start = atan2(-east, -north)
            ways.append(radius * ((side * (leave - start)) % tau) + (away**2 - radius**2) ** 0.5)
    return min(ways)


@pytest.mark.parametrize("heading", [0.0, 1.0, pi, -2.0])
def test_in_open_water_a_path_is_little_longer_than_dubins(heading: float) -> None:
    start, goal = (50.0, 50.0), (80.0, 60.0)
    plan = planner(np.zeros((200, 200), bool), close=1.0).plan((*start, heading), goal, [])
    assert plan is not None
    assert plan.complete
    least = dubins(heading, (goal[0] - start[0], goal[1] - start[1]), SETTINGS.turn_radius)
    assert least - 1.0 <= plan.states[-1, 3] * SETTINGS.speed <= 1.1 * least + 2.0


def check(plan: Plan, occupied: np.ndarray, settings: PlannerSettings) -> None:
    """Check that a vessel can follow a path, which keeps clear of all that is occupied."""
    places = plan.states[:, :2]
    steps = np.hypot(*np.diff(places, axis=0).T)
    turns = np.diff(plan.states[:, 2])
    assert (2.0 * np.sin(np.abs(turns) / 2.0) <= steps / settings.turn_radius + 1e-9).all()
    times = np.diff(plan.states[:, 3])
    assert (steps <= plan.states[1:, 4] * times + 1e-9).all()
    fine = np.concatenate([places[:-1] + k / 4.0 * np.diff(places, axis=0) for k in range(4)])
    cells = (np.argwhere(occupied) + 0.5) * CELL
    away = np.hypot(*(fine[:, None] - cells[None]).transpose(2, 0, 1)).min(axis=1)
    assert away.min() > settings.clearance - CELL


@pytest.mark.parametrize("seed", range(5))
def test_paths_turn_as_the_vessel_does_and_keep_clear(seed: int) -> None:
    occupied = blocks(seed)
    plan = planner(occupied).plan((5.0, 50.0, 0.0), (92.0, 50.0), [])
    assert plan is not None
    assert plan.complete
    check(plan, occupied, SETTINGS)
    assert hypot(*(plan.states[-1, :2] - (92.0, 50.0))) <= SETTINGS.close
    points = plan.waypoints()
    assert len(points) < len(plan.states)
    legs = np.concatenate([np.linspace(a, b, 400) for a, b in pairwise(points)])
    off = np.hypot(*(plan.states[:, None, :2] - legs[None]).transpose(2, 0, 1)).min(axis=1)
    assert off.max() < 0.6


@pytest.mark.parametrize(("east", "rate"), [(80.0, -0.8), (10.0, 1.0), (52.0, 0.0)])
def test_a_path_keeps_clear_of_a_vessel_where_it_will_be(east: float, rate: float) -> None:
    """Straight on, it would be met: the path passes it, or slows down, at every instant."""
    mover = Mover(45.0, east, 0.0 if rate else -0.7, rate, 6.0)
    made = planner(np.zeros((200, 200), bool))
    nearest = []
    for movers in ([], [mover]):
        plan = made.plan((5.0, 50.0, 0.0), (92.0, 50.0), movers)
        assert plan is not None
        times = np.linspace(0.0, plan.states[-1, 3], 2000)
        north, y = (np.interp(times, plan.states[:, 3], plan.states[:, k]) for k in (0, 1))
        there = (mover.north + mover.north_rate * times, mover.east + mover.east_rate * times)
        nearest.append(np.hypot(north - there[0], y - there[1]).min())
        assert made.is_clear(plan, (5.0, 50.0), [mover]) == bool(movers)
    kept = 3.0 + SETTINGS.clearance
    assert nearest[0] < 0.8 * kept
    assert nearest[1] > kept - 0.3


def test_its_work_is_bounded_and_the_same_again() -> None:
    occupied = np.zeros((200, 200), bool)
    occupied[150:155, 60:140] = occupied[150:, 60:65] = occupied[150:, 135:140] = True
    sealed = planner(occupied).plan((50.0, 50.0, 0.0), (90.0, 50.0), [])
    assert sealed is None  # a closed basin: found without a search
    occupied[150:155, 96:98] = False  # a gap that is too narrow
    plans = [
        planner(occupied, most_states=2000).plan((50.0, 50.0, 0.0), (90.0, 50.0), [])
        for _ in range(2)
    ]
    assert all(one is not None and not one.complete for one in plans)
    np.testing.assert_array_equal(*[one.states for one in plans if one])
    assert all(one is not None and one.searched <= 2000 for one in plans)
    check(plans[0], occupied, SETTINGS)


def test_a_path_is_not_clear_once_something_stands_on_it() -> None:
    occupied = np.zeros((200, 200), bool)
    made = planner(occupied)
    plan = made.plan((5.0, 50.0, 0.0), (92.0, 50.0), [])
    assert plan is not None
    occupied[100:104, 100:104] = True
    later = planner(occupied)
    assert not later.is_clear(plan, (5.0, 50.0), [])
    assert later.is_clear(plan, (60.0, 50.0), [])  # it has been passed


def test_from_too_near_a_path_leads_away() -> None:
    occupied = np.zeros((200, 200), bool)
    occupied[:, 95:98] = True
    plan = planner(occupied).plan((20.0, 50.0, 0.0), (90.0, 52.0), [])
    assert plan is not None
    assert plan.complete
    assert plan.states[:, 1].min() > 49.9
    assert plan.states[:, 1].max() > 48.5 + SETTINGS.clearance


@pytest.mark.parametrize(
    "wrong",
    [
        Measurement(0.0, "m", np.zeros((4, 4), np.uint8), (0.0,) * 6),
        Measurement(0.0, "m", np.zeros((4, 4), np.float32), (0.0,) * 6, cell=1.0),
        Measurement(0.0, "m", np.zeros((4, 2000), np.uint8), (0.0,) * 6, cell=1.0),
    ],
)
def test_what_is_no_map_is_refused(wrong: Measurement) -> None:
    with pytest.raises(ValueError, match="expected a map"):
        Planner(SETTINGS).take(wrong)
