"""The command line of the viewer."""

from __future__ import annotations

import asyncio
import errno
import signal
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from steerageway.apps.log_files import logs_at
from steerageway.apps.runs import WHICH, file_and_name, find_run
from steerageway.apps.terminal import say
from steerageway.bus import BusError, is_there, wall
from steerageway.moos.errors import FormatError

PROGRAM = "python -m apps.viewer"

DONE, WRONG = 0, 2
NEEDED = ("starlette", "uvicorn", "websockets")
ROOTS = ("missions", "logs", "inputs")
PATIENCE, LOOK = 120.0, 0.1  # wall seconds: until a run begins; between looks whether it has
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")


class CommandError(ValueError):
    """The viewer cannot start as it was told to; the text says what would be right."""


def main(arguments: Sequence[str] | None = None, prog: str = PROGRAM) -> int:
    """Serve the viewer until it is interrupted; give the exit code."""
    options = parser(prog).parse_args(arguments)
    try:
        _check_environment()
        return _serve(options)
    except (CommandError, BusError, FormatError) as error:
        print(error, file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _check_environment() -> None:
    """Check that what the server needs is installed.

    Raises:
        CommandError: it is not.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise CommandError(
            f"the viewer needs {', '.join(missing)}: pip install 'steerageway[web]'"
            " (in a checkout: pip install -e '.[web]')"
        )


def _serve(options: Namespace) -> int:
    """Bind, open what is named, and serve."""
    import uvicorn

    from steerageway.apps.viewer.front import Front
    from steerageway.apps.viewer.hall import Hall
    from steerageway.apps.viewer.security import Gate, names_of
    from steerageway.apps.viewer.server import application

    _check_safe(options)
    runs, logs = _sorted(options.targets)
    listening = _bound(options.host, options.port)
    port = listening.getsockname()[1]
    roots = [Path(root) for root in options.root or ROOTS]
    gate = Gate(names_of(options.host), port, secure=options.tls is not None)
    hall = Hall(Front(roots, logs), options.read_only, Path.cwd())
    config = uvicorn.Config(
        application(hall, gate),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_max_size=1 << 20,
        timeout_graceful_shutdown=2,
        server_header=False,
        **_tls(options),
    )
    server = uvicorn.Server(config)
    with listening:
        return asyncio.run(_run(server, hall, listening, gate.address, (runs, logs), options))


async def _run(
    server: Any,
    hall: Any,
    listening: socket.socket,
    address: str,
    named: tuple[list[str], list[Path]],
    options: Namespace,
) -> int:
    """Open what is named, say where the page is, and serve."""
    runs, logs = named
    for path in logs:
        opened = hall.open_logs(path)
        hall.default = hall.default or opened
    if options.of is not None:
        hall.default = await hall.open_run(await _address_of(options.of))
    for target in runs:
        run = await asyncio.to_thread(find_run, target, keys=options.keys)
        hall.default = await hall.open_run(run.address, keys=options.keys)
    say(f"viewer: {address}")
    await server.serve(sockets=[listening])
    return DONE


async def _address_of(pid: int) -> str:
    """Wait until a run has begun; give where it is.

    Raises:
        CommandError: it does not begin, or has ended before.
    """
    from steerageway.apps.run_files import begun_by

    deadline = wall() + PATIENCE
    while wall() < deadline and is_there(pid):
        if address := begun_by(pid):
            return address
        await asyncio.sleep(LOOK)
    raise CommandError(f"viewer: the run of process {pid} has not begun, or has ended already")


def _sorted(targets: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Tell the runs that are named from the logs.

    Raises:
        CommandError: there is no such log, and it can be no run.
    """
    runs, logs = [], []
    for target in targets:
        path = Path(file_and_name(target)[0])
        if path.suffix in (".alog", ".gz") or (path.is_dir() and _has_logs(path)):
            if not path.exists():
                raise CommandError(f"{target}: no such log")
            logs.append(path)
        else:
            runs.append(target)
    return runs, logs


def _has_logs(folder: Path) -> bool:
    """Whether a folder is that of a run that has ended, or holds logs."""
    from steerageway.apps.run_files import runs_under_way

    if any(Path(about.get("folder", "")) == folder.resolve() for about in runs_under_way()):
        return False
    if any(folder.glob("*.moos")):
        return False
    try:
        return bool(logs_at(folder))
    except FormatError:
        return False


def _bound(host: str, port: int) -> socket.socket:
    """Give a socket that listens.

    Raises:
        CommandError: the port is taken, or there is no such address here.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} is in use: expected a free one, or --port auto"
            raise CommandError(text) from None
        raise CommandError(f"--host {host}: {error.strerror}") from None
    return listening


def _check_safe(options: Namespace) -> None:
    """Check that other machines are served by TLS only."""
    if options.host not in LOCAL_HOSTS and options.tls is None:
        raise CommandError(
            f"--host {options.host}: expected together with --tls CERT KEY; without, use an SSH"
            " tunnel: ssh -L PORT:127.0.0.1:PORT"
        )
    for file in options.tls or ():
        if not file.is_file():
            raise CommandError(f"--tls {file}: no such file")


def _tls(options: Namespace) -> dict[str, Any]:
    if options.tls is None:
        return {}
    certificate, key = options.tls
    return {"ssl_certfile": str(certificate), "ssl_keyfile": str(key)}


def _port(text: str) -> int:
    if text == "auto":
        return 0
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise ArgumentTypeError(f"{text!r}: expected a port from 1 to 65535, or auto")
    return int(text)


def parser(prog: str = PROGRAM) -> ArgumentParser:
    """Make the parser."""
    command = ArgumentParser(
        prog=prog,
        description="Watch a run, replay logs, compare them: in a browser. Prints the address.",
        allow_abbrev=False,
    )
    command.add_argument(
        "targets",
        nargs="*",
        metavar="RUN | LOG",
        help=f"runs: {WHICH.partition(';')[0]}; logs: .alog files, or folders of runs that have"
        " ended; without any, the page lists what there is",
    )
    command.add_argument(
        "--port", type=_port, default=0, metavar="N|auto", help="of the page (auto: any free one)"
    )
    command.add_argument(
        "--root",
        type=Path,
        action="append",
        metavar="DIR",
        help=f"where missions, logs and vessels are listed from ({', '.join(ROOTS)})",
    )
    command.add_argument(
        "--read-only", action="store_true", help="pages may look, but not post, steer or start"
    )
    command.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="beyond this machine with --tls only"
    )
    command.add_argument(
        "--tls", nargs=2, type=Path, metavar=("CERT", "KEY"), help="serve by TLS, from these files"
    )
    command.add_argument(
        "--keys", type=Path, metavar="FILE", help="a client's CURVE keys, if the broker wants them"
    )
    command.add_argument(
        "--of", type=int, metavar="PID", help="the run of a launch.py, once it begins"
    )
    return command
