"""How the field's text formats write lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moos.values import finite, split_outside

PLAIN = st.text("ab =", min_size=1, max_size=5).map(str.strip).filter(bool)
SHIELDED = st.builds("{}={{{}}}".format, PLAIN, st.text("ab,=", max_size=6))


@pytest.mark.parametrize(
    ("text", "number"),
    [("-2.5", -2.5), (" 1e-3 ", 0.001), ("nan", None), ("inf", None), ("", None), ("3 m", None)],
)
def test_what_a_person_types_is_a_number_only_if_it_is_finite(text, number):
    assert finite(text) == number


@settings(max_examples=50)
@given(st.lists(PLAIN | SHIELDED, min_size=1, max_size=6))
def test_a_list_is_split_into_the_fields_it_was_joined_from(fields):
    assert split_outside(" , ".join(fields), ",") == fields


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", []),
        ("a,", ["a"]),
        ("a,,", ["a", ""]),
        (",a", ["", "a"]),
        ('a="x,y",b', ['a="x,y"', "b"]),
        ("a={x,{y,z}},b", ["a={x,{y,z}}", "b"]),
        ("a},b", ["a}", "b"]),
    ],
)
def test_separators_count_outside_of_braces_and_quotes(text, fields):
    assert split_outside(text, ",") == fields


def test_quotes_may_be_letters_like_others():
    assert split_outside('a="x,y"', ",", quotes=False) == ['a="x', 'y"']
