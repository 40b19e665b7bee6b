"""Simulated time as programs of MOOS are told it: what the broker has reached, between two looks.

A program's own clock is its machine's time multiplied by its warp, which it reads from its mission
file; its MOOS time is that clock and a skew, which its database may correct. So a program cannot be
halted, but its time can be kept with ours.
"""

from __future__ import annotations

from collections import deque
from math import inf

MEMORY = 1.5  # wall seconds over which the schedule of a run is looked for
TOLERANCE = 0.002  # wall seconds of a program's error that is not corrected
REST = 0.3  # wall seconds after which one that beats is corrected in any case


class SimulatedClock:
    """The simulated time of a run [s], estimated from the broker's answers.

    The broker reaches the instants of its apps, a few each second, and each no sooner than its
    schedule says: the latest schedule among the last answers is the run's.
    """

    def __init__(self) -> None:
        self._seen: deque[tuple[float, float]] = deque()  # wall time, schedule
        self._warp = 0.0
        self._time = 0.0

    def look(self, now: float, time: float, warp: float, *, paused: bool) -> None:
        """Take an answer of the broker.

        Args:
            now: wall time. time: simulated time reached [s].
            warp: simulated seconds per wall second; ``inf``: as fast as possible.
            paused: whether time stands.
        """
        rate = 0.0 if paused or warp == inf else warp
        if rate != self._warp:
            self._seen.clear()
        self._warp, self._time = rate, time
        self._seen.append((now, time - rate * now))
        while self._seen[0][0] < now - MEMORY:
            self._seen.popleft()

    def at(self, now: float) -> float:
        """Return the simulated time [s] at a wall time."""
        if not self._warp or not self._seen:
            return self._time
        return max(schedule for _, schedule in self._seen) + self._warp * now


class ProgramClock:
    """The clock of one program: its local time, and the skew that it was given."""

    def __init__(self, now: float, local: float, warp: float) -> None:
        """Begin with the time of its hello.

        Args:
            now: wall time. local: its own time [s]. warp: of the run, until its own is measured.
        """
        self._wall, self._local = now, local
        self.warp = warp if warp < inf else 1.0
        self.skew = 0.0
        self._corrected = now

    def beat(self, now: float, local: float) -> None:
        """Take its local time from a heartbeat; two of them tell its warp."""
        passed = now - self._wall
        if passed > 0.5:
            self.warp = max(0.0, (local - self._local) / passed)
        self._wall, self._local = now, local

    def local(self, now: float) -> float:
        """Return its local time [s] at a wall time."""
        return self._local + self.warp * (now - self._wall)

    def greeted(self, time: float) -> float:
        """Return the skew of the welcome that makes its time this one, MOOS time [s]."""
        self.skew = time - self._local
        return self.skew

    def correction(self, now: float, time: float) -> tuple[float, float] | None:
        """Return time and number of a timing message that makes its time this one; None: it is.

        A program moves its skew by a tenth of what such a message says, or by all if it is 0.
        """
        local = self.local(now)
        wanted = time - local
        wrong = abs(wanted - self.skew) > TOLERANCE * max(1.0, self.warp)
        if not wrong and now - self._corrected < REST:
            return None
        told = wanted if self.skew == 0.0 else 10 * wanted - 9 * self.skew
        self.skew, self._corrected = wanted, now
        return local, local + told
