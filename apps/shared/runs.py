"""Finds the run that a console, a scope or a script connects to.

A run writes its address and mission files to ``run.json``, in its folder and, while it is running,
in the user's runtime folder.
"""

from __future__ import annotations

import re
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steerageway.apps.shared.display import near
from steerageway.apps.shared.run_files import (
    FIELDS,
    MAIN_FILES,
    communities_of,
    described,
    is_alive,
    read_run_file,
    runs_under_way,
)
from steerageway.bus import RUN_FILE, BusError, Client, NoAnswer, ask_who, wall
from steerageway.declarations import Whole
from steerageway.declarations.arguments import add_options, argument
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.globals import community as community_of
from steerageway.moos.globals import server_host, server_port
from steerageway.moos.mission import MissionFile, read_mission

WHICH = "a mission file, a run's folder, HOST:PORT; default: the running mission"
PATIENCE = 60.0  # wall seconds for answers: a run of hundreds of vessels may answer seldom
LOCAL_HOST = "localhost"
LOCAL = (LOCAL_HOST, "127.0.0.1", "::1")
_ADDRESS = re.compile(r"://|:\d+$")


class NoSuchRun(BusError):
    """No run matches, or several do; the text says what is expected."""


@dataclass(frozen=True, slots=True)
class Run:
    """A running mission.

    Attributes:
        address: of its broker.
        about: the broker's description of the run.
        community: the selected community; "" for none of several.
        keys: file of CURVE keys, if the broker requires one.
        token: the access token; None: that of the run file with this address.
    """

    address: str
    about: Mapping[str, Any]
    community: str = ""
    keys: Path | None = None
    token: str | None = None

    @property
    def communities(self) -> list[str]:
        """The names of its communities, in launch order."""
        return list(self.about["communities"])

    def connect(
        self, name: str, community: str = "", timeout: float = PATIENCE, *, shares: bool = False
    ) -> Client:
        """Connect as an observer of a community, by default the selected one.

        Args:
            timeout: wall seconds to wait for answers.
            shares: whether it is one of many connections, see ``Client.connect``.
        """
        return Client.connect(
            self.address,
            name,
            community=community or self.community,
            keys=self.keys,
            token=self.token,
            timeout=timeout,
            shares=shares,
        )


def add_run_arguments(parser: ArgumentParser) -> None:
    """Add the options that select a run."""
    group = parser.add_argument_group("selecting the run")
    group.add_argument("--host", "--serverhost", default="", help="the broker's host (localhost)")
    group.add_argument(
        "--port",
        "--serverport",
        type=argument(Whole(low=1, high=65535)),
        default=0,
        help="the broker's port (9000)",
    )
    add_options(
        group,
        """
            --community NAME: the community, if there are several
            --keys FILE: a client's CURVE keys, if the broker requires them
        """,
        keys=Path,
    )


def named_run(target: str, options: Namespace) -> Run:
    """Find the run selected by a command line.

    Raises:
        NoSuchRun, NoAnswer, FormatError: see ``find_run``.
    """
    if options.host or options.port:
        address = f"{options.host or LOCAL_HOST}:{options.port or 9000}"
        return run_at(address, options.community or _community_in(target), options.keys)
    return find_run(target, community=options.community, keys=options.keys)


def names_run(word: str) -> bool:
    """Whether a word can select a run: by its form, or as an existing file or community."""
    file, _ = file_and_name(word)
    is_file = "/" in file or file.endswith((".moos", *MAIN_FILES)) or Path(file).exists()
    return bool(word) and (is_file or bool(_ADDRESS.search(word)) or word in communities())


def communities() -> list[str]:
    """Return the communities of the user's running missions."""
    return _communities(runs_under_way())


def find_run(target: str = "", *, community: str = "", keys: Path | None = None) -> Run:
    """Find a run.

    Args:
        target: the file that it was launched from, or its folder; a run's folder; "host:port"; the
            name of a community; "" for the only running mission.
        community: the selected community; also FILE@NAME.
        keys: file of CURVE keys, if the broker requires one.
    Raises:
        NoSuchRun: there is none, or there are several.
        NoAnswer: no broker replies at the address.
        FormatError: the mission file is invalid.
    """
    if not target:
        return _only_run(community, keys)
    target, name = file_and_name(target)
    community = community or name
    path = Path(target)
    if (path / RUN_FILE).is_file():
        return _run_of_folder(path, community, keys)
    if ":" in target and not path.exists():
        return run_at(target, community, keys)
    if not path.exists() and target in communities():
        return _only_run(target, keys)
    return _run_of_mission(path, community, keys)


def run_at(address: str, community: str = "", keys: Path | None = None) -> Run:
    """Return the run at an address.

    Raises:
        NoAnswer: no broker replies; the text lists the running missions.
        NoSuchRun: the run has no such community.
    """
    deadline = wall() + PATIENCE
    while True:
        try:
            about = ask_who(address, keys)
            break
        except NoAnswer as error:
            if wall() > deadline or not _may_be_busy(address, keys):
                raise NoAnswer(f"{error}{_running_sentence()}") from None
            print(f"{address}: the run is busy; asking again", file=sys.stderr)
    run = Run(address, about, keys=keys)
    only = run.communities[0] if len(run.communities) == 1 else ""
    return _in_community(run, community or only)


def _may_be_busy(address: str, keys: Path | None) -> bool:
    """Whether a run of this user on this machine has an address, and answers who has such keys."""
    ours = (one for one in runs_under_way() if bool(one.get("keys")) == (keys is not None))
    return address.removeprefix("tcp://") in (one["address"].removeprefix("tcp://") for one in ours)


