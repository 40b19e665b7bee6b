"""Thrust configuration matrix and pseudoinverse allocation, as MSS has them.

A thruster is ``"M"``, a main propeller pushing ahead, ``"T"``, a tunnel thruster pushing to
starboard, or an azimuth thruster: its angle [rad], from ahead towards starboard, or ``"A"`` if the
angle is free. Forces are ``tau = [X Y N]`` about CO.

Source: Fossen (2021), section 11.2; checked against MSS thrConfig.m.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np
from numpy.typing import ArrayLike

from steerageway.vessel.errors import InvalidValue
from steerageway.vessel.kinematics import Array

Thruster = str | float


def thrConfig(alpha: Sequence[Thruster], l_x: ArrayLike, l_y: ArrayLike) -> Array:
    """Return T (3, n) with ``tau = T f``, for the thrust f [N] of each thruster.

    Args:
        alpha: n thrusters: ``"M"``, ``"T"`` or an angle [rad].
        l_x, l_y: (n,) positions forward and to starboard of CO [m].

    Raises:
        InvalidValue: another thruster.
    """
    places = zip(np.asarray(l_x, np.float64), np.asarray(l_y, np.float64), strict=True)
    columns = []
    for thruster, (x, y) in zip(alpha, places, strict=True):
        c, s = _direction(thruster)
        columns.append((c, s, x * s - y * c))
    return np.array(columns).T


def _direction(thruster: Thruster) -> tuple[float, float]:
    if thruster == "M":
        return 1.0, 0.0
    if thruster == "T":
        return 0.0, 1.0
    if isinstance(thruster, str):
        raise InvalidValue(f"thruster {thruster!r}: expected 'M', 'T' or an angle [rad]")
    return cos(thruster), sin(thruster)


def allocPseudoinverse(T: ArrayLike, tau: ArrayLike, W: ArrayLike | None = None) -> Array:
    """Return the thrusts f (n,) with ``T f = tau`` that minimise ``f' W f``.

    If tau is not in the range of T, it is the least-squares solution. Limits of the thrusters are
    not considered.

    Args:
        T: (m, n) configuration. tau: (m,) desired force [N, N m].
        W: (n,) positive cost of each thruster; default: equal.

    Raises:
        InvalidValue: a cost is not positive.

    Source: Fossen (2021), equation 11.31.
    """
    matrix = np.asarray(T, np.float64)
    cost = np.ones(matrix.shape[1]) if W is None else np.asarray(W, np.float64)
    if not (cost > 0).all():
        raise InvalidValue(f"costs {cost}: expected numbers above zero")
    scale = 1 / np.sqrt(cost)
    f: Array = scale * (np.linalg.pinv(matrix * scale) @ np.asarray(tau, np.float64))
    return f


def allocate(
    alpha: Sequence[Thruster],
    l_x: ArrayLike,
    l_y: ArrayLike,
    tau: ArrayLike,
    W: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """Return thrusts and angles (n,) that produce tau, with free angles of the azimuths ``"A"``.

    Each free azimuth is two thrusters, ahead and to starboard; its thrust is never negative.

    Args:
        alpha: n thrusters: ``"M"``, ``"T"``, ``"A"`` or a fixed angle [rad].
        l_x, l_y: (n,) positions from CO [m]. tau: (3,) desired force [N, N m].
        W: (n,) cost of each thruster; default: equal.

    Returns:
        Thrusts [N], and directions [rad] (0 of "M", 90 degrees of "T").
    """
    free = [thruster == "A" for thruster in alpha]
    parts = [part for a in alpha for part in (("M", "T") if a == "A" else (a,))]
    twice = np.repeat(np.arange(len(free)), [2 if is_free else 1 for is_free in free])
    x, y = np.asarray(l_x, np.float64)[twice], np.asarray(l_y, np.float64)[twice]
    cost = None if W is None else np.asarray(W, np.float64)[twice]
    f = allocPseudoinverse(thrConfig(parts, x, y), tau, cost)
    cartesian = np.zeros((len(free), 2))
    np.add.at(cartesian, twice, f[:, np.newaxis] * [_direction(part) for part in parts])
    thrusts = np.hypot(*cartesian.T)
    angles = np.arctan2(cartesian[:, 1], cartesian[:, 0])
    for i, thruster in enumerate(alpha):
        if thruster != "A":
            c, s = _direction(thruster)
            thrusts[i], angles[i] = cartesian[i] @ (c, s), np.arctan2(s, c)
    return thrusts, angles
