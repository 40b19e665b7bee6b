"""App construction from a mission file: configuration block, common parameters, command line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from steerageway.apps.shared.building import overrides_in, plan_app, setting_for
from steerageway.apps.shared.meanings import described
from steerageway.apps.shared.registry import field_name, module_of
from steerageway.apps.shared.terminal import ignoring_closed_pipe
from steerageway.bus import App, AppPlan, BusError, Parameter
from steerageway.declarations import Whole
from steerageway.declarations.arguments import Parser, add_options
from steerageway.moos.errors import FormatError
from steerageway.moos.globals import community, server_host, server_port
from steerageway.moos.mission import MissionFile, read_mission


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
    add_options(
        parser,
        """
            --moos_host HOST: the broker's host (default: ServerHost)
            --moos_port PORT: the broker's port (default: ServerPort)
            --replay LOG: run the app again on the mail in this log, or log folder
            --seed N: seed of the replayed run (0)
        """,
        moos_host=(str, None),
        moos_port=Whole(low=1, high=65535),
        replay=Path,
        seed=(Whole(), 0),
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
    overrides = overrides_in(about, community(mission))
    setting = setting_for(kind, mission, name, overrides=overrides)
    return plan_app(kind, replace(setting, seed=about["seed"], epoch=about["epoch"]))
