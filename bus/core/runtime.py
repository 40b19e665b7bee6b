"""Runtime folder: where a user's runs register themselves, for consoles and for their tokens.

A run's file is named after its broker's process id; only its user may read it.
"""

from __future__ import annotations

import os
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from math import inf
from pathlib import Path

from steerageway.declarations import json_of

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

_TOKEN_BYTES = 24


def runtime_folder() -> Path:
    """Return the user's folder in which running missions are registered.

    It is the first writable one: a container may have no home folder, or another user's.
    """
    base, home = os.environ.get("XDG_RUNTIME_DIR"), os.path.expanduser("~")
    usual = [Path(base)] if base else []
    usual += [Path(home, ".cache")] if os.path.isabs(home) else []
    getuid = getattr(os, "getuid", None)  # Windows has a temporary folder for each user
    last = Path(tempfile.gettempdir(), f"steerageway.{getuid()}" if getuid else "steerageway")
    somebody_elses = getuid is not None and last.exists() and last.stat().st_uid != getuid()
    if somebody_elses:  # another user could read or replace our files there
        last = last.with_name(f"{last.name}.{os.getpid()}")
    return next(filter(_can_be_written, usual), last) / "steerageway"


def _can_be_written(folder: Path) -> bool:
    """Whether files can be written into a folder, which may have to be made first."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def relaunch_with(*options: str) -> str:
    """Return the command that started this process, or the one it was forked from, with options."""
    return shlex.join([*sys.orig_argv, *options])


def new_token() -> str:
    """Return a random token, needed to connect to a run."""
    return os.urandom(_TOKEN_BYTES).hex()


def token_for(address: str) -> str:
    """Return the token of the run that listens at an address, from its file; "" if there is none.

    Args:
        address: "tcp://127.0.0.1:9000"; other machines' runs have their files there.
    """
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    if not is_loopback(host.strip("[]")):
        return ""
    for path in sorted(runtime_folder().glob("*.json")):
        with suppress(OSError, ValueError, AttributeError, TypeError):
            about = json_of(path.read_text(encoding="utf-8"))
            here = str(about.get("address", "")).endswith(f":{port}")
            if here and is_there(about.get("pid", 0)):
                return str(about.get("token", ""))
    return ""


def is_there(pid: int) -> bool:
    """Whether a process exists. Always True on Windows, where asking with os.kill would end it."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_loopback(host: str) -> bool:
    """Whether an address is reachable from this machine only."""
    return ip_address(host).is_loopback if is_address(host) else host == "localhost"


def is_address(host: str) -> bool:
    """Whether a text is an IP address, not a host name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


@contextmanager
def borrowed(descriptor: int) -> Iterator[socket.socket]:
    """Yield a descriptor that another library closes as a socket.

    Raises:
        OSError: it is none of a socket.
    """
    connection = socket.socket(fileno=descriptor)
    try:
        yield connection
    finally:
        connection.detach()


def shut(descriptor: int, port: int) -> None:
    """End a connection at a port of this process, whose descriptor another library closes then."""
    with suppress(OSError), borrowed(descriptor) as connection:  # or it has just ended
        if connection.getsockname()[1] == port:  # and the descriptor is no other's by now
            connection.shutdown(socket.SHUT_RDWR)


def allow_files(needed: int) -> float:
    """Let this process open this many files, or as many as it may; return how many it may open."""
    if resource is None:
        return inf
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    most = needed if hard == unlimited else min(needed, hard)
    if soft != unlimited and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most
