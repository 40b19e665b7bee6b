"""How the field's text formats write lists."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moos.values import split_outside

PLAIN = st.text("ab =", min_size=1, max_size=5).map(str.strip).filter(bool)
SHIELDED = st.builds("{}={{{}}}".format, PLAIN, st.text("ab,=", max_size=6))


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
