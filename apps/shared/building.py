"""Builds an app from its block of a mission file, and plans its activations."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from steerageway.bus import APPCAST, App, AppPlan, Config, ConfigError, Entry, Setting
from steerageway.diagnostics.diagnostic import DiagnosedError, Diagnostic, Place
from steerageway.diagnostics.nearest import ALIKE, hint
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import AS_MOOS, as_moos, community
from steerageway.moos.lines import unquote
from steerageway.moos.mission import MissionFile
from steerageway.world.compiling import compilation_shown

GLOBAL_KEYS = (
    *("Community", "ServerHost", "ServerPort", "MOOSTimeWarp", "Epoch"),
    *("LatOrigin", "LongOrigin", "Geodesy", "GlobalLogPath", "TERM_REPORTING"),
    *("ClientTimeout", "WarningLatency", "NoNetwork", "tcpnodelay", "UseMOOSComms"),
    *("Simulator", "WebServerPort", AS_MOOS),
)
GLOBAL = ""
"""The name under which overrides hold global lines instead of those of an app."""
Overrides = Mapping[str, Sequence[Entry]]


def block_of(
    kind: type[App], mission: MissionFile, name: str, overrides: Overrides | None = None
) -> Config:
    """Return an app's block, with the settings of its class for quotes and repeated keys.

    Args:
        kind: the app's class.
        mission: the file.
        name: the app's run name, which is also its block's.
        overrides: an app's name -> lines that replace those of its block with the same keys.
    """
    block = mission.block(name)
    given = list((overrides or {}).get(name, ()))
    instead = {entry.key.lower() for entry in given}
    lines = [
        Entry(key, value if kind.keeps_quotes else unquote(value), where)
        for key, value, where in (block.lines if block else ())
        if key.lower() not in instead
    ]
    if any(one.key == AS_MOOS for one in (overrides or {}).get(GLOBAL, ())) or as_moos(mission):
        there = {line.key.lower() for line in (*lines, *given)}
        peer = kind.peer_lines.items()
        lines += [Entry(key, text, f"{AS_MOOS} = true") for key, text in peer if key not in there]
    return Config(
        # Overrides must win: they come last if the last line is used, else first.
        lines + given if kind.last_wins else given + lines,
        where=block.where if block else _no_block(mission, name),
        last_wins=kind.last_wins,
        known=tuple(parameter.name for parameter in kind.common.parameters()),
    )


def _no_block(mission: MissionFile, name: str) -> str:
    """Return the place of the lines of an app without a block, for errors."""
    there = [block.name for block in mission.blocks]
    text = f"{mission.origin.name}: {name}, which has no block{hint(name, there, ALIKE)}"
    return Place(text, mission.origin.instance)


def global_lines(mission: MissionFile, overrides: Overrides | None = None) -> Config:
    """Return every line of a mission file, in blocks or not, values unquoted; the first is used.

    Args:
        mission: the file.
        overrides: ``GLOBAL`` -> lines that count instead of the file's.
    """
    lines = (Entry(key, unquote(value), where) for key, value, where in mission.lines)
    given = (overrides or {}).get(GLOBAL, ())
    return Config((*given, *lines), where=mission.origin.place, known=GLOBAL_KEYS)


def setting_for(
    kind: type[App],
    mission: MissionFile,
    name: str,
    *,
    overrides: Overrides | None = None,
    shared: Config | None = None,
) -> Setting:
    """Return an app's ``Setting`` from a mission file; the caller fills in the rest.

    Args:
        kind, mission, name, overrides: see ``block_of``.
        shared: the file's lines, if several apps share the record of those that were read.
    """
    return Setting(
        name=name,
        community=community(mission),
        config=block_of(kind, mission, name, overrides),
        globals=shared or global_lines(mission, overrides),
        file=mission.path,
        overrides=overrides or {},
        folder=mission.path.parent,
    )


def overrides_in(about: Mapping[str, Any], place: str) -> Overrides:
    """Return the lines of the command line that replace those of a community's blocks, by app.

    Args:
        about: a run's description, as in its welcome and in ``run.json``.
        place: the community.
    """
    found: dict[str, list[Entry]] = {}
    for where, app, *line in about.get("overrides", ()):
        if where == place and len(line) == len(Entry._fields):
            found.setdefault(str(app), []).append(Entry(*map(str, line)))
    return found


def build(kind: type[App], setting: Setting) -> App:
    """Construct and configure an app; lines that it does not read become config warnings.

    Lines that an app reads later must be requested in ``configure``, too.

    Raises:
        ConfigError, FormatError: a line is invalid; ``ConfigErrors`` if several are.
    """
    try:
        app = kind(setting)
    except ConfigError as error:
        raise _with_others(kind, setting, error) from error.__cause__
    if not hasattr(app, "setting"):
        own = "expected super().__init__(setting) in it, or its work done in configure"
        raise ConfigError(f"{kind.__name__}.__init__", "", "", own)
    app.configure()
    for key in ("publishes", "subscribes"):
        if isinstance(names := getattr(app, key), str):
            raise ConfigError(kind.__name__, key, repr(names), f"expected a tuple, ({names!r},)")
    if setting.answers_appcasts:
        app.publishes = (*app.publishes, APPCAST)
    for diagnostic in setting.config.diagnostics:
        app.config_warning(diagnostic)
    for entry in setting.config.unread():
        app.config_warning(_unread_warning(kind, setting, entry))
    return app


def _with_others(kind: type[App], setting: Setting, error: ConfigError) -> DiagnosedError:
    """Return an error of the common parameters together with those of the app's own."""
    config = setting.config
    wrong = {(one.key, one.value, one.where) for one in error.diagnostics}
    others = [entry for entry in config.entries if tuple(entry) not in wrong]
    if len(others) == len(config.entries):
        return error
    rest = Config(others, where=config.where, last_wins=config.last_wins)
    try:
        build(kind, replace(setting, config=rest))
    except (ConfigError, FormatError) as further:
        return config.together([error, further])
    except Exception:  # to be seen when the line is right
        return error
    return error


