"""What is said of expanded files names the user's own, and the instance that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher.source_map import NOWHERE, Origin, SourceMap, listed, merged

OURS = Path("/home/me/fleet")
MAP = SourceMap(
    "abe",
    Path("/run/missions/12"),
    OURS,
    {"abe.moos": Origin(OURS / "meta.moos", (f"{OURS}/meta.moos:3", f"{OURS}/plug.moos:1"))},
)


@pytest.mark.parametrize(
    ("message", "translated"),
    [
        ("/run/missions/12/abe.moos:2: wrong", f"{OURS}/plug.moos:1 (for abe): wrong"),
        ("abe.moos:1: wrong", f"{OURS}/meta.moos:3 (for abe): wrong"),
        ("/run/missions/12/abe.moos: wrong", f"{OURS}/meta.moos (for abe): wrong"),
        ("abe.moos:3: wrong", f"{OURS}/meta.moos (for abe): wrong"),
        ("/run/missions/12/a.bhv:7: wrong", f"{OURS}/a.bhv:7 (for abe): wrong"),
        ("/run/missions/12/a.bhv: wrong", f"{OURS}/a.bhv (for abe): wrong"),
        ("A, abe.moos:1, abe.moos:2", f"A, {OURS}/meta.moos:3 (for abe), {OURS}/plug.moos:1"),
        ("mine/abe.moos:1: x", "mine/abe.moos:1: x"),
        ("12 s: too late", "12 s: too late"),
        ("abe.moos:1\nrest", f"{OURS}/meta.moos:3 (for abe)\nrest"),
    ],
)
def test_a_place_in_an_expanded_file_names_the_users_file(message: str, translated: str) -> None:
    assert MAP.translate(message) == translated
    assert NOWHERE.translate(message) == message


def test_what_is_told_for_several_instances_is_one_line() -> None:
    said = ["m.moos:3 (for abe): odd\nend", "m.moos:3 (for ben): odd", "m.moos:3 (for abe): odd"]
    assert merged([*said, "m.moos:4 (for cal): odd", "end"]) == [
        "m.moos:3 (for abe, ben): odd",
        "end",
        "m.moos:4 (for cal): odd",
    ]


def test_of_many_instances_the_first_four_are_named() -> None:
    assert listed(("abe", "ben", "cal", "deb")) == "abe, ben, cal, deb"
    assert listed(("abe", "ben", "cal", "deb", "eve")) == "abe, ben, cal, deb and 1 more"
