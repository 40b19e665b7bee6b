"""Diagnostics about expanded files name the user's own, and the instance."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import NOWHERE, Origin, SourceMap

OURS = Path("/home/me/fleet")
CACHE = Path("/run/missions/12")
MAP = SourceMap(
    "abe",
    CACHE,
    OURS,
    {"abe.moos": Origin(f"{OURS}/meta.moos", (f"{OURS}/meta.moos:3", f"{OURS}/plug.moos:1"))},
)


@pytest.mark.parametrize(
    ("file", "line", "called"),
    [
        ("abe.moos", 1, f"{OURS}/meta.moos:3"),
        ("abe.moos", 2, f"{OURS}/plug.moos:1"),
        ("abe.moos", 3, f"{OURS}/meta.moos"),
        ("a.bhv", 7, f"{OURS}/a.bhv:7"),
        ("in/a.bhv", 7, f"{OURS}/in/a.bhv:7"),
    ],
)
def test_a_line_of_an_expanded_file_is_called_by_the_users_file(
    file: str, line: int, called: str
) -> None:
    place = MAP.of(CACHE / file).at(line)
    assert (place, place.instance) == (called, "abe")
    assert NOWHERE.of(CACHE / file).at(line) == f"{CACHE}/{file}:{line}"


def test_a_file_as_a_whole_is_called_by_its_template() -> None:
    assert MAP.of(CACHE / "abe.moos").place == f"{OURS}/meta.moos"
    assert MAP.of(CACHE / "a.bhv").place == f"{OURS}/a.bhv"


def test_a_file_in_another_folder_keeps_its_name_and_has_no_instance() -> None:
    place = MAP.of(Path("/elsewhere/x.yml")).at(2)
    assert (place, place.instance) == ("/elsewhere/x.yml:2", "")


def test_a_link_is_called_by_the_users_file_wherever_it_is_named() -> None:
    linked = Diagnostic(f"{CACHE}/sea.yml:4", "Hs", "-1", f"as in {CACHE}/calm.yml")
    own = f"{OURS}/sea.yml:4 (for abe): Hs = -1: as in {OURS}/calm.yml"
    assert str(MAP.own(linked)) == own
    assert NOWHERE.own(linked) == linked
    elsewhere = Diagnostic("--config pA.x", "x", "1", "expected more")
    assert str(MAP.own(elsewhere)) == "--config pA.x: x = 1: expected more"
