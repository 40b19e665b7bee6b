"""Reading of the mission files of a launch: communities, and the apps of their launch lists."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from steerageway.apps.shared.registry import (
    APPS,
    BROKER,
    GATE,
    base_name,
    is_known,
    may_be_program,
    why_skipped,
)
from steerageway.apps.shared.run_files import MAIN_FILES
from steerageway.bus import any_matches, matches
from steerageway.declarations import truth, words_of
from steerageway.diagnostics.nearest import near, nearest
from steerageway.diagnostics.source_map import NOWHERE, SourceMap
from steerageway.launcher.errors import LaunchError, Problems
from steerageway.launcher.fleet import VEHICLE
from steerageway.launcher.mission_names import is_name, shipped_names
from steerageway.launcher.options import Options
from steerageway.launcher.templates import expanded
from steerageway.moos.antler import Antler, Run
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import community
from steerageway.moos.lines import Line, file_bytes
from steerageway.moos.mission import MissionFile, read_mission

EVERY = "*"
MISSING = "no such app here: it is not started"
SKIP = "--skip"
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
        programs: lines whose executables are started beside the run, with those.
        natives: names of ``runs`` that are programs in lockstep -> their executables.
        gate: the line of the gateway to programs of MOOS; None: there is none.
        source_map: maps lines of expanded files to those of the user's files.
    """

    name: str
    source: Path
    mission: MissionFile
    antler: Antler
    runs: tuple[Run, ...]
    skipped: tuple[tuple[str, str], ...]
    source_map: SourceMap = NOWHERE
    programs: tuple[tuple[Run, Path], ...] = ()
    gate: Run | None = None
    natives: Mapping[str, Path] = field(default_factory=dict)

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
        problems.each(partial(_check_added, found), _additions(options))
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
    if path.suffix in (*MAIN_FILES, ".bhv"):
        raise LaunchError(f"{path}: expected a .moos file or a folder with one")
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
        scripts = ", ".join(sorted(str(path) for path in folder.glob("*launch*.sh")))
        hint += f"; or one of its scripts: {scripts}" if scripts else ""
        what = "expected one mission file in the folder, there are"
        raise LaunchError(f"{folder}: {what}: {names}{hint}")
    return found[0]


def _has_launch_list(path: Path) -> bool:
    try:
        return _LAUNCH_LIST.search(file_bytes(path).decode(errors="replace")) is not None
    except (OSError, ValueError):
        return False


def _read_community(argument: str, options: Options) -> Community:
    path, name = find_mission(argument)
    made = expanded(path, name, options)
    try:
        mission = read_mission(
            made.path, environment=os.environ, origin=made.source_map.of(made.path)
        )
        antler = _with_added(mission.antler(), name or community(mission), options)
    except FormatError as error:
        raise LaunchError(*made.warnings, *error.diagnostics) from error
    extra = (*options.warnings.get(argument, ()), *made.warnings, *made.unknown)
    if extra:
        mission = replace(mission, warnings=(*extra, *mission.warnings))
    if name:
        mission = _renamed(mission, name)
    source = Path(options.made_from.get(argument, path))
    named = tuple(line for line in antler.runs if base_name(line.process) not in (BROKER, GATE))
    gate = next((line for line in antler.runs if base_name(line.process) == GATE), None)
    runs, skipped, programs = _sorted(named, options)
    natives: dict[str, Path] = {}
    if options.lockstep:
        natives = {run.alias: path for run, path in programs}
        also = (run for run, _ in programs)
        runs, programs = tuple(sorted((*runs, *also), key=lambda run: run.place)), ()
    if gate is not None and (reason := _why_not(gate, options)):
        skipped, gate = (*skipped, (gate.alias, reason)), None
    return Community(
        *(community(mission), source, mission, antler, runs, skipped, made.source_map),
        *(programs, gate, natives),
    )


def _sorted(
    lines: Sequence[Run], options: Options
) -> tuple[tuple[Run, ...], tuple[tuple[str, str], ...], tuple[tuple[Run, Path], ...]]:
    """Return the lines of a launch list whose apps are started, the skipped ones with the reason,
    and those that name programs.
    """
    runs, skipped, programs = [], [], []
    replacements = _replacements(options)
    for line in lines:
        other = replacements.get(line.alias, replacements.get(line.process, ""))
        run = replace(line, process=other, where=f"--app {line.alias}") if other else line
        path = _program(run, options, replaced=bool(other))
        reason = _why_not(run, options, is_program=path is not None)
        if reason:
            skipped.append((run.alias, reason))
        elif path is not None:
            programs.append((run, path))
        else:
            runs.append(run)
    return tuple(runs), tuple(skipped), tuple(programs)


