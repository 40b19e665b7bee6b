"""The terminal that a console finds itself in."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


def has_screen() -> bool:
    """Whether there is a person at a terminal whose lines can be rewritten."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return both and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


@contextmanager
def while_somebody_reads() -> Iterator[None]:
    """Leave the block without a word when whoever reads what is printed has seen enough."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def say(*lines: str, to: TextIO | None = None, end: str = "\n") -> None:
    """Print at once while somebody reads; from then on, what is printed there goes nowhere.

    Args:
        to: where; None: the standard output.
    Raises:
        OSError: what goes to the standard output cannot be written, as on a full disk.
    """
    stream = sys.stdout if to is None else to
    try:
        print(*lines, sep="\n", end=end, file=stream, flush=True)
    except OSError as error:
        silence(stream)
        nobody_reads = error.errno in (errno.EPIPE, errno.EIO)  # a closed pipe, a lost terminal
        if stream is sys.stdout and not nobody_reads:
            raise


def complete_streams() -> None:
    """Let what is printed go nowhere where this process was started without an output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the first number that is free: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def silence(stream: TextIO) -> None:
    """Let go nowhere what is printed from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def end_by_signals() -> None:
    """Let signals end this process as the keyboard does, so that the terminal is left sane."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job starts with it ignored
    hangup = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows knows none
    for number in (signal.SIGTERM, hangup):
        signal.signal(number, _end)


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
