"""Flags of a block: parsing, and replacement of macros."""

from __future__ import annotations

import pytest

from steerageway.apps.shared.flags import (
    MailFlags,
    PostFlag,
    bracketed,
    macros_in,
    parse_flag,
    parse_mail_flag,
    replaced,
)


@pytest.mark.parametrize(
    ("text", "variable", "value"),
    [
        ("DEPLOY=true", "DEPLOY", "true"),
        (" SPEED = 2 ", "SPEED", 2.0),
        ('LEVEL = "2"', "LEVEL", "2"),
        ("WAY = x=1,y=2", "WAY", "x=1,y=2"),
    ],
)
def test_a_flag_is_a_variable_and_a_value_of_its_type(text, variable, value):
    assert parse_flag(text) == PostFlag(variable, value)


@pytest.mark.parametrize("text", ["", "DEPLOY", "DEPLOY=", "=true", "DE PLOY=true", "DE\tPLOY=1"])
def test_a_flag_without_name_or_value_or_with_a_blank_in_its_name_is_invalid(text):
    with pytest.raises(ValueError, match="expected VAR=value"):
        parse_flag(text)


@pytest.mark.parametrize(
    ("value", "posted"),
    [
        ("$[A]", 1.23456789),  # alone it is the number itself
        ("a $[A]", "a 1.2346"),
        ("$(N)$[N]", 33.0),  # what then reads as a number is one
        ("$[T]", "red"),
        ("$[T]=$(N)", "red=3"),
        ("$[X] $[T]", "$[X] red"),  # nobody tells it: it stays
        ("plain", "plain"),
        (2.5, 2.5),
    ],
)
def test_macros_of_a_value_are_replaced_by_the_given_values(value, posted):
    replace = bracketed({"A": 1.23456789, "N": 3.0, "T": "red"})
    assert PostFlag("V", value).expanded(replace) == posted


def test_a_quoted_number_without_macros_stays_text():
    assert parse_flag('LEVEL="2"').expanded(bracketed({"A": 1.0})) == "2"


def test_a_macro_within_the_name_of_another_is_unchanged():
    macros = {"$V": "abe", "$V1": "ben", "%V": "cal", "$V10": 7.0}
    assert replaced("$V $V1 $V10 $V2 %V", macros) == "abe ben 7 abe2 cal"
    assert replaced("%V", macros) == "cal"
    assert PostFlag("HIT_$V1", 1.0).named(macros) == "HIT_ben"


def test_names_of_macros_are_found_in_both_spellings():
    assert macros_in("a $[ONE] $(TWO)$[ONE] $THREE $[no good]") == ("ONE", "TWO", "ONE")


def test_mail_is_answered_by_name_or_else_by_any_and_counted():
    lines = ["@GO#SAID=$[CNT] of $[MCNT]", "@GO#AGAIN=yes", "@ANY#OTHER=$[MCNT]", "@X#T=at $[UTC]"]
    flags = MailFlags(list(map(parse_mail_flag, lines)))
    assert flags.sources == ["GO", "X"]
    answers = [[tuple_of(one) for one in flags.answers(name, 12.5)] for name in ("GO", "Y", "GO")]
    assert answers == [
        [("SAID", "1 of 1"), ("AGAIN", "yes")],
        [("OTHER", 2.0)],
        [("SAID", "2 of 3"), ("AGAIN", "yes")],
    ]
    assert [tuple_of(one) for one in flags.answers("X", 12.5)] == [("T", "at 12.50")]
    named = MailFlags([parse_mail_flag(lines[0])])
    assert named.answers("Y", 0.0) == []
    assert [tuple_of(one) for one in named.answers("GO", 0.0)] == [("SAID", "1 of 1")]


@pytest.mark.parametrize("line", ["GO#OUT=1", "@#OUT=1", "#OUT=1", "@GO", "@GO#OUT", "@GO#=1"])
def test_a_reply_flag_without_a_source_is_refused(line):
    with pytest.raises(ValueError, match="expected "):
        parse_mail_flag(line)


def tuple_of(flag: PostFlag) -> tuple[str, object]:
    """Return a flag as (variable, value)."""
    return flag.variable, flag.value
