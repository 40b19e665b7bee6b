"""Missions in which a process dies or hangs, or the disk is full."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE
from threading import Timer
from typing import Any

import pytest
from stage import eventually

from steerageway.apps.shared.run_files import begun_by
from steerageway.bus import Client, sleep
from steerageway.moos.alog import read_entries

ROOT = Path(__file__).parents[2]
ALPHA = ROOT / "missions" / "alpha"
APPS = (
    *("pLogger", "uSimMarineV22", "pMarinePIDV22", "pHelmIvP"),
    *("pNodeReporter", "uProcessWatch", "pRealm"),
)

pytestmark = pytest.mark.process
PATIENCE = 60.0  # wall seconds; no mission here ends by itself


class Running:
    """Alpha running in separate processes, at warp 10."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder = folder
        self.log = folder / "log"
        command = [sys.executable, str(ROOT / "launch.py"), str(ALPHA), "--port", "auto"]
        command += ["--warp", "10", "--log", str(self.log), "--json", str(folder / "run.json")]
        self._said = (folder / "said").open("w")
        self.process = subprocess.Popen(
            [*command, *arguments], stdout=self._said, stderr=self._said
        )
        self.children: dict[str, int] = {}

    def is_under_way(self) -> bool:
        """Whether every app runs and part of the mission is in the log."""
        self.children = children_of(self.process.pid)
        logs = list(self.log.rglob("*.alog"))
        return {"broker", *(app[:15] for app in APPS)} <= set(self.children) and any(
            log.stat().st_size > 20_000 for log in logs
        )

    def wait(self, seconds: float) -> int:
        """Return the exit code, which must come within some wall seconds."""
        try:
            return self.process.wait(seconds)
        finally:
            self._said.close()

    @property
    def said(self) -> str:
        """Its output."""
        return (self.folder / "said").read_text()

    @property
    def summary(self) -> dict[str, Any]:
        """Its summary."""
        found: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return found

    def left_over(self) -> list[int]:
        """Its processes that are still alive."""
        return [pid for pid in self.children.values() if is_alive(pid)]

    def last_time(self) -> float:
        """The time of the last line of its log, all lines of which must be whole."""
        (log,) = self.log.rglob("*.alog")
        assert log.read_bytes().endswith(b"\n")
        return list(read_entries(log))[-1].time


def children_of(pid: int) -> dict[str, int]:
    """Return the children of a process by their titles."""
    found = {}
    try:
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found[Path(f"/proc/{child}/comm").read_text().strip()] = int(child)
    except (FileNotFoundError, ProcessLookupError):  # it ends just now
        return {}
    return found


def is_alive(pid: int) -> bool:
    """Whether a process has not ended; one that has not been waited for has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.fixture
def under_way(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Yield a function that starts alpha; all its processes are ended afterwards."""
    started: list[Running] = []

    def start(*arguments: str) -> Running:
        running = Running(tmp_path, *arguments)
        started.append(running)
        assert eventually(running.is_under_way, PATIENCE), running.said
        return running

    yield start
    for running in started:
        running.process.kill()
        running.process.wait()
        assert eventually(lambda run=running: not run.left_over(), PATIENCE)  # type: ignore[misc]


@pytest.mark.parametrize("app", APPS)
def test_a_killed_app_ends_the_mission_and_is_named(
    app: str, under_way: Callable[..., Running]
) -> None:
    mission = under_way()
    os.kill(mission.children[app[:15]], signal.SIGKILL)
    assert mission.wait(PATIENCE) == 1
    assert not mission.left_over()
    summary = mission.summary
    (failure,) = summary["failures"]
    assert (failure["app"], failure["reason"]) == (app, "its process was ended by SIGKILL")
    assert f"{app}" in mission.said
    assert not summary["deterministic"]
    assert mission.last_time() > 1.0


def test_a_killed_broker_ends_the_mission(under_way: Callable[..., Running]) -> None:
    mission = under_way()
    os.kill(mission.children["broker"], signal.SIGKILL)
    assert mission.wait(PATIENCE) == 1
    assert not mission.left_over()
    assert "broker" in mission.said
    assert "Traceback" not in mission.said
    assert mission.last_time() > 1.0


def test_a_killed_launcher_leaves_no_process_and_whole_logs(
    under_way: Callable[..., Running],
) -> None:
    mission = under_way()
    mission.process.kill()
    assert mission.wait(PATIENCE) == -signal.SIGKILL
    assert eventually(lambda: not mission.left_over(), PATIENCE)
    assert mission.last_time() > 1.0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_mission_leaves_whole_logs(
    number: int, code: int, under_way: Callable[..., Running]
) -> None:
    mission = under_way()
    mission.process.send_signal(number)
    assert mission.wait(PATIENCE) == code
    assert not mission.left_over()
    assert mission.last_time() == pytest.approx(mission.summary["simulated_seconds"], abs=1.0)


