"""Hills against their definition, point by point."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.ivp import Peak, Variable, peak
from tests.ivp.variables import COURSE, SPEED, values


def defined(hill: Peak, distance: float) -> float:
    """The definition of a hill, written out for one point."""
    _, pw, bw, delta, low, high = hill
    fall = min(delta, high - low) if pw > 0 else 0.0
    if distance <= pw:
        return high - (fall * distance / pw if pw > 0 else 0.0)
    if distance <= pw + bw:
        return (high - fall) - (high - fall - low) * (distance - pw) / bw
    return low


def around(one: float, other: float) -> float:
    way = abs(one - other) % 360
    return min(way, 360 - way)


HILLS = st.builds(
    Peak,
    st.floats(-10, 400).map(lambda v: round(v, 2)),
    st.sampled_from([0.0, 3.0, 30.0]),
    st.sampled_from([0.0, 7.5, 60.0, 180.0]),
    st.sampled_from([0.0, 5.0, 50.0, 200.0]),
    st.sampled_from([0.0, 10.0]),
    st.sampled_from([20.0, 100.0]),
)


@pytest.mark.slow
@given(HILLS)
def test_hill_is_its_definition_at_every_point(hill: Peak) -> None:
    expected = [defined(hill, abs(v - hill.summit)) for v in COURSE.values]
    if any(v != hill.low for v in expected):
        assert values(peak(COURSE, hill)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@given(HILLS)
def test_wrapped_hill_is_its_definition_around_the_circle(hill: Peak) -> None:
    expected = [defined(hill, around(v, hill.summit)) for v in COURSE.values]
    if any(v != hill.low for v in expected):
        assert values(peak(COURSE, hill, wrap=True)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@given(st.lists(HILLS, min_size=2, max_size=3))
def test_several_hills_give_their_maximum_or_their_sum(hills: list[Peak]) -> None:
    each = [[defined(h, around(v, h.summit)) for v in COURSE.values] for h in hills]
    highest = [max(column) for column in zip(*each, strict=True)]
    added = [sum(column) for column in zip(*each, strict=True)]
    flat = {h.low for h in hills} | {20.0, 100.0}
    if not set(highest) <= flat and not set(added) <= flat:
        assert values(peak(COURSE, *hills, wrap=True)) == pytest.approx(highest, abs=1e-9)
        assert values(peak(COURSE, *hills, wrap=True, add=True)) == pytest.approx(added, abs=1e-9)


@pytest.mark.parametrize(("summit", "index"), [(1.24, 12), (1.26, 13), (-3.0, 0), (9.0, 40)])
def test_hill_between_the_points_lifts_the_nearest_one(summit: float, index: int) -> None:
    table = values(peak(SPEED, Peak(summit, 0, 0.001)))
    assert table[index] == 100
    assert sum(table) == 100


def test_hill_between_the_ends_of_a_circle_lifts_the_nearest_one_around_it() -> None:
    assert values(peak(COURSE, Peak(359.7, 0, 0.1), wrap=True))[0] == 100


def test_waypoint_course_prefers_the_bearing_and_then_the_present_heading() -> None:
    table = values(
        peak(COURSE, Peak(90, 0, 180), Peak(100, 30, 180, 5, 0, 20), wrap=True, add=True)
    )
    assert table[90] == pytest.approx(100 + 20 - 5 * 10 / 30)
    assert max(table) == table[90]
    assert table[270] == pytest.approx(0 + 15 - 15 * (170 - 30) / 180)


@pytest.mark.parametrize("summit", [0.3, 1.9, 2.3, 4.0])
def test_cliff_on_a_point_includes_it_in_spite_of_rounding(summit: float) -> None:
    found = values(peak(SPEED, Peak(summit, peakwidth=0.1, summitdelta=50)))
    near = [v for v in SPEED.values if abs(v - summit) < 0.15]
    assert [v > 0 for v in found] == [v in near for v in SPEED.values]
    assert {round(v, 6) for v in found} == {0, 50, 100}


def test_hill_over_a_single_course_is_at_its_top() -> None:
    only = Variable("course", 90, 90, 1)
    assert values(peak(only, Peak(45, basewidth=10), wrap=True)) == [100]
