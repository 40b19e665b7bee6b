"""Missions under way in processes of their own, and what they leave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from steerageway.bus import RUN_FILE, fork, sleep, wall
from steerageway.launcher.command import main
from steerageway.moos.alog import read_banner

ROOT = Path(__file__).parents[2]
TIMEOUT = 120.0  # wall seconds; only what fails takes so long
HANGS = -1000  # the exit code of what does not end


class Forked:
    """A copy of this process, which has everything loaded; to be used as a ``Popen``."""

    def __init__(self, life: Callable[[], int], reported: int) -> None:
        """Fork it into a separate session.

        Args:
            life: what it does; gives the exit code.
            said: the file for what it prints.
        """
        self.returncode: int | None = None
        self.pid = fork(lambda: _live(life, reported))

    def poll(self) -> int | None:
        """Return the exit code, if it has ended."""
        if self.returncode is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self.returncode = os.waitstatus_to_exitcode(status) if ended else None
        return self.returncode

    def wait(self, timeout: float = TIMEOUT) -> int:
        """Wait until it has ended.

        Raises:
            TimeoutExpired: it has not in time.
        """
        deadline = wall() + timeout
        while (code := self.poll()) is None:
            if wall() > deadline:
                raise subprocess.TimeoutExpired("", timeout)
            sleep(0.005)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)


class Running:
    """A process in a separate session."""

    process: Forked | subprocess.Popen[bytes]

    def children(self) -> dict[str, int]:
        """Return the processes of the run by name."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = {}
        with suppress(OSError):
            for word in listed.read_text().split():
                with suppress(OSError):  # it has just ended
                    found[Path(f"/proc/{word}/comm").read_text().strip()] = int(word)
        return found

    def orphans(self) -> list[int]:
        """Return the remaining processes of the run's session when its first one has ended."""
        return [int(p.name) for p in Path("/proc").iterdir() if _is_of(p, self.process.pid)]

    def end(self) -> int:
        """Wait until it is over; give the exit code, or end it."""
        try:
            return self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return HANGS


class Launch(Running):
    """A mission under way."""

    def __init__(self, arguments: Sequence[str], folder: Path, *, warm: bool = False) -> None:
        """Launch; the logs go to ``folder/log``.

        Args:
            warm: whether by a copy of this process, which spares loading all modules.
        """
        self.arguments = arguments
        self.log, self.summary = folder / "log", folder / "summary.json"
        self.said, self.runtime = folder / "said", folder / "runtime"
        files = ("--log", str(self.log), "--json", str(self.summary))
        given = (*arguments, "--port", "auto", *files)
        self.runtime.mkdir()
        place = dict.fromkeys(("TMPDIR", "XDG_RUNTIME_DIR"), str(self.runtime))
        with self.said.open("wb") as file:
            if warm:
                self.process = Forked(lambda: _launch(given, place), file.fileno())
                return
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "launch.py"), *given],
                stdout=file,
                stderr=file,
                env=dict(os.environ, **place),
                start_new_session=True,
            )

    def grow_to(self, size: int) -> None:
        """Wait until a log has this number of bytes, or the run is over."""
        deadline = wall() + TIMEOUT
        while self.process.poll() is None and wall() < deadline:
            if any(path.stat().st_size >= size for path in self.log.rglob("*.alog")):
                return
            sleep(0.01)

    def litter(self) -> list[str]:
        """Return the remaining files of the run except kept missions."""
        run_files = self.runtime.glob("steerageway/*.json")
        return [path.name for path in (*run_files, *self.runtime.glob("steerageway-*"))]


class Log(NamedTuple):
    """The entries of a log.

    Attributes:
        start: simulated time [s] of the log's time zero.
        lines: the entries that are whole.
        rest: the beginning of a further one.
    """

    start: float
    lines: list[bytes]
    rest: bytes = b""

    def before(self, time: float) -> list[bytes]:
        """Return the entries that were committed before an instant [s].

        Entries are in the order in which they were committed. Entries forwarded by another
        community have an earlier time; where one of them is last, its commit time is unknown.
        """
        end, latest, sure = time - self.start - 1e-6, 0.0, 0
        for count, line in enumerate(self.lines, 1):
            own = float(line.split(None, 1)[0])
            if own >= end:
                break
            if own >= latest:
                latest, sure = own, count
        return self.lines[:sure]

    def begins(self, whole: Log) -> bool:
        """Whether it is the beginning of another, to the last byte."""
        count = len(self.lines)
        further = whole.lines[count : count + 1] or [b""]
        return self.lines == whole.lines[:count] and further[0].startswith(self.rest)

    @property
    def last(self) -> float:
        """The simulated time [s] of the last entry."""
        return max((float(line.split(None, 1)[0]) for line in self.lines), default=0.0) + self.start


def logs_of(folder: Path) -> dict[str, Log]:
    """Return the logs in a run's folder, by community."""
    file = folder / RUN_FILE
    if not file.exists():
        return {}
    about = json.loads(file.read_text())
    epoch, communities = about["epoch"], about["communities"]
    found = {}
    for path in folder.rglob("*.alog"):
        first = path.relative_to(folder).parts[0]
        name = first if len(communities) > 1 else communities[0]
        *whole, rest = path.read_bytes().split(b"\n")
        lines = [line for line in whole if not line.startswith(b"%%")]
        start = read_banner(path).start - epoch if lines else 0.0
        found[name] = Log(start, lines, b"" if rest.startswith(b"%") else rest)
    return found


def _launch(arguments: Sequence[str], place: dict[str, str]) -> int:
    os.environ.update(place)
    tempfile.tempdir = None
    return main(arguments)


def _live(life: Callable[[], int], output: int) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdout, sys.stderr = (os.fdopen(k, "w", 1, closefd=False) for k in (1, 2))
    try:
        code = life()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _is_of(entry: Path, session: int) -> bool:
    """Whether an entry of /proc is a process of a session, and no zombie."""
    if not entry.name.isdecimal():
        return False
    try:
        state, _, _, its = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
    except (OSError, ValueError):
        return False
    return int(its) == session and state != "Z"
