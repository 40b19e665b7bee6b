"""``python -m bus keys DIR``: create, list and revoke CURVE keys of a broker's server."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from steerageway.bus.core.errors import ConfigError
from steerageway.bus.transport.keys import add_client, allowed_clients, make_server, revoke_client
from steerageway.declarations.arguments import Parser

PROGRAM = "python -m bus"


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Run the command line; return the exit status."""
    options = _parser(prog).parse_args(arguments)
    try:
        _manage_keys(options.folder, options.add, options.revoke)
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _manage_keys(folder: Path, add: str | None, revoke: str | None) -> None:
    print(f"server={make_server(folder)}")
    if revoke is not None:
        revoke_client(folder, revoke)
        print(f"revoked={revoke}")
    if add is not None:
        print(f"added={add_client(folder, add)}")
    print(f"allowed={','.join(allowed_clients(folder).values())}")


def _parser(prog: str) -> argparse.ArgumentParser:
    about = "Create, list and revoke CURVE keys of a broker's server."
    parser = Parser(prog=prog, description=about)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    keys = commands.add_parser("keys", help="create, list and revoke CURVE keys")
    keys.add_argument("folder", type=Path, metavar="DIR", help="folder of keys; created if missing")
    keys.add_argument("--add", metavar="NAME", help="create keys for a client and allow it")
    keys.add_argument("--revoke", metavar="NAME", help="revoke a client's keys")
    return parser


if __name__ == "__main__":
    sys.exit(main())
