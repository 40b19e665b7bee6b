"""Launching of a folder with a ``launch.sh``: its templates are expanded as in the script.

The script is interpreted (``launcher.launch_script``), never executed. The expanded files are in
the mission cache. Macros of the command line have precedence over the script's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.diagnostics.source_map import Origin, SourceMap
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.fleet import USUAL, VEHICLE, vessel_names
from steerageway.launcher.launch_script import Script, read_script
from steerageway.launcher.mission_cache import inside
from steerageway.launcher.options import Options
from steerageway.launcher.templates import defines, write_expanded
from steerageway.moos.errors import FormatError
from steerageway.moos.nsplug import Expansion, PlugCall, expand, read_macros

SCRIPT = "launch.sh"
NAMES = ("VNAME", "SNAME", "COMMUNITY")  # macros that contain a file's community


def with_scripts(options: Options) -> Options:
    """Return options in which a script's folder is replaced by the missions that it launches.

    Raises:
        LaunchError: a mission that a script launches is not found, or a template is not valid.
    """
    missions: list[str] = []
    for argument in options.missions:
        folder = Path(argument)
        if options.vessels or not (folder / SCRIPT).is_file():
            missions.append(argument)
            continue
        found, options = _launched(folder, options)
        missions += found or [argument]
    return replace(options, missions=tuple(missions))


def _launched(folder: Path, options: Options) -> tuple[list[str], Options]:
    """Return the expanded missions of a folder's script, and options with their source maps.

    No missions, but a warning, if the script cannot be followed and there is something else to
    launch: the vehicle template, or mission files.
    """
    script = read_script(folder / SCRIPT)
    unread = [Diagnostic(expected=f"{told}: not read") for told in script.unread]
    if (folder / VEHICLE).is_file() and (unread or not script.launched):
        told = f"{folder / SCRIPT}: {VEHICLE} is launched for {USUAL} vessels in its place"
        first = f"{folder / VEHICLE}@{vessel_names(1)[0]}"
        return [], _warned(options, first, [*unread, Diagnostic(expected=told)])
    if not script.launched:
        reached = "expected a line pAntler FILE.moos that is reached"
        nothing = Diagnostic(str(folder / SCRIPT), expected=reached)
        if not list(folder.glob("*.moos")):
            raise LaunchError(*unread, nothing)
        return [], _warned(options, str(folder), [*unread, nothing])
    made = {call.target: _expanded(folder, call, where, options) for call, where in script.calls}
    missing = [
        f"{where}: pAntler {file}: no nsplug line makes it, and it is not in {folder}"
        for file, where in script.launched
        if file not in made and not (folder / file).is_file()
    ]
    if missing:
        raise LaunchError(*unread, *missing)
    paths, maps = _written(folder, script, made, options)
    found = [*unread, *(one for file in made.values() for one in (*file.warnings, *file.unknown))]
    options = _warned(options, paths[0], found)
    sources = {
        path: str(folder / file) for path, (file, _) in zip(paths, script.launched, strict=True)
    }
    return paths, replace(
        options,
        made_from={**options.made_from, **sources},
        source_maps={**options.source_maps, **maps},
    )


def _warned(options: Options, mission: str, told: Sequence[Diagnostic]) -> Options:
    known = options.warnings.get(mission, ())
    return replace(options, warnings={**options.warnings, mission: (*known, *told)})


def _expanded(folder: Path, call: PlugCall, where: str, options: Options) -> Expansion:
    """Expand a template by an ``nsplug`` line of the script."""
    if call.target != inside(call.target):
        expected = "expected a file below the mission's folder"
        raise LaunchError(Diagnostic(where, f"nsplug {call.source}", call.target, expected))
    try:
        macros: dict[str, str] = {}
        for name in call.macro_files:
            macros |= read_macros(folder / name)
        macros |= call.macros
        macros |= dict(defines(options, _instance(call)))
        search = [*(folder / name for name in call.search), *options.path]
        return expand(folder / call.source, macros, search)
    except FormatError as error:
        raise LaunchError(f"{where}: nsplug {call.source} {call.target}: {error}") from error


def _instance(call: PlugCall) -> str:
    """Return the community of an expanded file, from its macros, else from its name."""
    named = (call.macros[name] for name in NAMES if call.macros.get(name))
    return next(named, Path(call.target).stem.removeprefix("targ_"))


def _written(
    folder: Path, script: Script, made: Mapping[str, Expansion], options: Options
) -> tuple[list[str], dict[str, SourceMap]]:
    """Write the expanded files; return the missions, and their source maps."""
    if not made:
        return [str(folder / file) for file, _ in script.launched], {}
    place = write_expanded(dict(made), folder.resolve(), options.config)
    calls = {call.target: call for call, _ in script.calls}
    files = {
        name: Origin(str(folder / calls[name].source), tuple(line.where for line in one.lines))
        for name, one in made.items()
    }
    paths, maps = [], {}
    for file, _ in script.launched:
        instance = _instance(calls[file]) if file in calls else ""
        path = str(place / file)
        paths.append(path)
        maps[path] = SourceMap(instance, place, folder, files)
    return paths, maps
