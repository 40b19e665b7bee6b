"""Files are written whole, or not at all."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from steerageway.declarations import replacing, write_whole
from steerageway.world.mesh import Mesh
from steerageway.world.shapes import box, write_stl

OLD, LONG = "old\n", "0123456789\n" * 1000
# Python itself would leave compiled modules that are cut short.
WITHOUT_ROOM = (sys.executable, "-B", "-m", "steerageway")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file may become larger: as on a full disk, a write is cut, and the next one fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(OLD)
    with room_for(100), pytest.raises(OSError, match="large") as caught:
        write_whole(path, LONG)
    assert caught.value.filename == str(path)
    assert path.read_text() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_an_exception_while_writing_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(OLD)
    with suppress(KeyboardInterrupt), replacing(path) as fresh:
        fresh.write_text(LONG)
        raise KeyboardInterrupt
    assert path.read_text() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_mode_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link"
    path.write_text(OLD)
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, b"\xff")
    assert link.is_symlink()
    assert path.read_bytes() == b"\xff"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    write_whole(Path(f"/dev/fd/{writing}"), OLD)
    assert os.read(reading, 100) == OLD.encode()
    os.close(reading)
    os.close(writing)


@pytest.mark.process
@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pickpos --amt=500 --polygon=0,0:100,0:100,100:0,100 --outfile=OUT", "out.txt"),
        ("nsplug IN OUT -f", "out.txt"),
        ("alog kml LOG -o OUT", "out.kml"),
        ("alog gpx LOG -o OUT", "out.gpx"),
        ("alog mcap LOG -o OUT", "out.mcap"),
        ("world scene harbour --output OUT", "out.yml"),
    ],
)
def test_a_tool_without_room_says_so_and_leaves_the_old_file(
    tmp_path: Path, command: str, output: str
) -> None:
    out, log, given = tmp_path / output, tmp_path / "a.alog", tmp_path / "in.txt"
    out.write_text(OLD)
    given.write_text(LONG)
    lines = (
        f"{t}.0   {name}  uSimMarine  {43 + t / 1e4}\n"
        for t in range(1, 400)
        for name in ("NAV_LAT", "NAV_LONG", "NAV_X")
    )
    log.write_text("%% LOGSTART 1700000000.0\n" + "".join(lines))
    names = {"OUT": str(out), "LOG": str(log), "IN": str(given)}
    words = [names.get(word, word.replace("OUT", str(out))) for word in command.split()]
    call = [*WITHOUT_ROOM, *words]
    with room_for(600):
        ended = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode not in (0, -25), ended
    assert "Traceback" not in ended.stderr, ended.stderr
    assert output in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert out.read_text() == OLD


@pytest.mark.process
@pytest.mark.parametrize("command", ["vessel show otter", "apps", "--help", "help pid"])
def test_a_full_standard_output_is_one_sentence(command: str) -> None:
    call = [sys.executable, "-m", "steerageway", *command.split()]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(call, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "No space left on device" in ended.stderr


@pytest.mark.process
@pytest.mark.parametrize("command", ["new vessel mine", "keys mine --add bob"])
def test_what_failed_without_room_can_be_done_again_with_room(tmp_path: Path, command: str) -> None:
    call = [*WITHOUT_ROOM, *command.split()]
    with room_for(90):  # less than two keys of 40 characters and their words
        ended = subprocess.run(call, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    subprocess.run(call, capture_output=True, check=True, cwd=tmp_path)


def test_a_mesh_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "a.stl"
    path.write_text(OLD)
    mesh: Mesh = box(1.0, 1.0, 1.0)
    with room_for(100), pytest.raises(OSError, match="large"):
        write_stl(mesh, path)
    assert path.read_text() == OLD
