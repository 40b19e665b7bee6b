"""Clusters, assignment, filters, tracks and GOSPA against cases that are known in closed form."""

from __future__ import annotations

from itertools import permutations
from math import sqrt

import numpy as np
import pytest

from steerageway.vessel.perception.tracking import (
    Belief,
    Tracker,
    TrackerSettings,
    assign,
    boxed,
    clusters,
    detections,
    gospa,
    nis,
    predicted,
    updated,
)

CHI2_1000 = (1877.0, 2126.0)  # 95 % of chi-squared with 2000 degrees of freedom lie between


def test_points_within_reach_are_one_cluster_and_lone_ones_none() -> None:
    points = np.array([[0, 0], [9, 9], [0, 1], [5, 5], [0, 2], [9, 10], [9, 11]], dtype=float)
    assert clusters(points, 1.0, 3).tolist() == [0, 1, 0, -1, 0, 1, 1]


def test_a_border_point_belongs_to_the_nearest_cluster_and_joins_none() -> None:
    left = [[x, 0.0] for x in (-3.0, -2.5, -2.0, -1.5)]
    right = [[x, 0.0] for x in (0.9, 1.3, 1.7, 2.1)]
    points = np.array([*left, *right, [-0.05, 0.0]])
    labels = clusters(points, 1.5, 5)
    assert labels[-1] == labels[4] != labels[0]


def test_clusters_do_not_depend_on_the_order_of_points() -> None:
    generator = np.random.default_rng(1)
    points = np.vstack([generator.normal(c, 0.3, (40, 2)) for c in ((0, 0), (5, 0), (0, 6))])
    order = generator.permutation(len(points))
    first, second = clusters(points, 0.6, 3)[order], clusters(points[order], 0.6, 3)
    same = first[:, None] == first[None, :]
    assert (same == (second[:, None] == second[None, :])).all()


def test_a_reach_that_grows_with_the_range_keeps_far_returns_together() -> None:
    near, far = np.array([[10, 0], [10, 1.0]]), np.array([[100, 0], [100, 1.0]])
    points = np.vstack((near, far))
    reach = 0.012 * np.linalg.norm(points, axis=1)
    assert clusters(points, reach, 2).tolist() == [-1, -1, 0, 0]


def test_the_box_of_a_turned_rectangle_is_the_rectangle() -> None:
    side = np.linspace(-1, 1, 21)
    ends = np.ones_like(side)
    u = np.concatenate((4 * side, 4 * side, 4 * ends, -4 * ends))
    v = np.concatenate((1.5 * ends, -1.5 * ends, 1.5 * side, 1.5 * side))
    turn = np.radians(130.0)
    points = np.array((u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn)))
    box = boxed(points.T + np.array((20.0, -7.0)))
    assert box.place == pytest.approx((20.0, -7.0), abs=1e-9)
    assert (box.length, box.breadth) == pytest.approx((8.0, 3.0))
    assert np.degrees(box.angle) == pytest.approx(-50.0)


@pytest.mark.parametrize("seed", range(20))
def test_an_assignment_has_the_minimum_cost(seed: int) -> None:
    cost = np.random.default_rng(seed).uniform(0.0, 10.0, (4, 3))
    most = 4.0
    pairs = assign(cost, most)
    got = sum(cost[i, j] for i, j in pairs) + most * (4 - len(pairs))
    columns = [0, 1, 2, None, None, None, None]
    best = min(
        sum(most if j is None else cost[i, j] for i, j in enumerate(some))
        for some in set(permutations(columns, 4))
    )
    assert got == pytest.approx(best)


def test_prediction_of_two_halves_is_that_of_the_whole() -> None:
    cov = np.diag([1.0, 2.0, 0.5, 0.3])
    start = Belief(np.array([1.0, 2.0, 3.0, -1.0]), cov)
    whole, half = predicted(start, 2.0, 0.1), predicted(predicted(start, 1.0, 0.1), 1.0, 0.1)
    assert whole.mean == pytest.approx(half.mean)
    assert whole.cov == pytest.approx(half.cov)


def test_place_alone_measured_often_gives_the_line_of_least_squares() -> None:
    times, slope = np.arange(0.0, 10.0), np.array([1.5, -0.5])
    places = np.array([4.0, 2.0]) + times[:, None] * slope
    places += np.random.default_rng(3).normal(0.0, 0.2, places.shape)
    belief = Belief(np.zeros(4), 1e8 * np.eye(4))
    for k, place in enumerate(places):
        belief = updated(predicted(belief, float(k > 0), 0.0), place, 0.04 * np.eye(2))
    lines = np.polyfit(times - 9.0, places, 1)
    assert belief.mean == pytest.approx([*lines[1], *lines[0]], abs=1e-5)


