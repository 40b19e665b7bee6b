"""The command line of the viewer."""

from __future__ import annotations

import asyncio
import socket
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steerageway.apps.shared.log_files import MCAP, logs_at
from steerageway.apps.shared.run_files import runs_under_way
from steerageway.apps.shared.runs import WHICH, file_and_name, find_run
from steerageway.apps.shared.terminal import say
from steerageway.bus import BusError, is_there, wall
from steerageway.declarations import Whole
from steerageway.declarations.arguments import Parser, add_options, argument
from steerageway.moos.errors import FormatError
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
    from steerageway.web.viewer.charts import Background

PROGRAM = "python -m apps.viewer"

ROOTS = ("missions", "logs", "inputs")
START_TIMEOUT, POLL = 120.0, 0.1  # timeout and polling interval of a run's start [wall s]
TABLES = (".csv", ".tsv", ".txt")


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Serve the viewer until it is interrupted; return the exit code."""
    options = parser(prog).parse_args(arguments)
    return served("viewer", lambda: _serve(options), BusError, FormatError)


def _serve(options: Namespace) -> int:
    """Bind the port, then open the named runs and logs and serve."""
    from steerageway.web.security import Gate, names_of
    from steerageway.web.viewer.open_sources import OpenSources
    from steerageway.web.viewer.server import application
    from steerageway.web.viewer.start_page import StartPage

    check_safe(options)
    runs, logs = _sorted(options.targets)
    listening = bound(options.host, options.port)
    port = listening.getsockname()[1]
    roots = [Path(root) for root in options.root or ROOTS]
    secure = options.tls is not None
    gate = Gate(names_of(options.host), port, secure, framed=options.in_frame)
    read_only = options.read_only or options.in_frame
    charts = _charts(options.chart or ())
    open_sources = OpenSources(StartPage(roots, logs), read_only, Path.cwd(), charts)
    server = server_of(application(open_sources, gate), options)
    with listening:
        return asyncio.run(
            _run(server, open_sources, listening, gate.address, (runs, logs), options)
        )


async def _run(
    server: Any,
    open_sources: Any,
    listening: socket.socket,
    address: str,
    named: tuple[list[str], list[Path]],
    options: Namespace,
) -> int:
    """Open the named runs and logs, print the page's address, and serve."""
    runs, logs = named
    opened = list(dict.fromkeys(map(open_sources.open_logs, logs)))
    open_sources.default = next(iter(opened), "")
    if len(opened) > 1 and not runs:
        open_sources.overlay = opened[1]
    if options.of is not None:
        open_sources.default = open_sources.open_run(await _address_of(options.of))
    for target in runs:
        run = await asyncio.to_thread(find_run, target, keys=options.keys)
        open_sources.default = open_sources.open_run(run.address, options.keys)
    say(f"viewer: {address}")
    await server.serve(sockets=[listening])
    return 0


async def _address_of(pid: int) -> str:
    """Wait until the run of a launcher's process has started; return its address.

    Raises:
        CommandError: it did not start, or has ended already.
    """
    from steerageway.apps.shared.run_files import begun_by

    deadline = wall() + START_TIMEOUT
    while wall() < deadline and is_there(pid):
        if address := begun_by(pid):
            return address
        await asyncio.sleep(POLL)
    raise CommandError(f"viewer: the run of process {pid} has not begun, or has ended already")


def _sorted(targets: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Sort the targets of the command line into runs and logs.

    Raises:
        CommandError: a log does not exist, or it is a table.
    """
    runs, logs = [], []
    for target in targets:
        path = Path(file_and_name(target)[0])
        if path.suffix in (".alog", ".gz", MCAP) or (path.is_dir() and _has_logs(path)):
            if not path.exists():
                raise CommandError(f"{target}: no such log")
            logs.append(path)
        elif path.suffix.lower() in TABLES and path.is_file():
            beside = f"steerageway alog plot LOG --with {target} draws a table beside a run"
            raise CommandError(
                f"{target}: expected a run, a log (.alog) or a run's folder; {beside}"
            )
        else:
            runs.append(target)
    return runs, logs


def _charts(paths: Sequence[Path]) -> list[Background]:
    """Read the charts of the command line.

    Raises:
        CommandError: one cannot be shown.
    """
    from steerageway.web.viewer.charts import ChartError, read_background

    found = []
    for path in paths:
        try:
            found.append(read_background(path))
        except (ChartError, OSError) as error:
            raise CommandError(f"--chart {path}: {error}") from None
    return found


def _has_logs(folder: Path) -> bool:
    """Whether a folder contains logs and is neither a mission nor that of a running mission."""
    if any(Path(about.get("folder", "")) == folder.resolve() for about in runs_under_way()):
        return False
    if any(folder.glob("*.moos")):
        return False
    try:
        return bool(logs_at(folder))
    except FormatError:
        return False


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Make the parser."""
    command = Parser(
        prog=prog,
        description="Watch a run, replay logs, compare them: in a browser. Prints the address.",
    )
    command.add_argument(
        "targets",
        nargs="*",
        metavar="RUN | LOG",
        help=f"runs: {WHICH.partition(';')[0]}; logs: .alog files, or folders of runs that have"
        " ended; if none is given, the page lists what can be opened",
    )
    add_port(command)
    command.add_argument(
        "--root",
        type=Path,
        action="append",
        metavar="DIR",
        help=f"a folder of missions, logs and vessels to list, may be repeated"
        f" ({', '.join(ROOTS)})",
    )
    add_options(
        command,
        """
            --chart FILE: a chart under the map, may be repeated: GeoJSON, GeoTIFF, MBTiles, or a \
                picture with an .info file
            --in-frame: pages of this machine, such as a notebook's, may show it in a frame; \
                implies --read-only
        """,
        chart={"type": Path, "action": "append"},
    )
    add_access(command, "pages can show runs, but not post, steer or start missions")
    command.add_argument(
        "--keys", type=Path, metavar="FILE", help="a client's CURVE keys, if the broker needs them"
    )
    command.add_argument(
        "--of",
        type=argument(Whole(low=1)),
        metavar="PID",
        help="the run that this launcher process starts",
    )
    return command
