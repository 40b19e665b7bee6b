"""Reading of the mission files of a launch: communities, and the apps of their launch lists."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from steerageway.apps.shared.registry import BROKER, base_name, is_known, why_skipped
from steerageway.bus import any_matches, matches
from steerageway.diagnostics.nearest import near, nearest
from steerageway.diagnostics.source_map import NOWHERE, SourceMap
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.fleet import VEHICLE
from steerageway.launcher.mission_names import is_name, shipped_names
from steerageway.launcher.options import Options
from steerageway.launcher.panisim import SUFFIXES
from steerageway.launcher.templates import expanded
from steerageway.moos.antler import Antler, Run
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import community
from steerageway.moos.lines import Line
from steerageway.moos.mission import MissionFile, read_mission

EVERY = "*"
MISSING = "no such app here: it is not started"
SKIP = "--skip"
SCRIPTS = (".sh", ".bash", ".zsh")
_LAUNCH_LIST = re.compile(r"^[ \t]*processconfig[ \t]*=[ \t]*antler\b", re.IGNORECASE | re.M)
_NAME = re.compile(r"[^\s:*@=]+")


@dataclass(frozen=True, slots=True)
class Community:
    """A mission file and the apps of it that are started.

    Attributes:
        name: of the community.
        source: the user's file.
        mission: that file, expanded and parsed; its ``Community`` is ``name``.
        antler: its launch list.
        runs: lines of the launch list whose apps are started, in order.
        skipped: (app, reason) of the others.
        source_map: maps lines of expanded files to those of the user's files.
    """

    name: str
    source: Path
    mission: MissionFile
    antler: Antler
    runs: tuple[Run, ...]
    skipped: tuple[tuple[str, str], ...]
    source_map: SourceMap = NOWHERE

    @property
    def home(self) -> Path | None:
        """The folder of the user's files if the mission was expanded from templates; else None."""
        return None if self.source_map.folder is None else self.source_map.beside

    @property
    def launch_list(self) -> tuple[str, ...]:
        """The names of the apps that are started."""
        return tuple(run.alias for run in self.runs)


def read_communities(options: Options, problems: Problems) -> tuple[Community, ...]:
    """Read the mission files; errors are added to ``problems``."""
    found = problems.each(lambda argument: _read_community(argument, options), options.missions)
    problems.tried(lambda: _check_names(found), None)
    if not problems.found:
        for option in ("skip", "only", "external"):
            names: Sequence[str] = getattr(options, option)
            problems.each(partial(_check_app, f"--{option}", found), names)
        problems.each(partial(_check_app, "--app", found), _replacements(options))
    return found


def find_mission(argument: str) -> tuple[Path, str]:
    """Return the mission file of an argument, and the community name behind ``@`` ("": none).

    Raises:
        LaunchError: a folder without exactly one mission file, or a name that is not valid.
    """
    text, name = argument, ""
    if "@" in argument and not Path(argument).exists():
        text, _, name = argument.rpartition("@")
        if not _NAME.fullmatch(name):
            raise LaunchError(f"{argument}: expected the name of a community behind @")
    path = Path(text)
    if path.is_dir():
        return _only_mission_in(path), name
    if path.suffix in (*SUFFIXES, ".bhv"):
        raise LaunchError(f"{path}: expected a .moos file or a folder with one")
    if path.suffix in SCRIPTS and path.exists():
        what = "a script's arguments of nsplug are options of steerageway run, see docs/fleets.md"
        raise LaunchError(f"{path}: expected a .moos file or a folder, as {path.parent}; {what}")
    if meant := _similar_path(path):
        raise LaunchError(f"{path}: expected a mission file or a folder; the nearest is {meant}")
    return path, name


def _similar_path(path: Path) -> str:
    """Return a path or shipped mission with a name similar to a missing path; "" for none."""
    if path.exists() or not path.parent.is_dir():
        return ""
    beside = [one for one in path.parent.iterdir() if one.suffix == ".moos" or one.is_dir()]
    names = {name: name for name in shipped_names()} if is_name(str(path)) else {}
    names |= {one.stem: str(one) for one in sorted(beside)}
    found = near(path.stem, names)
    return names[found[0]] if found else ""


