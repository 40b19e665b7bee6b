"""Tables: their extremes and summits."""

from __future__ import annotations

import numpy as np
import pytest

from steerageway.ivp.table import Table


def test_extremes_are_found_once_and_stay() -> None:
    table = Table(np.array([3.0, -1.0, 7.0]))
    assert (table.least, table.greatest) == (-1, 7)
    assert (table.least, table.greatest) == (-1, 7)


def test_extremes_of_a_table_with_nan_are_nan() -> None:
    table = Table(np.array([3.0, np.nan, 7.0]))
    assert np.isnan(table.greatest)
    assert np.isnan(table.least)


@pytest.mark.parametrize("above", [0.0, 1e-15])
def test_values_that_differ_by_rounding_are_summits_together(above: float) -> None:
    rows, columns = Table(np.array([[1.0, 2.0], [2.0 * (1 + above), 0.0]])).summits
    assert list(zip(rows, columns, strict=True)) == [(0, 1), (1, 0)]


def test_values_that_differ_by_more_are_not() -> None:
    (index,) = Table(np.array([1.0, 1.0 + 1e-9])).summits
    assert list(index) == [1]
