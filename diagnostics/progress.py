"""Progress of a computation: a bar as text, rewritten in place on a terminal or in a notebook."""

from __future__ import annotations

import sys
from typing import Self, TextIO

BAR_WIDTH = 20


def progress_bar(fraction: float) -> str:
    """Return a progress bar."""
    done = min(1.0, max(0.0, fraction))
    filled = int(done * BAR_WIDTH)
    return f"[{'#' * filled}{'-' * (BAR_WIDTH - filled)}] {100 * done:3.0f} %"


def is_seen(stream: TextIO) -> bool:
    """Whether a line of a stream can be rewritten: of a terminal, or of a notebook's cell."""
    return stream.isatty() or "ipykernel" in sys.modules


class Bar:
    """A progress bar in one line, drawn when its text changes; none where nobody sees it."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Make the bar; it shows with its first call.

        Args:
            stream: of the output; None: the standard error.
        """
        self._stream = sys.stderr if stream is None else stream
        self._seen = is_seen(self._stream)
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """End the line."""
        if self._shown:
            self._write("\n")

    def __call__(self, what: str, fraction: float) -> None:
        """Show what is computed, and which fraction is done."""
        line = f"{progress_bar(fraction)}  {what}"
        if self._seen and line != self._shown:
            rest = " " * (len(self._shown) - len(line))  # of a longer line before
            self._shown = line
            self._write(f"\r{line}{rest}")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # a terminal that is gone: the computation goes on
            self._seen, self._shown = False, ""
