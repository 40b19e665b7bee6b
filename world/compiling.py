"""Display of compilation: what is compiled, and how far it is. Does not load numba.

``compiled.py`` reports each function that is compiled; nothing is reported, and nothing shown, for
machine code from the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

from steerageway.diagnostics.progress import progress_bar

BEGUN = "compiling, once per machine; steerageway warm compiles everything in advance"
_CLEAR = "\r\033[2K"


@dataclass
class Display:
    """Shows the compilation on a stream; a terminal gets a bar, others two lines."""

    stream: TextIO
    what: str = ""
    step: int = 0
    steps: int = 1
    functions: int = 0

    def begin(self, what: str, step: int, steps: int) -> None:
        """Begin a step of compiling something."""
        self.what, self.step, self.steps = what, step, steps

    def compiling(self, function: str) -> None:
        """Show that a function is compiled."""
        if not self.functions:
            print(BEGUN, file=self.stream, flush=True)
        self.functions += 1
        if self.stream.isatty():
            bar = progress_bar(self.step / self.steps)
            text = f"{_CLEAR}{bar}  {self.what}: {self.functions} functions, {function}"
            print(text, end="", file=self.stream, flush=True)

    def end(self) -> None:
        """Leave a line with the number of functions."""
        if self.functions:
            clear = _CLEAR if self.stream.isatty() else ""
            print(f"{clear}compiled {self.functions} functions", file=self.stream, flush=True)


_displays: list[Display] = []


@contextmanager
def compilation_shown(stream: TextIO) -> Iterator[None]:
    """Show on a stream what is compiled in the context."""
    display = Display(stream)
    _displays.append(display)
    try:
        yield
    finally:
        _displays.remove(display)
        display.end()


def report(function: str) -> None:
    """Report that a function is compiled, not found in the cache."""
    for display in _displays:
        display.compiling(function)


def in_steps(what: str, calls: Sequence[Callable[[], object]]) -> None:
    """Make calls that load or compile functions, one after another."""
    for step, call in enumerate(calls):
        for display in _displays:
            display.begin(what, step, len(calls))
        call()
