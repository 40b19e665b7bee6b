"""Routes: arrival at points, order and repetition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.helm.behaviors.route import Arrival, Progress, Route

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0))
NEAR = Arrival(capture=5, slip=0)


def route(points: tuple[tuple[float, float], ...] = SQUARE) -> Route:
    one = Route()
    one.set_points(points)
    return one


def sail(one: Route, xs: list[float], arrival: Arrival, y: float = 0.0) -> list[Progress]:
    return [one.advance((x, y), arrival) for x in xs]


def test_point_is_captured_within_the_radius_not_at_it() -> None:
    one = route(((10, 0), (99, 0)))
    assert sail(one, [0, 5, 5.01], NEAR) == [
        Progress.TRANSIT,
        Progress.TRANSIT,
        Progress.ADVANCED,
    ]
    assert (one.index, one.captures, one.hits) == (1, 1, 1)


@pytest.mark.parametrize(
    ("slip", "xs", "reached"),
    [
        (8, [0, 10, 11], True),  # 7 m off when abreast, then away again
        (8, [0, 9, 10], False),  # still coming nearer
        (6.9, [0, 10, 11], False),  # was never as near
        (8, [10, 10, 10], False),  # not moving away
        (4, [0, 10, 11], False),  # not more than the capture radius
    ],
)
def test_point_slips_by_when_the_distance_grows_again(
    slip: float, xs: list[float], reached: bool
) -> None:
    one = route(((10, 0), (99, 0)))
    progress = sail(one, xs, Arrival(capture=5, slip=slip), y=7)[-1]
    assert (progress is Progress.ADVANCED) is reached
    assert one.captures == 0


@pytest.mark.parametrize(("line", "reached"), [(True, True), (False, False)])
def test_line_across_a_point_captures_it_if_configured(line: bool, reached: bool) -> None:
    one = route(((50, 0), (99, 0)))
    one.previous = (0, 0)
    progress = sail(one, [49, 50], Arrival(capture=0, slip=0, line=line), y=30)
    assert progress[0] is Progress.TRANSIT
    assert (progress[1] is Progress.ADVANCED) is reached


def test_last_point_completes_unless_the_list_may_begin_again() -> None:
    one = route(((0, 0), (10, 0)))
    assert sail(one, [0, 10], NEAR) == [Progress.ADVANCED, Progress.COMPLETED]
    assert (one.index, one.cycles) == (0, 1)


@pytest.mark.parametrize(
    ("repeats", "expected"),
    [(0, ["completed"]), (2, ["cycled", "cycled", "completed"]), (None, ["cycled"] * 5)],
)
def test_list_is_repeated_as_often_as_configured(repeats: int | None, expected: list[str]) -> None:
    one = route(((0, 0), (10, 0)))
    arrival = Arrival(capture=5, slip=0, perpetual=True, repeats=repeats)
    ends = [p.value for p in sail(one, [0, 10] * len(expected), arrival)[1::2]]
    assert ends == expected


def test_new_points_begin_with_the_first_and_reset_cycles() -> None:
    one = route()
    one.index, one.cycles, one.previous = 2, 4, (1, 1)
    one.set_points(SQUARE[:2])
    assert (one.index, one.cycles, one.previous) == (0, 0, None)


def test_replaced_points_keep_the_place_in_the_list() -> None:
    one = route()
    one.set_index(1)
    one.replace_points(((0, 0), (200, 0), (200, 100)))
    assert (one.index, one.next) == (1, (200, 0))


def test_reversed_points_begin_with_the_last() -> None:
    one = route()
    one.index = 1
    one.set_reverse(True)
    assert (one.index, one.next) == (0, (100, 100))
    one.set_reverse(True)
    one.set_index(2)
    one.set_reverse(True)
    assert one.index == 2
    one.set_reverse(False)
    assert (one.index, one.points) == (0, SQUARE)


def test_points_given_while_reversed_are_reversed() -> None:
    one = route()
    one.set_reverse(True)
    one.set_points(((1, 0), (2, 0)))
    assert one.points == ((2, 0), (1, 0))


def test_a_reset_minimum_distance_does_not_let_a_point_slip_by() -> None:
    one = route(((10, 0), (99, 0)))
    arrival = Arrival(capture=1, slip=8)
    assert sail(one, [9, 12], arrival, y=2)[-1] is Progress.ADVANCED
    one = route(((10, 0), (99, 0)))
    one.advance((9, 2), arrival)
    one.reset_nearest()
    assert one.advance((12, 2), arrival) is Progress.TRANSIT


def test_route_without_points_is_empty() -> None:
    assert route(()).advance((0, 0), NEAR) is Progress.EMPTY
    assert route(()).distance_to_end((3, 4)) == 0


def test_ways_add_the_legs_that_remain_and_the_laps() -> None:
    one = route()
    arrival = Arrival(capture=5, slip=0, perpetual=True, repeats=2)
    assert one.distance_to_end((-50, 0)) == 250
    lap = 200 + 100 * 2**0.5
    assert one.distance_to_finish((-50, 0), arrival) == pytest.approx(250 + 2 * lap)
    assert one.distance_to_finish((-50, 0), Arrival(repeats=None)) == -1
    assert one.distance_to_finish((-50, 0), Arrival()) == 250


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=1, max_size=6),
    st.integers(0, 3),
)
def test_sailing_from_point_to_point_visits_each_once_a_lap(
    points: list[tuple[int, int]], repeats: int
) -> None:
    one = route(tuple((float(x), float(y)) for x, y in points))
    arrival = Arrival(capture=0.5, slip=0, perpetual=True, repeats=repeats)
    visited = []
    progress = Progress.TRANSIT
    while progress is not Progress.COMPLETED:
        visited.append(one.next)
        progress = one.advance(one.next, arrival)
    assert visited == list(one.points) * (repeats + 1)
    assert one.hits == one.captures == len(visited)
