"""Functions of several variables: coupling, evaluation on the grid, weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.ivp import (
    Domain,
    Function,
    Peak,
    Variable,
    couple,
    normalised,
    on_grid,
    one_dimensional,
    peak,
)

COURSE = Variable("course", 0, 350, 36)
SPEED = Variable("speed", 0, 4, 9)
DOMAIN = Domain((COURSE, SPEED))

TABLES = st.lists(st.floats(-50, 50).map(lambda v: round(v, 1)), min_size=9, max_size=9)


def of_speed(numbers: list[float]) -> Function:
    return one_dimensional(SPEED, np.array(numbers))


def of_course(numbers: list[float]) -> Function:
    return one_dimensional(COURSE, np.array(numbers * 4))


@pytest.mark.slow
@given(TABLES, TABLES, st.integers(1, 99))
def test_couple_is_the_stretched_sum_at_every_point(
    one: list[float], other: list[float], weight: int
) -> None:
    low, span = min(one), max(one) - min(one)
    lower, wide = min(other), max(other) - min(other)
    if span > 0 and wide > 0:
        both = couple(of_course(one), of_speed(other), (weight, 100 - weight))
        for i, j in ((0, 0), (3, 5), (17, 2), (35, 8)):
            expected = weight * ((one * 4)[i] - low) / span
            expected += (100 - weight) * (other[j] - lower) / wide
            point = {"course": COURSE.values[i], "speed": SPEED.values[j]}
            assert both.at(DOMAIN, point) == pytest.approx(expected)


@pytest.mark.slow
@given(TABLES, TABLES, st.tuples(st.integers(1, 500), st.integers(1, 500)))
def test_couple_spans_0_to_100(
    one: list[float], other: list[float], weights: tuple[int, int]
) -> None:
    if max(one) > min(one) or max(other) > min(other):
        both = couple(of_course(one), of_speed(other), weights)
        assert both.span == pytest.approx((0, 100))


def test_constant_function_has_no_effect_in_a_coupling() -> None:
    both = couple(of_course([7.0] * 9), of_speed([0, 1, 2, 3, 4, 5, 6, 7, 8]))
    assert both.at(DOMAIN, {"course": 0, "speed": 4}) == pytest.approx(100)
    assert both.at(DOMAIN, {"course": 200, "speed": 2}) == pytest.approx(50)


def test_normalised_function_spans_0_to_its_height() -> None:
    hilly = normalised(of_speed([3, 4, 5, 6, 7, 8, 9, 10, 11]).weighing(7), 20)
    (table,) = hilly.parts.values()
    assert table == pytest.approx([0, 2.5, 5, 7.5, 10, 12.5, 15, 17.5, 20])
    assert hilly.weight == 7
    (level,) = normalised(of_speed([3.0] * 9)).parts.values()
    assert not level.any()


def test_couple_leaves_its_parts_alone() -> None:
    one, other = of_course([1.0, 2, 3] * 3), of_speed([4.0, 5, 6] * 3)
    before = [table.copy() for f in (one, other) for table in f.parts.values()]
    couple(one, other)
    after = [table for f in (one, other) for table in f.parts.values()]
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_couple_of_one_variable_with_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="different variables"):
        couple(peak(SPEED, Peak(1, 0, 1)), peak(SPEED, Peak(2, 0, 1)))


def test_grid_function_is_evaluated_at_every_point() -> None:
    function = on_grid(DOMAIN, ("course", "speed"), lambda c, s: c + 1000 * s)
    (table,) = function.parts.values()
    assert table.shape == (36, 9)
    assert table[3, 2] == 30 + 1000
    assert function.variables == ("course", "speed")
    assert function.size == 36 * 9


def test_grid_function_that_ignores_a_variable_still_covers_the_grid() -> None:
    (table,) = on_grid(DOMAIN, ("course", "speed"), lambda c, s: s).parts.values()
    assert table.shape == (36, 9)
