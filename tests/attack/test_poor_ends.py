"""Where the system gives little, a launch ends with the documented code and a sentence."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from launches import ROOT, Launch

from steerageway.bus import sleep

pytestmark = [pytest.mark.process, pytest.mark.slow]
TIMEOUT = 120.0
ALPHA = ("missions/alpha", "--warp", "max", "--for", "5", "--port", "auto")
PLACES = ("process", "community", "one")


def launch(
    *options: str,
    prepare: Callable[[], Any] = lambda: None,
    code: str = "",
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """Launch alpha with little of something."""
    start = ["-c", code] if code else [str(ROOT / "launch.py")]
    return subprocess.run(
        [sys.executable, *start, *ALPHA, *options],
        cwd=ROOT,
        env=dict(os.environ, **environment),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        preexec_fn=prepare,
    )


def files(number: int) -> Callable[[], None]:
    """Let a process open this number of files."""
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_a_run_needs_no_streams(place: str, closed: tuple[int, ...]) -> None:
    ended = launch("--placement", place, "--no-log", prepare=lambda: [*map(os.close, closed)])
    assert ended.returncode == 0, ended.stderr
    assert "Traceback" not in ended.stderr
    assert ("ended: for" in ended.stdout) == (1 not in closed)


@pytest.mark.parametrize("place", [*PLACES, "free"])
def test_a_long_name_of_the_temporary_folder_does_no_harm(place: str, tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 100)
    folder.mkdir()
    options = ("--free-run", "--warp", "5") if place == "free" else ("--placement", place)
    ended = launch(*options, "--no-log", TMPDIR=str(folder))
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr


@pytest.mark.parametrize("number", [8, 12, 16, 20])
def test_too_few_files_are_a_sentence(number: int) -> None:
    ended = launch("--no-log", prepare=files(number))
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert f"a process may open {number} files only; expected" in ended.stderr


def test_a_process_that_cannot_be_started_is_a_sentence() -> None:
    code = (
        "import os, sys\n"
        "left, fork = [3], os.fork\n"
        "def few():\n"
        "    left[0] -= 1\n"
        "    if not left[0]: raise BlockingIOError(11, 'Resource temporarily unavailable')\n"
        "    return fork()\n"
        "os.fork = few\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from steerageway.launcher.command import main\n"
        "sys.exit(main())"
    )
    ended = launch("--no-log", code=code)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "no process can be started: Resource temporarily unavailable" in ended.stderr


def test_of_two_launches_with_one_log_folder_one_runs(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "launch.py"), *ALPHA, "--log", str(tmp_path / "log")]
    pair = [
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    output = [one.communicate(timeout=TIMEOUT)[1].decode() for one in pair]
    assert sorted(one.returncode for one in pair) == [0, 2, 2], output
    assert "Traceback" not in "".join(output)
    assert len(list((tmp_path / "log").rglob("*.alog"))) == 1


@pytest.mark.parametrize("delay", [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.2])
def test_an_interrupt_at_any_moment_is_130_and_no_traceback(delay: float, tmp_path: Path) -> None:
    ended = Launch(("missions/alpha", "--warp", "10"), tmp_path)
    sleep(delay)
    os.killpg(ended.process.pid, signal.SIGINT)
    code, output = ended.end(), ended.said.read_text()
    assert ended.orphans() == []
    if code != -signal.SIGINT and "launch.py" in output:  # else Python itself was not up yet
        assert code == 130, output
        assert "Traceback" not in output


def test_a_broker_that_is_stopped_for_ever_is_ended_after_an_interrupt(tmp_path: Path) -> None:
    stopped = Launch(("missions/alpha", "--warp", "10"), tmp_path)
    stopped.grow_to(1)
    os.kill(stopped.children()["broker"], signal.SIGSTOP)
    os.kill(stopped.process.pid, signal.SIGINT)
    assert stopped.end() == 130
    assert stopped.orphans() == []
    output = stopped.said.read_text()
    assert "Traceback" not in output
    assert "did not answer, and was ended" in output
