"""``Watchdog``: time limit of an app's activation in the kernel's own process.

Apps in processes of their own are watched in ``failures``; ``lockstep.case_kernel`` decides whether
one that failed ends the run, and ``core.timeouts`` has the limits.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from steerageway.bus.core.clock import wall
from steerageway.bus.core.runner import Hung, Kind, Runner

LOOK = 0.1  # wall seconds between checks of the activation under way
_RUN_CODE = Runner.run.__code__


class Watchdog:
    """While entered, raises ``Hung`` inside an activation that has lasted too long.

    It interrupts any Python code, but no call that never returns from C. Without interval timers
    (Windows) it does nothing.
    """

    def __init__(self, timeout: Callable[[Kind], float], no_answer: Callable[[float], str]) -> None:
        """Take the limits.

        Args:
            timeout: returns the time limit of a kind of activation [wall s]; 0: none.
            no_answer: returns the error text of an exceeded limit.
        """
        self._timeout, self._no_answer = timeout, no_answer
        self._activation: FrameType | None = None
        self._since = 0.0
        self._before: Any = None

    def __enter__(self) -> Watchdog:
        if not hasattr(signal, "setitimer"):
            return self
        self._before = signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
        return self

    def __exit__(self, *error: object) -> None:
        if not hasattr(signal, "setitimer"):
            return
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self._before)
        self._activation = None

    def _look(self, number: int, frame: FrameType | None) -> None:
        # The frame of Runner.run identifies an activation, at no cost to activations themselves.
        activation, now = _caller(frame, _RUN_CODE), wall()
        if activation is not self._activation:
            self._activation, self._since = activation, now
        elif activation is not None:
            timeout = self._timeout(activation.f_locals["kind"])
            if 0 < timeout < now - self._since:
                self._activation = None
                raise Hung(self._no_answer(timeout))


def _caller(frame: FrameType | None, code: CodeType) -> FrameType | None:
    """Return the frame, this one or one of its callers, that runs some code."""
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame
