"""The condition grammar: accepted texts, their meaning, and errors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steerageway.moos.condition import (
    ConditionError,
    doubts_of,
    parse_condition,
    parse_typed_condition,
)

KNOWN: dict[str, float | str | bytes] = {
    "DEPLOY": "true",
    "RETURN": "false",
    "DEPTH": 12.5,
    "LIMIT": 20.0,
    "COUNT": "5",
    "MODE": "ACTIVE:SURVEYING:NORTH",
    "NAME": "north star",
    "STARTED": 1000.0,
    "IMAGE": b"5",
    "PART": "SURVEYING",
    "HEADING": 90.0,
}


def holds(text: str) -> bool:
    return parse_condition(text).holds(KNOWN.get, 1030.0)


@pytest.mark.parametrize(
    "text",
    [
        "DEPLOY = true",
        "DEPLOY=true",
        "DEPLOY == true",
        "DEPLOY, true",
        'DEPLOY = "true"',
        "DEPLOY != false",
        "DEPTH = 12.5",
        "DEPTH == 12.50",
        "DEPTH != 12",
        "DEPTH < 13",
        "DEPTH <= 12.5",
        "DEPTH > -1",
        "DEPTH >= +12.5",
        "DEPTH < $(LIMIT)",
        "DEPTH < $ ( LIMIT )",
        "DEPLOY != $(RETURN)",
        "COUNT = 5",
        "COUNT < 5.5",
        'DEPTH = "12.5"',
        'NAME = "north star"',
        'DEPTH < "13"',
        "HEADING = 90",
        "LIMIT > $(COUNT)",
        "COUNT < $(LIMIT)",
        "RETURN < $(DEPLOY)",
        "MODE == $(PART)",
        "MODE == $(MODE)",
        "RETURN < true",
        "(DEPLOY = true)",
        " ( DEPLOY = true ) ",
        "((DEPLOY = true))",
        "(DEPLOY = true) and (RETURN = false)",
        "(DEPLOY = false) or (RETURN = false)",
        "(DEPLOY = true) AND (RETURN = false) And (DEPTH > 0)",
        "(DEPLOY = x) OR (DEPLOY = y) or (DEPLOY = true)",
        "((DEPLOY = true) and (DEPTH > 0)) or (RETURN = true)",
        "!(DEPLOY = false)",
        "! (DEPLOY = false)",
        "not(DEPLOY = false)",
        "NOT (DEPLOY = false)",
        "not ((DEPLOY = true) and (RETURN = true))",
        "(DEPLOY = true) and !(RETURN = true)",
    ],
)
def test_condition_holds(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "DEPLOY = false",
        "DEPLOY = TRUE",
        "deploy = true",
        "DEPTH < 12.5",
        "DEPTH >= $(LIMIT)",
        "DEPTH = deep",
        "DEPLOY != 1",
        "DEPLOY < 1",
        'DEPTH > "13"',
        "DEPLOY < $(RETURN)",
        "MODE = $(PART)",
        "PART == $(MODE)",
        "MODE == $(RETURN)",
        "(RETURN = true) and (DEPLOY = true)",
        "(DEPLOY = true) and (RETURN = true)",
        "(DEPLOY = false) or (RETURN = true)",
        "(DEPLOY = true) and (DEPTH > 0) and (RETURN = true)",
        "(DEPLOY = a) or (DEPLOY = b) or (DEPLOY = c)",
        "!(DEPLOY = true)",
        "IMAGE = 5",
    ],
)
def test_condition_does_not_hold(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize("relation", ["=", "==", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("right", ["0", "true", '"x"', "$(DEPTH)"])
def test_unknown_variable_makes_every_relation_false(relation: str, right: str) -> None:
    assert not holds(f"NEVER_POSTED {relation} {right}")
    assert not holds(f"DEPTH {relation} $(NEVER_POSTED)")


def test_not_of_an_unknown_variable_holds() -> None:
    assert holds("!(NEVER_POSTED = true)")


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("ACTIVE", True),
        ("SURVEYING", True),
        ("NORTH", True),
        ("ACTIVE:SURVEYING", True),
        ("SURVEYING:NORTH", True),
        ("ACTIVE:SURVEYING:NORTH", True),
        ("ACTIVE:NORTH", False),
        ("SURVEY", False),
        ("ORTH", False),
    ],
)
def test_double_equals_matches_components_of_a_mode(part: str, expected: bool) -> None:
    assert holds(f"MODE == {part}") is expected
    assert holds(f"MODE = {part}") is (part == KNOWN["MODE"])


def test_double_equals_is_refused_where_components_may_not_match() -> None:
    assert parse_condition("MODE = ACTIVE", component_match=False)
    with pytest.raises(ConditionError) as raised:
        parse_condition("MODE == ACTIVE", component_match=False)
    assert raised.value.column == 6


def test_delta_is_the_time_since_the_base_variables_utc_value() -> None:
    condition = parse_condition("STARTED_DELTA > 29")
    assert condition.variables == ("STARTED",)
    assert condition.holds(KNOWN.get, 1029.5)
    assert not condition.holds(KNOWN.get, 1028.5)


def test_delta_without_a_clock_or_of_a_text_is_false() -> None:
    assert not parse_condition("STARTED_DELTA > 0").holds(KNOWN.get)
    assert not parse_condition("DEPLOY_DELTA > 0").holds(KNOWN.get, 1030.0)


def test_condition_on_a_delta_may_change_with_time_alone() -> None:
    assert parse_condition("(A = 1) and (STARTED_DELTA > 29)").timed
    assert parse_condition("A < $(STARTED_DELTA)").timed
    assert not parse_condition("A = STARTED_DELTA").timed
    assert not parse_condition("_DELTA = 1").timed


def test_a_name_may_contain_a_macro_except_in_typed_text() -> None:
    condition = parse_condition("(TAGGED_$[CONTACT] = true) and (A = 1)")
    assert condition.variables == ("TAGGED_$[CONTACT]", "A")
    assert not condition.holds({"A": 1.0, "TAGGED_BEN": "true"}.get)
    with pytest.raises(ConditionError, match="without a macro"):
        parse_typed_condition("TAGGED_$[CONTACT] = true")


def test_variables_are_named_once_in_order_of_appearance() -> None:
    text = "(B = 1) and ((A < $(C)) or (B = 2))"
    assert parse_condition(text).variables == ("B", "A", "C")
    assert parse_condition(text).text == text


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a variable"),
        ("A", 2, "one of ="),
        ("A =", 4, "a number"),
        ("= 3", 1, "a variable"),
        ("A = 1 and B = 2", 1, "parentheses around"),
        ("(A = 1) and B = 2", 13, "parentheses around"),
        ("(A=1) and (B=2) or (C=3)", 17, 'which of "and" and "or"'),
        ("(A = 1", 7, '")"'),
        ("A = 1)", 6, "the end"),
        ("A = one two = 3", 13, "the end"),
        ("A = one (B = 2)", 9, "the end"),
        ("not A = 1", 1, "a variable"),
        ("A = $(B", 5, "a number"),
        ('A = "open', 5, "a number"),
        ("(A = 1) and", 12, "a variable"),
        ("A = 1 and", 1, "parentheses around"),
    ],
)
def test_error_names_column_and_the_expected_form(text: str, column: int, expected: str) -> None:
    with pytest.raises(ConditionError) as raised:
        parse_condition(text)
    assert raised.value.column == column
    assert expected in raised.value.expected
    assert f"column {column}: expected" in str(raised.value)


_LEAVES = st.sampled_from(["T = 1", "T = 0", "F != 1", "U = 1"])
_WORTH = {"T = 1": True, "T = 0": False, "F != 1": True, "U = 1": False}


def _grown(inner: st.SearchStrategy[tuple[str, bool]]) -> st.SearchStrategy[tuple[str, bool]]:
    def joined(word: str, parts: list[tuple[str, bool]]) -> tuple[str, bool]:
        truths = [value for _, value in parts]
        return f" {word} ".join(f"({text})" for text, _ in parts), (
            all(truths) if word == "and" else any(truths)
        )

    many = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        st.builds(joined, st.sampled_from(["and", "or"]), many),
        inner.map(lambda part: (f"!({part[0]})", not part[1])),
    )


@pytest.mark.slow
@given(st.recursive(_LEAVES.map(lambda text: (text, _WORTH[text])), _grown, max_leaves=12))
def test_any_nesting_follows_boolean_algebra(case: tuple[str, bool]) -> None:
    text, expected = case
    assert parse_condition(text).holds({"T": 1.0, "F": 0.0}.get) is expected


@pytest.mark.parametrize(
    ("word", "plain"),
    [("1e-05", "0.00001"), ("-1E3", "-1000"), ("+.5e+1", "5"), ("2.5e0", "2.5")],
)
@pytest.mark.parametrize("relation", ["<", "<=", ">", ">="])
def test_a_number_with_an_exponent_is_refused_where_it_could_never_match(
    word: str, plain: str, relation: str
) -> None:
    with pytest.raises(ConditionError, match="a number without an exponent"):
        parse_typed_condition(f'NAV_X {relation} "{word}"')
    text = f"(DEPLOY = true) and (NAV_X {relation} {word})"
    assert not parse_condition(text).holds({"DEPLOY": "true", "NAV_X": 0.0}.get)
    with pytest.raises(ConditionError, match=f"a number without an exponent: {plain}$") as caught:
        parse_typed_condition(text)
    assert text[caught.value.column - 1 :].startswith(word)


@pytest.mark.parametrize(
    "text", ["HASH = 12e4", "HASH != 1e4", "NAME < e4", "NAV_X < 10", "A > 1e4b"]
)
def test_text_that_only_resembles_a_condition_is_a_text(text: str) -> None:
    assert parse_typed_condition(text).text == text


@pytest.mark.parametrize("text", ["OB_NEAR,18.0", "all points arrived", "1, 2", "android"])
def test_a_text_may_have_commas_and_blanks_except_in_typed_text(text: str) -> None:
    # isValidLiteral of MOOS-IvP refuses only " < > = ! ( ) in the right side of a relation
    assert parse_condition(f"(A = {text}) and (B = 1)").holds({"A": text, "B": 1.0}.get)
    assert not parse_condition(f"A != {text}").holds({"A": text}.get)
    if " " in text:
        with pytest.raises(ConditionError, match="in quotes"):
            parse_typed_condition(f"A = {text}")
        assert [*doubts_of(parse_condition(f"A < {text}"))]
    assert parse_typed_condition(f'A = "{text}"').holds({"A": text}.get)


@pytest.mark.parametrize("word", ["nan", "-NaN", "inf", "+Infinity"])
def test_no_number_is_more_or_less_than_what_is_not_finite(word: str) -> None:
    for relation in ("<", "<=", ">", ">=", "=", "!="):
        text = f"(DEPLOY = true) and (NAV_X {relation} {word})"
        with pytest.raises(ConditionError, match="expected a finite number") as caught:
            parse_typed_condition(text)
        assert text[caught.value.column - 1 :].startswith(word)
    assert parse_typed_condition(f'NAME = "{word}"').holds({"NAME": word}.get)
    assert [*doubts_of(parse_condition(f"NAV_X > {word}"))]
    assert not [*doubts_of(parse_condition(f"(NAME = {word}) or (NAV_X > 1)"))]
