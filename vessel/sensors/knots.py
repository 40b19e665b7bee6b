"""Knots of a vessel's track: values and rates of its motion at the simulator's states.

In plain floats, which are faster than arrays for a few knots at a time. A knot's values are
position (3) in NED, unit quaternion (4), velocity over ground (3) and angular velocity (3) in BODY.

Source: Fossen (2021), chapter 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, sin, sqrt

Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def of_step(state: Sequence[float], before: Quaternion | None) -> tuple[list[float], list[float]]:
    """Return the values and rates of a knot from a state in six degrees of freedom.

    Args:
        state: (18 + m,) eta, nu over ground, its rate, and the actuators, appended to the values.
        before: the quaternion of the previous knot.
    """
    x, y, z, phi, theta, psi, u, v, w, p, q, r, *rest = state
    quat = quaternion(phi, theta, psi, before)
    drives = rest[6:]
    values = [x, y, z, *quat, u, v, w, p, q, r, *drives]
    rates = [*into_ned(quat, (u, v, w)), *quaternion_rate(quat, (p, q, r)), *rest[:6]]
    return values, rates + [0.0] * len(drives)


def between_ticks(
    first: Sequence[float], second: Sequence[float], h: float
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return values and rates at both ends of an interval, from poses and planar velocities.

    The velocity in BODY changes linearly, and the angular velocity is constant.

    Args:
        first, second: (9,) north, east, down, quaternion, and velocity to north and east.
        h: length of the interval [s].
    """
    x0, y0, z0, a0, b0, c0, d0, north0, east0 = first
    x1, y1, z1, a1, b1, c1, d1, north1, east1 = second
    q0, q1 = (a0, b0, c0, d0), (a1, b1, c1, d1)
    sinking = (z1 - z0) / h
    turn = turning(q0, q1)
    w = turn[0] / h, turn[1] / h, turn[2] / h
    ground0, ground1 = (north0, east0, sinking), (north1, east1, sinking)
    v0, v1 = into_body(q0, ground0), into_body(q1, ground1)
    rest = (v1[0] - v0[0]) / h, (v1[1] - v0[1]) / h, (v1[2] - v0[2]) / h, 0.0, 0.0, 0.0
    return (
        [x0, y0, z0, *q0, *v0, *w],
        [*ground0, *quaternion_rate(q0, w), *rest],
        [x1, y1, z1, *q1, *v1, *w],
        [*ground1, *quaternion_rate(q1, w), *rest],
    )


def quaternion(
    phi: float, theta: float, psi: float, before: Quaternion | None = None
) -> Quaternion:
    """Return the unit quaternion of Euler angles; of q and -q the one nearer to ``before``."""
    cr, sr = cos(phi / 2), sin(phi / 2)
    cp, sp = cos(theta / 2), sin(theta / 2)
    cy, sy = cos(psi / 2), sin(psi / 2)
    a, b = cy * cp * cr + sy * sp * sr, cy * cp * sr - sy * sp * cr
    c, d = cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr
    if before and a * before[0] + b * before[1] + c * before[2] + d * before[3] < 0:
        return -a, -b, -c, -d
    return a, b, c, d


def quaternion_rate(q: Quaternion, w: Triple) -> Quaternion:
    """Return the rate of a quaternion for an angular velocity in BODY."""
    a, b, c, d = q
    x, y, z = w[0] / 2, w[1] / 2, w[2] / 2
    return (
        -b * x - c * y - d * z,
        a * x - d * y + c * z,
        d * x + a * y - b * z,
        -c * x + b * y + a * z,
    )


def into_ned(q: Quaternion, v: Triple) -> Triple:
    """Return a vector of BODY in NED, by a unit quaternion."""
    a, b, c, d = q
    x, y, z = v
    i, j, k = 2 * (c * z - d * y), 2 * (d * x - b * z), 2 * (b * y - c * x)
    return (
        x + a * i + c * k - d * j,
        y + a * j + d * i - b * k,
        z + a * k + b * j - c * i,
    )


def into_body(q: Quaternion, v: Triple) -> Triple:
    """Return a vector of NED in BODY, by a unit quaternion."""
    return into_ned((q[0], -q[1], -q[2], -q[3]), v)


def turning(q0: Quaternion, q1: Quaternion) -> Triple:
    """Return the rotation vector in BODY from one attitude to another [rad]."""
    a, b, c, d = q0
    e, f, g, h = q1
    cosine = a * e + b * f + c * g + d * h
    x = a * f - e * b - (c * h - d * g)
    y = a * g - e * c - (d * f - b * h)
    z = a * h - e * d - (b * g - c * f)
    sine = sqrt(x * x + y * y + z * z)
    ratio = 2 * atan2(sine, cosine) / sine if sine > 0 else 2.0
    return ratio * x, ratio * y, ratio * z
