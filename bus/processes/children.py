"""Children of this process: forked, and how they ended."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.title import name_process

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

FILES = 16  # that a broker opens beside a socket for each app
DIED = 1  # exit status of a child that raised


def fork(life: Callable[[], None], title: str = "") -> int:
    """Fork a child that lives its life and ends without unwinding this process's frames.

    Args:
        life: what it does. What this raises goes to standard error; its status is ``DIED`` then.
        title: the process's name; "" for that of this one.
    Returns: its process id.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = DIED
    try:
        if title:
            name_process(title)
        life()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def check_forks() -> None:
    """Check that processes can be forked here.

    Raises:
        ServerError: they cannot, as on Windows.
    """
    if not hasattr(os, "fork"):
        raise ServerError("this system does not fork processes; expected --placement one")


def check_files(apps: int) -> None:
    """Check that a broker may open as many files as it needs; allow more where that is ours to do.

    Raises:
        ServerError: it may not.
    """
    if resource is None:
        return
    needed = FILES + apps
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= hard < needed:
        raise ServerError(
            f"a process may open {hard} files only; expected {needed} or more (ulimit -n)"
        )
    if 0 <= soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def how_it_ended(status: int) -> str:
    """Say how a process ended, from what waiting for it gave."""
    if os.WIFSIGNALED(status):
        return f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"its process ended with exit status {os.WEXITSTATUS(status)}"


def cores() -> int:
    """Return how many processors there are for this process and its children."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
