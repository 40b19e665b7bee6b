"""The missions that a launch script launches, and what it says of them.

The script runs in a copy of the mission's folder (``peers.launch_script``). What it launches is
the mission: the files that it made are in the mission cache. Macros of the command line have
precedence over the script's. Which commands launch is decided in ``commands``.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from steerageway.bus import WARP
from steerageway.declarations.declaration import read
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import Origin, SourceMap
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.options import Options
from steerageway.launcher.templates import FOLDER, defines, write_expanded
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import community, server_port
from steerageway.moos.mission import read_mission
from steerageway.peers.launch_script import ScriptRun, run_script
from steerageway.peers.launch_script.commands import Commands, Launched, Plugged, instance
from steerageway.peers.launch_script.mission_copy import MissionCopy, mission_copy

NO_CODE = "a script of the mission's own; --no-code refuses it"
SHOWN = 5  # problems of a script that are warnings


@dataclass(frozen=True, slots=True)
class _Mission:
    """A mission that a script launches.

    Attributes:
        path: the file that is read; source: the user's file.
        home: its community; port: of its database. Both are "" of a file with errors.
        renamed: whether the community is called ``home`` here only.
    """

    path: str
    source: str
    home: str = ""
    port: str = ""
    renamed: bool = False

    @property
    def argument(self) -> str:
        """The mission as an argument of the command line."""
        return f"{self.path}@{self.home}" if self.renamed else self.path


def launched_by(script: Path, options: Options) -> tuple[list[str], Options]:
    """Run a script; return the missions that it launches, and options with their source maps.

    Raises:
        LaunchError: it launches nothing, or what is not there, or it may not run.
    """
    if options.no_code:
        raise LaunchError(Diagnostic(str(script), expected=NO_CODE))
    folder = script.parent
    with mission_copy(folder) as copy:
        commands = Commands(
            copy, lambda name: dict(defines(options, name)), options.path, options.seed
        )
        ended = run_script(script, options.arguments, commands)
        if not commands.launched:
            raise LaunchError(f"{script}: it launches no mission {ended.ending}")
        launched = sorted(commands.launched)
        _check_there(script, launched, copy, ended)
        missions, maps = _written(copy, launched, commands.plugged)
    found = [*_problems(script, ended), *_warnings(copy, commands.plugged)]
    missions, renamed = _distinct([_with_home(mission) for mission in missions])
    pokes, unposted = _pokes(commands, missions, launched)
    paths = [mission.argument for mission in missions]
    known = options.warnings.get(paths[0], ())
    warp = _warp(launched) if options.warp is None else None
    options = replace(
        options,
        pokes=(*pokes, *options.pokes),
        warp=options.warp if warp is None else warp,
        warnings={**options.warnings, paths[0]: (*known, *found, *renamed, *unposted)},
        made_from={**options.made_from, **{one.argument: one.source for one in missions}},
        source_maps={**options.source_maps, **maps},
        scripts=(*options.scripts, _told(script, commands, warp, missions)),
    )
    return paths, options


def _check_there(
    script: Path, launched: Sequence[Launched], copy: MissionCopy, ended: ScriptRun
) -> None:
    """Check that the files of pAntler exist.

    Raises:
        LaunchError: one of them does not.
    """
    for one in launched:
        if not os.path.isfile(one.path):  # also of a name that no file can have
            name = copy.own_paths(str(one.path)).removeprefix(f"{script.parent}/")
            raise LaunchError(f"{script}: pAntler {name}: there is no such file {ended.ending}")


def _written(
    copy: MissionCopy, launched: Sequence[Launched], plugged: Mapping[Path, Plugged]
) -> tuple[list[_Mission], dict[str, SourceMap]]:
    """Write the files that a script made to the cache; return the missions, and source maps."""
    made = copy.made()
    files = {_below(copy, path): one for path, one in plugged.items()}
    origins = {
        name: _origin(copy, one) for name, one in files.items() if made.get(name) == one.made.text
    }
    names = [_placed(copy, one, made, origins) for one in launched]
    texts = {name: text.replace(str(copy.folder), FOLDER) for name, text in made.items()}
    place = write_expanded(texts, copy.own.resolve(), ()) if made else copy.own
    missions, maps = [], {}
    for one, name in zip(launched, names, strict=True):
        if not name:
            real = str(one.path.resolve())
            missions.append(_Mission(real, real))
            continue
        path, original = str(place / name), _below(copy, one.path)
        missions.append(_Mission(path, str(copy.own / original)))
        if made:
            of = instance(files[original].call) if original in files else ""
            maps[path] = SourceMap(of, place, copy.own, origins)
    return missions, maps


def _below(copy: MissionCopy, path: Path) -> str:
    """Return a path as one below the mission's folder; "" if it is elsewhere."""
    return str(path.relative_to(copy.folder)) if path.is_relative_to(copy.folder) else ""


