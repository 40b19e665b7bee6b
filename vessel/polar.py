"""Sailing: maximum speed by a polar plot of a vessel and the wind.

Source: uSimMarineV22 manual, section 1; the simulator's ``polar_plot``.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter

from steerageway.geometry.marine import angle180
from steerageway.vessel.errors import InvalidValue
from steerageway.world.numbers import read_finite
from steerageway.world.wind import Wind as Wind


@dataclass(frozen=True, slots=True)
class PolarPlot:
    """Maximum speed, relative to the wind's, by the angle to the wind.

    Attributes:
        points: (angle to the wind [deg, 0 to 180], speed [% of the wind's]), ascending; the same
            for both tacks, with 0 % at 0 and 180 degrees by default.
    """

    points: tuple[tuple[float, float], ...]

    @classmethod
    def read(cls, text: str) -> PolarPlot:
        """Read "0,0: 20,30: 90,80: 180,60".

        Raises:
            InvalidValue: an angle outside [0, 180] or given twice, or a negative per cent.
        """
        points = sorted(_point(part) for part in text.split(":"))
        angles = [angle for angle, _ in points]
        if len(set(angles)) < len(angles):
            raise InvalidValue(f"{text!r}: expected each angle once")
        if angles[0] > 0:
            points.insert(0, (0.0, 0.0))
        if angles[-1] < 180:
            points.append((180.0, 0.0))
        return cls(tuple(points))

    def percent(self, angle: float) -> float:
        """Return the speed [% of the wind's] at an angle [deg] to the wind, on either tack."""
        off = abs(angle180(angle))
        i = bisect_left(self.points, off, key=itemgetter(0))
        x, y = self.points[i]
        if i == 0:
            return y
        x0, y0 = self.points[i - 1]
        return y0 + (off - x0) / (x - x0) * (y - y0)

    def most_speed(self, wind: Wind, heading: float) -> float:
        """Return the maximum speed [m/s] on a heading [deg]; never more than the wind's."""
        return min(1.0, self.percent(heading - wind.direction) / 100) * wind.speed


def _point(text: str) -> tuple[float, float]:
    angle, comma, percent = text.partition(",")
    where = repr(text.strip())
    point = read_finite(angle, where), read_finite(percent, where)
    if not comma or not 0 <= point[0] <= 180 or point[1] < 0:
        raise InvalidValue(f"{where}: expected <angle 0 to 180>,<per cent of the wind, at least 0>")
    return point