def _program(run: Run, options: Options, *, replaced: bool) -> Path | None:
    """Return the executable of a line; None if it names an app.

    A mission's file cannot name one by its path: it would choose what is executed.

    Raises:
        LaunchError: ``--app`` names a file that cannot be executed.
    """
    if replaced and "/" in run.process and ":" not in run.process:
        path = Path(run.process)
        if not _is_executable(path):
            there = "it is no program" if path.exists() else "there is no such file"
            raise LaunchError(f"--app {run.alias}={run.process}: expected a program, {there}")
        return path.resolve()
    if run.alias in options.external or not may_be_program(run.process):
        return None
    places = [folder / base_name(run.process) for folder in options.exec_path]
    return next((place.resolve() for place in places if _is_executable(place)), None)


def command_of(one: Community, run: Run, path: Path) -> tuple[list[str], bool]:
    """Return the command of a program, and whether the mission file and its name follow."""
    extra = dict(run.extra)
    label = extra.get("extraprocessparams", "")
    block = one.mission.block("ANTLER")
    lines = block.lines if label and block is not None else ()
    value = next((line.value for line in lines if line.key.lower() == label.lower()), "")
    return [str(path), *words_of(value)], truth(extra.get("inhibitmoosparams", "")) is not True


def _is_executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _renamed(mission: MissionFile, name: str) -> MissionFile:
    """Return the mission file with another ``Community``."""
    line = Line("Community", name, f"{mission.origin.name}@{name}")

    def with_name(lines: Sequence[Line]) -> tuple[Line, ...]:
        return (line, *(old for old in lines if old.key.lower() != "community"))

    return replace(mission, lines=with_name(mission.lines), globals=with_name(mission.globals))


def _why_not(run: Run, options: Options, *, is_program: bool = False) -> str:
    names = (run.alias, run.process)
    if _named(names, options.external):
        return ""
    # * alone stands for the apps that are missing: to start none is no launch.
    patterns = [name for name in options.skip if name != EVERY]
    if any_matches(patterns, run.alias) or any_matches(patterns, run.process):
        return SKIP
    if options.only and not _named(names, options.only):
        return "not in --only"
    if is_program:
        replayed = options.inputs is not None and not options.lockstep
        return "--inputs replays what it posted" if replayed else ""
    skips_missing = options.skip_missing or EVERY in options.skip
    return MISSING if skips_missing and not is_known(run.process) else why_skipped(run.process)


def _replacements(options: Options) -> dict[str, str]:
    """Return the replacements of ``--app``: app of the launch list -> another process.

    Raises:
        LaunchError: a value is not ``APP=PROCESS``.
    """
    found = {}
    for text in options.app:
        name, equals, process = map(str.strip, text.partition("="))
        if equals and not (name and process):
            raise LaunchError(f"--app {text}: expected APP=PROCESS, as pA=module:ClassName")
        if equals:
            found[name] = process
    return found


def _additions(options: Options) -> list[tuple[str, str, str]]:
    """Return what ``--app`` adds: (as given, community, app); "" for the only community."""
    texts = [text.strip() for text in options.app if "=" not in text]
    parted = [(text, text.rpartition(":")) for text in texts]
    return [(text, name, app) for text, (name, _, app) in parted]


def _with_added(antler: Antler, name: str, options: Options) -> Antler:
    """Return the launch list of a community with the apps that ``--app`` adds at its end.

    Raises:
        LaunchError: it is no app of this project, or in the launch list already.
    """
    runs = list(antler.runs)
    for text, of, app in _additions(options):
        if of not in ("", EVERY, name):
            continue
        if any(app in (run.alias, run.process) for run in runs):
            expected = f"expected {app}=PROCESS, as it is in the launch list of {name}"
            raise LaunchError(f"--app {text}: {expected}")
        if app not in APPS:
            expected = f"expected an app to add, {nearest(app, APPS)}; or APP=PROCESS"
            raise LaunchError(f"--app {text}: {expected}")
        place = 1 + max((run.place for run in runs), default=-1)
        runs.append(Run(app, app, False, "", (), f"--app {text}", place))
    return replace(antler, runs=tuple(runs))


def _check_added(communities: Sequence[Community], added: tuple[str, str, str]) -> None:
    text, of, app = added
    names = [one.name for one in communities]
    if not of and len(names) > 1:
        given = ", ".join(names)
        raise LaunchError(f"--app {text}: expected NAME:{app} or *:{app}; communities: {given}")
    if of not in ("", EVERY, *names):
        raise LaunchError(f"--app {text}: expected a community, {nearest(of, names)}")


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
    runs = [run for one in communities for run in one.antler.runs]
    known = {name for run in runs for name in (run.alias, run.process)}
    found = name == EVERY or any(matches(name, one) for one in known)
    if not (found if option == "--skip" else name in known):
        hint = nearest(name, known)
        raise LaunchError(f"{option} {name}: expected an app of the launch list, {hint}")
