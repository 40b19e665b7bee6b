"""Entry points of the commands: what Ctrl-C does while Python loads them, and after their end.

Nothing heavy is imported here: the signals are set first.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from typing import NoReturn

WRONG = 2
COMPILER = ("numba", "llvmlite")
NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EIO)
NO_COMPILER = (
    "numba, which compiles the models of Fossen vessels, scenes and waves, is not installed, and "
    "is needed here: pip install numba"
)


def launch() -> NoReturn:
    """Run ``launch.py``."""
    _run("command")


def steerageway() -> NoReturn:
    """Run ``steerageway``, or ``python -m steerageway``."""
    _run("verbs")


def _run(module: str) -> NoReturn:
    """Import a module of this package, run its ``main``, and exit with the code."""
    code = 128 + signal.SIGINT
    # Before and after ``main`` nothing has to be ended in order, and each of several Ctrl-C would
    # raise once more.
    at_once = lambda number, frame: os._exit(code)  # noqa: E731
    signal.signal(signal.SIGINT, at_once)
    main = import_module(f"steerageway.launcher.{module}").main
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    except ModuleNotFoundError as error:
        extra = "pip install" in str(error)
        if error.name not in COMPILER and not extra:
            raise
        print(error if extra else NO_COMPILER, file=sys.stderr)
        code = WRONG
    except OSError as error:
        if error.filename is None and error.errno not in NO_ROOM:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is not written yet would fail again
        harmless = import_module("steerageway.diagnostics.diagnostic").harmless
        place = error.filename or "standard output, or a file, cannot be written"
        print(harmless(f"{place}: {error.strerror}"), file=sys.stderr)
        code = WRONG
    signal.signal(signal.SIGINT, at_once)
    sys.exit(code)
