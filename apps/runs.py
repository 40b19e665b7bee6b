"""Finds the run that a console, a scope or a script is about.

A run writes down where it listens: in ``run.json`` of its folder, and in the user's runtime folder
while it goes on. A mission file says it, too: by its community, or by ServerHost and ServerPort.
"""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.shown import nearest
from bus import BusError
from bus.client import Client
from bus.errors import NoAnswer
from bus.session import runtime_folder
from bus.signpost import RUN_FILE
from bus.standalone import ask_who
from moos.globals import community as community_of
from moos.globals import server_host, server_port
from moos.mission import MissionFile, read_mission

FIELDS = {"address": str, "communities": list, "pid": int}
WHICH = "a mission file, a run's folder, HOST:PORT; default: the run that goes on"
LOCAL_HOST = "localhost"


class NoSuchRun(BusError):
    """There is no such run, or there are several; the text says what would be right."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that goes on.

    Attributes:
        address: where its broker listens.
        about: what the broker says of it.
        community: the one that was meant; "" when none was, among several.
        keys: file of CURVE keys, if the broker wants one.
    """

    address: str
    about: Mapping[str, Any]
    community: str = ""
    keys: Path | None = None

    @property
    def communities(self) -> list[str]:
        """The names of its communities, in the order of launch."""
        return list(self.about["communities"])

    def connect(self, name: str, community: str = "") -> Client:
        """Come in as an observer of one community; of the one that was meant if none is named."""
        about = community or self.community
        return Client.connect(self.address, name, community=about, keys=self.keys)


def add_run_arguments(parser: ArgumentParser) -> None:
    """Let a command line say which run is meant."""
    group = parser.add_argument_group("which run")
    group.add_argument("--host", "--serverhost", default="", help="of the broker (localhost)")
    group.add_argument("--port", "--serverport", type=int, default=0, help="of the broker (9000)")
    group.add_argument("--community", default="", metavar="NAME", help="if there are several")
    group.add_argument(
        "--keys", type=Path, metavar="FILE", help="a client's CURVE keys, if the broker wants them"
    )


def named_run(target: str, options: Namespace) -> Run:
    """Find the run that a command line names.

    Raises:
        NoSuchRun, NoAnswer, FormatError: see ``find_run``.
    """
    if options.host or options.port:
        target_address = f"{options.host or LOCAL_HOST}:{options.port or 9000}"
        community = options.community or _community_in(target)
        return run_at(target_address, community, options.keys)
    return find_run(target, community=options.community, keys=options.keys)


def find_run(target: str = "", *, community: str = "", keys: Path | None = None) -> Run:
    """Find a run.

    Args:
        target: a mission file or a folder with one; a run's folder; "host:port"; "" for the run
            that goes on.
        community: which of its communities is meant.
        keys: file of CURVE keys, if the broker wants one.
    Raises:
        NoSuchRun: there is none, or there are several.
        NoAnswer: nobody answers where it should be.
        FormatError: the mission file is wrong.
    """
    path = Path(target)
    if not target:
        return _only_run(community, keys)
    if (path / RUN_FILE).is_file():
        return _run_of_folder(path, community, keys)
    if path.is_dir():
        path = _only_mission(path)
    elif ":" in target and not path.exists():
        return run_at(target, community, keys)
    return _run_of_mission(read_mission(path), community, keys)


def run_at(address: str, community: str = "", keys: Path | None = None) -> Run:
    """Ask who listens at an address.

    Raises:
        NoAnswer: nobody does; the text tells where runs go on.
        NoSuchRun: the run has no such community.
    """
    try:
        about = ask_who(address, keys)
    except NoAnswer as error:
        raise NoAnswer(f"{error}{_elsewhere()}") from None
    communities = about["communities"]
    if community and community not in communities:
        told = nearest(community, communities)
        raise NoSuchRun(f"{address}: no community {community}; {told}")
    only = communities[0] if len(communities) == 1 else ""
    return Run(address, about, community or only, keys)


def _only_run(community: str, keys: Path | None) -> Run:
    found = [about for about in _going_on() if community in ("", *about["communities"])]
    if not found:
        of = f" with a community {community}" if community else ""
        raise NoSuchRun(f"no run{of} goes on here; expected {WHICH.partition(';')[0]}")
    return run_at(_only(found), community, keys)


def _run_of_folder(folder: Path, community: str, keys: Path | None) -> Run:
    about = _read(folder / RUN_FILE)
    if about is None:
        raise NoSuchRun(f"{folder / RUN_FILE}: expected {', '.join(FIELDS)} as a run writes them")
    if not _is_alive(about):
        raise NoSuchRun(f"{folder}: this run has ended")
    return run_at(about["address"], community, keys)


def _run_of_mission(mission: MissionFile, community: str, keys: Path | None) -> Run:
    """Find the run with a mission file's community; else the one at the file's address."""
    wanted = community or community_of(mission)
    address = f"{server_host(mission)}:{server_port(mission)}"
    found = [about for about in _going_on() if wanted in about["communities"]]
    at_home = [about for about in found if about["address"].endswith(f":{server_port(mission)}")]
    if found:
        return run_at(_only(at_home or found), wanted, keys)
    return run_at(address, wanted, keys)


def _only_mission(folder: Path) -> Path:
    files = sorted(folder.glob("*.moos"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files) or "none"
        raise NoSuchRun(f"{folder}: expected a run's folder, or one with one .moos file: {names}")
    return files[0]


def mission_file(target: str) -> Path | None:
    """Give the mission file that names a run, itself or by its folder; None for other names."""
    path = Path(target)
    if target.endswith(".moos"):
        return path
    is_mission = bool(target) and path.is_dir() and not (path / RUN_FILE).is_file()
    return _only_mission(path) if is_mission else None


def _community_in(target: str) -> str:
    """Give the community of a mission file; "" for whatever else is named."""
    file = mission_file(target)
    return "" if file is None else community_of(read_mission(file))


def _going_on() -> Iterator[dict[str, Any]]:
    """Give what the user's runs have written down of themselves, if they are still there."""
    for path in sorted(runtime_folder().glob("*.json")):
        about = _read(path)
        if about is not None and _is_alive(about):
            yield about


def _read(path: Path) -> dict[str, Any] | None:
    """Read what a run has written down of itself; None if it has just ended, or it is damaged."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    is_whole = isinstance(about, dict) and all(
        isinstance(about.get(field), kind) for field, kind in FIELDS.items()
    )
    return about if is_whole else None


def _is_alive(about: Mapping[str, Any]) -> bool:
    try:
        os.kill(about["pid"], 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _only(found: list[dict[str, Any]]) -> str:
    if len(found) > 1:
        raise NoSuchRun(f"several runs go on; expected one of {_listed(found)}")
    return str(found[0]["address"])


def _elsewhere() -> str:
    found = list(_going_on())
    return f" Others go on: {_listed(found)}" if found else ""


def _listed(found: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"{about['address'].removeprefix('tcp://')} ({', '.join(about['communities'])})"
        for about in found
    )
