"""Piecewise linear functions of one variable against their definitions, point by point."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import Domain, Variable, hdg, heq, hleq, leq, spd, vector
from tests.ivp.variables import COURSE, SPEED, values

DEPTH = Variable("depth", 0, 50, 11)

BOUNDS = st.floats(-10, 60).map(lambda v: round(v, 1))
WIDTHS = st.sampled_from([0.0, 4.0, 10.0, 100.0])


def falling(beyond: float, basewidth: float) -> float:
    """Remainder of 100 at a distance beyond a bound."""
    if beyond <= 0:
        return 100.0
    return max(0.0, 100.0 - 100.0 * beyond / basewidth) if basewidth > 0 else 0.0


def within(value: float) -> float:
    return min(max(value, DEPTH.low), DEPTH.high)


@pytest.mark.parametrize(
    ("speed", "utility"),
    [
        (0, 0),
        (0.1, 70),
        (1.0, 70 + 30 * 0.9 / 1.9),
        (2, 100),
        (2.2, 60),
        (2.4, 20),
        (3.2, 10),
        (4, 0),
    ],
)
def test_speed_slope_goes_through_its_five_knots(speed: float, utility: float) -> None:
    function = spd(SPEED, 2, 0.1, 2.4, 70, 20)
    assert function.at(Domain((SPEED,)), {"speed": speed}) == pytest.approx(utility)


@pytest.mark.parametrize("best", [0.0, 0.05, 3.9, 4.0, 5.0])
def test_speed_slope_peaks_within_the_domain_even_at_its_ends(best: float) -> None:
    table = values(spd(SPEED, best, 0.1, best + 0.4, 70, 20))
    assert table.index(max(table)) == SPEED.nearest(best)


@given(BOUNDS, WIDTHS)
def test_upper_bound_falls_above_it(most: float, width: float) -> None:
    expected = [falling(v - within(most), width) for v in DEPTH.values]
    assert values(leq(DEPTH, most, width)) == pytest.approx(expected)


@given(BOUNDS, WIDTHS)
def test_lower_bound_falls_below_it(least: float, width: float) -> None:
    expected = [falling(within(least) - v, width) for v in DEPTH.values]
    assert values(heq(DEPTH, least, width)) == pytest.approx(expected)


@given(BOUNDS, BOUNDS, WIDTHS)
def test_two_bounds_are_the_worse_of_both(one: float, other: float, width: float) -> None:
    least, most = min(one, other), max(one, other)
    below, above = values(heq(DEPTH, least, width)), values(leq(DEPTH, most, width))
    assert values(hleq(DEPTH, least, most, width)) == pytest.approx(list(map(min, below, above)))


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="least <= most, found 3 and 2"):
        hleq(DEPTH, 3, 2)


def test_bound_on_a_point_includes_it_in_spite_of_rounding() -> None:
    assert values(leq(SPEED, 0.1 + 0.2))[:5] == [100, 100, 100, 100, 0]
    assert values(heq(SPEED, 0.1 + 0.2))[:5] == [0, 0, 0, 100, 100]


def test_bounds_have_their_own_least_and_greatest_value() -> None:
    assert values(leq(DEPTH, 20, 10, low=5, high=9))[3:8] == [9, 9, 7, 5, 5]


@settings(max_examples=40)
@given(
    st.floats(-20, 380).map(lambda v: round(v, 1)),
    st.tuples(st.sampled_from([0, 20, 90, 180]), st.sampled_from([0, 15.5, 100, 180])),
    st.tuples(st.sampled_from([0.0, 25.0, 100.0]), st.sampled_from([0.0, 50.0])),
)
def test_heading_falls_otherwise_to_port_than_to_starboard(
    summit: float, deltas: tuple[float, float], utilities: tuple[float, float]
) -> None:
    table = values(hdg(COURSE, summit, deltas, utilities))
    for course in range(0, 360, 7):
        turn = (course - summit + 180) % 360 - 180
        if abs(abs(turn) - 180) < 0.05:
            continue  # neither to port nor to starboard
        side = 0 if turn < 0 else 1
        delta, utility, turn = deltas[side], utilities[side], abs(turn)
        if turn <= delta:
            expected = 100 - (100 - utility) * turn / delta if delta else 100
        elif delta:
            expected = utility * (180 - turn) / (180 - delta)
        else:
            expected = 100 * (180 - turn) / 180
        assert table[course] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("deltas", "utilities", "expected"),
    [((20, 181), (25, 25), "deltas from 0 to 180"), ((20, 20), (25, 101), "from 0 to 100")],
)
def test_heading_beyond_its_limits_is_refused(
    deltas: tuple[float, float], utilities: tuple[float, float], expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        hdg(COURSE, 0, deltas, utilities)


def test_vector_goes_through_its_points_and_is_level_beyond_them() -> None:
    table = values(vector(DEPTH, [40, 10, 20], [0, 50, 100]))
    assert table == pytest.approx([50, 50, 50, 75, 100, 75, 50, 25, 0, 0, 0])


@pytest.mark.parametrize(
    ("places", "utilities", "expected"),
    [([1, 2], [3], "found 2 and 1"), ([], [], "at least one"), ([1, 1], [2, 3], "different")],
)
def test_vector_without_clear_points_is_refused(
    places: list[float], utilities: list[float], expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        vector(DEPTH, places, utilities)
