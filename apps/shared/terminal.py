"""Terminal handling of the command-line tools: screen detection, closed pipes, signals."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from steerageway.diagnostics.diagnostic import harmless


def has_screen() -> bool:
    """Whether input and output are a terminal whose lines can be rewritten."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return both and os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")


@contextmanager
def ignoring_closed_pipe() -> Iterator[None]:
    """Leave the block silently when the reader of standard output has closed the pipe."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)


def say(*lines: object, to: TextIO | None = None, end: str = "\n") -> None:
    """Print and flush; once the reader is gone, discard what is printed to that stream.

    Control characters in the lines, with which a text from outside would steer the terminal, are
    replaced.

    Args:
        to: the stream; None: the standard output.
    Raises:
        OSError: writing to the standard output fails, as on a full disk.
    """
    stream = sys.stdout if to is None else to
    try:
        print(*(harmless(str(line)) for line in lines), sep="\n", end=end, file=stream, flush=True)
    except OSError as error:
        silence(stream)
        reader_gone = error.errno in (errno.EPIPE, errno.EIO)  # a closed pipe, a lost terminal
        if stream is sys.stdout and not reader_gone:
            raise


class Copied:
    """Standard output for what files contain; on a terminal without control characters."""

    def write(self, text: str) -> int:
        """Write a text."""
        return sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)

    def write_line(self, line: bytes) -> None:
        """Write a line, with its end."""
        if sys.stdout.isatty():
            self.write(line.decode(errors="replace").replace("\r\n", "\n"))
        else:
            sys.stdout.buffer.write(line)


def complete_streams() -> None:
    """Open the null device in place of missing standard streams."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def silence(stream: TextIO) -> None:
    """Discard what is printed to a stream from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def end_by_signals() -> None:
    """Let signals end this process like Ctrl-C, so that the terminal's state is restored."""
    # A shell starts a background job with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    hangup = getattr(signal, "SIGHUP", signal.SIGTERM)  # Windows has none
    for number in (signal.SIGTERM, hangup):
        signal.signal(number, _end)


def _end(number: int, frame: object) -> None:
    raise SystemExit(128 + number)
