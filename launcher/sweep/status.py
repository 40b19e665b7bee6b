"""Progress line of a sweep: rewritten in place on a terminal, elsewhere a line at intervals."""

from __future__ import annotations

from typing import TextIO

from steerageway.bus import wall
from steerageway.diagnostics.progress import progress_bar

EVERY = 0.5  # interval of lines on a terminal [wall s]
PLAIN_EVERY = 20.0  # interval of lines elsewhere [wall s]
_CLEAR = "\r\033[2K"


class SweepStatus:
    """Shows how many cases are done and failed, and the estimated remaining time."""

    def __init__(self, stream: TextIO, cases: int, before: int) -> None:
        """Make the display.

        Args:
            stream: of the output; the line is rewritten if it is a terminal.
            cases: number of all cases.
            before: number of cases that were done before.
        """
        self._stream, self._cases, self._before = stream, cases, before
        self._rewrites = stream.isatty()
        self._began = self._shown = wall()

    def show(self, done: int, failed: int) -> None:
        """Show the progress, if the interval has passed."""
        now = wall()
        if now - self._shown >= (EVERY if self._rewrites else PLAIN_EVERY):
            self._shown = now
            line = progress_text(done, self._cases, failed, self._remaining(done, now))
            end = "" if self._rewrites else "\n"
            print(_CLEAR * self._rewrites + line, end=end, file=self._stream, flush=True)

    def clear(self) -> None:
        """Remove the line from a terminal."""
        if self._rewrites:
            print(_CLEAR, end="", file=self._stream, flush=True)

    @property
    def elapsed(self) -> float:
        """Time since the start [wall s]."""
        return wall() - self._began

    def _remaining(self, done: int, now: float) -> float | None:
        """Return the remaining time at the present rate [wall s]; None: unknown."""
        fresh = done - self._before
        return (now - self._began) / fresh * (self._cases - done) if fresh else None


def progress_text(done: int, cases: int, failed: int, remaining: float | None) -> str:
    """Return the progress of a sweep as text.

    Args:
        done: number of finished cases. cases: of all. failed: of failed ones.
        remaining: estimated remaining time [wall s]; None: unknown.
    """
    parts = [f"{progress_bar(done / cases)}  {done} of {cases} cases"]
    if failed:
        parts.append(f"{failed} failed")
    if remaining is not None:
        minutes, seconds = divmod(round(remaining), 60)
        hours, minutes = divmod(minutes, 60)
        parts.append(f"{hours}:{minutes:02}:{seconds:02} left")
    return ", ".join(parts)
