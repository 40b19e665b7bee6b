"""Objective functions of ``BHV_Waypoint``: the course towards a point, and a speed.

Source: BHV_Waypoint and AOF_Waypoint of MOOS-IvP.
"""

from __future__ import annotations

import numpy as np

from steerageway.ivp import Domain, Function, Peak, couple, on_grid, peak, spd
from steerageway.ivp.domain import FloatArray


def closing_and_detour(
    course: FloatArray, pace: FloatArray, bearing: float, speed: float, top: float
) -> tuple[FloatArray, FloatArray]:
    """Return the utilities of the rate of closure and of a small detour, up to 1.

    Closing faster than desired costs half as much as closing slower.

    Args:
        course, pace: the decisions, shaped to broadcast against each other [deg], [m/s].
        bearing: of the point [deg].
        speed: desired rate of closure; top: the domain's maximum speed [m/s].
    """
    top = top or 1.0  # a domain whose only speed is 0
    astray = np.abs((course - bearing + 180.0) % 360.0 - 180.0)
    short = speed - np.cos(np.radians(astray)) * pace
    miss = np.minimum(np.where(short < 0, -0.5 * short, short), 2 * top)
    closing = 1.0 - miss / (2 * top)
    return closing, 1.0 - astray * np.maximum(pace, 0.0) / (180.0 * top)


class Objectives:
    """Builds the functions; the one of the speed is cached while the speed does not change."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self._speed: tuple[tuple[float, bool], Function] | None = None

    def course_and_speed(
        self, bearing: float, heading: float, speed: float, weight: float, *, slower: bool
    ) -> Function:
        """Return a function for the bearing, slightly for the present heading, and a speed.

        Args:
            bearing, heading: [deg].
            speed: [m/s].
            weight: of the course, 1 to 99; the speed has the rest of 100.
            slower: whether slower speeds are preferred to faster ones.
        """
        toward = Peak(bearing, basewidth=180)
        keep = Peak(heading, peakwidth=30, basewidth=180, summitdelta=5, high=20)
        course = peak(self._domain["course"], toward, keep, wrap=True, add=True)
        return couple(course, self._speed_objective(speed, slower), (weight, 100 - weight))

    def rate_of_closure(self, bearing: float, speed: float) -> Function:
        """Return a function for closing a point at a speed (80 %) with a small detour (20 %)."""
        top = self._domain["speed"].high

        def utility(course: FloatArray, pace: FloatArray) -> FloatArray:
            closing, detour = closing_and_detour(course, pace, bearing, speed, top)
            return np.asarray(100.0 * (0.8 * closing + 0.2 * detour))

        return on_grid(self._domain, ("course", "speed"), utility)

    def _speed_objective(self, speed: float, slower: bool) -> Function:
        if self._speed is None or self._speed[0] != (speed, slower):
            variable = self._domain["speed"]
            if slower:
                objective = spd(variable, speed, 0.1, speed + 0.4, 70, 20)
            else:
                objective = peak(variable, Peak(speed, speed / 2, 1.6, 20))
            self._speed = ((speed, slower), objective)
        return self._speed[1]
