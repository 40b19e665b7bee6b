"""The command line of the configurator."""

from __future__ import annotations

import asyncio
import os
import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steerageway.apps.shared.terminal import say
from steerageway.declarations.arguments import Parser
from steerageway.vessel.errors import InvalidValue
from steerageway.web.serving import (
    CommandError,
    add_access,
    add_port,
    bound,
    check_safe,
    served,
    server_of,
)

if TYPE_CHECKING:
    from steerageway.web.configurator.vessel_library import VesselLibrary

PROGRAM = "python -m apps.configurator"
ROOT = Path("vessels")


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Serve the configurator until it is interrupted; return the exit code."""
    options = parser(prog).parse_args(arguments)
    return served("configurator", lambda: _serve(options), InvalidValue)


def _serve(options: Namespace) -> int:
    from steerageway.web.configurator.server import ServerState, application
    from steerageway.web.configurator.vessel_library import VesselLibrary
    from steerageway.web.security import Gate, names_of

    check_safe(options)
    target = options.vessel
    named = [Path(target)] if target and Path(target).is_dir() else []
    library = VesselLibrary(options.drafts or _drafts(), options.root or [ROOT], named)
    default = _opened(library, target) if target else ""
    listening = bound(options.host, options.port)
    port = listening.getsockname()[1]
    gate = Gate(names_of(options.host), port, secure=options.tls is not None)
    server = server_of(application(ServerState(library, options.read_only, default), gate), options)
    with listening:
        return asyncio.run(_run(server, listening, gate.address))


async def _run(server: Any, listening: socket.socket, address: str) -> int:
    say(f"configurator: {address}")
    await server.serve(sockets=[listening])
    return 0


def _opened(library: VesselLibrary, target: str) -> str:
    """Open the vessel of the command line: a zip, a folder or a shipped vessel; return its id.

    Raises:
        CommandError: it is none of these, or cannot be read.
    """
    from steerageway.vessel.tools.place import folder_of

    path = Path(target)
    try:
        if path.suffix == ".zip":
            return library.zipped(path.read_bytes(), path.stem).id
        if path.is_dir():
            return library.folder(target).id
        return library.template(folder_of(target).name).id
    except InvalidValue:
        raise
    except (ValueError, OSError, LookupError) as error:
        raise CommandError(f"{target}: {error}") from None


def _drafts() -> Path:
    """Return the user's folder of drafts."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "steerageway" / "drafts"


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Make the parser."""
    command = Parser(
        prog=prog,
        description="Build and change vessels in a browser. Prints the address.",
    )
    command.add_argument(
        "vessel",
        nargs="?",
        default="",
        metavar="NAME | FOLDER | ZIP",
        help="a shipped vessel, of which a copy is made; a folder; a zip; if none is given,"
        " the page lists what can be opened",
    )
    add_port(command)
    command.add_argument(
        "--root",
        type=Path,
        action="append",
        metavar="DIR",
        help=f"a folder of vessels to list, may be repeated; new ones are saved in the first"
        f" ({ROOT})",
    )
    command.add_argument(
        "--drafts",
        type=Path,
        metavar="DIR",
        help="folder of unsaved drafts (~/.local/state/steerageway/drafts)",
    )
    add_access(command, "pages can show vessels, but not change or save them")
    return command
