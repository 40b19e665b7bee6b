"""Kills of a run's processes at random moments, and what must be so after each."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from launches import HANGS, Launch, Log, logs_of

from steerageway.bus import sleep, wall

ENDED = (signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT)
INTERRUPTING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BROKER, LAUNCHER, ALL, LOGGER = "broker", "launcher", "all", "pLogger"
RESTARTS = "5"
SIZES = (1, 20_000, 100_000)  # bytes of log before a kill
ENDING = 10.0  # wall seconds in which what is left of a run ends by itself


class Kill(NamedTuple):
    """One run that was disturbed.

    Attributes:
        attack: what was done to it.
        killed: names of the processes that were sent a signal.
        sent: the last signal.
        code: exit code of the launcher.
        posted: messages posted, of those that the run told of.
        wrong: what must not be; "" if nothing is.
    """

    attack: str
    killed: tuple[str, ...]
    sent: int
    code: int
    posted: int
    wrong: str


def disturb(
    arguments: Sequence[str],
    reference: dict[str, Log],
    folder: Path,
    rng: Random,
    attack: str = "apps",
    *,
    warm: bool = False,
) -> Kill:
    """Launch a mission, kill processes of it at random moments, and check the remains.

    Args:
        arguments: of the launch.
        reference: the logs of the undisturbed run.
        folder: an empty one.
        attack: a key of ``ATTACKS``.
        warm: see ``Launch``.
    """
    more = ("--restarts", RESTARTS) if attack == "again" else ()
    launch = Launch((*arguments, *more), folder, warm=warm)
    launch.grow_to(rng.choice(SIZES))
    sleep(rng.random() * 0.2)
    killed, sent = ATTACKS[attack](launch, rng)
    return _judged(launch, attack if killed else "none", killed, sent, reference)


Killed = tuple[tuple[str, ...], int]


def _kill_apps(launch: Launch, rng: Random) -> Killed:
    """Kill one to three of the processes of apps."""
    children, sent = launch.children(), rng.choice(ENDED)
    apps = sorted(name for name in children if name != BROKER)
    victims = rng.sample(apps, min(len(apps), rng.choice((1, 1, 2, 3))))
    return tuple(name for name in victims if _kill(children[name], sent)), sent


def _kill_again(launch: Launch, rng: Random) -> Killed:
    """Kill processes of apps, but not the logger's, one after the other; they come back."""
    killed: tuple[str, ...] = ()
    names = sorted(name for name in launch.children() if name not in (BROKER, LOGGER))
    for _ in range(2 * int(RESTARTS)):
        name, children = rng.choice(names), launch.children()
        if killed.count(name) < int(RESTARTS) and name in children:
            killed += (name,) if _kill(children[name], signal.SIGKILL) else ()
        sleep(rng.random() * 0.2)
    return killed, signal.SIGKILL


def _kill_broker(launch: Launch, rng: Random) -> Killed:
    """Kill the broker."""
    sent = rng.choice(ENDED)
    pid = launch.children().get(BROKER, 0)
    return (BROKER,) if pid and _kill(pid, sent) else (), sent


def _kill_launcher(launch: Launch, rng: Random) -> Killed:
    """Kill the launcher alone."""
    running = launch.process.poll() is None
    return (LAUNCHER,) if running and _kill(launch.process.pid, 9) else (), signal.SIGKILL


def _interrupt(launch: Launch, rng: Random) -> Killed:
    """Send the launcher, or the whole session as a terminal does, a signal that ends a run."""
    sent = rng.choice(INTERRUPTING)
    if launch.process.poll() is not None:
        return (), sent
    (os.killpg if rng.random() < 0.5 else os.kill)(launch.process.pid, sent)
    return (LAUNCHER,), sent


def _kill_all(launch: Launch, rng: Random) -> Killed:
    """Kill the whole session at once."""
    if launch.process.poll() is not None:
        return (), signal.SIGKILL
    victims = (LAUNCHER, *launch.children())
    os.killpg(launch.process.pid, signal.SIGKILL)
    return victims, signal.SIGKILL


SPARING = (LAUNCHER, "interrupt", ALL)  # attacks on what every run has
# "again" is for placement process, where each app's process is its own.
ATTACKS: dict[str, Callable[[Launch, Random], Killed]] = {
    "apps": _kill_apps,
    "again": _kill_again,
    BROKER: _kill_broker,
    LAUNCHER: _kill_launcher,
    "interrupt": _interrupt,
    ALL: _kill_all,
}


def _kill(pid: int, sent: int) -> bool:
    """Send a process a signal; False if it has ended."""
    try:
        os.kill(pid, sent)
    except ProcessLookupError:
        return False
    return True


def _judged(
    launch: Launch, attack: str, killed: tuple[str, ...], sent: int, reference: dict[str, Log]
) -> Kill:
    """Return the errors in the remains of a killed run."""
    if attack == LAUNCHER and "one" in launch.arguments:
        attack = ALL  # the launcher holds broker and logger, too
    code, wrong = launch.end(), []
    deadline = wall() + ENDING
    while launch.orphans() and wall() < deadline:
        sleep(0.02)
    if orphans := launch.orphans():
        wrong.append(f"left running: {orphans}")
    if attack != ALL and (left := launch.litter()):
        wrong.append(f"left behind: {left}")
    if "Traceback" in launch.said.read_text(errors="replace"):
        wrong.append("a traceback")
    record = json.loads(launch.summary.read_text()) if launch.summary.exists() else {}
    failures = record.get("failures", [])
    logs = logs_of(launch.log)
    whole = all(log.lines == reference[name].lines for name, log in logs.items())
    if code == HANGS:
        wrong.append("did not end")
    elif not _is_right(code, attack, sent, failed=bool(failures), whole=whole):
        wrong.append(f"exit code {code}")
    for name, log in logs.items():
        if problem := _compared(attack, name, log, reference[name], failures):
            wrong.append(problem)
    return Kill(attack, killed, sent, code, record.get("posted", 0), "; ".join(wrong))


def _is_right(code: int, attack: str, sent: int, *, failed: bool, whole: bool) -> bool:
    """Whether an exit code is as documented; a run may have been finished already."""
    if code == 0:
        return not failed or attack == "again"
    if attack in (LAUNCHER, ALL):
        return code == -signal.SIGKILL
    if attack == "interrupt":
        return code == 128 + sent or (whole and code == -sent)
    return attack != "none" and code == 1 and failed


def _compared(
    attack: str, name: str, log: Log, expected: Log, failures: list[dict[str, Any]]
) -> str:
    """Return how a log differs from the undisturbed one where it must not."""
    apps = [failure for failure in failures if failure["app"] != BROKER]
    failed = min((failure["time"] for failure in apps), default=None)
    loggers = {f["community"] for f in apps if f["app"] == LOGGER}
    if attack in (BROKER, ALL, "none") or name in loggers:
        return "" if log.begins(expected) else f"{name}: no beginning of the undisturbed log"
    if attack in (LAUNCHER, "interrupt"):  # apps take their leave at the last instant
        failed = log.last
    if failed is not None and log.before(failed) != expected.before(failed):
        return f"{name}: the log before {failed} s is another"
    if failed is None and not log.begins(expected):
        return f"{name}: no beginning of the undisturbed log"
    return f"{name}: a line that is cut off" if log.rest else ""
