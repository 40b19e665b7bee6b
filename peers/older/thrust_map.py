"""Thrust map of the released simulators uSimMarineV22 and uSimMarine.

Source: the behaviour of MOOS-IvP's uSimMarineV22 and uSimMarine (2026).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from steerageway.vessel.thrust_map import ThrustMap, interpolate


@dataclass(frozen=True, slots=True)
class ReleasedThrustMap(ThrustMap):
    """A thrust map as computed by the released simulators.

    Thrust beyond 100 per cent still increases speed if no pairs ahead are given, and the inverse
    returns full thrust for the highest and the lowest speed.
    """

    def speed(self, thrust: float) -> float:
        """Return the speed [m/s] for a thrust [%]."""
        if self.ahead or (thrust < 0 and (self.astern or not self.reflect)):
            return self._on_the_map(thrust)
        return thrust / self.factor if self.factor else 0.0

    def _on_the_map(self, thrust: float) -> float:
        """Interpolate from the left, with the rounding of the released simulators."""
        xs, ys = self._thrusts, self._speeds
        if not xs[0] < thrust < xs[-1]:
            return ys[0] if thrust < 0 else ys[-1]
        i = bisect_right(xs, thrust) if thrust >= 0 else bisect_left(xs, thrust)
        x0, y0 = xs[i - 1], ys[i - 1]
        return (thrust - x0) * ((ys[i] - y0) / (xs[i] - x0)) + y0

    def thrust(self, speed: float) -> float:
        """Return a thrust [%] for a speed, or for the nearest speed [m/s]."""
        if not self.ahead and speed >= 0:
            return speed * self.factor
        return interpolate(self._speeds, self._thrusts, speed) if speed else 0.0
