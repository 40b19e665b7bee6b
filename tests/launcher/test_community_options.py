"""Options that may name a community: ``--config``, ``--set``, ``--until``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from steerageway.bus import Input, Phase, Value
from steerageway.launcher.community_options import (
    first_of_many,
    parse_ending,
    parse_override,
    parse_poke,
)
from steerageway.launcher.errors import LaunchError
from steerageway.moos.condition import ConditionError

APPS = {"alpha": ("uSimMarineV22", "pHelmIvP"), "bravo": ("pHelmIvP",)}
FIRST = {"alpha": 2_000_000_000, "bravo": 3_000_000_000}


def posted(text: str, utc: float = 100.0) -> Value:
    """Return the value that a poke posts."""
    return parse_poke(text, APPS).value(utc)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("V=1", 1.0),
        ("V=-2.50", -2.5),
        ("V=true", "true"),
        ("V=1e5", "1e5"),
        ("V:=1", "1"),
        ("V := 007 ", "007"),
        ('V="1"', "1"),
        ("V=", ""),
        ("V=speed=3 # radius=5", "speed=3 # radius=5"),
        ("V=@10:x=4", "@10:x=4"),
        ("V=at @UTC", "at 100.000"),
        ("V=@MOOSTIME", "100.000"),
    ],
)
def test_values_have_the_types_of_the_reference_poke_command(text: str, value: Value) -> None:
    got = posted(text)
    assert got == value
    assert type(got) is type(value)


def test_a_poke_enters_every_community_once_all_its_apps_have_iterated() -> None:
    post = parse_poke("DEPLOY=true", APPS).enter(FIRST, 0.0)
    assert post == [
        Input(2_000_000_000, Phase.AFTER, "alpha", "DEPLOY", "true"),
        Input(3_000_000_000, Phase.AFTER, "bravo", "DEPLOY", "true"),
    ]
    assert parse_poke("*:DEPLOY=true", APPS).enter(FIRST, 0.0) == post


def test_a_poke_with_a_time_enters_before_the_apps_of_that_instant() -> None:
    post = parse_poke("@0.1:bravo:DEPLOY=true", APPS).enter(FIRST, 0.0)
    assert post == [Input(100_000_000, Phase.INPUT, "bravo", "DEPLOY", "true")]


def test_a_poked_time_is_that_of_the_posting() -> None:
    (post,) = parse_poke("@1.5:alpha:T=@UTC", APPS).enter(FIRST, 1000.0)
    assert post.value == "1001.500"


@pytest.mark.parametrize(
    ("text", "community", "app", "key", "value"),
    [
        ("uSimMarineV22.model=released", "", "uSimMarineV22", "model", "released"),
        ("alpha:pHelmIvP.domain = speed:0:4:41", "alpha", "pHelmIvP", "domain", "speed:0:4:41"),
        ("pHelmIvP.ok_skew=", "", "pHelmIvP", "ok_skew", ""),
        ("pHelmIvP.ok_skew =  any ", "", "pHelmIvP", "ok_skew", "any"),
    ],
)
def test_an_override_names_community_app_key_and_value(
    text: str, community: str, app: str, key: str, value: str
) -> None:
    override = parse_override(text, APPS)
    assert (override.community, override.app) == (community, app)
    assert (override.entry.key, override.entry.value) == (key, value)


@pytest.mark.parametrize(
    ("text", "community", "variables"),
    [
        ("MISSION = complete", "", ("MISSION",)),
        ("*:MISSION = complete", "*", ("MISSION",)),
        ("bravo: (X > 3) and (Y = 2)", "bravo", ("X", "Y")),
        ("MODE == ACTIVE:LOITERING", "", ("MODE",)),
        ('MODE="a:b"', "", ("MODE",)),
        ("(A = 1) or (MODE = x:y)", "", ("A", "MODE")),
    ],
)
def test_a_condition_may_name_its_community(
    text: str, community: str, variables: tuple[str, ...]
) -> None:
    condition = parse_ending("--until", text, APPS)
    assert (condition.community, condition.variables) == (community, variables)
    assert condition.text == text


def test_a_condition_follows_the_moos_ivp_grammar() -> None:
    condition = parse_ending("--until", "(X > 3) and (Y = done)", APPS)
    assert condition.holds({"X": 4.0, "Y": "done"}.get)
    assert not condition.holds({"X": 4.0}.get)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (lambda: parse_poke("DEPLOY", APPS), "expected [@T:][NAME:]VAR=VALUE"),
        (lambda: parse_poke("@x:DEPLOY=1", APPS), "@x: expected a number from 0 to 1000000000"),
        (lambda: parse_poke("alhpa:DEPLOY=1", APPS), "the nearest is alpha"),
        (lambda: parse_override("model=released", APPS), "expected [NAME:]APP.KEY=VALUE"),
        (lambda: parse_override("alhpa:pHelmIvP.x=1", APPS), "the nearest is alpha"),
        (lambda: parse_override("uSimMarine.x=1", APPS), "the nearest is uSimMarineV22"),
        (lambda: parse_override("bravo:uSimMarineV22.x=1", APPS), "there are pHelmIvP"),
        (lambda: parse_ending("--until", "alfa:X=1", APPS), "the nearest is alpha"),
        (lambda: parse_ending("--until", "[alpha]X = 1", APPS), "expected alpha:X = 1"),
        (lambda: parse_ending("--until", "[alpha:]X = 1", APPS), "expected alpha:X = 1"),
        (lambda: parse_ending("--until", " [alpha]X = 1 ", APPS), "expected alpha:X = 1"),
        (lambda: parse_ending("--until", "X_DELTA > 3", APPS), "expected no _DELTA"),
        (lambda: parse_ending("--fail-if", "max X > 8", APPS), "max X > 8: expected X > 8: it is"),
        (lambda: parse_ending("--fail-if", "max X < 8", APPS), "a max is known at the end, in"),
        (lambda: parse_ending("--fail-if", "(mean X < 8)", APPS), "a mean is known at the end"),
    ],
)
def test_errors_are_reported_with_the_expected_form(
    wrong: Callable[[], object], expected: str
) -> None:
    with pytest.raises(LaunchError) as error:
        wrong()
    assert expected in str(error.value)


def test_a_condition_that_could_never_hold_for_its_exponent_is_an_error() -> None:
    with pytest.raises(ConditionError, match=r"column 5: expected a number without an exponent"):
        parse_ending("--until", "X < 1e-05", APPS)


def test_a_condition_outside_the_grammar_is_an_error() -> None:
    with pytest.raises(ConditionError):
        parse_ending("--until", "X >", APPS)


@pytest.mark.parametrize(
    ("text", "count", "told"),
    [("A = 1", 2, 1), ("A = 1", 1, 0), ("*:A = 1", 2, 0), ("bravo:A = 1", 2, 0)],
)
def test_an_ending_of_the_first_of_several_communities_is_told(
    text: str, count: int, told: int
) -> None:
    lines = list(first_of_many([parse_ending("--until", text, APPS)], count))
    assert len(lines) == told
    assert all("'*:A = 1' waits for all, and each has to post it" in line for line in lines)
