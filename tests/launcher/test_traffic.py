"""Warnings about posts of the command line without a subscriber, at the end of a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from steerageway.bus import Outcome
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.traffic import misspelt_registrations, unread_pokes

ALL = "Walker=GO&NAV_X,pEcho=NAV_X:NEVER&ECHO"


def warnings_of(duet: Path, received: Mapping[str, str], *options: str) -> list[str]:
    """Return the warnings after a run with these summaries of subscriptions and publications."""
    missions = [f"{duet}@{name}" for name in received]
    launch = plan_launch(parse_options([*missions, "--no-log", *options]))
    values = {name: {"DB_RWSUMMARY": summary} for name, summary in received.items()}
    return list(unread_pokes(Outcome("for", values=values), launch))


def test_a_poke_without_a_subscriber_is_reported_once_with_the_nearest(duet: Path) -> None:
    poked = ("--set", "@1:NEVR=1", "--set", "@2:NEVR=2", "--set", "GO=true")
    assert warnings_of(duet, {"duet": ALL}, *poked) == [
        "--set NEVR: no app subscribed to it; the nearest is NEVER"
    ]


def test_a_pattern_of_names_receives_but_subscribing_to_all_does_not_count(duet: Path) -> None:
    assert warnings_of(duet, {"duet": ALL.replace("NEVER", "N*R:*")}, "--set", "NEVR=1") == []
    assert len(warnings_of(duet, {"duet": ALL.replace("NEVER", "*")}, "--set", "NEVR=1")) == 1


def test_end_conditions_are_subscribers(duet: Path) -> None:
    assert warnings_of(duet, {"duet": ALL}, "--set", "STOP=1", "--until", "STOP = 1") == []
    assert warnings_of(duet, {"duet": ALL}, "--set", "STOP=1", "--fail-if", "STOP = 1") == []


def test_nothing_is_reported_while_an_app_is_not_summed_up(duet: Path) -> None:
    assert warnings_of(duet, {"duet": ALL.partition(",")[0]}, "--set", "NEVR=1") == []
    assert warnings_of(duet, {"duet": ""}, "--set", "NEVR=1") == []


def test_each_community_has_its_own_subscribers(duet: Path) -> None:
    received = {"abe": ALL, "ben": ALL.replace("GO&", "&")}
    assert warnings_of(duet, received, "--set", "GO=true") == []
    assert warnings_of(duet, received, "--set", "abe:GO=true") == []
    assert warnings_of(duet, received, "--set", "ben:GO=true") == [
        "--set GO: no app subscribed to it in ben"
    ]


def test_a_users_subscription_without_a_post_is_reported_if_a_similar_one_was_posted(
    duet: Path,
) -> None:
    launch = plan_launch(parse_options([f"{duet}@duet", "--no-log"]))
    expected = "pEcho=DESIRED_DEPHT&ECHO,pEcho=NEVER:NAV_X:NAV_*&ECHO,pElse=NAV_XX&ELSE"
    values = {"DB_RWSUMMARY": expected, "NAV_X": 1.0, "DESIRED_DEPTH": 2.0}
    assert list(misspelt_registrations(Outcome("for", values={"duet": values}), launch)) == [
        "duet: pEcho subscribed to DESIRED_DEPHT, which was never posted;"
        " the nearest is DESIRED_DEPTH"
    ]
