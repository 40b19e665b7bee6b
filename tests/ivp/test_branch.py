"""Branch and bound against the tables of the same functions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import Piecewise, solve
from tests.ivp.pieces import DOMAIN, piecewise

PREVIOUS = st.sampled_from([{}, {"course": 90.0, "speed": 1.0, "depth": 10.0}, {"speed": 2.0}])


@pytest.mark.slow
@settings(max_examples=120)
@given(st.lists(piecewise(), min_size=1, max_size=4), PREVIOUS)
def test_decision_over_pieces_is_that_over_their_tables(
    functions: list[Piecewise], previous: dict[str, float]
) -> None:
    by_pieces = solve(DOMAIN, functions, previous)
    by_tables = solve(DOMAIN, [function.function() for function in functions], previous)
    assert by_pieces.utility == pytest.approx(by_tables.utility)
    assert by_pieces.values == by_tables.values
