"""Running and idle time of a behavior, and the remaining time of its ``duration``."""

from __future__ import annotations


class Duration:
    """Measures the time since a behavior's first run, and its running and idle time.

    Attributes:
        running, idle: time in these states since the last reset [s].
        ended: the limit was reached; the next run restarts the time.
        triggered: time of receipt of the last reset by ``duration_reset``.
    """

    def __init__(self) -> None:
        self._started: float | None = None
        self._last: float | None = None
        self.running = 0.0
        self.idle = 0.0
        self.ended = False
        self.triggered: float | None = None

    def reset(self) -> None:
        """Restart the time with the next run."""
        self._started = None
        self.ended = False
        self.running = self.idle = 0.0

    def remaining(self, limit: float, now: float, *, idle_decay: bool) -> float:
        """Return the remaining time of a limit [s], 0 if it is over; the first call starts it.

        Args:
            limit: [s].
            now: [s].
            idle_decay: whether idle time is included.
        """
        if self._started is None:
            self._started = now
            self.idle = 0.0
        elapsed = now - self._started - (0.0 if idle_decay else self.idle)
        return max(0.0, limit - elapsed)

    def pass_time(self, now: float, *, running: bool) -> None:
        """Add the time since the last iteration to the running or idle time."""
        step = 0.0 if self._last is None else now - self._last
        self._last = now
        if running:
            self.running += step
        else:
            self.idle += step
