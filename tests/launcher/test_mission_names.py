"""Shipped missions can be launched by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from steerageway.launcher import LaunchError, Mission
from steerageway.launcher.mission_names import SHIPPED, mission_path, shipped_names


def test_a_name_selects_the_bundled_mission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mission_path("alpha") == str(SHIPPED / "alpha")
    assert mission_path("alpha@ben") == f"{SHIPPED}/alpha@ben"
    with Mission("alpha") as alpha:
        assert alpha.communities == ("alpha",)


@pytest.mark.parametrize(
    "argument", ["missions/alpha", "alpha.moos", "./alpha", "nothing", ".", ""]
)
def test_a_path_is_used_as_it_is(
    argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert mission_path(argument) == argument


def test_an_existing_path_takes_precedence_over_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alpha").mkdir()
    assert mission_path("alpha") == "alpha"
    assert mission_path("alpha@ben") == "alpha@ben"


def test_a_misspelt_name_is_reported_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LaunchError, match=r"alpah: .* the nearest is alpha"):
        Mission("alpah")


def test_every_shipped_mission_is_a_name() -> None:
    assert "alpha" in shipped_names()
    assert all(mission_path(name) != name for name in shipped_names())
