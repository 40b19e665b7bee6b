"""How far a sweep is: on a terminal one line rewritten in place, elsewhere a line now and then."""

from __future__ import annotations

from typing import TextIO

from steerageway.bus import wall
from steerageway.launcher.status import progress_bar

EVERY = 0.5  # wall seconds between lines on a terminal
PLAIN_EVERY = 20.0  # elsewhere
_CLEAR = "\r\033[2K"


class SweepStatus:
    """Shows how many cases are done, how many failed, and how long the rest will take."""

    def __init__(self, stream: TextIO, cases: int, before: int) -> None:
        """Make the display.

        Args:
            stream: where it goes; whether that is a terminal decides how it looks.
            cases: how many there are.
            before: how many were done when it began.
        """
        self._stream, self._cases, self._before = stream, cases, before
        self._rewrites = stream.isatty()
        self._began = self._shown = wall()

    def show(self, done: int, failed: int) -> None:
        """Show it, if it is time."""
        now = wall()
        if now - self._shown >= (EVERY if self._rewrites else PLAIN_EVERY):
            self._shown = now
            line = progress_text(done, self._cases, failed, self._remaining(done, now))
            end = "" if self._rewrites else "\n"
            print(_CLEAR * self._rewrites + line, end=end, file=self._stream, flush=True)

    def clear(self) -> None:
        """Take the line off a terminal."""
        if self._rewrites:
            print(_CLEAR, end="", file=self._stream, flush=True)

    @property
    def elapsed(self) -> float:
        """Wall seconds since it began."""
        return wall() - self._began

    def _remaining(self, done: int, now: float) -> float | None:
        """Give the wall seconds that the rest will take, as fast as it went so far."""
        fresh = done - self._before
        return (now - self._began) / fresh * (self._cases - done) if fresh else None


def progress_text(done: int, cases: int, failed: int, remaining: float | None) -> str:
    """Say how far a sweep is.

    Args:
        remaining: wall seconds; None while nobody knows.
    """
    parts = [f"{progress_bar(done / cases)}  {done} of {cases} cases"]
    if failed:
        parts.append(f"{failed} failed")
    if remaining is not None:
        minutes, seconds = divmod(round(remaining), 60)
        hours, minutes = divmod(minutes, 60)
        parts.append(f"{hours}:{minutes:02}:{seconds:02} left")
    return ", ".join(parts)
