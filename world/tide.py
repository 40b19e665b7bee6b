"""Tide: the level of the water, and the stream it makes, as a pure function of time."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

M2 = 44714.16  # period of the principal lunar constituent [s]


@dataclass(frozen=True)
class Tide:
    """One constituent, from the mission's start.

    Attributes:
        range: from low to high water [m].
        period: between high waters [s].
        high_water: when the first is [s].
        stream: of the flood at its strongest, half way from low to high water [m/s].
        direction: where the flood goes to, the ebb against it [deg].
    """

    range: float = 0.0
    period: float = M2
    high_water: float = 0.0
    stream: float = 0.0
    direction: float = 0.0

    def level(self, t: float) -> float:
        """Give the level above the mean [m]."""
        return 0.5 * self.range * cos(2.0 * pi * (t - self.high_water) / self.period)

    def speed(self, t: float) -> float:
        """Give the stream's speed towards its direction [m/s]; of an ebb it is negative."""
        return -self.stream * sin(2.0 * pi * (t - self.high_water) / self.period)
