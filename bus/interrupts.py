"""Ctrl-C and SIGTERM as a flag that a run looks at between instants."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any


class Interrupts:
    """While entered, notes SIGINT and SIGTERM instead of dying of them.

    Attributes:
        caught: the first signal's number; 0 while there was none.
    """

    def __init__(self) -> None:
        self.caught = 0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.caught = self.caught or number
