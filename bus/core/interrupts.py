"""Signals that end a run (Ctrl-C, SIGTERM, hangup), as a flag that is checked between instants."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

HANGUP = getattr(signal, "SIGHUP", None)  # not on Windows
ENDING = (signal.SIGINT, signal.SIGTERM, *((HANGUP,) if HANGUP is not None else ()))


def ignore_end_signals() -> None:
    """Ignore the signals that end a run: a terminal sends them to the whole process group, and the
    supervisor alone handles them.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


class Interrupts:
    """While entered, catches signals that end a run and sets ``caught``.

    A hangup that was ignored before, as under nohup, remains ignored.

    Attributes:
        caught: number of the first signal; 0: none.
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
