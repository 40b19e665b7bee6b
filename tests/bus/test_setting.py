"""Folders in which an app looks for files."""

from __future__ import annotations

from pathlib import Path

from steerageway.bus.core.setting import Setting


def test_files_are_searched_next_to_the_mission_then_at_home_and_above(tmp_path: Path) -> None:
    run, home = tmp_path / "run", tmp_path / "missions" / "alpha"
    places = Setting("pTest", folder=run, home=home).places
    assert places == (run, home, *home.parents)
    assert Setting("pTest", folder=home).places == (home, *home.parents)
