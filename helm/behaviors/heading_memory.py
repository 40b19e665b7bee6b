"""Recent headings, with their circular mean and standard deviation."""

from __future__ import annotations

from collections import deque
from math import cos, radians, sin, sqrt

from steerageway.geometry.marine import bearing
from steerageway.helm.geometry import turn
from steerageway.helm.world import World


class HeadingMemory:
    """Headings [deg] within a time window."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, float]] = deque()

    def follow(self, world: World, memory: float | None) -> None:
        """Add ownship's present heading, and remove those older than ``memory`` [s]."""
        self.add(world.time, world.ownship.heading, memory or 0.0)

    def add(self, time: float, heading: float, memory: float) -> None:
        """Add a heading, and remove those older than ``memory`` [s]."""
        self._past.append((time, heading))
        while self._past[0][0] < time - memory:
            self._past.popleft()

    @property
    def count(self) -> int:
        """How many headings there are."""
        return len(self._past)

    @property
    def mean(self) -> float:
        """The circular mean, the direction of the sum of unit vectors, in [0, 360)."""
        x = sum(sin(radians(heading)) for _, heading in self._past)
        y = sum(cos(radians(heading)) for _, heading in self._past)
        return bearing(x, y)

    @property
    def deviation(self) -> float:
        """The standard deviation from the circular mean [deg]."""
        mean = self.mean
        total = sum(turn(mean, heading) ** 2 for _, heading in self._past)
        return sqrt(total / len(self._past))
