"""Piecewise functions: values at each point, and refused ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from steerageway.ivp import Domain, Function, Piecewise, Variable, solve
from tests.ivp.pieces import COURSE, DOMAIN, SPEED, piecewise


def halves(low: list[int], high: list[int], base: float = 0.0) -> Piecewise:
    """Two pieces over speed."""
    bounds = (np.array(low)[:, np.newaxis], np.array(high)[:, np.newaxis])
    return Piecewise(Domain((SPEED,)), *bounds, np.array([[1.0], [-2.0]]), np.array([base, 9.0]))


def test_piece_is_linear_in_the_indices_of_the_whole_domain() -> None:
    assert halves([0, 3], [2, 4]).table.tolist() == [0, 1, 2, 3, 1]


@settings(max_examples=40)
@given(piecewise())
def test_each_point_has_the_value_of_the_piece_that_holds_it(pieces: Piecewise) -> None:
    generator = np.random.default_rng(0)
    for _ in range(10):
        point = np.array([generator.integers(0, v.points) for v in pieces.domain])
        (number,) = np.flatnonzero(
            ((pieces.low <= point) & (point <= pieces.high)).all(axis=1)
        ).tolist()
        value = pieces.slopes[number] @ point + pieces.bases[number]
        assert pieces.table[tuple(point)] == pytest.approx(value)


@pytest.mark.parametrize(
    ("low", "high", "base", "expected"),
    [
        ([0, 2], [2, 4], 0.0, "do not overlap, piece 2 does"),
        ([0, 3], [1, 4], 0.0, r"none for \[2\]"),
        ([0, 3], [2, 5], 0.0, "in the domain speed,0,2,5, piece 2 has not"),
        ([3, 3], [2, 4], 0.0, "first <= last index"),
        ([0, 3], [2, 4], np.nan, "finite"),
    ],
)
def test_pieces_that_are_not_a_function_are_refused(
    low: list[int], high: list[int], base: float, expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        halves(low, high, base)


def test_pieces_are_used_together_with_tables() -> None:
    table = np.zeros(5)
    table[4] = 2.5
    decision = solve(DOMAIN, [halves([0, 3], [2, 4]), Function({("speed",): table})])
    assert decision.values == {"speed": 2.0}
    assert decision.utility == pytest.approx(3.5)


@pytest.mark.parametrize("with_table", [False, True])
def test_pieces_over_other_values_than_the_domains_are_refused(with_table: bool) -> None:
    others = Domain((Variable("speed", 0, 4, 5), COURSE))
    tables = [Function({("speed",): np.zeros(5)})] if with_table else []
    with pytest.raises(ValueError, match="expected pieces over speed,0,4,5, found them over"):
        solve(others, [halves([0, 3], [2, 4]), *tables])
    with pytest.raises(KeyError, match="speed"):
        solve(Domain((COURSE,)), [halves([0, 3], [2, 4]), *tables])


def test_a_grid_that_no_memory_holds_is_refused() -> None:
    domain = Domain(tuple(Variable(name, 0, 1, 10_000) for name in ("course", "speed", "depth")))
    corners, slopes = np.zeros((1, 3), dtype=np.intp), np.zeros((1, 3))
    with pytest.raises(ValueError, match="at most 100000000 grid points, found 1000000000000"):
        Piecewise(domain, corners, corners + 9999, slopes, np.zeros(1))
