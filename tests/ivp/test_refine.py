"""Approximation by pieces: errors as stated, and fine pieces where needed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import (
    Domain,
    Function,
    Peak,
    Variable,
    approximate,
    couple,
    on_grid,
    peak,
    spd,
)
from steerageway.ivp.refine import written_out

COURSE = Variable("course", 0, 350, 36)
SPEED = Variable("speed", 0, 4, 9)
DEPTH = Variable("depth", 0, 50, 6)
DOMAIN = Domain((COURSE, SPEED, DEPTH))
WAVY = on_grid(DOMAIN, ("course", "speed"), lambda c, s: 20 * s * np.sin(np.radians(c)))


@pytest.mark.slow
@settings(max_examples=15)
@given(
    st.integers(0, 10_000),
    st.sampled_from([("course",), ("speed", "course"), ("course", "depth", "speed")]),
    st.sampled_from([0.01, 1.0, 30.0]),
)
def test_pieces_are_as_near_as_stated_at_each_point(
    seed: int, names: tuple[str, ...], error: float
) -> None:
    numbers = np.random.default_rng(seed).uniform(-9, 9, [DOMAIN[name].points for name in names])
    rough = Function({names: np.cumsum(numbers, axis=-1)}, 7.0)
    pieces = approximate(DOMAIN, rough, error, most=10**6)
    off = np.abs(pieces.table - written_out(pieces.variables, rough)).max()
    assert off <= pieces.error <= error
    assert pieces.weight == 7


def test_hills_need_few_pieces() -> None:
    objective = couple(peak(COURSE, Peak(90, 0, 180), wrap=True), spd(SPEED, 2, 0.5, 2.5, 70, 20))
    pieces = approximate(DOMAIN, objective, 1e-3)
    assert pieces.variables == ("course", "speed")
    assert pieces.size <= 3 * 6


def test_pieces_are_cut_evenly_first() -> None:
    pieces = approximate(DOMAIN, WAVY, 1e6, {"course": 3, "speed": 2})
    assert sorted(set(pieces.low[:, 0].tolist())) == [0, 12, 24]
    assert sorted(set(pieces.low[:, 1].tolist())) == [0, 4]


def test_pieces_are_split_where_they_are_furthest_off() -> None:
    lone = np.zeros(36)
    lone[20] = 50.0
    pieces = approximate(DOMAIN, Function({("course",): lone}), 1e-3)
    assert pieces.size <= 4
    assert pieces.table == pytest.approx(lone)


def test_error_is_reported_at_the_limit_of_pieces() -> None:
    few = approximate(DOMAIN, WAVY, 0.1, most=10)
    many = approximate(DOMAIN, WAVY, 0.1)
    assert few.size == 10
    assert few.error > 0.1 >= many.error
