"""Child processes: forking, names, limits, and how they ended."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress

from steerageway.bus.core.errors import ServerError
from steerageway.bus.core.runtime import allow_files

FILES = 16  # files that a broker opens beside a socket for each app
DIED = 1  # exit status of a child that raised
TITLE = "/proc/self/comm"  # Linux; elsewhere processes keep the name they were started by


def fork(life: Callable[[], None], title: str = "") -> int:
    """Fork a child that runs a function and exits without unwinding this process's frames.

    Args:
        life: what it runs. If it raises, the traceback goes to standard error, the status is
            ``DIED``.
        title: the process's name in ``ps``, ``top`` and ``pgrep``, which show its first 15 bytes;
            "" for that of this one.
    Returns: its process id.
    """
    # Else both processes would write what is buffered here.
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return pid
    status = DIED
    try:
        if title:
            with suppress(FileNotFoundError):
                file = os.open(TITLE, os.O_WRONLY)
                os.write(file, title.encode())
                os.close(file)
        life()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # Not sys.exit: the callers' ``finally`` blocks and exit handlers are the parent's to run.
        os._exit(status)


def check_forks() -> None:
    """Check that this system can fork processes.

    Raises:
        ServerError: it cannot, as on Windows.
    """
    if not hasattr(os, "fork"):
        raise ServerError("this system does not fork processes; expected --placement one")


def check_files(apps: int) -> None:
    """Check that a broker may open as many files as it needs; raise the soft limit if possible.

    Raises:
        ServerError: the hard limit is too low.
    """
    needed = FILES + apps
    if (most := allow_files(needed)) < needed:
        raise ServerError(
            f"a process may open {most} files only; expected {needed} or more (ulimit -n)"
        )


def how_it_ended(status: int) -> str:
    """Return how a process ended, from its wait status."""
    if os.WIFSIGNALED(status):
        return f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"its process ended with exit status {os.WEXITSTATUS(status)}"


def cores() -> int:
    """Return the number of processors for this process and its children."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