def _only_mission_in(folder: Path) -> Path:
    """Return the folder's mission file; files without a launch list are taken as included ones."""
    found = sorted(folder.glob("*.moos"))
    if folder / VEHICLE in found:
        raise LaunchError(f"{folder}: expected no other mission: it has a template for vessels")
    found = [path for path in found if _has_launch_list(path)] or found
    if len(found) != 1:
        names = ", ".join(str(path) for path in found) or "none"
        inner = ", ".join(sorted({str(path.parent) for path in folder.glob("*/*.moos")}))
        hint = f"; in it are {inner}" if inner else ""
        hint = "; several that are named on the command line run together" if found else hint
        what = "expected one mission file in the folder, there are"
        raise LaunchError(f"{folder}: {what}: {names}{hint}")
    return found[0]


def _has_launch_list(path: Path) -> bool:
    try:
        return _LAUNCH_LIST.search(path.read_text(errors="replace")) is not None
    except OSError:
        return False


def _read_community(argument: str, options: Options) -> Community:
    path, name = find_mission(argument)
    made = expanded(path, name, options)
    try:
        mission = read_mission(
            made.path, environment=os.environ, origin=made.source_map.of(made.path)
        )
        antler = mission.antler()
    except FormatError as error:
        raise LaunchError(*made.warnings, *error.diagnostics) from error
    extra = (*options.warnings.get(argument, ()), *made.warnings, *made.unknown)
    if extra:
        mission = replace(mission, warnings=(*extra, *mission.warnings))
    if name:
        mission = _renamed(mission, name)
    source = Path(options.made_from.get(argument, path))
    runs, skipped = _started_and_skipped(antler, options)
    return Community(community(mission), source, mission, antler, runs, skipped, made.source_map)


def _started_and_skipped(
    antler: Antler, options: Options
) -> tuple[tuple[Run, ...], tuple[tuple[str, str], ...]]:
    """Return the lines of a launch list to be started, and the others with the reason."""
    runs, skipped = [], []
    replacements = _replacements(options)
    for line in antler.runs:
        if base_name(line.process) == BROKER:
            continue
        other = replacements.get(line.alias, replacements.get(line.process, ""))
        run = replace(line, process=other, where=f"--app {line.alias}") if other else line
        reason = _why_not(run, options)
        if reason:
            skipped.append((run.alias, reason))
        else:
            runs.append(run)
    return tuple(runs), tuple(skipped)


def _renamed(mission: MissionFile, name: str) -> MissionFile:
    """Return the mission file with another ``Community``."""
    line = Line("Community", name, f"{mission.origin.name}@{name}")

    def with_name(lines: Sequence[Line]) -> tuple[Line, ...]:
        return (line, *(old for old in lines if old.key.lower() != "community"))

    return replace(mission, lines=with_name(mission.lines), globals=with_name(mission.globals))


def _why_not(run: Run, options: Options) -> str:
    names = (run.alias, run.process)
    if _named(names, options.external):
        return ""
    # * alone stands for the apps that are missing: to start none is no launch.
    patterns = [name for name in options.skip if name != EVERY]
    if any_matches(patterns, run.alias) or any_matches(patterns, run.process):
        return SKIP
    if options.only and not _named(names, options.only):
        return "not in --only"
    skips_missing = options.skip_missing or EVERY in options.skip
    return MISSING if skips_missing and not is_known(run.process) else why_skipped(run.process)


def _replacements(options: Options) -> dict[str, str]:
    """Return the replacements of ``--app``: app of the launch list -> another process.

    Raises:
        LaunchError: a value is not ``APP=PROCESS``.
    """
    found = {}
    for text in options.app:
        name, _, process = map(str.strip, text.partition("="))
        if not name or not process:
            raise LaunchError(f"--app {text}: expected APP=PROCESS, as pA=module:ClassName")
        found[name] = process
    return found


def _named(names: Sequence[str], wanted: Collection[str]) -> bool:
    return any(name in wanted for name in names)


def _check_names(communities: Sequence[Community]) -> None:
    taken: dict[str, Community] = {}
    for one in communities:
        twin = taken.setdefault(one.name, one)
        if twin is not one:
            raise LaunchError(
                f"{one.source}: Community = {one.name}: {twin.source} has this name, "
                f"too; expected another: {one.source}@NAME"
            )


def _check_app(option: str, communities: Sequence[Community], name: str) -> None:
    known = set(_all_names(communities))
    found = name == EVERY or any(matches(name, one) for one in known)
    if not (found if option == "--skip" else name in known):
        hint = nearest(name, known)
        raise LaunchError(f"{option} {name}: expected an app of the launch list, {hint}")


def _all_names(communities: Sequence[Community]) -> Iterator[str]:
    for one in communities:
        for run in one.antler.runs:
            yield run.alias
            yield run.process