def _unread_warning(kind: type[App], setting: Setting, entry: Entry) -> Diagnostic:
    """Return the warning about a line of an app's block that the app does not read."""
    line, key = Diagnostic(entry.where, entry.key, entry.value), entry.key.lower()
    if not is_parameter(kind, entry):
        return setting.config.unknown_key(entry)
    if key in (one.name.lower() for one in kind.parameters):
        return replace(line, expected=f"no effect: configure asks for no {entry.key}")
    first = setting.globals.entry(entry.key)
    advice = "it counts, but belongs above the blocks"
    if first != entry:
        advice = f"{first.where} counts" if first else "expected above the blocks"
    what = f"no parameter of {setting.name}, but of the whole mission"
    return replace(line, expected=f"{what}: {advice}")


def is_parameter(kind: type[App], entry: Entry) -> bool:
    """Whether apps of a class have a parameter of this name, or missions a global line."""
    names = (*(one.name for one in kind.parameters), *GLOBAL_KEYS)
    return entry.key.lower() in map(str.lower, names)


def plan_app(
    kind: type[App], setting: Setting, *, start: int = 0, external: bool = False
) -> AppPlan:
    """Construct an app and plan its activations; its common parameters are checked here.

    Raises:
        ConfigError, FormatError: a line is invalid.
    """
    with compilation_shown(sys.stderr):
        app = build(kind, setting)
    common = app.common_options
    return AppPlan(
        app=app,
        rebuild=lambda seed: build(kind, replace(setting, seed=seed)),
        start=start + kind.at_launch.start_lag,
        period=common.tick,
        mode=int(common.iterate_mode),
        least_gap=common.least_gap,
        external=external,
    )
