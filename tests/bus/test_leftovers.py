"""Files of killed runs are removed when another starts; those in use are not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from stage import CallRecorder, cast, mission, play

from steerageway.bus.core.plan import Placement
from steerageway.bus.core.runtime import runtime_folder
from steerageway.bus.observers.leftovers import OwnFolder, clear_leftovers
from steerageway.bus.observers.run_file import this_host

KILLED = (
    "from steerageway.bus.observers.leftovers import OwnFolder as F; "
    "f = F(); print(f.path, flush=True); input()"
)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a place for temporary folders of this test, and a runtime folder next to it.

    The place has a short name, or sockets in it could have none.
    """
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "runtime"))
    (tmp_path / "runtime" / "steerageway").mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="own-") as place:
        monkeypatch.setenv("TMPDIR", place)
        monkeypatch.setattr(tempfile, "tempdir", place)
        yield Path(place)


@pytest.mark.process
def test_the_folder_of_a_killed_run_is_removed_but_not_of_a_running_one(own: Path) -> None:
    mine = OwnFolder()
    command = [sys.executable, "-c", KILLED]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout is not None
        reference = Path(other.stdout.readline().strip())
        clear_leftovers()
        assert reference.is_dir()
        other.send_signal(signal.SIGKILL)
        other.wait()
    strange = own / "steerageway-of-somebody"
    strange.mkdir()
    clear_leftovers()
    assert sorted(own.iterdir()) == sorted([mine.path, strange])
    mine.remove()
    assert list(own.iterdir()) == [strange]


def test_the_run_files_of_dead_runs_are_removed(own: Path, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime" / "steerageway"
    dead = 2**22 + 1  # Linux counts no further than 2 ** 22
    for name, about in {
        "dead": {"pid": dead, "host": this_host()},
        "alive": {"pid": os.getpid(), "host": this_host()},
        "elsewhere": {"pid": dead, "host": "another.machine"},
        "strange": ["no run"],
    }.items():
        (runtime / f"{name}.json").write_text(json.dumps(about))
    clear_leftovers()
    assert {path.stem for path in runtime.iterdir()} == {"alive", "elsewhere", "strange"}


@pytest.mark.process
def test_a_starting_run_removes_leftovers_and_leaves_none(own: Path, tmp_path: Path) -> None:
    runtime = tmp_path / "runtime" / "steerageway"
    (runtime / "1.json").write_text(json.dumps({"pid": 2**22 + 1, "host": this_host()}))
    play(
        mission(cast(CallRecorder, "pSee", tmp_path, hears="NONE"), seconds=0.5), Placement.PROCESS
    )
    assert list(runtime.iterdir()) == list(own.iterdir()) == []


def test_the_runtime_folder_is_one_that_can_be_written_to(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert runtime_folder() == tmp_path / "runtime" / "steerageway"
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/dev/null/runtime")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert runtime_folder() == tmp_path / "home" / ".cache" / "steerageway"
    for nowhere in ("/dev/null", "relative"):
        monkeypatch.setenv("HOME", nowhere)
        assert runtime_folder() == own / f"steerageway.{os.getuid()}" / "steerageway"


@pytest.mark.process
def test_a_run_continues_where_its_run_file_cannot_be_written(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (own / f"steerageway.{os.getuid()}").write_text("in the way")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/dev/null/runtime")
    monkeypatch.setenv("HOME", "/dev/null")
    plan = mission(cast(CallRecorder, "pSee", tmp_path, hears="NONE"), seconds=0.5, port=0)
    assert play(plan, Placement.PROCESS).exit_reason == "for"
    assert "no console will find this run by itself" in capfd.readouterr().err
