"""Flags: grammar, macros and destinations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from steerageway.helm.flags import Flag, flag


@pytest.mark.parametrize(
    ("text", "variable", "value"),
    [
        ("RETURN = true", "RETURN", "true"),
        ("RETURN=true", "RETURN", "true"),
        ("N = 3", "N", 3.0),
        ("N = -0.5", "N", -0.5),
        ('N = "3"', "N", "3"),
        ("SAY = hello there", "SAY", "hello there"),
        ("SAY = a=b,c=d", "SAY", "a=b,c=d"),
        ("SAY = see (there)", "SAY", "see (there)"),
        ("POS = $(OSX),$(OSY)", "POS", "$(OSX),$(OSY)"),
    ],
)
def test_flag_is_a_variable_and_a_typed_value(text: str, variable: str, value: float | str) -> None:
    found = flag(text)
    assert (found.variable, found.value) == (variable, value)
    assert found.here
    assert not found.destination
    assert found.condition is None


@pytest.mark.parametrize(
    ("text", "destination", "here"),
    [
        ("#all A = 1", "all", False),
        ("#all+ A = 1", "all", True),
        ("#group A = 1", "group", False),
        ("#group+ A = 1", "group", True),
        ("#henry A = 1", "henry", False),
    ],
)
def test_flag_may_be_for_others(text: str, destination: str, here: bool) -> None:
    found = flag(text)
    assert (found.destination, found.here, found.variable) == (destination, here, "A")


@pytest.mark.parametrize(
    "text",
    ["A = 1 if (DEPTH > 3)", "A = 1 IF (DEPTH > 3)", "A = 1 (DEPTH > 3)", "#all+ A=1 (DEPTH > 3)"],
)
def test_flag_may_depend_on_a_condition(text: str) -> None:
    found = flag(text)
    assert found.value == 1.0
    assert found.due({"DEPTH": 4.0}.get, 0.0)
    assert not found.due({"DEPTH": 2.0}.get, 0.0)


def test_flag_with_macros_may_depend_on_a_nested_condition() -> None:
    found = flag("POS = $(OSX),$(OSY) if ((A = 1) and !(B = 2))")
    assert found.value == "$(OSX),$(OSY)"
    assert found.due({"A": 1.0}.get, 0.0)
    assert not found.due({"A": 1.0, "B": 2.0}.get, 0.0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", "VAR = value"),
        ("A =", "VAR = value"),
        ("= 1", "VAR = value"),
        ("A B = 1", "VAR = value"),
        ("# A = 1", "#all, #group or #vehicle"),
        ("#all", "VAR = value"),
        ("A = 1 if (B)", "expected a condition behind if"),
        ("A = if (B = 1)", "VAR = value"),
        ("@cpa A = 1", "no contact behavior"),
        ("<10 A = 1", "no contact behavior"),
    ],
)
def test_error_contains_the_expected_form(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        flag(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A = $[N]", 7.5),
        ("A = $(N)", 7.5),
        ('A = "$[N]"', "7.5"),
        ("A = n$[N]", "n7.5"),
        ("A = $[N],$(N)", "7.5,7.5"),
        ("A = $[WORD]", "word"),
        ("A = $[UNKNOWN] $X", "$[UNKNOWN] $X"),
    ],
)
def test_macros_are_replaced_and_a_lone_number_is_one(text: str, value: float | str) -> None:
    assert flag(text).expanded({"N": lambda: "7.5", "WORD": lambda: "word"}) == value


COMMON_MACROS = [
    ("OWNSHIP", "alpha"),
    ("BHVNAME", "b"),
    ("BHVTYPE", "BHV_ConstantSpeed"),
    ("PWT", 100.0),
    ("CONTACT", ""),
    ("UTC", 1_000_002.0),
    ("NOW", 2.0),
    ("OSX", 3.12),
    ("OSY", -4.0),
    ("OSH", 90.5),
    ("OSV", 1.5),
    ("DUR_RUN_TIME", 0.5),
    ("DUR_IDLE_TIME", 0.25),
]


def one_behavior(parameters: str) -> str:
    return f"Behavior = BHV_ConstantSpeed\n{{\nname = b\nduration = -1\n{parameters}\n}}"


@pytest.mark.parametrize(("macro", "value"), COMMON_MACROS)
def test_common_macro_contains_the_present_value(
    macro: str, value: float | str, sail: Callable[..., Any]
) -> None:
    """Idle at 1.00 and 1.25, running from 1.50; looked at at 2.00."""
    sailing = sail(
        one_behavior(f"condition = GO = true\nrunxflag = M = $[{macro}]"),
        domain=("speed:0:4:41",),
        NAV_X=3.12345,
        NAV_Y=-4.0,
        NAV_HEADING=90.5,
        NAV_SPEED=1.5,
    )
    object.__setattr__(sailing.helm.setting, "epoch", 1_000_000.0)
    sailing.steps(2)
    sailing.step({"GO": "true"})
    sailing.step()
    assert sailing.step()["M"] == value


def test_contact_is_the_one_a_behavior_is_about(sail: Callable[..., Any]) -> None:
    text = "Behavior = BHV_AvoidCollision\n{\ncontact = ben\nrunxflag = M = $[CONTACT]\n}\n"
    assert sail(text).step()["M"] == "ben"


@pytest.mark.parametrize("counter", ["CTR", "CTR1", "CTR2", "CTR3", "CTR4", "CTR5"])
def test_every_counter_works(counter: str, sail: Callable[..., Any]) -> None:
    sailing = sail(one_behavior(f"runxflag = A = $[{counter}]"), domain=("speed:0:4:41",))
    assert [sailing.step()["A"] for _ in range(3)] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("length", range(2, 10))
def test_every_hash_has_its_length(length: int, sail: Callable[..., Any]) -> None:
    sailing = sail(one_behavior(f"runxflag = A = x$[HASH{length}]"), domain=("speed:0:4:41",))
    assert len(sailing.step()["A"]) == length + 1


def test_counters_count_their_own_uses(sail: Callable[..., Any]) -> None:
    text = "runxflag = A = $[CTR]-$[CTR]-$[CTR1]\nrunxflag = B = $[CTR_05]"
    sailing = sail(one_behavior(text), domain=("speed:0:4:41",))
    sailing.step()
    found = sailing.step()
    assert found["A"] == "3-4-2"
    assert found["B"] == 2.0


def test_hashes_have_their_length_and_come_from_the_seed(sail: Callable[..., Any]) -> None:
    text = "runxflag = A = x$[HASH]\nrunxflag = B = x$[HASH2]\nrunxflag = C = x$[HASH9]"
    runs = []
    for _ in range(2):
        sailing = sail(one_behavior(text), domain=("speed:0:4:41",))
        runs.append([sailing.step()[name] for name in "ABC"] + [sailing.step()["A"]])
    assert [len(value) for value in runs[0]] == [7, 3, 10, 7]
    assert runs[0][0] != runs[0][3]
    assert runs[0] == runs[1]


def test_flags_for_others_go_out_as_messages(sail: Callable[..., Any]) -> None:
    text = "runflag = #all+ A = 1\nrunflag = #henry B = x,y\nrunflag = #group C = $[OWNSHIP]"
    sailing = sail(one_behavior(text), domain=("speed:0:4:41",))
    sailing.step({"NODE_REPORT_LOCAL": "NAME=alpha,TYPE=kayak,GROUP=red,X=0"})
    who = "src_node=alpha,dest_node={}src_app=pHelmIvP,src_bhv=b,"
    assert sailing.values("NODE_MESSAGE_LOCAL") == [
        who.format("all,") + "var_name=A,double_val=1.00000",
        who.format("henry,") + 'var_name=B,string_val="x,y"',
        who.format("all,dest_group=red,") + "var_name=C,string_val=alpha",
    ]
    assert sailing.values("A") == [1.0]
    assert not sailing.values("B")
    assert "B" not in sailing.helm.publishes


def test_flag_whose_condition_fails_is_not_posted(sail: Callable[..., Any]) -> None:
    text = "runxflag = DEEP = true if (NAV_DEPTH > 3)"
    sailing = sail(one_behavior(text), domain=("speed:0:4:41",))
    assert "DEEP" not in sailing.step({"NAV_DEPTH": 2.0})
    assert sailing.step({"NAV_DEPTH": 4.0})["DEEP"] == "true"
    assert "NAV_DEPTH" in sailing.driven.registered


def test_flag_is_data_that_compares() -> None:
    assert flag("A = 1") == Flag("A", 1.0)
