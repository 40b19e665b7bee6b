"""When something that is sent at a rate is due."""

from __future__ import annotations

TOLERANCE = 1e-6  # s


class Due:
    """Tells when each of several things is due; at first all are.

    A rate of 0 is never due. What is late is not made up for.
    """

    def __init__(self) -> None:
        self._next: dict[str, float] = {}

    def __call__(self, name: str, time: float, rate: float) -> bool:
        """Whether it is due at a time [s], at its rate [Hz]; then it is not until the next time."""
        before = self._next.get(name, float("-inf"))
        if not rate or time < before - TOLERANCE:
            return False
        following = before + 1.0 / rate
        self._next[name] = time + 1.0 / rate if following <= time else following
        return True

    def at_once(self, name: str) -> None:
        """Make it due."""
        self._next.pop(name, None)
