"""Shared parts of the web applications' commands: options, listening socket, uvicorn server."""

from __future__ import annotations

import errno
import logging
import signal
import socket
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from steerageway.declarations import Whole
from steerageway.declarations.arguments import argument

NEEDED = ("starlette", "uvicorn", "websockets")
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
MOST_CONNECTIONS = 256
SHARED = ("steerageway.web", "page")
"""The package and the folder of the files that all pages share."""


class CommandError(ValueError):
    """A server cannot start with these options; the text says what is expected."""


def served(name: str, serve: Callable[[], int], *errors: type[Exception]) -> int:
    """Run a server until it is interrupted; return the exit code.

    Args:
        name: of the server. serve: runs it.
        errors: further ones that end it with their text.
    """
    expected: tuple[type[Exception], ...] = (CommandError, *errors)
    try:
        check_environment(name)
        return serve()
    except expected as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def check_environment(name: str) -> None:
    """Check that the packages a server needs are installed.

    Raises:
        CommandError: one is not.
    """
    missing = [needed for needed in NEEDED if find_spec(needed) is None]
    if missing:
        raise CommandError(
            f"the {name} needs {', '.join(missing)}: pip install 'steerageway[web]'"
            " (in a checkout: pip install -e '.[web]')"
        )


def server_of(application: Any, options: Namespace) -> Any:
    """Return a uvicorn server for an application.

    Of more than ``MOST_CONNECTIONS`` without a WebSocket, the one that has asked for nothing for
    the longest time is closed: no number of connections keeps the page from being shown.
    """
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    logging.getLogger("uvicorn.error").addFilter(_is_no_strangers)
    latest: dict[Connection, None] = {}  # the one that has asked last is last

    class Connection(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            latest[self] = None
            if len(latest) > MOST_CONNECTIONS:
                oldest = next(iter(latest))
                del latest[oldest]
                oldest.transport.abort()

        def on_response_complete(self) -> None:
            if latest.pop(self, self) is None:
                latest[self] = None
            super().on_response_complete()

        def handle_websocket_upgrade(self, event: Any) -> None:
            latest.pop(self, None)
            super().handle_websocket_upgrade(event)

        def connection_lost(self, exc: Exception | None) -> None:
            latest.pop(self, None)
            super().connection_lost(exc)

    return uvicorn.Server(
        uvicorn.Config(
            application,
            http=Connection,
            backlog=MOST_CONNECTIONS,  # asyncio accepts so many at once, before it tells of one
            log_level="error",  # else a stranger could flood the terminal
            access_log=False,
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=1 << 20,
            timeout_graceful_shutdown=2,
            server_header=False,
            **_tls(options),
        )
    )


def _is_no_strangers(record: logging.LogRecord) -> bool:
    """Whether a record is none of the tracebacks with which a page could flood the terminal."""
    return not str(record.msg).startswith("Invalid UTF-8")


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket.

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


def check_safe(options: Namespace) -> None:
    """Check that TLS is used if other machines can connect.

    Raises:
        CommandError: it is not, or a TLS file is missing.
    """
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


PORT = Whole(low=1, high=65535, words={"auto": 0})


def add_port(command: ArgumentParser) -> None:
    """Add ``--port``."""
    command.add_argument(
        "--port",
        type=argument(PORT),
        default=0,
        metavar="N|auto",
        help="port of the page (auto: any free)",
    )


def add_access(command: ArgumentParser, forbidden: str) -> None:
    """Add the access options; ``forbidden`` is the help of ``--read-only``."""
    command.add_argument("--read-only", action="store_true", help=forbidden)
    command.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen at (127.0.0.1)"
    )
    command.add_argument(
        "--tls", nargs=2, type=Path, metavar=("CERT", "KEY"), help="use TLS, with these PEM files"
    )