def _in_community(run: Run, community: str) -> Run:
    """Return a run with a community selected; "": none."""
    if community and community not in run.communities:
        suggestion = nearest(community, run.communities)
        raise NoSuchRun(f"{run.address}: no community {community}; {suggestion}")
    return replace(run, community=community)


def _only_run(community: str, keys: Path | None) -> Run:
    found = [about for about in runs_under_way() if community in ("", *about["communities"])]
    if not found:
        if there := list(runs_under_way()):
            suggestion = near(community, _communities(there)) or _running_text(there)
            raise NoSuchRun(f"no running mission with a community {community} found{suggestion}")
        which = WHICH.partition(";")[0]
        start = "steerageway run MISSION starts one (--placement one: with --attach)"
        raise NoSuchRun(f"no running mission found; expected {which}; {start}")
    return run_at(_only(found), community, keys)


def _run_of_folder(folder: Path, community: str, keys: Path | None) -> Run:
    about = read_run_file(folder / RUN_FILE)
    if about is None:
        raise NoSuchRun(f"{folder / RUN_FILE}: expected {', '.join(FIELDS)} as a run writes it")
    if not is_alive(about):
        raise NoSuchRun(f"{folder}: this run has ended")
    return replace(run_at(about["address"], community, keys), token=about.get("token"))


def _run_of_mission(path: Path, community: str, keys: Path | None) -> Run:
    """Find the run launched from a file, or from the files of a folder.

    The address in the file is used if it names another machine, or if there is no run file.
    """
    found = list(runs_under_way())
    if launched := [about for about in found if communities_of(about, path)]:
        return _run_among(launched, path, community, keys)
    if not path.exists():
        suggestion = "; no mission is running"
        if found:
            suggestion = near(str(path), _communities(found)) or _running_text(found)
        raise NoSuchRun(f"{path}: expected an existing file or folder, or a community{suggestion}")
    if path.suffix in MAIN_FILES:
        raise _not_launched(path, found)
    mission = read_mission(_only_mission(path) if path.is_dir() else path)
    if _is_template(mission):
        raise _not_launched(path, found)
    wanted = community or community_of(mission)
    silent = [about for about in found if not about["files"] and wanted in about["communities"]]
    if silent:
        return run_at(_only(_at_mission_port(silent, mission) or silent), wanted, keys)
    host, port = server_host(mission), server_port(mission)
    is_here = host in LOCAL
    if is_here and (_at_mission_port(found, mission) or not _is_port_open(host, port)):
        raise _not_launched(path, found)
    run = run_at(f"{host}:{port}", keys=keys)
    if is_here and run.about.get("files") and not communities_of(run.about, path):
        raise _not_launched(path, [run.about])
    return _in_community(run, wanted)


def _run_among(
    launched: Sequence[Mapping[str, Any]], path: Path, community: str, keys: Path | None
) -> Run:
    """Return the run of a file; among several, the one at the file's port."""
    if len(launched) > 1 and path.is_file() and path.suffix not in MAIN_FILES:
        mission = read_mission(path)
        launched = (not _is_template(mission) and _at_mission_port(launched, mission)) or launched
    run = run_at(_only(launched), community, keys)
    of_file = communities_of(run.about, path)
    return run if community or len(of_file) != 1 else replace(run, community=of_file[0])


def _at_mission_port(
    found: Sequence[Mapping[str, Any]], mission: MissionFile
) -> list[Mapping[str, Any]]:
    """Return the runs at the port of a mission file."""
    return [about for about in found if about["address"].endswith(f":{server_port(mission)}")]


def _is_port_open(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1.0).close()
    except OSError:
        return False
    return True


def _is_template(mission: MissionFile) -> bool:
    """Whether the mission's port is a template macro, set only by a launch."""
    port = mission.value("ServerPort")
    return port is not None and "$(" in port.value


def _not_launched(path: Path, others: Sequence[Mapping[str, Any]]) -> NoSuchRun:
    return NoSuchRun(f"{path}: no running mission was launched from it{_running_text(others)}")


def _running_text(found: Sequence[Mapping[str, Any]]) -> str:
    return f"; running: {described(found)}" if found else ""


def _communities(found: Iterable[Mapping[str, Any]]) -> list[str]:
    return [name for about in found for name in about["communities"]]


def _only_mission(folder: Path) -> Path:
    files = sorted(folder.glob("*.moos"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files) or "none"
        raise NoSuchRun(f"{folder}: expected a run's folder, or one with one .moos file: {names}")
    return files[0]


def file_and_name(target: str) -> tuple[str, str]:
    """Split FILE@NAME into the file and the name of a community; "" for none."""
    file, at, name = target.rpartition("@")
    return (file, name) if at and not Path(target).exists() else (target, "")


def mission_file(target: str) -> Path | None:
    """Return the mission file of a target, itself or in its folder; None for other targets."""
    target, _ = file_and_name(target)
    path = Path(target)
    if target.endswith(".moos"):
        return path
    is_mission = bool(target) and path.is_dir() and not (path / RUN_FILE).is_file()
    return _only_mission(path) if is_mission else None


def _community_in(target: str) -> str:
    """Return the community of a mission file; "" for other targets."""
    file = mission_file(target)
    return "" if file is None else community_of(read_mission(file))


def _only(found: Sequence[Mapping[str, Any]]) -> str:
    if len(found) > 1:
        raise NoSuchRun(
            "several missions are running; select one by its address, log folder or file: "
            f"{described(found)}"
        )
    return str(found[0]["address"])


def _running_sentence() -> str:
    found = list(runs_under_way())
    return f" Running missions: {described(found)}" if found else ""
