"""Readers of values: what they accept, and the sentence with which they refuse."""

from __future__ import annotations

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.declarations import (
    Choice,
    Number,
    Whole,
    boolean,
    decimal,
    field_of,
    finite,
    json_of,
    read,
    unknown,
)
from steerageway.diagnostics.diagnostic import Diagnostic

REFUSED = ("-1", "abc", "nan", "inf", "1e999", "", " ", "1_0", "٣", "1,5", "0x1")
FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(FINITE, st.sampled_from(["{!r}", " {!r} ", "{:.17e}", "{:.17E}"]))
def test_every_finite_number_is_read_back_as_it_was_written(value: float, form: str) -> None:
    assert finite(form.format(value)) == value


@given(st.integers(-(10**40), 10**40))
def test_a_whole_number_is_read_exactly_beyond_the_53_bits_of_a_float(value: int) -> None:
    assert Whole()(str(value)) == value


@given(st.text(max_size=12))
def test_whatever_a_text_is_a_number_or_one_sentence_comes_of_it(text: str) -> None:
    for reader in (Number(low=0.0), Whole(low=0)):
        found = read(reader, text)
        assert found == Diagnostic("", "", text, reader.expected) or 0 <= float(str(found)) < inf


@pytest.mark.parametrize("text", REFUSED)
@pytest.mark.parametrize(
    ("reader", "expected"),
    [
        (Number(low=0), "expected a number at least 0"),
        (Number(above=0), "expected a number above 0"),
        (Number(above=0, high=180), "expected a number above 0, at most 180"),
        (Number(low=0, high=65535), "expected a number from 0 to 65535"),
        (
            Number(low=0, words={"off": inf, "max": inf}),
            "expected a number at least 0, or off, or max",
        ),
        (Whole(low=1), "expected a whole number at least 1"),
    ],
)
def test_one_sentence_refuses_every_mistake(reader: Number, expected: str, text: str) -> None:
    assert read(reader, text, "a.moos:7", "most") == Diagnostic("a.moos:7", "most", text, expected)


@pytest.mark.parametrize("value", [-1, 10**400, nan, inf, True, None, "5", [5]])
def test_a_value_that_is_no_text_is_refused_with_the_same_sentence(value: object) -> None:
    for reader in (Number(low=0), Whole(low=0)):
        with pytest.raises(ValueError, match=f"^{reader.expected}$"):
            reader.check(value)


def test_bounds_belong_to_a_range_unless_it_lies_above_them() -> None:
    closed, open_ = Number(low=2.0, high=3.0), Number(above=2.0, high=3.0)
    assert [value in closed for value in (1.9, 2.0, 3.0, 3.1)] == [False, True, True, False]
    assert [value in open_ for value in (2.0, 2.1, 3.0, 3.1)] == [False, True, True, False]


def test_words_stand_for_numbers_in_any_case() -> None:
    assert Number(low=0.0, words={"off": inf})(" OFF ") == inf
    assert Whole(low=1, words={"auto": 0})("auto") == 0


def test_words_and_truths_are_read_in_any_case() -> None:
    assert Choice("short", "long")(" Long ") == "long"
    assert (boolean(" Yes "), boolean("OFF")) == (True, False)


def test_a_field_of_a_text_is_named_when_it_is_missing_or_invalid() -> None:
    fields = {"x": "5", "radius": "-1"}
    assert field_of(fields, "x", Number()) == 5.0
    assert field_of(fields, "y", Number(), "2") == 2.0
    with pytest.raises(ValueError, match=r"^radius = -1: expected a number above 0$"):
        field_of(fields, "radius", Number(above=0.0))
    with pytest.raises(ValueError, match=r"^y is missing: expected a number$"):
        field_of(fields, "y", Number())


def test_an_unknown_key_is_answered_with_the_nearest_or_with_those_there_are() -> None:
    known = ("speed", "depth")
    assert str(unknown("sped", known, "a.moos:7", "2")) == (
        "a.moos:7: sped = 2: unknown key; did you mean speed?"
    )
    assert str(unknown("zzz", known)) == "zzz: unknown key; expected one of depth, speed"
    assert str(unknown("U_max", known, meant="speed")) == "U_max: unknown key; did you mean speed?"


@given(value=st.integers(0, 10**20), below=st.integers(0, 10**15), zeros=st.integers(0, 5000))
def test_digits_are_a_number_below_the_limit_however_many_they_are(
    value: int, below: int, zeros: int
) -> None:
    assert decimal("0" * zeros + str(value), below) == (value if value < below else None)


@pytest.mark.parametrize("text", ["", " ", "-1", "+1", "1.0", "1e3", "²", "٣", "9" * 5000, "a"])
def test_what_is_no_number_of_ascii_digits_is_none(text: str) -> None:
    assert decimal(text) is None


@pytest.mark.parametrize("text", ["[" * 10_000, '{"a":' * 10_000, b"[" * 10_000, "{", "nan"])
def test_json_that_cannot_be_read_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError, match="less deep" if len(text) > 9 else "Expecting"):
        json_of(text)
