"""Objective function of turning behaviors, and the distance made during a turn."""

from __future__ import annotations

from steerageway.helm.geometry import distance
from steerageway.ivp import Domain, Function, Peak, couple, peak, spd
from steerageway.moos.seglist import Point


def steer(
    domain: Domain, course: float, speed: float, weight: float = 50.0, slowest: float = 85.0
) -> Function:
    """Return a function for a course [deg] and a speed [m/s], slower speeds before faster ones.

    The course has a base width of 180 degrees. The speed's utility rises from ``slowest`` at
    0.1 m/s to 100, and falls to 20 at 0.4 m/s above the speed. The course has ``weight`` of 100,
    the speed the rest.
    """
    toward = peak(domain["course"], Peak(course % 360.0, basewidth=180), wrap=True)
    pace = spd(domain["speed"], speed, 0.1, speed + 0.4, slowest, 20)
    return couple(toward, pace, (weight, 100 - weight))


class Way:
    """The distance made [m] since a position."""

    def __init__(self, start: Point = (0.0, 0.0)) -> None:
        self.made = 0.0
        self._last = start

    def move(self, here: Point) -> None:
        """Add the distance to a new position."""
        self.made += distance(here, self._last)
        self._last = here
