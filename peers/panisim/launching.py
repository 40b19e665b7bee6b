"""Launching of a Panisim main file: it is converted to a mission for each of its vessels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steerageway.bus import NANO, AppPlan
from steerageway.declarations import write_whole
from steerageway.diagnostics.diagnostic import Diagnostic
from steerageway.launcher.errors import LaunchError
from steerageway.launcher.mission_cache import cache_folder, writing
from steerageway.launcher.options import Options
from steerageway.vessel.fossen.keys.simulation import SUFFIXES

ORDERS = "ACTUATOR_CMD"
MOST_TOPICS = 4  # limit of topics in a line


def with_missions(options: Options) -> Options:
    """Return options in which Panisim's main files are replaced by generated mission files.

    Their ``sim_time`` is the default of ``--for``. The files are in ``launcher.mission_cache``.

    Raises:
        LaunchError: a main file, or a file that it names, is not valid.
    """
    missions: list[str] = []
    made_from = dict(options.made_from)
    warnings = dict(options.warnings)
    stop_at = options.stop_at
    for argument in options.missions:
        if Path(argument).suffix not in SUFFIXES:
            missions.append(argument)
            continue
        sim_time, written = _written(Path(argument))
        missions += written
        made_from |= dict.fromkeys(written, argument)
        warnings |= written
        stop_at = round(sim_time * NANO) if stop_at is None else stop_at
    made = replace(options, missions=tuple(missions), made_from=made_from, warnings=warnings)
    return replace(made, stop_at=stop_at)


def watch_lines(options: Options, apps: Sequence[AppPlan]) -> list[str]:
    """Return hints at the variables of Panisim's vessels and commands to watch them; [] for none.

    Args:
        options: with generated missions. apps: of the run.
    """
    made = options.made_from
    names = [
        Path(mission).stem
        for mission in options.missions
        if Path(made.get(mission, "")).suffix in SUFFIXES
    ]
    if not names:
        return []
    topics = [
        name
        for app in apps
        if app.community in names
        for name in app.app.publishes
        if name[0] == "/"
    ]
    topics = [name for name in topics if "*" not in name]
    sensors = "".join(f", {name}" for name in topics[:MOST_TOPICS])
    more = f" and {len(topics) - MOST_TOPICS} more" if len(topics) > MOST_TOPICS else ""
    first = names[0]
    posts = {name for app in apps if app.community == first for name in app.app.publishes}
    # A controller's next order would undo a command: an override lasts until it is released.
    steered = any(name in posts for name in (ORDERS, "DESIRED_RUDDER", "DESIRED_THRUST"))
    orders = f"{ORDERS}_OVERRIDE" if steered else ORDERS
    ends = f", ended by {orders}=release" if steered else ""
    return [
        f"to watch: NAV_*, VESSEL_STATE (as /vessel_state), USM_STATE{sensors}{more}",
        f"by: steerageway view, steerageway scope '{first}:NAV_*'; to command: steerageway poke "
        f"{first}:{orders}=... (while it runs{ends}; --view from the start)",
    ]


def _written(path: Path) -> tuple[float, dict[str, tuple[Diagnostic, ...]]]:
    """Write the missions of a main file; return its duration, and mission -> warnings."""
    from steerageway.peers.panisim.missions import missions_of

    try:
        sim_time, missions = missions_of(path)
    except ValueError as error:
        raise LaunchError(str(error)) from error
    made = {f"{mission.name}.moos": mission.moos for mission in missions}
    made |= {f"{mission.name}.bhv": mission.bhv for mission in missions if mission.bhv}
    with writing(str(path)):
        folder = cache_folder(text for file in made.items() for text in file)
        for name, contents in made.items():
            write_whole(folder / name, contents, follow=False)
    written = {
        str(folder / f"{mission.name}.moos"): tuple(
            Diagnostic(expected=text) for text in mission.warnings
        )
        for mission in missions
    }
    return sim_time, written
