"""Numbers, booleans and lists in MOOS-IvP's text formats."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steerageway.declarations import finite, truth
from steerageway.moos.values import (
    auto_value,
    by_key,
    is_number,
    snap,
    split_outside,
    trimmed,
)

PLAIN = st.text("ab =", min_size=1, max_size=5).map(str.strip).filter(bool)
SHIELDED = st.builds("{}={{{}}}".format, PLAIN, st.text("ab,=", max_size=6))


@pytest.mark.parametrize(
    ("text", "number"),
    [("-2.5", -2.5), (" 1e-3 ", 0.001), ("nan", None), ("inf", None), ("", None), ("3 m", None)],
)
def test_a_typed_value_is_a_number_only_if_it_is_finite(text, number):
    assert finite(text) == number


@settings(max_examples=50)
@given(st.lists(PLAIN | SHIELDED, min_size=1, max_size=6))
def test_a_list_is_split_into_the_fields_it_was_joined_from(fields):
    assert split_outside(" , ".join(fields), ",") == fields


def test_keys_are_read_in_any_case_and_the_last_value_of_a_key_is_used():
    assert by_key("X = 1, pts={1,2:3,Y=4}, x=2, Flag") == {
        "x": "2",
        "pts": "{1,2:3,Y=4}",
        "flag": "",
    }


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
        ("a},b={c,d},e", ["a}", "b={c,d}", "e"]),
        ("{a}{b,c},d", ["{a}{b,c}", "d"]),
    ],
)
def test_separators_count_outside_of_braces_and_quotes(text, fields):
    assert split_outside(text, ",") == fields


def test_quotes_may_be_letters_like_others():
    assert split_outside('a="x,y"', ",", quotes=False) == ['a="x', 'y"']
    assert split_outside('a="x,{y,z}', ",", quotes=False) == ['a="x', "{y,z}"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *((text, True) for text in ("1", "-1.5", "+.5", "5.", "  7", "\t-0", "007")),
        *((text, False) for text in ("", " ", ".", "-", "1e5", "1.2.3", "--1", "1 ", "0x1", "inf")),
    ],
)
def test_a_moos_ivp_number_has_digits_and_one_point_but_no_exponent(text, number):
    assert is_number(text) is number


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.5, 5, "1.5"),
        (2.0, 5, "2"),
        (100.0, 2, "100"),
        (100.0, 0, "100"),
        (0.000004, 5, "0"),
        (-0.000004, 5, "0"),
        (-0.5, 0, "0"),
        (1.23456789, 5, "1.23457"),
        (-10.10, 3, "-10.1"),
    ],
)
def test_a_number_is_written_without_zeros_at_its_end(value, digits, text):
    assert trimmed(value, digits) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3.0),
        (" 3 ", 3.0),
        ("-.5", -0.5),
        ('"3"', "3"),
        (' "3 m" ', "3 m"),
        ('""', ""),
        ('"', '"'),
        ('"3', '"3'),
        ("3 m", "3 m"),
        ("1e5", "1e5"),
        ("true", "true"),
    ],
)
def test_a_flags_value_is_a_number_unless_it_is_quoted_or_does_not_read_as_one(text, value):
    assert auto_value(text) == value
    assert type(auto_value(text)) is type(value)


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("true TRUE on Yes", True),
        ("false Off NO", False),
        ("1 0 t maybe", None),
    ],
)
def test_a_boolean_has_three_spellings_each_in_any_case(words, meaning):
    assert [truth(f" {word} ") for word in words.split()] == [meaning] * len(words.split())
    assert truth("") is None


@pytest.mark.parametrize(
    ("value", "step", "multiple"),
    [
        (7.4, 5.0, 5.0),
        (7.5, 5.0, 10.0),
        (-7.5, 5.0, -10.0),
        (-7.4, 5.0, -5.0),
        (0.26, 0.5, 0.5),
        (3.3, 0.0, 3.3),
        (3.3, -1.0, 3.3),
    ],
)
def test_a_number_is_snapped_to_the_nearest_multiple_and_halves_away_from_zero(
    value, step, multiple
):
    assert snap(value, step) == pytest.approx(multiple)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *((text, True) for text in ("1", "-1.5", ".5", "6.97e-11", "1E5", "-2.e+3", "0e999")),
        *((text, False) for text in ("", "e5", "1e", "1e5.0", "1e999", "nan", "inf", "1_0")),
    ],
)
def test_a_numeral_may_have_an_exponent_and_is_finite(text, number):
    assert (finite(text) is not None) is number
