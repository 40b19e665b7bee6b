"""Where N vessels are relative to legs and places, for all of them by one call.

Compiled, as NumPy would take as long for these as the integration of the vessels. States ``x`` are
(N, 12 + n), see ``vessel.fossen.state``; angles are within -pi to pi [rad].
"""

from __future__ import annotations

from math import atan2, cos, floor, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from steerageway.vessel.fossen.state import PSI, R_, U_, V_, X_, Y_
from steerageway.world.arrays import Flags, Floats, Whole
from steerageway.world.compiled import compiled, part, pointer
from steerageway.world.formula import chosen
from steerageway.world.lanes import LANES, aligned, lanes

ALONG = (
    *("cross_track", "ahead", "distance", "passed", "finished", "u", "v", "r"),
    *("sin_course_error", "sin_turn", "sin_bearing"),
    *("cos_course_error", "cos_turn", "cos_bearing"),
)
"""Rows of ``along``: see the features of ``tasks.AlongWaypoints``."""
GIVEN = 9  # lanes that it computes from


@part
def within(angle: float) -> float:
    """Return an angle within -pi to pi [rad]."""
    return angle - 2.0 * pi * floor(angle / (2.0 * pi) + 0.5)


@part
def direction(ahead: float, abeam: float) -> tuple[float, float]:
    """Return sine and cosine of the angle of a vector to starboard; of no vector those of 0."""
    size = sqrt(ahead * ahead + abeam * abeam)
    inverse = 1.0 / chosen(size > 0.0, size, 1.0)
    return abeam * inverse, chosen(size > 0.0, ahead * inverse, 1.0)


@part
def seen(given: Floats, reached: float, found: Floats) -> None:
    """Write the rows of ``along`` that are lanes, passed in place of finished."""
    heading, x, y, start_n, start_e = given[0], given[1], given[2], given[3], given[4]
    end_n, end_e = given[5], given[6]
    north, east = end_n - start_n, end_e - start_e
    inverse = 1.0 / sqrt(north * north + east * east)
    north, east = north * inverse, east * inverse  # from here on the direction of the leg
    to_n, to_e = end_n - x, end_e - y
    ahead = north * to_n + east * to_e
    away = sqrt(to_n * to_n + to_e * to_e)
    found[0], found[1], found[2] = east * to_n - north * to_e, ahead, away
    found[3] = chosen(ahead <= 0.0, 1.0, chosen(away <= reached, 1.0, 0.0))
    c, s = cos(heading), sin(heading)
    found[4], found[7] = direction(north * c + east * s, north * s - east * c)
    n, e = given[7] - end_n, given[8] - end_e
    found[5], found[8] = direction(north * n + east * e, north * e - east * n)
    found[6], found[9] = direction(c * to_n + s * to_e, c * to_e - s * to_n)


@compiled
def along(
    x: Floats, points: Floats, leg: Whole, reached: float, moves: Flags, found: Floats
) -> None:
    """Write the features ``ALONG`` (14, N) of vessels on their legs, and advance the legs.

    Args:
        x: states. points: (N, k, 2), north and east [m]. leg: (N,) the present ones.
        reached: distance at which a waypoint counts [m]. moves: (N,) whose legs may advance.
        found: (14, N) at least.
    """
    count, last = x.shape[0], points.shape[1] - 1
    room = np.empty(LANES * (GIVEN + 10 + 1))
    numbers, places = aligned(pointer(room)), pointer(points)
    for first in range(0, count, LANES):
        for lane in range(LANES):
            i = min(first + lane, count - 1)  # the last of them in lanes to spare
            numbers[lane] = x[i, PSI]
            numbers[LANES + lane], numbers[2 * LANES + lane] = x[i, X_], x[i, Y_]
            for j in range(3):  # behind the last leg there is no turn
                at = 2 * (i * (last + 1) + min(leg[i] + j, last))
                numbers[(3 + 2 * j) * LANES + lane] = places[at]
                numbers[(4 + 2 * j) * LANES + lane] = places[at + 1]
        seen(lanes(numbers, 0), reached, lanes(numbers, GIVEN))
        for lane in range(min(LANES, count - first)):
            i = first + lane
            for row in range(4):
                found[row, i] = numbers[(GIVEN + row) * LANES + lane]
            for row in range(6):
                found[8 + row, i] = numbers[(GIVEN + 4 + row) * LANES + lane]
            passed, final = found[3, i] == 1.0, leg[i] == last - 1
            found[4, i] = 1.0 if passed and final else 0.0
            found[5, i], found[6, i], found[7, i] = x[i, U_], x[i, V_], x[i, R_]
            if passed and moves[i] and not final:
                leg[i] += 1


