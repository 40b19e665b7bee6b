"""Compiled forces on the hull of a coefficient-form vessel.

Each adds its wrench about CO, in BODY, to ``tau`` (6,), given ``nu_r`` (6,), the velocity through
the water. In the right-hand side both lie in ``dx``: ``nu_r`` in the first half, which is written
over at the end, ``tau`` in the second.
"""

from __future__ import annotations

from math import atan2, cos, exp, pi, sin, sqrt

from vessel.fossen.attitude import eta_rates, eta_rates_at
from vessel.fossen.compiled import compiled
from vessel.fossen.dynamics import CURRENT_D, CURRENT_E, CURRENT_N, WIND_E, WIND_N, Floats
from vessel.fossen.layout import (
    ADDED,
    AIR_DENSITY,
    AXIS,
    COMPLIANCE,
    CORIOLIS,
    CURRENT,
    DENSITY,
    EXCESS,
    FACTORS,
    FADE,
    FADE_FORM,
    FADING,
    FIRST,
    HELD,
    HOLDING,
    KEEP,
    LIFT_AREA,
    LIFT_ASPECT,
    LIFT_CD0,
    LIFT_E,
    LOAD,
    LOAD_FORM,
    LOAD_X,
    LOAD_Y,
    LOAD_Z,
    M_INV,
    MASS,
    MOMENT_X,
    MOMENT_Y,
    MOMENT_Z,
    RESTORING,
    STIFFNESS,
    TRIM_PHI,
    TRIM_THETA,
    TRIM_Z,
    WIND_CN,
    WIND_CX,
    WIND_CY,
    WIND_FRONT,
    WIND_LENGTH,
    WIND_SIDE,
    Parameters,
)


@compiled
def relative_velocity(p: Parameters, x: Floats, surroundings: Floats, nu_r: Floats) -> None:
    """Write nu - nu_c; the current is turned from NED to BODY.

    Source: Fossen (2021), equation 10.149; the peers turn by yaw only.
    """
    for i in range(6):
        nu_r[i] = x[6 + i]
    north, east = surroundings[CURRENT_N], surroundings[CURRENT_E]
    down = surroundings[CURRENT_D]
    if north == 0.0 and east == 0.0 and down == 0.0:
        return
    cpsi, spsi = cos(x[5]), sin(x[5])
    ahead, across = cpsi * north + spsi * east, cpsi * east - spsi * north
    if p.scalars[CURRENT] == 0.0:
        cth, sth, cphi, sphi = cos(x[4]), sin(x[4]), cos(x[3]), sin(x[3])
        lifted = sth * ahead + cth * down
        ahead = cth * ahead - sth * down
        across, down = cphi * across + sphi * lifted, cphi * lifted - sphi * across
    nu_r[0] -= ahead
    nu_r[1] -= across
    nu_r[2] -= down


@compiled
def accelerate(p: Parameters, x: Floats, nu_r: Floats, tau: Floats) -> None:
    """Turn ``tau`` into the acceleration: that of the current in BODY, and M^-1 tau.

    Held degrees of freedom do not accelerate; the free ones are those of the reduced system.
    Source: Fossen (2021), equation 10.155, with the whole of -S(omega) v_c.
    """
    a, b, c = x[6] - nu_r[0], x[7] - nu_r[1], x[8] - nu_r[2]
    if p.scalars[CURRENT] == 2.0:
        a_dot, b_dot, c_dot = x[11] * b, -x[11] * a, 0.0
    else:
        a_dot = b * x[11] - c * x[10]
        b_dot = c * x[9] - a * x[11]
        c_dot = a * x[10] - b * x[9]
    held, inverse = p.matrices[HELD], p.matrices[M_INV]
    if p.scalars[HOLDING] != 0.0:
        for i in range(6):
            tau[i] += held[i, 0] * a_dot + held[i, 1] * b_dot + held[i, 2] * c_dot
    t0, t1, t2, t3, t4, t5 = tau[0], tau[1], tau[2], tau[3], tau[4], tau[5]
    for i in range(6):
        tau[i] = (
            inverse[i, 0] * t0
            + inverse[i, 1] * t1
            + inverse[i, 2] * t2
            + inverse[i, 3] * t3
            + inverse[i, 4] * t4
            + inverse[i, 5] * t5
        )
    if inverse[0, 0] != 0.0:
        tau[0] += a_dot
    if inverse[1, 1] != 0.0:
        tau[1] += b_dot
    if inverse[2, 2] != 0.0:
        tau[2] += c_dot


