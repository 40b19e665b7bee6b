"""Finds the run that a console, a scope or a script is about.

A run writes down where it listens, and from which files it was launched: in ``run.json`` of its
folder, and in the user's runtime folder while it goes on.
"""

from __future__ import annotations

import re
import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steerageway.apps.consoles.run_files import (
    FIELDS,
    communities_of,
    is_alive,
    listed,
    read_run_file,
    runs_under_way,
)
from steerageway.apps.framework.display import near
from steerageway.bus import RUN_FILE, BusError, Client, NoAnswer, ask_who
from steerageway.diagnostics.nearest import nearest
from steerageway.moos.globals import community as community_of
from steerageway.moos.globals import server_host, server_port
from steerageway.moos.mission import MissionFile, read_mission

WHICH = "a mission file, a run's folder, HOST:PORT; default: the run that goes on"
LOCAL_HOST = "localhost"
LOCAL = (LOCAL_HOST, "127.0.0.1", "::1")
PANISIM = (".yml", ".yaml")
_ADDRESS = re.compile(r"://|:\d+$")


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
        token: what the broker wants to hear; None: what the file of the run says that listens
            there.
    """

    address: str
    about: Mapping[str, Any]
    community: str = ""
    keys: Path | None = None
    token: str | None = None

    @property
    def communities(self) -> list[str]:
        """The names of its communities, in the order of launch."""
        return list(self.about["communities"])

    def connect(self, name: str, community: str = "") -> Client:
        """Come in as an observer of one community; of the one that was meant if none is named."""
        about = community or self.community
        keys, token = self.keys, self.token
        return Client.connect(self.address, name, community=about, keys=keys, token=token)


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
        address = f"{options.host or LOCAL_HOST}:{options.port or 9000}"
        return run_at(address, options.community or _community_in(target), options.keys)
    return find_run(target, community=options.community, keys=options.keys)


def names_run(word: str) -> bool:
    """Whether a word can mean a run: by its form, or as there is such a file or community."""
    file, _ = file_and_name(word)
    is_file = "/" in file or file.endswith((".moos", *PANISIM)) or Path(file).exists()
    return bool(word) and (is_file or bool(_ADDRESS.search(word)) or word in communities())


def communities() -> list[str]:
    """Give the communities of the runs that go on."""
    return _communities(runs_under_way())


def find_run(target: str = "", *, community: str = "", keys: Path | None = None) -> Run:
    """Find a run.

    Args:
        target: the file that it was launched from, or the folder with it; a run's folder;
            "host:port"; the name of a community; "" for the run that goes on.
        community: which of its communities is meant; also FILE@NAME.
        keys: file of CURVE keys, if the broker wants one.
    Raises:
        NoSuchRun: there is none, or there are several.
        NoAnswer: nobody answers where it should be.
        FormatError: the mission file is wrong.
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
    """Ask who listens at an address.

    Raises:
        NoAnswer: nobody does; the text tells where runs go on.
        NoSuchRun: the run has no such community.
    """
    try:
        about = ask_who(address, keys)
    except NoAnswer as error:
        raise NoAnswer(f"{error}{_elsewhere()}") from None
    run = Run(address, about, keys=keys)
    only = run.communities[0] if len(run.communities) == 1 else ""
    return _in_community(run, community or only)


def _in_community(run: Run, community: str) -> Run:
    """Give a run with the community that is meant; "": none."""
    if community and community not in run.communities:
        suggestion = nearest(community, run.communities)
        raise NoSuchRun(f"{run.address}: no community {community}; {suggestion}")
    return replace(run, community=community)


def _only_run(community: str, keys: Path | None) -> Run:
    found = [about for about in runs_under_way() if community in ("", *about["communities"])]
    if not found:
        if there := list(runs_under_way()):
            suggestion = near(community, _communities(there)) or _there(there)
            raise NoSuchRun(f"no run with a community {community} goes on here{suggestion}")
        which = WHICH.partition(";")[0]
        start = "steerageway run MISSION starts one (--placement one: with --attach)"
        raise NoSuchRun(f"no run goes on here; expected {which}; {start}")
    return run_at(_only(found), community, keys)


def _run_of_folder(folder: Path, community: str, keys: Path | None) -> Run:
    about = read_run_file(folder / RUN_FILE)
    if about is None:
        raise NoSuchRun(f"{folder / RUN_FILE}: expected {', '.join(FIELDS)} as a run writes them")
    if not is_alive(about):
        raise NoSuchRun(f"{folder}: this run has ended")
    return replace(run_at(about["address"], community, keys), token=about.get("token"))


