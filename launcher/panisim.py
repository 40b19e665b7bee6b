"""Lets Panisim's main file be launched: it becomes a mission for each of its vessels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bus.message import NANO
from launcher.errors import LaunchError
from launcher.generated import generated_folder
from launcher.options import Options

SUFFIXES = (".yml", ".yaml")


def with_missions(options: Options) -> Options:
    """Give options in which mission files stand for Panisim's; its ``sim_time`` is ``--for``.

    The mission files lie in a folder of their own, see ``launcher.generated``.

    Raises:
        LaunchError: a main file, or what it names, is wrong.
    """
    missions: list[str] = []
    made_from: dict[str, str] = {}
    stop_at = options.stop_at
    for argument in options.missions:
        if Path(argument).suffix not in SUFFIXES:
            missions.append(argument)
            continue
        sim_time, paths = _written(Path(argument))
        missions += paths
        made_from |= dict.fromkeys(paths, argument)
        stop_at = round(sim_time * NANO) if stop_at is None else stop_at
    return replace(options, missions=tuple(missions), made_from=made_from, stop_at=stop_at)


def _written(path: Path) -> tuple[float, list[str]]:
    from apps.panisim import missions_of

    try:
        sim_time, missions = missions_of(path)
    except ValueError as error:
        raise LaunchError(str(error)) from error
    folder = generated_folder(
        text for mission in missions for text in (mission.name, mission.moos, mission.bhv)
    )
    paths = []
    for mission in missions:
        file = folder / f"{mission.name}.moos"
        file.write_text(mission.moos)
        if mission.bhv:
            (folder / f"{mission.name}.bhv").write_text(mission.bhv)
        paths.append(str(file))
    return sim_time, paths
