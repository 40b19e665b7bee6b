"""Where the system gives little, a launch ends with the documented code and a sentence."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from disturbances import address_of, token_of
from launches import ROOT, Launch

from steerageway.bus import Client, sleep

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
@pytest.mark.parametrize("closed", [(1,), (0, 1, 2)])
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


@pytest.mark.parametrize("number", [8, 20])
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


@pytest.mark.parametrize("place", ["process", "one"])
def test_a_log_folder_without_room_is_a_sentence(place: str, tmp_path: Path) -> None:
    """The run's own file does not fit; nothing has run, and nothing is left."""
    folder = tmp_path / "log"
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))  # noqa: E731
    ended = launch("--placement", place, "--attach", "--log", str(folder), prepare=limit)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert f"{folder}/run.json: File too large" in ended.stderr
    assert not folder.exists()


def test_posts_that_cannot_be_recorded_are_reported_and_the_run_goes_on(tmp_path: Path) -> None:
    limited = Launch(("missions/alpha", "--warp", "10", "--for", "80"), tmp_path)
    limited.grow_to(1)
    broker = limited.children()["broker"]
    resource.prlimit(broker, resource.RLIMIT_FSIZE, (2000, 2000))
    with Client.connect(address_of(limited), "poster", token=token_of(limited)) as client:
        for number in range(100):
            client.post("NOTE", float(number))
    assert limited.end() == 0
    output = limited.said.read_text()
    assert "Traceback" not in output
    assert (
        "inputs.jsonl: File too large; what came from outside since then is not recorded" in output
    )


@pytest.mark.parametrize("home", ["/dev/null", "full"])
def test_a_home_in_which_no_machine_code_can_be_kept_costs_time_only(
    home: str, tmp_path: Path
) -> None:
    """Without a folder, or without room in it: the model is compiled by this process alone."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))  # noqa: E731
    (mission := tmp_path / "ship.moos").write_text(
        "Community = ship\nLatOrigin = 0\nLongOrigin = 0\n"
        "ProcessConfig = ANTLER\n{\n  Run = MOOSDB\n  Run = uSimMarineV22\n}\n"
        "ProcessConfig = uSimMarineV22\n{\n  model = fossen\n  vessel = clarke83\n}\n"
    )
    place = {"HOME": home} if home != "full" else {"XDG_CACHE_HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, str(ROOT / "launch.py"), str(mission), *ALPHA[1:], "--no-log"],
        cwd=ROOT,
        env={**os.environ, "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": str(tmp_path), **place},
        capture_output=True,
        text=True,
        timeout=4 * TIMEOUT,
        preexec_fn=limit if home == "full" else None,
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (0, False), ended.stderr
    assert "compiling, once per machine" in ended.stderr


@pytest.mark.parametrize(
    ("delay", "number"), [(0.05, 3), (0.1, 1), (0.2, 3), (0.3, 1), (0.5, 3), (0.8, 1), (1.2, 3)]
)
def test_an_interrupt_at_any_moment_is_130_and_no_traceback(
    delay: float, number: int, tmp_path: Path
) -> None:
    ended = Launch(("missions/alpha", "--warp", "10"), tmp_path)
    sleep(delay)
    for _ in range(number):
        with suppress(ProcessLookupError):
            os.killpg(ended.process.pid, signal.SIGINT)
        sleep(0.02)
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
