"""Launching by a launch script: a folder's ``launch.sh``, or a script that is named itself."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from steerageway.launcher.errors import LaunchError
from steerageway.launcher.fleet import VEHICLE
from steerageway.launcher.mission_names import SHIPPED
from steerageway.launcher.options import Options

SCRIPT = "launch.sh"
SUFFIXES = (".sh", ".bash")
RUNNER = "steerageway.peers.launch_script.launched"


def script_of(argument: str, options: Options) -> Path | None:
    """Return the script that launches an argument of the command line; None for none.

    A shipped mission is launched without its script, which launches the same.
    """
    path = Path(argument)
    if path.suffix in SUFFIXES and path.is_file():
        return path
    script = path / SCRIPT
    is_shipped = Path(os.path.realpath(path)).parent == SHIPPED
    return None if options.vessels or is_shipped or not script.is_file() else script


def with_scripts(options: Options) -> Options:
    """Return options in which a script is replaced by the missions that it launches.

    Raises:
        LaunchError: a script launches nothing, or what is not there, or it may not run.
    """
    missions: list[str] = []
    scripts = [(one, script_of(one, options)) for one in options.missions]
    if options.arguments and not any(script for _, script in scripts):
        given = " ".join(options.arguments)
        raise LaunchError(f"-- {given}: arguments of a launch script, of which there is none here")
    for argument, script in scripts:
        if script is None:
            _check_unscripted(Path(argument), options)
            missions.append(argument)
            continue
        found, options = import_module(RUNNER).launched_by(script, options)
        missions += found
    return replace(options, missions=tuple(missions))


def _check_unscripted(folder: Path, options: Options) -> None:
    """Check that a template is not launched as a fleet if there are scripts that launch it."""
    scripts = sorted(str(path) for path in folder.glob("*launch*.sh"))
    if scripts and not options.vessels and (folder / VEHICLE).is_file():
        told = f"expected one of its scripts, {', '.join(scripts)}, or --vessels N"
        raise LaunchError(f"{folder}: {told}")
