"""Where N vessels are relative to legs and places, for all of them by one call.

Compiled, as NumPy would take as long for these as the integration of the vessels. States ``x`` are
(N, 12 + n), see ``vessel.fossen.state``; angles are within -pi to pi [rad].
"""

from __future__ import annotations

from math import atan2, cos, floor, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.state import PSI, R_, U_, V_, X_, Y_
from steerageway.world.arrays import Flags, Floats
from steerageway.world.compiled import compiled, part

ALONG = (
    *("cross_track", "ahead", "distance", "passed", "finished"),
    *("course_error", "sin_course_error", "cos_course_error"),
    *("turn", "sin_turn", "cos_turn"),
    *("bearing", "sin_bearing", "cos_bearing"),
    *("u", "v", "r"),
)
"""Rows of ``along``: see the features of ``tasks.AlongWaypoints``."""


@part
def direction(ahead: float, abeam: float, found: Floats, row: int, i: int) -> None:
    """Write the angle of a vector to starboard [rad], its sine and its cosine, into three rows."""
    size = sqrt(ahead * ahead + abeam * abeam)
    found[row, i] = atan2(abeam, ahead)
    found[row + 1, i] = abeam / size if size > 0.0 else 0.0
    found[row + 2, i] = ahead / size if size > 0.0 else 1.0


@compiled
def along(
    x: Floats, points: Floats, leg: NDArray[np.int64], reached: float, moves: Flags, found: Floats
) -> None:
    """Write the features ``ALONG`` (17, N) of vessels on their legs, and advance the legs.

    Args:
        x: states. points: (N, k, 2), north and east [m]. leg: (N,) the present ones.
        reached: distance at which a waypoint counts [m]. moves: (N,) whose legs may advance.
        found: (17, N).
    """
    last = points.shape[1] - 1
    for i in range(x.shape[0]):
        k, heading = leg[i], x[i, PSI]
        end_n, end_e = points[i, k + 1, 0], points[i, k + 1, 1]
        north, east = end_n - points[i, k, 0], end_e - points[i, k, 1]
        length = sqrt(north * north + east * east)
        north, east = north / length, east / length  # from here on the direction of the leg
        to_n, to_e = end_n - x[i, X_], end_e - x[i, Y_]
        ahead = north * to_n + east * to_e
        away = sqrt(to_n * to_n + to_e * to_e)
        passed = ahead <= 0.0 or away <= reached
        cos_psi, sin_psi = cos(heading), sin(heading)
        found[0, i] = east * to_n - north * to_e
        found[1, i] = ahead
        found[2, i] = away
        found[3, i] = 1.0 if passed else 0.0
        found[4, i] = 1.0 if passed and k == last - 1 else 0.0
        direction(north * cos_psi + east * sin_psi, north * sin_psi - east * cos_psi, found, 5, i)
        if k == last - 1:
            direction(1.0, 0.0, found, 8, i)
        else:
            n, e = points[i, k + 2, 0] - end_n, points[i, k + 2, 1] - end_e
            direction(north * n + east * e, north * e - east * n, found, 8, i)
        direction(cos_psi * to_n + sin_psi * to_e, cos_psi * to_e - sin_psi * to_n, found, 11, i)
        found[14, i], found[15, i], found[16, i] = x[i, U_], x[i, V_], x[i, R_]
        if passed and moves[i] and k < last - 1:
            leg[i] = k + 1


STATION = (
    *("ahead", "abeam", "distance"),
    *("heading_error", "sin_heading_error", "cos_heading_error"),
    *("u", "v", "r"),
)
"""Rows of ``station``: see the features of ``tasks.StationKeeping``."""


@compiled
def station(x: Floats, goal: Floats, found: Floats) -> None:
    """Write the features ``STATION`` (9, N) of vessels and their goals.

    Args:
        x: states. goal: (N, 3) north, east [m] and heading [rad]. found: (9, N).
    """
    for i in range(x.shape[0]):
        north, east = goal[i, 0] - x[i, X_], goal[i, 1] - x[i, Y_]
        cos_psi, sin_psi = cos(x[i, PSI]), sin(x[i, PSI])
        found[0, i] = cos_psi * north + sin_psi * east
        found[1, i] = cos_psi * east - sin_psi * north
        found[2, i] = sqrt(north * north + east * east)
        error = x[i, PSI] - goal[i, 2]
        found[3, i] = error - 2.0 * pi * floor(error / (2.0 * pi) + 0.5)
        found[4, i], found[5, i] = sin(error), cos(error)
        found[6, i], found[7, i], found[8, i] = x[i, U_], x[i, V_], x[i, R_]


@compiled
def bearing(x: Floats, places: Floats, found: Floats) -> None:
    """Write range [m] and bearing from the bow (4, N) of places (N, 2), as rows of an angle."""
    for i in range(x.shape[0]):
        north, east = places[i, 0] - x[i, X_], places[i, 1] - x[i, Y_]
        cos_psi, sin_psi = cos(x[i, PSI]), sin(x[i, PSI])
        found[0, i] = sqrt(north * north + east * east)
        direction(cos_psi * north + sin_psi * east, cos_psi * east - sin_psi * north, found, 1, i)


@compiled
def directions(angles: Floats, found: Floats) -> None:
    """Write angles (N,), their sines and their cosines (3, N)."""
    for i in range(angles.size):
        found[0, i], found[1, i], found[2, i] = angles[i], sin(angles[i]), cos(angles[i])
