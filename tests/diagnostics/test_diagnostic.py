"""Diagnostics as data and as text."""

from __future__ import annotations

import pickle

import pytest

from steerageway.bus import ConfigError
from steerageway.diagnostics.diagnostic import Diagnostic, Place, diagnostics_of, listed, merged
from steerageway.moos.errors import FormatError, FormatErrors


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Diagnostic("a.moos:3", "pace", "fast", "expected a number"),
         "a.moos:3: pace = fast: expected a number"),
        (Diagnostic("a.moos:3", "pace", "", "no value"), "a.moos:3: pace: no value"),
        (Diagnostic("a.moos", expected="not text"), "a.moos: not text"),
        (Diagnostic(expected="no app is left to start"), "no app is left to start"),
        (Diagnostic("a.moos:3", "pcae", "2", "no such key", "pace", "pA"),
         "pA: a.moos:3: pcae = 2: no such key; the nearest is pace"),
        (Diagnostic(Place("a.moos:3", "abe"), "pace", "fast"), "a.moos:3 (for abe): pace = fast"),
    ],
)  # fmt: skip
def test_a_text_contains_where_key_value_and_the_expected_form(one: Diagnostic, text: str) -> None:
    assert str(one) == text


def odd(line: int, instance: str, value: str = "") -> Diagnostic:
    """Return something odd about a line of a template."""
    return Diagnostic(Place(f"m.moos:{line}", instance), "pace", value, expected="odd")


def test_a_message_about_several_instances_is_one_line() -> None:
    plain = Diagnostic(expected="end")
    found = [odd(3, "abe"), plain, odd(3, "ben"), odd(3, "abe"), odd(4, "cal"), plain]
    assert merged(found) == [
        "m.moos:3 (for abe, ben): pace: odd",
        "end",
        "m.moos:4 (for cal): pace: odd",
    ]


def test_messages_that_differ_between_instances_are_printed_for_each() -> None:
    assert len(merged([odd(3, "abe", "1"), odd(3, "ben", "2")])) == 2


def test_the_first_four_of_many_instances_are_named() -> None:
    assert listed(("abe", "ben", "cal", "deb")) == "abe, ben, cal, deb"
    assert listed(("abe", "ben", "cal", "deb", "eve")) == "abe, ben, cal, deb and 1 more"


def test_a_place_keeps_its_instance_on_its_way_to_another_process() -> None:
    place = pickle.loads(pickle.dumps(Place("m.moos:3", "abe")))
    assert (place, place.instance) == ("m.moos:3", "abe")


def test_errors_carry_their_message_as_data() -> None:
    line = ("a.moos:3", "pace", "fast", "expected a number")
    for error in (ConfigError(*line), FormatError(*line)):
        assert diagnostics_of(error) == (Diagnostic(*line),)
        assert str(error) == "a.moos:3: pace = fast: expected a number"
    several = FormatErrors([FormatError(*line), FormatError("b.bhv:1", "x", "", "no value")])
    assert diagnostics_of(several) == (
        Diagnostic(*line),
        Diagnostic("b.bhv:1", "x", "", "no value"),
    )
    assert diagnostics_of(KeyError("x")) == (Diagnostic(expected="'x'"),)
