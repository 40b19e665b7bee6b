"""``pEchoVar``, driven by mail."""

from __future__ import annotations

import pytest

from steerageway.apps.scripts.echo_var import EchoVar
from steerageway.bus import ConfigError

FLIP = """
Flip:1 = source_variable = LIST
Flip:1 = dest_variable = OTHER
Flip:1 = X -> EAST
Flip:1 = Y -> NORTH
"""


def test_a_variable_is_repeated_with_its_type(drive):
    driven = drive(EchoVar, "Echo = A -> B\nEcho = A -> C\nEcho = T -> U")
    assert set(driven.registered) == {"A", "T"}
    assert driven.tick(1.0, {"A": 1.5, "T": "1.5"}) == {"B": 1.5, "C": 1.5, "U": "1.5"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [("true", "false"), ("FALSE", "TRUE"), ("True", "False"), ("maybe", "maybe"), (1.0, 1.0)],
)
def test_an_inverted_echo_keeps_the_letters_case(drive, value, expected):
    assert drive(EchoVar, "Echo = A !-> B").tick(1.0, {"A": value}) == {"B": expected}


def test_every_message_is_echoed_or_only_the_latest(drive):
    for latest, expected in (("false", [1.0, 2.0]), ("true", [2.0])):
        driven = drive(EchoVar, f"Echo = A -> B\necho_latest_only = {latest}")
        driven.take(1.0, [driven.message("A", value, 1.0) for value in (1.0, 2.0)])
        assert driven.values("B") == expected


def test_messages_wait_for_the_condition_unless_they_are_not_held(drive):
    for held, expected in (("true", {"B": 1.0}), ("false", {})):
        driven = drive(EchoVar, f"Echo = A -> B\ncondition = GO = 1\nhold_messages = {held}")
        assert driven.tick(1.0, {"A": 1.0}) == {}
        assert driven.tick(2.0, {"GO": 1.0}) == expected


def test_a_flip_lists_the_named_fields_under_their_new_names(drive):
    driven = drive(EchoVar, FLIP + "Flip:1 = source_separator = #\nFlip:1 = dest_separator = ;")
    assert driven.tick(1.0, {"LIST": "Y=2#Z=3#X=1"}) == {"OTHER": "NORTH=2;EAST=1"}
    assert driven.tick(2.0, {"LIST": "Z=3"}) == {}
    assert driven.tick(3.0, {"LIST": 7.0}) == {}


def test_a_flip_keeps_the_order_of_the_list_and_repeated_or_empty_entries(drive):
    driven = drive(EchoVar, FLIP)
    assert driven.tick(1.0, {"LIST": "X=10,Y=20,x=3,X=11"}) == {"OTHER": "EAST=10,NORTH=20,EAST=11"}
    assert driven.tick(2.0, {"LIST": "X=,Y=20"}) == {"OTHER": "EAST=,NORTH=20"}


def test_lines_of_a_flip_belong_together_in_any_case(drive):
    first, *others = FLIP.strip().splitlines()
    mixed = [first.replace("Flip", "FLIP").replace("source", "SOURCE"), *others]
    driven = drive(EchoVar, "\n".join(mixed).replace("Y ->", "y ->"))
    driven.tick(1.0, {"LIST": "X=1"})
    assert driven.values("OTHER") == ["EAST=1"]


def test_an_echo_given_twice_is_one(drive):
    driven = drive(EchoVar, "Echo = A -> B\nEcho = A->B\nEcho = A !-> B")
    driven.tick(1.0, {"A": "true"})
    assert driven.values("B") == ["true", "false"]


@pytest.mark.parametrize("line", ["TYPE == Kayak", "filter = type == Kayak"])
def test_a_flip_passes_no_list_whose_filter_field_differs(drive, line):
    driven = drive(EchoVar, FLIP + f"Flip:1 = {line}\nFlip:1 = component = Z -> UP")
    assert driven.tick(1.0, {"LIST": "X=1,TYPE=kayak"}) == {"OTHER": "EAST=1"}
    assert driven.tick(2.0, {"LIST": "X=1,TYPE=ship"}) == {}
    assert driven.tick(3.0, {"LIST": "X=2"}) == {"OTHER": "EAST=2"}
    assert driven.tick(4.0, {"LIST": "Z=5,TYPE=KAYAK"}) == {"OTHER": "UP=5"}


@pytest.mark.parametrize(
    ("block", "circle"),
    [
        ("Echo = A -> B\nEcho = B -> C\nEcho = C -> A", "A -> B -> C -> A"),
        ("Echo = A -> A", "A -> A"),
        ("Echo = X -> Y\nEcho = OTHER -> LIST" + FLIP, "OTHER -> LIST -> OTHER"),
    ],
)
def test_a_circular_echo_is_disabled_and_reported(drive, block, circle):
    driven = drive(EchoVar, block)
    (warning,) = driven.app.config_warnings
    assert warning == f"{circle} would never end: nothing is echoed"
    assert driven.tick(1.0, {"A": 1.0, "X": 2.0, "OTHER": "X=1", "LIST": "X=1"}) == {}


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("Echo = A", "expected A -> B"),
        ("Echo = A -> B\ncondition = (A", "condition = "),
        ("Echo = A -> B\ncondition = (A\ncondition = (A", "condition = "),
        ("Flip:1 = nonsense", "source_variable = A"),
        ("Flip:1 = source_variable = A\nFlip:1 = dest_variable = B", "OLD -> NEW"),
        ("Flip:1 = source_variable = A\nFlip:1 = X -> Y", "OLD -> NEW"),
        ("Flip:1 = dest_variable = A\nFlip:1 = X -> Y", "OLD -> NEW"),
    ],
)
def test_an_invalid_line_is_reported(drive, block, expected):
    with pytest.raises(ConfigError) as error:
        drive(EchoVar, block)
    assert expected in str(error.value)
    assert str(error.value).startswith("test.moos:")
