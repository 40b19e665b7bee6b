"""Lists the names a launch list may contain: ``steerageway apps``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from steerageway.apps.shared.registry import APPS, GATE, SKIPPED, UnknownApp, load, short_name
from steerageway.apps.shared.terminal import ignoring_closed_pipe
from steerageway.declarations.arguments import Parser

PROGRAM = "python -m apps"
TOOLS = {
    "poke": "a console attached to a running mission (uPokeDB)",
    "scope": "variables of a running mission, live or once (uXMS)",
    "query": "conditions on a running mission, for shell scripts (uQueryDB)",
    "alog": "tools for logs",
    "dataset": "point clouds, images and labels of a run, for training",
}


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Print the names a launch list may contain; return the exit code."""
    Parser(prog=prog, description="List the names a launch list may contain.").parse_args(arguments)
    with ignoring_closed_pipe():
        _print_apps()
    return 0


def _print_apps() -> None:
    """Print the apps, the skipped names with their reasons, and the tools."""
    print("Started under their names; steerageway app NAME --example prints a block:\n")
    for name, target in APPS.items():
        print(f"  {name:22} {short_name(target.partition(':')[0]):34} {_described(name)}")
    print("\nAccepted in a launch list and not started:\n")
    for name, why in SKIPPED.items():
        print(f"  {name:16} {why}")
    print("\nBeside the run, with a block of its own:\n")
    gate = "lets programs of MOOS connect, shares with a MOOSDB: steerageway help moosdb"
    print(f"  {GATE:22} {gate}")
    print("\nTools, started by hand as steerageway TOOL:\n")
    for tool, what in TOOLS.items():
        print(f"  {tool:22} {what}")
    print("\nYour own: package.module:ClassName, a subclass of steerageway.App.")


def _described(name: str) -> str:
    """Return the first line about an app; of one whose extra is not installed, what it needs."""
    try:
        kind = load(name)
    except UnknownApp as error:
        return str(error)
    return (kind.__doc__ or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