def test_the_filter_is_consistent_with_its_own_model() -> None:
    """Its innovations have the predicted spread by chi-squared."""
    generator = np.random.default_rng(7)
    density, dt, deviation = 0.2, 0.5, 0.7
    still = Belief(np.zeros(4), np.zeros((4, 4)))
    root = np.linalg.cholesky(predicted(still, dt, density).cov)
    noise = deviation**2 * np.eye(2)
    truth = generator.normal(0.0, 1.0, 4)
    belief = Belief(np.zeros(4), np.eye(4))
    total = 0.0
    for _ in range(1000):
        place = truth[:2] + generator.normal(0.0, deviation, 2)
        total += nis(belief, place[None], noise[None])[0][0]
        belief = predicted(updated(belief, place, noise), dt, density)
        truth = predicted(Belief(truth, np.zeros((4, 4))), dt, 0.0).mean
        truth = truth + root @ generator.normal(0.0, 1.0, 4)
    assert CHI2_1000[0] < total < CHI2_1000[1]


def scan(*places: tuple[float, float]) -> list:
    """Return detections of small squares."""
    square = np.array([[0.2, 0.2], [0.2, -0.2], [-0.2, 0.2], [-0.2, -0.2]])
    return [boxed(square + place) for place in places]


def test_two_that_cross_keep_their_tracks() -> None:
    tracker = Tracker(TrackerSettings())
    for k in range(101):
        t = 0.1 * k
        tracks = tracker.step(t, scan((2.0 * t - 10.0, 0.4), (10.0 - 2.0 * t, -0.4)))
    assert [track.number for track in tracks] == [1, 2]
    assert [track.belief.mean for track in tracks] == [
        pytest.approx([10.0, 0.4, 2.0, 0.0], abs=0.2),
        pytest.approx([-10.0, -0.4, -2.0, 0.0], abs=0.2),
    ]
    assert all(track.moving for track in tracks)


def test_resting_objects_do_not_move_and_a_single_detection_is_no_track() -> None:
    tracker, generator = Tracker(TrackerSettings()), np.random.default_rng(5)
    for k in range(200):
        x, y = generator.normal(0.0, 0.1, 2)
        stray = [(50.0 + k, 3.0 * k)] if k % 20 == 0 else []
        tracks = tracker.step(0.1 * k, scan((x + 5.0, y), *stray))
        assert not any(track.moving for track in tracks)
    assert [track.number for track in tracks] == [1]


def test_a_track_lives_through_a_gap_and_ends_after_a_longer_one() -> None:
    tracker = Tracker(TrackerSettings(lost=2.0))
    times = [0.1 * k for k in range(60) if not 30 <= k < 45]
    for t in times:
        tracks = tracker.step(t, scan((t, 0.0)))
    assert [track.number for track in tracks] == [1]
    assert tracker.step(8.0, []) == []


def test_a_scan_that_is_not_later_is_refused() -> None:
    tracker = Tracker(TrackerSettings())
    tracker.step(1.0, [])
    with pytest.raises(ValueError, match="later than 1 s"):
        tracker.step(1.0, [])


def test_no_objects_give_no_detections() -> None:
    assert detections(np.empty((0, 2)), 1.0, 3) == []


NONE = np.empty((0, 2))
AT = np.array([[0.0, 0.0]])


@pytest.mark.parametrize(
    ("truth", "estimates", "expected"),
    [
        (NONE, NONE, (0.0, 0.0, 0, 0)),
        (AT, AT + np.array((3.0, 4.0)), (5.0, 5.0, 0, 0)),
        (AT, NONE, (sqrt(50.0), 0.0, 1, 0)),
        (NONE, AT, (sqrt(50.0), 0.0, 0, 1)),
        (AT, AT + np.array((30.0, 0.0)), (10.0, 0.0, 1, 1)),
        (np.array([[0, 0], [100.0, 0]]), np.array([[1.0, 0]]), (sqrt(51.0), 1.0, 1, 0)),
    ],
)
def test_gospa_equals_its_definition(
    truth: np.ndarray, estimates: np.ndarray, expected: tuple[float, float, int, int]
) -> None:
    assert tuple(gospa(truth, estimates, 10.0)) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(10))
def test_gospa_is_a_metric(seed: int) -> None:
    generator = np.random.default_rng(seed)
    a, b, c = (generator.uniform(0, 12, (generator.integers(0, 5), 2)) for _ in range(3))
    ab, ba, bc, ac = (gospa(p, q, 6.0).distance for p, q in ((a, b), (b, a), (b, c), (a, c)))
    assert ab == pytest.approx(ba)
    assert ac <= ab + bc + 1e-9
