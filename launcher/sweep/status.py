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
            rate = (done - self._before) / (now - self._began)
            line = progress_text(done, self._cases, failed, rate)
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


def progress_text(done: int, cases: int, failed: int, rate: float) -> str:
    """Return the progress of a sweep as text, with the remaining time at the present rate.

    Args:
        done: number of finished cases. cases: of all. failed: of failed ones.
        rate: cases that are finished in a second [1/wall s].
    """
    parts = [f"{progress_bar(done / cases)}  {done} of {cases} cases"]
    if failed:
        parts.append(f"{failed} failed")
    if rate:
        minutes, seconds = divmod(round((cases - done) / rate), 60)
        hours, minutes = divmod(minutes, 60)
        parts += [f"{rate:.3g} a second", f"{hours}:{minutes:02}:{seconds:02} left"]
    return ", ".join(parts)
