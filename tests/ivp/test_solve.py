"""The solver against trying every point, and its tie rule."""

from __future__ import annotations

from itertools import product

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
    one_dimensional,
    peak,
    solve,
)

COURSE = Variable("course", 0, 315, 8)
SPEED = Variable("speed", 0, 2, 5)
DEPTH = Variable("depth", 0, 30, 4)
DOMAIN = Domain((COURSE, SPEED, DEPTH))

SUBSETS = [
    ("course",),
    ("speed",),
    ("depth",),
    ("course", "speed"),
    ("speed", "course"),
    ("speed", "depth"),
    ("depth", "course", "speed"),
]


@st.composite
def functions(draw: st.DrawFn) -> Function:
    names = draw(st.lists(st.sampled_from(SUBSETS), min_size=1, max_size=2, unique=True))
    generator = np.random.default_rng(draw(st.integers(0, 10_000)))
    coarse = draw(st.booleans())  # few different values make ties
    parts = {}
    for key in names:
        shape = [DOMAIN[name].points for name in key]
        numbers = generator.integers(0, 3, shape) if coarse else generator.uniform(-9, 9, shape)
        parts[key] = numbers.astype(np.float64)
    return Function(parts, draw(st.sampled_from([0.5, 1.0, 100.0])))


def utility(all_functions: list[Function], point: dict[str, float]) -> float:
    return sum(f.weight * f.at(DOMAIN, point) for f in all_functions)


def every_point() -> list[dict[str, float]]:
    axes = [[float(v) for v in variable.values] for variable in DOMAIN]
    return [dict(zip(DOMAIN.names, point, strict=True)) for point in product(*axes)]


def best_by_the_rule(tied: list[dict[str, float]], previous: dict[str, float]) -> dict[str, float]:
    """The tie rule, written out: variable by variable, over the remaining tied points."""
    for variable in DOMAIN:
        places = sorted({variable.nearest(point[variable.name]) for point in tied})
        chosen = places[0]
        if variable.name in previous:
            before = variable.nearest(previous[variable.name])
            around = [(at - before + 4) % 8 - 4 for at in places]
            signed = around if variable.name == "course" else [at - before for at in places]
            down = [change < 0 for change in around] if variable.name == "course" else places
            chosen = min(zip(map(abs, signed), down, places, strict=True))[2]
        elif variable.name == "depth":
            while chosen + 1 in places:
                chosen += 1
        tied = [p for p in tied if variable.nearest(p[variable.name]) == chosen]
    return tied[0]


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.lists(functions(), min_size=1, max_size=4),
    st.sampled_from([{}, {"course": 90.0, "speed": 1.0, "depth": 10.0}, {"speed": 2.0}]),
)
def test_decision_is_that_of_trying_every_point(
    chosen: list[Function], previous: dict[str, float]
) -> None:
    decision = solve(DOMAIN, chosen, previous)
    names = {name for function in chosen for name in function.variables}
    assert set(decision.values) == names
    points = every_point()
    best = max(utility(chosen, point) for point in points)
    tied = [p for p in points if utility(chosen, p) >= best - 1e-9]
    first = best_by_the_rule(tied, previous)
    assert decision.values == {name: first[name] for name in DOMAIN.names if name in names}
    assert decision.utility == pytest.approx(best)


def flat(variable: Variable, *best: int) -> Function:
    table = np.zeros(variable.points)
    table[list(best)] = 100
    return one_dimensional(variable, table)


@pytest.mark.parametrize(
    ("best", "previous", "expected"),
    [
        ((0, 3), 90.0, 135.0),  # the smaller change
        ((1, 3), 90.0, 135.0),  # starboard
        ((7, 5), 0.0, 315.0),  # smaller around north
        ((1, 7), 0.0, 45.0),  # starboard around north
        ((6, 2), None, 90.0),  # the lowest
    ],
)
def test_ties_in_course(best: tuple[int, ...], previous: float | None, expected: float) -> None:
    before = {} if previous is None else {"course": previous}
    assert solve(DOMAIN, [flat(COURSE, *best)], before).values == {"course": expected}


def test_ties_in_speed_take_the_smaller_change_then_the_lower_speed() -> None:
    assert solve(DOMAIN, [flat(SPEED, 0, 3)], {"speed": 1.0}).values == {"speed": 1.5}
    assert solve(DOMAIN, [flat(SPEED, 1, 3)], {"speed": 1.0}).values == {"speed": 0.5}


@pytest.mark.parametrize(
    ("best", "previous", "expected"),
    [
        ((0, 1, 2), None, 20.0),  # the upper end of the flat piece
        ((0, 1, 3), None, 10.0),  # of the first one, if there are several
        ((1, 2), None, 10.0),  # the lower end, if a rise leads up to it
        ((0, 1, 2), 0.0, 20.0),  # without memory
        ((1, 2, 3), 30.0, 10.0),
    ],
)
def test_ties_in_depth_are_broken_at_an_end_of_the_flat_piece(
    best: tuple[int, ...], previous: float | None, expected: float
) -> None:
    before = {} if previous is None else {"depth": previous}
    assert solve(DOMAIN, [flat(DEPTH, *best)], before).values == {"depth": expected}


def test_ties_in_depth_of_several_functions_are_broken_at_the_upper_end() -> None:
    both = [flat(DEPTH, 1, 2), flat(DEPTH, 0, 1, 2)]
    assert solve(DOMAIN, both, {"depth": 0.0}).values == {"depth": 20.0}


def test_weights_decide_between_functions() -> None:
    slow, fast = flat(SPEED, 1), flat(SPEED, 4)
    assert solve(DOMAIN, [slow.weighing(200), fast.weighing(100)]).values == {"speed": 0.5}
    assert solve(DOMAIN, [slow.weighing(100), fast.weighing(200)]).values == {"speed": 2.0}


def test_variable_without_an_objective_is_not_decided() -> None:
    objective = couple(peak(COURSE, Peak(90, 0, 90), wrap=True), peak(SPEED, Peak(1, 0, 1)))
    assert solve(DOMAIN, [objective]).values == {"course": 90.0, "speed": 1.0}


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_function_that_is_not_finite_is_refused(wrong: float) -> None:
    table = np.zeros(5)
    table[2] = wrong
    with pytest.raises(NotFinite):
        solve(DOMAIN, [one_dimensional(SPEED, table)])


def test_unknown_variable_is_refused() -> None:
    unknown = one_dimensional(Variable("pitch", 0, 1, 2), np.zeros(2))
    with pytest.raises(KeyError, match="pitch"):
        solve(DOMAIN, [unknown])


def test_a_domain_may_have_more_points_than_any_table_of_it() -> None:
    # as MOOS-IvP's: course,0:359:7200, speed,0:2:400 and depth,0:100:2000, here fewer
    domain = Domain(tuple(Variable(name, 0, 999, 1000) for name in DOMAIN.names))
    course, speed, depth = (
        peak(domain[name], Peak(70.0 + i)) for i, name in enumerate(DOMAIN.names)
    )
    found = solve(domain, [couple(course, speed), depth])
    assert found.values == {"course": 70.0, "speed": 71.0, "depth": 72.0}
