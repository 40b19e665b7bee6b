"""The clock of a behavior's ``duration``."""

from __future__ import annotations


class Duration:
    """Counts the seconds since a behavior's first run, and those of running and idling.

    Attributes:
        running, idle: seconds spent so, since the last reset.
        ended: the limit was reached; the next run begins anew.
        triggered: when the variable that resets it was heard, the last time it did.
    """

    def __init__(self) -> None:
        self._started: float | None = None
        self._last: float | None = None
        self.running = 0.0
        self.idle = 0.0
        self.ended = False
        self.triggered: float | None = None

    def reset(self) -> None:
        """Begin anew with the next run."""
        self._started = None
        self.ended = False
        self.running = self.idle = 0.0

    def remaining(self, limit: float, now: float, *, idle_decay: bool) -> float:
        """Return the seconds left of a limit, 0 when there are none; starts the clock.

        Args:
            limit: [s].
            now: [s].
            idle_decay: whether idle time counts.
        """
        if self._started is None:
            self._started = now
            self.idle = 0.0
        elapsed = now - self._started - (0.0 if idle_decay else self.idle)
        return max(0.0, limit - elapsed)

    def pass_time(self, now: float, *, running: bool) -> None:
        """Count the time since the last iteration as running or as idle."""
        step = 0.0 if self._last is None else now - self._last
        self._last = now
        if running:
            self.running += step
        else:
            self.idle += step
