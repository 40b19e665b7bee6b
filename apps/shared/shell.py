"""App construction from a mission file: configuration block, common parameters, command line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from steerageway.apps.shared.meanings import described
from steerageway.apps.shared.registry import field_name, module_of
from steerageway.apps.shared.terminal import ignoring_closed_pipe
from steerageway.bus import (
    APPCAST,
    App,
    AppPlan,
    BusError,
    Config,
    ConfigError,
    Entry,
    Parameter,
    Setting,
)
from steerageway.declarations import Whole
from steerageway.declarations.arguments import Parser, argument
from steerageway.diagnostics.diagnostic import Diagnostic, Place
from steerageway.diagnostics.nearest import ALIKE, hint
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import community, server_host, server_port
from steerageway.moos.lines import unquote
from steerageway.moos.mission import MissionFile, read_mission
from steerageway.world.compiling import compilation_shown

GLOBAL_KEYS = (
    *("Community", "ServerHost", "ServerPort", "MOOSTimeWarp", "Epoch"),
    *("LatOrigin", "LongOrigin", "Geodesy", "GlobalLogPath", "TERM_REPORTING"),
    *("ClientTimeout", "WarningLatency", "NoNetwork", "tcpnodelay", "UseMOOSComms"),
    *("Simulator", "WebServerPort"),
)
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


def global_lines(mission: MissionFile) -> Config:
    """Return every line of a mission file, in blocks or not, values unquoted; the first is used."""
    lines = (Entry(key, unquote(value), where) for key, value, where in mission.lines)
    return Config(lines, where=mission.origin.place, known=GLOBAL_KEYS)


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
        globals=shared or global_lines(mission),
        file=mission.path,
        overrides=overrides or {},
        folder=mission.path.parent,
    )


def build(kind: type[App], setting: Setting) -> App:
    """Construct and configure an app; lines that it does not read become config warnings.

    Lines that an app reads later must be requested in ``configure``, too.

    Raises:
        ConfigError, FormatError: a line is invalid.
    """
    app = kind(setting)
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


def _unread_warning(kind: type[App], setting: Setting, entry: Entry) -> Diagnostic:
    """Return the warning about a line of an app's block that the app does not read."""
    line, key = Diagnostic(entry.where, entry.key, entry.value), entry.key.lower()
    if key in (one.name.lower() for one in kind.parameters):
        return replace(line, expected=f"no effect: configure asks for no {entry.key}")
    if key not in map(str.lower, GLOBAL_KEYS):
        return setting.config.unknown_key(entry)
    first = setting.globals.entry(entry.key)
    advice = "it counts, but belongs above the blocks"
    if first != entry:
        advice = f"{first.where} counts" if first else "expected above the blocks"
    what = f"no parameter of {setting.name}, but of the whole mission"
    return replace(line, expected=f"{what}: {advice}")


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


def main(kind: type[App]) -> None:
    """Run the command line of an app's file; end the process if it fails."""
    if code := command_line(kind):
        sys.exit(code)


def command_line(
    kind: type[App], arguments: Sequence[str] | None = None, prog: str | None = None
) -> int:
    """Print information about an app, or run it next to a running broker; return the exit code.

    Args:
        kind: the app's class.
        arguments: without the program's name; None for those of this process.
        prog: how the program was called; None: by the app's module.
    """
    name = field_name(kind)
    parser = _parser(kind, name, prog or _command(kind))
    options = parser.parse_args(arguments)
    if options.alias and options.name and options.alias != options.name:
        parser.error(f"--alias {options.alias}: expected one name, not {options.name} as well")
    options.name = options.alias or options.name or name
    if options.example or options.interface:
        with ignoring_closed_pipe():
            print((example_block if options.example else interface_text)(kind, name))
    elif options.version:
        print(f"{name}, Steerageway {_version()}")
    elif options.replay is not None:
        from steerageway.apps.shared.replay import replay

        return replay(kind, options)
    elif options.mission is None:
        parser.error("expected a mission file")
    else:
        return _run_in_mission(kind, options)
    return 0


def example_block(kind: type[App], name: str) -> str:
    """Return an example block with every parameter at its default."""
    return block_text(name, parameters_of(kind))


