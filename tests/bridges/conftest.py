"""Real peers and short runs for the bridges."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from steerageway.bus import NANO, App, Config, Kind, Message, Outcome, Runner, Setting, Value, run
from steerageway.launcher.options import parse_options
from steerageway.launcher.plan import plan_launch
from steerageway.launcher.summary import log_sha256
from steerageway.moos.alog import Entry, read_entries

ORIGIN = {"LatOrigin": "59.9075", "LongOrigin": "10.7200"}
EPOCH = 1_767_225_600.0  # 2026-01-01

MISSION = """
Community = otter
LatOrigin = 59.9075
LongOrigin = 10.7200

ProcessConfig = ANTLER
{
  MSBetweenLaunches = 100
  Run = MOOSDB
  Run = pLogger
  Run = uSimMarineV22
  Run = BRIDGE
}
ProcessConfig = pLogger
{
  WildCardLogging = true
}
ProcessConfig = uSimMarineV22
{
  prefix = NAV
  start_pos = x=0, y=0, heading=45, speed=2
}
ProcessConfig = BRIDGE
{
"""


class Driven:
    """A bridge driven with the real runner: time and mail in.

    Attributes:
        app: the app itself.
    """

    def __init__(self, kind: type[App], block: str, folder: Path, **setting: Any) -> None:
        lines = [line.partition("=") for line in block.splitlines() if line.strip()]
        config = Config(
            [(k.strip(), v.strip(), f"test.moos:{n}") for n, (k, _, v) in enumerate(lines)]
        )
        origin = Config([(key, value, "test.moos") for key, value in ORIGIN.items()])
        about = {"globals": origin, "folder": folder, "epoch": EPOCH, **setting}
        self.app = kind(Setting(name="pBridge", community="otter", config=config, **about))
        self.app.configure()
        self._runner = Runner(self.app)
        self._runner.run(Kind.START, 0, [])

    def tick(self, time: float, mail: Mapping[str, Value] | None = None) -> list[tuple[str, Value]]:
        """Let the app iterate; return its posts."""
        instant = round(time * NANO)
        messages = [
            Message(name, value, time, "pTest", "", "otter", instant)
            for name, value in (mail or {}).items()
        ]
        posts, _, _ = self._runner.run(Kind.ITERATE, instant, messages)
        return [(name, value) for name, value, _, _ in posts if not name.endswith("_STATUS")]

    def stop(self, time: float) -> None:
        """Let the app stop."""
        self._runner.run(Kind.STOP, round(time * NANO), [])


Drive = Callable[..., Driven]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Drive]:
    """Return ``drive(AppClass, block, **setting) -> Driven``."""
    begun: list[Driven] = []

    def start(kind: type[App], block: str = "", **setting: Any) -> Driven:
        begun.append(Driven(kind, block, tmp_path, **setting))
        return begun[-1]

    yield start
    for driven in begun:
        driven.stop(1e6)


@dataclass(frozen=True)
class Ran:
    """A run that has ended: its outcome, log folder and the digest of its log."""

    outcome: Outcome
    folder: Path
    digest: str | None

    def entries(self) -> list[Entry]:
        """Return all entries of the log."""
        (log,) = self.folder.rglob("*.alog")
        return list(read_entries(log))

    def warnings(self, name: str) -> list[str]:
        """Return the run warnings of an app."""
        (app,) = (one for one in self.outcome.apps if one.name == name)
        return list(app.run_warnings)


Sail = Callable[..., Ran]


@pytest.fixture
def sail(tmp_path: Path) -> Sail:
    """Return ``sail(bridge, block, *arguments, peer=...)``: runs a vessel with a bridge.

    ``peer`` is called in a thread of its own while the run goes on. ``text`` is the mission, up to
    the lines of the last block.
    """
    count = 0

    def start(
        bridge: str,
        block: str,
        *arguments: str,
        peer: Callable[[], None] | None = None,
        text: str = MISSION,
    ) -> Ran:
        nonlocal count
        count += 1
        mission, folder = tmp_path / "otter.moos", tmp_path / f"run{count}"
        mission.write_text(text.replace("BRIDGE", bridge) + block + "\n}\n")
        words = [str(mission), "--log", str(folder), "--for", "30", *arguments]
        words += [] if "one" in arguments else ["--port", "auto"]
        plan = plan_launch(parse_options(words)).plan
        thread = Thread(target=peer, daemon=True) if peer else None
        if thread is not None:
            thread.start()
        outcome = run(plan, lambda progress: None)
        if thread is not None:
            thread.join(20.0)
            assert not thread.is_alive()
        (log,) = folder.rglob("*.alog")
        return Ran(outcome, folder, log_sha256(log.parent))

    return start


def free_port(kind: socket.SocketKind = socket.SOCK_DGRAM) -> int:
    """Return a port that is free."""
    with socket.socket(socket.AF_INET, kind) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
