"""Cache of generated mission files, used by several launches at once."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

from steerageway.declarations import write_whole
from steerageway.launcher.mission_cache import link

TEXT = "ProcessConfig = ANTLER\n" * 20_000


def test_a_reader_of_a_file_being_rewritten_finds_all_of_it(tmp_path: Path) -> None:
    path, done = tmp_path / "a.moos", Event()
    write_whole(path, TEXT)

    def write_on() -> None:
        while not done.is_set():
            write_whole(path, TEXT)

    writer = Thread(target=write_on)
    writer.start()
    lengths = {len(path.read_text()) for _ in range(150)}
    done.set()
    writer.join()
    assert lengths == {len(TEXT)}
    assert [found.name for found in tmp_path.iterdir()] == ["a.moos"]


def test_a_link_made_by_another_launch_stays(tmp_path: Path) -> None:
    target = tmp_path / "plugs.moos"
    target.write_text("x")
    for _ in range(2):
        link(tmp_path / "link", target)
    assert (tmp_path / "link").read_text() == "x"
