"""The terminal that a console finds itself in."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
        _print_no_more()


def say(text: str) -> None:
    """Print a text at once; go on without a word when nobody reads what is printed any more."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _print_no_more()


def _print_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_by_signals() -> None:
    """Let signals end this process as the keyboard does, so that the terminal is left sane."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job starts with it ignored
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
