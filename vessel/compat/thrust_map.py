"""The thrust map of the released simulators.

Source: the behaviour of MOOS-IvP's uSimMarineV22 and uSimMarine (2026).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from steerageway.vessel.thrust_map import ThrustMap, interpolate


@dataclass(frozen=True, slots=True)
class ReleasedThrustMap(ThrustMap):
    """A thrust map as the released simulator computes it.

    Thrust beyond 100 per cent still adds speed where no pairs ahead are given, and the inverse
    answers the top and the bottom speed with full thrust.
    """

    def speed(self, thrust: float) -> float:
        """Return the speed [m/s] a thrust brings."""
        if self.ahead or (thrust < 0 and (self.astern or not self.reflect)):
            return self._on_the_map(thrust)
        return thrust / self.factor if self.factor else 0.0

    def _on_the_map(self, thrust: float) -> float:
        """Interpolate from the left, rounding as the released simulator does."""
        xs, ys = self._thrusts, self._speeds
        if not xs[0] < thrust < xs[-1]:
            return ys[0] if thrust < 0 else ys[-1]
        i = bisect_right(xs, thrust) if thrust >= 0 else bisect_left(xs, thrust)
        x0, y0 = xs[i - 1], ys[i - 1]
        return (thrust - x0) * ((ys[i] - y0) / (xs[i] - x0)) + y0

    def thrust(self, speed: float) -> float:
        """Return a thrust that brings a speed, or comes nearest to it."""
        if not self.ahead and speed >= 0:
            return speed * self.factor
        return interpolate(self._speeds, self._thrusts, speed) if speed else 0.0
