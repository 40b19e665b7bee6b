"""Kills of a run's processes at random moments, and what must be so after each."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from steerageway.bus import RUN_FILE, sleep, wall
from steerageway.moos.alog import read_banner

ROOT = Path(__file__).parents[2]
TIMEOUT = 120.0  # wall seconds; only what fails takes so long
ENDED = (signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)


class Kill(NamedTuple):
    """One run that was disturbed.

    Attributes:
        victim: the process's name.
        code: exit code of the launcher.
        failed: the instant at which something is said to have failed [s]; None: nothing was.
        wrong: what must not be; "" if nothing is.
    """

    victim: str
    code: int
    failed: float | None
    wrong: str


class Launch:
    """A mission under way in processes of its own."""

    def __init__(self, arguments: Sequence[str], folder: Path) -> None:
        """Launch; the logs go to ``folder/log``."""
        self.log, self.summary = folder / "log", folder / "summary.json"
        self.said = folder / "said"
        command = [sys.executable, str(ROOT / "launch.py"), *arguments, "--port", "auto"]
        runtime = folder / "runtime"
        runtime.mkdir()
        environment = dict(os.environ, TMPDIR=str(runtime), XDG_RUNTIME_DIR=str(runtime))
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [*command, "--log", str(self.log), "--json", str(self.summary)],
                stdout=said,
                stderr=said,
                env=environment,
                start_new_session=True,
            )

    def grow_to(self, size: int) -> None:
        """Wait until a log has so many bytes, or the run is over."""
        deadline = wall() + TIMEOUT
        while self.process.poll() is None and wall() < deadline:
            if any(path.stat().st_size >= size for path in self.log.rglob("*.alog")):
                return
            sleep(0.01)

    def children(self) -> dict[str, int]:
        """Give the processes of the run by name."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = {}
        for word in listed.read_text().split() if listed.exists() else ():
            try:
                found[Path(f"/proc/{word}/comm").read_text().strip()] = int(word)
            except OSError:  # it has just ended
                continue
        return found

    def orphans(self) -> list[int]:
        """Give what is left of the run's session when its first process has ended."""
        return [int(p.name) for p in Path("/proc").iterdir() if _is_of(p, self.process.pid)]

    def end(self) -> int:
        """Wait until it is over; give the exit code, or end it."""
        try:
            return self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return -1000


class Log(NamedTuple):
    """The entries of a log.

    Attributes:
        start: simulated time [s] of the log's time zero.
        lines: the entries that are whole.
    """

    start: float
    lines: list[bytes]

    def before(self, time: float) -> list[bytes]:
        """Give the entries of the simulated time before an instant [s]."""
        end = time - self.start - 1e-6
        return [line for line in self.lines if float(line.split(None, 1)[0]) < end]


def logs_of(folder: Path) -> dict[str, Log]:
    """Give the logs in a run's folder, by community."""
    about = json.loads((folder / RUN_FILE).read_text())
    epoch, communities = about["epoch"], about["communities"]
    found = {}
    for path in folder.rglob("*.alog"):
        first = path.relative_to(folder).parts[0]
        name = first if len(communities) > 1 else communities[0]
        whole = path.read_bytes().split(b"\n")[:-1]
        lines = [line for line in whole if not line.startswith(b"%%")]
        found[name] = Log(read_banner(path).start - epoch, lines)
    return found


def disturb(
    arguments: Sequence[str], reference: dict[str, Log], folder: Path, chance: Random
) -> Kill:
    """Launch a mission, kill one of its apps at a random moment, and look at what is left."""
    launch = Launch(arguments, folder)
    launch.grow_to(chance.choice((1, 20_000, 200_000)))
    sleep(chance.random() * 0.3)
    children = launch.children()
    apps = sorted(name for name in children if name != "broker")
    victim = chance.choice(apps) if apps else ""
    sent = chance.choice(ENDED)
    try:
        os.kill(children[victim], sent)
    except (KeyError, ProcessLookupError):
        victim = ""
    code = launch.end()
    return judge(launch, victim, code, reference)


def judge(launch: Launch, victim: str, code: int, reference: dict[str, Log]) -> Kill:
    """Say what is wrong with what a killed run has left."""
    wrong = []
    deadline = wall() + 10.0
    while launch.orphans() and wall() < deadline:
        sleep(0.02)
    if launch.orphans():
        wrong.append(f"left running: {launch.orphans()}")
    told = json.loads(launch.summary.read_text()) if launch.summary.exists() else {}
    failures = told.get("failures", [])
    failed = min((failure["time"] for failure in failures), default=None)
    if victim and code != 1 and failures:
        wrong.append(f"exit code {code}")
    if code == -1000:
        wrong.append("did not end")
    if "Traceback" in launch.said.read_text(errors="replace"):
        wrong.append("a traceback")
    cut_off = {f["community"] for f in failures if f["app"] == "pLogger"}
    for name, log in logs_of(launch.log).items():
        expected = reference[name]
        if name in cut_off or failed is None:
            if log.lines != expected.lines[: len(log.lines)]:
                wrong.append(f"{name}: no beginning of the undisturbed log")
        elif log.before(failed) != expected.before(failed):
            wrong.append(f"{name}: the log before {failed} s is another")
    return Kill(victim, code, failed, "; ".join(wrong))


def _is_of(entry: Path, session: int) -> bool:
    """Whether an entry of /proc is a process of a session, and no zombie."""
    if not entry.name.isdecimal():
        return False
    try:
        state, _, _, its = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
    except (OSError, ValueError):
        return False
    return int(its) == session and state != "Z"