def _placed(
    copy: MissionCopy, one: Launched, made: dict[str, str], origins: dict[str, Origin]
) -> str:
    """Return where a launched mission is read: in the folder in which pAntler was called.

    There MOOS-IvP's apps look for the files that it names. The file is added to those that were
    made if it was in another folder.
    """
    name, there = _below(copy, one.path), _below(copy, one.where / one.path.name)
    is_taken = there in made or (copy.folder / there).exists()
    if not name or not there or is_taken:
        return name
    made[there] = one.path.read_bytes().decode("utf-8", "surrogateescape")
    origins[there] = origins.get(name, Origin(str(copy.own / name)))
    return there


def _origin(copy: MissionCopy, one: Plugged) -> Origin:
    """Return the template of a file that nsplug made, and its lines."""
    lines = tuple(copy.own_paths(line.where) for line in one.made.lines)
    return Origin(copy.own_paths(os.path.normpath(one.source)), lines)


def _problems(script: Path, ended: ScriptRun) -> Iterator[Diagnostic]:
    """Return a warning for each line that bash complained of, and for how the script ended."""
    for file, line, problem in ended.problems[:SHOWN]:
        yield Diagnostic(f"{script.parent / file}:{line}", expected=problem)
    if ended.code:
        last = ended.output[-1] if ended.output else "without output"
        yield Diagnostic(str(script), expected=f"exit code {ended.code}: {last}")


def _warnings(copy: MissionCopy, plugged: Mapping[Path, Plugged]) -> Iterator[Diagnostic]:
    """Return the warnings of all expansions."""
    for one in plugged.values():
        for warning in (*one.made.warnings, *one.made.unknown):
            yield replace(warning, where=copy.own_paths(warning.where))


def _with_home(mission: _Mission) -> _Mission:
    """Return a mission with its community and port, as its file has them."""
    try:
        file = read_mission(Path(mission.path), environment=os.environ)
        return replace(mission, home=community(file), port=str(server_port(file)))
    except FormatError:
        return mission  # it is told when the mission is read


def _distinct(missions: Sequence[_Mission]) -> tuple[list[_Mission], list[Diagnostic]]:
    """Return missions in which no two communities have one name, and a warning of each other name.

    In MOOS-IvP, each community has a database of its own, and both run; a shoreside sends only to
    the first that it hears of.
    """
    first: dict[str, _Mission] = {}
    names = {mission.home for mission in missions}
    found, warnings = [], []
    for one in missions:
        twin = first.setdefault(one.home, one)
        if one.home and twin is not one:
            home = next(f"{one.home}_{n}" for n in count(2) if f"{one.home}_{n}" not in names)
            names.add(home)
            told = f"{twin.source} has this name, too; here it is {home}, expected another"
            warnings.append(Diagnostic(one.source, "Community", one.home, told))
            one = replace(one, home=home, renamed=True)
        found.append(one)
    return found, warnings


def _pokes(
    commands: Commands, missions: Sequence[_Mission], launched: Sequence[Launched]
) -> tuple[list[str], list[Diagnostic]]:
    """Return the posts of uPokeDB as values of --set, and warnings of those that find no one."""
    homes: dict[object, str] = {}
    for one, mission in zip(launched, missions, strict=True):
        homes[one.path] = homes[mission.port] = mission.home
    pokes, unposted = [], []
    for poke in sorted(commands.poked, key=lambda poke: poke.order):
        home = homes.get(poke.port or poke.path)
        if not home:
            told = "expected a mission file that the script launches, or its port"
            what = poke.port or (poke.path.name if poke.path else "")
            unposted.append(Diagnostic("uPokeDB", what, " ".join(poke.posts), told))
            continue
        pokes += [f"{home}:{post}" for post in poke.posts]
    return pokes, unposted


def _warp(launched: Sequence[Launched]) -> float | None:
    """Return the warp that pAntler was called with; None for none."""
    given = [read(WARP, one.warp) for one in launched if one.warp]
    return next((warp for warp in given if not isinstance(warp, Diagnostic)), None)


def _told(
    script: Path, commands: Commands, warp: float | None, missions: Sequence[_Mission]
) -> str:
    """Return what is said of a script that has run: what it did, and how to do without it.

    Args:
        warp: the run's, if the script has chosen it.
    """
    made, launched = len(commands.plugged), len(commands.launched)
    told = f"{script}: run by bash; files of nsplug: {made}, missions of pAntler: {launched}"
    if warp is not None:
        told += f", at warp {warp:g}"
    if made:
        return told
    files = shlex.join(os.path.relpath(one.source) for one in missions)
    return f"{told}; without it: steerageway run {files}"
