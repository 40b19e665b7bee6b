"""Patterns: covered names, and whether two patterns may cover a common name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.bus import stopwatch
from steerageway.declarations.patterns import any_matches, is_pattern, matches, may_meet

NAMES = st.text("AB_", min_size=1, max_size=6)
BLURS = st.lists(st.sampled_from(("", "", "?", "*")), min_size=6, max_size=6)


@pytest.mark.parametrize(
    ("pattern", "name", "covers"),
    [
        ("NAV_X", "NAV_X", True),
        ("NAV_X", "NAV_XY", False),
        ("NAV_X", "nav_x", False),
        ("*", "ANY", True),
        ("NAV_*", "NAV_", True),
        ("NAV_*", "NAV_X", True),
        ("NAV_*", "XNAV_X", False),
        ("*_X", "NAV_X", True),
        ("*_X", "NAV_XY", False),
        ("N*_*X", "NAV_SPEED_X", True),
        ("NAV_?", "NAV_X", True),
        ("NAV_?", "NAV_", False),
        ("NAV_?", "NAV_XY", False),
        ("?AV_X", "NAV_X", True),
        ("A.B", "AxB", False),
        ("A.B*", "AxBC", False),
        ("[A]*", "AB", False),
        ("A*B", "A\nB", True),
    ],
)
def test_a_star_is_any_text_and_a_question_mark_one_character(
    pattern: str, name: str, covers: bool
) -> None:
    assert matches(pattern, name) is covers
    assert any_matches(("OTHER", pattern), name) is covers


def by_definition(pattern: str, name: str) -> bool:
    """Whether a pattern covers a name: the recurrence, over all beginnings of both."""
    covered = [True] + [False] * len(name)
    for wild in pattern:
        before = covered
        covered = [before[0] and wild == "*"]
        for place, letter in enumerate(name):
            one = before[place] and wild in ("?", letter)
            covered.append(before[place + 1] or covered[place] if wild == "*" else one)
    return covered[-1]


@given(st.text("ab*?", max_size=12), st.text("ab", max_size=12))
def test_a_pattern_covers_the_names_of_its_definition(pattern: str, name: str) -> None:
    assert matches(pattern, name) is by_definition(pattern, name)


@pytest.mark.parametrize(
    "pattern", ["*a" * 20 + "*b", "*?" * 30 + "b", "*a?" * 60 + "*b", "*" * 256]
)
def test_no_pattern_takes_long_to_compare(pattern: str) -> None:
    began = stopwatch()
    assert matches(pattern, "a" * 256) is (pattern == "*" * 256)
    assert stopwatch() - began < 0.5


def test_only_a_name_with_a_wild_character_is_a_pattern() -> None:
    assert [is_pattern(name) for name in ("A*", "?A", "A.B", "")] == [True, True, False, False]


@given(NAMES, BLURS, BLURS)
def test_patterns_that_cover_one_name_may_meet(name: str, one: list[str], two: list[str]) -> None:
    blurred, other = (
        "".join(wild or transfer for wild, transfer in zip(blur, name, strict=False))
        for blur in (one, two)
    )
    assert matches(blurred, name)
    assert matches(other, name)
    assert may_meet(blurred, other)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ("NAV_X", "NAV_X", True),
        ("NAV_X", "NAV_Y", False),
        ("NAV_X", "NAV_*", True),
        ("NAV_X", "DB_*", False),
        ("NAV_X", "*DEPTH*", False),
        ("NAV_*", "DB_*", False),
        ("NAV_*", "NAV_X*", True),
        ("*_X", "*_Y", False),
        ("*_X", "*AV_X", True),
        ("NAV_*", "*_X", True),
        ("NAV_*_X", "NAV_*_Y", False),
        ("NAV_*_X", "DB_*_X", False),
    ],
)
def test_patterns_whose_ends_differ_do_not_meet(one: str, other: str, meet: bool) -> None:
    assert may_meet(one, other) is meet
    assert may_meet(other, one) is meet