Pair = tuple[float, float]


@compiled
def lay(
    drawn: Floats,
    which: Whole,
    turn: float,
    lengths: Pair,
    most: tuple[float, float, float],
    points: Floats,
    x: Floats,
) -> None:
    """Lay paths of n legs from the origin, and place vessels near their starts.

    Args:
        drawn: (k, 2 n + 4) numbers from 0 to 1: of the changes of course (the first of them is not
            used), the first course, the lengths, and what ``most`` has.
        which: (k,) indices of the vessels.
        turn: the greatest change of course [rad]. lengths: of the legs, least and greatest [m].
        most: distance from the path [m] and heading from its course [rad] at the start, to either
            side, and speed ahead [m/s].
        points: (N, n + 1, 2) north and east [m]. x: (k, 12 + n) states.
    """
    n = points.shape[1] - 1
    for row, i in enumerate(which):
        course = first = pi * (2.0 * drawn[row, n] - 1.0)
        points[i, 0, 0] = points[i, 0, 1] = 0.0
        for leg in range(n):
            if leg > 0:
                course += turn * (2.0 * drawn[row, leg] - 1.0)
            length = lengths[0] + (lengths[1] - lengths[0]) * drawn[row, n + 1 + leg]
            points[i, leg + 1, 0] = points[i, leg, 0] + length * cos(course)
            points[i, leg + 1, 1] = points[i, leg, 1] + length * sin(course)
        beside = most[0] * (2.0 * drawn[row, 2 * n + 1] - 1.0)
        x[row, X_], x[row, Y_] = -sin(first) * beside, cos(first) * beside
        x[row, PSI] = within(first + most[1] * (2.0 * drawn[row, 2 * n + 2] - 1.0))
        x[row, U_] = most[2] * drawn[row, 2 * n + 3]


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
        x: states. goal: (N, 3) north, east [m] and heading [rad]. found: (9, N) at least.
    """
    for i in range(x.shape[0]):
        north, east = goal[i, 0] - x[i, X_], goal[i, 1] - x[i, Y_]
        cos_psi, sin_psi = cos(x[i, PSI]), sin(x[i, PSI])
        found[0, i] = cos_psi * north + sin_psi * east
        found[1, i] = cos_psi * east - sin_psi * north
        found[2, i] = sqrt(north * north + east * east)
        error = x[i, PSI] - goal[i, 2]
        found[3, i] = within(error)
        found[4, i], found[5, i] = sin(error), cos(error)
        found[6, i], found[7, i], found[8, i] = x[i, U_], x[i, V_], x[i, R_]


@compiled
def bearing(x: Floats, places: Floats, found: Floats) -> None:
    """Write range [m] and bearing from the bow (4, N) of places (N, 2), as rows of an angle."""
    for i in range(x.shape[0]):
        north, east = places[i, 0] - x[i, X_], places[i, 1] - x[i, Y_]
        cos_psi, sin_psi = cos(x[i, PSI]), sin(x[i, PSI])
        found[0, i] = sqrt(north * north + east * east)
        ahead, abeam = cos_psi * north + sin_psi * east, cos_psi * east - sin_psi * north
        found[1, i] = atan2(abeam, ahead)
        found[2, i], found[3, i] = direction(ahead, abeam)


@compiled
def directions(angles: Floats, found: Floats) -> None:
    """Write angles (N,), their sines and their cosines (3, N)."""
    for i in range(angles.size):
        found[0, i], found[1, i], found[2, i] = angles[i], sin(angles[i]), cos(angles[i])


@compiled
def transposed(features: Floats, factors: Floats, rows: NDArray[np.float32]) -> None:
    """Write features, one after another (n N,), times their factors (n,) as rows (N, n)."""
    count, entries = rows.shape
    for i in range(count):
        for k in range(entries):
            rows[i, k] = features[k * count + i] * factors[k]