@compiled
def coriolis(p: Parameters, nu_r: Floats, tau: Floats) -> None:
    """Take away C_RB(nu_r) nu_r + C_A(nu_r) nu_r.

    Source: Fossen (2011), equations 3.46 and 6.43, for symmetric M_RB and M_A.
    """
    if p.scalars[CORIOLIS] == 0.0:
        return
    a, b, c, k, m, n = momentum(p.matrices[MASS], nu_r)
    u, v, w, wp, q, r = nu_r[0], nu_r[1], nu_r[2], nu_r[3], nu_r[4], nu_r[5]
    tau[0] += b * r - c * q
    tau[1] += c * wp - a * r
    tau[2] += a * q - b * wp
    tau[3] += b * w - c * v + m * r - n * q
    tau[4] += c * u - a * w + n * wp - k * r
    tau[5] += a * v - b * u + k * q - m * wp
    if p.scalars[CORIOLIS] == 2.0:
        a, b, c, k, m, n = momentum(p.matrices[ADDED], nu_r)
        keep = p.matrices[KEEP]
        tau[0] += keep[0, 5] * b * r - keep[0, 4] * c * q
        tau[1] += keep[1, 3] * c * wp - keep[1, 5] * a * r
        tau[2] += keep[2, 4] * a * q - keep[2, 3] * b * wp
        tau[3] += keep[3, 2] * b * w - keep[3, 1] * c * v
        tau[3] += keep[3, 5] * m * r - keep[3, 4] * n * q
        tau[4] += keep[4, 0] * c * u - keep[4, 2] * a * w
        tau[4] += keep[4, 3] * n * wp - keep[4, 5] * k * r
        tau[5] += keep[5, 1] * a * v - keep[5, 0] * b * u
        tau[5] += keep[5, 4] * k * q - keep[5, 3] * m * wp


@compiled
def momentum(M: Floats, nu: Floats) -> tuple[float, float, float, float, float, float]:
    """Give M nu."""
    u, v, w, wp, q, r = nu[0], nu[1], nu[2], nu[3], nu[4], nu[5]
    return (
        M[0, 0] * u + M[0, 1] * v + M[0, 2] * w + M[0, 3] * wp + M[0, 4] * q + M[0, 5] * r,
        M[1, 0] * u + M[1, 1] * v + M[1, 2] * w + M[1, 3] * wp + M[1, 4] * q + M[1, 5] * r,
        M[2, 0] * u + M[2, 1] * v + M[2, 2] * w + M[2, 3] * wp + M[2, 4] * q + M[2, 5] * r,
        M[3, 0] * u + M[3, 1] * v + M[3, 2] * w + M[3, 3] * wp + M[3, 4] * q + M[3, 5] * r,
        M[4, 0] * u + M[4, 1] * v + M[4, 2] * w + M[4, 3] * wp + M[4, 4] * q + M[4, 5] * r,
        M[5, 0] * u + M[5, 1] * v + M[5, 2] * w + M[5, 3] * wp + M[5, 4] * q + M[5, 5] * r,
    )


@compiled
def damping(p: Parameters, x: Floats, nu_r: Floats, tau: Floats) -> None:
    """Add every coefficient times its velocities, those that fade with speed reduced."""
    fade = faded(p, x, nu_r) if p.scalars[FADE] != 0.0 else 1.0
    for i in range(p.values.size):
        force = p.values[i]
        if p.terms[i, FADING] == 1:
            force *= fade
        for j in range(FIRST, FIRST + p.terms[i, FACTORS]):
            k = p.terms[i, j]
            force *= nu_r[k] if k < 6 else abs(nu_r[k - 6])
        tau[p.terms[i, AXIS]] += force


@compiled
def faded(p: Parameters, x: Floats, nu_r: Floats) -> float:
    """Give what fading terms keep at this speed."""
    if p.scalars[FADE_FORM] == 0.0:
        speed = sqrt(nu_r[0] ** 2 + nu_r[1] ** 2 + nu_r[2] ** 2)
    else:
        speed = sqrt(x[6] + x[7] ** 2)
    return exp(-p.scalars[FADE] * speed)