def _run_of_mission(path: Path, community: str, keys: Path | None) -> Run:
    """Find the run that was launched from a file, or from the files of a folder.

    The address in the file counts where it names another machine, or where no run is written down.
    """
    found = list(runs_under_way())
    if launched := [about for about in found if communities_of(about, path)]:
        return _run_among(launched, path, community, keys)
    if not path.exists():
        suggestion = near(str(path), _communities(found)) or _there(found)
        raise NoSuchRun(
            f"{path}: expected a file or a folder that is there, or a community{suggestion}"
        )
    if path.suffix in PANISIM:
        raise _not_launched(path, found)
    mission = read_mission(_only_mission(path) if path.is_dir() else path)
    if _is_template(mission):
        raise _not_launched(path, found)
    wanted = community or community_of(mission)
    silent = [about for about in found if not about["files"] and wanted in about["communities"]]
    if silent:
        return run_at(_only(_at_home(silent, mission) or silent), wanted, keys)
    host, port = server_host(mission), server_port(mission)
    is_here = host in LOCAL
    if is_here and (_at_home(found, mission) or not _somebody_listens(host, port)):
        raise _not_launched(path, found)
    run = run_at(f"{host}:{port}", keys=keys)
    if is_here and run.about.get("files") and not communities_of(run.about, path):
        raise _not_launched(path, [run.about])
    return _in_community(run, wanted)


def _run_among(
    launched: Sequence[Mapping[str, Any]], path: Path, community: str, keys: Path | None
) -> Run:
    """Give the run of a file; among several the one that listens where the file says."""
    if len(launched) > 1 and path.is_file() and path.suffix not in PANISIM:
        mission = read_mission(path)
        launched = (not _is_template(mission) and _at_home(launched, mission)) or launched
    run = run_at(_only(launched), community, keys)
    of_file = communities_of(run.about, path)
    return run if community or len(of_file) != 1 else replace(run, community=of_file[0])


def _at_home(found: Sequence[Mapping[str, Any]], mission: MissionFile) -> list[Mapping[str, Any]]:
    """Give those of some runs that listen where a mission file says."""
    return [about for about in found if about["address"].endswith(f":{server_port(mission)}")]


def _somebody_listens(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1.0).close()
    except OSError:
        return False
    return True


def _is_template(mission: MissionFile) -> bool:
    """Whether only the command line of a launch says where the mission's broker listens."""
    port = mission.value("ServerPort")
    return port is not None and "$(" in port.value


def _not_launched(path: Path, others: Sequence[Mapping[str, Any]]) -> NoSuchRun:
    return NoSuchRun(f"{path}: no run that was launched from it goes on{_there(others)}")


def _there(found: Sequence[Mapping[str, Any]]) -> str:
    return f"; there go on: {listed(found)}" if found else ""


def _communities(found: Iterable[Mapping[str, Any]]) -> list[str]:
    return [name for about in found for name in about["communities"]]


def _only_mission(folder: Path) -> Path:
    files = sorted(folder.glob("*.moos"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files) or "none"
        raise NoSuchRun(f"{folder}: expected a run's folder, or one with one .moos file: {names}")
    return files[0]


def file_and_name(target: str) -> tuple[str, str]:
    """Cut FILE@NAME into the file and the name of a community; "" where none is named."""
    file, at, name = target.rpartition("@")
    return (file, name) if at and not Path(target).exists() else (target, "")


def mission_file(target: str) -> Path | None:
    """Give the mission file that names a run, itself or by its folder; None for other names."""
    target, _ = file_and_name(target)
    path = Path(target)
    if target.endswith(".moos"):
        return path
    is_mission = bool(target) and path.is_dir() and not (path / RUN_FILE).is_file()
    return _only_mission(path) if is_mission else None


def _community_in(target: str) -> str:
    """Give the community of a mission file; "" for whatever else is named."""
    file = mission_file(target)
    return "" if file is None else community_of(read_mission(file))


def _only(found: Sequence[Mapping[str, Any]]) -> str:
    if len(found) > 1:
        raise NoSuchRun(f"several runs go on; name one by its address or file: {listed(found)}")
    return str(found[0]["address"])


def _elsewhere() -> str:
    found = list(runs_under_way())
    return f" Others go on: {listed(found)}" if found else ""
