"""Ctrl-C, SIGTERM and a lost terminal as a flag that a run looks at between instants."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

HANGUP = getattr(signal, "SIGHUP", None)  # Windows knows none
ENDING = (signal.SIGINT, signal.SIGTERM, *((HANGUP,) if HANGUP is not None else ()))


def leave_to_the_parent() -> None:
    """Let signals that end a run, which its whole group may get, be its first process's affair."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


class Interrupts:
    """While entered, notes signals that end a run instead of dying of them.

    A hangup that was ignored before, as by nohup, still is.

    Attributes:
        caught: the first signal's number; 0 while there was none.
    """

    def __init__(self) -> None:
        self.caught = 0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for number in ENDING:
            if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.caught = self.caught or number
