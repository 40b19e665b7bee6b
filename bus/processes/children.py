"""Children of this process: forked, and how they ended."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable

from steerageway.bus.core.title import name_process

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


def how_it_ended(status: int) -> str:
    """Say how a process ended, from what waiting for it gave."""
    if os.WIFSIGNALED(status):
        return f"its process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"its process ended with exit status {os.WEXITSTATUS(status)}"


def cores() -> int:
    """Give how many processors there are for this process and its children."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
