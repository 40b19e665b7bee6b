"""Deciding variables that share tables, against the sum over the whole grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import Domain, Function, Variable, on_grid, parse_variable, solve
from steerageway.ivp.domain import FloatArray
from steerageway.ivp.eliminate import greatest_along

DOMAIN = Domain(
    (
        Variable("course", 0, 300, 6),
        Variable("speed", 0, 4, 5),
        Variable("depth", 0, 30, 4),
        Variable("pitch", -1, 1, 3),
    )
)
PAIRS = [
    ("course", "speed"),
    ("depth", "course"),
    ("depth", "pitch"),
    ("speed", "pitch"),
    ("pitch", "course", "depth"),
    ("speed",),
    ("pitch",),
]


def whole(function: Function) -> FloatArray:
    """A function over all four variables, weighted."""
    total = np.zeros([variable.points for variable in DOMAIN])
    letters = dict(zip(DOMAIN.names, "abcd", strict=True))
    for names, table in function.parts.items():
        ones = [np.ones(v.points) for v in DOMAIN if v.name not in names]
        missing = ",".join(letters[v.name] for v in DOMAIN if v.name not in names)
        given = "".join(letters[name] for name in names)
        total += np.einsum(f"{given},{missing}->abcd", table, *ones)
    return total * function.weight


@st.composite
def functions(draw: st.DrawFn) -> list[Function]:
    generator = np.random.default_rng(draw(st.integers(0, 10_000)))
    chosen = draw(st.lists(st.sampled_from(PAIRS), min_size=1, max_size=5))
    return [
        Function(
            {names: generator.integers(0, 4, [DOMAIN[n].points for n in names]).astype(np.float64)},
            draw(st.sampled_from([1.0, 2.0, 50.0])),
        )
        for names in chosen
    ]


@pytest.mark.slow
@settings(max_examples=80)
@given(functions(), st.sampled_from([{}, {"course": 180.0, "depth": 20.0, "pitch": 1.0}]))
def test_decision_over_four_variables_is_the_preferred_summit_of_the_whole_grid(
    chosen: list[Function], previous: dict[str, float]
) -> None:
    decision = solve(DOMAIN, chosen, previous)
    total = np.add.reduce([whole(function) for function in chosen])
    assert decision.utility == pytest.approx(total.max())
    left = np.argwhere(total == total.max())
    for name in [name for name in DOMAIN.names if name in decision.values]:
        variable, axis = DOMAIN[name], DOMAIN.order[name]
        alone = sum(name in names for function in chosen for names in function.parts) == 1
        index = chosen_of(sorted(set(left[:, axis].tolist())), name, previous, alone=alone)
        assert decision.values[name] == variable.values[index]
        left = left[left[:, axis] == index]


def chosen_of(places: list[int], name: str, previous: dict[str, float], *, alone: bool) -> int:
    """The tie rule, written out for one variable and the indices that are equally good."""
    if name == "depth":
        ends = [place for place in places if place + 1 not in places]
        return places[0] if alone and places[0] > 0 else ends[0]
    if name in previous:
        changes = [place - DOMAIN[name].nearest(previous[name]) for place in places]
        if name == "course":
            changes = [(change + 3) % 6 - 3 for change in changes]
            return min(zip([2 * abs(c) + (c < 0) for c in changes], places, strict=True))[1]
        return min(zip([2 * abs(c) + (c > 0) for c in changes], places, strict=True))[1]
    return places[0]


def test_three_moos_ivp_variables_are_decided_without_their_product() -> None:
    lines = ("course:0:359:360", "speed:0:4:41", "depth:0:500:101")
    domain = Domain(tuple(map(parse_variable, lines)))
    shallow = on_grid(domain, ("course", "depth"), lambda c, d: -2 * abs(c - 100) - abs(d - c))
    slow = on_grid(domain, ("course", "speed"), lambda c, s: -abs(c - 90) - abs(s - c / 100))
    decision = solve(domain, [shallow, slow])
    assert decision.values == {"course": 100.0, "speed": 1.0, "depth": 100.0}
    assert decision.utility == pytest.approx(-10)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_greatest_values_along_an_axis_are_those_of_each_line(axis: int) -> None:
    table = np.random.default_rng(2).uniform(-1, 1, (3, 4, 5))
    lines = np.moveaxis(table, axis, -1)
    expected = [[max(line.tolist()) for line in plane] for plane in lines]
    assert greatest_along(table, axis).tolist() == expected
