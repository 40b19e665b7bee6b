"""Tide: water level and tidal stream as a pure function of time."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

M2 = 44714.16  # period of the principal lunar semidiurnal constituent [s]


@dataclass(frozen=True)
class Tide:
    """One tidal constituent, with times from the mission's start.

    Attributes:
        range: low water to high water [m].
        period: interval between high waters [s].
        high_water: time of the first high water [s].
        stream: maximum speed of the flood, half way from low to high water [m/s].
        direction: direction the flood goes to [deg]; the ebb is opposite.
    """

    range: float = 0.0
    period: float = M2
    high_water: float = 0.0
    stream: float = 0.0
    direction: float = 0.0

    def level(self, t: float) -> float:
        """Return the water level above the mean [m]."""
        return 0.5 * self.range * cos(2.0 * pi * (t - self.high_water) / self.period)

    def speed(self, t: float) -> float:
        """Return the stream's speed in its direction [m/s]; negative during the ebb."""
        return -self.stream * sin(2.0 * pi * (t - self.high_water) / self.period)
