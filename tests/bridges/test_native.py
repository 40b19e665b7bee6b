"""Unmodified programs in lockstep: every wait of libc, determinism, failures."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from ctypes import CDLL
from pathlib import Path
from runpy import run_path

import pytest
from moos_programs import ROOT, Running, close_all, log_hash, mission

from steerageway.bridges.native.library import library
from steerageway.bridges.native.program import LockstepProgram, ProgramFailed
from steerageway.bus import NANO
from steerageway.launcher import Mission

pytestmark = pytest.mark.process
EPOCH = 1767225600
WAITS = {  # of waits.cpp, in simulated milliseconds, as asked for there
    "nanosleep": 1500,
    "usleep": 250,
    "sleep": 3000,
    "clock_nanosleep": 700,
    "sleep_for": 40,
    "wait_for": 600,
    "cond_timedwait": 90,
    "notified": 80,
    "join": 120,
    "async": 30,
    "sem_timedwait": 350,
    "sem_wait": 45,
    "select": 130,
    "poll": 170,
    "ppoll": 190,
    "epoll_wait": 210,
    "spin": 2,
}


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    yield
    close_all()


def compiled(source: str, folder: Path, name: str, compiler: str = "cc") -> Path:
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    there = ROOT / "tests" / "bridges" / source
    subprocess.run([compiler, "-O1", "-o", path, there, "-lpthread"], check=True)
    return path


@pytest.fixture
def program() -> Iterator[LockstepProgram]:
    one = LockstepProgram()
    yield one
    one.end()


def begin(program: LockstepProgram, folder: Path, *words: str) -> Path:
    binary = compiled("waits.cpp", folder, "waits", "c++")
    output = folder / "said"
    command = [str(binary), *words]
    program.start(command, library(), folder, output, EPOCH * NANO)
    return output


def test_each_wait_takes_its_simulated_time_and_no_other(
    tmp_path: Path, program: LockstepProgram
) -> None:
    output = begin(program, tmp_path)
    began = time.monotonic()
    instants = []
    while not output.read_text().endswith("end 0 0\n"):
        instants.append(program.report.next)
        program.grant(program.report.next)
    assert time.monotonic() - began < 2.0  # of eight simulated seconds
    said = [line.split() for line in output.read_text().splitlines()]
    assert said[0] == ["start", str(EPOCH), "4242", "0"]
    taken = {name: (int(one), int(other)) for name, one, other in said[1:-1]}
    assert taken == {name: (wait, wait) for name, wait in WAITS.items()}
    assert instants == sorted(instants)
    assert program.report.now - EPOCH * NANO == pytest.approx(sum(WAITS.values()) * 1e6, abs=1e5)


def test_time_stands_until_it_is_granted(tmp_path: Path, program: LockstepProgram) -> None:
    output = begin(program, tmp_path)
    for until in (0, NANO, NANO, 3 * NANO // 2 - 1):
        program.grant(EPOCH * NANO + until)
        assert program.report.next == EPOCH * NANO + 3 * NANO // 2
        assert "nanosleep" not in output.read_text()
    program.grant(EPOCH * NANO + 3 * NANO // 2)
    assert "nanosleep 1500 1500" in output.read_text()


@pytest.mark.parametrize(
    ("word", "reason"), [("crash", "ended by SIGSEGV"), ("hang", r"has not waited .*waits R in")]
)
def test_a_program_that_crashes_or_never_waits_is_told(
    tmp_path: Path, program: LockstepProgram, word: str, reason: str
) -> None:
    begin(program, tmp_path, word)
    with pytest.raises(ProgramFailed, match=reason):
        program.grant((EPOCH + 20) * NANO, patience=2.0)


def lockstep(folder: Path, log: str, *options: str) -> Running:
    file = mission(folder, "pStepper @ NewConsole = false")
    compiled("stepper.c", folder, "pStepper")
    programs = ("--exec-path", str(folder / "bin"), "--lockstep", "--for", "20")
    return Running(file, *programs, *options, log=log)


def test_a_program_in_lockstep_gives_one_log_at_every_speed_and_placement(tmp_path: Path) -> None:
    hashes = []
    for number, options in enumerate(
        (
            ("--warp", "max"),
            ("--warp", "10"),
            ("--warp", "max", "--placement", "one"),
            ("--warp", "max", "--placement", "community"),
        )
    ):
        code, summary = (run := lockstep(tmp_path, f"log{number}", *options)).ended()
        assert code == 0
        assert summary["deterministic"]
        hashes.append(log_hash(summary))
    assert len(set(hashes)) == 1
    (alog,) = run.log.rglob("*.alog")
    lines = [line.split() for line in alog.read_text().splitlines()]
    steps = [(float(one[0]), float(one[3])) for one in lines if one[1:3] == ["STEP", "pStepper"]]
    # It starts 0.2 s after the first of the launch list, and posts by its own clock from then on.
    expected = [(0.2 + 0.25 * step, step) for step in range(1, len(steps) + 1)]
    assert len(steps) > 70
    assert steps == [(pytest.approx(time, abs=1e-3), step) for time, step in expected]
    doubled = [float(one[3]) for one in lines if one[1:3] == ["DOUBLED", "pStepper"]]
    assert doubled[5:] == [doubled[5] + 2 * k for k in range(len(doubled) - 5)]


def test_a_program_that_crashes_in_lockstep_ends_the_run_and_is_named(tmp_path: Path) -> None:
    file = mission(tmp_path, "pStepper @ ExtraProcessParams = crash")
    file.write_text(file.read_text().replace("  Run = pLogger\n", "  crash = 9\n  Run = pLogger\n"))
    compiled("stepper.c", tmp_path, "pStepper")
    options = ("--exec-path", str(tmp_path / "bin"), "--lockstep", "--for", "20")
    code, summary = Running(file, *options, "--warp", "max").ended()
    assert code == 1
    (failed,) = summary["failures"]
    assert failed["app"] == "pStepper"
    assert failed["reason"] == "its process was ended by SIGABRT"
    assert failed["time"] == pytest.approx(0.2 + 9 * 0.25, abs=0.05)


def test_a_script_cannot_be_in_lockstep(tmp_path: Path) -> None:
    file = mission(tmp_path, "pOwn")
    (tmp_path / "bin").mkdir()
    shutil.copy("/bin/sh", tmp_path / "bin" / "pOwn")
    (tmp_path / "bin" / "pOwn").write_text("#!/bin/sh\n")
    run = Running(file, "--exec-path", str(tmp_path / "bin"), "--lockstep", "--for", "1")
    code, _ = run.ended()
    assert code == 2
    assert "it is no dynamically linked binary; without this option it is paced" in run.said


def test_a_library_that_is_shipped_beside_its_source_needs_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("library.py", "lockstep.c"):
        shutil.copy(ROOT / "bridges" / "native" / name, tmp_path)
    subprocess.run([sys.executable, tmp_path / "library.py"], check=True)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = run_path(str(tmp_path / "library.py"))["library"]()
    assert found.parent == tmp_path
    CDLL(str(found))  # outside of a run it does nothing
    # it is of this very source, or is not taken
    with (tmp_path / "lockstep.c").open("a") as source:
        source.write("\n")
    copied = run_path(str(tmp_path / "library.py"))
    with pytest.raises(copied["NoLibrary"], match="it needs a C compiler"):
        copied["library"]()


@pytest.mark.parametrize("count", [1, 300])  # more than wait at a port at once
def test_strangers_at_the_port_of_a_program_are_not_taken_for_it(
    tmp_path: Path, program: LockstepProgram, count: int
) -> None:
    binary = compiled("stepper.c", tmp_path, "pStepper")
    given = tmp_path / "given.moos"
    given.write_text("ServerPort = 9000\n")
    with ExitStack() as strangers:
        for _ in range(count):
            stranger = strangers.enter_context(socket.socket())
            stranger.setblocking(False)
            stranger.connect_ex(("127.0.0.1", program.port))
        command = [str(binary), str(given), "pStepper"]
        program.start(command, library(), tmp_path, tmp_path / "said", EPOCH * NANO)
        assert [one.kind.decode() for one in program.messages()] == ["i", "R"]


def test_a_reset_begins_anew_with_a_new_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    file = mission(tmp_path, "pStepper")
    binary = compiled("stepper.c", tmp_path, "pStepper")
    with Mission(file, exec_path=str(binary.parent), lockstep=True) as stepped:
        stepped.register("STEP", "DOUBLED")
        cases = []
        for seed in (1, 1):
            assert stepped.run_until(3.0)
            cases.append([(one.name, one.time, one.value) for one in stepped.fetch()])
            assert len(running(binary)) == 1
            stepped.reset(seed)
    monkeypatch.delitem(sys.modules, "counting")
    assert cases[0] == cases[1]
    assert len(cases[0]) > 20
    assert running(binary) == []


def running(binary: Path) -> list[str]:
    """Return the processes of a program."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "exe").resolve() == binary.resolve():
                found.append(process.name)
    return found


NOISE = """
import os
from steerageway.bus import App

class Noise(App):
    publishes = ("NOISE",)

    def iterate(self):
        if self.iteration == 7:
            self.post("NOISE", os.urandom(4).hex())
"""


@pytest.mark.parametrize(
    ("run", "code", "said"),
    [
        ("pStepper", 0, "no difference"),
        ("noise:Noise ~ pNoise", 1, "first difference at 1.60000 s: NOISE by pNoise"),
    ],
)
def test_the_first_difference_of_two_runs_is_printed(
    tmp_path: Path, run: str, code: int, said: str
) -> None:
    file = mission(tmp_path, run)
    (tmp_path / "noise.py").write_text(NOISE)
    binary = compiled("stepper.c", tmp_path, "pStepper")
    program = "from steerageway.launcher.verbs import main; import sys; sys.exit(main())"
    command = [sys.executable, "-c", program, "check-determinism", str(file), "--for", "6"]
    command += ["--exec-path", str(binary.parent), "--lockstep"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.splitlines()[0]) == (code, said)
