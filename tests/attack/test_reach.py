"""Posts of clients reach no file outside the mission's folder and the run's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from steerageway.apps.logs.logger.copies import LARGEST_COPY, Copies, CopyRefused
from steerageway.launcher.command import main


@pytest.fixture
def mission(tmp_path: Path) -> Path:
    """Return a mission's folder, next to a folder that must stay unread."""
    folder = tmp_path / "mission"
    folder.mkdir()
    (folder / "alpha.bhv").write_text("a behavior")
    (folder / "alpha.bhv").chmod(0o640)
    (tmp_path / "secret").write_text("a secret")
    (folder / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    with (folder / "large").open("wb") as file:
        file.truncate(LARGEST_COPY + 1)
    (tmp_path / "kept").mkdir()
    return folder


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../secret", "not below"),
        ("link", "not below"),
        ("/etc/passwd", "not below"),
        ("/dev/zero", "not below"),
        ("pipe", "not a file"),
        (".", "not a file"),
        ("large", "more than"),
        ("none", "No such file"),
        ("\0", "no file's name"),
        ("x" * 5000, "File name too long"),
    ],
)
def test_files_outside_the_mission_are_not_copied(mission: Path, name: str, expected: str) -> None:
    copies = Copies([mission], ["alpha.bhv"])
    with pytest.raises(CopyRefused, match=expected):
        copies.keep(mission, name, mission.parent / "kept")
    assert list((mission.parent / "kept").iterdir()) == []


def test_a_copy_keeps_its_mode_and_is_made_once(mission: Path) -> None:
    kept = mission.parent / "kept"
    copies = Copies([mission], [])
    copy = copies.keep(mission, "alpha.bhv", kept)
    assert (copy.name, copy.read_text()) == ("alpha._bhv", "a behavior")
    assert copy.stat().st_mode & 0o777 == 0o640
    made = copy.stat().st_ino
    assert copies.keep(mission, "alpha.bhv", kept).stat().st_ino == made
    (mission / "alpha.bhv").write_text("another")
    os.utime(mission / "alpha.bhv", (1, 1))
    assert copies.keep(mission, "alpha.bhv", kept).read_text() == "another"


def test_a_file_that_the_mission_names_may_be_in_another_folder(mission: Path) -> None:
    copies = Copies([mission], ["../secret"])
    assert copies.keep(mission, "../secret", mission.parent / "kept").read_text() == "a secret"


@pytest.mark.parametrize("name", ["../../pwned", "/tmp/x", "..", ".x", "~root", "a\\b", "n" * 300])
def test_community_names_keep_logs_inside_the_folder(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = tmp_path / "one.moos"
    mission.write_text(f"Community = {name}\nProcessConfig = ANTLER\n{{\nRun = pLogger\n}}\n")
    assert main([str(mission), "--check"]) == 2
    assert f"one.moos:1: Community = {name}: expected a name" in capsys.readouterr().err
