"""Lets a folder with a ``launch.sh`` be launched: its templates are expanded as the script says.

The script is read, see ``launcher.launch_script``, never executed. What it expands lies in a folder
of its own, as other templates' files do. Macros of the command line count before the script's.
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
from steerageway.launcher.options import Options
from steerageway.launcher.templates import defines, write_expanded
from steerageway.moos.errors import FormatError
from steerageway.moos.nsplug import Expansion, PlugCall, expand, read_macros

SCRIPT = "launch.sh"
NAMES = ("VNAME", "SNAME", "COMMUNITY")  # macros that name the community a file is for


def with_scripts(options: Options) -> Options:
    """Give options in which the missions that a script launches stand for its folder.

    Raises:
        LaunchError: a script launches nothing that can be found, or a template is wrong.
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
    """Give the missions that a folder's script launches, written, and options that know of them."""
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
    doubts = [*unread, *(one for file in made.values() for one in (*file.warnings, *file.unknown))]
    options = _warned(options, paths[0], doubts)
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
    """Expand a template as a line of the script has it."""
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
    """Give the community that a file is made for, as macros or its name say."""
    named = (call.macros[name] for name in NAMES if call.macros.get(name))
    return next(named, Path(call.target).stem.removeprefix("targ_"))


def _written(
    folder: Path, script: Script, made: Mapping[str, Expansion], options: Options
) -> tuple[list[str], dict[str, SourceMap]]:
    """Write what was expanded; give the missions, and where their lines come from."""
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