@pytest.mark.wall
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_three_seconds_after_a_signal(
    number: int, under_way: Callable[..., Running]
) -> None:
    mission = under_way()
    mission.process.send_signal(number)
    assert eventually(lambda: mission.process.poll() is not None and not mission.left_over(), 3.0)
    assert mission.wait(PATIENCE) != 0


def test_a_slow_machine_cuts_no_log_of_an_interrupted_mission(
    under_way: Callable[..., Running],
) -> None:
    mission = under_way()
    os.kill(mission.children["broker"], signal.SIGSTOP)
    mission.process.send_signal(signal.SIGINT)
    sleep(4.0)
    os.kill(mission.children["broker"], signal.SIGCONT)
    assert mission.wait(PATIENCE) == 130
    assert not mission.left_over()
    assert mission.last_time() == pytest.approx(mission.summary["simulated_seconds"], abs=1.0)


@pytest.mark.wall
def test_a_viewer_attaches_to_a_run_that_is_too_busy_to_answer_at_first(
    under_way: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    mission = under_way()
    broker = mission.children["broker"]
    os.kill(broker, signal.SIGSTOP)
    command = [sys.executable, "-m", "steerageway.web.viewer", str(mission.log), "--port", "auto"]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True) as viewer:
        assert viewer.stdout is not None
        assert viewer.stderr is not None
        assert viewer.stderr.readline().rstrip().endswith("; asking again")
        os.kill(broker, signal.SIGCONT)
        assert viewer.stdout.readline().startswith("viewer: http://127.0.0.1:")
        viewer.terminate()
    # A client that waits longer than usual for answers takes a longer silence for no end.
    monkeypatch.setattr("steerageway.bus.transport.connection.SILENCE", 0.2)
    os.kill(broker, signal.SIGSTOP)
    Timer(1.5, os.kill, (broker, signal.SIGCONT)).start()
    with Client.connect(begun_by(mission.process.pid), "busy", timeout=30.0) as client:
        assert list(client.about["communities"]) == ["alpha"]
    mission.process.send_signal(signal.SIGINT)
    assert mission.wait(PATIENCE) == 130


@pytest.mark.wall
def test_an_app_that_hangs_is_named_and_ends_the_mission(
    under_way: Callable[..., Running],
) -> None:
    mission = under_way("--grant-timeout", "1")
    os.kill(mission.children["pHelmIvP"], signal.SIGSTOP)
    assert mission.wait(PATIENCE) == 1
    assert not mission.left_over()
    (failure,) = mission.summary["failures"]
    assert failure["app"] == "pHelmIvP"
    assert failure["reason"].startswith("did not answer within 1 s")


HANGING = """
from steerageway.bus import App


class Hanging(App):
    def iterate(self):
        print("hanging", flush=True)
        while True:
            try:
                self.spun = True
            except Exception:
                pass
"""


def test_an_app_that_hangs_in_one_process_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "hanging.py").write_text(HANGING)
    block = "ProcessConfig = ANTLER\n{\n  Run = hanging:Hanging\n}\n"
    (tmp_path / "hanging.moos").write_text(f"Community = alpha\n{block}")
    command = [sys.executable, str(ROOT / "launch.py"), str(tmp_path / "hanging.moos")]
    command += ["--placement", "one", "--no-log", "--warp", "max"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"hanging\n"
        running.send_signal(signal.SIGINT)
        _, output = running.communicate(timeout=PATIENCE)
    assert running.returncode in (1, 130)
    assert b"in iterate" in output
    limit = b"did not answer within 0.7 s of wall time, all that an interrupted run gives"
    assert limit in output


@pytest.mark.parametrize("placement", ["one", "process"])
def test_a_full_disk_ends_the_mission_and_keeps_whole_lines(placement: str, tmp_path: Path) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    command = [sys.executable, "-B", str(ROOT / "launch.py"), str(ALPHA), "--warp", "max"]
    command += ["--placement", placement, "--log", str(tmp_path / "log"), "--for", "300"]
    command += ["--port", "auto"] if placement == "process" else []
    ended = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=small_files,
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "cannot write the log: File too large" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
    (log,) = (tmp_path / "log").rglob("*.alog")
    assert log.read_bytes().endswith(b" \n")
    assert 59_000 < log.stat().st_size <= 60_000
    assert list(read_entries(log))
