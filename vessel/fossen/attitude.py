"""Compiled attitude kinematics: pose rates from body velocities, Euler angles and quaternions.

The documented equivalent for Python is ``vessel.kinematics``.
"""

from __future__ import annotations

from math import asin, atan2, cos, pi, sin, sqrt, tan

from steerageway.vessel.fossen.state import P_, PHI, PSI, Q_, R_, THETA, U_, V_, W_, X_, Y_, Z_
from steerageway.world.arrays import Floats
from steerageway.world.compiled import compiled, part


@part
def eta_rates(x: Floats, dx: Floats) -> None:
    """Write the rates of eta, J(eta) nu, into ``dx[:6]``.

    Source: Fossen (2021), equations 2.31, 2.40 and 2.41.
    """
    eta_rates_at(x, x[PHI], x[THETA], dx)


@part
def eta_rates_at(x: Floats, phi: float, theta: float, dx: Floats) -> None:
    """Write the rates of eta at given roll and pitch angles instead of the state's own."""
    cphi, sphi = cos(phi), sin(phi)
    cth, sth = cos(theta), sin(theta)
    cpsi, spsi = cos(x[PSI]), sin(x[PSI])
    u, v, w, p, q, r = x[U_], x[V_], x[W_], x[P_], x[Q_], x[R_]
    forward = cth * u + (sphi * v + cphi * w) * sth
    across = cphi * v - sphi * w
    dx[X_] = cpsi * forward - spsi * across
    dx[Y_] = spsi * forward + cpsi * across
    dx[Z_] = -sth * u + (sphi * v + cphi * w) * cth
    turning = sphi * q + cphi * r
    dx[PHI] = p + turning * tan(theta)
    dx[THETA] = cphi * q - sphi * r
    dx[PSI] = turning / cth


@compiled
def quaternion_of_euler(x: Floats, q: Floats) -> None:
    """Write the unit quaternion (w, x, y, z) of a state's Euler angles (zyx)."""
    cphi, sphi = cos(0.5 * x[PHI]), sin(0.5 * x[PHI])
    cth, sth = cos(0.5 * x[THETA]), sin(0.5 * x[THETA])
    cpsi, spsi = cos(0.5 * x[PSI]), sin(0.5 * x[PSI])
    q[0] = cphi * cth * cpsi + sphi * sth * spsi
    q[1] = sphi * cth * cpsi - cphi * sth * spsi
    q[2] = cphi * sth * cpsi + sphi * cth * spsi
    q[3] = cphi * cth * spsi - sphi * sth * cpsi


@compiled
def pose_rates(x: Floats, q: Floats, rates: Floats, q_rate: Floats) -> None:
    """Write the rate of position into ``rates`` and that of the quaternion into ``q_rate``.

    Source: Fossen (2021), section 2.2.2, for a quaternion of nearly unit norm.
    """
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w, a, b, c = q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm
    u, v, z = x[U_], x[V_], x[W_]
    rates[0] = (1 - 2 * (b * b + c * c)) * u + 2 * (a * b - c * w) * v + 2 * (a * c + b * w) * z
    rates[1] = 2 * (a * b + c * w) * u + (1 - 2 * (a * a + c * c)) * v + 2 * (b * c - a * w) * z
    rates[2] = 2 * (a * c - b * w) * u + 2 * (b * c + a * w) * v + (1 - 2 * (a * a + b * b)) * z
    wx, wy, wz = x[P_], x[Q_], x[R_]
    q_rate[0] = -0.5 * (q[1] * wx + q[2] * wy + q[3] * wz)
    q_rate[1] = 0.5 * (q[0] * wx + q[2] * wz - q[3] * wy)
    q_rate[2] = 0.5 * (q[0] * wy + q[3] * wx - q[1] * wz)
    q_rate[3] = 0.5 * (q[0] * wz + q[1] * wy - q[2] * wx)


@compiled
def euler_of_quaternion(q: Floats, near: Floats, x: Floats) -> None:
    """Write the Euler angles of a quaternion into ``x[3:6]``, roll and yaw unwrapped near ``near``.

    At a pitch of 90 degrees roll and yaw are not distinct: roll is then taken from ``near``.
    """
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w, a, b, c = q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm
    sine = 2 * (w * b - c * a)
    if abs(sine) < 1 - 1e-14:
        x[PHI] = _turned(atan2(2 * (w * a + b * c), 1 - 2 * (a * a + b * b)), near[PHI])
        x[THETA] = asin(sine)
        x[PSI] = _turned(atan2(2 * (w * c + a * b), 1 - 2 * (b * b + c * c)), near[PSI])
    else:
        sign = 1.0 if sine > 0 else -1.0
        x[PHI] = near[PHI]
        x[THETA] = sign * pi / 2
        x[PSI] = _turned(sign * (near[PHI] - 2 * atan2(a, w)), near[PSI])


@compiled
def _turned(angle: float, near: float) -> float:
    """Add multiples of 2 pi to an angle until it is within pi of ``near``."""
    return angle + 2 * pi * round((near - angle) / (2 * pi))
