"""Mean and standard deviation of a variable's numbers, taken one by one.

Headings and other angles are places on a circle: the mean of 359 and 1 degrees is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, hypot, inf, log1p, pi, sin, sqrt, tau

from steerageway.apps.shared.meanings import Circle, circle_of

NO_DIRECTION = 1e-9  # length of the mean unit vector below which it has no direction


class Numbers:
    """Mean and deviation of numbers.

    Attributes:
        count: of the numbers.
        mean: None without any.

    Source: Welford (1962), Technometrics 4(3).
    """

    def __init__(self) -> None:
        self.count, self.mean = 0, 0.0
        self._half = 0.0  # root of the sum of the squares of half the deviations: never overflows

    def add(self, value: float) -> None:
        """Take a number."""
        self.count += 1
        before, self.mean = self.mean, self.mean + (value / self.count - self.mean / self.count)
        old, new = abs(0.5 * value - 0.5 * before), abs(0.5 * value - 0.5 * self.mean)
        self._half = hypot(self._half, sqrt(old) * sqrt(new))

    def deviation(self, lost: int = 0) -> float:
        """Return the standard deviation.

        Args:
            lost: degrees of freedom: 0: of the numbers themselves; 1: of what they are a sample of.
        """
        freedom = self.count - lost
        return 2.0 * (self._half / sqrt(freedom)) if freedom > 0 else 0.0


class Angles:
    """Direction of the mean of unit vectors, and circular standard deviation; see ``Numbers``.

    The vectors are summed relative to the first, so that equal angles have no deviation.

    Source: Mardia & Jupp (2000), Directional Statistics, equations 2.2.4 and 2.3.11.
    """

    def __init__(self, circle: Circle) -> None:
        self.count = 0
        self._circle = circle
        self._first = 0.0
        self._sines = self._versines = 0.0  # sums of sin d, and of 1 - cos d

    def add(self, value: float) -> None:
        """Take an angle."""
        if not self.count:
            self._first = value
        half = pi * ((value - self._first) / self._circle.period)
        self._sines += sin(2.0 * half)
        self._versines += 2.0 * sin(half) ** 2
        self.count += 1

    @property
    def mean(self) -> float | None:
        """The mean direction; None if the angles cancel out."""
        if not self.count or 1.0 - self._lost() < NO_DIRECTION**2:
            return None
        turn = atan2(self._sines, self.count - self._versines) / tau
        return self._circle.wrapped(self._first + turn * self._circle.period)

    def deviation(self, lost: int = 0) -> float:
        """Return the circular standard deviation sqrt(-2 ln R) in the angles' unit."""
        missing = self._lost()
        radians = sqrt(-log1p(-missing)) if missing < 1.0 else inf
        return radians / tau * self._circle.period

    def _lost(self) -> float:
        """Return 1 - R², with R the length of the mean unit vector."""
        sines, versines = self._sines / self.count, self._versines / self.count
        return min(max(2.0 * versines - versines**2 - sines**2, 0.0), 1.0)


def averages_of(name: str) -> Numbers | Angles:
    """Return empty averages of a variable: of angles, if it is declared to be one of a circle."""
    circle = circle_of(name)
    return Numbers() if circle is None else Angles(circle)


def unrolled(circle: Circle, values: Sequence[float]) -> tuple[float | None, list[float]]:
    """Return the mean direction of angles, and each angle within half a turn of it.

    Angles that cancel out have no mean direction, and lie around the first.
    """
    angles = Angles(circle)
    for value in values:
        angles.add(value)
    mean = angles.mean
    middle = values[0] if mean is None else mean
    return mean, [middle + circle.turn(middle, value) for value in values]


def along_arc(circle: Circle, values: Sequence[float]) -> tuple[list[float], float]:
    """Return angles increasing from the end of the widest gap between them, and that gap."""
    places = sorted({circle.wrapped(value) for value in values})
    gaps = [(after - one, after) for one, after in pairwise([*places, places[0] + circle.period])]
    gap, start = max(gaps)
    return [start + (value - start) % circle.period for value in values], gap
