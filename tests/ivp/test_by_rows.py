"""Tables evaluated row by row, against the same ones evaluated as a whole."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import (
    Domain,
    Function,
    NotFinite,
    Peak,
    Variable,
    couple,
    parse_variable,
    peak,
    solve,
)
from steerageway.ivp.domain import FloatArray
from steerageway.ivp.table import IndexArray, RowTable

COURSE, SPEED = parse_variable("course:0:350:36"), parse_variable("speed:0:4:9")
DOMAIN = Domain((COURSE, SPEED))
BOTH = ("course", "speed")


def by_rows(table: FloatArray, weight: float, requested: list[int] | None = None) -> Function:
    """Return a function of course and speed that records the requested rows."""

    def evaluate(rows: IndexArray) -> FloatArray:
        if requested is not None:
            requested.extend(rows.tolist())
        return table[rows]

    lazy = RowTable(table.shape, evaluate, table.min(), table.max())
    return Function.of_terms({BOTH: (lazy, 1.0, 0.0)}, weight)


class Known(RowTable):
    """A table that knows whether a point is one of its greatest, and counts evaluations."""

    def __init__(self, table: FloatArray) -> None:
        self.table, self.evaluated = table, 0
        super().__init__(table.shape, self.evaluate, table.min(), table.max())

    def evaluate(self, rows: IndexArray) -> FloatArray:
        self.evaluated += 1
        return self.table[rows]

    def summit_at(self, index: tuple[int, int]) -> float | None:
        return self.table.max() if self.table[index] == self.table.max() else None


def toward(course: float) -> Function:
    """Prefer a course, and 2 m/s."""
    steering = peak(COURSE, Peak(course, basewidth=180), wrap=True)
    return couple(steering, peak(SPEED, Peak(2, 0, 1))).weighing(100)


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.integers(0, 9_999), st.floats(-50, 300)), min_size=1, max_size=3),
    st.sampled_from([(), ("course",), BOTH]),
    st.booleans(),
    st.sampled_from([{}, {"course": 90.0, "speed": 1.0}]),
)
def test_rows_decide_as_the_whole_tables_do(seeds, spoken, coarse, previous):
    lazy, whole = [], []
    for seed, weight in seeds:
        generator = np.random.default_rng(seed)
        shape = (COURSE.points, SPEED.points)
        numbers = generator.integers(0, 3, shape) if coarse else generator.uniform(0, 100, shape)
        table = numbers.astype(np.float64)
        lazy.append(by_rows(table, weight))
        whole.append(Function({BOTH: table}, weight))
    others = {
        (): [],
        ("course",): [peak(COURSE, Peak(70, basewidth=90), wrap=True).weighing(200)],
        BOTH: [toward(200)],
    }[spoken]
    assert solve(DOMAIN, [*others, *lazy], previous) == solve(DOMAIN, [*others, *whole], previous)


def test_a_row_that_cannot_hold_the_best_point_is_not_worked_out():
    table = np.full((COURSE.points, SPEED.points), 100.0)
    table[:5] = 0.0
    received: list[int] = []
    decision = solve(DOMAIN, [toward(180), by_rows(table, 50, received)])
    assert decision.values == {"course": 180.0, "speed": 2.0}
    assert len(set(received)) == len(received) < COURSE.points / 2


def test_a_row_far_from_the_optimum_is_found_when_it_is_the_best():
    table = np.zeros((COURSE.points, SPEED.points))
    table[1, 3] = 100.0
    decision = solve(DOMAIN, [toward(180), by_rows(table, 1000)])
    assert decision.values == {"course": 10.0, "speed": 1.5}


def test_values_as_a_whole_are_those_of_all_rows():
    table = np.random.default_rng(1).uniform(0, 1, (COURSE.points, SPEED.points))
    function = by_rows(table, 1.0)
    assert function.size == table.size
    assert np.array_equal(function.parts[BOTH], table)


def test_an_infinite_objective_is_refused_next_to_rows():
    table = np.zeros((COURSE.points, SPEED.points))
    for wrong in (np.nan, np.inf):
        bad = Function({("course",): np.full(COURSE.points, wrong)})
        with pytest.raises(NotFinite):
            solve(DOMAIN, [bad, by_rows(table, 1.0)])


def test_other_variables_of_the_domain_are_decided_as_well():
    depth = Variable("depth", 0, 30, 4)
    table = np.random.default_rng(2).uniform(0, 100, (COURSE.points, SPEED.points))
    domain = Domain((COURSE, SPEED, depth))
    objectives = [toward(90), peak(depth, Peak(10, 0, 30))]
    lazy = solve(domain, [*objectives, by_rows(table, 80)])
    assert lazy == solve(domain, [*objectives, Function({BOTH: table}, 80)])


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 9_999), st.floats(-5, 300)), min_size=1, max_size=3),
    st.floats(0, 360),
    st.sampled_from([0.0, 1.0, 1e-8, 1e-13]),
    st.sampled_from([{}, {"course": 90.0, "speed": 1.0}]),
)
def test_a_summit_known_beforehand_is_the_decision_of_the_search(seeds, course, apart, previous):
    # nearly equal values of course and of speed: ties, or differences of the order of rounding
    others = [
        Function({("course",): np.round(toward(course).parts[("course",)], 0) * apart}, 80),
        Function({("speed",): np.array([1.0, 1, 0, 1, 2, 2, 2, 0, 1]) * apart}, 30),
        toward(course) if apart == 1.0 else Function({("course",): np.zeros(COURSE.points)}),
    ]
    lazy, whole = [], []
    for seed, weight in seeds:
        shape = (COURSE.points, SPEED.points)
        table = np.random.default_rng(seed).choice([0.0, 60, 100], shape, p=[0.1, 0.1, 0.8])
        lazy.append(Function.of_terms({BOTH: (Known(table), 1.0, 0.0)}, weight))
        whole.append(Function({BOTH: table}, weight))
    found, right = (solve(DOMAIN, [*others, *tables], previous) for tables in (lazy, whole))
    assert found.values == right.values
    assert found.utility == pytest.approx(right.utility)


def test_nothing_is_evaluated_if_all_are_greatest_at_one_point():
    table = Known(np.full((COURSE.points, SPEED.points), 100.0))
    decision = solve(DOMAIN, [toward(180), Function.of_terms({BOTH: (table, 1.0, 0.0)}, 50)])
    assert decision == ({"course": 180.0, "speed": 2.0}, 100 * 100 + 50 * 100)
    assert not table.evaluated


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_an_infinite_objective_is_refused_next_to_known_summits(wrong):
    table = Known(np.full((COURSE.points, SPEED.points), 100.0))
    bad = Function({("course",): np.where(np.arange(COURSE.points) == 18, wrong, 1.0)})
    with pytest.raises(NotFinite):
        solve(DOMAIN, [bad, toward(180), Function.of_terms({BOTH: (table, 1.0, 0.0)})])