def block_text(name: str, parameters: Sequence[Parameter]) -> str:
    """Return a block with parameters at their defaults, each with its meaning."""
    width = max(len(parameter.name) for parameter in parameters)
    lines = [_example_line(parameter, width) for parameter in parameters]
    return "\n".join([f"ProcessConfig = {name}", "{", *lines, "}"])


def interface_text(kind: type[App], name: str) -> str:
    """Return the variables an app subscribes to and publishes, each with its meaning."""
    unknown = ("as configured",)
    subscribed = kind.subscribes or unknown
    published = unknown if "*" in kind.publishes else (*kind.publishes, f"{name.upper()}_STATUS")
    listed = (
        f"{name} subscribes to:",
        *(f"  {described(v, kind)}" for v in subscribed),
        "",
        f"{name} publishes:",
    )
    return "\n".join([*listed, *(f"  {described(variable, kind)}" for variable in published)])


def parameters_of(kind: type[App]) -> list[Parameter]:
    """Return an app's parameters, those of every app first."""
    return [*kind.common.parameters(), *kind.parameters]


def _example_line(parameter: Parameter, width: int) -> str:
    sense = f"  // {parameter.help}"
    if not parameter.default:
        return f"  // {parameter.name} = {sense}"
    return f"  {parameter.name:{width}} = {parameter.default}{sense}"


def _command(kind: type[App]) -> str:
    """Return the command that starts an app: its package, or the file of a user-defined app."""
    module = module_of(kind)
    file = Path(sys.argv[0]).name
    return f"python {file}" if module == "__main__" else f"python -m {module.removesuffix('.app')}"


def _parser(kind: type[App], name: str, prog: str) -> ArgumentParser:
    lines = [f"  {p.name} ({p.default or 'no default'}): {p.help}" for p in parameters_of(kind)]
    parser = Parser(
        prog=prog,
        description=f"{name}: {(kind.__doc__ or '').strip()}",
        epilog="\n".join(["parameters (default): meaning", *lines]),
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("mission", nargs="?", type=Path, help="the mission file")
    parser.add_argument("name", nargs="?", help=f"the app's name in the launch list ({name})")
    parser.add_argument("--alias", "--moos_name", metavar="NAME", help="the same as NAME")
    parser.add_argument(
        "--moos_host", metavar="HOST", help="the broker's host (default: ServerHost)"
    )
    parser.add_argument(
        "--moos_port",
        metavar="PORT",
        type=argument(Whole(low=1, high=65535)),
        help="the broker's port (default: ServerPort)",
    )
    parser.add_argument(
        "--replay",
        type=Path,
        metavar="LOG",
        help="run the app again on the mail in this log, or log folder",
    )
    parser.add_argument(
        "--seed",
        type=argument(Whole()),
        default=0,
        metavar="N",
        help="seed of the replayed run (0)",
    )
    parser.add_argument("-e", "--example", action="store_true", help="print an example block")
    parser.add_argument(
        "-i", "--interface", action="store_true", help="print subscriptions and publications"
    )
    parser.add_argument("-v", "--version", action="store_true", help="print the version")
    return parser


def _version() -> str:
    from importlib.metadata import version

    return version("steerageway")


def _run_in_mission(kind: type[App], options: Namespace) -> int:
    """Run an app as a separate process of a running mission; return the exit code."""
    from steerageway.bus import serve_app

    try:
        mission = read_mission(options.mission)
        host = options.moos_host or server_host(mission)
        port = options.moos_port or server_port(mission)
        serve_app(lambda about: _plan(kind, mission, options.name, about), f"{host}:{port}")
    except (BusError, FormatError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _plan(kind: type[App], mission: MissionFile, name: str, about: Mapping[str, Any]) -> AppPlan:
    """Plan an app for a running mission, with the broker's seed, epoch and overrides."""
    overrides: dict[str, list[Entry]] = {}
    for community_, app, *line in about["overrides"]:
        if community_ == community(mission):
            overrides.setdefault(app, []).append(Entry(*line))
    setting = setting_for(kind, mission, name, overrides=overrides)
    return plan_app(kind, replace(setting, seed=about["seed"], epoch=about["epoch"]))
