"""MOOS-IvP's text form of functions: two of its own, round trips, and errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.ivp import (
    IpfError,
    Peak,
    Piecewise,
    approximate,
    couple,
    peak,
    read_ipf,
    write_ipf,
)
from steerageway.ivp.ipf import joined, packets
from steerageway.ivp.refine import written_out
from tests.ivp.pieces import piecewise

FIELD = Path(__file__).parents[1] / "reference" / "ipf"

GOOD = "H,4,1:wp,1,2,1,100,D,speed;0;2;5,G,4,F,0,2,1,0,3,4,-2,9.5"


def posted(name: str) -> str:
    return joined([(FIELD / f"{name}.txt").read_text().strip()])


def test_function_posted_by_moos_ivp_is_read() -> None:
    function, context = read_ipf(posted("waypt_survey"))
    assert context == "3205:waypt_survey"
    assert str(function.domain) == "course,0,359,360:speed,0,6,41"
    assert (function.size, function.weight) == (28, 100)
    assert function.table[80, 15] == pytest.approx(0.3097 * 80 + 1.0526 * 15 + 47.2915)
    assert function.table.max() == pytest.approx(100, abs=0.01)
    assert function.table.min() == pytest.approx(0, abs=0.01)


def test_function_of_one_variable_posted_by_moos_ivp_is_read() -> None:
    function, context = read_ipf(posted("poly_OA"))
    assert context == "3183:poly_OA"
    assert (function.size, function.table.max()) == (48, 100)
    assert function.table[[0, 105, 200, 300, 359]].tolist() == [79, 100, 0, 55, 78.5]


def test_objective_of_a_waypoint_equals_that_of_moos_ivp() -> None:
    """Only the bearing and the heading are not in the post; they follow from its bends."""
    function, _ = read_ipf(posted("waypt_survey"))
    course, speed = function.domain
    toward, keep = Peak(102.5, basewidth=180), Peak(104.25, 30, 180, 5, high=20)
    objective = couple(
        peak(course, toward, keep, wrap=True, add=True), peak(speed, Peak(3, 1.5, 1.6, 20))
    )
    assert written_out(function.variables, objective) == pytest.approx(function.table, abs=0.02)


@pytest.mark.slow
@settings(max_examples=60)
@given(piecewise(), st.sampled_from(["", "17:loiter"]))
def test_round_trip_gives_the_same_pieces(function: Piecewise, context: str) -> None:
    again, read_context = read_ipf(write_ipf(function, context))
    assert read_context == context
    assert again.domain == function.domain
    assert again.weight == function.weight
    assert np.array_equal(again.table, function.table)


def test_round_trip_of_an_approximation_is_within_its_error() -> None:
    function, _ = read_ipf(posted("waypt_survey"))
    (course, speed) = function.domain
    objective = couple(peak(course, Peak(33.3, 20, 60, 50), wrap=True), peak(speed, Peak(2, 1, 2)))
    pieces = approximate(function.domain, objective, 1.0)
    again, _ = read_ipf(write_ipf(pieces))
    off = np.abs(again.table - written_out(again.variables, objective)).max()
    assert off <= pieces.error <= 1.0


def test_string_equals_that_of_moos_ivp() -> None:
    function, context = read_ipf(GOOD)
    assert function.table.tolist() == [0, 1, 2, 3.5, 1.5]
    assert write_ipf(function, context) == GOOD


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        ("H,4", "Q,4", "expected H in field 1, found 'Q'"),
        ("H,4", "H,5", "a context of 5 characters in field 3"),
        ("wp,1,2", "wp,x,2", "the number of variables, a whole number from 1"),
        ("wp,1,2", "wp,1,0", "the number of pieces, a whole number from 1"),
        ("2,1,100", "2,2,100", "degree 0 or 1"),
        ("100,D", "1_0,D", "the weight, a number in field 7, found '1_0'"),
        ("100,D", "inf,D", "the weight, a number"),
        ("speed;0;2;5", "speed;0;2", "the domain speed;0;2: expected name:low:high:points"),
        ("speed;0;2;5", "speed;0;2;5:depth;0;1;2", "a domain of 1 variables"),
        ("speed;0;2;5", "speed;0;2;999999999", "at most 100000000 points of two"),
        ("G,4", "G,0", "the size of a cell"),
        ("F,0,2", "F,X0,2", "an index of piece 1"),
        ("3,4,-2,9.5", "2,4,-2,9.5", "do not overlap"),
        ("3,4,-2,9.5", "4,4,-2,9.5", r"found none for \[3\]"),
        ("3,4,-2,9.5", "3,5,-2,9.5", "in the domain"),
        ("3,4,-2,9.5", "3,4,-2,nan", "a weight of piece 2, a number"),
        (",9.5", "", "a weight of piece 2 in field 20, the string ends"),
        (",9.5", ",9.5,7", "expected the end in field 21, found '7'"),
    ],
)
def test_malformed_string_is_refused(good: str, bad: str, expected: str) -> None:
    assert GOOD.count(good) == 1
    with pytest.raises(IpfError, match=expected):
        read_ipf(GOOD.replace(good, bad))


@settings(max_examples=60)
@given(st.integers(0, len(GOOD)), st.text("0,;:9HDGFX-.", max_size=3))
def test_damaged_string_is_read_or_refused_but_nothing_else(at: int, damage: str) -> None:
    try:
        function, _ = read_ipf(GOOD[:at] + damage + GOOD[at + len(damage) :])
    except IpfError:
        return
    assert np.isfinite(function.table).all()


def test_long_string_travels_in_packets_that_come_in_any_order() -> None:
    text = posted("waypt_survey")
    parts = packets(text, "wp^3205", 500)
    assert len(parts) == 3
    assert all(len(part) <= 500 for part in parts)
    assert parts[1].startswith(f"P,wp^3205,{len(parts)},2,")
    assert joined(parts[::-1]) == text


@pytest.mark.parametrize("wrong", [[0, 1], [0, 1, 1], [0, 1, 2, 2]])
def test_packets_that_are_missing_or_came_twice_are_refused(wrong: list[int]) -> None:
    parts = packets("x" * 400, "wp", 200)
    with pytest.raises(IpfError, match="packet"):
        joined([parts[number] for number in wrong])


def test_packets_of_different_functions_are_refused() -> None:
    one, other = packets("x" * 200, "wp", 200), packets("x" * 200, "loiter", 200)
    with pytest.raises(IpfError, match="another packet of wp, 1 to 2"):
        joined([one[0], other[1]])


def test_commas_that_would_not_be_read_again_are_refused() -> None:
    function, _ = read_ipf(GOOD)
    with pytest.raises(ValueError, match="without commas"):
        write_ipf(function, "1,2")
    with pytest.raises(ValueError, match="without commas"):
        packets(GOOD, "a,b")
