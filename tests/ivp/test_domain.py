"""Decision variables: notation and values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.ivp import Domain, DomainError, Variable, parse_variable


@pytest.mark.parametrize(
    ("text", "low", "high", "points"),
    [
        ("course:0:359:360", 0, 359, 360),
        ("speed,0,4,41", 0, 4, 41),
        (" depth : 0 : 100 : 101 ", 0, 100, 101),
        ("speed:0:4:delta=0.1", 0, 4, 41),
        ("speed:0:1:delta=0.3", 0, 0.9, 4),
        ("speed:1:1:1", 1, 1, 1),
    ],
)
def test_variable_is_read_from_moos_ivp_notations(
    text: str, low: float, high: float, points: int
) -> None:
    variable = parse_variable(text)
    assert variable.points == points == len(variable.values)
    assert variable.values[0] == variable.low == low
    assert variable.values[-1] == pytest.approx(high) == variable.high
    assert not variable.optional


def test_optional_variable_is_marked() -> None:
    assert parse_variable("depth:0:100:101:optional").optional


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("course", "name:low:high:points"),
        ("course:0:359", "name:low:high:points"),
        (":0:359:360", "name:low:high:points"),
        ("course:0:359:360:mandatory", "name:low:high:points"),
        ("course:zero:359:360", "low = zero: expected a number in name"),
        ("course:0:nan:360", "high = nan: expected a number in name"),
        ("course:0:359:36.5", "points = 36.5: expected a whole number in name"),
        ("speed:0:4:delta=0", "a delta above 0"),
        ("speed:0:4:delta=5", "a delta above 0"),
        ("speed:0:4:1", "at least 2 points"),
        ("speed:4:4:2", "at least 2 points"),
        ("speed:4:0:41", "low <= high"),
    ],
)
def test_error_contains_the_expected_form(text: str, expected: str) -> None:
    with pytest.raises(DomainError, match=expected):
        parse_variable(text)


def test_values_of_the_speed_grid_are_the_decimals_a_person_would_write() -> None:
    speeds = parse_variable("speed:0:4:41").values
    assert [float(v) for v in speeds] == [i / 10 for i in range(41)]


@given(st.floats(-5, 10))
def test_nearest_index_is_that_of_the_nearest_value(value: float) -> None:
    variable = Variable("speed", 0, 4, 41)
    least = min(abs(v - value) for v in variable.values)
    assert abs(variable.values[variable.nearest(value)] - value) == pytest.approx(least)


def test_domain_is_written_as_in_moos_ivp() -> None:
    domain = Domain((parse_variable("course:0:359:360"), parse_variable("speed:0:4:41")))
    assert str(domain) == "course,0,359,360:speed,0,4,41"
    assert domain.names == ("course", "speed")
    assert "depth" not in domain
    assert domain["speed"].high == 4


def test_domain_refuses_a_fifth_variable() -> None:
    lines = [f"{name}:0:1:2" for name in "abcde"]
    Domain(tuple(map(parse_variable, lines[:4])))
    with pytest.raises(DomainError, match="expected at most 4 variables, found a, b, c, d, e"):
        Domain(tuple(map(parse_variable, lines)))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("speed:0:1e308:10",), "expected numbers up to 1e"),
        (("speed:nan:4:41",), "expected a number"),
        (("course:0:359:360", "speed:0:4:1000000"), "at most 100000000 points of two .*, found 36"),
        (("course:0:359:1e9",), "at most 100000000 points of two variables together, found 1000"),
    ],
)
def test_a_domain_that_no_memory_holds_is_refused(lines: tuple[str, ...], expected: str) -> None:
    with pytest.raises(DomainError, match=expected):
        Domain(tuple(map(parse_variable, lines)))


def test_domain_refuses_a_variable_twice() -> None:
    with pytest.raises(DomainError, match="one line for speed"):
        Domain((parse_variable("speed:0:4:41"), parse_variable("speed:0:5:51")))


@given(st.integers(2, 12), st.floats(-800, 800))
def test_differences_around_a_value_are_the_distances_around_the_circle(
    points: int, value: float
) -> None:
    course = Variable("course", 0, 360 - 360 / points, points)
    places, centre = course.around(value)
    for place, point in zip(places, course.values, strict=True):
        way = abs(point - value) % 360
        assert abs(place - centre) == pytest.approx(min(way, 360 - way), abs=1e-9)