@compiled
def lift(p: Parameters, nu_r: Floats, tau: Floats) -> None:
    """Add lift and drag of the hull taken as a wing in the vertical plane.

    Source: Beard & McLain (2012), section 4.2; Fossen (2021), section 8.3, forceLiftDrag.
    """
    area = p.scalars[LIFT_AREA]
    if area == 0.0:
        return
    aspect, cd0, e = p.scalars[LIFT_ASPECT], p.scalars[LIFT_CD0], p.scalars[LIFT_E]
    alpha = atan2(nu_r[2], nu_r[0])
    cl = pi * aspect * alpha / (1.0 + sqrt(1.0 + (aspect / 2.0) ** 2))
    cd = cd0 + cl**2 / (pi * e * aspect)
    speed2 = nu_r[0] ** 2 + nu_r[1] ** 2 + nu_r[2] ** 2
    pressure = 0.5 * p.scalars[DENSITY] * speed2 * area
    tau[0] -= pressure * (cd * cos(alpha) - cl * sin(alpha))
    tau[2] -= pressure * (cd * sin(alpha) + cl * cos(alpha))


@compiled
def restoring(p: Parameters, x: Floats, tau: Floats) -> None:
    """Take away g(eta): of a submerged body, or G (eta - trim) of a floating one.

    Source: Fossen (2021), equations 4.6 and 4.34.
    """
    s = p.scalars
    if s[RESTORING] == 1.0:
        cphi, sphi, cth, sth = cos(x[3]), sin(x[3]), cos(x[4]), sin(x[4])
        tau[0] -= s[EXCESS] * sth
        tau[1] += s[EXCESS] * cth * sphi
        tau[2] += s[EXCESS] * cth * cphi
        tau[3] += s[MOMENT_Y] * cth * cphi - s[MOMENT_Z] * cth * sphi
        tau[4] -= s[MOMENT_Z] * sth + s[MOMENT_X] * cth * cphi
        tau[5] += s[MOMENT_X] * cth * sphi + s[MOMENT_Y] * sth
    elif s[RESTORING] == 2.0:
        G = p.matrices[STIFFNESS]
        heave, roll, pitch = x[2] - s[TRIM_Z], x[3] - s[TRIM_PHI], x[4] - s[TRIM_THETA]
        for i in range(2, 5):
            tau[i] -= G[i, 2] * heave + G[i, 3] * roll + G[i, 4] * pitch
        if s[LOAD_FORM] != 0.0:
            X, Y, Z, K, M, N = weight(s, x)
            tau[2] += Z
            tau[3] += K
            tau[4] += M
            if s[LOAD_FORM] == 1.0:
                tau[0] += X
                tau[1] += Y
                tau[5] += N


@compiled
def weight(s: Floats, x: Floats) -> tuple[float, float, float, float, float, float]:
    """Give the wrench of a weight that hangs at a place fixed in BODY."""
    cth = cos(x[4])
    X, Y, Z = -s[LOAD] * sin(x[4]), s[LOAD] * cth * sin(x[3]), s[LOAD] * cth * cos(x[3])
    K = s[LOAD_Y] * Z - s[LOAD_Z] * Y
    M = s[LOAD_Z] * X - s[LOAD_X] * Z
    return X, Y, Z, K, M, s[LOAD_X] * Y - s[LOAD_Y] * X


@compiled
def pose_rates(p: Parameters, x: Floats, dx: Floats) -> None:
    """Write J(eta) nu; a peer takes J at the angles from the trim the weight gives."""
    if p.scalars[LOAD_FORM] != 2.0:
        eta_rates(x, dx)
        return
    _, _, Z, K, M, _ = weight(p.scalars, x)
    C = p.matrices[COMPLIANCE]
    phi = x[3] - (C[3, 2] * Z + C[3, 3] * K + C[3, 4] * M)
    theta = x[4] - (C[4, 2] * Z + C[4, 3] * K + C[4, 4] * M)
    eta_rates_at(x, phi, theta, dx)


@compiled
def wind(p: Parameters, x: Floats, surroundings: Floats, tau: Floats) -> None:
    """Add the wind's force on the body above water.

    Source: Fossen (2021), equations 10.7 to 10.16, with CX = -cx cos, CY = cy sin, CN = cn sin 2.
    """
    s = p.scalars
    north, east = surroundings[WIND_N], surroundings[WIND_E]
    if s[WIND_FRONT] == 0.0 and s[WIND_SIDE] == 0.0:
        return
    cpsi, spsi = cos(x[5]), sin(x[5])
    u = x[6] - cpsi * north - spsi * east
    v = x[7] - cpsi * east + spsi * north
    gamma = -atan2(v, u)
    pressure = 0.5 * s[AIR_DENSITY] * (u * u + v * v)
    tau[0] -= pressure * s[WIND_CX] * cos(gamma) * s[WIND_FRONT]
    tau[1] += pressure * s[WIND_CY] * sin(gamma) * s[WIND_SIDE]
    tau[5] += pressure * s[WIND_CN] * sin(2.0 * gamma) * s[WIND_SIDE] * s[WIND_LENGTH]
